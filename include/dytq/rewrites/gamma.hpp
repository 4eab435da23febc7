// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gamma alone in fewer operators: one per-channel RESCALE, or a depthwise 1x1 convolution.
#ifndef DYTQ_REWRITES_GAMMA_HPP
#define DYTQ_REWRITES_GAMMA_HPP

#include <array>
#include <cstdint>

#include "../codes.hpp"
#include "../fit_rescale.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

/// A RESCALE int8 -> int8 with a multiplier and a shift for each channel, in place of RESCALE, MUL, RESCALE.
struct channel_rescale {
  std::int32_t input_zp = 0;                             ///< of the table's RESCALE
  std::int32_t output_zp = 0;                            ///< of gamma_out
  rounding_mode rounding = rounding_mode::single_round;  ///< of gamma_out
  code_range out = int8_range;  ///< of gamma_out: narrower than int8, it is a CLAMP after the RESCALE
};

/// Gamma as one per-channel RESCALE that maps every code of X as the chain up to gamma_out does.
///
/// Shape: multiplier, shift [C], written only if every channel has a fit; each as `fit_rescale` chooses it.
///   Default views ask only whether it exists.
/// Errors: no_gamma; no_chain: other steps are in place of gamma and beta; no_rescale: `channel`, and the code that
/// rules its last multipliers out; zero_point_out_of_range:
///   one that an int8 RESCALE cannot have; overlapping_views: the outputs, among themselves or with the site; those of
///   `site_maps` and of the views.
/// Exactness: necessary and sufficient, with these zero points and this rounding.
constexpr result<channel_rescale> gamma_as_rescale(const affine_site& site, const view<std::int32_t>& multiplier = {},
                                                   const view<std::int32_t>& shift = {}) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  if (!site.has_gamma()) {
    return rejection{.why = site.has_chain() ? reason::no_chain : reason::no_gamma, .at = place::gamma};
  }
  if (const verdict v = detail::validate_arguments(
          {multiplier.occupies(place::output), shift.occupies(place::output)},
          {site.table.occupies(place::table), site.gamma.occupies(place::gamma), site.beta.occupies(place::beta)});
      !v) {
    return v.error();
  }
  const bool writes = !multiplier.absent() || !shift.absent();
  if (writes && (multiplier.extent(0) != site.channels() || shift.extent(0) != site.channels())) {
    return rejection{
        .why = reason::size_mismatch, .at = place::output, .expected = site.channels(), .got = multiplier.extent(0)};
  }
  const rescale& in = site.steps.table;
  const rescale& out = site.steps.gamma_out;
  if (!int8_range.contains(in.input_zp) || !int8_range.contains(out.output_zp)) {
    const bool first = !int8_range.contains(in.input_zp);
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = first ? place::table : place::gamma_out,
                     .expected = (first ? in.input_zp : out.output_zp) < 0 ? int8_range.lo : int8_range.hi,
                     .got = first ? in.input_zp : out.output_zp};
  }
  const rescale_search search{
      .out = out.out, .input_zp = in.input_zp, .output_zp = out.output_zp, .rounding = out.rounding};
  std::array<std::int16_t, 256> codes{};
  for (int i = 0; i < maps->count(); ++i) {
    codes[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(maps->code(i));
  }
  for (const bool writing : {false, true}) {
    for (std::int64_t c = 0; c < site.channels() && (!writing || writes); ++c) {
      const auto k = maps->channel(c);
      if (!k) {
        return k.error();
      }
      std::array<std::int16_t, 256> values{};
      for (int i = 0; i < maps->count(); ++i) {
        values[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(maps->gamma_map(*k, i));
      }
      const result<multiplier_shift> fit =
          fit_rescale(view<const std::int16_t>(codes.data(), {maps->count()}),
                      view<const std::int16_t>(values.data(), {maps->count()}), search);
      if (!fit) {
        rejection why = fit.error();
        why.at = place::gamma;
        why.channel = c;
        return why;
      }
      if (writing) {
        multiplier(c) = fit->multiplier;
        shift(c) = fit->shift;
      }
    }
  }
  return channel_rescale{.input_zp = in.input_zp, .output_zp = out.output_zp, .rounding = out.rounding, .out = out.out};
}

/// A depthwise 1x1 convolution without bias, whose int32 result the original gamma_out RESCALE takes.
struct gamma_depthwise {
  std::int32_t weight_zp = 0;  ///< 0, or that of the gamma codes
  std::int32_t input_zp = 0;   ///< of the table's RESCALE
};

/// Gamma as the weights of a depthwise 1x1 convolution; negative gamma is as good as any.
///
/// Formula: weight[c] = gamma[c] - zp with weight_zp 0 if all of these are int8 codes, else gamma[c] with weight_zp
///   zp, the zero point of gamma's RESCALE.
/// Shape: weight [C], written only on success; a default view asks only whether it exists.
/// Errors: no_gamma; no_chain: other steps are in place of gamma and beta; not_scale_one: an operand RESCALE is not
/// code - zero point at `code` (step, expected, got);
///   zero_point_out_of_range: one that no convolution can have; those of `site_maps` and of the views.
/// Exactness: every int32 product is the same.
constexpr result<gamma_depthwise> gamma_as_depthwise(const affine_site& site, const view<std::int8_t>& weight = {}) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  if (!site.has_gamma()) {
    return rejection{.why = site.has_chain() ? reason::no_chain : reason::no_gamma, .at = place::gamma};
  }
  if (const verdict v = detail::validate_arguments(
          {weight.occupies(place::weight)},
          {site.table.occupies(place::table), site.gamma.occupies(place::gamma), site.beta.occupies(place::beta)});
      !v) {
    return v.error();
  }
  if (!weight.absent() && weight.extent(0) != site.channels()) {
    return rejection{
        .why = reason::size_mismatch, .at = place::weight, .expected = site.channels(), .got = weight.extent(0)};
  }
  const std::int32_t table_zp = site.steps.table.input_zp;
  const std::int32_t gamma_zp = site.steps.gamma.input_zp;
  for (int i = 0; i < maps->count(); ++i) {
    if (const std::int64_t centered = std::int64_t{maps->code(i)} - table_zp; maps->operand(i) != centered) {
      return rejection{.why = reason::not_scale_one,
                       .at = place::table,
                       .code = maps->code(i),
                       .expected = centered,
                       .got = maps->operand(i)};
    }
  }
  bool centered_fit = true;
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const auto k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    const std::int64_t centered = std::int64_t{site.gamma(c)} - gamma_zp;
    if (maps->gamma(*k) != centered) {
      return rejection{.why = reason::not_scale_one,
                       .at = place::gamma,
                       .channel = c,
                       .code = site.gamma(c),
                       .expected = centered,
                       .got = maps->gamma(*k)};
    }
    centered_fit = centered_fit && int8_range.contains(centered);
  }
  if (!int8_range.contains(table_zp) || (!centered_fit && !int8_range.contains(gamma_zp))) {
    const bool first = !int8_range.contains(table_zp);
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = first ? place::table : place::gamma,
                     .expected = (first ? table_zp : gamma_zp) < 0 ? int8_range.lo : int8_range.hi,
                     .got = first ? table_zp : gamma_zp};
  }
  const std::int32_t subtracted = centered_fit ? gamma_zp : 0;
  for (std::int64_t c = 0; c < weight.extent(0); ++c) {
    weight(c) = static_cast<std::int8_t>(site.gamma(c) - subtracted);
  }
  return gamma_depthwise{.weight_zp = centered_fit ? 0 : gamma_zp, .input_zp = table_zp};
}

}  // namespace v0
}  // namespace dytq

#endif
