// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions, the requirements of a user's own function, and the check for it.
#ifndef DYTQ_FUNCTION_HPP
#define DYTQ_FUNCTION_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codes.hpp"
#include "functions/certified_function.hpp"
#include "functions/erf.hpp"
#include "functions/exponential.hpp"
#include "functions/hyperbolic.hpp"
#include "functions/logarithms.hpp"
#include "functions/piecewise.hpp"
#include "functions/powers.hpp"
#include "functions/trigonometric.hpp"
#include "functions/units.hpp"
#include "numbers/integer.hpp"
#include "result.hpp"
#include "tables/argument.hpp"
#include "tables/certified_table.hpp"

namespace dytq {
inline namespace v0 {

/// A real function f that can be made into tables: one certified sign. For tables in constant expressions add an
/// estimate as well (`estimated_function`): by signs alone most tables exceed the compilers' default limits.
///
///     struct my_function {
///       template <std::size_t N>
///       static constexpr certified_sign sign(const real<N>& x, const real<N>& y);
///     };
///
/// Formula: sign(x, y) is the sign of f(x) - y. A function with parameters has them as members, and a sign that is not
///   static.
/// Range: N is 2, 4 and 6 in turn, until the sign is known. x is exact, or known to 2^(1 - 64 N); y is a rounding
///   boundary, 0 or 2^-1075 <= |y| < 2^1042, exact. Any x that a table reads must have an answer.
/// Exactness: the answer must be true, or `unknown`; `zero` only for equality that is certain, a tie.
///   Arithmetic on `real` carries its own error, so that it is enough to add the error of cutting a series, and to
///   end with `compare`. A function that approaches a boundary closer than any precision (a small argument, a limit)
///   needs a bracket for it first, such as tanh x < x. With a third parameter, const exact_sum<N>& terms, it is given
///   x as well as two exact terms, whose differences with other numbers are exact where x has been cut.
/// Cost: two or three signs an entry. Nothing else is asked of f: it need not be monotone, nor bounded.
template <class F>
concept certified_function = detail::certified_function<F>;

/// What the author of a function works with; each is described where it is defined.
using detail::at_least;        // is a certainly not less than b?
using detail::certified_sign;  // numbers/real.hpp: a sign, or `unknown`
using detail::compare;         // the certified sign of a - b
using detail::decay;           // functions/exponential.hpp: e^-t and 1 - e^-t, for t below 2^decay_limit_log2
using detail::decay_estimate;  // the same as estimates
using detail::decay_limit_log2;
using detail::dyadic;     // numbers/integer.hpp: a double as a mantissa and an exponent
using detail::estimate;   // numbers/estimate.hpp: a number >= 0 of one limb that carries its error
using detail::exact_sum;  // two exact terms, whose sum has been cut
using detail::infinite_estimate;
using detail::make_estimate;
using detail::one_minus;
using detail::one_plus;
using detail::real;     // a number of N limbs that carries its error
using detail::sign_of;  // the certified sign of an exact sum
using detail::signed_estimate;
using detail::square_root;
using detail::unknown_estimate;

/// The functions. Each is a value of a type of its own; all are estimated functions, fit for constant expressions.
namespace functions {

// Hyperbolic functions and their inverses.

/// The hyperbolic tangent.
inline constexpr detail::tanh_function tanh{};
/// The hyperbolic sine.
inline constexpr detail::sinh_function sinh{};
/// The hyperbolic cosine.
inline constexpr detail::cosh_function cosh{};
/// The inverse hyperbolic sine.
inline constexpr detail::asinh_function asinh{};
/// The inverse hyperbolic cosine.
inline constexpr detail::acosh_function acosh{};
/// The inverse hyperbolic tangent.
inline constexpr detail::atanh_function atanh{};

// Exponentials.

/// e^x.
inline constexpr detail::exp_function exp{};
/// e^x - 1.
inline constexpr detail::expm1_function expm1{};
/// 2^x.
inline constexpr detail::exp2_function exp2{};

// Logarithms, and softplus.

/// The natural logarithm.
inline constexpr detail::log_function log{};
/// log(1 + x).
inline constexpr detail::log1p_function log1p{};
/// The logarithm to the base 2.
inline constexpr detail::log2_function log2{};
/// The logarithm to the base 10.
inline constexpr detail::log10_function log10{};
/// log(1 + e^x).
inline constexpr detail::softplus_function softplus{};

// The error function and its relatives.

/// The error function.
inline constexpr detail::erf_function erf{};
/// x/2 (1 + erf(x / sqrt 2)).
inline constexpr detail::gelu_function gelu{};
/// The inverse error function.
inline constexpr detail::erfinv_function erfinv{};

// Trigonometric functions and their inverses.

/// The arc tangent.
inline constexpr detail::arctan_function arctan{};
/// The sine.
inline constexpr detail::sin_function sin{};
/// The cosine.
inline constexpr detail::cos_function cos{};
/// The tangent.
inline constexpr detail::tan_function tan{};
/// The arc sine.
inline constexpr detail::asin_function asin{};
/// The arc cosine.
inline constexpr detail::acos_function acos{};

// Powers.

/// x / sqrt(1 + x^2).
inline constexpr detail::isru_function isru{};
/// The square root.
inline constexpr detail::sqrt_function sqrt{};
/// The reciprocal of the square root.
inline constexpr detail::rsqrt_function rsqrt{};
/// 1 / x.
inline constexpr detail::reciprocal_function reciprocal{};

// Piecewise linear functions, and steps.

/// The greatest integer that is not above x.
inline constexpr detail::floor_function floor{};
/// The least integer that is not below x.
inline constexpr detail::ceil_function ceil{};
/// The integer nearest to x, half to even.
inline constexpr detail::round_function round{};
/// The type of `leaky_relu`, whose member is its parameter.
using leaky_relu_function = detail::leaky_relu_function;
/// x, or slope * x below 0; leaky_relu{slope} for another slope than 0.01.
inline constexpr leaky_relu_function leaky_relu{};
/// max(x, 0).
inline constexpr detail::relu_function relu{};
/// clamp(x + 3, 0, 6) / 6.
inline constexpr detail::hardsigmoid_function hardsigmoid{};
/// x hardsigmoid x.
inline constexpr detail::hardswish_function hardswish{};

// Smooth units of networks.

/// 1 / (1 + e^-x).
inline constexpr detail::logistic_function logistic{};
/// x / (1 + e^-x).
inline constexpr detail::silu_function silu{};
/// x tanh(softplus x).
inline constexpr detail::mish_function mish{};
/// gelu in its tanh form.
inline constexpr detail::gelu_tanh_function gelu_tanh{};
/// The type of `elu`, whose member is its parameter.
using elu_function = detail::elu_function;
/// x, or alpha (e^x - 1) below 0; elu{alpha} for another alpha than 1.
inline constexpr elu_function elu{};

}  // namespace functions

/// Result of `check_function`.
struct function_check {
  rejection why{};          ///< none, or what differs: `code`, the entry by signs alone (expected), by estimates (got)
  std::int64_t tables = 0;  ///< how many tables were compared
  qparams in{};             ///< quantization of the last table's input: of the one that differs
  qparams out{};            ///< and of its output
  double alpha = 1.0;       ///< it was a table of f(alpha * x + shift)
  double shift = 0.0;       ///< see alpha

  /// Is every table the same both ways?
  constexpr explicit operator bool() const { return !why.exists(); }
};

namespace detail {

/// Parameters of tables, drawn without floating-point arithmetic.
class parameter_draw {
 public:
  constexpr std::uint64_t below(std::uint64_t n) { return next() % n; }
  /// A double of any mantissa between 2^lo and 2^hi, or of mantissa 1.
  constexpr double number(int lo, int hi, bool power_of_two = false) {
    const std::uint64_t mantissa = next() >> 12, exponent = below(static_cast<std::uint64_t>(hi - lo));
    return std::bit_cast<double>((exponent + static_cast<std::uint64_t>(lo + 1023)) << 52 |
                                 (power_of_two ? 0 : mantissa));
  }
  constexpr std::int32_t code() { return static_cast<std::int32_t>(below(256)) - 128; }

 private:
  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 1;
};

/// The most codes in a row at which f is defined; empty if there are none.
template <class F>
constexpr code_range defined_codes(const F& f, const argument& x, std::int64_t zero_point, const code_range& of) {
  if constexpr (!bounded_domain<F>) {
    return of;
  }
  code_range best{0, -1}, now{of.lo, of.lo - 1};
  for (std::int64_t code = of.lo; code <= of.hi; ++code) {
    const std::int64_t k = code - zero_point;
    if (undefined_at(f, x, k) || first_outside(f, x, {k, k}) != unset) {
      now = {code + 1, code};
    } else {
      now.hi = code;
      best = now.hi - now.lo > best.hi - best.lo ? now : best;
    }
  }
  return best;
}

/// The first entry in which the table by estimates is not that by signs alone.
template <certified_function F>
constexpr rejection compare_with_signs(const F& f, const argument& x, const qparams& in, const quantizer& out,
                                       const code_grid& grid, const code_range& read) {
  std::array<std::int16_t, 513> by_estimates{}, by_signs{};
  const rejection refused = table_maker<F>(f, x, in.zero_point, out, grid, by_estimates).make(read);
  const rejection truth = table_maker<F, false>(f, x, in.zero_point, out, grid, by_signs).make(read);
  if (refused.exists() && truth.exists()) {
    return refused.why == truth.why ? rejection{} : truth;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(grid.count); ++i) {
    const std::int64_t code = grid.code(static_cast<std::int64_t>(i));
    if (refused.exists() || truth.exists() || by_estimates[i] != by_signs[i]) {
      return {.why = reason::estimate_wrong,
              .at = place::table,
              .code = refused.exists() ? refused.code
                      : truth.exists() ? truth.code
                                       : code,
              .expected = truth.exists() ? unset : std::int64_t{by_signs[i]},
              .got = refused.exists() ? unset : std::int64_t{by_estimates[i]}};
    }
  }
  return {};
}

}  // namespace detail

/// For authors of functions: compares tables made with the estimate and the other declared properties of f with tables
/// made by its sign alone. For `tables` quantizations: usual scales, powers of two for which every second boundary is a
/// tie, small arguments, scales of any size, alpha and shift; every eighth is int16, the others int8.
///
/// Errors: estimate_wrong, with the quantization, the code and both entries: the estimate does not hold f, f is not odd
///   or has another f(0) or limit than it says, or the sign is undecided where the estimate is not.
/// Exactness: the sign is believed; compare that with an arithmetic of your own.
/// Cost: some thousand signs a table; the default takes a second. Not constexpr: a compiler would try to make all these
///   tables wherever the result is a constant, for minutes.
template <certified_function F>
function_check check_function(const F& f, int tables = 64) {
  function_check all;
  detail::parameter_draw draw;
  for (int i = 0; i < tables; ++i) {
    const bool powers = i % 4 == 1, tiny = i % 8 == 2, any = i % 8 == 6;
    all.in = {.scale = draw.number(any    ? -1000
                                   : tiny ? -60
                                          : -9,
                                   any    ? 1000
                                   : tiny ? -20
                                          : 1,
                                   powers),
              .zero_point = i % 3 == 0 ? 0 : draw.code()};
    all.out = {.scale = tiny ? all.in.scale : draw.number(any ? -1000 : -10, any ? 1000 : -1, powers),
               .zero_point = i % 3 == 1 ? 0 : draw.code()};
    all.alpha = i % 5 == 4 ? draw.number(-2, 2) : 1.0;
    all.shift = i % 4 == 3 ? draw.number(-4, 2, draw.below(2) == 0) : 0.0;
    const detail::argument x(detail::dyadic(all.alpha), detail::dyadic(all.in.scale), detail::dyadic(all.shift));
    const code_range type = i % 8 == 7 ? int16_range : int8_range,
                     read = detail::defined_codes(f, x, all.in.zero_point, type);
    if (read.empty()) {
      continue;
    }
    ++all.tables;
    const detail::quantizer out(detail::dyadic(all.out.scale), all.out.zero_point, type);
    const detail::code_grid grid = i % 8 == 7 ? detail::code_grid{-32768, 128, 513} : detail::code_grid{-128, 1, 256};
    all.why = detail::compare_with_signs(f, x, all.in, out, grid, read);
    if (all.why.exists()) {
      break;
    }
  }
  return all;
}

}  // namespace v0
}  // namespace dytq

#endif
