// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loops of a fold into a convolution: up to 256 input channels of one tap at a time.
//
// Whole runs of contiguous weights with small integer slopes, which is what real folds are made of, go through loops of
// a fixed length over local arrays: those vectorize at -O2, since nothing can alias and nothing is left over. The rest
// goes through one loop that handles everything.
#ifndef DYTQ_CHANNEL_BLOCK_HPP
#define DYTQ_CHANNEL_BLOCK_HPP

#include <cstddef>
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

// The lines of up to Capacity channels, at most 256, in separate arrays, and what they make of the weights of one tap.
template <std::size_t Capacity>
class channel_block {
  // Before their use, since clang instantiates no constexpr function that it meets later.
  static constexpr std::int64_t short_run = 32;

  constexpr void add_run(std::int64_t begin, const std::int8_t* weight, std::int64_t stride, std::int32_t weight_zp,
                         tap_sum& sum, code_range& met) const {
    std::int16_t w[short_run];
    const std::int16_t* const numerator = numerator_ + begin;
    const std::int16_t* const value = value_ + begin;
    center(weight, stride, weight_zp, w);
    std::int16_t lowest = static_cast<std::int16_t>(int16_range.hi);
    std::int16_t highest = static_cast<std::int16_t>(int16_range.lo);
    for (std::size_t i = 0; i < short_run; ++i) {
      const auto n = static_cast<std::int16_t>(w[i] * numerator[i]);
      lowest = n < lowest ? n : lowest;
      highest = n > highest ? n : highest;
    }
    met = {lowest < met.lo ? lowest : met.lo, highest > met.hi ? highest : met.hi};
    add_products(w, numerator, value, sum);
  }

  static constexpr void center(const std::int8_t* weight, std::int64_t stride, std::int32_t weight_zp,
                               std::int16_t (&w)[short_run]) {
    const auto zp = static_cast<std::int16_t>(weight_zp);
    if (stride == 1) {
      for (std::size_t i = 0; i < short_run; ++i) {
        w[i] = static_cast<std::int16_t>(weight[i] - zp);
      }
      return;
    }
    for (std::size_t i = 0; i < short_run; ++i) {
      w[i] = static_cast<std::int16_t>(weight[static_cast<std::ptrdiff_t>(i) * stride] - zp);
    }
  }
  // |w| <= 255, |value| <= 255 and |numerator| <= 128: 256 products fit int32.
  static constexpr void add_products(const std::int16_t (&w)[short_run], const std::int16_t* numerator,
                                     const std::int16_t* value, tap_sum& sum) {
    std::int32_t values = 0;
    std::int32_t folded = 0;
    for (std::size_t i = 0; i < short_run; ++i) {
      values += w[i] * value[i];
      folded += w[i] * numerator[i];
    }
    sum.value += values;
    sum.folded += folded;
  }

 public:
  static constexpr std::int64_t capacity = static_cast<std::int64_t>(Capacity);

  constexpr channel_block() {}  // the arrays are filled before they are read

  constexpr void load_lines(const view<const channel_line>& lines, std::int64_t begin, std::int64_t count,
                            std::int32_t input_zp) {
    if (begin == begin_ && count == count_) {
      return;
    }
    begin_ = begin;
    count_ = count;
    simple_ = true;
    for (std::int64_t i = 0; i < count; ++i) {
      const channel_line* const line = lines.data + lines.offset({begin + i});
      numerator_[i] = line->numerator;
      denominator_[i] = line->denominator;
      value_[i] = static_cast<std::int16_t>(line->first_value - input_zp);
      delta_[i] = line->first_delta;
      // |w| <= 255 and |numerator| <= 128: the product fits int16
      simple_ = simple_ && line->denominator == 1 && line->first_delta == 0 && line->numerator >= -128 &&
                line->numerator <= 128;
    }
  }

  constexpr std::int64_t count() const { return count_; }

  /// Adds the block's part to `sum`, and its sum of |n| to `magnitudes` if that is not null. False, with `sum` in an
  /// undefined state, if some n is not an integer or not in `allowed` (centered).
  constexpr bool add_to(tap_sum& sum, std::int64_t* magnitudes, const std::int8_t* weight, std::int64_t stride,
                        std::int32_t weight_zp, const code_range& allowed) const {
    std::int64_t done = 0;
    if (simple_ && magnitudes == nullptr) {
      code_range met{int16_range.hi, int16_range.lo};
      for (; done + short_run <= count_; done += short_run) {
        add_run(done, weight + done * stride, stride, weight_zp, sum, met);
      }
      if (done > 0 && !allowed.contains(met)) {
        return false;
      }
    }
    for (std::int64_t i = done; i < count_; ++i) {
      const std::int64_t w = weight[i * stride] - weight_zp;
      const std::int64_t product = w * numerator_[i];
      if (w != 0 && (denominator_[i] == 0 || (denominator_[i] != 1 && product % denominator_[i] != 0))) {
        return false;
      }
      const std::int64_t n = w == 0 || denominator_[i] == 1 ? product : product / denominator_[i];
      if (!allowed.contains(n)) {
        return false;
      }
      sum.value += w * value_[i] - n * delta_[i];
      sum.folded += n;
      if (magnitudes != nullptr) {
        *magnitudes += n < 0 ? -n : n;
      }
    }
    return true;
  }

  /// Why `add_to` said no, and for which channel.
  constexpr rejection objection(const std::int8_t* weight, std::int64_t stride, std::int32_t weight_zp,
                                const code_range& allowed) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      const std::int64_t w = weight[i * stride] - weight_zp;
      const std::int64_t product = w * numerator_[i];
      if (w != 0 && (denominator_[i] == 0 || product % denominator_[i] != 0)) {
        return {.why = reason::not_affine,
                .at = step::weight,
                .channel = begin_ + i,
                .expected = denominator_[i],
                .got = product};
      }
      const std::int64_t n = w == 0 ? 0 : product / denominator_[i];
      if (!allowed.contains(n)) {
        return {.why = reason::weight_overflow,
                .at = step::weight,
                .channel = begin_ + i,
                .expected = allowed.clamp(n) + weight_zp,
                .got = n + weight_zp};
      }
    }
    return {};
  }

 private:
  std::int64_t begin_ = -1;
  std::int64_t count_ = 0;
  bool simple_ = true;
  std::int16_t numerator_[Capacity];
  std::int16_t denominator_[Capacity];
  std::int16_t value_[Capacity];
  std::int16_t delta_[Capacity];
};

}  // namespace detail

}  // namespace dytq::inline v0

#endif
