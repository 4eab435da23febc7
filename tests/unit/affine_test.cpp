// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fit_rescale.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::affine_fit;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::opaque;

namespace {

template <std::size_t N>
constexpr dytq::result<affine_fit> fit(const std::array<int, N>& codes, const std::array<int, N>& values) {
  return dytq::fit_affine(view<const int>(codes), view<const int>(values));
}

}  // namespace

TEST_CASE("integral, rational, and constant maps") {
  DYTQ_CHECK_BOTH(fit<3>({-1, 0, opaque(4)}, {1, 4, 16}).value() == affine_fit{3, 1, -1, 1});
  DYTQ_CHECK_BOTH(fit<3>({-1, 0, opaque(4)}, {1, 4, 16})->slope() == 3 &&
                  fit<3>({-1, 0, 4}, {1, 4, 16})->offset() == 4);
  DYTQ_CHECK_BOTH(fit<3>({0, 4, opaque(2)}, {0, -6, -3}).value() == affine_fit{-3, 2, 0, 0});
  DYTQ_CHECK_BOTH(!fit<2>({0, opaque(4)}, {0, 6})->integral());
  DYTQ_CHECK_BOTH(fit<3>({9, 5, opaque(7)}, {2, 2, 2}).value() == affine_fit{0, 1, 9, 2});
  DYTQ_CHECK_BOTH(fit<1>({opaque(9)}, {2}).value() == affine_fit{0, 1, 9, 2});
  DYTQ_CHECK_BOTH(fit<4>({9, 9, opaque(7), 9}, {2, 2, 0, 2}).value() == affine_fit{1, 1, 9, 2});
}

TEST_CASE("counter-examples") {
  DYTQ_CHECK_BOTH(fit<3>({0, 1, opaque(2)}, {0, 1, 3}).error() ==
                  rejection{.why = reason::not_affine, .at = place::index, .code = 2, .expected = 2, .got = 3});
  // On the line the value at 1 is -3/2: its floor is shown.
  DYTQ_CHECK_BOTH(fit<3>({0, 2, opaque(1)}, {0, -3, -1}).error() ==
                  rejection{.why = reason::not_affine, .at = place::index, .code = 1, .expected = -2, .got = -1});
  DYTQ_CHECK_BOTH(fit<3>({5, 6, opaque(5)}, {0, 1, 2}).error() ==
                  rejection{.why = reason::contradiction, .at = place::index, .code = 5, .expected = 0, .got = 2});
  DYTQ_CHECK_BOTH(fit<2>({5, opaque(5)}, {0, 1}).error().why == reason::contradiction);
}

TEST_CASE("limits and arguments") {
  constexpr int limit = 1 << 30;
  DYTQ_CHECK_BOTH(fit<2>({-limit + 1, opaque(limit - 1)}, {limit - 1, -limit + 1}).value() ==
                  affine_fit{-1, 1, -limit + 1, limit - 1});
  DYTQ_CHECK_BOTH(fit<2>({0, opaque(limit)}, {0, 0}).error() ==
                  rejection{.why = reason::code_out_of_range, .code = limit, .expected = limit - 1, .got = limit});
  DYTQ_CHECK_BOTH(fit<2>({0, opaque(1)}, {0, -limit}).error().got == -limit);
  DYTQ_CHECK_BOTH(dytq::fit_affine(view<const int>(), view<const int>()).error().why == reason::empty);
  DYTQ_CHECK_BOTH(dytq::fit_affine(view<const int>(nullptr, {1}), view<const int>()).error() ==
                  rejection{.why = reason::null_view, .at = place::input});
  DYTQ_CHECK_BOTH(dytq::fit_affine(view<const int>(), view<const int>(nullptr, {opaque<std::int64_t>(1)})).error() ==
                  rejection{.why = reason::null_view, .at = place::output});
  DYTQ_CHECK_BOTH(dytq::detail::floor_value(affine_fit{-1, 2, 0, 0}, opaque<std::int64_t>(1)) == -1);
  DYTQ_CHECK_BOTH(dytq::detail::on_line(affine_fit{-1, 2, 0, 0}, opaque<std::int64_t>(2), -1));
}

TEST_BOTH("extreme 64-bit codes are refused, not computed", {
  const std::array<std::int64_t, 2> codes{0, opaque(INT64_MIN)};
  const std::array<std::int64_t, 2> values{0, INT64_MAX};
  return dytq::fit_affine(view<const std::int64_t>(codes), view<const std::int64_t>(values)).error() ==
         rejection{.why = reason::code_out_of_range, .code = INT64_MIN, .expected = (1 << 30) - 1, .got = INT64_MIN};
})

TEST_BOTH("a fit for each channel, or none", {
  const std::array<int, 3> codes{0, 1, 2};
  std::array<int, 6> values{0, 2, 4, 5, 5, opaque(5)};
  std::array<affine_fit, 2> fits{};
  const view<const int, 2> v(values.data(), {2, 3});
  if (!dytq::fit_affine(view<const int>(codes), v, fits) || fits[0] != affine_fit{2, 1, 0, 0} ||
      fits[1] != affine_fit{0, 1, 0, 5}) {
    return false;
  }
  values[4] = 6;
  const auto kept = fits;
  fits[0].first_value = 77;
  const auto no = dytq::fit_affine(view<const int>(codes), v, fits);
  const view<affine_fit> one(fits.data(), {1});
  return no.error() ==
             rejection{
                 .why = reason::not_affine, .at = place::index, .channel = 1, .code = 2, .expected = 7, .got = 5} &&
         fits[0].first_value == 77 && fits[1] == kept[1] &&
         dytq::fit_affine(view<const int>(), view<const int, 2>(nullptr, {2, opaque<std::int64_t>(0)}), fits).error() ==
             rejection{.why = reason::empty, .channel = 0, .expected = 1, .got = 0} &&
         dytq::fit_affine(view<const int>(codes), v, one).error() ==
             rejection{.why = reason::size_mismatch, .at = place::workspace, .expected = 2, .got = 1} &&
         dytq::fit_affine(view<const int>(codes), v, view<affine_fit>(fits.data(), {2}, {0})).error().why ==
             reason::aliased_output;
})

TEST_CASE("fits that lie in the values are refused") {
  alignas(8) std::array<std::int64_t, 16> memory{};
  const std::array<std::int64_t, 2> codes{0, 1};
  const view<const std::int64_t, 2> values(memory.data(), {2, 2});
  const view<affine_fit> fits(reinterpret_cast<affine_fit*>(memory.data()), {2});
  CHECK(dytq::fit_affine(view<const std::int64_t>(codes), values, fits).error() ==
        rejection{.why = reason::overlapping_views, .at = place::workspace});
  const view<const std::int64_t, 2> wild(memory.data(), {INT64_MAX, INT64_MAX});
  CHECK(dytq::fit_affine(view<const std::int64_t>(codes), wild, fits).error().why == reason::extent_overflow);
}
