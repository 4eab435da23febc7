// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A range narrower than the type, at each of the six steps in turn: every fold and every form of a plan represents it,
// or refuses. What is taken gives every code of the plain model; what is refused has the numbers that its reason has.
#include <dytq/chain.hpp>
#include <dytq/check_fold.hpp>
#include <dytq/fold.hpp>
#include <dytq/plan.hpp>
#include <dytq/text.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <random>

#include "support/catch.hpp"
#include "support/plain_chain.hpp"

using dytq::chain_step;
using dytq::code_range;
using dytq::form;
using dytq::operation;
using dytq::reason;
using dytq::rejection;
using dytq::view;

namespace {

constexpr int step_count = 6;

std::int64_t between(std::mt19937_64& g, std::int64_t lo, std::int64_t hi) {
  return lo + static_cast<std::int64_t>(g() % static_cast<std::uint64_t>(hi - lo + 1));
}

// A range that codes or their products meet.
code_range narrow(std::mt19937_64& g, bool of_codes) {
  const std::int64_t wide = of_codes ? 128 : between(g, 1, 3) == 1 ? 2000 : 100;
  const std::int64_t a = between(g, -wide, wide - 1), b = between(g, -wide, wide - 1);
  return {a < b ? a : b, a < b ? b : a};
}

dytq_tests::site_data<2> any_site(std::mt19937_64& g, int step) {
  dytq_tests::site_data<2> data;
  const bool few = between(g, 0, 2) == 0;
  for (std::size_t i = 0; i < 256; ++i) {
    data.table[i] = static_cast<std::int8_t>(few ? static_cast<int>(i % 5) * 7 - 12 : static_cast<int>(i) - 128);
  }
  const int halvings = static_cast<int>(between(g, 0, 2));
  for (std::size_t c = 0; c < 2; ++c) {
    data.gamma[c] = static_cast<std::int8_t>(between(g, 1, 3) == 1 ? between(g, -5, 5) : 1 << halvings);
    data.beta[c] = static_cast<std::int8_t>(between(g, 1, 2) == 1 ? between(g, -20, 20) : 3);
  }
  data.steps.gamma_out = dytq_tests::halved(halvings, 0, 0, dytq::int8_range);
  data.steps.add_out = dytq_tests::halved(0, 0, static_cast<std::int32_t>(between(g, -9, 9)), dytq::int8_range);
  dytq::rescale* const steps[step_count] = {&data.steps.table,  &data.steps.gamma, &data.steps.gamma_out,
                                            &data.steps.add_in, &data.steps.beta,  &data.steps.add_out};
  steps[step]->out = narrow(g, step % 3 == 2);
  return data;
}

// A rejection's numbers are there if its reason has them. Two reasons have them in some cases only.
void has_numbers(const rejection& why) {
  INFO(dytq::to_text(why).c_str());
  const dytq::reason_numbers has = dytq::numbers(why.why);
  const bool may_lack = (why.why == reason::padding && why.at == dytq::place::weight) ||
                        why.why == reason::target_lacks || why.why == reason::unknown_type;
  CHECK(((why.expected != dytq::unset) == (has.expected[0] != '\0') || may_lack));
  CHECK(((why.got != dytq::unset) == (has.got[0] != '\0') || may_lack));
}

}  // namespace

TEST_CASE("six steps with a narrower range, and every fold into a convolution") {
  std::mt19937_64 g(15);
  int taken[step_count] = {}, refused[step_count] = {}, met[step_count] = {}, wrong = 0;
  for (int n = 0; n < 3'000; ++n) {
    const int step = n % step_count;
    const auto data = any_site(g, step);
    const dytq::affine_site site = data.site();
    dytq_tests::site_data<2> open = data;
    open.steps.table.out = open.steps.gamma.out = open.steps.add_in.out = open.steps.beta.out = dytq::int32_range;
    open.steps.gamma_out.out = open.steps.add_out.out = dytq::int8_range;
    for (std::int64_t c = 0; c < 2; ++c) {
      for (const std::int8_t x : data.table) {
        met[step] += dytq_tests::plain_chain(site, c, x).v != dytq_tests::plain_chain(open.site(), c, x).v ? 1 : 0;
      }
    }
    const std::array<std::int64_t, 5> shape{1, 1, 1, 2, 2};
    std::array<std::int8_t, 4> w{};
    for (auto& v : w)
      v = static_cast<std::int8_t>(between(g, -8, 8));
    dytq::convolution conv{.weight = {w.data(), shape}, .input_zp = data.steps.add_out.output_zp};
    conv.axes[2] = {.input = 3, .before = between(g, 0, 1)};
    dytq_tests::fold_memory<4, 1, 2> out;
    for (int kind = 0; kind < 3; ++kind) {
      const auto judge = [&](const auto& fold, bool keeps_gamma, const view<const std::int8_t>& table) {
        if (!fold) {
          ++refused[step];
          has_numbers(fold.error());
          return;
        }
        ++taken[step];
        CHECK(dytq_tests::plain_exact(site, conv,
                                      {.weight = {out.weight.data(), shape},
                                       .bias = out.bias,
                                       .input_zp = fold->input_zp,
                                       .table = table,
                                       .keeps_gamma = keeps_gamma}));
      };
      if (kind == 0)
        judge(dytq::fold_affine_into_conv(site, conv, out.views(shape)), false, {});
      if (kind == 1)
        judge(dytq::fold_beta_into_conv(site, conv, out.views(shape)), true, {});
      if (kind == 2) {
        const auto fold = dytq::fold_affine_into_table_and_conv(site, conv, out.views(shape));
        judge(fold, false, fold ? view<const std::int8_t>(fold->table) : view<const std::int8_t>{});
      }
    }
    for (const dytq::affine_half half : {dytq::affine_half::both, dytq::affine_half::gamma, dytq::affine_half::beta}) {
      const auto same = dytq::is_identity(site, half);
      if (!same) {
        has_numbers(same.error());
        continue;
      }
      for (std::int64_t c = 0; c < 2; ++c) {
        for (const std::int8_t x : data.table) {
          const std::int64_t m = dytq_tests::plain_gamma(site, c, x).v;
          wrong += (half == dytq::affine_half::both    ? dytq_tests::plain_chain(site, c, x).v == x
                    : half == dytq::affine_half::gamma ? m == x
                                                       : dytq_tests::plain_beta(site, c, m).v == m)
                       ? 0
                       : 1;
        }
      }
    }
  }
  CHECK(wrong == 0);
  for (int step = 0; step < step_count; ++step) {
    INFO("step " << step << ": " << taken[step] << " taken, " << refused[step] << " refused, range met " << met[step]);
    CHECK(taken[step] > 50);
    CHECK(refused[step] > 50);
    CHECK(met[step] > 500);
  }
}

TEST_CASE("six steps with a narrower range, and every form of a plan") {
  std::mt19937_64 g(16);
  std::map<form, int> made;
  int planned[step_count] = {}, wrong = 0;
  static std::array<std::int8_t, 13 * 2 * 256> codes;
  static std::array<std::int8_t, 5000> new_codes;
  for (int n = 0; n < 1'200; ++n) {
    const int step = n % step_count;
    const auto data = any_site(g, step);
    const dytq::affine_site::rescales& r = data.steps;
    const std::array<chain_step, step_count> steps{
        chain_step{.scale = r.table, .wide = true},
        chain_step{.op = operation::mul, .scale = r.gamma, .codes = view<const std::int8_t>(data.gamma)},
        chain_step{.scale = r.gamma_out},
        chain_step{.scale = r.add_in, .wide = true},
        chain_step{.op = operation::add, .scale = r.beta, .codes = view<const std::int8_t>(data.beta)},
        chain_step{.scale = r.add_out}};
    dytq::chain chain{.steps = view<const chain_step>(steps), .channels = 2};
    chain.domain = {};
    for (const std::int8_t x : data.table) {
      chain.domain.insert(x);
    }
    dytq::target target = between(g, 0, 1) == 0 ? dytq::targets::tosa : dytq::targets::cmsis_nn;
    target.channel_tables = between(g, 0, 3) == 0;
    target.channel_rescale = between(g, 0, 1) == 0;
    target.depthwise = between(g, 0, 1) == 0;
    target.max_slices = between(g, 0, 2);
    const auto sizes = dytq::plan_workspace_sizes(chain);
    REQUIRE(sizes);
    std::array<std::int32_t, 2> numbers{};
    std::array<std::int16_t, 8> lines{};
    const dytq::plan_workspace workspace{
        .codes = view<std::int8_t>(codes.data(), {sizes->codes}), .numbers = numbers, .lines = lines};
    const auto p = dytq::plan(chain, workspace, target);
    if (!p) {
      has_numbers(p.error());
      continue;
    }
    ++planned[step];
    std::array<chain_step, 24> new_steps{};
    std::array<std::int32_t, 100> new_numbers{};
    const auto edited = dytq::apply(chain, *p,
                                    {.steps = view<chain_step>(new_steps.data(), {p->operators}),
                                     .numbers = view<std::int32_t>(new_numbers.data(), {p->numbers}),
                                     .codes = view<std::int8_t>(new_codes.data(), {p->codes})},
                                    workspace, target);
    INFO(dytq::to_text(edited.error()).c_str());
    REQUIRE(edited);
    for (int i = 0; i < p->count; ++i) {
      ++made[p->stretch(i).how];
    }
    for (int f = 0; f < static_cast<int>(form::count_); ++f) {
      if (const rejection& why = (*p)[static_cast<form>(f)].why; why.exists()) {
        has_numbers(why);
      }
    }
    for (std::int64_t c = 0; c < 2; ++c) {
      for (const std::int8_t x : data.table) {
        const auto now = dytq_tests::plain_steps(edited->steps, edited->steps.extent(0), c, x);
        wrong += now.ok && now.v == dytq_tests::plain_chain(data.site(), c, x).v ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
  for (const form f : {form::keep, form::drop, form::into_table, form::channel_rescale, form::line,
                       form::channel_tables, form::sliced_tables}) {
    INFO(dytq::name(f));
    CHECK(made[f] > 10);
  }
  for (const int count : planned) {
    CHECK(count > 50);
  }
}
