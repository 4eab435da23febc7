// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole layer as tables: y[c] = tables[index[c]][code]. Always exact; the strongest form that trained parameters
// leave.
#ifndef DYTQ_REWRITES_CHANNEL_TABLES_HPP
#define DYTQ_REWRITES_CHANNEL_TABLES_HPP

#include <array>
#include <cstdint>

#include "../folds/alpha.hpp"
#include "../lookup.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../table.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

/// A layer from the code that enters it to the code that leaves it: the TABLE with the gamma and beta chain behind it,
/// and optionally the multiplication by alpha before it, with one alpha or one for each channel.
struct layer_site {
  affine_site affine = {};                ///< the TABLE, gamma and beta
  view<const std::int8_t> alpha = {};     ///< 1 or C codes; absent: the layer is entered at the TABLE
  alpha_site::rescales alpha_steps = {};  ///< as in `alpha_site`, if alpha is there
  std::int64_t channels = 0;              ///< C, if neither gamma, beta nor alpha says it
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
  // Channels differ in the middle first.
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

  /// Is there nothing by which channels could differ? Their number then is no more than a number.
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

  /// Adds the codes that occur at the TABLE's input behind `enter`.
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
/// channel_count:
///   gamma, beta and alpha disagree, or no channel at all.
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
  // Room for all channels is room enough: then only every step must be defined.
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
      std::int64_t i = 128;  // channels differ in the middle first
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

}  // namespace v0
}  // namespace dytq

#endif
