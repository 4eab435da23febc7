# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DHOW=... -DSOURCE=... -DBUILD=... -DWORK=... -DCXX=... -DPYTHON=... -DVERSION=... -P consume.cmake
#
# Configures, builds and runs the consumer in a new folder WORK, with dytq taken from the tree SOURCE, or as installed from BUILD.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(consumer ${SOURCE}/tests/package/consumption/consumer)

if(HOW STREQUAL "find_package" OR HOW STREQUAL "pkg_config")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
  # The package is where it was moved to: no path of the build is in it.
  file(RENAME ${WORK}/installed ${WORK}/prefix)
endif()

if(HOW STREQUAL "single_header")
  file(MAKE_DIRECTORY ${WORK}/dytq)
  # The consumer's include line finds the one file, and there is no other.
  execute_process(COMMAND ${PYTHON} ${SOURCE}/cmake/amalgamate.py OUTPUT_FILE ${WORK}/dytq/scale.hpp
    COMMAND_ERROR_IS_FATAL ANY)
  run(${CXX} -std=c++20 -Wall -Wextra -Werror -I${WORK} ${consumer}/main.cpp -o ${WORK}/consumer)
  run(${WORK}/consumer)
  # It may meet the separate headers.
  file(WRITE ${WORK}/both.cpp "#include \"${WORK}/dytq/scale.hpp\"\n#include \"${SOURCE}/include/dytq/codes.hpp\"\n")
  run(${CXX} -std=c++20 -fsyntax-only ${WORK}/both.cpp)
elseif(HOW STREQUAL "stranger")
  # What README.md tells a stranger to do, word for word, in an empty folder with an empty home.
  run(${PYTHON} ${SOURCE}/tests/package/consumption/stranger.py ${SOURCE} ${WORK} ${CXX})
elseif(HOW STREQUAL "conan")
  set(ENV{CONAN_HOME} ${WORK}/home)
  run(conan profile detect)
  run(conan create ${SOURCE}/packaging/conan --build=missing)
elseif(HOW STREQUAL "pkg_config")
  find_program(pkg_config pkg-config REQUIRED)
  set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/share/pkgconfig)
  run(${pkg_config} --exact-version=${VERSION} dytq)
  execute_process(COMMAND ${pkg_config} --cflags dytq OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags)
  run(${CXX} -std=c++20 ${flags} ${consumer}/main.cpp -o ${WORK}/consumer)
  run(${WORK}/consumer)
else()
  set(prefix ${WORK}/prefix)
  if(HOW STREQUAL "vcpkg")
    run(vcpkg install dytq --overlay-ports=${SOURCE}/packaging/vcpkg --x-install-root=${WORK}/packages --triplet=x64-linux)
    set(prefix ${WORK}/packages/x64-linux)
    set(HOW find_package)
  endif()
  run(${CMAKE_COMMAND} -S ${consumer} -B ${WORK}/build -DHOW=${HOW} -DDYTQ_SOURCE=${SOURCE} -DDYTQ_VERSION=${VERSION}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX})
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/consumer)
endif()
