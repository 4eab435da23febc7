// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one channel of a site does to the codes, reduced to a line: the form in which a fold carries it into weights.
#ifndef DYTQ_FOLDS_CHANNEL_LINE_HPP
#define DYTQ_FOLDS_CHANNEL_LINE_HPP

#include <cstdint>

#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "line.hpp"

namespace dytq {
inline namespace v0 {

/// y_c(x) = first_value + numerator / denominator * (D(x) - first_delta), where D(x) is the code that the folded
/// convolution reads less that of a reference: x - x0 in the plain fold, x0 the smallest code of X. A denominator of 0
/// means that the channel is on no such line.
struct channel_line {
  std::int16_t numerator = 0;    ///< of the slope
  std::int16_t denominator = 1;  ///< of the slope, in lowest terms
  std::int16_t first_value = 0;  ///< y_c at the reference
  std::int16_t first_delta = 0;  ///< 0 unless channels read different codes, as where gamma stays

  /// Is the channel on a line?
  constexpr bool exists() const { return denominator != 0; }
  friend constexpr bool operator==(const channel_line&, const channel_line&) = default;
};

/// Lines of C channels in a workspace of 4 * C numbers: all numerators, then all denominators, first values, and first
/// deltas. So loops over weights find each side by side.
///
/// A template, so that only those who fold compile it; `channel_lines` is the one to use.
template <class T>
struct basic_channel_lines {
  view<T> numbers;  ///< [4 * C]

  /// Numbers that C lines take; -1 if they are too many to count.
  static constexpr std::int64_t numbers_of(std::int64_t channels) {
    return channels > (std::int64_t{1} << 60) ? -1 : 4 * channels;
  }
  /// From one number of a line to its next, in elements.
  constexpr std::int64_t part() const { return numbers.extents[0] / 4 * numbers.strides[0]; }
  /// The line of a channel, unchecked.
  constexpr channel_line operator[](std::int64_t channel) const {
    const T* const first = numbers.data + channel * numbers.strides[0];
    return {first[0], first[part()], first[2 * part()], first[3 * part()]};
  }
  /// Changes the line of a channel, unchecked.
  constexpr void set(std::int64_t channel, const channel_line& line) const {
    T* const first = numbers.data + channel * numbers.strides[0];
    first[0] = line.numerator;
    first[part()] = line.denominator;
    first[2 * part()] = line.first_value;
    first[3 * part()] = line.first_delta;
  }
};
/// Lines in a workspace.
using channel_lines = basic_channel_lines<std::int16_t>;

/// The first code at which a channel leaves the line through its ends.
struct line_exit {
  channel_line line;  ///< of the channel; where it exists, it goes through every code
  int index = -1;     ///< of the code in X; -1: it never does
};

/// The line of channel `k` over X: through its ends, if every code is on it. The middle is asked first, since a map
/// that is not affine seldom hides it there; then the ends, which prove nearly every line whose slope is an integer.
template <class Maps = site_maps>
constexpr line_exit fit_channel(const Maps& maps, const typename Maps::channel_constants& k) {
  const int n = maps.count();
  const int x0 = maps.code(0);
  const int span = maps.code(n - 1) - x0;
  const int climb = k.last - k.first;
  const auto leaves = [&](int i) { return (maps.map(k, i) - k.first) * span != climb * (maps.code(i) - x0); };
  const auto first_value = static_cast<std::int16_t>(k.first);
  if (n > 2 && leaves(n / 2)) {
    return {.line = {0, 0, first_value}, .index = n / 2};
  }
  const affine_fit line = n == 1 ? affine_fit{} : line_through(x0, k.first, maps.code(n - 1), k.last);
  const bool proven = line.denominator == 1 && maps.is_line(k);
  for (int i = 0; i < n && !proven; ++i) {
    if (leaves(i)) {
      return {.line = {0, 0, first_value}, .index = i};
    }
  }
  return {
      .line = {static_cast<std::int16_t>(line.numerator), static_cast<std::int16_t>(line.denominator), first_value}};
}

}  // namespace v0
}  // namespace dytq

#endif
