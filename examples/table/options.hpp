// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line, read and checked; and how to write the same again.
#ifndef DYTQ_TABLE_OPTIONS_HPP
#define DYTQ_TABLE_OPTIONS_HPP

#include <string>
#include <variant>

#include "table.hpp"

namespace table_tool {

enum class format { c, json, python, bin };
enum class order { code, byte };

struct options {
  request table;
  format as = format::c;
  order of_entries = order::code;
  std::string name;     // of the array
  std::string svg;      // a file, or empty
  std::string command;  // that makes the same table again, without the picture
  std::string in_scale_text, out_scale_text;
  bool list = false;
  bool help = false;
};

extern const char* const usage;

/// The options, or what is wrong with them.
std::variant<options, std::string> read_options(int argc, const char* const* argv);

}  // namespace table_tool

#endif
