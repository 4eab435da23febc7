// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one's own: what they leave out is asked of their sign, and `check_function` finds what they get wrong.
#include <dytq/function.hpp>

#include <cstdint>

#include <dytq/lut16.hpp>

#include "support/both_worlds.hpp"

using dytq::certified_sign;
using dytq::check_function;
using dytq::estimate;
using dytq::make_lut8;
using dytq::numerics;
using dytq::place;
using dytq::real;
using dytq::reason;
using dytq_tests::opaque;

namespace {

/// e^(-x^2) as an author writes it first: f(0) = 1 is not said anywhere but in the sign.
struct gaussian {
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    const real<N> one(std::int64_t{1});
    if (y.negative || y.is_zero()) {
      return certified_sign::positive;
    }
    if (x.is_zero()) {
      return compare(one, y);
    }
    if (dytq::at_least(y, one)) {
      return certified_sign::negative;
    }
    const real<N> square = x * x;
    if (square.exponent >= dytq::decay_limit_log2) {
      return certified_sign::negative;
    }
    const dytq::decay<N> e(square);
    return square.exponent < 0 ? compare(one - y, e.complement) : compare(e.value, y);
  }
  static constexpr bool odd = false;
  static constexpr estimate magnitude(const estimate& x, bool) { return dytq::decay_estimate(x * x).value; }
  static constexpr bool negative(bool) { return false; }
  static constexpr bool has_limit(bool) { return true; }
  static constexpr estimate limit(bool) { return {}; }
};

/// log(1 + e^x), its estimate from the library's parts alone, known to some bits only.
struct softplus {
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    if (y.negative || y.is_zero()) {
      return certified_sign::positive;
    }
    // log(1 + e^x) > y if e^x > e^y - 1, that is e^x e^-y > 1 - e^-y.
    if (x.exponent > 10 || y.exponent > 10) {
      return x.negative || dytq::at_least(y, x) ? certified_sign::negative : certified_sign::positive;
    }
    const dytq::decay<N> of_y(y);
    if (!x.negative) {
      return compare(of_y.value, of_y.complement * dytq::decay<N>(x).value);
    }
    return compare(dytq::decay<N>(x.magnitude()).value * of_y.value, of_y.complement);
  }
  /// max(x, 0) + E - E^2/2 ..., of which the first terms are enough from |x| = 24 on.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent < 5) {
      return dytq::unknown_estimate;
    }
    const estimate e = dytq::decay_estimate(x).value;
    const std::uint64_t error = std::uint64_t{1} << 42;
    return x_negative ? estimate{e.m, e.exponent, e.error + error} : estimate{x.m, x.exponent, x.error + error};
  }
  static constexpr bool negative(bool) { return false; }
};

/// The Gaussian with one claim too many.
struct claims_another_start : gaussian {
  static constexpr estimate at_zero = dytq::make_estimate(1, -1);
};
struct claims_to_be_odd : gaussian {
  static constexpr bool odd = true;
};
struct claims_another_limit : gaussian {
  static constexpr estimate limit(bool) { return dytq::make_estimate(1, 0); }
};
struct claims_another_sign : gaussian {
  static constexpr bool negative(bool x_negative) { return x_negative; }
};
/// Off by 2^-12 of the value, and sure of it.
struct claims_too_much : gaussian {
  static constexpr estimate magnitude(const estimate& x, bool) {
    const estimate e = dytq::decay_estimate(x * x).value;
    return {e.m - (e.m >> 12) < std::uint64_t{1} << 63 ? e.m : e.m - (e.m >> 12), e.exponent, e.error};
  }
};

constexpr dytq::qparams in{.scale = 1.0 / 32}, out{.scale = 1.0 / 256, .zero_point = -128};

template <class F>
constexpr bool entries_are(F f, int at_minus_1, int at_0, int at_1, int at_32, numerics arithmetic) {
  const auto table = make_lut8(f, {.scale = opaque(in.scale)}, out, {.arithmetic = arithmetic});
  return table && (*table)[127] == at_minus_1 && (*table)[128] == at_0 && (*table)[129] == at_1 &&
         (*table)[160] == at_32;
}

template <class F>
bool is_found_out(F f) {
  const dytq::function_check found = check_function(f);
  // What it says is so: the entry by estimates is the one that make_lut8 makes.
  const auto table = make_lut8(f, found.in, found.out, {.alpha = found.alpha, .shift = found.shift});
  return !found && found.why.why == reason::estimate_wrong && found.why.at == place::table && table &&
         (*table)[static_cast<std::size_t>(found.why.code + 128)] == found.why.got &&
         found.why.got != found.why.expected;
}

}  // namespace

TEST_CASE("what a function does not offer is asked of its sign") {
  // e^(-1/1024) * 256 = 255.75; e^(-1) * 256 = 94.18
  DYTQ_CHECK_BOTH(entries_are(gaussian{}, 127, 127, 127, -34, numerics::exact));
  CHECK(entries_are(gaussian{}, 127, 127, 127, -34, numerics::float32));
  // log(1 + e^x) * 256: 173.5 - 128, 177.45 - 128, 181.5 - 128, and 336 clamped
  CHECK(entries_are(softplus{}, 45, 49, 53, 127, numerics::exact));
  CHECK(entries_are(softplus{}, 45, 49, 53, 127, numerics::float32));
  CHECK(check_function(gaussian{}));
  CHECK(check_function(softplus{}));
}

TEST_CASE("float32 of a function that says nothing of 0 is that of its sign") {
  // Without `opaque` clang computes each of these ten times, looking for something to warn of.
  CHECK(dytq::detail::correctly_rounded(gaussian{}, {opaque(0u)})->bits == 0x3f800000u);
  CHECK(dytq::detail::correctly_rounded(softplus{}, {opaque(0u)})->bits == 0x3f317218u);           // log 2
  CHECK(dytq::detail::correctly_rounded(softplus{}, {opaque(0x3f800000u)})->bits == 0x3fa818f5u);  // 1.3132616
}

TEST_CASE("the distance of an int16 table of a function that says nothing of 0") {
  const dytq::qparams wide_in{.scale = opaque(0x1p-13)}, wide_out{.scale = 0x1p-15};
  const auto table = dytq::make_lut16(gaussian{}, wide_in, wide_out).value();
  CHECK(table[256] == 32767);  // 32768 has no code
  const auto error = dytq::interpolation_error(gaussian{}, wide_in, wide_out, table).value();
  CHECK(error.hi < std::int64_t{3} << 32);  // the step squared over 4 and a half for the rounding
}

TEST_CASE("check_function finds each claim that is not so") {
  CHECK(is_found_out(claims_another_start{}));
  CHECK(is_found_out(claims_to_be_odd{}));
  CHECK(is_found_out(claims_another_limit{}));
  CHECK(is_found_out(claims_another_sign{}));
  CHECK(is_found_out(claims_too_much{}));
}
