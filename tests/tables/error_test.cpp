// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest errors of tables against MPFR: by estimates, and by signs where there is none.
#include <cmath>

#include <dytq/lut16.hpp>

#include "reference.hpp"
#include "support/catch.hpp"

namespace {

/// A function without its estimate.
template <class F>
struct by_signs {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    return F::template sign<N>(x, y);
  }
};

/// The distance of `answer`, in codes, from f at a code, clamped to int16 as entries are.
double distance(reference::kind f, double x, double scale_out, double answer) {
  reference::number y(120), at(120);
  mpfr_set_d(at, x, MPFR_RNDN);
  reference::evaluate(f, y, at);
  mpfr_div_d(y, y, scale_out, MPFR_RNDN);
  if (mpfr_cmp_si(y, 32767) > 0) {
    mpfr_set_si(y, 32767, MPFR_RNDN);
  }
  if (mpfr_cmp_si(y, -32768) < 0) {
    mpfr_set_si(y, -32768, MPFR_RNDN);
  }
  mpfr_sub_d(y, y, answer, MPFR_RNDN);
  return std::fabs(mpfr_get_d(y, MPFR_RNDN));
}

/// The greatest such distance over the codes of `codes` is in the enclosure, which is narrow. `G` is F, or F by signs.
template <class G, class F>
void check(G g, F f, double scale_in, double scale_out, dytq::code_range codes) {
  const dytq::qparams in{.scale = scale_in}, out{.scale = scale_out};
  const auto table = dytq::make_lut16(f, in, out);
  REQUIRE(table);
  const auto error = dytq::interpolation_error(g, in, out, *table, {.domain = codes});
  REQUIRE(error);
  double most = 0;
  for (std::int64_t code = codes.lo; code <= codes.hi; ++code) {
    const double answer = std::ldexp(dytq::interpolate(table->table, static_cast<std::int16_t>(code)), -table->shift);
    most = std::fmax(most, distance(reference::kind_of(f), scale_in * static_cast<double>(code), scale_out, answer));
  }
  const double lo = std::ldexp(static_cast<double>(error->lo), -32),
               hi = std::ldexp(static_cast<double>(error->hi), -32);
  INFO(lo << " <= " << most << " <= " << hi);
  CHECK(lo <= most);
  CHECK(most <= hi);
  CHECK(hi - lo <= 0x1p-19);
  const double answer =
      std::ldexp(dytq::interpolate(table->table, static_cast<std::int16_t>(error->code)), -table->shift);
  CHECK(distance(reference::kind_of(f), scale_in * static_cast<double>(error->code), scale_out, answer) >= lo);
}

}  // namespace

TEST_CASE("the largest error of an int16 table is MPFR's") {
  namespace functions = dytq::functions;
  check(functions::acos, functions::acos, 0x1p-15, 0x1p-13, {-32768, -29000});
  check(functions::acos, functions::acos, 0x1p-15, 0x1p-13, {30000, 32767});
  check(functions::tanh, functions::tanh, 0x1p-12, 0x1p-15, {-6000, 2000});
  check(functions::gelu, functions::gelu, 0x1p-12, 0x1p-12, {-4000, 2000});
}

TEST_CASE("a function without an estimate has the same largest error") {
  namespace functions = dytq::functions;
  const dytq::code_range below{-4100, -3900}, around{-100, 100}, high{32667, 32767};
  check(by_signs<dytq::detail::tanh_function>{}, functions::tanh, 0x1p-12, 0x1p-15, below);
  check(by_signs<dytq::detail::acos_function>{}, functions::acos, 0x1p-15, 0x1p-13, high);
  check(by_signs<dytq::detail::sin_function>{}, functions::sin, 0x1p-12, 0x1p-15, around);
  check(by_signs<dytq::detail::exp_function>{}, functions::exp, 0x1p-12, 0x1p-12, high);  // saturated
}
