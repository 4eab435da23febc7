// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/site_plan.hpp>

#include <array>
#include <cstdint>
#include <string_view>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::convolution;
using dytq::observed_codes;
using dytq::place;
using dytq::reason;
using dytq::rewrite;
using dytq::site_plan;
using target = dytq::site_target;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

// A site of two channels and the 1 x 3 convolution behind it.
struct subject {
  site_data<2> data{.table = table_of<4>({-5, 0, 1, 7}), .gamma = {2, 1}, .beta = {3, -1}};
  std::array<std::int8_t, 6> w{1, -2, 3, 4, 5, 6};
  std::int64_t pad = 0;
  std::int32_t input_zp = 0;

  constexpr convolution conv() const {
    convolution c{.weight = {w.data(), shape5{1, 1, 1, 3, 2}}, .input_zp = input_zp, .axes = dytq::unpadded};
    c.axes[0].input = c.axes[1].input = 1;
    c.axes[2] = {.input = 5, .before = pad, .after = pad};
    return c;
  }
  constexpr dytq::result<site_plan> plan(const target& backend = {}, const observed_codes& observed = {}) const {
    std::array<std::int16_t, 8> lines{};
    return dytq::plan(data.site(), conv(), lines, backend, observed);
  }
};

// Nonlinear maps, another one for each channel: only tables, and RESCALEs of gamma, do that.
constexpr subject trained() {
  subject s{.data{.table = table_of<4>({-50, -3, 1, 77}), .gamma = {25, 37}, .beta = {3, -1}}};
  s.data.steps.gamma_out = halved(3, 0, 0, dytq::int8_range);
  s.data.steps.add_out = halved(1, 0, 0, dytq::int8_range);
  return s;
}

constexpr bool lacks(const site_plan& p, rewrite r) { return p[r].why.why == reason::target_lacks; }
constexpr bool seen(const site_plan& p, rewrite r, place at) {
  return p[r].why.why == reason::observable_code && p[r].why.at == at;
}

}  // namespace

TEST_BOTH("nothing to do: the identity, with its bill", {
  subject s;
  s.data.gamma = {1, opaque<std::int8_t>(1)};
  s.data.beta = {0, 0};
  const auto p = s.plan().value();
  return p.best == rewrite::identity && p.companion == rewrite::count_ && p.operators == 6 && p.tables == 1 &&
         p[rewrite::identity].operators_saved() == 6 && p[rewrite::identity].bytes_saved() == 2 * (2 + 15) &&
         p[rewrite::into_conv].exists() && p[rewrite::uniform_table].exists() && p[rewrite::gamma_identity].exists() &&
         !p.assumes_reachable;
})

TEST_BOTH("affine maps go into the convolution, the bias of which becomes real", {
  const subject s;
  const auto p = s.plan().value();
  return p.best == rewrite::into_conv && p[rewrite::into_conv].bytes_added == 4 &&
         p[rewrite::identity].why.why == reason::not_identity &&
         p[rewrite::uniform_table].why.why == reason::not_uniform && p[rewrite::retabled].exists() &&
         p[rewrite::channel_tables].operators_removed == 7 && p[rewrite::channel_tables].operators_added == 1 &&
         p[rewrite::channel_tables].bytes_added == 2 * 256 + 2 * 4 && p.tables == 2 &&
         p[rewrite::beta_into_conv].operators_saved() == 3 && p[rewrite::gamma_rescale].bytes_added == 10;
})

TEST_BOTH("what a target lacks is said by that name, and the next best is taken", {
  const subject s = trained();
  const auto all = s.plan().value();
  const auto no_tables = s.plan({.channel_table = false}).value();
  const auto no_rescale = s.plan({.channel_table = false, .channel_rescale = false}).value();
  const auto nothing = s.plan({.channel_table = false, .channel_rescale = false, .depthwise = false}).value();
  const auto shared_table = s.plan({.table_exclusive = false}).value();
  return all.best == rewrite::channel_tables && all[rewrite::into_conv].why.why == reason::not_affine &&
         all[rewrite::retabled].why.why == reason::not_parallel && all[rewrite::gamma_rescale].exists() &&
         lacks(no_tables, rewrite::channel_tables) && no_tables.best == rewrite::gamma_rescale &&
         lacks(no_rescale, rewrite::gamma_rescale) && no_rescale.best == rewrite::gamma_depthwise &&
         lacks(nothing, rewrite::gamma_depthwise) && nothing.best == rewrite::count_ &&
         nothing.companion == rewrite::count_ && lacks(shared_table, rewrite::channel_tables) &&
         // a reason of its own is not covered up
         shared_table[rewrite::retabled].why.why == reason::not_parallel;
})

TEST_BOTH("a convolution that others read, a table that others read, padding that cannot follow", {
  subject s;
  const auto shared = s.plan({.conv_exclusive = false}).value();
  s.data.gamma = {1, 1};
  s.data.beta = {6, opaque<std::int8_t>(6)};
  s.pad = 1;
  s.data.table_zp = 0;
  const auto moved = s.plan().value();
  const auto fixed = s.plan({.moves_input_zp = false}).value();
  s.pad = 0;
  const auto inside = s.plan({.moves_input_zp = false}).value();
  const auto own_table = s.plan({.table_exclusive = false}).value();
  return lacks(shared, rewrite::into_conv) && lacks(shared, rewrite::retabled) &&
         lacks(shared, rewrite::beta_into_conv) && shared[rewrite::channel_tables].exists() &&
         moved[rewrite::into_conv].exists() && lacks(fixed, rewrite::into_conv) &&
         lacks(fixed, rewrite::beta_into_conv) && fixed.best == rewrite::uniform_table &&
         inside[rewrite::into_conv].exists() && lacks(own_table, rewrite::uniform_table) &&
         lacks(own_table, rewrite::retabled);
})

TEST_BOTH("a transposed convolution has borders without any padding", {
  site_data<1> data{.table = table_of<2>({-3, 2}), .gamma = {1}, .beta = {opaque<std::int8_t>(6)}};
  const std::array<std::int8_t, 2> w{1, 2};
  convolution conv{
      .weight = {w.data(), shape5{1, 1, 1, 2, 1}}, .kind = dytq::conv_kind::transposed, .axes = dytq::unpadded};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  conv.axes[2].input = 3;
  std::array<std::int16_t, 4> lines{};
  const auto free = dytq::plan(data.site(), conv, lines).value();
  const auto fixed = dytq::plan(data.site(), conv, lines, {.moves_input_zp = false}).value();
  return free[rewrite::into_conv].exists() && lacks(fixed, rewrite::into_conv);
})

TEST_BOTH("observed codes must stay", {
  subject s;
  const auto table = s.plan({}, {.table = opaque(true)}).value();
  const auto gamma = s.plan({}, {.gamma_out = true}).value();
  const auto add = s.plan({}, {.add_out = true}).value();
  s.data.gamma = {2, 2};
  s.data.beta = {3, 3};
  const auto uniform_table = s.plan({}, {.table = true}).value();
  const auto uniform_gamma = s.plan({}, {.gamma_out = true}).value();
  const auto uniform_add = s.plan({}, {.add_out = true}).value();
  return table[rewrite::into_conv].exists() && seen(table, rewrite::retabled, place::table) &&
         seen(table, rewrite::channel_tables, place::table) &&
         seen(uniform_table, rewrite::uniform_table, place::table) &&
         seen(gamma, rewrite::into_conv, place::gamma_out) && seen(gamma, rewrite::retabled, place::gamma_out) &&
         seen(gamma, rewrite::channel_tables, place::gamma_out) && gamma[rewrite::beta_into_conv].exists() &&
         gamma[rewrite::gamma_rescale].exists() && seen(uniform_gamma, rewrite::uniform_table, place::gamma_out) &&
         seen(add, rewrite::into_conv, place::add_out) && seen(add, rewrite::retabled, place::add_out) &&
         seen(add, rewrite::beta_into_conv, place::add_out) && add[rewrite::channel_tables].exists() &&
         uniform_add[rewrite::uniform_table].exists();
})

TEST_BOTH("an identity whose halves are none changes what is seen of gamma", {
  subject s;
  s.data.gamma = {1, 1};
  s.data.beta = {5, 5};
  s.data.steps.add_out.output_zp = -5;
  s.input_zp = -5;
  s.data.steps.gamma_out.output_zp = opaque(0);
  const auto whole = s.plan({}, {.gamma_out = true}).value();  // gamma alone is the identity: nothing is lost
  s.data.steps.gamma_out.output_zp = 4;
  s.data.beta = {1, 1};
  const auto broken = s.plan({}, {.gamma_out = true}).value();
  const auto unseen = s.plan().value();
  return whole.best == rewrite::identity && seen(broken, rewrite::identity, place::gamma_out) &&
         unseen.best == rewrite::identity;
})

TEST_BOTH("beta and gamma each in its own way, where together they save more", {
  // gamma's maps are not affine, so nothing takes both; beta is.
  subject s{.data{.table = table_of<4>({-50, -3, 1, 77}), .gamma = {25, 37}, .beta = {3, -1}}};
  s.data.steps.gamma_out = halved(5, 0, 0, dytq::int8_range);
  const auto p = s.plan({.channel_table = opaque(false)}).value();
  const auto alone = s.plan({.channel_table = false, .channel_rescale = false, .depthwise = false}).value();
  return p.best == rewrite::gamma_rescale && p.companion == rewrite::beta_into_conv &&
         alone.best == rewrite::beta_into_conv && alone.companion == rewrite::count_;
})

TEST_BOTH("a site without a convolution, and one without halves", {
  subject s;
  s.data.gamma = {2, 2};
  s.data.beta = {3, 3};
  std::array<std::int16_t, 8> lines{};
  const auto alone = dytq::plan(s.data.site(), {}, lines).value();
  s.data.has_gamma = false;
  s.data.has_beta = opaque(false);
  const auto none = s.plan().value();
  const auto neither = dytq::plan(s.data.site(), {}, lines);
  return alone.best == rewrite::uniform_table && alone[rewrite::into_conv].why.why == reason::empty &&
         alone[rewrite::beta_into_conv].why.why == reason::empty && none.operators == 0 &&
         none.best == rewrite::identity && none[rewrite::gamma_rescale].why.why == reason::no_gamma &&
         none[rewrite::beta_into_conv].why.why == reason::no_beta && !neither &&
         neither.error() == dytq::rejection{.why = reason::channel_count, .expected = 1, .got = 0};
})

TEST_BOTH("the reachable codes are named as an assumption", {
  subject s = trained();
  auto site = s.data.site();
  site.reachable = {};
  site.reachable.insert(opaque<std::int8_t>(1));
  site.reachable.insert(2);
  std::array<std::int16_t, 8> lines{};
  const auto p = dytq::plan(site, s.conv(), lines).value();
  return p.assumes_reachable && !s.plan()->assumes_reachable;
})

TEST_BOTH("a site that is unpredictable has no plan", {
  subject s;
  s.data.steps.gamma_out.shift = opaque(3);
  const auto p = s.plan();
  return !p && p.error().why == reason::value_exceeds_shift;
})

TEST_BOTH("a workspace of the wrong size refuses the plan, which would else be a worse one", {
  const subject s;
  std::array<std::int16_t, 4> lines{};
  const auto p = dytq::plan(s.data.site(), s.conv(), lines);
  return !p && p.error().why == reason::size_mismatch && p.error().at == dytq::place::workspace;
})

TEST_CASE("hostile convolutions are refused by each fold, and billed without overflow") {
  const subject s;
  std::array<std::int16_t, 8> lines{};
  convolution ungrouped = s.conv();
  ungrouped.groups = 0;
  auto alone = s.data;
  alone.has_gamma = alone.has_beta = false;
  CHECK(dytq::plan(alone.site(), ungrouped, lines).error().why == reason::channel_count);
  // A convolution of more channels than the site has: what it does not need is offered all the same.
  convolution wider = s.conv();
  wider.weight = {s.w.data(), shape5{1, 1, 1, 2, 3}};
  const auto narrow = dytq::plan(s.data.site(), wider, lines);
  REQUIRE(narrow);
  CHECK((*narrow)[rewrite::into_conv].why.why == reason::channel_count);
  CHECK(narrow->best == rewrite::channel_tables);
  for (const std::int64_t v : {INT64_MIN, INT64_MAX, INT64_MAX / 2, std::int64_t{-1}}) {
    convolution conv = s.conv();
    conv.weight.extents = {v, v, v, v, v};
    conv.bias.extents = {INT64_MIN};
    conv.groups = v;
    const auto p = dytq::plan(s.data.site(), conv, lines);
    REQUIRE(p);
    CHECK_FALSE((*p)[rewrite::into_conv].exists());
    CHECK(p->best == rewrite::channel_tables);
    auto bare = s.data;
    bare.has_gamma = bare.has_beta = false;
    CHECK(dytq::plan(bare.site(), conv, lines).error().why == reason::channel_count);
  }
}

TEST_CASE("names") {
  for (int i = 0; i < dytq::rewrite_count; ++i) {
    CHECK(dytq::name(static_cast<rewrite>(i)) != std::string_view("none"));
    for (int j = 0; j < i; ++j) {
      CHECK(dytq::name(static_cast<rewrite>(i)) != std::string_view(dytq::name(static_cast<rewrite>(j))));
    }
  }
  CHECK(dytq::name(rewrite::count_) == std::string_view("none"));
  CHECK(dytq::name(static_cast<rewrite>(opaque(200))) == std::string_view("none"));
}
