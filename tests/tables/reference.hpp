// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables by MPFR: a second way to the same entries that shares no arithmetic with the library.
#ifndef DYTQ_TESTS_LUT_REFERENCE_HPP
#define DYTQ_TESTS_LUT_REFERENCE_HPP

#define MPFR_USE_NO_MACRO  // its macros look into the structure, which `number` hides
#include <mpfr.h>

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

enum class kind { tanh, logistic, erf, exp, gelu, silu, isru, arctan };

constexpr kind kind_of(dytq::functions::tanh_function) { return kind::tanh; }
constexpr kind kind_of(dytq::functions::logistic_function) { return kind::logistic; }
constexpr kind kind_of(dytq::functions::erf_function) { return kind::erf; }
constexpr kind kind_of(dytq::functions::exp_function) { return kind::exp; }
constexpr kind kind_of(dytq::functions::gelu_function) { return kind::gelu; }
constexpr kind kind_of(dytq::functions::silu_function) { return kind::silu; }
constexpr kind kind_of(dytq::functions::isru_function) { return kind::isru; }
constexpr kind kind_of(dytq::functions::arctan_function) { return kind::arctan; }

/// Does MPFR round f itself correctly, so that its ternary value tells the side of the true value?
constexpr bool is_correct(kind f) { return f == kind::tanh || f == kind::erf || f == kind::exp || f == kind::arctan; }

/// r = f(x); the ternary value of the last operation. r must not be x.
inline int evaluate(kind f, mpfr_ptr r, mpfr_srcptr x) {
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
};

/// Entries of one table, code by code.
class table {
 public:
  static constexpr mpfr_prec_t usual = 300;

  table(kind f, const parameters& p)
      : f_(f), p_(p), x_(6000), short_x_(usual), f_value_(usual), v_(usual), w_(usual), y_(120) {}

  /// The least relative distance from a boundary that has been met, as a power of two.
  long closest() const { return closest_; }
  /// Boundaries that 300 bits could not tell from the value.
  long hard() const { return hard_; }

  std::int64_t entry(std::int64_t code, dytq::code_range range) {
    // x, exact: no exponents of doubles are 6,000 bits apart.
    mpfr_set_d(x_, p_.alpha, MPFR_RNDN);
    mpfr_mul_d(x_, x_, p_.scale_in, MPFR_RNDN);
    mpfr_mul_si(x_, x_, static_cast<long>(code - p_.zero_point_in), MPFR_RNDN);
    mpfr_add_d(x_, x_, p_.shift, MPFR_RNDN);
    const bool is_short = mpfr_min_prec(x_) <= usual;  // MPFR's time depends on the precision of the argument
    if (is_short) {
      mpfr_set(short_x_, x_, MPFR_RNDN);
    }
    const int ternary = evaluate(f_, f_value_, is_short ? short_x_ : x_);
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
    const std::int64_t rounded = side < 0 ? n : side > 0 ? n + 1 : n + (n & 1);
    return range.clamp(rounded + p_.zero_point_out);
  }

 private:
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
    number f(9000);
    evaluate(f_, f, x_);
    return mpfr_cmp(f, y_);
  }

  kind f_;
  parameters p_;
  number x_, short_x_, f_value_, v_, w_, y_;
  long closest_ = 0, hard_ = 0;
};

}  // namespace reference

#endif
