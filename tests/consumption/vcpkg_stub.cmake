# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPORT_DIR=... -DWORK=... -DCXX=... -DVERSION=... -P vcpkg_stub.cmake
#
# Runs a port as vcpkg does, where vcpkg is not installed: the functions below stand in for vcpkg's own, and do what its
# documentation says that they do. The port is really configured and installed, into WORK/packages.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET PORT_DIR FILENAME PORT)
set(CURRENT_PACKAGES_DIR ${WORK}/packages)
set(CURRENT_BUILDTREES_DIR ${WORK}/buildtrees)

# The fields that vcpkg asks of a manifest, and ours.
file(READ ${PORT_DIR}/vcpkg.json manifest)
foreach(expected IN ITEMS "name=${PORT}" "version=${VERSION}" "license=Apache-2.0 WITH LLVM-exception")
  string(REGEX MATCH "^([^=]+)=(.*)$" _ "${expected}")
  set(wanted "${CMAKE_MATCH_2}")
  string(JSON value GET "${manifest}" ${CMAKE_MATCH_1})
  if(NOT value STREQUAL wanted)
    message(FATAL_ERROR "vcpkg.json: ${CMAKE_MATCH_1} is ${value}, not ${wanted}")
  endif()
endforeach()
string(JSON description GET "${manifest}" description)
set(helpers)
string(JSON count LENGTH "${manifest}" dependencies)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON helper GET "${manifest}" dependencies ${i} name)
  string(JSON host GET "${manifest}" dependencies ${i} host)
  if(host)
    list(APPEND helpers ${helper})
  endif()
endforeach()

# needs(<function> <port that has it>)
function(needs function helper)
  if(NOT helper IN_LIST helpers)
    message(FATAL_ERROR "vcpkg.json does not depend on ${helper}, which has ${function}")
  endif()
endfunction()

function(vcpkg_cmake_configure)
  needs(vcpkg_cmake_configure vcpkg-cmake)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${CURRENT_BUILDTREES_DIR} ${arg_OPTIONS}
    -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_CXX_COMPILER=${CXX} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
  needs(vcpkg_cmake_install vcpkg-cmake)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${CURRENT_BUILDTREES_DIR} --target install COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Moves the package files to share/<port>, and makes them find the prefix from there.
function(vcpkg_cmake_config_fixup)
  needs(vcpkg_cmake_config_fixup vcpkg-cmake-config)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*)
  file(COPY ${files} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT})
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/share/cmake)
  foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    set(file ${CURRENT_PACKAGES_DIR}/share/${PORT}/${name})
    file(READ ${file} text)
    set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
    string(REPLACE "${up}" "" text "${text}")
    set(start "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\" PATH)\n")
    string(REPLACE "${start}" "${start}${up}${up}" text "${text}")
    file(WRITE ${file} "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(READ ${arg_FILE_LIST} text)
  file(WRITE ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright "${text}")
endfunction()

include(${PORT_DIR}/portfile.cmake)

# What vcpkg checks after a build.
foreach(file IN ITEMS share/${PORT}/copyright share/${PORT}/usage share/${PORT}/${PORT}Config.cmake include/${PORT}/version.hpp)
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/${file})
    message(FATAL_ERROR "the package has no ${file}")
  endif()
endforeach()
foreach(folder IN ITEMS debug bin lib share/cmake)
  if(EXISTS ${CURRENT_PACKAGES_DIR}/${folder})
    message(FATAL_ERROR "the package has a ${folder}")
  endif()
endforeach()
