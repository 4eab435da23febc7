// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic that is defined at the limits, and a double as two integers.
#ifndef DYTQ_NUMBERS_INTEGER_HPP
#define DYTQ_NUMBERS_INTEGER_HPP

#include <bit>
#include <concepts>
#include <cstdint>

namespace dytq {
inline namespace v0 {
namespace detail {

/// The least value of int32, for arithmetic in 64 bits.
inline constexpr std::int64_t int32_min = INT32_MIN;
/// The greatest value of int32.
inline constexpr std::int64_t int32_max = INT32_MAX;

/// Smallest and largest value of an integer type, the latter cut off at that of int64.
template <std::integral Int>
inline constexpr std::int64_t largest = sizeof(Int) >= sizeof(std::int64_t)
                                            ? INT64_MAX
                                            : (std::int64_t{1}
                                               << (8 * sizeof(Int) % 64 - (std::signed_integral<Int> ? 1 : 0))) -
                                                  1;
/// The smallest value of an integer type.
template <std::integral Int>
inline constexpr std::int64_t smallest = std::signed_integral<Int> ? -largest<Int> - 1 : 0;

/// Is v a value of Int?
template <std::integral Int>
constexpr bool fits(std::int64_t v) {
  return v >= smallest<Int> && v <= largest<Int>;
}

/// v as an int64, or the largest one if it is beyond: what is compared with a range is out of it either way.
template <std::integral Int>
constexpr std::int64_t saturate_int64(Int v) {
  return v > 0 && static_cast<std::uint64_t>(v) > static_cast<std::uint64_t>(INT64_MAX) ? INT64_MAX
                                                                                        : static_cast<std::int64_t>(v);
}

/// Would a * b leave 64 bits? Both must be >= 0.
constexpr bool mul_overflows_nonnegative(std::int64_t a, std::int64_t b) { return b != 0 && a > INT64_MAX / b; }

/// floor(a / b), b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// ceil(a / b), b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

/// |v|; the magnitude of the most negative value is representable since the result is unsigned.
constexpr std::uint64_t magnitude(std::int64_t v) {
  return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
}

/// The smaller of two numbers. Not `min`: microcontroller cores define that as a macro.
template <class T>
constexpr T smaller(const T& a, const T& b) {
  return b < a ? b : a;
}
/// The larger of two numbers.
template <class T>
constexpr T larger(const T& a, const T& b) {
  return a < b ? b : a;
}

/// The greatest common divisor; that of 0 and a number is the number.
constexpr std::uint64_t greatest_common_divisor(std::uint64_t a, std::uint64_t b) {
  while (b != 0) {
    const std::uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/// floor((v + 2^(shift-1)) / 2^shift) without the sum's overflow. Range: 1 <= shift <= 63.
constexpr std::int64_t rounding_shift_right(std::int64_t v, int shift) {
  return (v >> shift) + ((v >> (shift - 1)) & 1);
}

/// v / 2^shift, rounded half to even; `rest` says that the dividend is a little greater, by less than 1. Range:
/// 1 <= shift <= 64.
constexpr std::uint64_t shift_right_half_even(std::uint64_t v, int shift, bool rest = false) {
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t kept = shift == 64 ? 0 : v >> shift;
  const std::uint64_t cut = v & (half * 2 - 1);
  return kept + (cut > half || (cut == half && (rest || (kept & 1) != 0)) ? 1 : 0);
}

/// floor(sqrt(v)).
constexpr std::uint64_t square_root(std::uint64_t v) {
  std::uint64_t root = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const std::uint64_t more = root | std::uint64_t{1} << bit;
    root = more <= v / more ? more : root;
  }
  return root;
}

/// A double as it is written: value = (-1)^negative * mantissa * 2^exponent, mantissa < 2^53. Taken from the bits,
/// since floating-point flags must not matter. Subnormals included; `finite` is false for infinities and NaN.
struct dyadic {
  std::uint64_t mantissa = 0;  ///< below 2^53
  std::int32_t exponent = 0;   ///< of 2
  bool negative = false;       ///< the sign bit, that of -0 included
  bool finite = true;          ///< neither infinite nor NaN

  constexpr dyadic() = default;
  /// Takes v apart.
  constexpr dyadic(double v) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    const auto field = static_cast<std::int32_t>((bits >> 52) & 0x7ff);
    mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (field != 0 ? std::uint64_t{1} << 52 : 0);
    exponent = (field != 0 ? field : 1) - 1075;
    negative = (bits >> 63) != 0;
    finite = field != 0x7ff;
  }
  /// Is it 0 or -0?
  constexpr bool is_zero() const { return mantissa == 0; }

  friend constexpr bool operator==(const dyadic&, const dyadic&) = default;
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
