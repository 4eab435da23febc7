// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if __has_include(<catch2/catch_all.hpp>)
// Catch2 3 has its main in a library of its own.
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
