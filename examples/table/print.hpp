// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table as text or bytes, with a comment that says what it is, how far off, and how to make it again.
#ifndef DYTQ_TABLE_PRINT_HPP
#define DYTQ_TABLE_PRINT_HPP

#include <string>
#include <vector>

#include "options.hpp"

namespace table_tool {

/// What the table is, line by line.
std::vector<std::string> comment(const options& asked, const made_table& made);

/// The file.
std::string print(const options& asked, const made_table& made);

/// An error in output codes, as a decimal that is not below it.
std::string error_text(std::int64_t error);

}  // namespace table_tool

#endif
