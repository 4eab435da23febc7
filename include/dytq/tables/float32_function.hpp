// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions as a float32 graph computes them, and the entries of its tables.
#ifndef DYTQ_TABLES_FLOAT32_FUNCTION_HPP
#define DYTQ_TABLES_FLOAT32_FUNCTION_HPP

#include <bit>
#include <cstdint>

#include "../codes.hpp"
#include "../functions/certified_function.hpp"
#include "../functions/erf.hpp"
#include "../functions/exponential.hpp"
#include "../functions/hyperbolic.hpp"
#include "../functions/powers.hpp"
#include "../functions/trigonometric.hpp"
#include "../functions/units.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/float32.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/real.hpp"
#include "../result.hpp"
#include "argument.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// The sign of f(x) - y by arithmetic that widens until it is known.
template <class F>
constexpr certified_sign widening_sign(const F& f, const dyadic& x, const real<6>& y) {
  const auto cut = [&y]<std::size_t N>(real<N> r) {
    for (std::size_t i = 0; i < N; ++i) {
      r.m[i] = y.m[i + 6 - N];
    }
    r.exponent = y.exponent;
    r.negative = y.negative;
    return r;
  };
  certified_sign s = f.template sign<2>(real<2>(x), cut(real<2>{}));
  if (s == certified_sign::unknown) {
    s = f.template sign<4>(real<4>(x), cut(real<4>{}));
  }
  return s == certified_sign::unknown ? f.template sign<6>(real<6>(x), y) : s;
}

/// f(x) to 64 bits by signs alone, for functions without an estimate.
template <class F>
constexpr signed_estimate estimate_by_signs(const F& f, const dyadic& x) {
  const certified_sign side = widening_sign(f, x, {});
  if (side == certified_sign::zero) {
    return {};
  }
  const bool negative = side == certified_sign::negative;
  if (side == certified_sign::unknown) {
    return {unknown_estimate, negative};
  }
  // Is |f(x)| > m * 2^e?
  const auto above = [&](std::uint64_t m, std::int32_t e) {
    const certified_sign s = widening_sign(f, x, real<6>({0, m}, e, negative));
    return s == certified_sign::unknown ? s : negative ? -s : s;
  };
  // 2^low < |f| <= 2^high; beyond these, every scale saturates or rounds to 0.
  std::int32_t low = 1000 - range_log2, high = range_log2 - 1000;
  const certified_sign above_low = above(1, low), above_high = above(1, high);
  if (above_low == certified_sign::unknown || above_high == certified_sign::unknown) {
    return {unknown_estimate, negative};
  }
  if (above_low != certified_sign::positive || above_high == certified_sign::positive) {
    return {make_estimate(1, above_high == certified_sign::positive ? high : low), negative};
  }
  while (high - low > 1) {
    const std::int32_t middle = (low + high) / 2;
    const certified_sign s = above(1, middle);
    if (s == certified_sign::unknown) {
      return {unknown_estimate, negative};
    }
    (s == certified_sign::positive ? low : high) = middle;
  }
  std::uint64_t m = std::uint64_t{1} << 63;
  for (std::uint64_t next = m >> 1; next != 0; next >>= 1) {
    const certified_sign s = above(m + next, high - 64);
    if (s == certified_sign::unknown) {
      return {unknown_estimate, negative};
    }
    m += s == certified_sign::negative ? 0 : next;
  }
  return {{m, high, 2}, negative};
}

/// f(0).
template <class F>
constexpr signed_estimate estimate_at_zero(const F& f) {
  if constexpr (requires { f.at_zero; }) {
    return f.at_zero;
  } else {
    return estimate_by_signs(f, dyadic{});
  }
}

/// The float32 nearest to f(x). NaN gives NaN; an infinite x gives the limit.
/// Errors: outside_domain: f is not defined at x; undecided: a rounding that six limbs cannot decide.
/// Exactness: correctly rounded, ties to even.
template <certified_function F>
constexpr result<float32> correctly_rounded(F f, float32 x) {
  if (x.is_nan()) {
    return x;
  }
  // In place of infinity, 2^range_log2: f is there 0 or infinite as a float, or its limit.
  const dyadic d = [&] {
    dyadic v;
    v.mantissa = x.is_infinite() ? 1 : x.mantissa();
    v.exponent = x.is_infinite() ? range_log2 : x.exponent();
    v.negative = x.negative();
    return v;
  }();
  if constexpr (requires { F::periodic; }) {
    if (x.is_infinite()) {
      return float32{float32::nan_bits};
    }
  }
  if constexpr (requires { F::logarithmic; }) {
    if (x.is_infinite()) {
      return x;
    }
  }
  argument at(d, dyadic(1.0), dyadic{});
  prepare(f, at);
  if (undefined_at(f, at, 1) || first_outside(f, at, {1, 1}) != unset) {
    return rejection{.why = reason::outside_domain};
  }
  // Multiples of the unit in the last place of the result; m may be a little below its binade.
  const auto unit_of = [](const estimate& v) {
    const std::int32_t top = v.exponent - std::countl_zero(v.m);
    return top < -125 ? -149 : top - 24;
  };
  const auto in_units = [&](const estimate& v) { return rounded(estimate{v.m, v.exponent - unit_of(v), v.error}); };
  signed_estimate value{unknown_estimate};
  if (x.is_zero()) {
    value = estimate_at_zero(f);
  } else if constexpr (estimated_function<F>) {
    value = estimate_of(f, abscissa(at, 1, d.negative));
  }
  if (!value.size.known() || !in_units(value.size).found) {
    value = estimate_by_signs(f, d);
  }
  if (!value.size.known()) {
    return rejection{.why = reason::undecided};
  }
  if (value.size.m == 0) {
    return x.is_zero() || requires { F::zero_has_sign; }
    ? float32{x.bits & 0x80000000u} : float32{};
  }
  const std::int32_t unit = unit_of(value.size);
  const rounded r = in_units(value.size);
  std::int64_t n = r.n;
  if (!r.decided) {
    const wide64 boundary{0, 2 * static_cast<std::uint64_t>(r.n) + 1};
    const certified_sign s = widening_sign(f, d, real<6>(boundary, unit - 1, value.negative));
    if (s == certified_sign::unknown) {
      return rejection{.why = reason::undecided};
    }
    n += s == certified_sign::zero ? n & 1 : (s == certified_sign::negative) == value.negative ? 1 : 0;
  }
  return float32::nearest(value.negative, static_cast<std::uint64_t>(n), unit);
}
/// The same of a function without parameters, by its type.
template <certified_function F>
constexpr result<float32> correctly_rounded(float32 x) {
  return correctly_rounded(F{}, x);
}

/// f(x) in the steps of a float32 graph. The functions that are one operator there are correctly rounded.
template <certified_function F>
constexpr result<float32> float32_function(F f, float32 x) {
  return correctly_rounded(f, x);
}

inline constexpr float32 float32_one{0x3f800000u};

/// 1 + e^(0 - x).
constexpr result<float32> one_plus_decay(float32 x) {
  const result<float32> e = correctly_rounded<exp_function>(float32{} + -x);
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

/// a = 0 - x; a = e^a; a = 1 + a; 1 / a, each step rounded. Source: PyTorch's vectorised sigmoid.
constexpr result<float32> float32_function(logistic_function, float32 x) {
  const result<float32> d = one_plus_decay(x);
  return d ? result<float32>(float32_one / *d) : d;
}

/// x / (1 + e^-x), each step rounded. Source: PyTorch's silu.
constexpr result<float32> float32_function(silu_function, float32 x) {
  const result<float32> d = one_plus_decay(x);
  return d ? result<float32>(x / *d) : d;
}

/// (x * 0.5) * (1 + erf(x * float(sqrt(1/2)))), each step rounded. Source: PyTorch's gelu without approximation.
constexpr result<float32> float32_function(gelu_function, float32 x) {
  const result<float32> e = correctly_rounded<erf_function>(x * float32{0x3f3504f3u});
  return e ? result<float32>(x * float32{0x3f000000u} * (float32_one + *e)) : e;
}

/// x / sqrt(1 + x * x), each step rounded.
constexpr result<float32> float32_function(isru_function, float32 x) { return x / square_root(float32_one + x * x); }

/// Is the function one correctly rounded operator, and thus as monotone and as odd as the real function? If not, or
/// if it is not known, every entry is computed.
template <class F>
inline constexpr bool one_float32_step = false;
template <>
inline constexpr bool one_float32_step<tanh_function> = true;
template <>
inline constexpr bool one_float32_step<erf_function> = true;
template <>
inline constexpr bool one_float32_step<arctan_function> = true;

/// What an ExecuTorch graph computes at one code. Parameters are checked when it is made.
///
/// Formula: x = (float(code) - zero_point) * float(in.scale); x = x * float(alpha) unless alpha is 1;
///   x = x + float(shift) unless shift is 0; v = f(x) * float(1.0 / out.scale), the reciprocal in double;
///   clamp(round(v) + zero_point), halves as `ties` says. Every step is rounded to float32.
class float32_quantizer {
 public:
  /// Errors: scale_not_float32: float(in.scale), float(1.0 / out.scale) or float(alpha) is 0 or infinite (alpha may be
  /// 0 itself), or float(shift) is infinite. The scales must be finite and positive already.
  static constexpr result<float32_quantizer> make(const qparams& in, const qparams& out, double alpha, double shift,
                                                  const code_range& out_range, tie_rule ties = tie_rule::to_even) {
    float32_quantizer q;
    q.ties_ = ties;
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
  /// f(x) / scale, rounded; +-2^24 for anything beyond. Errors: outside_domain: f is not defined
  /// there; undecided: f is not a number there, or its rounding cannot be decided.
  template <certified_function F>
  constexpr result<std::int64_t> integer(F f, float32 x) const {
    const result<float32> y = float32_function(f, x);
    if (!y) {
      return rejection{.why = y.error().why, .at = place::table};
    }
    if (y->is_nan()) {
      return rejection{.why = reason::undecided, .at = place::table};
    }
    const float32 v = *y * reciprocal_;
    const std::int64_t n = (v.bits & 0x7fffffffu) >= 0x4b800000u ? std::int64_t{1} << 24 : to_integer(v);
    return v.negative() ? -n : n;
  }
  /// The output code of an integer: the zero point is added, and the sum clamped.
  constexpr std::int64_t code(std::int64_t n) const { return range_.clamp(n + out_zero_point_); }
  /// Does an odd function have opposite integers at zero_point + k and zero_point - k?
  constexpr bool symmetric() const { return !shifted_; }
  /// Zero point of the input.
  constexpr std::int64_t zero_point() const { return in_zero_point_; }

 private:
  /// |v| < 2^24, rounded.
  constexpr std::int64_t to_integer(float32 v) const {
    const int drop = -v.exponent();
    if (drop <= 0) {
      return static_cast<std::int64_t>(v.mantissa());
    }
    if (drop > 25) {
      return 0;
    }
    return static_cast<std::int64_t>(ties_ == tie_rule::to_even
                                         ? shift_right_half_even(v.mantissa(), drop)
                                         : (v.mantissa() + (std::uint64_t{1} << (drop - 1))) >> drop);
  }
  static constexpr rejection refuse(place at) { return {.why = reason::scale_not_float32, .at = at}; }

  float32 scale_, reciprocal_, alpha_, shift_;
  bool scaled_ = false, shifted_ = false;
  std::int64_t in_zero_point_ = 0, out_zero_point_ = 0;
  code_range range_;
  tie_rule ties_ = tie_rule::to_even;
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
