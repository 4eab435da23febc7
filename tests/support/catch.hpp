// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catch2, version 2 or 3, whichever is installed.
#ifndef DYTQ_TESTS_SUPPORT_CATCH_HPP
#define DYTQ_TESTS_SUPPORT_CATCH_HPP

#define CATCH_CONFIG_FAST_COMPILE  // nothing throws, so no check looks for that

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#endif
