// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A site as a chain, and what is planned for it and for the convolution that reads it.
#include <dytq/plan.hpp>
#include <dytq/site.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::form;
using dytq::reason;
using dytq::view;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

// A site of two channels and the 1 x 3 convolution that reads it.
struct subject {
  site_data<2> data{.table = table_of<4>({-5, 0, 1, 7}), .gamma = {2, 1}, .beta = {3, -1}};
  std::array<std::int8_t, 6> w{1, -2, 3, 4, 5, 6};
  std::int64_t pad = 0;
  bool writable = true;
  dytq::target target = dytq::targets::tosa;
  dytq::cut_set observed = {};

  constexpr dytq::convolution conv() const {
    dytq::convolution c{.weight = {w.data(), shape5{1, 1, 1, 3, 2}}, .axes = dytq::unpadded};
    c.axes[0].input = c.axes[1].input = 1;
    c.axes[2] = {.input = 5, .before = pad, .after = pad};
    return c;
  }
  constexpr dytq::chain_plan plan() const {
    const dytq::site_chain chain(data.site());
    std::array<std::int8_t, 5 * 2 * 256> codes{};
    std::array<std::int32_t, 2> numbers{};
    std::array<std::int16_t, 8> lines{};
    const dytq::chain_reader reader{.conv = conv(), .writable = writable};
    const auto sizes = dytq::plan_workspace_sizes(chain.get()).value();
    return dytq::plan(
               chain.get(),
               {.codes = view<std::int8_t>(codes.data(), {sizes.codes}), .numbers = numbers, .lines = lines}, target,
               {.readers = view<const dytq::chain_reader>(&reader, {1}), .observed = observed, .branches = false})
        .value();
  }
};

// Nonlinear maps, another one for each channel.
constexpr subject trained() {
  subject s{.data{.table = table_of<4>({-50, -3, 1, 77}), .gamma = {25, 37}, .beta = {3, -1}}};
  s.data.steps.gamma_out = halved(3, 0, 0, dytq::int8_range);
  s.data.steps.add_out = halved(1, 0, 0, dytq::int8_range);
  s.target.depthwise = false;
  return s;
}

constexpr bool takes(const dytq::chain_plan& p, int from, int to, form f) {
  bool found = false;
  for (int i = 0; i < p.count; ++i) {
    const dytq::plan_stretch& s = p.stretch(i);
    found = found || (s.from == from && s.to == to && s.how == f);
  }
  return found;
}

}  // namespace

TEST_BOTH("a site is its TABLE and what follows it", {
  subject s;
  const dytq::site_chain all(s.data.site());
  s.data.has_beta = false;
  const dytq::site_chain gamma(s.data.site());
  s.data.has_gamma = false;
  const dytq::site_chain none(s.data.site());
  return all.get().steps.extent(0) == 7 && all.get().channels == 2 && all.gamma_cut() == 4 && all.end() == 7 &&
         all.get().steps(0).op == dytq::operation::table && gamma.end() == 4 && gamma.gamma_cut() == 4 &&
         none.end() == 1 && none.gamma_cut() == 1 && dytq::site_chain::table_cut() == 1;
})

TEST_BOTH("what changes nothing leaves the TABLE alone; lines go into the convolution, and give it a bias", {
  subject s;
  s.data.gamma = {1, opaque<std::int8_t>(1)};
  s.data.beta = {0, 0};
  const auto none = s.plan();
  const auto lines = subject().plan();
  return none.operators == 1 && none.bytes == 256 && takes(none, 0, 7, form::into_table) && lines.operators == 1 &&
         takes(lines, 1, 7, form::into_conv) && lines.bytes == 256 + 4;
})

TEST_BOTH("what a target lacks is said, and the next best is taken", {
  subject s = trained();
  s.target.channel_tables = opaque(true);
  const auto tables = s.plan();
  s.target.channel_tables = false;
  const auto rescale = s.plan();
  s.target.channel_rescale = false;
  const auto nothing = s.plan();
  return tables.operators == 1 && takes(tables, 0, 7, form::channel_tables) &&
         takes(rescale, 1, 4, form::channel_rescale) && rescale[form::channel_tables].why.why == reason::target_lacks &&
         rescale[form::into_conv].why.why == reason::not_affine &&
         nothing[form::channel_rescale].why.why == reason::target_lacks && takes(nothing, 0, 4, form::keep) &&
         takes(nothing, 4, 7, form::into_table_and_conv);
})

TEST_BOTH("a convolution that others own, and padding that cannot follow", {
  subject s;
  s.writable = opaque(false);
  const auto shared = s.plan();
  s.writable = true;
  s.data.gamma = {1, 1};
  s.data.beta = {6, 6};
  s.pad = 1;
  const auto moved = s.plan();
  s.target.moves_input_zp = false;
  const auto fixed = s.plan();
  return !shared.folds() && shared[form::into_conv].why.why == reason::shared && moved[form::into_conv].exists() &&
         fixed[form::into_conv].why.why == reason::target_lacks && takes(fixed, 0, 7, form::into_table);
})

TEST_BOTH("observed codes stay", {
  subject s;
  s.observed.insert(opaque(4));
  const auto gamma = s.plan();
  s.observed.insert(7);
  const auto end = s.plan();
  // Gamma becomes another form of the same codes, and beta still goes into the convolution.
  return takes(gamma, 4, 7, form::into_conv) && gamma.operators < 4 && !end.folds() &&
         end[form::into_conv].why.why == reason::observable_code;
})

TEST_BOTH("beta is a line on the codes that each channel has, if not on those of all", {
  subject s;
  s.data.table = table_of<3>({-50, 0, 50});
  s.data.gamma = {2, opaque<std::int8_t>(0)};  // -100, 0, 100; and 0
  s.data.beta = {20, 100};                     // channel 1 would saturate at a code that only channel 0 has
  s.target.depthwise = false;
  s.observed.insert(4);
  const auto p = s.plan();
  return takes(p, 4, 7, form::into_conv) && p[form::into_conv].exists();
})
