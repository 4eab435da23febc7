// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounding of functions in float32 where the estimate leaves it open, by functions whose values are known: half of
// the argument, a little more, a little less. With real functions no more than one float in 2^30 gets there.
#include <dytq/lut16.hpp>
#include <dytq/tables/float32_function.hpp>

#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::certified_sign;
using dytq::estimate;
using dytq::make_lut16;
using dytq::make_lut8;
using dytq::numerics;
using dytq::place;
using dytq::real;
using dytq::reason;
using dytq::detail::float32;
using dytq_tests::opaque;

namespace {

/// x/2 + Tilt * 2^-200 for x > 0, odd; estimated with an error of 2^(error_log2 - 64), its sign known from Limbs limbs
/// on.
template <int Tilt, int error_log2 = 30, std::size_t Limbs = 2>
struct halving {
  static constexpr bool odd = true;
  static constexpr estimate at_zero = {};
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    const real<N> tilt = real<N>(std::int64_t{x.negative ? -Tilt : Tilt}).scaled(-200);
    return N < Limbs ? certified_sign::unknown : compare(x.scaled(-1) + tilt, y);
  }
  static constexpr estimate magnitude(const estimate& x, bool) {
    return {x.m, x.exponent - 1, x.error + (std::uint64_t{1} << error_log2)};
  }
  static constexpr bool negative(bool x_negative) { return x_negative; }
  static constexpr bool has_limit(bool) { return false; }
  static constexpr estimate limit(bool) { return {}; }
};
constexpr int hides_all = 56;
constexpr std::size_t never = 8;

/// f of `units` times the smallest float, in such units; -1 if it is refused.
template <class F>
constexpr std::int64_t of_least(F, std::int32_t units) {
  const std::uint32_t sign = units < 0 ? 0x80000000u : 0;
  const dytq::result<float32> y =
      dytq::detail::correctly_rounded<F>({opaque(sign | static_cast<std::uint32_t>(units < 0 ? -units : units))});
  return !y ? -1 : (y->bits & 0x80000000u) == sign ? static_cast<std::int64_t>(y->bits & 0x7fffffffu) : -2;
}
template <class F>
constexpr bool halves(F f, std::int64_t of_1, std::int64_t of_3, std::int64_t of_5, std::int64_t of_6) {
  return of_least(f, 1) == of_1 && of_least(f, -1) == of_1 && of_least(f, 3) == of_3 && of_least(f, -3) == of_3 &&
         of_least(f, 5) == of_5 && of_least(f, -5) == of_5 && of_least(f, 6) == of_6 && of_least(f, -6) == of_6;
}

constexpr bool undecided(const auto& r, std::int64_t code) {
  return r.error().why == reason::undecided && r.error().at == place::table && r.error().code == code;
}

/// Knows nothing of arguments below 1.
struct hazy : halving<0> {
  static constexpr estimate magnitude(const estimate& x, bool) {
    return {x.m, x.exponent - 1, x.exponent < 1 ? estimate::unknown_error : 0};
  }
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>&, const real<N>&) {
    return certified_sign::unknown;
  }
};

}  // namespace

TEST_CASE("ties go to even, and what is beside a tie to its own side") {
  DYTQ_CHECK_BOTH(halves(halving<0>{}, 0, 2, 2, 3));   // 1/2, 3/2, 5/2, 3
  DYTQ_CHECK_BOTH(halves(halving<1>{}, 1, 2, 3, 3));   // a little more
  DYTQ_CHECK_BOTH(halves(halving<-1>{}, 0, 1, 2, 3));  // a little less
  DYTQ_CHECK_BOTH(halves(halving<1, 30, 4>{}, 1, 2, 3, 3));
  DYTQ_CHECK_BOTH(halves(halving<-1, 30, 6>{}, 0, 1, 2, 3));
}

TEST_CASE("what neither the estimate nor the sign decides is refused") {
  DYTQ_CHECK_BOTH(of_least(halving<0, 30, never>{}, 3) == -1);
  DYTQ_CHECK_BOTH(of_least(halving<0, 30, never>{}, 6) == 3);  // the estimate alone decides this
  // Where the estimate leaves more than two floats, the sign alone finds the one.
  CHECK(dytq::detail::correctly_rounded<halving<0, 47>>({opaque(0x3f800001u)})->bits == 0x3f000001u);
  CHECK(dytq::detail::correctly_rounded<halving<1, 48>>({opaque(0x00000003u)})->bits == 2);
  CHECK(of_least(halving<0, hides_all>{}, 6) == 3);
  CHECK(of_least(halving<-1, hides_all>{}, -3) == 1);
  CHECK(of_least(halving<0, hides_all, never>{}, 6) == -1);
}

TEST_CASE("zero, NaN and infinity") {
  DYTQ_CHECK_BOTH(dytq::detail::correctly_rounded<halving<0>>({opaque(0u)})->bits == 0);
  DYTQ_CHECK_BOTH(dytq::detail::correctly_rounded<halving<0>>({opaque(0x80000000u)})->bits == 0x80000000u);
  DYTQ_CHECK_BOTH(dytq::detail::correctly_rounded<halving<0>>({opaque(float32::nan_bits)})->is_nan());
  DYTQ_CHECK_BOTH(dytq::detail::correctly_rounded<dytq::detail::tanh_function>({opaque(float32::nan_bits)})->is_nan());
  DYTQ_CHECK_BOTH(dytq::detail::correctly_rounded<dytq::detail::exp_function>({opaque(float32::infinity_bits)})->bits ==
                  float32::infinity_bits);
  DYTQ_CHECK_BOTH(
      dytq::detail::correctly_rounded<dytq::detail::exp_function>({opaque(float32::infinity_bits | 0x80000000u)})
          ->bits == 0);
  DYTQ_CHECK_BOTH(dytq::detail::correctly_rounded<dytq::detail::exp_function>({opaque(0x42b20000u)})->bits ==
                  float32::infinity_bits);  // e^89
}

TEST_CASE("a table is refused at the code that is undecided") {
  const auto table = [](auto f, double scale) {
    return make_lut8(f, {.scale = opaque(scale), .zero_point = 3}, {.scale = 0.5}, {.arithmetic = numerics::float32});
  };
  DYTQ_CHECK_BOTH(table(halving<0>{}, 1.0)->at(128 + 3 + 5) == 5);
  DYTQ_CHECK_BOTH(undecided(table(hazy{}, 0.25), 0));
  DYTQ_CHECK_BOTH(table(hazy{}, 1.0)->at(128 + 3 - 5) == -5);
  CHECK(table(halving<0, hides_all, never>{}, 1.0).error().why == reason::undecided);
  CHECK(table(halving<0, hides_all>{}, 1.0)->at(128 + 3 + 5) == 5);
  // Exact numerics: an estimate of which nothing is known goes to the sign, which decides, or does not.
  const auto exact = [](auto f, double scale) {
    return make_lut8(f, {.scale = opaque(scale), .zero_point = 3}, {.scale = 1.0});
  };
  DYTQ_CHECK_BOTH(exact(halving<0, hides_all>{}, 1.0)->at(128 + 3 + 5) == 2);
  DYTQ_CHECK_BOTH(exact(halving<1, hides_all>{}, 1.0)->at(128 + 3 + 5) == 3);
  DYTQ_CHECK_BOTH(exact(halving<0, 30, never>{}, 2.0)->at(128 + 3 - 5) == -5);
  // Half of an odd number is what cannot be decided; of an even one, where the estimate does not say it, neither.
  const auto odd = exact(halving<0, 30, never>{}, 1.0).error();
  CHECK((odd.why == reason::undecided && odd.at == place::table && (odd.code - 3) % 2 != 0));
  CHECK(exact(halving<0, hides_all, never>{}, 1.0).error().why == reason::undecided);
}

TEST_CASE("int16 tables in float32: entry by entry what the quantizer gives") {
  // A zero point beside the grid, and ranges within and outside it: each walks another way.
  const auto agrees = [](const dytq::qparams& in) {
    const dytq::qparams out{.scale = 1.0 / 32768};
    const auto table = make_lut16(dytq::functions::tanh, in, out, {.arithmetic = numerics::float32}).value();
    const auto quantizer = dytq::detail::float32_quantizer::make(in, out, 1.0, 0.0, dytq::int16_range).value();
    for (std::int64_t i = 0; i <= 512; ++i) {
      const std::int64_t grid = i * 128 - 32768;
      const std::int64_t hi = in.qmax == 32767 ? 32768 : in.qmax;
      const std::int64_t code = grid < in.qmin ? in.qmin : grid > hi ? hi : grid;
      const auto n = quantizer.integer(dytq::functions::tanh, quantizer.argument(code)).value();
      if (table[static_cast<std::size_t>(i)] != quantizer.code(n)) {
        return false;
      }
    }
    return true;
  };
  const double scale = 1.0 / 8192;
  CHECK(agrees({.scale = scale, .zero_point = 0, .qmin = -32768, .qmax = 32767}));
  CHECK(agrees({.scale = scale, .zero_point = 128, .qmin = -32768, .qmax = 32767}));
  CHECK(agrees({.scale = scale, .zero_point = 5, .qmin = -32768, .qmax = 32767}));
  CHECK(agrees({.scale = scale, .zero_point = 0, .qmin = -32768, .qmax = 32000}));
  CHECK(agrees({.scale = scale, .zero_point = 0, .qmin = -1000, .qmax = 32767}));
}

TEST_CASE("the distance from an interpolated table: what it cannot enclose") {
  const dytq::qparams in{.scale = 1.0 / 8192}, out{.scale = 1.0 / 32768};
  dytq::lut16 high{.shift = -9};
  high.table.fill(32767);
  CHECK(dytq::interpolation_error(dytq::functions::tanh, in, out, high).error().why == reason::value_exceeds_int32);
  // Where f is beyond the range, it is taken as the bound, as entries are.
  CHECK(dytq::interpolation_error(dytq::functions::tanh, in, {.scale = 0x1p-40}, dytq::lut16{})->hi ==
        std::int64_t{32768} << 32);
  CHECK(dytq::interpolation_error(halving<0, hides_all, never>{}, in, out, dytq::lut16{}).error().why ==
        reason::undecided);
  // tanh 2^-60 is as good as 0 beside a table of zeros.
  const auto nothing = dytq::interpolation_error(dytq::functions::tanh, {.scale = 0x1p-120}, out, dytq::lut16{});
  REQUIRE(nothing);
  CHECK(nothing->lo == 0);
  CHECK(nothing->hi >= 0);
  CHECK(nothing->hi <= 4);
}
