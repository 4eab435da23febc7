// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of graphs that contradict themselves, into outputs that nobody should write to.
#include "hostile.hpp"

#include <dytq/check_fold.hpp>
#include <dytq/fold.hpp>

namespace hostile {
namespace {

using dytq::affine_site;
using dytq::convolution;
using dytq::fold_outputs;

/// What the three folds into a convolution say: they must agree.
constexpr reason folds(const affine_site& site, const convolution& conv, const fold_outputs& out) {
  const reason whole = why(dytq::fold_affine_into_conv(site, conv, out));
  const reason table = why(dytq::fold_affine_into_table_and_conv(site, conv, out));
  const reason beta = why(dytq::fold_beta_into_conv(site, conv, out));
  return whole == table && whole == beta ? whole : reason::count_;
}
/// The same, where nothing is wrong with the outputs: asking says what folding says.
constexpr reason asked_and_folded(const affine_site& site, const convolution& conv, outputs& to) {
  const fold_outputs out = good_outputs(to);
  const reason whole = why(dytq::prove_affine_fold(site, conv, out.workspace));
  const reason table = why(dytq::prove_table_and_conv_fold(site, conv, out.workspace));
  const reason beta = why(dytq::prove_beta_fold(site, conv, out.workspace));
  return whole == table && whole == beta && whole == folds(site, conv, out) ? whole : reason::count_;
}
template <class F>
constexpr reason of_site(outputs& to, F spoil) {
  affine_site site = good_site();
  spoil(site);
  return asked_and_folded(site, good_conv(), to);
}
template <class F>
constexpr reason of_conv(outputs& to, F spoil) {
  convolution conv = good_conv();
  spoil(conv);
  return asked_and_folded(good_site(), conv, to);
}
template <class F>
constexpr reason of_outputs(outputs& to, F spoil) {
  fold_outputs out = good_outputs(to);
  spoil(out);
  return folds(good_site(), good_conv(), out);
}
constexpr dytq::claimed_fold good_claim() { return {.weight = good_conv().weight, .bias = biases}; }
template <class F>
constexpr reason of_claim(F spoil) {
  dytq::claimed_fold claim = good_claim();
  spoil(claim);
  return why(dytq::check_fold(good_site(), good_conv(), claim));
}

constexpr std::array plain{
    hostile_case{"fold", "nothing is wrong", reason::none,
                 [](outputs& to, int, int) { return of_site(to, [](auto&) {}); }},
    hostile_case{"fold", "no table", reason::null_view,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.table.data = nullptr; }); }},
    hostile_case{"fold", "an absent table", reason::table_size,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.table = {}; }); }},
    hostile_case{"fold", "a table of 255 entries", reason::table_size,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.table.extents[0] = 255; }); }},
    hostile_case{"fold", "a table whose stride leaves the address space", reason::extent_overflow,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.table.strides[0] = least; }); }},
    hostile_case{"fold", "gamma from nowhere", reason::null_view,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.gamma.data = nullptr; }); }},
    hostile_case{"fold", "a negative number of gammas", reason::negative_extent,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.gamma.extents[0] = -2; }); }},
    hostile_case{
        "fold", "gamma at an address, but none of it", reason::channel_count,
        [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.gamma.extents[0] = s.beta.extents[0] = 0; }); }},
    hostile_case{"fold", "beta beyond the address space", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   return of_site(to, [](auto& s) { s.beta.extents[0] = most, s.beta.strides[0] = most; });
                 }},
    hostile_case{"fold", "more betas than gammas", reason::channel_count,
                 [](outputs& to, int, int) {
                   return of_site(to, [](auto& s) { s.beta = view<const std::int8_t>(weights.data(), {4}); });
                 }},
    hostile_case{"fold", "as many channels as nobody reads", reason::channel_count,
                 [](outputs& to, int, int) {
                   return of_site(to, [](auto& s) {
                     s.gamma = view<const std::int8_t>(ones.data(), {huge}, {0});
                     s.beta = view<const std::int8_t>(zeros.data(), {huge}, {0});
                   });
                 }},
    hostile_case{"fold", "no code is reachable", reason::empty,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.reachable = {}; }); }},
    hostile_case{
        "fold", "gamma's result is no int8", reason::range_inverted,
        [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.steps.gamma_out.out = dytq::int32_range; }); }},
    hostile_case{"fold", "the chain's result is no int8", reason::range_inverted,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.steps.add_out.out.hi = 128; }); }},
    hostile_case{"fold", "the table's codes are beyond their shift", reason::value_exceeds_shift,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.steps.table.shift = 2; }); }},
    hostile_case{
        "fold", "gamma's zero point at the end of int32", reason::value_exceeds_int32,
        [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.steps.gamma.input_zp = INT32_MIN; }); }},
    hostile_case{"fold", "gamma beyond its shift", reason::value_exceeds_shift,
                 [](outputs& to, int, int) {
                   return of_site(to, [](auto& s) { s.steps.gamma.shift = 2, s.steps.gamma.input_zp = 100; });
                 }},
    hostile_case{"fold", "a sum of 2^31", reason::add_overflow,
                 [](outputs& to, int, int) {
                   return of_site(to, [](auto& s) {
                     s.steps.add_in.output_zp = INT32_MAX - 200;
                     s.steps.beta.output_zp = 200;
                     s.steps.add_out.shift = 62;
                   });
                 }},
    hostile_case{"fold", "a sum beyond its shift", reason::value_exceeds_shift,
                 [](outputs& to, int, int) { return of_site(to, [](auto& s) { s.steps.add_out.shift = 2; }); }},
    hostile_case{"fold", "the convolution reads another zero point", reason::zero_point_mismatch,
                 [](outputs& to, int, int) { return of_conv(to, [](auto& c) { c.input_zp = 1; }); }},
    hostile_case{"fold", "no weights", reason::null_view,
                 [](outputs& to, int, int) { return of_conv(to, [](auto& c) { c.weight.data = nullptr; }); }},
    hostile_case{"fold", "absent weights", reason::empty,
                 [](outputs& to, int, int) { return of_conv(to, [](auto& c) { c.weight = {}; }); }},
    hostile_case{"fold", "weights beyond size_t", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   return of_conv(to, [](auto& c) { c.weight.extents = {huge, huge, huge, 1, 2}; });
                 }},
    hostile_case{"fold", "more input channels than the site has", reason::channel_count,
                 [](outputs& to, int, int) { return of_conv(to, [](auto& c) { c.groups = 2; }); }},
    hostile_case{"fold", "padding of a convolution of any size", reason::shape_mismatch,
                 [](outputs& to, int, int) { return of_conv(to, [](auto& c) { c.axes[1].before = 1; }); }},
    hostile_case{"fold", "a bias of 2^31 asked for", reason::bias_overflow,
                 [](outputs& to, int, int) {
                   const std::int32_t bias[] = {INT32_MAX, 0};  // + (1 + 2) * (127 - 100)
                   affine_site site = good_site();
                   site.steps.add_out.output_zp = 100;
                   site.steps.add_out.out = {127, 127};
                   convolution conv = good_conv();
                   conv.bias = bias;
                   conv.input_zp = 100;
                   return why(dytq::fold_affine_into_conv(site, conv, good_outputs(to)));
                 }},
    hostile_case{"fold", "output weights from nowhere", reason::null_view,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.weight.data = nullptr; }); }},
    hostile_case{"fold", "output weights that share memory", reason::aliased_output,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.weight.strides[0] = 0; }); }},
    hostile_case{"fold", "output weights of another shape", reason::shape_mismatch,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.weight.extents[4] = 1; }); }},
    hostile_case{"fold", "output weights, but no output bias", reason::output_missing,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.bias = {}; }); }},
    hostile_case{"fold", "an output bias, but no output weights", reason::output_missing,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.weight = {}; }); }},
    hostile_case{"fold", "an output bias of the largest extent", reason::extent_overflow,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.bias.extents[0] = most; }); }},
    hostile_case{"fold", "output biases that are one", reason::aliased_output,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.bias.strides[0] = 0; }); }},
    hostile_case{"fold", "no workspace", reason::size_mismatch,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.workspace = {}; }); }},
    hostile_case{"fold", "a workspace from nowhere", reason::null_view,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.workspace.data = nullptr; }); }},
    hostile_case{"fold", "a workspace that is one line", reason::aliased_output,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.workspace.strides[0] = 0; }); }},
    hostile_case{"fold", "a negative workspace", reason::negative_extent,
                 [](outputs& to, int, int) { return of_outputs(to, [](auto& o) { o.workspace.extents[0] = least; }); }},
    hostile_case{"fold_beta_into_conv", "no beta", reason::no_beta,
                 [](outputs& to, int, int) {
                   affine_site site = good_site();
                   site.beta = {};
                   return why(dytq::fold_beta_into_conv(site, good_conv(), good_outputs(to)));
                 }},
    hostile_case{"is_identity", "a half without a name is asked of both", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::is_identity(good_site(), static_cast<dytq::affine_half>(9)).has_value());
                 }},
    hostile_case{"is_identity", "no table", reason::null_view,
                 [](outputs&, int, int) {
                   affine_site site = good_site();
                   site.table.data = nullptr;
                   return why(dytq::is_identity(site));
                 }},
    hostile_case{"fit_channel", "a site of one code", reason::none,
                 [](outputs&, int, int) {
                   affine_site site = good_site();
                   site.reachable = {};
                   site.reachable.insert(-128);
                   const auto maps = dytq::site_maps::make(site);
                   const auto line = dytq::detail::fit_channel(*maps, *maps->channel(0));
                   return right(line.exit == -1 && line.line.numerator == 0 && line.line.denominator == 1);
                 }},
    hostile_case{"check_fold", "the original itself", reason::none,
                 [](outputs&, int, int) { return of_claim([](auto&) {}); }},
    hostile_case{"check_fold", "claimed weights from nowhere", reason::null_view,
                 [](outputs&, int, int) { return of_claim([](auto& c) { c.weight.data = nullptr; }); }},
    hostile_case{
        "check_fold", "claimed weights beyond size_t", reason::extent_overflow,
        [](outputs&, int, int) { return of_claim([](auto& c) { c.weight.extents[1] = c.weight.extents[2] = huge; }); }},
    hostile_case{"check_fold", "claimed weights of another shape", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_claim([](auto& c) { c.weight.extents[0] = 1; }); }},
    hostile_case{"check_fold", "no claimed bias", reason::bias_count,
                 [](outputs&, int, int) { return of_claim([](auto& c) { c.bias = {}; }); }},
    hostile_case{"check_fold", "a claimed zero point of 32 bits", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return of_claim([](auto& c) { c.input_zp = INT32_MIN; }); }},
    hostile_case{"check_fold", "a claimed table of 1 entry", reason::table_size,
                 [](outputs&, int, int) {
                   return of_claim([](auto& c) { c.table = view<const std::int8_t>(codes.data(), {1}); });
                 }},
    hostile_case{"check_fold", "a claimed table from nowhere", reason::null_view,
                 [](outputs&, int, int) {
                   return of_claim([](auto& c) { c.table = view<const std::int8_t>(nullptr, {256}); });
                 }},
    hostile_case{"check_fold", "gamma of a table that the site does not know", reason::contradiction,
                 [](outputs&, int, int) { return of_claim([](auto& c) { c.table = codes, c.keeps_gamma = true; }); }},
    hostile_case{"check_fold", "the largest biases", reason::fold_differs,
                 [](outputs&, int, int) {
                   const std::int32_t far[] = {INT32_MIN, INT32_MAX};
                   dytq::claimed_fold claim = good_claim();
                   claim.bias = far;
                   return why(dytq::check_fold(good_site(), good_conv(), claim));
                 }},
    hostile_case{"check_fold", "a weight that its range excludes", reason::weight_overflow,
                 [](outputs&, int, int) {
                   convolution conv = good_conv();
                   conv.weight_range = {0, 3};
                   return why(dytq::check_fold(good_site(), conv, good_claim()));
                 }},
    hostile_case{"fold_affine_into_convs", "fewer outputs than convolutions", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   const convolution convs[] = {good_conv(), good_conv()};
                   const fold_outputs outs[] = {good_outputs(to)};
                   return why(dytq::fold_affine_into_convs(good_site(), convs, outs,
                                                           view<dytq::affine_fold>(to.folds.data(), {2})));
                 }},
    hostile_case{"fold_affine_into_convs", "folds from nowhere", reason::null_view,
                 [](outputs& to, int, int) {
                   const convolution convs[] = {good_conv()};
                   const fold_outputs outs[] = {good_outputs(to)};
                   return why(
                       dytq::fold_affine_into_convs(good_site(), convs, outs, view<dytq::affine_fold>(nullptr, {1})));
                 }},
    hostile_case{"fold_affine_into_convs", "convolutions beyond size_t", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   const convolution convs[] = {good_conv()};
                   const fold_outputs outs[] = {good_outputs(to)};
                   return why(dytq::fold_affine_into_convs(good_site(), view<const convolution>(convs, {most}), outs,
                                                           view<dytq::affine_fold>(to.folds.data(), {1})));
                 }},
    hostile_case{"fold_affine_into_convs", "the second convolution alone is wrong", reason::zero_point_mismatch,
                 [](outputs& to, int, int) {
                   convolution convs[] = {good_conv(), good_conv()};
                   convs[1].input_zp = -1;
                   fold_outputs outs[] = {good_outputs(to), good_outputs(to)};
                   outs[1].weight.data += 8;
                   outs[1].bias.data += 8;
                   return why(dytq::fold_affine_into_convs(good_site(), view<const convolution>(convs), outs,
                                                           view<dytq::affine_fold>(to.folds.data(), {2})));
                 }},
};
static_assert(!at_compile_time || all_hold(plain, 0, plain.size() / 2));
static_assert(!at_compile_time || all_hold(plain, plain.size() / 2));

// Every fault of every RESCALE of the chain, alone.
constexpr auto faults = [] {
  constexpr const char* names[] = {"fold, table",  "fold, gamma", "fold, gamma_out",
                                   "fold, add_in", "fold, beta",  "fold, add_out"};
  std::array<hostile_case, 6 * rescale_faults.size()> all{};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const rescale_fault f = rescale_faults[n % rescale_faults.size()];
    all[n] = {names[n / rescale_faults.size()],
              f.what,
              f.why,
              [](outputs& to, int step, int fault) {
                return of_site(to, [&](affine_site& s) { step_of(s, step) = spoiled(step_of(s, step), fault); });
              },
              static_cast<int>(n / rescale_faults.size()),
              static_cast<int>(n % rescale_faults.size())};
  }
  return all;
}();
static_assert(!at_compile_time || all_hold(faults));

constexpr std::array addresses{
    hostile_case{"fold", "the output weights one element behind the weights", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   convolution conv = good_conv();
                   conv.weight.data = to.bytes.data() + 1;
                   return folds(good_site(), conv, good_outputs(to));
                 }},
    hostile_case{"fold", "the output bias in the output weights", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return of_outputs(to,
                                     [&](auto& o) { o.weight.data = reinterpret_cast<std::int8_t*>(to.words.data()); });
                 }},
    hostile_case{"fold", "the output weights in the table", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   affine_site site = good_site();
                   site.table = view<const std::int8_t>(to.bytes.data(), {256});
                   return folds(site, good_conv(), good_outputs(to));
                 }},
    hostile_case{"fold", "the output weights in gamma", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   affine_site site = good_site();
                   site.gamma = view<const std::int8_t>(to.bytes.data() + 3, {2});
                   return folds(site, good_conv(), good_outputs(to));
                 }},
    hostile_case{"fold", "the workspace in the bias", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return of_outputs(to,
                                     [&](auto& o) { o.bias.data = reinterpret_cast<std::int32_t*>(to.lines.data()); });
                 }},
    hostile_case{"fold_affine_into_convs", "two convolutions into one place", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   const convolution convs[] = {good_conv(), good_conv()};
                   const fold_outputs outs[] = {good_outputs(to), good_outputs(to)};
                   return why(dytq::fold_affine_into_convs(good_site(), convs, outs,
                                                           view<dytq::affine_fold>(to.folds.data(), {2})));
                 }},
    hostile_case{"fold_affine_into_convs", "the output of one is the weight of the other", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   convolution convs[] = {good_conv(), good_conv()};
                   convs[1].weight.data = to.bytes.data();
                   fold_outputs outs[] = {good_outputs(to), good_outputs(to)};
                   outs[1].weight.data += 8;
                   outs[1].bias.data += 8;
                   return why(dytq::fold_affine_into_convs(good_site(), view<const convolution>(convs), outs,
                                                           view<dytq::affine_fold>(to.folds.data(), {2})));
                 }},
};

}  // namespace

std::size_t check_folds() { return check(plain) + check(faults) + check(addresses); }

}  // namespace hostile
