// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/layer.hpp>

#include <array>
#include <cstdint>
#include <limits>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::halved;
using dytq_tests::identity_table;
using dytq_tests::opaque;
using dytq_tests::plain_chain;
using dytq_tests::plain_gamma;
using dytq_tests::plain_rescale;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

constexpr site_data<2> subject() {
  site_data<2> data{.table = table_of<4>({-50, -3, 1, 77}), .gamma = {25, 37}, .beta = {3, -1}, .table_zp = 2};
  data.steps.gamma_out = halved(4, 0, -7, dytq::int8_range);
  return data;
}

}  // namespace

TEST_BOTH("gamma as one RESCALE per channel", {
  const auto data = subject();
  const auto site = data.site();
  std::array<std::int32_t, 2> m{};
  std::array<std::int32_t, 2> s{opaque(0), 0};
  const auto as = dytq::gamma_as_rescale(site, m, s);
  if (!as || as->input_zp != 2 || as->output_zp != -7 || !dytq::gamma_as_rescale(site) ||
      dytq::channel_rescale().input_zp != 0 || dytq::channel_rescale().output_zp != 0) {
    return false;
  }
  for (std::size_t c = 0; c < 2; ++c) {
    for (const int x : {-50, -3, 1, 77}) {
      const auto r = plain_rescale(
          {.multiplier = m[c], .shift = s[c], .input_zp = 2, .output_zp = -7, .out = dytq::int8_range}, x);
      if (!r.ok || r.v != plain_gamma(site, static_cast<std::int64_t>(c), x).v) {
        return false;
      }
    }
  }
  return true;
})

TEST_BOTH("a negative gamma has no RESCALE, and leaves no trace", {
  auto data = subject();
  data.gamma = {25, opaque<std::int8_t>(-37)};
  std::array<std::int32_t, 2> m{5, 5};
  std::array<std::int32_t, 2> s{6, 6};
  const rejection why = dytq::gamma_as_rescale(data.site(), m, s).error();
  return why.why == reason::no_rescale && why.at == place::gamma && why.channel == 1 &&
         why.expected == plain_gamma(data.site(), 1, why.code).v && m == std::array<std::int32_t, 2>{5, 5} &&
         s == std::array<std::int32_t, 2>{6, 6};
})

TEST_BOTH("refusals of gamma as RESCALE", {
  auto data = subject();
  std::array<std::int32_t, 2> m{};
  std::array<std::int32_t, 2> s{};
  const view<std::int32_t> one(m.data(), {1});
  bool ok = dytq::gamma_as_rescale(data.site(), one, s).error() ==
            rejection{.why = reason::size_mismatch, .at = place::output, .expected = 2, .got = 1};
  ok = ok && dytq::gamma_as_rescale(data.site(), m, {}).error().why == reason::size_mismatch;
  data.table_zp = opaque(128);
  ok = ok && dytq::gamma_as_rescale(data.site(), m, s).error() ==
                 rejection{.why = reason::zero_point_out_of_range, .at = place::table, .expected = 127, .got = 128};
  data.table_zp = 0;
  data.steps.gamma_out.output_zp = -129;
  ok = ok &&
       dytq::gamma_as_rescale(data.site(), m, s).error() ==
           rejection{.why = reason::zero_point_out_of_range, .at = place::gamma_out, .expected = -128, .got = -129};
  data.has_gamma = false;
  return ok &&
         dytq::gamma_as_rescale(data.site(), m, s).error() == rejection{.why = reason::no_gamma, .at = place::gamma};
})

TEST_CASE("outputs of gamma as RESCALE must be two") {
  const auto data = subject();
  std::array<std::int32_t, 3> words{1, 2, 3};
  const view<std::int32_t> a(words.data(), {2});
  const view<std::int32_t> b(words.data() + 1, {2});
  const rejection overlapping{.why = reason::overlapping_views, .at = place::output};
  CHECK(dytq::gamma_as_rescale(data.site(), a, b).error() == overlapping);
  CHECK(dytq::gamma_as_rescale(data.site(), a, a).error() == overlapping);
  auto site = data.site();
  site.gamma = view<const std::int8_t>(reinterpret_cast<std::int8_t*>(words.data()) + 3, {2});
  std::array<std::int32_t, 2> apart{};
  CHECK(dytq::gamma_as_rescale(site, a, apart).error() == overlapping);
  CHECK(dytq::gamma_as_rescale(site, apart, a).error() == overlapping);
  CHECK(words == std::array<std::int32_t, 3>{1, 2, 3});
  // In place of gamma, the depthwise weights may be; elsewhere in it, not.
  std::array<std::int8_t, 3> g{25, -37, 1};
  site.gamma = view<const std::int8_t>(g.data(), {2});
  CHECK(dytq::gamma_as_depthwise(site, view<std::int8_t>(g.data() + 1, {2})).error() ==
        rejection{.why = reason::overlapping_views, .at = place::weight});
  CHECK(dytq::gamma_as_depthwise(site, view<std::int8_t>(g.data(), {2})));
}

TEST_BOTH("gamma as depthwise weights: centered if they fit, else with a zero point", {
  auto data = subject();
  data.gamma = {25, -37};
  data.steps.gamma.input_zp = opaque(10);
  std::array<std::int8_t, 2> w{};
  const auto centered = dytq::gamma_as_depthwise(data.site(), w);
  if (!centered || centered->weight_zp != 0 || centered->input_zp != 2 || w != std::array<std::int8_t, 2>{15, -47}) {
    return false;
  }
  data.gamma = {25, -128};
  const auto with_zp = dytq::gamma_as_depthwise(data.site(), w);
  return with_zp && with_zp->weight_zp == 10 && w == std::array<std::int8_t, 2>{25, -128} &&
         dytq::gamma_as_depthwise(data.site()).has_value();
})

TEST_BOTH("refusals of gamma as depthwise weights", {
  auto data = subject();
  std::array<std::int8_t, 2> w{9, 9};
  data.steps.table = halved(0, 0, 1);
  bool ok = dytq::gamma_as_depthwise(data.site(), w).error() ==
            rejection{.why = reason::not_scale_one, .at = place::table, .code = -50, .expected = -52, .got = -51};
  data.steps.table = halved(0);
  data.steps.gamma = halved(opaque(1));
  ok = ok &&
       dytq::gamma_as_depthwise(data.site(), w).error() ==
           rejection{
               .why = reason::not_scale_one, .at = place::gamma, .channel = 0, .code = 25, .expected = 25, .got = 13};
  data.steps.gamma = halved(0, -200);  // centered 225: no int8, and -200 no zero point
  ok = ok && dytq::gamma_as_depthwise(data.site(), w).error() ==
                 rejection{.why = reason::zero_point_out_of_range, .at = place::gamma, .expected = -128, .got = -200};
  data.steps.gamma = halved(0);
  data.table_zp = 130;
  ok = ok && dytq::gamma_as_depthwise(data.site(), w).error() ==
                 rejection{.why = reason::zero_point_out_of_range, .at = place::table, .expected = 127, .got = 130};
  data.table_zp = 0;
  ok = ok && dytq::gamma_as_depthwise(data.site(), view<std::int8_t>(w.data(), {1})).error() ==
                 rejection{.why = reason::size_mismatch, .at = place::weight, .expected = 2, .got = 1};
  data.has_gamma = false;
  return ok && dytq::gamma_as_depthwise(data.site(), w).error().why == reason::no_gamma &&
         w == std::array<std::int8_t, 2>{9, 9};
})

TEST_BOTH("a range of gamma_out that is narrower than int8 is in the answer, and what is applied gives every code", {
  auto data = subject();
  data.steps.gamma_out.out = {0, opaque<std::int64_t>(100)};
  std::array<std::int32_t, 2> multiplier{};
  std::array<std::int32_t, 2> shift{};
  data.gamma = {25, 37};
  const auto form = dytq::gamma_as_rescale(data.site(), multiplier, shift);
  if (!form || form->out != dytq::code_range{0, 100}) {
    return false;
  }
  for (std::size_t c = 0; c < 2; ++c) {
    for (const std::int8_t x : data.table) {
      const dytq::rescale r{.multiplier = multiplier[c],
                            .shift = shift[c],
                            .input_zp = form->input_zp,
                            .output_zp = form->output_zp,
                            .out = form->out,
                            .rounding = form->rounding};
      if (*dytq::apply(r, x) != dytq_tests::plain_gamma(data.site(), static_cast<std::int64_t>(c), x).v) {
        return false;
      }
    }
  }
  return true;
})
