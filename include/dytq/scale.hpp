// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A real scale as (multiplier, shift), in the conventions of the toolchains.
#ifndef DYTQ_SCALE_HPP
#define DYTQ_SCALE_HPP

#include <bit>
#include <cstdint>

#include "dyadic.hpp"
#include "result.hpp"

namespace dytq::inline v0 {

/// v / 2^shift, rounded half to even. Range: 1 <= shift <= 63.
constexpr std::uint64_t shift_right_half_even(std::uint64_t v, int shift) {
  const std::uint64_t kept = v >> shift;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rest = v & (half * 2 - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

/// scale ~ multiplier * 2^-shift; positive shifts go right.
struct multiplier_shift {
  std::int32_t multiplier = 0;  ///< >= 0
  std::int32_t shift = 0;       ///< to the right

  friend constexpr bool operator==(multiplier_shift, multiplier_shift) = default;
};

/// The width of a multiplier, its sign bit included.
enum class multiplier_width : std::uint8_t { bits16 = 16, bits32 = 32 };

/// Whose convention: which rounding, which limits.
enum class scale_dialect : std::uint8_t {
  executorch,  ///< mantissa half to even, 2^31 renormalized, shifts above 62 truncate, shifts below 2 refused
};

/// The integer form of a scale.
///
/// Formula (executorch): with scale = f * 2^e, 1/2 <= f < 1, and n = 31 (15 for 16 bits):
///   multiplier = round_half_even(f * 2^n), shift = n - e; 2^n becomes 2^(n-1) and shift - 1;
///   a shift above 62 becomes 62 and the multiplier is shifted right by min(31, shift - 62), truncating.
/// Range: multiplier in [0, 2^n), shift in [2, 62]. A scale of 0, or -0, gives (0, n).
/// Errors: scale_not_finite; scale_negative; scale_too_large: a shift below 2; unknown_dialect.
/// Source: ExecuTorch, Arm backend.
constexpr result<multiplier_shift> quantize_scale(double scale, multiplier_width width = multiplier_width::bits32,
                                                  scale_dialect dialect = scale_dialect::executorch) {
  if (dialect != scale_dialect::executorch ||
      (width != multiplier_width::bits16 && width != multiplier_width::bits32)) {
    return reason::unknown_dialect;
  }
  const dyadic parts(scale);
  const int n = static_cast<int>(width) - 1;
  if (!parts.finite) {
    return reason::scale_not_finite;
  }
  if (parts.is_zero()) {
    return multiplier_shift{0, n};
  }
  if (parts.negative) {
    return reason::scale_negative;
  }
  const int up = std::countl_zero(parts.mantissa) - 11;  // 0 unless the scale is subnormal
  std::int64_t multiplier = static_cast<std::int64_t>(shift_right_half_even(parts.mantissa << up, 53 - n));
  int shift = n - (parts.exponent - up + 53);
  if (multiplier == std::int64_t{1} << n) {
    multiplier >>= 1;
    --shift;
  }
  if (shift < 2) {
    return rejection{.why = reason::scale_too_large, .expected = 2, .got = shift};
  }
  if (shift > 62) {
    multiplier >>= shift - 62 < 31 ? shift - 62 : 31;
    shift = 62;
  }
  return multiplier_shift{static_cast<std::int32_t>(multiplier), shift};
}

}  // namespace dytq::inline v0

#endif
