// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes a weight its folded one, for many weights side by side: one product and one sum.
//
// Processors multiply words side by side, but no bytes. So integers are multiplied modulo 2^8 with two lanes in a word:
// the lower byte of (word * factors) is that of the lower lane, and the upper lane has a factor of its own. Where
// n = w * numerator / denominator is an integer, the denominator's odd part is divided by multiplying with its inverse
// modulo 2^16, and its powers of two by multiplying with 2^(8 - s) and taking the upper byte. So every line of a kind
// costs the same.
#ifndef DYTQ_FOLDS_WEIGHT_FACTORS_HPP
#define DYTQ_FOLDS_WEIGHT_FACTORS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../numbers/integer.hpp"
#include "channel_line.hpp"
#include "weight_runs.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// numerator / denominator * 2^8 modulo 2^16, where the denominator divides every weight after cancelling.
template <class Int>
constexpr std::uint16_t factor_of(Int numerator, Int denominator) {
  if (denominator == 0) {
    return 0;  // its weights are 0
  }
  const std::uint64_t divisor = greatest_common_divisor(magnitude(numerator), magnitude(denominator));
  const auto rest = static_cast<std::uint32_t>(magnitude(denominator) / divisor);
  const std::uint32_t twos = rest & (0 - rest);
  const std::uint32_t odd = rest / twos;
  std::uint32_t factor = odd;  // 1 / odd modulo 2^3, then 2^6, 2^12, 2^24
  for (int i = 0; i < 3; ++i) {
    factor *= 2 - odd * factor;
  }
  factor *= static_cast<std::uint32_t>(magnitude(numerator) / divisor);
  factor = (numerator < 0) != (denominator < 0) ? 0 - factor : factor;
  return static_cast<std::uint16_t>(twos > 256 ? 0 : factor * (256 / twos));  // |w| < 2^8: beyond, every weight is 0
}
/// What makes (w + zp + 128) * factor + addend the folded code in the upper byte.
constexpr std::uint16_t addend_of(std::int16_t zero_point, std::uint16_t factor) {
  const auto zp = static_cast<std::uint32_t>(std::int32_t{zero_point});
  return static_cast<std::uint16_t>((zp << 8) - (zp + 128) * factor);
}

// Two codes as a word, in the order that the processor has.
constexpr std::uint16_t load_pair(const std::int8_t* codes) {
  std::uint16_t pair = 0;
  if (std::is_constant_evaluated()) {
    pair = static_cast<std::uint16_t>(static_cast<std::uint8_t>(codes[0]) | codes[1] * 256);
  } else {
    __builtin_memcpy(&pair, codes, sizeof pair);
  }
  return pair;
}
constexpr void store_pair(std::uint32_t word, std::int8_t* codes) {
  const auto pair = static_cast<std::uint16_t>(word);
  if (std::is_constant_evaluated()) {
    codes[0] = static_cast<std::int8_t>(pair);
    codes[1] = static_cast<std::int8_t>(pair >> 8);
  } else {
    __builtin_memcpy(codes, &pair, sizeof pair);
  }
}

// How many codes differ.
template <std::size_t N>
constexpr std::int64_t count_changed(const std::int8_t* in, const std::int8_t* made) {
  std::uint8_t equal = 0;
  std::uint8_t also_equal = 0;
  for (std::size_t i = 0; i < steps<N>; ++i) {
    equal = static_cast<std::uint8_t>(equal + (in[i] == made[i] ? 1 : 0));
    if constexpr (steps<N> < N) {
      also_equal = static_cast<std::uint8_t>(also_equal + (in[i + steps<N>] == made[i + steps<N>] ? 1 : 0));
    }
  }
  return static_cast<std::int64_t>(N) - equal - also_equal;
}

/// Factors and addends of lanes, all for integers or all for quotients. A template, so that only those who fold compile
/// it.
template <std::size_t Capacity>
class factor_lanes {
 public:
  constexpr factor_lanes() {}  // the arrays are filled before they are read

  /// For N slopes, integers. Without `adds`, for zero points of 0.
  template <std::size_t N>
  constexpr void set_integers(const std::int16_t* slopes, const std::int16_t* zero_points, bool adds,
                              std::size_t first) {
    const std::size_t at = start_of<N>(first) / 2;
    std::int8_t bytes[N];
    for (std::size_t i = 0; i < N; ++i) {
      bytes[i] = static_cast<std::int8_t>(slopes[i]);
    }
    for (std::size_t i = 0; i < N / 2; ++i) {
      factor_.lane[at + i] = load_pair(bytes + 2 * i);
      factor_.lane[uppers + at + i] = static_cast<std::uint16_t>(load_pair(bytes + 2 * i) & 0xff00);
    }
    for (std::size_t i = 0; i < N && adds; ++i) {
      bytes[i] = static_cast<std::int8_t>(zero_points[i] - zero_points[i] * slopes[i]);
    }
    for (std::size_t i = 0; i < N / 2 && adds; ++i) {
      addend_.lane[at + i] = load_pair(bytes + 2 * i);
    }
  }
  constexpr void set_quotient(const channel_line& line, std::int16_t zero_point, std::size_t lane) {
    factor_.lane[lane] = factor_of(line.numerator, line.denominator);
    addend_.lane[lane] = addend_of(zero_point, factor_.lane[lane]);
  }

  /// Write N folded codes; `out` may be `in`. -> how many differ
  template <std::size_t N>
  constexpr std::int64_t fold_integers(const std::int8_t* in, bool adds, std::size_t first, std::int8_t* out) const {
    const std::size_t at = start_of<N>(first) / 2;
    std::int8_t made[N];
    for (std::size_t i = 0; i < N / 2; ++i) {
      const std::uint32_t two = load_pair(in + 2 * i);
      const std::uint32_t upper = (two >> 8) * factor_.lane[uppers + at + i];
      store_pair((two * factor_.lane[at + i] & 0xff) | upper, made + 2 * i);
    }
    for (std::size_t i = 0; i < N / 2 && adds; ++i) {
      const std::uint32_t two = load_pair(made + 2 * i);
      const std::uint32_t more = addend_.lane[at + i];
      store_pair(((two + more) & 0xff) | ((two & 0xff00) + (more & 0xff00)), made + 2 * i);
    }
    const std::int64_t changed = count_changed<N>(in, made);
    move_numbers(made, out, N);
    return changed;
  }
  template <std::size_t N>
  constexpr std::int64_t fold_quotients(const std::int8_t* in, std::size_t first, std::int8_t* out) const {
    const std::size_t at = start_of<N>(first);
    std::int8_t made[N];
    for (std::size_t i = 0; i < N; ++i) {
      const auto product = static_cast<std::uint16_t>(std::uint32_t{biased(in[i])} * factor_.lane[at + i]);
      made[i] = static_cast<std::int8_t>(static_cast<std::uint16_t>(product + addend_.lane[at + i]) >> 8);
    }
    const std::int64_t changed = count_changed<N>(in, made);
    move_numbers(made, out, N);
    return changed;
  }

 private:
  static constexpr std::size_t uppers = Capacity / 2;

  lane_array<std::uint16_t, Capacity> factor_;  // integers: of two lanes at a time; from `uppers` on, their upper bytes
  lane_array<std::uint16_t, Capacity> addend_;  // integers: of two lanes at a time, if they add anything
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
