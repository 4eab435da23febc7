// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What folds and plans take of the stack: each runs on one of its own that was painted before.
#include <dytq/fold.hpp>
#include <dytq/plan.hpp>

#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

namespace {

using dytq::view;

ucontext_t caller, callee;
std::vector<unsigned char> painted(1 << 20);
std::function<bool()> fold;
bool folded = false;

void run() { folded = fold(); }

// Bytes, or 0 if there was no fold.
std::size_t used_by(std::function<bool()> work) {
  std::fill(painted.begin(), painted.end(), std::uint8_t{0xa5});
  fold = std::move(work);
  getcontext(&callee);
  callee.uc_stack.ss_sp = painted.data();
  callee.uc_stack.ss_size = painted.size();
  callee.uc_link = &caller;
  makecontext(&callee, run, 0);
  swapcontext(&caller, &callee);
  const auto last = std::find_if(painted.begin(), painted.end(), [](unsigned char byte) { return byte != 0xa5; });
  return folded ? static_cast<std::size_t>(painted.end() - last) : 0;
}

}  // namespace

int main() {
  std::vector<std::int8_t> table(256), gamma(32, 64), weight(64 * 9 * 32, 1), new_weight(weight.size());
  std::vector<std::int32_t> bias(64);
  std::vector<std::int16_t> workspace(4 * 32);
  for (std::size_t i = 0; i < 256; ++i) {
    table[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
  }
  dytq::affine_site site{.table = table, .gamma = gamma};
  site.steps.gamma_out = {.multiplier = 1 << 30, .shift = 36, .out = dytq::int8_range};
  const std::array<std::int64_t, 4> shape{64, 3, 3, 32};
  const dytq::convolution conv{.weight = dytq::from_ohwi(view<const std::int8_t, 4>(weight.data(), shape)),
                               .axes = dytq::unpadded};
  const dytq::fold_outputs outputs{
      .weight = dytq::from_ohwi(view<std::int8_t, 4>(new_weight.data(), shape)), .bias = bias, .workspace = workspace};
  dytq::affine_fold done;
  const auto say = [](const char* name, std::size_t used) { std::printf("%s: %zu\n", name, used); };
  say("fold_affine_into_conv", used_by([&] { return dytq::fold_affine_into_conv(site, conv, outputs).has_value(); }));
  say("fold_affine_into_table_and_conv",
      used_by([&] { return dytq::fold_affine_into_table_and_conv(site, conv, outputs).has_value(); }));
  say("fold_affine_into_convs", used_by([&] {
        return dytq::fold_affine_into_convs(site, view<const dytq::convolution>(&conv, {1}),
                                            view<const dytq::fold_outputs>(&outputs, {1}),
                                            view<dytq::affine_fold>(&done, {1}))
            .has_value();
      }));
  // The same steps as a chain: its plan, the edit and the judge.
  const dytq::affine_site::rescales& r = site.steps;
  const std::array<dytq::chain_step, 3> steps{
      dytq::chain_step{.scale = r.table, .wide = true},
      dytq::chain_step{
          .op = dytq::operation::mul, .scale = r.gamma, .codes = view<const std::int8_t>(gamma.data(), {32})},
      dytq::chain_step{.scale = r.gamma_out}};
  const dytq::chain chain{.steps = view<const dytq::chain_step>(steps), .channels = 32};
  const auto sizes = dytq::plan_workspace_sizes(chain).value();
  std::vector<std::int8_t> codes(static_cast<std::size_t>(sizes.codes));
  std::vector<std::int32_t> numbers(32);
  const dytq::plan_workspace room{.codes = codes, .numbers = numbers, .lines = workspace};
  const auto plan = dytq::plan(chain, room).value();
  std::vector<dytq::chain_step> new_steps(static_cast<std::size_t>(plan.operators));
  std::vector<std::int32_t> new_numbers(static_cast<std::size_t>(plan.numbers));
  std::vector<std::int8_t> new_codes(static_cast<std::size_t>(plan.codes));
  const dytq::plan_outputs made{.steps = new_steps, .numbers = new_numbers, .codes = new_codes};
  say("plan", used_by([&] { return dytq::plan(chain, room).has_value(); }));
  say("apply", used_by([&] { return dytq::apply(chain, plan, made, room).has_value(); }));
}
