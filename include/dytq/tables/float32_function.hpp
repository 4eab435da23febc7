// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions as a float32 graph computes them, and the entries of its tables.
#ifndef DYTQ_TABLES_FLOAT32_FUNCTION_HPP
#define DYTQ_TABLES_FLOAT32_FUNCTION_HPP

#include <bit>
#include <cstdint>

#include "../codes.hpp"
#include "../function.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/float32.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/real.hpp"
#include "../result.hpp"
#include "argument.hpp"

namespace dytq {
inline namespace v0 {

/// The float32 nearest to f(x), or undecided. NaN gives NaN; an infinite x gives the limit.
/// Exactness: correctly rounded, ties to even; a rounding that six limbs cannot decide is refused.
template <estimated_function F>
constexpr result<float32> correctly_rounded(float32 x) {
  if (x.is_nan()) {
    return x;
  }
  const bool neg = x.negative(), f_neg = F::negative(neg);
  if (x.is_zero()) {
    if constexpr (requires { F::at_zero; }) {
      return float32::nearest(false, F::at_zero.m, F::at_zero.exponent - 64);
    } else {
      return x;
    }
  }
  // Any float is far inside 2^129, and there is no function here that has not reached its limit in float32 by then.
  const dyadic d = [&] {
    dyadic v;
    v.mantissa = x.is_infinite() ? 1 : x.mantissa();
    v.exponent = x.is_infinite() ? 129 : x.exponent();
    v.negative = neg;
    return v;
  }();
  const estimate f = F::magnitude(make_estimate(d.mantissa, d.exponent), neg);
  if (!f.known()) {
    return rejection{.why = reason::undecided};
  }
  // Multiples of the unit in the last place of the result; m may be a little below its binade.
  const std::int32_t top = f.exponent - std::countl_zero(f.m), unit = top < -125 ? -149 : top - 24;
  const detail::rounded r(estimate{f.m, f.exponent - unit, f.error});
  std::int64_t n = r.n;
  if (!r.decided) {
    const wide64 boundary{0, 2 * static_cast<std::uint64_t>(r.n) + 1};
    certified_sign s = F::template sign<2>(real<2>(d), real<2>(boundary, unit - 1, f_neg));
    if (s == certified_sign::unknown) {
      s = F::template sign<4>(real<4>(d), real<4>(boundary, unit - 1, f_neg));
    }
    if (s == certified_sign::unknown) {
      s = F::template sign<6>(real<6>(d), real<6>(boundary, unit - 1, f_neg));
    }
    if (s == certified_sign::unknown || !r.found) {
      return rejection{.why = reason::undecided};
    }
    if (f_neg) {
      s = -s;
    }
    n += s == certified_sign::zero ? n & 1 : s == certified_sign::positive ? 1 : 0;
  }
  return float32::nearest(f_neg, static_cast<std::uint64_t>(n), unit);
}

/// f(x) in the steps of a float32 graph. The functions that are one operator there are correctly rounded.
template <estimated_function F>
constexpr result<float32> float32_function(F, float32 x) {
  return correctly_rounded<F>(x);
}

namespace detail {

inline constexpr float32 float32_one{0x3f800000u};

/// 1 + e^(0 - x).
constexpr result<float32> one_plus_decay(float32 x) {
  const result<float32> e = correctly_rounded<functions::exp_function>(float32{} + -x);
  return e ? result<float32>(float32_one + *e) : e;
}

/// The square root, rounded to nearest even.
constexpr float32 square_root(float32 x) {
  if (x.is_nan() || x.is_zero() || x.bits == float32::infinity_bits) {
    return x;
  }
  if (x.negative()) {
    return {float32::nan_bits};
  }
  int by = std::countl_zero(x.mantissa());
  by -= (x.exponent() - by) & 1;
  const std::uint64_t m = x.mantissa() << by;
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= m) {
      root += bit;
    }
  }
  return float32::nearest(false, root, (x.exponent() - by) / 2, root * root != m);
}

}  // namespace detail

/// a = 0 - x; a = e^a; a = 1 + a; 1 / a, each step rounded. Source: PyTorch's vectorised sigmoid.
constexpr result<float32> float32_function(functions::logistic_function, float32 x) {
  const result<float32> d = detail::one_plus_decay(x);
  return d ? result<float32>(detail::float32_one / *d) : d;
}

/// x / (1 + e^-x), each step rounded. Source: PyTorch's silu.
constexpr result<float32> float32_function(functions::silu_function, float32 x) {
  const result<float32> d = detail::one_plus_decay(x);
  return d ? result<float32>(x / *d) : d;
}

/// (x * 0.5) * (1 + erf(x * float(sqrt(1/2)))), each step rounded. Source: PyTorch's gelu without approximation.
constexpr result<float32> float32_function(functions::gelu_function, float32 x) {
  const result<float32> e = correctly_rounded<functions::erf_function>(x * float32{0x3f3504f3u});
  return e ? result<float32>(x * float32{0x3f000000u} * (detail::float32_one + *e)) : e;
}

/// x / sqrt(1 + x * x), each step rounded.
constexpr result<float32> float32_function(functions::isru_function, float32 x) {
  return x / detail::square_root(detail::float32_one + x * x);
}

/// Is the function one correctly rounded operator, and thus as monotone and as odd as the real function?
template <class F>
inline constexpr bool one_float32_step = true;
template <>
inline constexpr bool one_float32_step<functions::logistic_function> = false;
template <>
inline constexpr bool one_float32_step<functions::silu_function> = false;
template <>
inline constexpr bool one_float32_step<functions::gelu_function> = false;
template <>
inline constexpr bool one_float32_step<functions::isru_function> = false;

/// What an ExecuTorch graph computes at one code, with everything that can be refused looked at first.
///
/// Formula: x = (float(code) - zero_point) * float(in.scale); x = x * float(alpha) unless alpha is 1;
///   x = x + float(shift) unless shift is 0; v = f(x) * float(1.0 / out.scale), the reciprocal in double;
///   clamp(round_half_even(v) + zero_point). Every step is rounded to float32.
class float32_quantizer {
 public:
  /// Errors: scale_not_float32: float(in.scale), float(1.0 / out.scale) or float(alpha) is 0 or infinite (alpha may be
  /// 0 itself), or float(shift) is infinite. The scales must be finite and positive already.
  static constexpr result<float32_quantizer> make(const qparams& in, const qparams& out, double alpha, double shift,
                                                  const code_range& out_range) {
    float32_quantizer q;
    q.scale_ = float32::from_double(in.scale);
    q.reciprocal_ = reciprocal_float32(out.scale);
    q.alpha_ = float32::from_double(alpha);
    q.shift_ = float32::from_double(shift);
    q.scaled_ = !(dyadic(alpha) == dyadic(1.0));
    q.shifted_ = !dyadic(shift).is_zero();
    q.in_zero_point_ = in.zero_point;
    q.out_zero_point_ = out.zero_point;
    q.range_ = out_range;
    if (q.scale_.is_zero() || q.scale_.is_infinite()) {
      return refuse(place::function_in);
    }
    if (q.reciprocal_.is_zero() || q.reciprocal_.is_infinite()) {
      return refuse(place::function_out);
    }
    if (q.alpha_.is_infinite() || (q.alpha_.is_zero() && !dyadic(alpha).is_zero()) || q.shift_.is_infinite()) {
      return refuse(place::alpha);
    }
    return q;
  }

  /// The argument that f reads at a code.
  constexpr float32 argument(std::int64_t code) const {
    float32 x = float32::from_integer(code - in_zero_point_) * scale_;
    if (scaled_) {
      x = x * alpha_;
    }
    if (shifted_) {
      x = x + shift_;
    }
    return x;
  }
  /// f(x) / scale, rounded half to even; +-2^24 stands for anything beyond. Errors: undecided: f is not a number there,
  /// or its rounding cannot be decided.
  template <estimated_function F>
  constexpr result<std::int64_t> integer(F f, float32 x) const {
    const result<float32> y = float32_function(f, x);
    if (!y || y->is_nan()) {
      return rejection{.why = reason::undecided, .at = place::table};
    }
    const float32 v = *y * reciprocal_;
    const std::int64_t n = (v.bits & 0x7fffffffu) >= 0x4b800000u ? std::int64_t{1} << 24 : to_integer(v);
    return v.negative() ? -n : n;
  }
  /// The output code of an integer: the zero point is added, and the sum clamped.
  constexpr std::int64_t code(std::int64_t n) const { return range_.clamp(n + out_zero_point_); }
  /// Does an odd function give opposite integers at codes that lie opposite to the zero point?
  constexpr bool symmetric() const { return !shifted_; }
  /// Zero point of the input.
  constexpr std::int64_t zero_point() const { return in_zero_point_; }

 private:
  /// |v| < 2^24, rounded half to even.
  static constexpr std::int64_t to_integer(float32 v) {
    const int drop = -v.exponent();
    if (drop <= 0) {
      return static_cast<std::int64_t>(v.mantissa());
    }
    return drop > 25 ? 0 : static_cast<std::int64_t>(shift_right_half_even(v.mantissa(), drop));
  }
  static constexpr rejection refuse(place at) { return {.why = reason::scale_not_float32, .at = at}; }

  float32 scale_, reciprocal_, alpha_, shift_;
  bool scaled_ = false, shifted_ = false;
  std::int64_t in_zero_point_ = 0, out_zero_point_ = 0;
  code_range range_;
};

}  // namespace v0
}  // namespace dytq

#endif
