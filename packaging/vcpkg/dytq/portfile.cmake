# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An overlay port: it packages the tree that it stands in.  vcpkg install dytq --overlay-ports=<dytq>/packaging/vcpkg
set(VCPKG_BUILD_TYPE release)  # headers only: nothing differs in debug
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DDYTQ_BUILD_TESTS=OFF -DDYTQ_BUILD_EXAMPLES=OFF -DDYTQ_BUILD_BENCH=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/dytq)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
