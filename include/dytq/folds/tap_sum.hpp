// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the weights of one tap of an output channel add to the sums of a fold, whatever their lines are.
#ifndef DYTQ_FOLDS_TAP_SUM_HPP
#define DYTQ_FOLDS_TAP_SUM_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../operators/geometry.hpp"
#include "../result.hpp"
#include "../view.hpp"
#include "channel_line.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// Summed over the input channels of an output channel.
struct tap_sum {
  std::int64_t value = 0;      // w * (first_value - input_zp) - n * first_delta
  std::int64_t folded = 0;     // n
  std::int64_t magnitude = 0;  // |n|

  constexpr void add(const tap_sum& other) {
    value += other.value;
    folded += other.folded;
    magnitude += other.magnitude;
  }
};

// Adds a tap's part. Refused, with `sum` in an undefined state, if some n is not an integer or not in its range. A
// template, so that only those who fold compile it.
template <class Sum = tap_sum>
constexpr rejection add_tap(const convolution& conv, const channel_lines& lines, std::int64_t output,
                            const tap_walk& tap, Sum& sum) {
  const std::int64_t inputs = conv.group_inputs();
  const std::int64_t first = output / (conv.output_channels() / conv.groups) * inputs;
  const std::int64_t w_zp = weight_zero_point(conv, output);
  const code_range allowed{conv.weight_range.lo - w_zp, conv.weight_range.hi - w_zp};
  const std::int8_t* const weight = conv.weight.data + conv.weight.offset({output, tap.d, tap.y, tap.x, 0});
  for (std::int64_t i = 0; i < inputs; ++i) {
    const channel_line line = lines[first + i];
    const std::int64_t w = weight[i * conv.weight.strides[4]] - w_zp;
    const std::int64_t product = w * line.numerator;
    const bool whole = w == 0 || line.denominator == 1 || (line.denominator != 0 && product % line.denominator == 0);
    const std::int64_t n = w == 0 || line.denominator == 1 ? product : whole ? product / line.denominator : 0;
    if (!whole || !allowed.contains(n)) {
      return {.why = whole ? reason::weight_overflow : reason::not_affine,
              .at = place::weight,
              .channel = first + i,
              .output_channel = output,
              .tap = tap.index(),
              .expected = whole ? allowed.clamp(n) + w_zp : line.denominator,
              .got = whole ? n + w_zp : product};
    }
    sum.add({w * (line.first_value - conv.input_zp) - n * line.first_delta, n, n < 0 ? -n : n});
  }
  return {};
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
