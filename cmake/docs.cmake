# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cmake --build <build> --target docs`: the reference, one page for each header, in <build>/docs/html. Warnings are errors.
find_package(Doxygen QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(DOXYGEN_FOUND AND Python3_Interpreter_FOUND)
  set(dytq_docs_dir ${PROJECT_BINARY_DIR}/docs)
  file(MAKE_DIRECTORY ${dytq_docs_dir})
  configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${dytq_docs_dir}/Doxyfile @ONLY)
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dytq_docs_dir}/html
    COMMAND Doxygen::doxygen ${dytq_docs_dir}/Doxyfile
    COMMENT "The reference: ${dytq_docs_dir}/html/index.html"
    VERBATIM)
endif()
