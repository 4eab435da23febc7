// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A double taken apart by its bits, so that neither rounding modes nor fast-math flags can matter.
#ifndef DYTQ_NUMBERS_DYADIC_HPP
#define DYTQ_NUMBERS_DYADIC_HPP

#include <bit>
#include <cstdint>

namespace dytq {
inline namespace v0 {

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

}  // namespace v0
}  // namespace dytq

#endif
