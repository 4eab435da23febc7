// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loops of a fold into a convolution: up to 256 input channels of one tap at a time.
#ifndef DYTQ_CHANNEL_BLOCK_HPP
#define DYTQ_CHANNEL_BLOCK_HPP

#include <cstdint>

#include "channel_line.hpp"
#include "codes.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

namespace detail {

// Contribution of one tap, summed over the input channels of an output channel.
struct tap_sum {
  std::int64_t value = 0;   // w * (first_value - input_zp) - n * first_delta
  std::int64_t folded = 0;  // n

  constexpr void add(const tap_sum& other) {
    value += other.value;
    folded += other.folded;
  }
};

// The lines of up to 256 channels, and the weights of one tap for them, in separate arrays: passes over those
// vectorize.
class channel_block {
 public:
  static constexpr std::int64_t capacity = 256;

  constexpr channel_block() {}  // the arrays are filled before they are read

  constexpr void load_lines(const view<const channel_line>& lines, std::int64_t begin, std::int64_t count,
                            std::int32_t input_zp) {
    if (begin == begin_ && count == count_) {
      return;
    }
    begin_ = begin;
    count_ = count;
    integral_ = true;
    shifted_ = false;
    const channel_line* line = lines.data + lines.offset({begin});
    for (std::int64_t i = 0; i < count; ++i, line += lines.strides[0]) {
      numerator_[i] = line->numerator;
      denominator_[i] = line->denominator;
      value_[i] = static_cast<std::int16_t>(line->first_value - input_zp);
      delta_[i] = line->first_delta;
      integral_ = integral_ && line->denominator == 1;
      shifted_ = shifted_ || line->first_delta != 0;
    }
  }
  /// Centers the weights and computes n; false if some n is not an integer, or not in `allowed` (centered range).
  constexpr bool fold(const std::int8_t* weight, std::int64_t stride, std::int32_t weight_zp,
                      const code_range& allowed) {
    for (std::int64_t i = 0; i < count_; ++i) {
      weight_[i] = static_cast<std::int16_t>(weight[i * stride] - weight_zp);
    }
    for (std::int64_t i = 0; i < count_; ++i) {
      folded_[i] = weight_[i] * numerator_[i];
    }
    bool exact = true;
    if (!integral_) {
      for (std::int64_t i = 0; i < count_; ++i) {
        const std::int32_t d = denominator_[i];
        exact = exact && (weight_[i] == 0 || (d != 0 && folded_[i] % d == 0));
        folded_[i] = weight_[i] == 0 || d == 0 ? 0 : folded_[i] / d;
      }
    }
    const auto lo = static_cast<std::int32_t>(allowed.lo);
    const auto hi = static_cast<std::int32_t>(allowed.hi);
    std::int32_t outside = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      outside |= static_cast<std::int32_t>(folded_[i] < lo) | static_cast<std::int32_t>(folded_[i] > hi);
    }
    return exact && outside == 0;
  }
  /// Adds up what `fold` accepted: |n| <= 255, so 256 products fit int32.
  constexpr void add_to(tap_sum& sum, std::int64_t& magnitude_sum) const {
    std::int32_t value = 0;
    std::int32_t folded = 0;
    std::int32_t absolute = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      value += weight_[i] * value_[i];
      folded += folded_[i];
      absolute += folded_[i] < 0 ? -folded_[i] : folded_[i];
    }
    for (std::int64_t i = 0; shifted_ && i < count_; ++i) {
      value -= folded_[i] * delta_[i];
    }
    sum.value += value;
    sum.folded += folded;
    magnitude_sum += absolute;
  }
  /// Writes n + weight_zp and returns how many weights that changes. `out` may be `weight`.
  constexpr std::int64_t store(const std::int8_t* weight, std::int64_t stride, std::int8_t* out,
                               std::int64_t out_stride, std::int32_t weight_zp) const {
    std::int32_t changed = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      changed += static_cast<std::int32_t>(weight[i * stride] != folded_[i] + weight_zp);
      out[i * out_stride] = static_cast<std::int8_t>(folded_[i] + weight_zp);
    }
    return changed;
  }
  /// Why `fold` said no, and for which channel of the block.
  constexpr rejection objection(std::int32_t weight_zp, const code_range& allowed) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      const std::int64_t product = std::int64_t{weight_[i]} * numerator_[i];
      if (weight_[i] != 0 && (denominator_[i] == 0 || product % denominator_[i] != 0)) {
        return {.why = reason::not_affine,
                .at = step::weight,
                .channel = begin_ + i,
                .expected = denominator_[i],
                .got = product};
      }
      if (!allowed.contains(folded_[i])) {
        return {.why = reason::weight_overflow,
                .at = step::weight,
                .channel = begin_ + i,
                .expected = (folded_[i] < allowed.lo ? allowed.lo : allowed.hi) + weight_zp,
                .got = std::int64_t{folded_[i]} + weight_zp};
      }
    }
    return {};
  }

 private:
  std::int64_t begin_ = -1;
  std::int64_t count_ = 0;
  bool integral_ = true;
  bool shifted_ = false;
  std::int16_t numerator_[capacity];
  std::int16_t denominator_[capacity];
  std::int16_t value_[capacity];
  std::int16_t delta_[capacity];
  std::int16_t weight_[capacity];
  std::int32_t folded_[capacity];
};

}  // namespace detail

}  // namespace dytq::inline v0

#endif
