# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tests' libraries by their headers alone, so that nothing need be installed for another machine or another standard
# library. Compilers, cross compilers too, find the headers where they look anyway.
foreach(library IN ITEMS Catch2::Catch2 fmt::fmt nlohmann_json::nlohmann_json)
  add_library(${library} INTERFACE IMPORTED GLOBAL)
endforeach()
set_property(TARGET fmt::fmt PROPERTY INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
