// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters that a table maker is most likely to stumble over.
#ifndef DYTQ_TESTS_LUT_GENERATOR_HPP
#define DYTQ_TESTS_LUT_GENERATOR_HPP

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "reference.hpp"

namespace generator {

inline double uniform(std::mt19937_64& g) { return static_cast<double>(g() >> 11) * 0x1p-53; }
inline std::int64_t between(std::mt19937_64& g, std::int64_t lo, std::int64_t hi) {
  return lo + static_cast<std::int64_t>(g() % static_cast<std::uint64_t>(hi - lo + 1));
}
/// Any positive finite double, every exponent as likely as another.
inline double any_positive(std::mt19937_64& g) {
  const std::uint64_t bits = g() & 0x7fffffffffffffffu;
  const double v = std::bit_cast<double>(bits);
  return std::isfinite(v) && v > 0 ? v : 0x1p-1074;
}
inline double power_of_two(std::mt19937_64& g, int lo, int hi) {
  return std::ldexp(1.0, static_cast<int>(between(g, lo, hi)));
}
inline double usual_scale(std::mt19937_64& g) { return std::exp(-uniform(g) * 12.0) * 4.0; }

/// f((n + 1/2)) made to lie on a boundary: scale_out = f(x) / (n + 1/2), and with `closer` a shift that is corrected by
/// the tiny rest, which brings the boundary to within about 2^-100.
inline void make_adversarial(std::mt19937_64& g, reference::kind f, reference::parameters& p, bool closer) {
  const std::int64_t k = between(g, 1, 100), n = between(g, 0, 120);
  reference::number x(2000), value(400), high(400), slope(400);
  if (closer) {
    p.shift = (uniform(g) - 0.4) * 4.0;
    mpfr_set_d(x, p.shift, MPFR_RNDN);
  } else {
    mpfr_set_d(x, p.scale_in, MPFR_RNDN);
    mpfr_mul_d(x, x, p.alpha, MPFR_RNDN);
    mpfr_mul_si(x, x, static_cast<long>(k), MPFR_RNDN);
  }
  reference::evaluate(f, value, x, p.parameter);
  mpfr_div_d(high, value, static_cast<double>(n) + 0.5, MPFR_RNDN);
  const double out = std::fabs(mpfr_get_d(high, MPFR_RNDN));
  if (!std::isfinite(out) || out == 0) {
    return;
  }
  p.scale_out = out;
  if (closer) {
    // f(shift) + f' * alpha * scale_in * k = boundary.
    reference::number a(2000), fa(400);
    mpfr_set_d(a, p.shift, MPFR_RNDN);
    mpfr_add_d(a, a, 0x1p-120, MPFR_RNDN);
    reference::evaluate(f, fa, a, p.parameter);
    mpfr_sub(slope, fa, value, MPFR_RNDN);
    mpfr_mul_2ui(slope, slope, 120, MPFR_RNDN);
    reference::number rest(400);
    mpfr_set_d(rest, out, MPFR_RNDN);
    mpfr_mul_d(rest, rest, static_cast<double>(n) + 0.5, MPFR_RNDN);
    mpfr_abs(high, value, MPFR_RNDN);
    mpfr_sub(rest, rest, high, MPFR_RNDN);
    if (mpfr_sgn(value) < 0) {
      mpfr_neg(rest, rest, MPFR_RNDN);
    }
    mpfr_div(rest, rest, slope, MPFR_RNDN);
    mpfr_div_si(rest, rest, static_cast<long>(k), MPFR_RNDN);
    const double step = mpfr_get_d(rest, MPFR_RNDN);
    if (std::isfinite(step) && step != 0) {
      p.alpha = step < 0 ? -1.0 : 1.0;
      p.scale_in = std::fabs(step);
    }
  }
}

inline reference::parameters draw(std::mt19937_64& g, reference::kind f, int bits) {
  const std::int64_t lo = bits == 8 ? -128 : -32768;
  const double shrink = bits == 8 ? 1.0 : 1.0 / 256;
  reference::parameters p;
  if (f == reference::kind::elu || f == reference::kind::leaky_relu) {
    p.parameter = g() % 4 == 0 ? std::ldexp(1.0, static_cast<int>(between(g, -8, 2))) : (uniform(g) - 0.2) * 2;
  }
  p.scale_in = usual_scale(g) * shrink;
  p.scale_out = usual_scale(g) * shrink;
  p.zero_point_in = g() % 3 == 0 ? 0 : between(g, lo, -lo - 1);
  p.zero_point_out = g() % 3 == 0 ? 0 : between(g, lo, -lo - 1);
  if (g() % 4 == 0) {
    p.alpha = (uniform(g) - 0.3) * 4;
  }
  if (g() % 8 == 0) {
    p.shift = (uniform(g) - 0.5) * (g() % 2 == 0 ? 4 : 0x1p-30);
  }
  switch (g() % 10) {
    case 0:  // exact powers of two: ties but for the curvature
      p.scale_in = power_of_two(g, -60, 4);
      p.scale_out = power_of_two(g, -60, 4);
      break;
    case 1: {  // the same, where the slope at zero meets the ratio of the scales
      p.scale_in = power_of_two(g, -300, -2);
      p.scale_out = std::ldexp(p.scale_in, static_cast<int>(between(g, -3, 3)));
      p.alpha = 1.0;
      p.shift = 0.0;
      break;
    }
    case 2:  // any exponents
      p.scale_in = any_positive(g);
      p.scale_out = any_positive(g);
      break;
    case 3:  // small against small, with any mantissa
      p.scale_in = any_positive(g);
      p.scale_out = p.scale_in * (g() % 2 == 0 ? 0.5 + uniform(g) : power_of_two(g, -2, 2));
      p.scale_out = std::isfinite(p.scale_out) && p.scale_out > 0 ? p.scale_out : 1.0;
      break;
    case 4: make_adversarial(g, f, p, false); break;
    case 5:
    case 6: make_adversarial(g, f, p, true); break;
    case 7:  // saturation, with 1 and its neighbours on a boundary
      p.scale_in = usual_scale(g) * shrink * 8;
      p.scale_out = 2.0 / static_cast<double>(2 * between(g, 0, 127) + 1);
      p.scale_out = g() % 2 == 0 ? p.scale_out : std::nextafter(p.scale_out, uniform(g) < 0.5 ? 0.0 : 4.0);
      break;
    default: break;
  }
  // Where f has an end or a pole: the shift on it, and steps that stay near. Half of the tables of such functions.
  const reference::interval in = reference::domain(f);
  const bool low = std::isfinite(in.lo) && (!std::isfinite(in.hi) || g() % 2 == 0);
  if ((low || std::isfinite(in.hi)) && g() % 2 == 0) {
    p.shift = low ? in.lo : in.hi;
    p.alpha = low ? 1.0 : -1.0;
    p.zero_point_in = g() % 3 == 0 ? lo + 1 : lo;
    p.scale_in = g() % 2 == 0 ? std::ldexp(uniform(g) + 0.5, static_cast<int>(between(g, -200, -8)))
                              : 2.0 / (bits == 8 ? 256 : 65536) * (uniform(g) + 0.1);
    if (f == reference::kind::erfinv && g() % 4 != 0) {  // MPFR needs a minute for erfc of 12
      p.scale_in = std::ldexp(uniform(g) + 0.5, static_cast<int>(between(g, -60, -8)));
    }
  }
  const bool periodic = f == reference::kind::sin || f == reference::kind::cos || f == reference::kind::tan;
  if (periodic && g() % 3 == 0) {
    p.scale_in = g() % 2 == 0 ? std::ldexp(uniform(g) + 0.5, static_cast<int>(between(g, 0, 1000)))
                              : 1.5707963267948966 / static_cast<double>(between(g, 1, 64));
    p.shift = g() % 4 == 0 ? std::ldexp(uniform(g) + 0.5, static_cast<int>(between(g, 0, 1000))) : p.shift;
  }
  return p;
}

}  // namespace generator

#endif
