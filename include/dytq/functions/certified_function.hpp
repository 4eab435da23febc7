// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concepts of functions that tables are made of: what a function must offer, and what it may offer.
// Folder functions: one header for each family of functions, and the concept that they meet. Not here: a table.
#ifndef DYTQ_FUNCTIONS_CERTIFIED_FUNCTION_HPP
#define DYTQ_FUNCTIONS_CERTIFIED_FUNCTION_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "../tables/argument.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// What `certified_function` of function.hpp asks.
template <class F>
concept certified_function = requires(const F& f, const real<2>& x2, const real<4>& x4, const real<6>& x6) {
  { f.template sign<2>(x2, x2) } -> std::same_as<certified_sign>;
  { f.template sign<4>(x4, x4) } -> std::same_as<certified_sign>;
  { f.template sign<6>(x6, x6) } -> std::same_as<certified_sign>;
};

/// A certified function that also offers a quick estimate of f(x) for x != 0, in one of two forms. Of |f(+-x)| for
/// x > 0, and the sign of f on this side of 0:
///
///     estimate magnitude(const estimate& x, bool x_negative) const;
///     bool negative(bool x_negative) const;
///
/// Or of any sign, where x() is |x|, x.negative() its sign, and x.exact() a real<2>:
///
///     template <class X> signed_estimate value(const X& x) const;
///
/// Entries that the estimate decides need no sign: about ten times fewer constexpr steps. Both forms may be static.
/// The members below are optional. Without one, the sign is used in its place, or the default in brackets:
///
///     bool valid() const;                     // may there be tables with these parameters? (true)
///     static constexpr bool odd;              // f(-x) = -f(x)? (false)
///     static constexpr estimate at_zero;      // f(0), or a signed_estimate (asked of the sign)
///     bool has_limit(bool x_negative) const;  // is |f| monotone on that side, towards limit()? (false)
///     estimate limit(bool x_negative) const;  // the limit of |f|
///
/// Exactness: an estimate may have any error, or be unknown, but f(x) must lie within it: `check_function` compares
///   tables made with it to tables made by signs alone.
template <class F>
concept estimated_function = certified_function<F> &&(
    requires(const F& f, const estimate& x) {
      { f.magnitude(x, true) } -> std::same_as<estimate>;
      { f.negative(true) } -> std::same_as<bool>;
    } ||
    requires(const F& f, const abscissa& x) {
      { f.value(x) } -> std::same_as<signed_estimate>;
    });

/// An estimated function of E = e^(-2^decay_log2 |x|): magnitude_from(E, x, x_negative), x() being the estimate of |x|.
template <class F>
concept decaying_function = estimated_function<F> && requires(const F& f, const estimate& e, const abscissa& x) {
  { F::decay_log2 } -> std::convertible_to<int>;
  { f.magnitude_from(e, x, true) } -> std::same_as<estimate>;
};

/// An estimated function with a coarser estimate from q = e^(-2^gauss_log2 x^2): quick(x, q, x_negative). Entries that
/// it does not decide are asked of magnitude(), and then of the sign.
template <class F>
concept gaussian_function = estimated_function<F> && requires(const F& f, const estimate& x) {
  { F::gauss_log2 } -> std::convertible_to<int>;
  { f.quick(x, x, true) } -> std::same_as<estimate>;
};

/// A function that is not defined everywhere: on [domain_min, domain_max], either of which may be missing, and not at 0
/// if it has `undefined_at_zero`. At an end with a pole, sign() is that of the infinite value.
template <class F>
concept bounded_domain = requires {
  { F::domain_min } -> std::convertible_to<std::int64_t>;
}
|| requires {
  { F::domain_max } -> std::convertible_to<std::int64_t>;
}
|| requires {
  { F::undefined_at_zero } -> std::convertible_to<bool>;
};

template <class F>
constexpr bool odd_of() {
  if constexpr (requires { F::odd; }) {
    return F::odd;
  } else {
    return false;
  }
}
template <class F>
inline constexpr bool is_odd = odd_of<F>();

/// Is |f| monotone on this side, with a limit?
template <class F>
constexpr bool limited_on(const F& f, bool x_negative) {
  if constexpr (requires {
                  f.has_limit(x_negative);
                  f.limit(x_negative);
                  f.negative(x_negative);
                }) {
    return f.has_limit(x_negative);
  } else {
    return false;
  }
}
/// The limit; only where there is one.
template <class F>
constexpr signed_estimate limit_of(const F& f, bool x_negative) {
  if constexpr (requires {
                  f.has_limit(x_negative);
                  f.limit(x_negative);
                  f.negative(x_negative);
                }) {
    return {f.limit(x_negative), f.negative(x_negative)};
  } else {
    return {unknown_estimate, false};
  }
}

/// Prepares the argument for the estimates of a periodic function.
template <class F>
constexpr void prepare(const F&, argument& x) {
  if constexpr (requires { F::periodic; }) {
    x.measure_turns();
  }
}

/// The estimate of f(x), by either form.
template <class F>
constexpr signed_estimate estimate_of(const F& f, const abscissa& x) {
  if constexpr (requires { f.value(x); }) {
    return f.value(x);
  } else {
    return {f.magnitude(x(), x.negative()), f.negative(x.negative())};
  }
}

/// The certified sign of f(x) - y at the argument's k.
template <std::size_t N, class F>
constexpr certified_sign certified_sign_of(const F& f, const argument& x, std::int64_t k, const real<N>& y) {
  if constexpr (requires(const exact_sum<N>& terms) { f.template sign<N>(y, y, terms); }) {
    const exact_sum<N> terms = x.terms<N>(k);
    return f.template sign<N>(terms.b.is_zero() ? terms.a : terms.a + terms.b, y, terms);
  } else {
    return f.template sign<N>(x.at<N>(k), y);
  }
}

/// The least k of a range whose argument is outside f's domain, or unset.
template <class F>
constexpr std::int64_t first_outside(const F&, const argument& x, const code_range& ks) {
  const auto outside = [&](std::int64_t k) {
    // The sign of x - end, in fixed point if that decides it.
    const auto beyond = [&x, k](std::int64_t end) {
      const signed_estimate v = x.offset(k, -end);
      return v.size.known() ? (v.size.m == 0 ? certified_sign::zero
                               : v.negative  ? certified_sign::negative
                                             : certified_sign::positive)
                            : sign_of(x.terms<6>(k).plus(real<6>(-end)));
    };
    bool out = false;
    if constexpr (requires { F::domain_min; }) {
      out = beyond(F::domain_min) == certified_sign::negative;
    }
    if constexpr (requires { F::domain_max; }) {
      out = out || beyond(F::domain_max) == certified_sign::positive;
    }
    return out;
  };
  // The domain is an interval and the argument is monotone in k: if both ends are inside, all are.
  if constexpr (
      requires { F::domain_min; } || requires { F::domain_max; }) {
    if (outside(ks.lo) || outside(ks.hi)) {
      std::int64_t k = ks.lo;
      while (!outside(k)) {
        ++k;
      }
      return k;
    }
  }
  return unset;
}

/// Is the argument 0, where f is not defined?
template <class F>
constexpr bool undefined_at(const F&, const argument& x, std::int64_t k) {
  if constexpr (requires { F::undefined_at_zero; }) {
    return x.at<6>(k).is_zero();
  }
  return false;
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
