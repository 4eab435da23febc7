// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked of a table, and the table: independent of which function it is of.
#ifndef DYTQ_TABLE_TABLE_HPP
#define DYTQ_TABLE_TABLE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dytq/lut16.hpp>

namespace table_tool {

/// Which of the int16 tables.
enum class layout { tosa, tflite };

struct request {
  std::string function;
  std::optional<double> parameter;
  dytq::qparams in;  // of a uint8 tensor if is_unsigned
  dytq::qparams out;
  dytq::lut_options how;
  int bits = 8;
  bool is_unsigned = false;
  int step = 128;  // of int16 codes from entry to entry
  layout of_int16 = layout::tosa;
  bool error_by_column = false;  // for a picture
};

/// What column i of a picture shows: the largest error over its codes, in 2^-32 output codes; none outside the input's
/// range.
using column_errors = std::vector<std::optional<std::int64_t>>;
inline constexpr int columns = 256;

struct made_table {
  dytq::rejection refused{};
  bool takes_no_parameter = false;
  std::vector<int> entries;  // in the order of the codes
  int shift = 0;             // of an int16 table of TOSA's kind
  dytq::error_enclosure error{};
  column_errors by_column;
};

/// The names of all functions, in the order of their numbers in C.
std::vector<std::string_view> function_names();

/// Nothing if no function has that name.
std::optional<made_table> make(const request& asked);

}  // namespace table_tool

#endif
