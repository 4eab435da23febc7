// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version; CMakeLists.txt reads it from here.
#ifndef DYTQ_VERSION_HPP
#define DYTQ_VERSION_HPP

/// Major version.
#define DYTQ_VERSION_MAJOR 0
/// Minor version; while the major one is 0, it changes with the interface.
#define DYTQ_VERSION_MINOR 1
/// Patch version.
#define DYTQ_VERSION_PATCH 0

#endif
