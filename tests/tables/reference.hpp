// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables by MPFR: a second way to the same entries that shares no arithmetic with the library.
#ifndef DYTQ_TESTS_LUT_REFERENCE_HPP
#define DYTQ_TESTS_LUT_REFERENCE_HPP

#define MPFR_USE_NO_MACRO  // its macros look into the structure, which `number` hides
#include <mpfr.h>

#include <cmath>
#include <cstdint>

#include <dytq/codes.hpp>
#include <dytq/function.hpp>

namespace reference {

/// An MPFR number that cleans up after itself.
class number {
 public:
  explicit number(mpfr_prec_t bits = 400) { mpfr_init2(v_, bits); }
  ~number() { mpfr_clear(v_); }
  number(const number&) = delete;
  number& operator=(const number&) = delete;
  operator mpfr_ptr() { return v_; }
  operator mpfr_srcptr() const { return v_; }

 private:
  mpfr_t v_;
};

enum class kind {
  // clang-format off
  tanh, logistic, erf, exp, gelu, silu, isru, arctan,
  log, log1p, log2, log10, sqrt, rsqrt, reciprocal, expm1, exp2, sin, cos, tan, sinh, cosh, asin, acos, atanh,
  asinh, acosh, erfinv, softplus, mish, gelu_tanh, hardsigmoid, hardswish, elu, leaky_relu, relu, ceil, floor, round
  // clang-format on
};

constexpr kind kind_of(dytq::detail::tanh_function) { return kind::tanh; }
constexpr kind kind_of(dytq::detail::logistic_function) { return kind::logistic; }
constexpr kind kind_of(dytq::detail::erf_function) { return kind::erf; }
constexpr kind kind_of(dytq::detail::exp_function) { return kind::exp; }
constexpr kind kind_of(dytq::detail::gelu_function) { return kind::gelu; }
constexpr kind kind_of(dytq::detail::silu_function) { return kind::silu; }
constexpr kind kind_of(dytq::detail::isru_function) { return kind::isru; }
constexpr kind kind_of(dytq::detail::arctan_function) { return kind::arctan; }
constexpr kind kind_of(dytq::detail::log_function) { return kind::log; }
constexpr kind kind_of(dytq::detail::log1p_function) { return kind::log1p; }
constexpr kind kind_of(dytq::detail::log2_function) { return kind::log2; }
constexpr kind kind_of(dytq::detail::log10_function) { return kind::log10; }
constexpr kind kind_of(dytq::detail::sqrt_function) { return kind::sqrt; }
constexpr kind kind_of(dytq::detail::rsqrt_function) { return kind::rsqrt; }
constexpr kind kind_of(dytq::detail::reciprocal_function) { return kind::reciprocal; }
constexpr kind kind_of(dytq::detail::expm1_function) { return kind::expm1; }
constexpr kind kind_of(dytq::detail::exp2_function) { return kind::exp2; }
constexpr kind kind_of(dytq::detail::sin_function) { return kind::sin; }
constexpr kind kind_of(dytq::detail::cos_function) { return kind::cos; }
constexpr kind kind_of(dytq::detail::tan_function) { return kind::tan; }
constexpr kind kind_of(dytq::detail::sinh_function) { return kind::sinh; }
constexpr kind kind_of(dytq::detail::cosh_function) { return kind::cosh; }
constexpr kind kind_of(dytq::detail::asin_function) { return kind::asin; }
constexpr kind kind_of(dytq::detail::acos_function) { return kind::acos; }
constexpr kind kind_of(dytq::detail::atanh_function) { return kind::atanh; }
constexpr kind kind_of(dytq::detail::asinh_function) { return kind::asinh; }
constexpr kind kind_of(dytq::detail::acosh_function) { return kind::acosh; }
constexpr kind kind_of(dytq::detail::erfinv_function) { return kind::erfinv; }
constexpr kind kind_of(dytq::detail::softplus_function) { return kind::softplus; }
constexpr kind kind_of(dytq::detail::mish_function) { return kind::mish; }
constexpr kind kind_of(dytq::detail::gelu_tanh_function) { return kind::gelu_tanh; }
constexpr kind kind_of(dytq::detail::hardsigmoid_function) { return kind::hardsigmoid; }
constexpr kind kind_of(dytq::detail::hardswish_function) { return kind::hardswish; }
constexpr kind kind_of(dytq::functions::elu_function) { return kind::elu; }
constexpr kind kind_of(dytq::functions::leaky_relu_function) { return kind::leaky_relu; }
constexpr kind kind_of(dytq::detail::relu_function) { return kind::relu; }
constexpr kind kind_of(dytq::detail::ceil_function) { return kind::ceil; }
constexpr kind kind_of(dytq::detail::floor_function) { return kind::floor; }
constexpr kind kind_of(dytq::detail::round_function) { return kind::round; }

/// Does MPFR round f itself correctly, so that its ternary value tells the side of the true value?
constexpr bool is_correct(kind f) {
  switch (f) {
    case kind::logistic:
    case kind::gelu:
    case kind::silu:
    case kind::isru:
    case kind::erfinv:
    case kind::softplus:
    case kind::mish:
    case kind::gelu_tanh:
    case kind::hardsigmoid:
    case kind::hardswish:
    case kind::elu:
    case kind::leaky_relu:
    case kind::relu:
    case kind::ceil:
    case kind::floor:
    case kind::round: return false;
    default: return true;
  }
}

/// Where f is defined: [lo, hi], and whether it is infinite at an end.
struct interval {
  double lo = -HUGE_VAL, hi = HUGE_VAL;
  bool pole = false;
};
constexpr interval domain(kind f) {
  switch (f) {
    case kind::log:
    case kind::log2:
    case kind::log10:
    case kind::rsqrt: return {0, HUGE_VAL, true};
    case kind::sqrt: return {0, HUGE_VAL};
    case kind::log1p: return {-1, HUGE_VAL, true};
    case kind::asin:
    case kind::acos: return {-1, 1};
    case kind::atanh:
    case kind::erfinv: return {-1, 1, true};
    case kind::acosh: return {1, HUGE_VAL};
    default: return {};
  }
}

/// r = x for x > 0, `below` * g(x) for x < 0.
inline int piece_below_zero(mpfr_ptr r, mpfr_srcptr x, double below, bool exponential) {
  if (mpfr_sgn(x) >= 0) {
    return mpfr_set(r, x, MPFR_RNDN);
  }
  if (exponential) {
    mpfr_expm1(r, x, MPFR_RNDN);
  } else {
    mpfr_set(r, x, MPFR_RNDN);
  }
  return mpfr_mul_d(r, r, below, MPFR_RNDN);
}

/// r = f(x); the ternary value of the last operation. r must not be x. `parameter` is that of elu and leaky_relu.
inline int evaluate(kind f, mpfr_ptr r, mpfr_srcptr x, double parameter = 1.0) {
  switch (f) {
    case kind::tanh:
      // MPFR is slow at both ends, where x - x^3 < tanh x < x and 1 - 2^-2000 < tanh x < 1 say all there is to say.
      if (!mpfr_zero_p(x) && mpfr_get_exp(x) < -400) {
        mpfr_set(r, x, MPFR_RNDN);
        return mpfr_sgn(x);
      }
      if (!mpfr_zero_p(x) && mpfr_get_exp(x) > 12) {
        mpfr_set_si(r, mpfr_sgn(x), MPFR_RNDN);
        return mpfr_sgn(x);
      }
      return mpfr_tanh(r, x, MPFR_RNDN);
    case kind::erf: return mpfr_erf(r, x, MPFR_RNDN);
    case kind::exp: return mpfr_exp(r, x, MPFR_RNDN);
    case kind::arctan: return mpfr_atan(r, x, MPFR_RNDN);
    case kind::logistic:
    case kind::silu:
      mpfr_neg(r, x, MPFR_RNDN);
      mpfr_exp(r, r, MPFR_RNDN);
      mpfr_add_ui(r, r, 1, MPFR_RNDN);
      return f == kind::silu ? mpfr_div(r, x, r, MPFR_RNDN) : mpfr_ui_div(r, 1, r, MPFR_RNDN);
    case kind::gelu: {
      number half_root(mpfr_get_prec(r));
      mpfr_set_ui_2exp(half_root, 1, -1, MPFR_RNDN);
      mpfr_sqrt(half_root, half_root, MPFR_RNDN);
      mpfr_mul(half_root, half_root, x, MPFR_RNDN);
      mpfr_neg(half_root, half_root, MPFR_RNDN);
      mpfr_erfc(r, half_root, MPFR_RNDN);
      mpfr_mul(r, r, x, MPFR_RNDN);
      return mpfr_div_2ui(r, r, 1, MPFR_RNDN);
    }
    case kind::isru: {
      number root(mpfr_get_prec(r));
      mpfr_sqr(root, x, MPFR_RNDN);
      mpfr_add_ui(root, root, 1, MPFR_RNDN);
      mpfr_sqrt(root, root, MPFR_RNDN);
      return mpfr_div(r, x, root, MPFR_RNDN);
    }
    case kind::log: return mpfr_log(r, x, MPFR_RNDN);
    case kind::log1p: return mpfr_log1p(r, x, MPFR_RNDN);
    case kind::log2: return mpfr_log2(r, x, MPFR_RNDN);
    case kind::log10: return mpfr_log10(r, x, MPFR_RNDN);
    case kind::sqrt: return mpfr_sqrt(r, x, MPFR_RNDN);
    case kind::rsqrt: return mpfr_rec_sqrt(r, x, MPFR_RNDN);
    case kind::reciprocal: return mpfr_ui_div(r, 1, x, MPFR_RNDN);
    case kind::expm1: return mpfr_expm1(r, x, MPFR_RNDN);
    case kind::exp2: return mpfr_exp2(r, x, MPFR_RNDN);
    case kind::sin: return mpfr_sin(r, x, MPFR_RNDN);
    case kind::cos: return mpfr_cos(r, x, MPFR_RNDN);
    case kind::tan: return mpfr_tan(r, x, MPFR_RNDN);
    case kind::sinh: return mpfr_sinh(r, x, MPFR_RNDN);
    case kind::cosh: return mpfr_cosh(r, x, MPFR_RNDN);
    case kind::asin: return mpfr_asin(r, x, MPFR_RNDN);
    case kind::acos: return mpfr_acos(r, x, MPFR_RNDN);
    case kind::atanh: return mpfr_atanh(r, x, MPFR_RNDN);
    case kind::asinh: return mpfr_asinh(r, x, MPFR_RNDN);
    case kind::acosh: return mpfr_acosh(r, x, MPFR_RNDN);
    case kind::erfinv: {
      if (mpfr_cmpabs_ui(x, 1) >= 0) {
        mpfr_cmpabs_ui(x, 1) == 0 ? mpfr_set_inf(r, mpfr_sgn(x)) : mpfr_set_nan(r);
        return 0;
      }
      // Halley's method on erf or erfc, from sqrt(-log(1 - |x|)) or |x|. It triples the digits that are right, so that
      // only the last step needs all bits; 1 - |x| is exact at any precision, as MPFR takes it from x itself.
      const mpfr_prec_t bits = mpfr_get_prec(r) + 64;
      number t(mpfr_get_prec(x) > bits ? mpfr_get_prec(x) : bits), y(bits), gap(mpfr_get_prec(t));
      mpfr_abs(t, x, MPFR_RNDN);
      mpfr_ui_sub(gap, 1, t, MPFR_RNDN);
      const bool lower = mpfr_cmp_d(t, 0.5) < 0;
      if (lower) {
        mpfr_set(y, t, MPFR_RNDN);
      } else {
        mpfr_log(y, gap, MPFR_RNDN);
        mpfr_neg(y, y, MPFR_RNDN);
        mpfr_sqrt(y, y, MPFR_RNDN);
      }
      mpfr_prec_t now = bits < 128 ? bits : 128;
      for (int i = 0; i < 60 && !mpfr_zero_p(t); ++i) {
        number e(now), d(now), at(now);
        mpfr_set(at, y, MPFR_RNDN);
        if (lower) {
          mpfr_erf(e, at, MPFR_RNDN);
          mpfr_sub(e, e, t, MPFR_RNDN);
        } else {
          mpfr_erfc(e, at, MPFR_RNDN);
          mpfr_sub(e, gap, e, MPFR_RNDN);
        }
        if (mpfr_zero_p(e)) {
          mpfr_set(y, at, MPFR_RNDN);
          if (now == bits) {
            break;
          }
          now = bits;
          continue;
        }
        mpfr_sqr(d, at, MPFR_RNDN);
        mpfr_exp(d, d, MPFR_RNDN);
        mpfr_mul(e, e, d, MPFR_RNDN);
        mpfr_const_pi(d, MPFR_RNDN);
        mpfr_sqrt(d, d, MPFR_RNDN);
        mpfr_div_2ui(d, d, 1, MPFR_RNDN);
        mpfr_mul(e, e, d, MPFR_RNDN);  // (erf y - x) / erf' y
        // Halley: e / (1 + y e).
        mpfr_mul(d, e, at, MPFR_RNDN);
        mpfr_add_ui(d, d, 1, MPFR_RNDN);
        mpfr_div(e, e, d, MPFR_RNDN);
        mpfr_sub(y, at, e, MPFR_RNDN);
        if (mpfr_get_exp(e) < mpfr_get_exp(y) - now / 2) {
          if (now == bits) {
            break;  // the next one would be beyond the precision: cubic convergence
          }
          now = bits;
        }
      }
      return mpfr_mul_si(r, y, mpfr_sgn(x), MPFR_RNDN);
    }
    case kind::softplus: {
      mpfr_abs(r, x, MPFR_RNDN);
      mpfr_neg(r, r, MPFR_RNDN);
      mpfr_exp(r, r, MPFR_RNDN);
      const int ternary = mpfr_log1p(r, r, MPFR_RNDN);
      return mpfr_sgn(x) > 0 ? mpfr_add(r, r, x, MPFR_RNDN) : ternary;
    }
    case kind::mish:
      mpfr_exp(r, x, MPFR_RNDN);
      mpfr_log1p(r, r, MPFR_RNDN);
      mpfr_tanh(r, r, MPFR_RNDN);
      return mpfr_mul(r, r, x, MPFR_RNDN);
    case kind::gelu_tanh: {
      number inner(mpfr_get_prec(r) + 20), root(mpfr_get_prec(r) + 20);
      mpfr_sqr(inner, x, MPFR_RNDN);
      mpfr_mul_ui(inner, inner, 44715, MPFR_RNDN);
      mpfr_div_ui(inner, inner, 1000000, MPFR_RNDN);
      mpfr_add_ui(inner, inner, 1, MPFR_RNDN);
      mpfr_mul(inner, inner, x, MPFR_RNDN);
      mpfr_const_pi(root, MPFR_RNDN);
      mpfr_ui_div(root, 8, root, MPFR_RNDN);
      mpfr_sqrt(root, root, MPFR_RNDN);
      mpfr_mul(inner, inner, root, MPFR_RNDN);
      mpfr_neg(inner, inner, MPFR_RNDN);
      mpfr_exp(inner, inner, MPFR_RNDN);
      mpfr_add_ui(inner, inner, 1, MPFR_RNDN);
      return mpfr_div(r, x, inner, MPFR_RNDN);
    }
    case kind::hardsigmoid:
    case kind::hardswish: {
      number sum(mpfr_get_prec(x) > 9000 ? mpfr_get_prec(x) : 9000);
      mpfr_add_ui(sum, x, 3, MPFR_RNDN);
      if (mpfr_sgn(sum) <= 0) {
        return mpfr_set_ui(r, 0, MPFR_RNDN);
      }
      if (mpfr_cmp_ui(sum, 6) >= 0) {
        return f == kind::hardswish ? mpfr_set(r, x, MPFR_RNDN) : mpfr_set_ui(r, 1, MPFR_RNDN);
      }
      if (f == kind::hardswish) {
        mpfr_mul(sum, sum, x, MPFR_RNDN);
      }
      return mpfr_div_ui(r, sum, 6, MPFR_RNDN);
    }
    case kind::elu: return piece_below_zero(r, x, parameter, true);
    case kind::leaky_relu: return piece_below_zero(r, x, parameter, false);
    case kind::relu: return mpfr_sgn(x) > 0 ? mpfr_set(r, x, MPFR_RNDN) : mpfr_set_ui(r, 0, MPFR_RNDN);
    case kind::ceil: return mpfr_ceil(r, x);
    case kind::floor: return mpfr_floor(r, x);
    case kind::round: return mpfr_roundeven(r, x);
  }
  return 0;
}

struct parameters {
  double alpha = 1.0;
  double shift = 0.0;
  double scale_in = 1.0;
  std::int64_t zero_point_in = 0;
  double scale_out = 1.0;
  std::int64_t zero_point_out = 0;
  double parameter = 1.0;  // of the function
  bool ties_away = false;  // halves away from zero in place of to even
};

/// Entries of one table, code by code.
class table {
 public:
  static constexpr mpfr_prec_t usual = 300, quick = 100;

  table(kind f, const parameters& p)
      : f_(f), p_(p), x_(6000), short_x_(usual), f_value_(usual), v_(usual), w_(usual), y_(120) {}

  /// The least relative distance from a boundary that has been met, as a power of two.
  long closest() const { return closest_; }
  /// Boundaries that 300 bits could not tell from the value.
  long hard() const { return hard_; }

  /// Is f defined at the argument of a code?
  bool defined(std::int64_t code) {
    set_argument(code);
    const interval in = domain(f_);
    return mpfr_cmp_d(x_, in.lo) >= 0 && mpfr_cmp_d(x_, in.hi) <= 0 && !(f_ == kind::reciprocal && mpfr_zero_p(x_));
  }

  std::int64_t entry(std::int64_t code, dytq::code_range range) {
    set_argument(code);
    const bool is_short = mpfr_min_prec(x_) <= usual;  // MPFR's time depends on the precision of the argument
    if (is_short) {
      mpfr_set(short_x_, x_, MPFR_RNDN);
    }
    const mpfr_srcptr x = is_short ? mpfr_srcptr(short_x_) : mpfr_srcptr(x_);
    // The reference's erfinv takes milliseconds; a third of the bits nearly always tells the entry.
    mpfr_set_prec(f_value_, f_ == kind::erfinv ? quick : usual);
    int ternary = evaluate(f_, f_value_, x, p_.parameter);
    if (f_ == kind::erfinv && !is_clear_of_boundaries()) {
      mpfr_set_prec(f_value_, usual);
      ternary = evaluate(f_, f_value_, x, p_.parameter);
    }
    if (mpfr_inf_p(f_value_)) {
      return mpfr_sgn(f_value_) < 0 ? range.lo : range.hi;
    }
    mpfr_div_d(v_, f_value_, p_.scale_out, MPFR_RNDN);
    if (mpfr_cmpabs_ui(v_, 1000000) > 0) {
      return mpfr_sgn(v_) < 0 ? range.lo : range.hi;
    }
    mpfr_floor(w_, v_);
    const long n = mpfr_get_si(w_, MPFR_RNDN);
    mpfr_sub(v_, v_, w_, MPFR_RNDN);
    mpfr_sub_d(v_, v_, 0.5, MPFR_RNDN);  // exact: the difference to the boundary above n
    const long distance = mpfr_zero_p(v_) ? -usual : mpfr_get_exp(v_);
    closest_ = distance < closest_ ? distance : closest_;
    int side = mpfr_sgn(v_);
    if (distance < -200) {
      ++hard_;
      side = side_of(n, ternary);
    }
    const bool tie_up = p_.ties_away ? n >= 0 : (n & 1) != 0;
    const std::int64_t rounded = side < 0 || (side == 0 && !tie_up) ? n : n + 1;
    return range.clamp(rounded + p_.zero_point_out);
  }

 private:
  /// x, exact: no exponents of doubles are 6,000 bits apart.
  void set_argument(std::int64_t code) {
    mpfr_set_d(x_, p_.alpha, MPFR_RNDN);
    mpfr_mul_d(x_, x_, p_.scale_in, MPFR_RNDN);
    mpfr_mul_si(x_, x_, static_cast<long>(code - p_.zero_point_in), MPFR_RNDN);
    mpfr_add_d(x_, x_, p_.shift, MPFR_RNDN);
  }
  /// Is f(x) / scale, of `quick` bits, further than 2^-50 from each n + 1/2? It errs by 2^-75 at most below 2^20.
  bool is_clear_of_boundaries() {
    mpfr_div_d(v_, f_value_, p_.scale_out, MPFR_RNDN);
    if (!mpfr_number_p(v_) || mpfr_cmpabs_ui(v_, 1000000) > 0) {
      return true;
    }
    mpfr_sub_d(v_, v_, 0.5, MPFR_RNDN);
    mpfr_rint_round(w_, v_, MPFR_RNDN);
    mpfr_sub(v_, v_, w_, MPFR_RNDN);
    return !mpfr_zero_p(v_) && mpfr_get_exp(v_) > -50;
  }
  /// The sign of f(x) - (n + 1/2) scale.
  int side_of(long n, int ternary) {
    mpfr_set_d(y_, p_.scale_out, MPFR_RNDN);
    mpfr_mul_si(y_, y_, 2 * n + 1, MPFR_RNDN);
    mpfr_div_2ui(y_, y_, 1, MPFR_RNDN);
    if (is_correct(f_)) {
      const int c = mpfr_cmp(f_value_, y_);
      return c != 0 ? c : -ternary;
    }
    if (mpfr_zero_p(x_)) {
      return mpfr_cmp(f_value_, y_);
    }
    if ((f_ == kind::mish || f_ == kind::gelu_tanh) && mpfr_sgn(x_) > 0 && mpfr_cmp(y_, x_) >= 0) {
      return -1;
    }
    if (f_ == kind::softplus && (mpfr_sgn(y_) <= 0 || mpfr_cmp(y_, x_) <= 0)) {
      return 1;
    }
    // What no precision settles: silu and gelu are below x for x > 0.
    if ((f_ == kind::silu || f_ == kind::gelu) && mpfr_sgn(x_) > 0 && mpfr_cmp(y_, x_) >= 0) {
      return -1;
    }
    if (f_ == kind::logistic && (mpfr_cmp_ui(y_, 1) >= 0 || mpfr_sgn(y_) <= 0)) {
      return mpfr_sgn(y_) <= 0 ? 1 : -1;
    }
    if (f_ == kind::isru && mpfr_cmpabs_ui(y_, 1) >= 0) {
      return -mpfr_sgn(y_);
    }
    if ((f_ == kind::silu || f_ == kind::gelu) && mpfr_sgn(y_) >= 0 && mpfr_sgn(x_) < 0) {
      return -1;
    }
    if (f_ == kind::isru && mpfr_cmp(y_, x_) == 0) {
      return -mpfr_sgn(y_);  // |isru x| < |x|
    }
    number f(f_ == kind::erfinv ? 1500 : 9000);
    evaluate(f_, f, x_, p_.parameter);
    return mpfr_cmp(f, y_);
  }

  kind f_;
  parameters p_;
  number x_, short_x_, f_value_, v_, w_, y_;
  long closest_ = 0, hard_ = 0;
};

}  // namespace reference

#endif
