// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponential function.
#ifndef DYTQ_FUNCTIONS_EXP_HPP
#define DYTQ_FUNCTIONS_EXP_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "exponential.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

/// e^x.
struct exp_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?
  /// f(0).
  static constexpr estimate at_zero = make_estimate(1, 0);

  /// The certified sign of e^x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    if (y.negative || y.is_zero()) {
      return certified_sign::positive;
    }
    const real<N> one(std::int64_t{1});
    if (x.is_zero()) {
      return compare(one, y);
    }
    if (!x.negative && at_least(one, y)) {
      return certified_sign::positive;
    }
    if (x.negative && at_least(y, one)) {
      return certified_sign::negative;
    }
    if (x.exponent > decay_limit_log2 - 1) {
      const bool within = y.known() && y.exponent > -range_log2 && y.exponent < range_log2;
      return !within ? certified_sign::unknown : x.negative ? certified_sign::negative : certified_sign::positive;
    }
    const decay<N> e(x.magnitude());
    const bool below_one = x.exponent < 0;
    if (!x.negative) {
      return below_one ? compare(e.complement, (y - one) * e.value) : compare(one, y * e.value);
    }
    return below_one ? compare(one - y, e.complement) : compare(e.value, y);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }

  /// e^(+-x) for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > decay_limit_log2) {
      return beyond(x_negative);
    }
    const estimate e = decay_estimate(x).value;
    return x_negative ? e : make_estimate(1, 0) / e;
  }

  /// The table walks e^(-2^decay_log2 |x|) by multiplication.
  static constexpr int decay_log2 = 0;
  /// |f(x)| from e = e^(-2^decay_log2 |x|); see `decaying_function`.
  template <class Argument>
  static constexpr estimate magnitude_from(const estimate& e, const Argument&, bool x_negative) {
    return x_negative ? e : make_estimate(1, 0) / e;
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool x_negative) { return x_negative ? estimate{} : beyond(false); }

 private:
  static constexpr estimate beyond(bool x_negative) {
    return {std::uint64_t{1} << 63, x_negative ? -range_log2 : range_log2, 0};
  }
};

/// e^x.
inline constexpr exp_function exp{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
