// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function must offer to become a table, and every function that is here.
#ifndef DYTQ_FUNCTION_HPP
#define DYTQ_FUNCTION_HPP

#include <concepts>

#include "functions/arctan.hpp"
#include "functions/erf.hpp"
#include "functions/exp.hpp"
#include "functions/gelu.hpp"
#include "functions/isru.hpp"
#include "functions/logistic.hpp"
#include "functions/silu.hpp"
#include "functions/tanh.hpp"
#include "numbers/estimate.hpp"
#include "numbers/real.hpp"

namespace dytq {
inline namespace v0 {

/// A real function f that can be made into tables: one certified sign.
///
///     struct my_function {
///       template <std::size_t N>
///       static constexpr certified_sign sign(const real<N>& x, const real<N>& y);
///     };
///
/// Formula: sign(x, y) is the sign of f(x) - y.
/// Range: N is 2, 4 and 6 in turn, until the sign is known. x is exact, or known to 2^(1 - 64 N); y is a rounding
///   boundary, 0 or 2^-1075 <= |y| < 2^1042, exact. Any x that a table reads must have an answer.
/// Exactness: the answer must be true, or `unknown`; `zero` only for equality that is certain, which rounds to even.
///   Arithmetic on `real` carries its own error, so that it is enough to add the error of cutting a series, and to
///   end with `compare`. A function that approaches a boundary closer than any precision (a small argument, a limit)
///   needs a bracket for it first, such as tanh x < x.
/// Cost: two or three signs an entry. Nothing else is asked of f: it need not be monotone, nor bounded.
template <class F>
concept certified_function = requires(const real<2>& x2, const real<4>& x4, const real<6>& x6) {
  { F::template sign<2>(x2, x2) } -> std::same_as<certified_sign>;
  { F::template sign<4>(x4, x4) } -> std::same_as<certified_sign>;
  { F::template sign<6>(x6, x6) } -> std::same_as<certified_sign>;
};

/// A certified function that also offers a quick estimate: magnitude(x, x_negative) encloses |f(+-x)| for x > 0,
/// negative(x_negative) is the sign of f there, `odd` tells f(-x) = -f(x), has_limit(x_negative) whether |f| is
/// monotone on that side with limit(x_negative) as its bound. Entries that the estimate decides need no sign.
template <class F>
concept estimated_function = certified_function<F> && requires(const estimate& x) {
  { F::odd } -> std::convertible_to<bool>;
  { F::magnitude(x, true) } -> std::same_as<estimate>;
  { F::negative(true) } -> std::same_as<bool>;
  { F::has_limit(true) } -> std::same_as<bool>;
  { F::limit(true) } -> std::same_as<estimate>;
};

/// An estimated function of E = e^(-2^decay_log2 |x|): magnitude_from(E, x, x_negative), x() being the estimate of |x|.
template <class F>
concept decaying_function = estimated_function<F> && requires {
  { F::decay_log2 } -> std::convertible_to<int>;
};

/// An estimated function with a coarser estimate from q = e^(-2^gauss_log2 x^2): quick(x, q, x_negative). Entries that
/// it leaves open go to magnitude(), and from there to the sign.
template <class F>
concept gaussian_function = estimated_function<F> && requires(const estimate& x) {
  { F::gauss_log2 } -> std::convertible_to<int>;
  { F::quick(x, x, true) } -> std::same_as<estimate>;
};

}  // namespace v0
}  // namespace dytq

#endif
