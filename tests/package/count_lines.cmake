# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fails if FILE has more than MOST lines that are neither blank nor a comment alone.
file(STRINGS ${FILE} lines REGEX "^ *[^ /]")
list(LENGTH lines count)
if(count GREATER MOST)
  message(FATAL_ERROR "${FILE}: ${count} lines, ${MOST} are promised")
endif()
message(STATUS "${count} lines")
