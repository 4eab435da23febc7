// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding weights that are contiguous in memory, many at a time. No other way through the weights lives here.
//
// A folded code is made modulo 2^8, by one multiplication: (w * factor >> 8) + zero point, where factor is
// numerator / denominator * 2^8 modulo 2^16. It is right exactly if (code - zero point) * denominator == w * numerator,
// which is checked. So integers, fractions and channels that are on no line take the same loop. Loops have a fixed
// length and write to local arrays: that is what compilers vectorize at -O2.
#ifndef DYTQ_FOLDS_WEIGHT_ROWS_HPP
#define DYTQ_FOLDS_WEIGHT_ROWS_HPP

#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "channel_line.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Weights per loop: a count of them fits a byte.
inline constexpr std::size_t weight_block = 128;
/// Weights of a row for which lines are loaded at once; longer rows are split. With 896 a fold takes 32 KiB of stack.
inline constexpr std::size_t row_limit = 896;

/// numerator / denominator * 2^8 modulo 2^16: w times this has w * numerator / denominator in its upper byte, if that
/// is an integer of 8 bits. The odd part of the denominator is divided by multiplying with its inverse modulo 2^16.
constexpr std::uint16_t byte_factor(const channel_line& line) {
  if (line.denominator == 1 || line.denominator == 0) {
    return static_cast<std::uint16_t>(line.denominator * line.numerator * 256);
  }
  const std::uint64_t divisor = greatest_common_divisor(magnitude(line.numerator), magnitude(line.denominator));
  const auto rest = static_cast<std::uint32_t>(magnitude(line.denominator) / divisor);
  const std::uint32_t twos = rest & (0 - rest);
  const std::uint32_t odd = rest / twos;
  std::uint32_t factor = odd;  // Newton: 1 / odd modulo 2^3, 2^6, 2^12, 2^24
  for (int i = 0; i < 3; ++i) {
    factor *= 2 - odd * factor;
  }
  factor *= static_cast<std::uint32_t>(magnitude(line.numerator) / divisor);
  const bool negative = (line.numerator < 0) != (line.denominator < 0);
  return static_cast<std::uint16_t>(twos > 256 ? 0 : (negative ? 0 - factor : factor) * (256 / twos));
}

/// For each weight of a row its channel's line and its zero point, as arrays that a loop reads in order.
///
/// The weight w = code - zero point becomes n = w * numerator / denominator, and adds w * value - n * delta to the
/// bias.
class row_of_lines {
 public:
  constexpr row_of_lines() {}  // the arrays are filled before they are read

  /// Clears the row, for a fold with the offset r.
  constexpr void begin(std::int32_t input_zp, std::int64_t r) {
    input_zp_ = input_zp;
    r_ = static_cast<std::int32_t>(r);
    integers_ = true;
    numbers_ = offsets_ = 0;
  }
  /// Sets the line of the weight at `at`; `counts`: also what it adds to the bias. Inlined, since for depthwise weights
  /// the call would cost more than the work.
  [[gnu::always_inline]] constexpr void set(std::size_t at, const channel_line& line, bool counts) {
    const std::int32_t value = line.first_value - input_zp_;
    const std::int32_t delta = line.first_delta + r_;
    std::int32_t offset = value - delta * line.numerator;
    numerator_[at] = line.numerator;
    denominator_[at] = line.denominator;
    factor_[at] = static_cast<std::uint16_t>(line.numerator * 256);
    value_[at] = static_cast<std::int16_t>(counts ? value : 0);
    delta_[at] = static_cast<std::int16_t>(counts ? delta : 0);
    if (line.denominator != 1) {
      offset = set_fraction(at, line, value, delta);
    }
    numbers_ |= static_cast<std::uint32_t>(line.numerator ^ (line.numerator >> 15));
    offsets_ |= static_cast<std::uint32_t>(offset < 0 ? -offset : offset);
  }
  /// The weight at `at` stays as it is.
  constexpr void keep(std::size_t at) {
    numerator_[at] = denominator_[at] = 1;
    factor_[at] = 256;
    value_[at] = delta_[at] = 0;
  }
  /// Each weight has a zero point of its own.
  constexpr void set_zero_point(std::size_t at, std::int32_t zp) {
    zero_point_[at] = static_cast<std::int16_t>(zp);
    shared_zero_point_ = false;
  }
  /// One zero point for all weights.
  constexpr void set_zero_points(std::int32_t zp) {
    for (std::size_t i = 0; i < weight_block; ++i) {
      zero_point_[i] = static_cast<std::int16_t>(zp);
    }
    shared_zero_point_ = true;
  }

  /// No weight of 1 adds more to the bias, in magnitude; 0 if none adds anything.
  constexpr std::int64_t largest_offset() const { return offsets_; }

  /// Is each folded weight of a block an integer, and its code in the range?
  constexpr bool holds(const std::int8_t* in, std::size_t at, const code_range& range) const {
    const bool few_numbers = numbers_ < 128;  // numerators and denominators: then products fit int16
    return integers_ && few_numbers ? integers_hold(in, at, range)
           : few_numbers            ? fractions_hold<std::int16_t>(in, at, range)
                                    : fractions_hold<std::int32_t>(in, at, range);
  }

  /// Makes the folded codes of a block. -> how many differ
  constexpr std::int64_t fold(const std::int8_t* in, std::size_t at, std::int8_t* made) const {
    const std::size_t first = at / weight_block * weight_block;  // compilers see the alignment
    const std::int16_t* const zp = zero_points(first);
    for (std::size_t i = 0; i < weight_block; ++i) {
      made[i] = fold_one(in[i], zp[i], first + i);
    }
    std::uint8_t equal = 0;
    for (std::size_t i = 0; i < weight_block; ++i) {
      equal = static_cast<std::uint8_t>(equal + (made[i] == in[i] ? 1 : 0));
    }
    return static_cast<std::int64_t>(weight_block) - equal;
  }
  /// What a block adds to the bias of its one output channel, modulo 2^32.
  constexpr std::uint32_t sum(const std::int8_t* in, const std::int8_t* made, std::size_t at) const {
    const std::size_t first = at / weight_block * weight_block;
    const std::int16_t* const zp = zero_points(first);
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < weight_block; ++i) {
      sum += static_cast<std::int16_t>(in[i] - zp[i]) * value_[first + i];
    }
    std::int32_t folded = 0;
    for (std::size_t i = 0; i < weight_block; ++i) {
      folded += static_cast<std::int16_t>(made[i] - zp[i]) * delta_[first + i];
    }
    return static_cast<std::uint32_t>(sum) - static_cast<std::uint32_t>(folded);
  }
  /// The same where each weight has an output channel of its own.
  constexpr void add_each(const std::int8_t* in, const std::int8_t* made, std::size_t at, std::uint32_t* sums) const {
    const std::size_t first = at / weight_block * weight_block;
    const std::int16_t* const zp = zero_points(first);
    for (std::size_t i = 0; i < weight_block; ++i) {
      const std::int32_t more = static_cast<std::int16_t>(in[i] - zp[i]) * value_[first + i] -
                                static_cast<std::int16_t>(made[i] - zp[i]) * delta_[first + i];
      sums[first + i] += static_cast<std::uint32_t>(more);
    }
  }

 private:
  /// -> what a weight of 1 adds to the bias, rounded away from 0.
  constexpr std::int32_t set_fraction(std::size_t at, const channel_line& line, std::int32_t value,
                                      std::int32_t delta) {
    integers_ = false;
    factor_[at] = byte_factor(line);
    if (!line.exists()) {  // n * 0 == w * 1: w must be 0
      numerator_[at] = 1;
      value_[at] = delta_[at] = 0;
      return 0;
    }
    numbers_ |= static_cast<std::uint32_t>(line.denominator ^ (line.denominator >> 15));
    const auto size = static_cast<std::int64_t>(
        magnitude(std::int64_t{value} * line.denominator - std::int64_t{delta} * line.numerator));
    return static_cast<std::int32_t>(ceil_div(size, static_cast<std::int64_t>(magnitude(line.denominator))));
  }
  constexpr const std::int16_t* zero_points(std::size_t at) const {
    return zero_point_ + (shared_zero_point_ ? 0 : at);
  }
  constexpr std::int8_t fold_one(std::int8_t code, std::int16_t zp, std::size_t at) const {
    const auto product = static_cast<std::uint16_t>(static_cast<std::uint16_t>(code - zp) * std::uint32_t{factor_[at]});
    return static_cast<std::int8_t>((product >> 8) + zp);
  }
  constexpr bool integers_hold(const std::int8_t* in, std::size_t at, const code_range& range) const {
    const std::size_t first = at / weight_block * weight_block;
    const std::int16_t* const zp = zero_points(first);
    auto least = static_cast<std::int16_t>(int16_range.hi);
    auto most = static_cast<std::int16_t>(int16_range.lo);
    for (std::size_t i = 0; i < weight_block; ++i) {
      const auto w = static_cast<std::int16_t>(in[i] - zp[i]);
      const auto code = static_cast<std::int16_t>(w * numerator_[first + i] + zp[i]);
      least = code < least ? code : least;
      most = code > most ? code : most;
    }
    return range.contains({least, most});
  }
  // Products must fit Int.
  template <class Int>
  constexpr bool fractions_hold(const std::int8_t* in, std::size_t at, const code_range& range) const {
    const std::size_t first = at / weight_block * weight_block;
    const std::int16_t* const zp = zero_points(first);
    const auto lo = static_cast<Int>(range.lo);
    const auto hi = static_cast<Int>(range.hi);
    std::int32_t wrong = 0;    // int32 for both: clang 14 vectorizes no reduction of a narrower type here
    std::int32_t outside = 0;  // negative if some code is outside
    for (std::size_t i = 0; i < weight_block; ++i) {
      const std::int8_t code = fold_one(in[i], zp[i], first + i);
      const auto n = static_cast<Int>(static_cast<Int>(code - zp[i]) * denominator_[first + i]);
      const auto w = static_cast<Int>(static_cast<Int>(in[i] - zp[i]) * numerator_[first + i]);
      wrong |= n ^ w;
      outside |= (code - lo) | (hi - code);
    }
    return wrong == 0 && outside >= 0;
  }

  std::int32_t input_zp_ = 0;
  std::int32_t r_ = 0;
  std::uint32_t numbers_ = 0;  // bits of numerators and denominators
  std::uint32_t offsets_ = 0;  // bits of what weights of 1 add to the bias
  bool integers_ = true;       // all denominators are 1
  bool shared_zero_point_ = true;
  alignas(32) std::int16_t numerator_[row_limit];
  alignas(32) std::int16_t denominator_[row_limit];
  alignas(32) std::uint16_t factor_[row_limit];
  alignas(32) std::int16_t value_[row_limit];
  alignas(32) std::int16_t delta_[row_limit];
  alignas(32) std::int16_t zero_point_[row_limit];
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
