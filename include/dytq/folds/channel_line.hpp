// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The map of a channel as a line: slope and offset, which a fold moves into weights and bias.
#ifndef DYTQ_FOLDS_CHANNEL_LINE_HPP
#define DYTQ_FOLDS_CHANNEL_LINE_HPP

#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// y_c(x) = first_value + numerator / denominator * (D(x) - first_delta), where D(x) is the code that the folded
/// convolution reads less that of a reference: x - x0 in the plain fold, x0 the smallest code of X. A denominator of 0
/// means that the channel is on no such line.
struct channel_line {
  std::int16_t numerator = 0;    // of the slope
  std::int16_t denominator = 1;  // of the slope, in lowest terms
  std::int16_t first_value = 0;  // y_c at the reference
  std::int16_t first_delta = 0;  // 0 unless channels read different codes, as where gamma stays

  constexpr bool exists() const { return denominator != 0; }
  friend constexpr bool operator==(const channel_line&, const channel_line&) = default;
};

/// Lines of C channels in a workspace of 4 * C numbers: all numerators, then all denominators, first values, and first
/// deltas.
class channel_lines {
 public:
  constexpr channel_lines() = default;
  constexpr channel_lines(const view<std::int16_t>& numbers)
      : first_(numbers.data),
        step_(static_cast<std::ptrdiff_t>(numbers.strides[0])),
        part_(static_cast<std::ptrdiff_t>(numbers.extents[0] / 4 * numbers.strides[0])) {}

  /// Numbers that C lines take; -1 if they are too many to count.
  static constexpr std::int64_t numbers_of(std::int64_t channels) {
    return channels > (std::int64_t{1} << 60) ? -1 : 4 * channels;
  }
  constexpr channel_line operator[](std::int64_t channel) const {
    const std::int16_t* const at = first_ + static_cast<std::ptrdiff_t>(channel) * step_;
    return {at[0], at[part_], at[2 * part_], at[3 * part_]};
  }
  constexpr void set(std::int64_t channel, const channel_line& line) const {
    std::int16_t* const at = first_ + static_cast<std::ptrdiff_t>(channel) * step_;
    at[0] = line.numerator;
    at[part_] = line.denominator;
    at[2 * part_] = line.first_value;
    at[3 * part_] = line.first_delta;
  }

 private:
  std::int16_t* first_ = nullptr;
  std::ptrdiff_t step_ = 0;
  std::ptrdiff_t part_ = 0;  // from one number of a line to its next, in elements
};

/// The line of a map, or the first point that is not on the line through its ends.
struct fitted_line {
  channel_line line;  // exists if all points are on it
  int exit = -1;      // index of the first code that is not; -1: none
};

/// The line through the ends of a map, if every point is on it. The middle is tested first, where a map that is not
/// affine differs most often; then `is_line()`, which may know that all points are on it.
/// Map: size(), code(i) in increasing order, value(i), is_line().
template <class Map>
constexpr fitted_line line_of(const Map& map) {
  const int n = map.size();
  const int first = map.value(0);
  const int span = map.code(n - 1) - map.code(0);
  const int climb = map.value(n - 1) - first;
  const auto leaves = [&](int i) { return (map.value(i) - first) * span != climb * (map.code(i) - map.code(0)); };
  fitted_line fit{.line = {}, .exit = n > 2 && leaves(n / 2) ? n / 2 : -1};
  if (n > 2 && fit.exit < 0 && !(climb % span == 0 && map.is_line())) {
    for (int i = 1; i < n - 1 && fit.exit < 0; ++i) {
      fit.exit = leaves(i) ? i : -1;
    }
  }
  fit.line.first_value = static_cast<std::int16_t>(first);
  fit.line.denominator = fit.exit < 0 ? std::int16_t{1} : std::int16_t{0};
  if (n > 1 && fit.exit < 0) {
    const affine_fit ends = line_through(0, 0, span, climb);
    fit.line.numerator = static_cast<std::int16_t>(ends.numerator);
    fit.line.denominator = static_cast<std::int16_t>(ends.denominator);
  }
  return fit;
}

/// A line that a clamp cuts off at one or both ends.
struct clamped_line {
  affine_fit line = {};  ///< through the codes that are not clamped
  int edge = -1;         ///< index of the clamped code next to these; -1: the map is no such line
  int end = -1;          ///< index of the first or last code, on the same side
};

/// The clamped line that a map is, if it is one. At a clamped end two or more codes have the same value.
template <class Map>
constexpr clamped_line clamped_line_of(const Map& map) {
  const int n = map.size();
  int first = 0;  // of the codes that nothing clamps
  int last = n - 1;
  while (first < n - 1 && map.value(first + 1) == map.value(0)) {
    ++first;
  }
  while (last > 0 && map.value(last - 1) == map.value(n - 1)) {
    --last;
  }
  first += first > 0 ? 1 : 0;
  last -= last < n - 1 ? 1 : 0;
  if (first >= last) {
    return {};
  }
  const affine_fit line = line_through(map.code(first), map.value(first), map.code(last), map.value(last));
  clamped_line found{.line = line};
  for (int i = 0; i < n; ++i) {
    // Line less map. Beyond the clamp the line must go on in the direction of its slope.
    const std::int64_t above =
        (line.first_value - map.value(i)) * line.denominator + line.numerator * (map.code(i) - line.first_code);
    const std::int64_t beyond = i < first ? -above : i > last ? above : above == 0 ? 0 : -1;
    if (line.numerator == 0 || (i >= first && i <= last ? above != 0 : beyond * line.numerator < 0)) {
      return {};
    }
    if (above != 0 && (i < first || found.edge < 0)) {
      found.edge = i;
      found.end = i < first ? 0 : n - 1;
    }
  }
  return found;
}

/// A channel's whole map. Maps: as `site_maps`.
template <class Maps>
struct whole_map {
  const Maps& maps;
  const typename Maps::channel_constants& k;

  constexpr int size() const { return maps.count(); }
  constexpr int code(int i) const { return maps.code(i); }
  constexpr int value(int i) const { return i == 0 ? k.first : i == maps.count() - 1 ? k.last : maps.map(k, i); }
  constexpr bool is_line() const { return maps.is_line(k); }
};

/// The line of a channel.
template <class Maps>
constexpr fitted_line fit_channel(const Maps& maps, const typename Maps::channel_constants& k) {
  return line_of(whole_map<Maps>{maps, k});
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
