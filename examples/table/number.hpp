// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number as a person writes it, as the double nearest to it: whatever the locale, and rounded once.
#ifndef DYTQ_TABLE_NUMBER_HPP
#define DYTQ_TABLE_NUMBER_HPP

#include <optional>
#include <string>
#include <string_view>

namespace table_tool {

/// A decimal (0.05, 1e-3), a hexadecimal float (0x1.8p-4), or a fraction of two of these (1/127), with or without a
/// sign, as the double nearest to it, ties to even. Nothing where the text is something else, where the double would be
/// infinite, and where its exponent or its length has no use.
std::optional<double> parse_number(std::string_view text);

/// The double as a hexadecimal float: parse_number gives it back.
std::string hexadecimal(double v);

}  // namespace table_tool

#endif
