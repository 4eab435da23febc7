// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The maker of TFLite's int16 tables: the procedure that TFLite publishes, on real numbers or in float32.
#ifndef DYTQ_TABLES_TFLITE_TABLE_HPP
#define DYTQ_TABLES_TFLITE_TABLE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../function.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/float32.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/real.hpp"
#include "../result.hpp"
#include "argument.hpp"
#include "float32_function.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// floor(2 v) of a real number v, and whether 2 v is that integer. This decides the rounding of v and of (v + n) / 2.
struct half_steps {
  std::int64_t floor = 0;
  bool exact = false;

  /// v rounded, halves away from zero.
  constexpr std::int64_t round_away() const {
    const std::int64_t below = floor_div(floor, 2);
    const bool up = floor % 2 != 0 && (!exact || below >= 0);
    return up ? below + 1 : below;
  }
  /// The half steps of (v + n) / 2.
  constexpr half_steps halved_with(std::int64_t n) const { return {floor_div(floor, 2) + n, exact && floor % 2 == 0}; }
};

/// Half of an integer, away from zero.
constexpr std::int64_t half_away(std::int64_t n) { return half_steps{n, true}.round_away(); }

/// An interval of 512 steps in 1024 half steps: point j is at x = scale / 1024 * (first + stride * j), and its value is
/// v = f(x) / (out_scale * span / 65536).
struct tflite_interval {
  dyadic scale;
  std::int64_t first = 0;
  std::int64_t stride = 0;
  dyadic out_scale;
  std::uint64_t span = 65536;
};

/// Of a quantized tensor: the codes -32768 ... 32767 are the ends, and the output's 65535 steps are taken for 65536.
constexpr tflite_interval quantized_interval(double in_scale, std::int32_t in_zero_point, double out_scale) {
  return {dyadic(in_scale), 1024 * (-32768 - std::int64_t{in_zero_point}), 65535, dyadic(out_scale), 65535};
}

/// A refusal at point j of a quantized tensor.
constexpr rejection refusal_at(reason why, std::int64_t j) {
  return {.why = why, .at = place::table, .code = -32768 + floor_div(65535 * j, 1024)};
}

/// The values of f over such an interval, as half steps.
template <class F>
class tflite_values {
 public:
  static constexpr std::int64_t limit = std::int64_t{1} << 26;  ///< greater values are refused

  constexpr tflite_values(const F& f, const tflite_interval& of)
      : f_(f), of_(of), x_(one_1024th(), of.scale, dyadic{}) {
    prepare(f, x_);
    reciprocal_ = make_estimate(1, 17) /
                  (make_estimate(of.out_scale.mantissa, of.out_scale.exponent) * make_estimate(of.span, 0));
  }

  /// The value at point j. Errors: outside_domain; value_exceeds_int32: |v| is 2^26 or more; undecided.
  constexpr result<half_steps> operator()(std::int64_t j) const {
    const std::int64_t k = of_.first + of_.stride * j;
    if (first_outside(f_, x_, {k, k}) != unset || undefined_at(f_, x_, k)) {
      return refusal_at(reason::outside_domain, j);
    }
    const signed_estimate value = estimate_at(k);
    const estimate u = value.size.m == 0 && value.size.known() ? estimate{} : value.size * reciprocal_;
    if (u.known() && u.exponent > 27) {
      return refusal_at(reason::value_exceeds_int32, j);
    }
    if (!u.known()) {
      return by_signs(k, j, -2 * limit, 2 * limit);
    }
    // 2 v, in units of 2^-36.
    const int drop = 28 - u.exponent;
    const std::uint64_t fixed = drop > 63 ? 0 : u.m >> drop, radius = (drop > 63 ? 0 : u.error >> drop) + 2,
                        one = std::uint64_t{1} << 36, fraction = fixed & (one - 1);
    if (radius >= one / 2) {
      return by_signs(k, j, -2 * limit, 2 * limit);
    }
    const auto whole = static_cast<std::int64_t>(fixed >> 36);
    if (fraction > radius && fraction + radius < one) {
      return half_steps{value.negative ? -whole - 1 : whole, false};
    }
    const std::int64_t nearest = fraction < one / 2 ? whole : whole + 1, n = value.negative ? -nearest : nearest;
    return by_signs(k, j, n, n);
  }

 private:
  static constexpr dyadic one_1024th() {
    dyadic d;
    d.mantissa = 1;
    d.exponent = -10;
    return d;
  }
  constexpr signed_estimate estimate_at(std::int64_t k) const {
    if (k == 0) {
      return estimate_at_zero(f_);
    }
    // Turns are counted for k below 2^17, so a periodic function is asked for its sign.
    if constexpr (estimated_function<F> && !requires { F::periodic; }) {
      return estimate_of(f_, abscissa(x_, k, k < 0));
    }
    return {unknown_estimate, false};
  }
  /// The sign of 2 v - n.
  constexpr certified_sign sign(std::int64_t k, std::int64_t n) const {
    certified_sign s = certified_sign_of<2>(f_, x_, k, boundary<2>(n));
    if (s == certified_sign::unknown) {
      s = certified_sign_of<4>(f_, x_, k, boundary<4>(n));
    }
    return s == certified_sign::unknown ? certified_sign_of<6>(f_, x_, k, boundary<6>(n)) : s;
  }
  /// The f for which 2 v = n, exact.
  template <std::size_t N>
  constexpr real<N> boundary(std::int64_t n) const {
    return {multiply_wide(magnitude(n) * of_.span, of_.out_scale.mantissa), of_.out_scale.exponent - 17, n < 0};
  }
  /// The floor, known to be in lo - 1 ... hi.
  constexpr result<half_steps> by_signs(std::int64_t k, std::int64_t j, std::int64_t lo, std::int64_t hi) const {
    for (;;) {
      const std::int64_t n = lo + (hi - lo) / 2;
      const certified_sign s = sign(k, n);
      if (s == certified_sign::unknown) {
        return refusal_at(reason::undecided, j);
      }
      if (s == certified_sign::zero) {
        return half_steps{n, true};
      }
      (s == certified_sign::positive ? lo : hi) = s == certified_sign::positive ? n + 1 : n - 1;
      if (lo > hi) {
        return lo - 1 < -2 * limit || lo - 1 >= 2 * limit
                   ? result<half_steps>(refusal_at(reason::value_exceeds_int32, j))
                   : result<half_steps>(half_steps{lo - 1, false});
      }
    }
  }

  F f_;
  tflite_interval of_;
  argument x_;
  estimate reciprocal_;
};

/// LUTPopulate on real numbers.
template <certified_function F>
constexpr result<std::array<std::int16_t, 513>> populate_exact(const F& f, const tflite_interval& of) {
  const tflite_values<F> value(f, of);
  std::array<std::int16_t, 513> table{};
  result<half_steps> left = value(0);
  for (std::int64_t i = 0; i < 512; ++i) {
    const result<half_steps> middle = value(2 * i + 1), right = value(2 * i + 2);
    if (!left || !middle || !right) {
      return (!left ? left : !middle ? middle : right).error();
    }
    const std::int64_t sample = left->round_away(), on_line = right->halved_with(sample).round_away(),
                       off = on_line - middle->round_away();
    table[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(int16_range.clamp(sample - half_away(off)));
    left = right;
  }
  table[512] = static_cast<std::int16_t>(int16_range.clamp(left->round_away()));
  return table;
}

/// The nearest integer, halves away from zero.
constexpr float32 round_away(float32 v) {
  const int drop = -v.exponent();
  if (!v.is_finite() || drop <= 0) {
    return v;
  }
  const std::uint64_t n = drop > 24 ? 0 : (v.mantissa() + (std::uint64_t{1} << (drop - 1))) >> drop;
  return float32::nearest(v.negative(), n, 0);
}

/// LUTPopulate in float32, step by step. The scales must be positive.
template <certified_function F>
constexpr result<std::array<std::int16_t, 513>> populate_float32(const F& f, float32 in_scale,
                                                                 std::int32_t in_zero_point, float32 out_scale) {
  const auto integer = [](std::int64_t v) { return float32::from_integer(v); };
  const float32 two = integer(2), in_min = in_scale * integer(-32768 - std::int64_t{in_zero_point}),
                in_max = in_scale * integer(32767 - std::int64_t{in_zero_point}),
                step = (in_max + -in_min) / integer(512), half_step = step / two,
                by = integer(65536) / (out_scale * integer(32767) + -(out_scale * integer(-32768)));
  if (out_scale.is_zero() || !by.is_finite() || by.is_zero()) {
    return rejection{.why = reason::scale_not_float32, .at = place::function_out};
  }
  if (in_scale.is_zero() || !in_min.is_finite() || !in_max.is_finite() || !step.is_finite()) {
    return rejection{.why = reason::scale_not_float32, .at = place::function_in};
  }
  std::array<std::int16_t, 513> table{};
  for (std::int64_t i = 0; i <= 512; ++i) {
    const float32 left = in_min + integer(i) * step;
    const result<float32> at_left = float32_function(f, i == 512 ? in_max : left),
                          at_middle = i == 512 ? at_left : float32_function(f, left + half_step),
                          at_right = i == 512 ? at_left : float32_function(f, in_min + integer(i + 1) * step);
    if (!at_left || !at_middle || !at_right) {
      return refusal_at((!at_left ? at_left : !at_middle ? at_middle : at_right).error().why, 2 * i);
    }
    const float32 sample = round_away(*at_left * by), on_line = round_away((*at_right * by + sample) / two),
                  off = on_line + -round_away(*at_middle * by);
    const float32 entry = i == 512 ? sample : sample + -round_away(off / two);
    if (entry.is_nan()) {
      return refusal_at(reason::undecided, 2 * i);
    }
    // Beyond 2^24, 0, or an integer whose mantissa has its fraction's zeros.
    const bool beyond = (entry.bits & 0x7fffffffu) >= 0x4b800000u;
    const std::uint64_t whole = beyond ? 65536 : entry.is_zero() ? 0 : entry.mantissa() >> -entry.exponent();
    const auto size = static_cast<std::int64_t>(whole);
    table[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(int16_range.clamp(entry.negative() ? -size : size));
  }
  return table;
}

/// 1 / (1 + x) for x > -1, of softmax.
struct one_over_one_plus {
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    const real<N> one(std::int64_t{1});
    return compare(one, y * (one + x));
  }
  static constexpr bool negative(bool) { return false; }
  static constexpr estimate magnitude(const estimate& x, bool) {
    return make_estimate(1, 0) / (make_estimate(1, 0) + x);
  }
};

/// 1 + x, then 1 / that, each rounded.
constexpr result<float32> float32_function(one_over_one_plus, float32 x) {
  return float32{0x3f800000u} / (float32{0x3f800000u} + x);
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
