// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds with a proven bound, where no exact one exists: gamma and beta into the convolution that reads them, and a
// chain into the convolution before it.
#ifndef DYTQ_FOLD_BOUNDED_HPP
#define DYTQ_FOLD_BOUNDED_HPP

#include <array>
#include <cstdint>

#include "chain.hpp"
#include "codes.hpp"
#include "conv.hpp"
#include "folds/bounds.hpp"
#include "folds/guards.hpp"
#include "folds/producer.hpp"
#include "folds/scale_search.hpp"
#include "result.hpp"
#include "site.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// What is proven of one output channel of a bounded fold, in codes of the convolution's output before the clamp.
struct channel_bound {
  code_bound bound = {};  ///< the largest difference over all inputs and positions: exact, or above it by 2^-10 at most
  code_bound lower_bound = {};  ///< no constants of this shape have a smaller one
  /// Root mean square of the difference if the codes at different taps are independent; of the positions where it is
  /// the largest.
  code_bound root_mean_square = {};

  friend constexpr bool operator==(const channel_bound&, const channel_bound&) = default;
};

/// Where a bounded fold writes.
struct bounded_outputs {
  weight_view<std::int8_t> weight = {};  ///< shape of the convolution's weights; may be the same view
  view<std::int32_t> bias = {};          ///< [O]; may be the same view
  view<std::int32_t> multiplier = {};    ///< [O]; may be the same view
  view<std::int32_t> shift = {};         ///< [O]; may be the same view
  view<channel_bound> bounds = {};       ///< [O], or absent
  view<std::int64_t> workspace = {};     ///< [bounded_workspace(conv)], contiguous: scribbled on
};

/// What a bounded fold did beside writing the constants.
struct bounded_fold {
  std::int32_t input_zp = 0;    ///< the convolution's new input zero point
  code_bound bound = {};        ///< the largest of its output channels
  code_bound lower_bound = {};  ///< the largest of its output channels: no constants of this shape have a smaller bound

  /// Is every code of the output the original's?
  constexpr bool exact() const { return bound.numerator == 0; }
};

namespace detail {

// The workspace: the strips of the input channels, what is kept of each output channel, and the sums of its taps.
struct bounded_memory {
  // Scales of three numbers, the chosen one first, and how many; later the bias and three bounds of two numbers.
  static constexpr std::int64_t numbers_of_scales = 3 * static_cast<std::int64_t>(scale_search::shortlist);
  static constexpr std::int64_t kept_each = numbers_of_scales + 1 + 7;

  std::int64_t* strips = nullptr;
  std::int64_t* kept = nullptr;
  std::int64_t* taps = nullptr;

  constexpr bounded_memory(const convolution& conv, std::int64_t* memory)
      : strips(memory),
        kept(strips + conv.input_channels() * channel_strips::numbers_each),
        taps(kept + conv.output_channels() * kept_each) {}

  constexpr void keep(std::int64_t o, const std::array<new_scale, scale_search::shortlist>& all,
                      std::size_t count) const {
    std::int64_t* k = of_output(o);
    k[numbers_of_scales] = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::int64_t v : {std::int64_t{all[i].multiplier}, std::int64_t{all[i].shift}, all[i].ratio}) {
        *k++ = v;
      }
    }
  }
  constexpr std::int64_t scales(std::int64_t o) const { return of_output(o)[numbers_of_scales]; }
  constexpr new_scale scale(std::int64_t o, std::int64_t i = 0) const {
    const std::int64_t* const k = of_output(o) + 3 * i;
    return {static_cast<std::int32_t>(k[0]), static_cast<std::int32_t>(k[1]), k[2]};
  }
  constexpr void choose(std::int64_t o, std::int64_t i) const {
    for (std::int64_t j = 0; j < 3; ++j) {
      of_output(o)[j] = of_output(o)[3 * i + j];
    }
  }
  constexpr void keep(std::int64_t o, std::int64_t bias, const channel_bound& b) const {
    std::int64_t* k = of_output(o) + numbers_of_scales + 1;
    *k++ = bias;
    for (const code_bound& bound : {b.bound, b.lower_bound, b.root_mean_square}) {
      *k++ = bound.numerator;
      *k++ = bound.shift;
    }
  }
  constexpr std::int32_t bias(std::int64_t o) const {
    return static_cast<std::int32_t>(of_output(o)[numbers_of_scales + 1]);
  }
  constexpr channel_bound bounds(std::int64_t o) const {
    const std::int64_t* const k = of_output(o) + numbers_of_scales + 2;
    const auto one = [&](std::int64_t i) { return code_bound{k[i], static_cast<std::int32_t>(k[i + 1])}; };
    return {.bound = one(0), .lower_bound = one(2), .root_mean_square = one(4)};
  }

 private:
  constexpr std::int64_t* of_output(std::int64_t o) const { return kept + o * kept_each; }
};

// A tolerance that every fold meets.
inline constexpr std::int64_t any_tolerance = INT64_MAX;

template <class Maps>
class bounded_folder {
 public:
  constexpr bounded_folder(const Maps& maps, std::int32_t table_zp, const convolution& conv,
                           const conv_geometry& geometry, const conv_rescale& requantize, const bounded_outputs& out)
      : maps_(maps),
        table_zp_(static_cast<std::int32_t>(int8_range.clamp(table_zp))),
        conv_(conv),
        out_(out),
        memory_(conv, out.workspace.data),
        requantize_(requantize),
        engine_(conv, geometry, requantize, channel_strips(memory_.strips), memory_.taps) {}

  /// The strips of all channels.
  constexpr verdict prepare(const view<const std::uint32_t, 2>& histogram) const {
    const std::int64_t count = maps_.count();
    std::array<std::int16_t, 256> codes{};
    std::array<std::int16_t, 256> values{};
    std::array<std::uint32_t, 256> weights{};
    for (std::int64_t i = 0; i < count; ++i) {
      codes[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(maps_.code(static_cast<int>(i)));
    }
    for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
      const auto k = maps_.channel(c);
      if (!k) {
        return k.error();
      }
      std::uint64_t total = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        values[at] = static_cast<std::int16_t>(maps_.map(*k, static_cast<int>(i)));
        if (!histogram.absent()) {
          const std::uint32_t n = histogram.data[histogram.offset({c, codes[at] + 128})];
          weights[static_cast<std::size_t>(codes[at] + 128)] = n;
          total += n;
        }
      }
      if (!histogram.absent() && total == 0) {
        return rejection{.why = reason::empty, .at = place::domain, .channel = c, .expected = 1, .got = 0};
      }
      channel_strips(memory_.strips)
          .set(c, codes.data(), values.data(), count, histogram.absent() ? nullptr : weights.data());
    }
    return accepted{};
  }

  /// Scales, input zero point, biases and bounds; what `write` writes.
  constexpr result<bounded_fold> prove(std::int64_t tolerance) {
    // By the widths alone, then with the input zero point that this gives, by what each scale leaves.
    std::array<new_scale, scale_search::shortlist> scales{};
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      const std::size_t count = scale_search(engine_).find(o, scales);
      memory_.keep(o, scales, count);
    }
    bounded_fold fold{.input_zp = best_zero_point()};
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      memory_.choose(o, best_scale(o, fold.input_zp));
    }
    fold.input_zp = best_zero_point();
    rejection why{.why = reason::beyond_tolerance, .at = place::output, .expected = tolerance};
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      const result<channel_bound> bounds = prove_channel(o, fold.input_zp);
      if (!bounds) {
        return bounds.error();
      }
      if (why.output_channel == unset || fold.bound < bounds->bound) {
        fold.bound = bounds->bound;
        why.output_channel = o;
      }
      fold.lower_bound = fold.lower_bound < bounds->lower_bound ? bounds->lower_bound : fold.lower_bound;
    }
    if (fold.bound.round_up() > tolerance) {
      why.got = fold.bound.round_up();
      why.least = fold.lower_bound.round_up();
      return why;
    }
    return fold;
  }

  constexpr void write() const {
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      if (!out_.bounds.absent()) {
        out_.bounds.data[out_.bounds.offset({o})] = memory_.bounds(o);
      }
      if (out_.weight.absent()) {  // it is asked only
        continue;
      }
      const new_scale chosen = memory_.scale(o);
      engine_.write_weights(o, engine_.pair_of(o, chosen), out_.weight);
      out_.bias.data[out_.bias.offset({o})] = memory_.bias(o);
      out_.multiplier.data[out_.multiplier.offset({o})] = chosen.multiplier;
      out_.shift.data[out_.shift.offset({o})] = chosen.shift;
    }
  }

 private:
  // The kept scale with the smallest bound.
  constexpr std::int64_t best_scale(std::int64_t o, std::int32_t input_zp) const {
    std::int64_t best = 0;
    code_bound least;
    for (std::int64_t i = 0; i < memory_.scales(o) && memory_.scales(o) > 1; ++i) {
      const scale_pair scale = engine_.pair_of(o, memory_.scale(o, i));
      engine_.sum_taps(o, scale);
      const auto extremes = engine_.all_classes(scale, input_zp);
      const std::int64_t old_bias = bias_value(conv_, o);
      const std::int64_t bias = bounded_engine::middle(extremes, old_bias, scale);
      const result<code_bound> bound =
          bound_of(bounded_engine::largest_difference(extremes, old_bias, bias, scale), scale.shift, true);
      if (bound && fits<std::int32_t>(bias) && (i == 0 || *bound < least)) {
        best = i;
        least = *bound;
      }
    }
    return best;
  }

  // What each input zero point would leave in output channel o: half the distance of the extremes, with a bias between.
  constexpr void add_zero_points(std::int64_t o, std::array<std::uint64_t, 256>& worst) const {
    const scale_pair scale = engine_.pair_of(o, memory_.scale(o));
    engine_.sum_taps(o, scale);
    for (std::int64_t z = int8_range.lo; z <= int8_range.hi; ++z) {
      const auto e = engine_.all_classes(scale, z);
      const int192 width = e.high - e.low;
      const int shift = scale.shift + 1 - 24;  // to codes / 2^24
      const int192 wide = shift < 0 ? width << -shift : width;
      const int drop = shift < 0 ? 0 : shift;
      const bool fits = wide.bits() - drop < 62;
      const std::uint64_t whole = fits ? wide.bits_from(drop) : std::uint64_t{1} << 62;
      const bool rest = fits && !((int192(static_cast<std::int64_t>(whole)) << drop) == wide);
      std::uint64_t& w = worst[static_cast<std::size_t>(z - int8_range.lo)];
      w = whole + (rest ? 1 : 0) > w ? whole + (rest ? 1 : 0) : w;
    }
  }
  // The one that leaves the least in the worst output channel; of several, the nearest to the table's own.
  constexpr std::int32_t best_zero_point() const {
    std::array<std::uint64_t, 256> worst{};  // bound with each input zero point, in codes / 2^24, rounded up
    for (std::int64_t o = 0; o < conv_.output_channels() && !engine_.single_class(); ++o) {
      add_zero_points(o, worst);
    }
    std::int32_t best = table_zp_;
    for (std::int32_t distance = 1; distance < 256; ++distance) {
      for (const std::int32_t z : {table_zp_ - distance, table_zp_ + distance}) {
        if (int8_range.contains(z) &&
            worst[static_cast<std::size_t>(z + 128)] < worst[static_cast<std::size_t>(best + 128)]) {
          best = z;
        }
      }
    }
    return best;
  }

  constexpr result<channel_bound> prove_channel(std::int64_t o, std::int32_t input_zp) const {
    const new_scale chosen = memory_.scale(o);
    const scale_pair scale = engine_.pair_of(o, chosen);
    engine_.sum_taps(o, scale);
    const auto extremes = engine_.all_classes(scale, input_zp);
    const std::int64_t old_bias = bias_value(conv_, o);
    const std::int64_t bias = bounded_engine::middle(extremes, old_bias, scale);
    if (!fits<std::int32_t>(bias)) {
      return rejection{.why = reason::bias_overflow,
                       .at = place::bias,
                       .output_channel = o,
                       .expected = int32_range.clamp(bias),
                       .got = bias};
    }
    // No sum of products in any order, bias or not, leaves int32 or what the shift takes.
    const std::int64_t reach = engine_.reach();
    const std::int64_t low = input_zp - maps_.code(0);
    const std::int64_t high = maps_.code(maps_.count() - 1) - input_zp;
    const std::int64_t farthest = low > high ? low : high;
    const std::int64_t room = chosen.shift > 31 ? int32_max : (std::int64_t{1} << (chosen.shift - 1)) - 1;
    const std::int64_t sums = smaller(reach, INT64_MAX >> 9) * farthest;
    const std::int64_t most = sums + static_cast<std::int64_t>(magnitude(bias));
    if (most > room) {
      return rejection{
          .why = reason::accumulator_overflow, .at = place::bias, .output_channel = o, .expected = room, .got = most};
    }
    const result<code_bound> bound =
        bound_of(bounded_engine::largest_difference(extremes, old_bias, bias, scale), scale.shift, true);
    const result<code_bound> least = engine_.lower_bound(o);
    if (!bound || !least) {
      rejection why = bound ? least.error() : bound.error();
      why.output_channel = o;
      return why;
    }
    const code_bound rms = engine_.root_mean_square(o, scale, bias, input_zp);
    const channel_bound all{.bound = *bound, .lower_bound = *least, .root_mean_square = *bound < rms ? *bound : rms};
    memory_.keep(o, bias, all);
    return all;
  }

  const Maps& maps_;
  std::int32_t table_zp_;
  const convolution& conv_;
  const bounded_outputs& out_;
  bounded_memory memory_;
  conv_rescale requantize_;
  bounded_engine engine_;
};

}  // namespace detail

/// How many numbers of workspace `fold_bounded` needs for a convolution; 0 if it is not valid.
constexpr std::int64_t bounded_workspace(const convolution& conv) {
  return !validate(conv) ? 0
                         : conv.input_channels() * detail::channel_strips::numbers_each +
                               conv.output_channels() * detail::bounded_memory::kept_each +
                               conv.taps() * detail::tap_bounds::numbers;
}

namespace detail {

// Are the arguments of a bounded fold sound, apart from the site's? Where it only `asks`, the constants are left out.
template <std::size_t Ins>
constexpr verdict validate_bounded(const convolution& conv, const conv_rescale& requantize,
                                   const view<const std::uint32_t, 2>& histogram, const bounded_outputs& out, bool asks,
                                   const footprint (&ins)[Ins], const view<const chain_step>& steps) {
  if (const verdict v = validate(requantize, conv.output_channels()); !v) {
    return v;
  }
  const footprint outs[] = {out.weight.occupies(place::weight),     out.bias.occupies(place::bias),
                            out.multiplier.occupies(place::output), out.shift.occupies(place::output),
                            out.bounds.occupies(place::output),     out.workspace.occupies(place::workspace)};
  for (const verdict& v : {validate_arguments(outs, ins), validate_apart(outs, steps)}) {
    if (!v) {
      return v;
    }
  }
  if (!histogram.absent() && (histogram.extent(0) != conv.input_channels() || histogram.extent(1) != 256)) {
    return rejection{.why = reason::shape_mismatch,
                     .at = place::domain,
                     .expected = histogram.extent(1) != 256 ? 256 : conv.input_channels(),
                     .got = histogram.extent(histogram.extent(1) != 256 ? 1 : 0)};
  }
  const std::int64_t outputs = conv.output_channels();
  if (!asks && (out.weight.absent() || out.bias.absent() || out.multiplier.absent() || out.shift.absent())) {
    return rejection{.why = reason::output_missing,
                     .at = out.weight.absent() ? place::weight
                           : out.bias.absent() ? place::bias
                                               : place::output};
  }
  if (!asks && !same_extents(out.weight, conv.weight)) {
    return rejection{.why = reason::shape_mismatch,
                     .at = place::weight,
                     .expected = conv.weight.extents[0],
                     .got = out.weight.extents[0]};
  }
  if (!asks && out.bias.extent(0) != outputs) {
    return rejection{.why = reason::bias_count, .at = place::bias, .expected = outputs, .got = out.bias.extent(0)};
  }
  for (const std::int64_t n : {out.multiplier.extent(0), out.shift.extent(0)}) {
    if (!asks && n != outputs) {
      return rejection{.why = reason::per_channel_count, .at = place::output, .expected = outputs, .got = n};
    }
  }
  if (!out.bounds.absent() && out.bounds.extent(0) != outputs) {
    return rejection{
        .why = reason::size_mismatch, .at = place::output, .expected = outputs, .got = out.bounds.extent(0)};
  }
  if (out.workspace.extent(0) != bounded_workspace(conv) || out.workspace.strides[0] != 1) {
    return rejection{.why = reason::size_mismatch,
                     .at = place::workspace,
                     .expected = bounded_workspace(conv),
                     .got = out.workspace.extent(0)};
  }
  return accepted{};
}

}  // namespace detail

namespace detail {

constexpr result<bounded_fold> bounded(const affine_site& site, const convolution& conv, const conv_rescale& requantize,
                                       std::int64_t tolerance, const bounded_outputs& outputs,
                                       const view<const std::uint32_t, 2>& histogram, bool asks) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  const result<conv_geometry> geometry = detail::validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  if (const verdict v = detail::validate_bounded(
          conv, requantize, histogram, outputs, asks,
          {site.table.occupies(place::table), site.gamma.occupies(place::gamma), site.beta.occupies(place::beta),
           conv.weight.occupies(place::weight), conv.weight_zp.occupies(place::weight_zp),
           conv.bias.occupies(place::bias), requantize.multiplier.occupies(place::output),
           requantize.shift.occupies(place::output), histogram.occupies(place::domain)},
          site.chain);
      !v) {
    return v.error();
  }
  detail::bounded_folder<site_maps> folder(*maps, site.table_zp, conv, *geometry, requantize, outputs);
  if (const verdict v = folder.prepare(histogram); !v) {
    return v.error();
  }
  const result<bounded_fold> fold = folder.prove(tolerance);
  if (fold) {
    folder.write();
  }
  return fold;
}

}  // namespace detail

/// Folds gamma and beta into the convolution that reads them and its RESCALE, with a proven largest difference.
///
/// Formula: with v = acc * multiplier / 2^shift before and v' after, what the two RESCALEs round: bound = max |v - v'|
///   over all inputs and output positions. Codes of the output then differ by at most ceil(bound): a rounding moves no
///   difference beyond the next integer, and a clamp enlarges none.
/// Shape: outputs.weight as conv.weight; outputs.bias, multiplier, shift, bounds [O];
///   outputs.workspace [bounded_workspace(conv)]. histogram [C, 256], or absent: how often channel c of the TABLE's
///   output has code i - 128; for the root mean square alone.
/// Units: tolerance in codes of the convolution's output.
/// Errors: those of `site_maps` (with channel and code), of the convolution, its RESCALE and the views; channel_count;
///   zero_point_mismatch; shape_mismatch and empty (domain): the histogram; output_missing: no view for one of the four
///   constants; bias_overflow; accumulator_overflow: sums of products with the bias may leave int32, or the range of
///   the shift; beyond_tolerance: with the output channel that takes the most (`got`), the tolerance (`expected`) and
///   the least possible of any constants (`least`), both in codes rounded up. A refusal leaves all but the workspace
///   untouched.
/// Exactness: the bound is exact, and 0 where the constants of the exact fold do. The lower bound holds for all
///   weights, biases, zero points and scales. Weights are the best for the scale; the scale of each output channel is
///   the best of a search; the input zero point and the biases are the best for all classes of positions. Root mean
///   square: to about 0.2 %.
/// Cost: |X| * C steps of the chain, and about 100 passes over the weights; more for output channels of few weights.
/// Source: the theorem of bounded folding, docs/bounded.md.
constexpr result<bounded_fold> fold_bounded(const affine_site& site, const convolution& conv,
                                            const conv_rescale& requantize, std::int64_t tolerance,
                                            const bounded_outputs& outputs,
                                            const view<const std::uint32_t, 2>& histogram = {}) {
  return detail::bounded(site, conv, requantize, tolerance, outputs, histogram, false);
}

/// Is there such a fold? The same answer as that of `fold_bounded`, in every field; nothing is written but the
/// workspace, [bounded_workspace(conv)], and `bounds`, [O] or absent.
constexpr result<bounded_fold> prove_bounded_fold(const affine_site& site, const convolution& conv,
                                                  const conv_rescale& requantize, std::int64_t tolerance,
                                                  const view<std::int64_t>& workspace,
                                                  const view<channel_bound>& bounds = {},
                                                  const view<const std::uint32_t, 2>& histogram = {}) {
  return detail::bounded(site, conv, requantize, tolerance, {.bounds = bounds, .workspace = workspace}, histogram,
                         true);
}

/// Where a fold into the producer writes.
struct producer_outputs {
  view<std::int32_t> bias = {};         ///< [O]; may be the same view
  view<std::int32_t> multiplier = {};   ///< [O]; may be the same view
  view<std::int32_t> shift = {};        ///< [O]; may be the same view
  view<std::int32_t> differences = {};  ///< [O] largest difference of each channel's codes, or absent
};

/// What a fold into the producer did beside writing the constants.
struct producer_fold {
  std::int32_t output_zp = 0;         ///< of the RESCALE's codes now: that of the chain's
  std::int64_t bound = 0;             ///< the largest difference of codes
  bool assumes_accumulators = false;  ///< it holds for the accumulators that the caller named

  /// Is every code the original's?
  constexpr bool exact() const { return bound == 0; }
};

namespace detail {

constexpr result<producer_fold> into_producer(const chain& what, const convolution& conv,
                                              const conv_rescale& requantize, std::int32_t output_zp,
                                              std::int64_t tolerance, const producer_outputs& outputs,
                                              const view<const code_range>& accumulators, bool asks) {
  const result<chain_maps> maps = chain_maps::make(what);
  if (!maps) {
    return maps.error();
  }
  const result<conv_geometry> geometry = validate(conv);
  if (!geometry) {
    return geometry.error();
  }
  const std::int64_t channels = conv.output_channels();
  if (const verdict v = validate(requantize, channels); !v) {
    return v.error();
  }
  if (what.channels != channels) {
    return rejection{.why = reason::channel_count, .at = place::output, .expected = channels, .got = what.channels};
  }
  if (!int8_range.contains(maps->last_zero_point()) || !int8_range.contains(output_zp)) {
    const std::int64_t zero = int8_range.contains(output_zp) ? maps->last_zero_point() : output_zp;
    return rejection{
        .why = reason::zero_point_out_of_range, .at = place::output, .expected = int8_range.clamp(zero), .got = zero};
  }
  if (what.zero_point != output_zp) {
    return rejection{
        .why = reason::zero_point_mismatch, .at = place::output, .expected = output_zp, .got = what.zero_point};
  }
  const footprint outs[] = {outputs.bias.occupies(place::bias), outputs.multiplier.occupies(place::output),
                            outputs.shift.occupies(place::output), outputs.differences.occupies(place::output)};
  const footprint ins[] = {conv.weight.occupies(place::weight),      conv.weight_zp.occupies(place::weight_zp),
                           conv.bias.occupies(place::bias),          requantize.multiplier.occupies(place::output),
                           requantize.shift.occupies(place::output), accumulators.occupies(place::domain)};
  for (const verdict& v : {validate_arguments(outs, ins), validate_apart(outs, what.steps)}) {
    if (!v) {
      return v.error();
    }
  }
  if (!asks && (outputs.bias.absent() || outputs.multiplier.absent() || outputs.shift.absent())) {
    return rejection{.why = reason::output_missing, .at = outputs.bias.absent() ? place::bias : place::output};
  }
  for (const view<std::int32_t>* out : {&outputs.bias, &outputs.multiplier, &outputs.shift, &outputs.differences}) {
    const bool may_be_absent = out == &outputs.differences || asks;
    if (out->extent(0) != channels && !(may_be_absent && out->absent())) {
      return rejection{
          .why = reason::per_channel_count, .at = place::output, .expected = channels, .got = out->extent(0)};
    }
  }
  if (!accumulators.absent() && accumulators.extent(0) != 1 && accumulators.extent(0) != channels) {
    return rejection{
        .why = reason::size_mismatch, .at = place::domain, .expected = channels, .got = accumulators.extent(0)};
  }
  producer_fold fold{.output_zp = maps->last_zero_point(), .assumes_accumulators = !accumulators.absent()};
  rejection why{.why = reason::beyond_tolerance, .at = place::output, .expected = tolerance, .least = 0};
  for (const bool writing : {false, true}) {
    for (std::int64_t o = 0; o < channels; ++o) {
      const code_range range = accumulators.absent()
                                   ? detail::possible_accumulators(conv, *geometry, o)
                                   : accumulators.data[accumulators.offset({accumulators.extent(0) == 1 ? 0 : o})];
      const auto found = detail::fit_producer(*maps, o, range, bias_value(conv, o), requantize, output_zp);
      if (!found) {
        return found.error();
      }
      if (!writing) {
        why.least = found->least > why.least ? found->least : why.least;
        if (o == 0 || found->largest > fold.bound) {
          fold.bound = found->largest;
          why.output_channel = o;
        }
        continue;
      }
      if (!outputs.differences.absent()) {
        outputs.differences.data[outputs.differences.offset({o})] = static_cast<std::int32_t>(found->largest);
      }
      if (!asks) {
        outputs.bias.data[outputs.bias.offset({o})] = static_cast<std::int32_t>(bias_value(conv, o) + found->offset);
        outputs.multiplier.data[outputs.multiplier.offset({o})] = found->multiplier;
        outputs.shift.data[outputs.shift.offset({o})] = found->shift;
      }
    }
    if (fold.bound > tolerance) {
      why.got = fold.bound;
      return why;
    }
  }
  return fold;
}

}  // namespace detail

/// Folds a chain (LayerScale, batch normalization) into the RESCALE before it and into its convolution's bias.
///
/// Formula: chain(clamp(acc * multiplier / 2^shift + output_zp)) becomes
///   clamp((acc + bias' - bias) * multiplier' / 2^shift' + output_zp'), both rounded half up, in [-128, 127].
/// Shape: the chain has O channels; outputs [O]; accumulators 1 or O ranges, or absent: all that the weights allow.
/// Units: tolerance in codes of the chain's end.
/// Errors: those of the chain, of the convolution, its RESCALE and the views; channel_count; output_missing: no view
///   for one of the three constants; zero_point_mismatch: the chain does not begin with output_zp; range_inverted: a
///   range of accumulators; bias_overflow: the new bias; accumulator_overflow: an accumulator, before or after, may
///   leave int32 or what a shift takes; beyond_tolerance: with the output channel that takes the most (`got`), the
///   tolerance (`expected`) and the least possible of any line (`least`). A refusal writes nothing.
/// Exactness: the bound is exact for the accumulators: one code for slopes from 0 to 1 where the RESCALE does not
///   clamp. A clamp that is lost, as with a slope below 1 after a saturated code, counts in full. The line is the best
///   through the codes that are not clamped, to the rounding of its constants.
/// Cost: a pass over the weights for each class of positions, and about 30,000 steps a channel.
constexpr result<producer_fold> fold_into_producer(const chain& what, const convolution& conv,
                                                   const conv_rescale& requantize, std::int32_t output_zp,
                                                   std::int64_t tolerance, const producer_outputs& outputs,
                                                   const view<const code_range>& accumulators = {}) {
  return detail::into_producer(what, conv, requantize, output_zp, tolerance, outputs, accumulators, false);
}

/// Is there such a fold? The same answer as that of `fold_into_producer`, in every field; nothing is written but
/// `differences`, [O] or absent.
constexpr result<producer_fold> prove_producer_fold(const chain& what, const convolution& conv,
                                                    const conv_rescale& requantize, std::int32_t output_zp,
                                                    std::int64_t tolerance, const view<std::int32_t>& differences = {},
                                                    const view<const code_range>& accumulators = {}) {
  return detail::into_producer(what, conv, requantize, output_zp, tolerance, {.differences = differences}, accumulators,
                               true);
}

}  // namespace v0
}  // namespace dytq

#endif
