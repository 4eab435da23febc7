// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds with a bound, and the judge of such folds, of graphs and constants that contradict themselves.
#include "hostile.hpp"

#include <dytq/check_fold.hpp>
#include <dytq/fold_bounded.hpp>

namespace hostile {
namespace {

using dytq::affine_site;
using dytq::bounded_outputs;
using dytq::claimed_bounded_fold;
using dytq::conv_rescale;
using dytq::convolution;

constexpr std::array<std::int32_t, 2> multipliers{1 << 30, 1 << 30};
constexpr std::array<std::int32_t, 2> shifts{40, 41};
constexpr std::array<std::uint32_t, 512> counts = [] {
  std::array<std::uint32_t, 512> all{};
  all.fill(1);
  return all;
}();
constexpr std::int64_t any = INT64_MAX;
constexpr std::array<std::int32_t, 2> extreme{INT32_MAX, INT32_MIN};

/// Everything that a fold takes, for a case to spoil.
struct question {
  affine_site site = good_site();
  convolution conv = good_conv();
  conv_rescale requantize{multipliers, shifts};
  view<const std::uint32_t, 2> histogram{counts.data(), {2, 256}};
  bounded_outputs out;
  std::int64_t tolerance = any;
  claimed_bounded_fold claim{.weight = good_conv().weight, .bias = biases, .requantize = {multipliers, shifts}};
  view<dytq::code_bound> bounds = {};
};

template <class F>
constexpr reason of_fold(outputs& to, F spoil) {
  std::array<std::int64_t, 700> workspace{};
  std::array<dytq::channel_bound, 2> bounds{};
  question q;
  q.out = {.weight = {to.bytes.data(), shape_5},
           .bias = to.words_of(2),
           .multiplier = {to.words.data() + 8, {2}},
           .shift = {to.words.data() + 16, {2}},
           .bounds = bounds,
           .workspace = {workspace.data(), {dytq::bounded_workspace(q.conv)}}};
  spoil(q);
  const reason got = why(dytq::fold_bounded(q.site, q.conv, q.requantize, q.tolerance, q.out, q.histogram));
  return got == reason::none || bounds == std::array<dytq::channel_bound, 2>{} ? got : reason::count_;
}
template <class F>
constexpr reason of_claim(F spoil) {
  std::array<dytq::code_bound, 2> bounds{dytq::code_bound{7, 1}, dytq::code_bound{7, 1}};
  question q;
  q.bounds = bounds;
  spoil(q);
  const reason got = why(dytq::check_bounded(q.site, q.conv, q.requantize, q.claim, q.bounds));
  return got == reason::none || (bounds[0].numerator == 7 && bounds[1].numerator == 7) ? got : reason::count_;
}

/// A chain of one RESCALE after the convolution, for a case to spoil.
struct producer_question {
  dytq::chain_step step{.op = dytq::operation::rescale, .scale = dytq_tests::halved(1, 0, 3, dytq::int8_range)};
  dytq::chain what{.channels = 2};
  convolution conv = good_conv();
  conv_rescale requantize{multipliers, shifts};
  std::int32_t output_zp = 0;
  dytq::producer_outputs out;
  view<const dytq::code_range> accumulators = {};
};
template <class F>
constexpr reason of_producer(outputs& to, F spoil) {
  producer_question q;
  q.what.steps = view<const dytq::chain_step>(&q.step, {1});
  q.out = {.bias = to.words_of(2),
           .multiplier = {to.words.data() + 8, {2}},
           .shift = {to.words.data() + 16, {2}},
           .differences = {to.words.data() + 24, {2}}};
  spoil(q);
  return why(dytq::fold_into_producer(q.what, q.conv, q.requantize, q.output_zp, any, q.out, q.accumulators));
}
constexpr std::array<dytq::code_range, 2> wide_accumulators{dytq::code_range{0, 1}, dytq::code_range{least, most}};
constexpr std::array<dytq::code_range, 1> no_accumulators{dytq::code_range{1, 0}};

constexpr std::array producers{
    hostile_case{"fold_into_producer", "nothing is wrong", reason::none,
                 [](outputs& to, int, int) { return of_producer(to, [](auto&) {}); }},
    hostile_case{"fold_into_producer", "a chain of three channels after two", reason::channel_count,
                 [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.what.channels = 3; }); }},
    hostile_case{"fold_into_producer", "a chain that begins elsewhere", reason::zero_point_mismatch,
                 [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.output_zp = 1; }); }},
    hostile_case{"fold_into_producer", "a zero point that is no code", reason::zero_point_out_of_range,
                 [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.output_zp = INT32_MIN; }); }},
    hostile_case{"fold_into_producer", "shifts at the ends of int32", reason::shift_out_of_range,
                 [](outputs& to, int, int) {
                   return of_producer(to, [](auto& q) { q.requantize.shift = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{"fold_into_producer", "biases at the ends of int32", reason::accumulator_overflow,
                 [](outputs& to, int, int) {
                   return of_producer(to, [](auto& q) { q.conv.bias = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{
        "fold_into_producer", "accumulators at the ends of int64", reason::accumulator_overflow,
        [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.accumulators = wide_accumulators; }); }},
    hostile_case{
        "fold_into_producer", "no accumulators", reason::range_inverted,
        [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.accumulators = no_accumulators; }); }},
    hostile_case{"fold_into_producer", "ranges of three accumulators", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   return of_producer(to, [](auto& q) {
                     q.accumulators = wide_accumulators;
                     q.accumulators.extents[0] = 3;
                     q.accumulators.strides[0] = 0;
                   });
                 }},
    hostile_case{"fold_into_producer", "no output for the shifts", reason::output_missing,
                 [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.out.shift = {}; }); }},
    hostile_case{
        "fold_into_producer", "room for one difference", reason::per_channel_count,
        [](outputs& to, int, int) { return of_producer(to, [](auto& q) { q.out.differences.extents[0] = 1; }); }},
};
static_assert(!at_compile_time || all_hold(producers));

constexpr std::array plain{
    hostile_case{"fold_bounded", "nothing is wrong", reason::none,
                 [](outputs& to, int, int) { return of_fold(to, [](auto&) {}); }},
    hostile_case{"fold_bounded", "a tolerance below zero", reason::beyond_tolerance,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.tolerance = least; }); }},
    hostile_case{"fold_bounded", "a table of 255 entries", reason::table_size,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.site.table.extents[0] = 255; }); }},
    hostile_case{"fold_bounded", "no reachable code", reason::empty,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.site.reachable = {}; }); }},
    hostile_case{"fold_bounded", "weights from nowhere", reason::null_view,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.conv.weight.data = nullptr; }); }},
    hostile_case{"fold_bounded", "no groups", reason::group_count,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.conv.groups = 0; }); }},
    hostile_case{"fold_bounded", "another input zero point than the chain's", reason::zero_point_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.conv.input_zp = 1; }); }},
    hostile_case{"fold_bounded", "no multipliers", reason::per_channel_count,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.requantize.multiplier = {}; }); }},
    hostile_case{"fold_bounded", "three shifts for two channels", reason::per_channel_count,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.requantize.shift.extents[0] = 3; }); }},
    hostile_case{
        "fold_bounded", "multipliers beyond the address space", reason::extent_overflow,
        [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.requantize.multiplier.extents[0] = most; }); }},
    hostile_case{"fold_bounded", "a negative multiplier in the second channel", reason::multiplier_negative,
                 [](outputs& to, int, int) {
                   return of_fold(to, [](auto& q) { q.requantize.multiplier = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{"fold_bounded", "shifts at the ends of int32", reason::shift_out_of_range,
                 [](outputs& to, int, int) {
                   return of_fold(to, [](auto& q) { q.requantize.shift = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{"fold_bounded", "the output weights of another shape", reason::shape_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.weight.extents[4] = 1; }); }},
    hostile_case{"fold_bounded", "no output for the bias", reason::output_missing,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.bias = {}; }); }},
    hostile_case{"fold_bounded", "no output for the shifts", reason::output_missing,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.shift = {}; }); }},
    hostile_case{"fold_bounded", "one multiplier to write, two channels", reason::per_channel_count,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.multiplier.extents[0] = 1; }); }},
    hostile_case{"fold_bounded", "room for one bound", reason::size_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.bounds.extents[0] = 1; }); }},
    hostile_case{"fold_bounded", "both biases in one place", reason::aliased_output,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.bias.strides[0] = 0; }); }},
    hostile_case{"fold_bounded", "a workspace that is too small", reason::size_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { --q.out.workspace.extents[0]; }); }},
    hostile_case{"fold_bounded", "a workspace from back to front", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   return of_fold(to, [](auto& q) {
                     q.out.workspace.data += q.out.workspace.extents[0] - 1;
                     q.out.workspace.strides[0] = -1;
                   });
                 }},
    hostile_case{"fold_bounded", "no workspace", reason::size_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.out.workspace = {}; }); }},
    hostile_case{"fold_bounded", "a histogram of one channel", reason::shape_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.histogram.extents[0] = 1; }); }},
    hostile_case{"fold_bounded", "a histogram of 255 codes", reason::shape_mismatch,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.histogram.extents[1] = 255; }); }},
    hostile_case{"fold_bounded", "a histogram from nowhere", reason::null_view,
                 [](outputs& to, int, int) { return of_fold(to, [](auto& q) { q.histogram.data = nullptr; }); }},
    hostile_case{"fold_bounded", "a histogram of nothing", reason::empty,
                 [](outputs& to, int, int) {
                   std::array<std::uint32_t, 512> none{};
                   return of_fold(to, [&](auto& q) { q.histogram.data = none.data(); });
                 }},
    hostile_case{"fold_bounded", "counts at the end of uint32 are counts", reason::none,
                 [](outputs& to, int, int) {
                   std::array<std::uint32_t, 512> full{};
                   full.fill(UINT32_MAX);
                   return of_fold(to, [&](auto& q) { q.histogram.data = full.data(); });
                 }},
    hostile_case{"fold_bounded", "biases at the ends of int32", reason::accumulator_overflow,
                 [](outputs& to, int, int) {
                   return of_fold(to, [](auto& q) { q.conv.bias = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{"bounded_workspace", "of no convolution there is none", reason::none,
                 [](outputs&, int, int) { return right(dytq::bounded_workspace(convolution{}) == 0); }},
    hostile_case{"validate", "a RESCALE behind a convolution of no channels", reason::none,
                 [](outputs&, int, int) {
                   return why(validate(conv_rescale{multipliers, shifts}, 2));
                 }},
    hostile_case{"check_bounded", "nothing is wrong", reason::none,
                 [](outputs&, int, int) { return of_claim([](auto&) {}); }},
    hostile_case{"check_bounded", "weights of another shape", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.claim.weight.extents[0] = 1; }); }},
    hostile_case{"check_bounded", "no weights", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.claim.weight = {}; }); }},
    hostile_case{"check_bounded", "a claimed bias too few", reason::bias_count,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.claim.bias.extents[0] = 1; }); }},
    hostile_case{"check_bounded", "an input zero point that is no code", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.claim.input_zp = 128; }); }},
    hostile_case{"check_bounded", "a weight outside its range", reason::weight_overflow,
                 [](outputs&, int, int) { return of_claim([](auto& q) {
                                            q.conv.weight_range = {-3, 3};
                                          }); }},
    hostile_case{
        "check_bounded", "biases at the ends of int32", reason::accumulator_overflow,
        [](outputs&, int, int) { return of_claim([](auto& q) { q.claim.bias = view<const std::int32_t>(extreme); }); }},
    hostile_case{"check_bounded", "a claimed shift of 63", reason::shift_out_of_range,
                 [](outputs&, int, int) {
                   return of_claim([](auto& q) { q.claim.requantize.shift = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{"check_bounded", "a claimed multiplier below 0", reason::multiplier_negative,
                 [](outputs&, int, int) {
                   return of_claim([](auto& q) { q.claim.requantize.multiplier = view<const std::int32_t>(extreme); });
                 }},
    hostile_case{"check_bounded", "room for one bound", reason::size_mismatch,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.bounds.extents[0] = 1; }); }},
    hostile_case{"check_bounded", "bounds from nowhere", reason::null_view,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.bounds.data = nullptr; }); }},
    hostile_case{"check_bounded", "another input zero point than the chain's", reason::zero_point_mismatch,
                 [](outputs&, int, int) { return of_claim([](auto& q) { q.conv.input_zp = 1; }); }},
};
static_assert(!at_compile_time || all_hold(plain));

// Addresses can only be compared at run time.
constexpr std::array addresses{
    hostile_case{"fold_bounded", "the output weights in the table", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return of_fold(to, [&](auto& q) { q.site.table = view<const std::int8_t>(to.bytes.data(), {256}); });
                 }},
    hostile_case{"fold_bounded", "the new multipliers in the bias", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return of_fold(to, [&](auto& q) { q.out.multiplier.data = to.words.data() + 1; });
                 }},
    hostile_case{"fold_bounded", "the new shifts in the old multipliers, in part", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return of_fold(to, [&](auto& q) {
                     q.requantize.multiplier = view<const std::int32_t>(to.words.data() + 17, {2});
                   });
                 }},
};

}  // namespace

std::size_t check_bounded_folds() { return check(plain) + check(producers) + check(addresses); }

}  // namespace hostile
