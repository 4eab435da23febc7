// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other forms of a layer: a table for each channel, which always exists; gamma as a RESCALE or as a depthwise
// convolution. plan.hpp picks among all forms of any chain.
#ifndef DYTQ_LAYER_HPP
#define DYTQ_LAYER_HPP

#include <array>
#include <cstdint>

#include "codes.hpp"
#include "fit_rescale.hpp"
#include "folds/alpha.hpp"
#include "lookup.hpp"
#include "result.hpp"
#include "site.hpp"
#include "table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// A layer: optionally the multiplication by alpha, per tensor or per channel; the TABLE; the gamma and beta chain.
struct layer_site {
  affine_site affine = {};                ///< the TABLE, gamma and beta
  view<const std::int8_t> alpha = {};     ///< 1 or C codes; absent: the layer begins with the TABLE
  alpha_site::rescales alpha_steps = {};  ///< as in `alpha_site`, if alpha is there
  std::int64_t channels = 0;              ///< C, if gamma, beta and alpha do not give it
  code_range domain = int8_range;         ///< as in `alpha_site`
  code_range function_in = int8_range;    ///< as in `alpha_site`
};

namespace detail {

// One channel of a layer, every step proven on every code: its table, entry by entry.
class channel_layer {
 public:
  constexpr channel_layer() = default;
  constexpr channel_layer(const layer_site& layer, const site_maps& maps, const site_maps::channel_constants& k,
                          const detail::alpha_map& enter)
      : layer_(&layer), maps_(&maps), k_(k), enter_(enter) {}

  constexpr std::int8_t entry(std::int64_t q) const {
    if (!layer_->alpha.absent()) {
      q = enter_.unchecked(static_cast<std::int8_t>(layer_->domain.clamp(q)));
    }
    return static_cast<std::int8_t>(
        maps_->map_of_code(k_, layer_->affine.table.data[layer_->affine.table.offset({q + 128})]));
  }
  /// All entries. Each code of X is mapped once, since a constant expression pays for every call.
  constexpr table8 table() const {
    const bool direct = layer_->alpha.absent() && layer_->affine.reachable == code_set::all();
    std::int8_t image[256]{};
    std::int32_t values[256]{};
    if (direct) {
      maps_->values(k_, values);
    }
    for (int i = 0; i < maps_->count() && direct; ++i)
      image[maps_->code(i) + 128] = static_cast<std::int8_t>(values[i]);
    table8 out{};
    std::int8_t* const to = out.data();
    const std::int8_t* const emitted = layer_->affine.table.data;
    const std::int64_t stride = layer_->affine.table.strides[0];
    for (std::int64_t q = 0; q < 256; ++q) {
      to[q] = direct ? image[emitted[q * stride] + 128] : entry(q - 128);
    }
    return out;
  }
  // From the middle, where channels usually differ.
  constexpr bool equals(const channel_layer& other) const {
    for (std::int64_t q = 0; q < 256; ++q) {
      const auto code = static_cast<std::int8_t>(q);
      if (entry(code) != other.entry(code)) {
        return false;
      }
    }
    return true;
  }

 private:
  const layer_site* layer_ = nullptr;
  const site_maps* maps_ = nullptr;
  site_maps::channel_constants k_;
  detail::alpha_map enter_;
};

// A layer, validated.
class layer_maps {
 public:
  constexpr layer_maps() = default;

  static constexpr result<layer_maps> make(const layer_site& layer) {
    layer_maps out;
    out.layer_ = layer;
    result<site_maps> maps = site_maps::make(layer.affine);
    const reason why = maps.error().why;
    if (!maps && why != reason::value_exceeds_shift && why != reason::value_exceeds_int32) {
      return maps.error();  // whatever codes pass; and nothing here has been looked at before it is validated
    }
    if (const verdict v = validate(layer.alpha, place::alpha); !v) {
      return v.error();
    }
    const std::int64_t alphas = layer.alpha.extent(0);
    if (out.channels() < 1 || (!layer.alpha.absent() && alphas != 1 && alphas != out.channels())) {
      return rejection{.why = reason::channel_count, .at = place::alpha, .expected = out.channels(), .got = alphas};
    }
    if (const verdict v = detail::validate_range(layer.domain, int8_range, place::domain); !v) {
      return v.error();
    }
    if (!maps && !layer.alpha.absent()) {  // perhaps only for codes that no alpha lets through
      affine_site entered = layer.affine;
      entered.reachable = {};
      for (std::int64_t c = 0; c < out.channels(); ++c) {
        const result<detail::alpha_map> enter = out.entry(c);
        if (!enter) {
          return enter.error();
        }
        out.let_through(*enter, entered.reachable);
      }
      maps = site_maps::make(entered);
    }
    if (!maps) {
      return maps.error();
    }
    out.maps_ = *maps;
    return out;
  }

  constexpr std::int64_t channels() const {
    return layer_.affine.channels() != 0 ? layer_.affine.channels()
           : layer_.alpha.extent(0) > 1  ? layer_.alpha.extent(0)
                                         : layer_.channels;
  }

  /// Do all channels have the same constants?
  constexpr bool alike() const { return layer_.affine.channels() == 0 && layer_.alpha.extent(0) <= 1; }

  /// Errors: the first step and code at which channel c is unpredictable. The layer must outlive the answer.
  constexpr result<channel_layer> channel(std::int64_t c) const {
    result<site_maps::channel_constants> k = maps_.channel(c);
    detail::alpha_map enter;
    if (!layer_.alpha.absent()) {
      const result<detail::alpha_map> made = entry(c);
      if (!made) {
        return made.error();
      }
      enter = *made;
      if (!k) {  // perhaps only for codes that this alpha does not let through
        affine_site entered = layer_.affine;
        entered.reachable = {};
        let_through(enter, entered.reachable);
        const result<site_maps> maps = site_maps::make(entered);
        if (!maps) {
          return maps.error();
        }
        k = maps->channel(c);
      }
    }
    if (!k) {
      return k.error();
    }
    return channel_layer(layer_, maps_, *k, enter);
  }

 private:
  /// The multiplication by alpha of channel c, proven on every code of the domain.
  constexpr result<detail::alpha_map> entry(std::int64_t c) const {
    const std::int64_t at = layer_.alpha.extent(0) == 1 ? 0 : c;
    const result<detail::alpha_map> made =
        detail::alpha_map::make({.alpha = layer_.alpha.data[layer_.alpha.offset({at})],
                                 .steps = layer_.alpha_steps,
                                 .domain = layer_.domain,
                                 .function_in = layer_.function_in});
    const verdict legal = made ? made->accepts(layer_.domain) : verdict(made.error());
    if (!legal) {
      rejection why = legal.error();
      why.channel = c;
      return why;
    }
    return made;
  }

  /// Adds the codes that occur at the TABLE's input after `enter`.
  constexpr void let_through(const detail::alpha_map& enter, code_set& codes) const {
    for (std::int64_t q = layer_.domain.lo; q <= layer_.domain.hi; ++q) {
      const auto code = static_cast<std::int8_t>(enter.unchecked(static_cast<std::int8_t>(q)));
      if (layer_.affine.reachable.contains(code)) {
        codes.insert(code);
      }
    }
  }

  layer_site layer_;
  site_maps maps_;
};

}  // namespace detail

/// How many distinct tables a layer needs: the size of `make_channel_tables`' output. Nothing is stored.
///
/// Errors: those of `site_maps` and `detail::alpha_map`, with the channel, at codes that pass through its alpha;
///   channel_count: gamma, beta and alpha disagree, or no channel at all.
/// Cost: each channel is compared with those before it, entry by entry until they differ.
constexpr result<std::int64_t> count_channel_tables(const layer_site& layer) {
  const result<detail::layer_maps> maps = detail::layer_maps::make(layer);
  if (!maps) {
    return maps.error();
  }
  std::int64_t distinct = 0;
  const std::int64_t channels = maps->alike() ? 1 : maps->channels();
  for (std::int64_t c = 0; c < channels; ++c) {
    const result<detail::channel_layer> channel = maps->channel(c);
    if (!channel) {
      return channel.error();
    }
    std::int64_t before = 0;
    while (before < c && !channel->equals(*maps->channel(before))) {
      ++before;
    }
    distinct += before == c ? 1 : 0;
  }
  return distinct;
}

/// Writes the distinct tables of a layer in order of first appearance over the channels, and each channel's index.
///
/// Formula: tables[index[c]][q + 128] = y_c(table[q']), q' = q, or q through the multiplication by alpha_c.
/// Shape: index [C]; tables [K, 256], K at least what `count_channel_tables` says. -> that number.
/// Errors: those of `count_channel_tables` and of the views; size_mismatch; table_size; overlapping_views. A refusal
///   leaves the outputs untouched.
/// Exactness: exact. The layer must not be observed in between.
constexpr result<std::int64_t> make_channel_tables(const layer_site& layer, const view<std::int32_t>& index,
                                                   const view<std::int8_t, 2>& tables) {
  const result<detail::layer_maps> maps = detail::layer_maps::make(layer);
  if (!maps) {
    return maps.error();
  }
  const affine_site& site = layer.affine;
  if (const verdict v =
          detail::validate_arguments({index.occupies(place::index), tables.occupies(place::output)},
                                     {site.table.occupies(place::table), site.gamma.occupies(place::gamma),
                                      site.beta.occupies(place::beta), layer.alpha.occupies(place::alpha)});
      !v) {
    return v.error();
  }
  if (index.extent(0) != maps->channels()) {
    return rejection{
        .why = reason::size_mismatch, .at = place::index, .expected = maps->channels(), .got = index.extent(0)};
  }
  // Tables for all channels always suffice: then only check that every step is defined.
  std::int64_t needed = maps->channels();
  for (std::int64_t c = 0; c < maps->channels() && tables.extent(0) >= needed; ++c) {
    if (const auto channel = maps->channel(c); !channel) {
      return channel.error();
    }
  }
  if (tables.extent(0) < needed) {
    const result<std::int64_t> counted = count_channel_tables(layer);
    if (!counted) {
      return counted;
    }
    needed = *counted;
  }
  if (tables.extent(1) != 256) {
    return rejection{.why = reason::table_size, .at = place::output, .expected = 256, .got = tables.extent(1)};
  }
  if (tables.extent(0) < needed) {
    return rejection{.why = reason::size_mismatch, .at = place::output, .expected = needed, .got = tables.extent(0)};
  }
  std::int64_t distinct = 0;
  for (std::int64_t c = 0; c < maps->channels(); ++c) {
    const detail::channel_layer channel = *maps->channel(c);
    const table8 entries = channel.table();
    const std::int8_t* const from = entries.data();
    const auto equals = [&](std::int64_t k) {
      std::int64_t i = 128;  // from the middle, where channels usually differ
      for (std::int64_t n = 0; n < 256; ++n, i = i == 255 ? 0 : i + 1) {
        if (tables.data[tables.offset({k, i})] != from[i]) {
          return false;
        }
      }
      return true;
    };
    std::int64_t k = 0;
    while (k < distinct && !equals(k)) {
      ++k;
    }
    if (k == distinct) {
      std::int8_t* const to = tables.data + tables.offset({k, 0});
      const std::int64_t stride = tables.strides[1];
      for (std::int64_t i = 0; i < 256; ++i) {
        to[i * stride] = from[i];
      }
      ++distinct;
    }
    index.data[index.offset({c})] = static_cast<std::int32_t>(k);
  }
  return distinct;
}

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
///   rules its last multipliers out; zero_point_out_of_range: one that an int8 RESCALE cannot have; overlapping_views:
///   the outputs, among themselves or with the site; those of `site_maps` and of the views.
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

/// Gamma as the weights of a depthwise 1x1 convolution; gamma may be negative.
///
/// Formula: weight[c] = gamma[c] - zp with weight_zp 0 if all of these are int8 codes, else gamma[c] with weight_zp
///   zp, the zero point of gamma's RESCALE.
/// Shape: weight [C], written only on success; a default view asks only whether it exists.
/// Errors: no_gamma; no_chain: other steps are in place of gamma and beta; not_scale_one: an operand RESCALE is not
///   code - zero point at `code` (step, expected, got);
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
