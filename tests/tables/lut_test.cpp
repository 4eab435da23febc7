// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables as a user makes them: what they hold, and what is refused.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include <dytq/lut16.hpp>

#include "support/both_worlds.hpp"
#include "support/catch.hpp"

namespace {

namespace functions = dytq::functions;
using dytq::certified_sign;
using dytq::make_lut16;
using dytq::make_lut8;
using dytq::numerics;
using dytq::place;
using dytq::qparams;
using dytq::real;
using dytq::reason;
using dytq_tests::opaque;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr qparams usual_in{.scale = 0.05, .zero_point = 3};
constexpr qparams usual_out{.scale = 1.0 / 128, .zero_point = 0};

constexpr bool refused(const auto& r, reason why, place at) { return r.error().why == why && r.error().at == at; }

// The snippet that a firmware engineer writes.
static constexpr std::array<std::int8_t, 256> table =
    dytq::make_lut8(dytq::functions::tanh, dytq::qparams{.scale = 0.05, .zero_point = 3},
                    dytq::qparams{.scale = 1.0 / 128, .zero_point = 0})
        .value();

// One table of every function, and 64 tables at once, within the limits that compilers have by default.
static constexpr auto logistic_table =
    make_lut8(functions::logistic, usual_in, {.scale = 1.0 / 256, .zero_point = -128}).value();
static constexpr auto erf_table = make_lut8(functions::erf, usual_in, usual_out).value();
static constexpr auto exp_table = make_lut8(functions::exp, usual_in, {.scale = 0.25}).value();
static constexpr auto gelu_table = make_lut8(functions::gelu, usual_in, {.scale = 0.05}).value();
static constexpr auto silu_table = make_lut8(functions::silu, usual_in, {.scale = 0.05}).value();
static constexpr auto isru_table = make_lut8(functions::isru, usual_in, usual_out).value();
static constexpr auto arctan_table = make_lut8(functions::arctan, usual_in, {.scale = 1.0 / 64}).value();

constexpr int at(const dytq::table8& t, int code) { return t[static_cast<std::size_t>(code + 128)]; }

/// A user's function: softsign x / (1 + |x|), by its sign alone.
struct softsign {
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return compare(x, y * (real<N>(std::int64_t{1}) + x.magnitude()));
  }
};

/// f(code) / scale, at run time of parameters that the compiler does not know.
template <class F>
constexpr int entry(F f, double scale, int code) {
  return at(make_lut8(f, {.scale = opaque(1.0)}, {.scale = opaque(scale)}).value(), code);
}

/// x itself, of which only the arithmetic of N limbs knows anything.
template <std::size_t N>
struct known_with {
  template <std::size_t M>
  static constexpr certified_sign sign(const real<M>& x, const real<M>& y) {
    return M == N ? compare(x, y) : certified_sign::unknown;
  }
};

/// Softsign, at run time with a count of its signs.
struct counted_softsign {
  static inline int signs = 0;
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    if (!std::is_constant_evaluated()) {
      ++signs;
    }
    return softsign::sign<N>(x, y);
  }
};

/// x * Factor / 2^24, with an estimate: 2^24 + 1 and 2^24 + 3 make ties of float32 of 1.
template <std::uint64_t Factor>
struct times {
  static constexpr bool odd = true;
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return compare(x * real<N>(dytq::detail::wide64{0, Factor}, -24, false), y);
  }
  static constexpr dytq::estimate magnitude(const dytq::estimate& x, bool) {
    return x * dytq::make_estimate(Factor, -24);
  }
  static constexpr bool negative(bool x_negative) { return x_negative; }
  static constexpr bool has_limit(bool) { return false; }
  static constexpr dytq::estimate limit(bool) { return {}; }
};

constexpr std::uint32_t float32_of_one(auto f) {
  return dytq::detail::correctly_rounded<decltype(f)>({opaque(std::uint32_t{0x3f800000})}).value().bits;
}

/// 2^exponent.
template <std::size_t N>
constexpr real<N> power(std::int32_t exponent) {
  return real<N>(std::int64_t{1}).scaled(exponent);
}

/// Has no answer at 9.
struct stubborn {
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    const real<N> nine(std::int64_t{9});
    return compare(x, nine) == certified_sign::zero ? certified_sign::unknown : compare(x, y);
  }
};

}  // namespace

TEST_CASE("tables hold what the functions are") {
  STATIC_REQUIRE(at(table, 3) == 0);
  STATIC_REQUIRE(at(table, 4) == 6);  // tanh 0.05 * 128 = 6.39
  STATIC_REQUIRE(at(table, 2) == -6);
  STATIC_REQUIRE(at(table, 127) == 127);
  STATIC_REQUIRE(at(table, -128) == -128);
  STATIC_REQUIRE(at(logistic_table, 3) == 0);    // 1/2 * 256 - 128
  STATIC_REQUIRE(at(logistic_table, 23) == 59);  // logistic 1 * 256 = 187.15
  STATIC_REQUIRE(at(erf_table, 23) == 108);      // erf 1 * 128 = 107.9
  STATIC_REQUIRE(at(exp_table, 3) == 4);
  STATIC_REQUIRE(at(exp_table, 23) == 11);     // e * 4 = 10.87
  STATIC_REQUIRE(at(gelu_table, 23) == 17);    // 0.8413 * 20
  STATIC_REQUIRE(at(gelu_table, -17) == -3);   // -0.1587 * 20 = -3.17
  STATIC_REQUIRE(at(silu_table, 23) == 15);    // 0.7311 * 20 = 14.6
  STATIC_REQUIRE(at(isru_table, 23) == 91);    // 0.7071 * 128 = 90.5097
  STATIC_REQUIRE(at(arctan_table, 23) == 50);  // 0.7854 * 64 = 50.27
}

TEST_CASE("ties go to the even neighbour") {
  // logistic 0 / scale = n + 1/2 exactly.
  DYTQ_CHECK_BOTH(entry(functions::logistic, 1.0, 0) == 0);
  DYTQ_CHECK_BOTH(entry(functions::logistic, 0.2, 0) == 2);  // 0.2 is rounded up: below 2.5
  DYTQ_CHECK_BOTH(entry(functions::exp, 2.0, 0) == 0);
  DYTQ_CHECK_BOTH(entry(functions::exp, 2.0 / 3, 0) == 2);  // 2/3 is rounded down: above 1.5
  DYTQ_CHECK_BOTH(entry(functions::exp, 0.4, 0) == 2);      // 0.4 is rounded up: below 2.5
  // A user's rational function has ties at nonzero arguments: softsign 1 = 1/2, softsign 3 = 3/4.
  DYTQ_CHECK_BOTH(entry(softsign{}, 1.0, 1) == 0);
  DYTQ_CHECK_BOTH(entry(softsign{}, 0.5, 3) == 2);
  DYTQ_CHECK_BOTH(entry(softsign{}, 0.5, -3) == -2);
  // Once it has met the greatest code, that is its first guess.
  DYTQ_CHECK_BOTH(entry(softsign{}, 1.0 / 256, 1) == 127);
  DYTQ_CHECK_BOTH(entry(softsign{}, 1.0 / 256, 127) == 127);
}

TEST_CASE("ties of float32 go to the even neighbour") {
  DYTQ_CHECK_BOTH(float32_of_one(times<(1u << 24) + 1>{}) == 0x3f800000);
  DYTQ_CHECK_BOTH(float32_of_one(times<(1u << 24) + 3>{}) == 0x3f800002);
}

TEST_CASE("signs that the precision does not tell") {
  // silu x = x/2 + x^2/4 - ...; logistic x = 1/2 + x/4 - x^3/48 + ...: 500 and 400 bits beside the boundary.
  DYTQ_CHECK_BOTH(dytq::detail::silu_function::sign<6>(power<6>(opaque(-500)), power<6>(-501)) ==
                  certified_sign::positive);
  DYTQ_CHECK_BOTH(dytq::detail::logistic_function::sign<6>(-power<6>(opaque(-200)), power<6>(-1) - power<6>(-202)) ==
                  certified_sign::positive);
  // 1 - erf 9 = 4.137e-37 = 2^-120.86, for which the bracket e^-64 is too wide.
  DYTQ_CHECK_BOTH(dytq::detail::erf_function::sign<4>(real<4>(opaque(std::int64_t{9})), power<4>(0) - power<4>(-120)) ==
                  certified_sign::positive);
  DYTQ_CHECK_BOTH(dytq::detail::erf_function::sign<4>(real<4>(opaque(std::int64_t{9})), power<4>(0) - power<4>(-121)) ==
                  certified_sign::negative);
}

TEST_CASE("steps of arguments whose terms are far apart") {
  // The codes of -1, 0 and 1 steps from the shift; a step of 2^-653 is lost beside 2^-34, 1/2 and 1 in any precision.
  const auto around = [](auto f, double shift, double out) {
    const auto t = make_lut8(f, {.scale = opaque(0x1.1034ca1738d7ap-653)}, {.scale = out}, {.shift = shift}).value();
    return std::array{at(t, -1), at(t, 0), at(t, 1)};
  };
  const double tiny = 0x1.89410de0654e8p-34, small = 0x1.5ddce74363041p-653;
  CHECK(around(functions::ceil, -tiny, small) == std::array{0, 0, 0});
  CHECK(around(functions::ceil, tiny, small) == std::array{127, 127, 127});
  CHECK(around(functions::floor, -tiny, small) == std::array{-128, -128, -128});
  CHECK(around(functions::floor, tiny, small) == std::array{0, 0, 0});
  CHECK(around(functions::round, -tiny, small) == std::array{0, 0, 0});
  CHECK(around(functions::round, tiny, small) == std::array{0, 0, 0});
  CHECK(around(functions::ceil, 1.0, 1.0) == std::array{1, 1, 2});
  CHECK(around(functions::floor, 1.0, 1.0) == std::array{0, 1, 1});
  CHECK(around(functions::round, 0.5, 1.0) == std::array{0, 0, 1});
  CHECK(around(functions::round, 1.5, 1.0) == std::array{1, 2, 2});
  // 2^62 k + 1/2 in codes of 2^63: halves if the function goes down to 2^62 k.
  const auto huge = [](auto f, int code) {
    return at(make_lut8(f, {.scale = opaque(0x1p62)}, {.scale = 0x1p63}, {.shift = 0.5}).value(), code);
  };
  CHECK(huge(functions::round, 1) == 0);
  CHECK(huge(functions::round, 3) == 2);
  CHECK(huge(functions::floor, 1) == 0);
  CHECK(huge(functions::ceil, 1) == 1);
}

TEST_CASE("hardswish of small arguments is above half of them") {
  // x/2 + x^2/6 with x^2 at 2^-900 of x: of x/2 at a half of two codes, the upper one.
  const double s = opaque(0x1.c5e0ae4dd0c0ap-899);
  const auto t = make_lut8(functions::hardswish, {.scale = s}, {.scale = 2 * s}).value();
  for (int c = -128; c < 128; ++c) {
    CHECK(at(t, c) == dytq::detail::floor_div(c + 2, 4));
  }
}

// A compiler may make a constant of a call with constants, and take long: what it does not know makes sure that these
// run.
TEST_CASE("alpha and shift are of the argument") {
  const auto direct = make_lut8(functions::erf, {.scale = opaque(0.02)}, usual_out).value();
  CHECK(make_lut8(functions::erf, {.scale = opaque(0.01)}, usual_out, {.alpha = 2.0}).value() == direct);
  const auto negative = make_lut8(functions::erf, {.scale = opaque(0.01)}, usual_out, {.alpha = -2.0}).value();
  for (int c = -127; c < 128; ++c) {
    CHECK(at(negative, c) == at(direct, -c));
  }
  // alpha = 0: one value everywhere. A shift of whole steps moves the table.
  const auto constant = make_lut8(functions::tanh, usual_in, usual_out, {.alpha = opaque(0.0), .shift = 0.5}).value();
  const auto at_zero = make_lut8(functions::tanh, usual_in, usual_out, {.alpha = opaque(0.0)}).value();
  const auto half = make_lut8(functions::logistic, usual_in, usual_out, {.alpha = opaque(0.0)}).value();
  for (int c = -128; c < 128; ++c) {
    CHECK(at(constant, c) == 59);  // tanh 0.5 * 128 = 59.15
    CHECK(at(at_zero, c) == 0);
    CHECK(at(half, c) == 64);
  }
  const auto moved = make_lut8(functions::tanh, {.scale = opaque(0.125)}, usual_out, {.shift = 2.0}).value();
  const auto plain = make_lut8(functions::tanh, {.scale = 0.125, .zero_point = -16}, usual_out).value();
  CHECK(moved == plain);
}

TEST_CASE("codes outside the input's range or the domain read as the nearest inside") {
  const auto full = make_lut8(functions::tanh, {.scale = opaque(0.05), .zero_point = 3}, usual_out).value();
  const qparams narrow{.scale = opaque(0.05), .zero_point = 3, .qmin = -20, .qmax = 30};
  const auto ranged = make_lut8(functions::tanh, narrow, usual_out).value();
  const auto domain = make_lut8(functions::tanh, usual_in, usual_out, {.domain = {opaque(-20), 30}}).value();
  CHECK(ranged == domain);
  for (int c = -128; c < 128; ++c) {
    CHECK(at(ranged, c) == at(full, c < -20 ? -20 : c > 30 ? 30 : c));
  }
  const auto clipped = make_lut8(functions::tanh, usual_in, {.scale = 1.0 / 128, .qmin = -10, .qmax = 20}).value();
  for (int c = -128; c < 128; ++c) {
    CHECK(at(clipped, c) == (at(full, c) < -10 ? -10 : at(full, c) > 20 ? 20 : at(full, c)));
  }
  // A range that the grid of an int16 table steps over.
  const auto wide =
      make_lut16(functions::tanh, {.scale = opaque(1.0 / 1000), .qmin = -1000, .qmax = 1001}, {.scale = 0x1p-15})
          .value();
  CHECK(wide[0] == wide[248]);
  CHECK(wide[249] > wide[248]);
  CHECK(wide[512] == wide[264]);
  CHECK(wide[264] > wide[263]);
  // A range that lies between two entries: tanh 0.1 * 2^15 = 3265.9 and tanh 0.2 * 2^15 = 6467.6.
  const auto between =
      make_lut16(functions::tanh, {.scale = opaque(0.01), .qmin = 10, .qmax = 20}, {.scale = 0x1p-15}).value();
  for (std::size_t i = 0; i < 513; ++i) {
    CHECK(between[i] == (i <= 256 ? 3266 : 6468));
  }
}

TEST_CASE("uint8 is int8 with the zero point moved") {
  const auto t = make_lut8(functions::tanh, dytq::from_uint8({.scale = 0.05, .zero_point = 131}),
                           dytq::from_uint8({.scale = 1.0 / 128, .zero_point = 128}))
                     .value();
  CHECK(t == table);
  CHECK(dytq::from_uint8({.qmin = 1, .qmax = 254}).qmin == -127);
  CHECK(dytq::from_uint8({.qmin = 1, .qmax = 254}).qmax == 126);
}

TEST_CASE("an alpha per channel gives a table per channel") {
  constexpr auto tables =
      dytq::make_lut8_per_channel(functions::tanh, usual_in, usual_out, std::array<double, 3>{1.0, 0.5, -1.0}).value();
  STATIC_REQUIRE(tables[0] == table);
  STATIC_REQUIRE(tables[1] == make_lut8(functions::tanh, usual_in, usual_out, {.alpha = 0.5}).value());
  CHECK(dytq::make_lut8_per_channel(functions::tanh, usual_in, usual_out, std::array<double, 3>{opaque(1.0), 0.5, -1.0})
            .value() == tables);
  const auto bad = dytq::make_lut8_per_channel(functions::tanh, usual_in, usual_out,
                                               std::array<double, 2>{opaque(1.0), not_a_number});
  CHECK(refused(bad, reason::parameter_not_finite, place::alpha));
  CHECK(bad.error().channel == 1);
}

TEST_CASE("bad parameters are refused by name") {
  for (const numerics n : {numerics::exact, numerics::float32}) {
    const dytq::lut_options how{.arithmetic = n};
    const auto in = [&](const qparams& q) { return make_lut8(functions::tanh, q, usual_out, how); };
    const auto out = [&](const qparams& q) { return make_lut8(functions::tanh, usual_in, q, how); };
    for (const double v : {infinity, -infinity, not_a_number}) {
      CHECK(refused(in({.scale = v}), reason::scale_not_finite, place::function_in));
      CHECK(refused(out({.scale = v}), reason::scale_not_finite, place::function_out));
      CHECK(refused(make_lut8(functions::tanh, usual_in, usual_out, {.alpha = v, .arithmetic = n}),
                    reason::parameter_not_finite, place::alpha));
      CHECK(refused(make_lut8(functions::tanh, usual_in, usual_out, {.shift = v, .arithmetic = n}),
                    reason::parameter_not_finite, place::alpha));
    }
    for (const double v : {0.0, -0.0, -1.0, -0x1p-1074}) {
      CHECK(refused(in({.scale = v}), reason::scale_not_positive, place::function_in));
      CHECK(refused(out({.scale = v}), reason::scale_not_positive, place::function_out));
    }
    CHECK(refused(in({.scale = 1, .zero_point = 128}), reason::zero_point_out_of_range, place::function_in));
    CHECK(refused(out({.scale = 1, .zero_point = -129}), reason::zero_point_out_of_range, place::function_out));
    CHECK(refused(in({.scale = 1, .qmin = 5, .qmax = 4}), reason::range_inverted, place::function_in));
    CHECK(refused(out({.scale = 1, .qmin = 5, .qmax = 4}), reason::range_inverted, place::function_out));
    CHECK(refused(out({.scale = 1, .qmax = 128}), reason::range_inverted, place::function_out));
    CHECK(refused(make_lut8(functions::tanh, usual_in, usual_out, {.arithmetic = n, .domain = {3, 2}}),
                  reason::range_inverted, place::domain));
    CHECK(refused(make_lut8(functions::tanh, usual_in, usual_out, {.arithmetic = n, .domain = {-129, 2}}),
                  reason::range_inverted, place::domain));
    // Bounds that are set to the type's own are bounds.
    CHECK(in({.scale = 0.05, .zero_point = 3, .qmin = -128, .qmax = 127}).value() == in(usual_in).value());
  }
}

TEST_CASE("exact tables of any scale") {
  // Twice the least double is a literal: with -ffast-math processors take what is so small for 0.
  const double tiny = opaque(0x1p-1074), twice_tiny = opaque(0x1p-1073), huge = opaque(0x1.fffffffffffffp1023);
  const auto step = make_lut8(functions::tanh, {.scale = huge}, {.scale = 1.0 / 100}).value();
  for (int c = -128; c < 128; ++c) {
    CHECK(at(step, c) == (c < 0 ? -100 : c > 0 ? 100 : 0));
  }
  const auto identity = make_lut8(functions::tanh, {.scale = tiny}, {.scale = tiny}).value();
  // tanh (3 tiny) / (2 tiny) is below 1.5 by 2^-2148.
  const auto half = make_lut8(functions::tanh, {.scale = tiny}, {.scale = twice_tiny}).value();
  for (int c = -128; c < 128; ++c) {
    CHECK(at(identity, c) == c);
    CHECK(at(half, c) == c / 2);
  }
  const auto flat = make_lut8(functions::exp, {.scale = tiny}, {.scale = 2.0}).value();
  for (int c = -128; c < 128; ++c) {
    CHECK(at(flat, c) ==
          (c > 0 ? 1 : 0));  // e^(c tiny) / 2 is on the other side of 1/2 with c, and 1/2 itself is a tie
  }
  CHECK(make_lut8(functions::gelu, {.scale = huge}, {.scale = tiny}).has_value());
  CHECK(make_lut8(functions::silu, {.scale = tiny}, {.scale = huge}).has_value());
}

TEST_CASE("int16 tables and the shift beside them") {
  const qparams in{.scale = opaque(4.0 / 32768)}, out{.scale = opaque(1.0 / 32768)};
  constexpr auto t = make_lut16(functions::tanh, {.scale = 4.0 / 32768}, {.scale = 1.0 / 32768}).value();
  STATIC_REQUIRE(t.shift == 7);
  STATIC_REQUIRE(t[256] == 0);
  STATIC_REQUIRE(t[512] == 32746);  // tanh 4 * 32768 = 32746.02: the virtual code 32768
  STATIC_REQUIRE(t[0] == -32746);
  const auto error = dytq::interpolation_error(functions::tanh, in, out, t);
  REQUIRE(error);
  CHECK(error->lo <= error->hi);
  CHECK(error->hi - error->lo < 1 << 10);
  CHECK(error->hi < std::int64_t{2} << 32);
  CHECK(error->lo > std::int64_t{1} << 31);
  // Where the function is steep, 32768 and 32767 differ: e^8 * 10 = 29809.58, and 29802.3 one code before.
  CHECK(make_lut16(functions::exp, {.scale = 0x1p-12}, {.scale = 0.1}).value()[512] == 29810);
  // Saturation limits to int16.
  const auto limited = make_lut16(functions::exp, {.scale = opaque(0.01)}, {.scale = 1.0}).value();
  CHECK(limited[512] == 32767);
  CHECK(limited.shift == 7);
  // A range whose only code no entry can stand for, and one more code, for which 20,000 does.
  const qparams odd{.scale = 0x1p-20, .qmin = 40001, .qmax = 40001};
  CHECK(make_lut16(functions::tanh, in, odd).error().why == reason::range_inverted);
  const auto even = make_lut16(functions::tanh, in, {.scale = 0x1p-20, .qmin = 40000, .qmax = 40001}).value();
  CHECK(even.shift == 6);
  CHECK(even[0] == 20000);
  CHECK(even[512] == 20000);
  // A wider output: entries stand for 2^k codes.
  const auto wide = make_lut16(functions::tanh, in, {.scale = 0x1p-20, .qmin = -(1 << 24), .qmax = 1 << 24}).value();
  CHECK(wide.shift == 7 - 5);
  CHECK(wide[512] == 32746);  // tanh 4 * 2^20 / 2^5
  // An end that is not given is that of int32.
  CHECK(make_lut16(functions::tanh, in, {.scale = 0x1p-20, .qmin = -(1 << 24)}).value() == wide);
  CHECK(make_lut16(functions::tanh, in, {.scale = 0x1p-20, .qmax = 1 << 24}).value() == wide);
  // All of int32, of which 16 bits are cut.
  const auto widest = make_lut16(functions::tanh, in, {.scale = 0x1p-40, .qmin = INT32_MIN + 1, .qmax = INT32_MAX});
  CHECK(widest.value().shift == 7 - 16);
  CHECK(widest.value()[512] == 32767);
  CHECK(widest.value()[0] == -32767);
  CHECK(refused(make_lut16(functions::tanh, in, {.scale = 0x1p-20, .qmax = 1 << 24}, {.domain = {3, 2}}),
                reason::range_inverted, place::domain));
  CHECK(refused(make_lut16(functions::tanh, in, {.scale = 0x1p-20, .zero_point = 1, .qmin = -(1 << 24)}),
                reason::zero_point_not_zero, place::function_out));
  CHECK(refused(make_lut16(functions::tanh, in, {.scale = 0x1p-20, .qmin = 4, .qmax = -(1 << 24)}),
                reason::range_inverted, place::function_out));
  // TABLE cannot interpolate between neighbours that far apart.
  const qparams step_in{.scale = 1.0};
  const auto steep = make_lut16(functions::tanh, step_in, out).value();
  CHECK(dytq::interpolation_error(functions::tanh, step_in, out, steep).error().why == reason::table_slope_overflow);
}

TEST_CASE("the right end of an int16 table is a code further in float32 too") {
  const dytq::lut_options how{.arithmetic = numerics::float32};
  // e^8 * 10 = 29809.58 as above; where the input ends at half of int16, its last code, e^(16383 / 2048) * 10 =
  // 29795.03.
  CHECK(make_lut16(functions::exp, {.scale = 0x1p-12}, {.scale = 0.1}, how).value()[512] == 29810);
  CHECK(make_lut16(functions::exp, {.scale = 0x1p-11, .qmax = 16383}, {.scale = 0.1}, how).value()[512] == 29795);
}

TEST_CASE("the error of an interpolation is found wherever it is") {
  const qparams in{.scale = 4.0 / 32768}, out{.scale = 1.0 / 16384};
  const auto t = make_lut16(functions::tanh, in, out).value();
  // An entry that is 1000 too great: as far at its own code, and 127/128 of it one code before.
  const auto error_with = [&](std::size_t i, std::int16_t by) {
    auto off = t;
    off.table[i] = static_cast<std::int16_t>(off.table[i] + by);
    return dytq::interpolation_error(functions::tanh, in, out, off).value();
  };
  const std::int64_t unit = std::int64_t{1} << 32;
  for (const auto& [e, code, codes] : {std::tuple{error_with(0, 1000), -32768, 1000},
                                       {error_with(256, -1000), 0, 1000},
                                       {error_with(512, 1000), 32767, 992}}) {
    CHECK(e.code == code);
    CHECK(e.lo > (codes - 2) * unit);
    CHECK(e.hi < (codes + 2) * unit);
  }
  // A zero point moves the table and the function alike.
  const qparams moved{.scale = out.scale, .zero_point = 100};
  const auto plain = dytq::interpolation_error(functions::tanh, in, out, t).value();
  const auto beside =
      dytq::interpolation_error(functions::tanh, in, moved, make_lut16(functions::tanh, in, moved).value()).value();
  CHECK(beside.lo == plain.lo);
  CHECK(beside.hi == plain.hi);
  CHECK(beside.code == plain.code);
  // Answers of 2^26 codes are too great for its unit: entries of 1024 are, with a shift of -9.
  dytq::lut16 wide{.shift = -9};
  wide.table.fill(1023);
  CHECK(dytq::interpolation_error(functions::tanh, in, {.scale = 1.0}, wide));
  wide.table.fill(1024);
  const auto refusal = dytq::interpolation_error(functions::tanh, in, {.scale = 1.0}, wide).error();
  CHECK(refusal.why == reason::value_exceeds_int32);
  CHECK(refusal.code == -32768);
}

TEST_CASE("a sign is asked with 2, 4 and 6 limbs, and two or three times for an entry") {
  const qparams one{.scale = opaque(1.0)}, in{.scale = opaque(0.05), .zero_point = 3};
  const auto two = make_lut8(known_with<2>{}, one, one).value();
  CHECK(at(two, 77) == 77);
  CHECK(make_lut8(known_with<4>{}, one, one).value() == two);
  CHECK(make_lut8(known_with<6>{}, one, one).value() == two);
  CHECK(make_lut8(counted_softsign{}, in, usual_out).value() == make_lut8(softsign{}, in, usual_out).value());
  CHECK(counted_softsign::signs <= 3 * 256);
  // Entries that are hundreds of codes apart: a few for each bit of the distance, not one for each code.
  counted_softsign::signs = 0;
  CHECK(make_lut16(counted_softsign{}, {.scale = opaque(0x1p-12)}, {.scale = 0x1p-15}).has_value());
  CHECK(counted_softsign::signs <= 16 * 513);
}

TEST_CASE("a function of the user's own, by its sign alone") {
  STATIC_REQUIRE(dytq::certified_function<softsign>);
  STATIC_REQUIRE_FALSE(dytq::detail::estimated_function<softsign>);
  constexpr auto t = make_lut8(softsign{}, usual_in, usual_out).value();
  CHECK(make_lut8(softsign{}, {.scale = opaque(0.05), .zero_point = 3}, usual_out).value() == t);
  for (int c = -128; c < 128; ++c) {
    // 128 k / (20 + |k|) in integers, as 0.05 is 1/20 to far more than these fractions need.
    const int k = c - 3, d = 20 + (k < 0 ? -k : k), twice = 2 * 128 * (k < 0 ? -k : k);
    const int n = (twice + d) / (2 * d);
    if ((twice + d) % (2 * d) != 0) {
      CHECK(at(t, c) == (k < 0 ? -n : n > 127 ? 127 : n));
    }
  }
  // Of one operator in float32: its value at a float is rounded to a float, and that once more to a code.
  const auto narrow = make_lut8(softsign{}, usual_in, usual_out, {.arithmetic = numerics::float32});
  CHECK(narrow.has_value());
  for (int c = -128; c < 128; ++c) {
    const int off = at(*narrow, c) - at(t, c);
    CHECK((off >= -1 && off <= 1));
  }
}

TEST_CASE("what the widest arithmetic cannot decide is refused") {
  const auto t = make_lut8(stubborn{}, {.scale = opaque(1.0)}, {.scale = 1.0});
  CHECK(refused(t, reason::undecided, place::table));
  CHECK(t.error().code == 9);
}
