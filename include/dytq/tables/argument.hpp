// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact argument of a table's entry, and the rounding of its value at exact boundaries.
// Folder tables: the makers behind lut.hpp and lut16.hpp. Not here: a function.
#ifndef DYTQ_TABLES_ARGUMENT_HPP
#define DYTQ_TABLES_ARGUMENT_HPP

#include <bit>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/angle.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/real.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// alpha * scale * k + shift for integers |k| < 2^17. The product has at most 123 bits and is exact.
class argument {
 public:
  constexpr argument(const dyadic& alpha, const dyadic& scale, const dyadic& shift)
      : product_(multiply_wide(alpha.mantissa, scale.mantissa)),
        exponent_(alpha.exponent + scale.exponent),
        negative_(alpha.negative),
        shift_(shift) {
    if (shift_.is_zero() && !constant()) {
      step_ = make_estimate(real<2>(product_, exponent_, false));
    }
    // A fixed point at which |k| < 2^18 steps, the shift and small integers fit in 126 bits.
    const auto top_of = [](const wide64& v, std::int32_t e) {
      return v.hi != 0 ? e + 128 - std::countl_zero(v.hi) : v.lo != 0 ? e + 64 - std::countl_zero(v.lo) : INT16_MIN;
    };
    const std::int32_t of_steps = top_of(product_, exponent_) + 18,
                       of_shift = top_of({0, shift_.mantissa}, shift_.exponent);
    unit_log2_ = larger(larger(of_steps, of_shift), std::int32_t{3}) - 124;
    fixed_step_ = in_units({product_.hi, product_.lo}, exponent_, step_cut_);
    fixed_shift_ = in_units({0, shift_.mantissa}, shift_.exponent, shift_cut_);
  }

  /// Exact in six limbs unless the exponents of the terms are more than 320 apart; then known to 2^(1 - 64 N).
  template <std::size_t N>
  constexpr real<N> at(std::int64_t k) const {
    const exact_sum<N> x = terms<N>(k);
    return shift_.is_zero() ? x.a : x.a + x.b;
  }
  /// The same as two exact terms (for two limbs and more).
  template <std::size_t N>
  constexpr exact_sum<N> terms(std::int64_t k) const {
    const std::uint64_t by = magnitude(k);
    const wide64 low = multiply_wide(product_.lo, by);
    return {real<N>({product_.hi * by + low.hi, low.lo}, exponent_, negative_ != (k < 0)), real<N>(shift_)};
  }
  /// x + by for a small integer, in fixed point; in exact arithmetic where cancellation would leave too few bits.
  constexpr signed_estimate offset(std::int64_t k, std::int64_t by) const {
    const std::uint64_t steps = magnitude(k);
    if (steps < std::uint64_t{1} << 18) {
      wide64 v = multiply_wide(fixed_step_.lo, steps);
      v.hi += fixed_step_.hi * steps;
      if ((k < 0) != negative_) {
        v = opposite(v);
      }
      v = sum(v, shift_.negative ? opposite(fixed_shift_) : fixed_shift_);
      bool by_cut = false;
      if (by != 0) {
        const wide64 fixed_by = in_units({0, magnitude(by)}, 0, by_cut);
        v = sum(v, by < 0 ? opposite(fixed_by) : fixed_by);
      }
      const bool below_zero = (v.hi >> 63) != 0;
      if (below_zero) {
        v = opposite(v);
      }
      const std::uint64_t units = (step_cut_ ? steps : 0) + (shift_cut_ ? 1 : 0) + (by_cut ? 1 : 0);
      if (v.hi != 0) {
        const int up = std::countl_zero(v.hi);
        const std::uint64_t m = up != 0 ? v.hi << up | v.lo >> (64 - up) : v.hi, cut = v.lo << up;
        // At most 2^20 units of 2^-128, less than one of 2^-64 while up is small.
        return {
            {m, 64 - up + unit_log2_ + 64, (up < 44 ? (units != 0 || cut != 0 ? 3u : 0u) : 3u + (units << (up - 44)))},
            below_zero};
      }
      if (units == 0) {
        return v.lo == 0 ? signed_estimate{} : signed_estimate{make_estimate(v.lo, unit_log2_), below_zero};
      }
    }
    const real<2> v = by == 0 ? at<2>(k) : at<2>(k) + real<2>(by);
    return v.is_zero() ? signed_estimate{}
           : v.known() ? signed_estimate{make_estimate(v), v.negative}
                       : signed_estimate{unknown_estimate};
  }
  /// |alpha * scale * k + shift|, which must not be 0.
  constexpr estimate estimate_at(std::int64_t k) const {
    return shift_.is_zero() ? step_ * make_estimate(magnitude(k), 0) : offset(k, 0).size;
  }
  /// Prepares `turn`, for periodic functions.
  constexpr void measure_turns() {
    turn_step_ = fraction_of_turn(real<2>(product_, exponent_, negative_));
    turn_shift_ = fraction_of_turn(real<2>(shift_));
  }
  /// The argument in turns of 2 pi, modulo 1, in 2^-128, within |k| + 2. The step and the shift are reduced once a
  /// table.
  constexpr wide64 turn(std::int64_t k) const {
    const std::uint64_t by = magnitude(k);
    wide64 t = multiply_wide(turn_step_.lo, by);
    t.hi += turn_step_.hi * by;
    if (k < 0) {
      t = {~t.hi + (t.lo == 0 ? 1 : 0), 0 - t.lo};
    }
    const std::uint64_t lo = t.lo + turn_shift_.lo;
    return {t.hi + turn_shift_.hi + (lo < t.lo ? 1 : 0), lo};
  }
  /// |alpha * scale| * by.
  constexpr estimate step(std::int64_t by) const {
    return make_estimate(real<2>(product_, exponent_, false)) * make_estimate(magnitude(by), 0);
  }

  constexpr bool constant() const { return product_.hi == 0 && product_.lo == 0; }
  constexpr bool shifted() const { return !shift_.is_zero(); }
  constexpr bool decreasing() const { return negative_; }
  /// Is the argument 0, or past 0 in the direction of growing k? The sign of a sum of two exact terms is certain.
  constexpr bool beyond_zero(std::int64_t k) const {
    const real<6> x = at<6>(k);
    return x.is_zero() || x.negative == negative_;
  }

 private:
  static constexpr wide64 opposite(const wide64& v) { return {~v.hi + (v.lo == 0 ? 1 : 0), 0 - v.lo}; }
  static constexpr wide64 sum(const wide64& a, const wide64& b) {
    const std::uint64_t lo = a.lo + b.lo;
    return {a.hi + b.hi + (lo < a.lo ? 1 : 0), lo};
  }
  /// v * 2^e in units of 2^unit_log2_; `cut` tells whether a bit was lost.
  constexpr wide64 in_units(const wide64& v, std::int32_t e, bool& cut) const {
    const std::int32_t up = e - unit_log2_;
    if (up <= -128 || up >= 128) {
      cut = v.hi != 0 || v.lo != 0;
      return {};
    }
    limbs<2> r{v.lo, v.hi};
    r = up >= 0 ? shift_left<2>(r, up) : shift_right<2>(r, -up, cut);
    return {r[1], r[0]};
  }

  wide64 product_;
  std::int32_t exponent_;
  bool negative_;
  dyadic shift_;
  estimate step_{};
  wide64 turn_step_{}, turn_shift_{};
  wide64 fixed_step_{}, fixed_shift_{};
  std::int32_t unit_log2_ = 0;
  bool step_cut_ = false, shift_cut_ = false;
};

/// The argument at one code, in the forms that estimates use.
class abscissa {
 public:
  constexpr abscissa(const argument& of, std::int64_t k, bool x_negative) : of_(of), k_(k), negative_(x_negative) {}

  /// Is x < 0?
  constexpr bool negative() const { return negative_; }
  /// |x|, which is not 0.
  constexpr estimate operator()() const { return of_.estimate_at(k_); }
  /// x + by for a small integer; 0 only if it is exactly 0.
  constexpr signed_estimate offset(std::int64_t by) const { return of_.offset(k_, by); }
  /// x with 128 bits; exact unless its two terms are far apart.
  constexpr real<2> exact() const { return of_.at<2>(k_); }
  /// x in turns of 2 pi, modulo 1, in 2^-128, within 2^28; for functions with `periodic`.
  constexpr wide64 turn() const { return of_.turn(k_); }

 private:
  const argument& of_;
  std::int64_t k_;
  bool negative_;
};

/// The integer nearest to an estimate, if its error leaves only one.
struct rounded {
  std::int64_t n = 0;  ///< the integer, or the lower of two candidates
  bool decided = false;
  bool found = true;  ///< there are at most two candidates

  /// In place of every integer from 2^26 on.
  static constexpr std::int64_t beyond = std::int64_t{1} << 26;

  constexpr rounded() = default;
  constexpr explicit rounded(const estimate& v) {
    if (v.exponent < -1 || v.exponent > 26 || v.m == 0 || !v.known()) {
      found = decided = v.known();
      n = v.exponent < -1 || v.m == 0 ? 0 : beyond;
      return;
    }
    // 62 bits: the integer, and at least 36 bits of fraction.
    const int fraction_bits = 62 - v.exponent;
    const std::uint64_t w = v.m >> 2, half = std::uint64_t{1} << (fraction_bits - 1), fraction = w & (2 * half - 1),
                        distance = fraction > half ? fraction - half : half - fraction, radius = (v.error >> 2) + 2;
    decided = distance > radius;
    found = radius < half;
    n = static_cast<std::int64_t>(w >> fraction_bits) + (decided && fraction > half ? 1 : 0);
  }
};

/// value / scale, rounded, plus a zero point, clamped.
class quantizer {
 public:
  constexpr quantizer(const dyadic& scale, std::int32_t zero_point, const code_range& range,
                      tie_rule ties = tie_rule::to_even)
      : scale_(scale),
        reciprocal_(make_estimate(1, 0) / make_estimate(scale.mantissa, scale.exponent)),
        zero_point_(zero_point),
        range_(range),
        ties_(ties) {}

  /// |value| / scale, rounded to an integer if the estimate decides it.
  constexpr rounded nearest(const estimate& value) const { return rounded(in_codes(value)); }
  /// value / scale.
  constexpr estimate in_codes(const estimate& value) const { return value * reciprocal_; }
  /// The boundary (n + 1/2) * scale, exact.
  template <std::size_t N>
  constexpr real<N> boundary(std::int64_t n) const {
    return real<N>(multiply_wide(magnitude(2 * n + 1), scale_.mantissa), scale_.exponent - 1, n < 0);
  }
  /// n or n + 1: where a value on this side of the boundary between them is rounded to.
  constexpr std::int64_t beside(std::int64_t n, certified_sign side) const {
    const bool up = side != certified_sign::zero        ? side == certified_sign::positive
                    : ties_ == tie_rule::away_from_zero ? n >= 0
                                                        : (n & 1) != 0;
    return up ? n + 1 : n;
  }
  constexpr std::int64_t code(std::int64_t n) const { return range_.clamp(n + zero_point_); }
  constexpr code_range integers() const { return {range_.lo - zero_point_, range_.hi - zero_point_}; }

 private:
  dyadic scale_;
  estimate reciprocal_;
  std::int64_t zero_point_;
  code_range range_;
  tie_rule ties_;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
