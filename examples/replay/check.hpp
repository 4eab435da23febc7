// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing answers with expected ones.
#ifndef DYTQ_EXAMPLES_REPLAY_CHECK_HPP
#define DYTQ_EXAMPLES_REPLAY_CHECK_HPP

#include <cstddef>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "json_in.hpp"

namespace replay {

/// Is an expected value met? An object with `reject`: by any refusal (an object with `reject`, null, false or nothing).
/// Another object: by an object that meets each of its members, whatever else it has. All else: by the same value.
bool meets(const value& expected, const value& got);

/// Is an expected line met by an answer? A `reject` is met by any `reject`, an `out` by an `out`.
bool line_met(const value& expected, const value& answer);

struct check_summary {
  struct tally {
    std::size_t lines = 0;
    std::size_t met = 0;
  };
  static constexpr std::size_t reported = 10;

  std::map<std::string, tally> operations;
  std::size_t differences = 0;
  std::vector<std::string> first;  ///< what the first of them are

  void print(std::ostream& out) const;
};

/// Compares line by line with `expected`. `input` holds lines to answer, or answers; none: those of `expected` are
/// answered.
check_summary check(std::istream& expected, std::istream* input);

}  // namespace replay

#endif
