# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cmake --install`: headers, a CMake package, a pkg-config file, the licence.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_DATAROOTDIR}/cmake/dytq)

install(TARGETS dytq
  EXPORT dytq
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILE_SET opt_in_headers DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Nothing to find and nothing to compute: the headers' target, and the library for C if it has been installed as well.
install(EXPORT dytq NAMESPACE dytq:: FILE dytqTargets.cmake DESTINATION ${package_dir})
file(RELATIVE_PATH c_targets /${package_dir} /${CMAKE_INSTALL_LIBDIR}/cmake/dytq/dytqCTargets.cmake)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/dytqConfig.cmake @ONLY CONTENT
[[include("${CMAKE_CURRENT_LIST_DIR}/dytqTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/@c_targets@" OPTIONAL)
]])
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dytqConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/dytqConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dytqConfigVersion.cmake DESTINATION ${package_dir})

# The paths in dytq.pc are relative to the file itself, so an installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_DATAROOTDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/dytq.pc.in ${CMAKE_CURRENT_BINARY_DIR}/dytq.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dytq.pc DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
