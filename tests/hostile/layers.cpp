// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers as tables, gamma by itself, and plans of what cannot be.
#include "hostile.hpp"

#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/plan.hpp>

namespace hostile {
namespace {

using dytq::affine_site;
using dytq::layer_site;

template <class F>
constexpr reason of_layer(outputs& to, F spoil) {
  layer_site layer{.affine = good_site()};
  spoil(layer);
  const reason counted = why(dytq::count_channel_tables(layer));
  return why(dytq::make_channel_tables(layer, to.words_of(2), to.matrix(2, 256))) == counted ? counted : reason::count_;
}
/// One pixel of two channels, by both orders of axes.
constexpr reason of_lookup(const view<const std::int32_t>& index, const view<const std::int8_t, 2>& tables,
                           const view<std::int8_t, 2>& out) {
  const view<const std::int8_t, 2> in(ones.data(), {1, 2});
  const view<const std::int8_t, 3> in_3(ones.data(), {1, 2, 1});
  const view<std::int8_t, 3> out_3(out.data, {out.extents[0], out.extents[1], 1}, {out.strides[0], out.strides[1], 1});
  const reason pixels_first = why(dytq::lookup_channels_nhwc(in, out, index, tables));
  return why(dytq::lookup_channels_nchw(in_3, out_3, index, tables)) == pixels_first ? pixels_first : reason::count_;
}
template <class F>
constexpr reason of_gamma(outputs& to, F spoil) {
  affine_site site = good_site();
  spoil(site);
  const reason rescale =
      why(dytq::gamma_as_rescale(site, to.words_of(2), view<std::int32_t>(to.words.data() + 8, {2})));
  return why(dytq::gamma_as_depthwise(site, to.bytes_of(2))) == rescale ? rescale : reason::count_;
}
template <class F>
constexpr reason of_plan(outputs& to, F spoil) {
  affine_site site = good_site();
  dytq::chain_reader reader{.conv = good_conv()};
  view<std::int16_t> lines(to.lines.data(), {8});
  spoil(site, reader.conv, lines);
  const dytq::site_chain chain(site);
  std::array<std::int8_t, 4096> codes{};
  std::array<std::int32_t, 2> numbers{};
  const auto sizes = dytq::plan_workspace_sizes(chain.get());
  return why(dytq::plan(chain.get(),
                        {.codes = view<std::int8_t>(codes.data(), {sizes && sizes->codes < 4096 ? sizes->codes : 0}),
                         .numbers = numbers,
                         .lines = lines},
                        dytq::targets::tosa, {.readers = view<const dytq::chain_reader>(&reader, {1})}));
}

constexpr std::array plain{
    hostile_case{"channel tables", "no table", reason::null_view,
                 [](outputs& to, int, int) { return of_layer(to, [](auto& l) { l.affine.table.data = nullptr; }); }},
    hostile_case{"channel tables", "a table of 512 entries", reason::table_size,
                 [](outputs& to, int, int) { return of_layer(to, [](auto& l) { l.affine.table.extents[0] = 512; }); }},
    hostile_case{"channel tables", "alpha from nowhere", reason::null_view,
                 [](outputs& to, int, int) {
                   return of_layer(to, [](auto& l) { l.alpha = view<const std::int8_t>(nullptr, {2}); });
                 }},
    hostile_case{"channel tables", "three alphas for two channels", reason::channel_count,
                 [](outputs& to, int, int) {
                   return of_layer(to, [](auto& l) { l.alpha = view<const std::int8_t>(weights.data(), {3}); });
                 }},
    hostile_case{
        "channel tables", "no channels", reason::channel_count,
        [](outputs& to, int, int) { return of_layer(to, [](auto& l) { l.affine.gamma = {}, l.affine.beta = {}; }); }},
    hostile_case{"channel tables", "the least number of channels", reason::channel_count,
                 [](outputs& to, int, int) {
                   return of_layer(to, [](auto& l) { l.affine.gamma = {}, l.affine.beta = {}, l.channels = least; });
                 }},
    hostile_case{"channel tables", "an inverted domain", reason::range_inverted,
                 [](outputs& to, int, int) { return of_layer(to, [](auto& l) {
                                               l.domain = {1, 0};
                                             }); }},
    hostile_case{"channel tables", "a domain of 64 bits", reason::range_inverted,
                 [](outputs& to, int, int) { return of_layer(to, [](auto& l) {
                                               l.domain = {least, most};
                                             }); }},
    hostile_case{"channel tables", "a function range of 64 bits, behind alpha", reason::range_inverted,
                 [](outputs& to, int, int) {
                   return of_layer(to, [](auto& l) { l.alpha = ones, l.function_in = {least, most}; });
                 }},
    hostile_case{"channel tables", "no code is reachable", reason::empty,
                 [](outputs& to, int, int) { return of_layer(to, [](auto& l) { l.affine.reachable = {}; }); }},
    hostile_case{"channel tables", "a sum of 2^31", reason::add_overflow,
                 [](outputs& to, int, int) {
                   return of_layer(to, [](auto& l) {
                     l.affine.steps.add_in.output_zp = INT32_MAX - 200;
                     l.affine.steps.beta.output_zp = 200;
                     l.affine.steps.add_out.shift = 62;
                   });
                 }},
    hostile_case{"channel tables", "an alpha beyond its shift", reason::value_exceeds_shift,
                 [](outputs& to, int, int) {
                   return of_layer(to, [](auto& l) {
                     l.alpha = ones;
                     l.alpha_steps.alpha.shift = 2;
                     l.alpha_steps.alpha.input_zp = -5;
                   });
                 }},
    hostile_case{"count_channel_tables", "2^63 channels that are alike", reason::none,
                 [](outputs&, int, int) {
                   layer_site layer{.affine = good_site(), .channels = most};
                   layer.affine.gamma = layer.affine.beta = {};
                   return right(dytq::count_channel_tables(layer).value_or(0) == 1);
                 }},
    hostile_case{"make_channel_tables", "an index from nowhere", reason::null_view,
                 [](outputs& to, int, int) {
                   return why(dytq::make_channel_tables({.affine = good_site()}, view<std::int32_t>(nullptr, {2}),
                                                        to.matrix(2, 256)));
                 }},
    hostile_case{"make_channel_tables", "tables beyond size_t", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   return why(
                       dytq::make_channel_tables({.affine = good_site()}, to.words_of(2), to.matrix(huge, huge)));
                 }},
    hostile_case{"make_channel_tables", "an index of one channel", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   return why(dytq::make_channel_tables({.affine = good_site()}, to.words_of(1), to.matrix(2, 256)));
                 }},
    hostile_case{"make_channel_tables", "no room", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   return why(dytq::make_channel_tables({.affine = good_site()}, to.words_of(2), to.matrix(0, 256)));
                 }},
    hostile_case{"make_channel_tables", "rows of 255", reason::table_size,
                 [](outputs& to, int, int) {
                   return why(dytq::make_channel_tables({.affine = good_site()}, to.words_of(2), to.matrix(2, 255)));
                 }},
    hostile_case{"make_channel_tables", "rows that overlap", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(dytq::make_channel_tables({.affine = good_site()}, to.words_of(2),
                                                        view<std::int8_t, 2>(to.bytes.data(), {2, 256}, {255, 1})));
                 }},
    hostile_case{"make_channel_tables", "the largest number of channels", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   layer_site layer{.affine = good_site(), .channels = most};
                   layer.affine.gamma = layer.affine.beta = {};
                   return why(dytq::make_channel_tables(layer, to.words_of(2), to.matrix(2, 256)));
                 }},
    hostile_case{"lookup_channels", "no pixels, from nowhere", reason::none,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0};
                   dytq::lookup_channels_nhwc(codes.data(), to.bytes.data(), 0, 1, index, codes.data());
                   dytq::lookup_channels_nchw(codes.data(), to.bytes.data(), 1, 1, 0, index, codes.data());
                   dytq::lookup_channels_nchw(codes.data(), to.bytes.data(), 0, 1, 4, index, codes.data());
                   return right(to.untouched());
                 }},
    hostile_case{"lookup_channels", "an index of no table", reason::code_out_of_range,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, INT32_MIN};
                   return of_lookup(index, view<const std::int8_t, 2>(codes.data(), {1, 256}), to.matrix(1, 2));
                 }},
    hostile_case{"lookup_channels", "no tables, but an index", reason::code_out_of_range,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, 0};
                   return of_lookup(index, view<const std::int8_t, 2>(codes.data(), {0, 256}), to.matrix(1, 2));
                 }},
    hostile_case{"lookup_channels", "tables of 255 entries", reason::table_size,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, 0};
                   return of_lookup(index, view<const std::int8_t, 2>(codes.data(), {1, 255}), to.matrix(1, 2));
                 }},
    hostile_case{"lookup_channels", "an index of three channels", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, 0, 0};
                   return of_lookup(index, view<const std::int8_t, 2>(codes.data(), {1, 256}), to.matrix(1, 2));
                 }},
    hostile_case{"lookup_channels", "tables from nowhere", reason::null_view,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, 0};
                   return of_lookup(index, view<const std::int8_t, 2>(nullptr, {1, 256}), to.matrix(1, 2));
                 }},
    hostile_case{"lookup_channels", "an output of another shape", reason::shape_mismatch,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, 0};
                   return of_lookup(index, view<const std::int8_t, 2>(codes.data(), {1, 256}), to.matrix(2, 2));
                 }},
    hostile_case{"lookup_channels", "pixels that are one", reason::aliased_output,
                 [](outputs& to, int, int) {
                   const std::int32_t index[] = {0, 0};
                   return of_lookup(index, view<const std::int8_t, 2>(codes.data(), {1, 256}),
                                    view<std::int8_t, 2>(to.bytes.data(), {1, 2}, {0, 0}));
                 }},
    hostile_case{"gamma alone", "no gamma", reason::no_gamma,
                 [](outputs& to, int, int) { return of_gamma(to, [](auto& s) { s.gamma = {}; }); }},
    hostile_case{"gamma alone", "no table", reason::null_view,
                 [](outputs& to, int, int) { return of_gamma(to, [](auto& s) { s.table.data = nullptr; }); }},
    hostile_case{"gamma alone", "a zero point that int8 has not", reason::zero_point_out_of_range,
                 [](outputs& to, int, int) { return of_gamma(to, [](auto& s) { s.steps.table.input_zp = 200; }); }},
    hostile_case{"gamma_as_rescale", "multipliers from nowhere", reason::null_view,
                 [](outputs& to, int, int) {
                   return why(dytq::gamma_as_rescale(good_site(), view<std::int32_t>(nullptr, {2}), to.words_of(2)));
                 }},
    hostile_case{"gamma_as_rescale", "shifts, but no multipliers", reason::size_mismatch,
                 [](outputs& to, int, int) { return why(dytq::gamma_as_rescale(good_site(), {}, to.words_of(2))); }},
    hostile_case{"gamma_as_rescale", "multipliers that are one", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(dytq::gamma_as_rescale(good_site(), view<std::int32_t>(to.words.data(), {2}, {0}),
                                                     view<std::int32_t>(to.words.data() + 8, {2})));
                 }},
    hostile_case{"gamma_as_rescale", "an output zero point of 9 bits", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   affine_site site = good_site();
                   site.steps.gamma_out.output_zp = -129;
                   return why(dytq::gamma_as_rescale(site));
                 }},
    hostile_case{"gamma_as_rescale", "a map that no RESCALE has", reason::no_rescale,
                 [](outputs& to, int, int) {
                   const std::int8_t negative[] = {1, -1};
                   affine_site site = good_site();
                   site.gamma = negative;
                   return why(
                       dytq::gamma_as_rescale(site, to.words_of(2), view<std::int32_t>(to.words.data() + 8, {2})));
                 }},
    hostile_case{"gamma_as_depthwise", "three weights for two channels", reason::size_mismatch,
                 [](outputs& to, int, int) { return why(dytq::gamma_as_depthwise(good_site(), to.bytes_of(3))); }},
    hostile_case{"gamma_as_depthwise", "weights that are one", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(dytq::gamma_as_depthwise(good_site(), view<std::int8_t>(to.bytes.data(), {2}, {0})));
                 }},
    hostile_case{"gamma_as_depthwise", "a gamma that is scaled", reason::not_scale_one,
                 [](outputs& to, int, int) {
                   affine_site site = good_site();
                   site.steps.gamma.multiplier = 1;
                   return why(dytq::gamma_as_depthwise(site, to.bytes_of(2)));
                 }},
    hostile_case{"uniform_table", "no table", reason::null_view,
                 [](outputs&, int, int) {
                   affine_site site = good_site();
                   site.table.data = nullptr;
                   return why(dytq::fold_affine_into_table(site));
                 }},
    hostile_case{"uniform_table", "two channels that differ at one code", reason::not_uniform,
                 [](outputs&, int, int) {
                   const std::int8_t betas[] = {0, 1};
                   affine_site site = good_site();
                   site.beta = betas;
                   site.reachable = {};
                   site.reachable.insert(126);
                   return why(dytq::fold_affine_into_table(site));
                 }},
    hostile_case{"plan_workspace_sizes", "a chain of no channels", reason::channel_count,
                 [](outputs&, int, int) { return why(dytq::plan_workspace_sizes({.channels = -1})); }},
    hostile_case{
        "plan", "no table", reason::null_view,
        [](outputs& to, int, int) { return of_plan(to, [](auto& s, auto&, auto&) { s.table.data = nullptr; }); }},
    hostile_case{
        "plan", "beta and gamma disagree", reason::channel_count,
        [](outputs& to, int, int) { return of_plan(to, [](auto& s, auto&, auto&) { s.beta.extents[0] = 1; }); }},
    hostile_case{"plan", "no workspace", reason::size_mismatch,
                 [](outputs& to, int, int) { return of_plan(to, [](auto&, auto&, auto& l) { l = {}; }); }},
    hostile_case{"plan", "no code is reachable", reason::empty,
                 [](outputs& to, int, int) { return of_plan(to, [](auto& s, auto&, auto&) { s.reachable = {}; }); }},
    hostile_case{"plan", "a workspace from nowhere", reason::null_view,
                 [](outputs& to, int, int) { return of_plan(to, [](auto&, auto&, auto& l) { l.data = nullptr; }); }},
    hostile_case{"plan", "a convolution from nowhere is refused as a reader", reason::none,
                 [](outputs& to, int, int) {
                   dytq::chain_reader reader{.conv = good_conv()};
                   reader.conv.weight.data = nullptr;
                   std::array<std::int32_t, 2> numbers{};
                   const dytq::chain_step step{.op = dytq::operation::negate};
                   const dytq::chain chain{.steps = view<const dytq::chain_step>(&step, {1}), .channels = 2};
                   const auto sizes = dytq::plan_workspace_sizes(chain);
                   std::array<std::int8_t, 1024> room{};
                   const auto p =
                       dytq::plan(chain,
                                  {.codes = view<std::int8_t>(room.data(), {sizes->codes}),
                                   .numbers = numbers,
                                   .lines = view<std::int16_t>(to.lines.data(), {8})},
                                  dytq::targets::tosa, {.readers = view<const dytq::chain_reader>(&reader, {1})});
                   return right(p && (*p)[dytq::form::into_conv].why.why == reason::null_view &&
                                (*p)[dytq::form::into_table_and_conv].why.why == reason::null_view && !p->folds());
                 }},
    hostile_case{"name, to_text", "a form without a name, a plan of nothing", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::name(static_cast<dytq::form>(99))[0] == 'n' &&
                                dytq::to_text(dytq::chain_plan{}).size() > 0);
                 }},
};
static_assert(!at_compile_time || all_hold(plain));

constexpr std::array addresses{
    hostile_case{"make_channel_tables", "the tables in gamma", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return of_layer(to, [&](auto& l) { l.affine.gamma = view<const std::int8_t>(to.bytes.data() + 5, {2}); }) ==
                                  reason::count_
                              ? [&] {
                                  layer_site layer{.affine = good_site()};
                                  layer.affine.gamma = view<const std::int8_t>(to.bytes.data() + 5, {2});
                                  return why(dytq::make_channel_tables(layer, to.words_of(2), to.matrix(2, 256)));
                                }()
                              : reason::count_;
                 }},
    hostile_case{
        "gamma_as_rescale", "multipliers and shifts in one place", reason::overlapping_views,
        [](outputs& to, int, int) { return why(dytq::gamma_as_rescale(good_site(), to.words_of(2), to.words_of(2))); }},
    hostile_case{"gamma_as_depthwise", "the weight one element behind gamma", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   affine_site site = good_site();
                   site.gamma = view<const std::int8_t>(to.bytes.data() + 1, {2});
                   return why(dytq::gamma_as_depthwise(site, to.bytes_of(2)));
                 }},
};

}  // namespace

std::size_t check_layers() { return check(plain) + check(addresses); }

}  // namespace hostile
