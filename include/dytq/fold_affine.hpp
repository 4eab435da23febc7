// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gamma and beta into the convolution behind them, and the case in which there is nothing to fold: the identity.
#ifndef DYTQ_FOLD_AFFINE_HPP
#define DYTQ_FOLD_AFFINE_HPP

#include <cstdint>

#include "channel_line.hpp"
#include "conv.hpp"
#include "fold_weights.hpp"
#include "result.hpp"
#include "site.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

/// What a fold into a convolution did beside writing the constants.
struct affine_fold {
  std::int32_t input_zp = 0;         ///< the convolution's new input zero point
  std::int64_t weights_changed = 0;  ///< weights that differ from the original ones
  bool bias_changed = false;         ///< some bias differs (an absent one counts as zeros)
  std::int32_t first_code = 0;       ///< x0 of the lines: the smallest code of X

  /// Are the constants other than the original's? If not, a framework can keep its own, shared ones.
  constexpr bool constants_changed() const { return weights_changed != 0 || bias_changed; }
};

/// Where a fold writes.
struct fold_outputs {
  weight_view<std::int8_t> weight;  ///< shape of the convolution's weights; may be the same view
  view<std::int32_t> bias;          ///< [O]; may be the same view
  view<channel_line> lines;         ///< [C], the workspace: scribbled on as soon as the arguments have been accepted
};

namespace detail {

/// The guards that a site and its convolution must pass before any algebra. -> the geometry.
constexpr result<conv_geometry> validate(const affine_site& site, const convolution& conv) {
  const result<conv_geometry> geometry = dytq::validate(conv);
  if (!geometry) {
    return geometry;
  }
  if ((site.has_gamma() || site.has_beta()) && site.channels() != conv.input_channels()) {
    return rejection{
        .why = reason::channel_count, .at = step::weight, .expected = site.channels(), .got = conv.input_channels()};
  }
  if (conv.input_zp != site.last_zero_point()) {
    return rejection{.why = reason::zero_point_mismatch,
                     .at = step::input,
                     .expected = site.last_zero_point(),
                     .got = conv.input_zp};
  }
  return geometry;
}

/// Are the outputs what a fold can write to, apart from everything that it reads?
constexpr verdict validate(const affine_site& site, const convolution& conv, const fold_outputs& out) {
  for (const verdict& v : {validate_output(out.weight, step::weight), validate_output(out.bias, step::bias),
                           validate_output(out.lines, step::workspace)}) {
    if (!v) {
      return v;
    }
  }
  if (out.weight.extents != conv.weight.extents) {
    return rejection{.why = reason::shape_mismatch,
                     .at = step::weight,
                     .expected = conv.weight.extents[0],
                     .got = out.weight.extents[0]};
  }
  if (out.bias.extent(0) != conv.output_channels()) {
    return rejection{
        .why = reason::bias_count, .at = step::bias, .expected = conv.output_channels(), .got = out.bias.extent(0)};
  }
  if (out.lines.extent(0) != conv.input_channels()) {
    return rejection{.why = reason::size_mismatch,
                     .at = step::workspace,
                     .expected = conv.input_channels(),
                     .got = out.lines.extent(0)};
  }
  const auto apart = [&](const auto& written, step at) -> verdict {
    for (const verdict& v :
         {validate_in_place(written, site.table, at), validate_in_place(written, site.gamma, at),
          validate_in_place(written, site.beta, at), validate_in_place(written, conv.weight_zp, at)}) {
      if (!v) {
        return v;
      }
    }
    return accepted{};
  };
  for (const verdict& v :
       {apart(out.weight, step::weight), apart(out.bias, step::bias), apart(out.lines, step::workspace),
        validate_in_place(out.weight, conv.weight, step::weight),
        validate_in_place(out.weight, conv.bias, step::weight), validate_in_place(out.bias, conv.bias, step::bias),
        validate_in_place(out.bias, conv.weight, step::bias),
        validate_in_place(out.lines, conv.weight, step::workspace),
        validate_in_place(out.lines, conv.bias, step::workspace), validate_in_place(out.weight, out.bias, step::weight),
        validate_in_place(out.weight, out.lines, step::weight), validate_in_place(out.bias, out.lines, step::bias)}) {
    if (!v) {
      return v;
    }
  }
  return accepted{};
}

/// The counter-example of not_affine. If the channel is on no line: the code where it leaves the one through its ends,
/// which has the value `expected` there (its floor), and the map's value `got`. Else any code but x0 is one, since no
/// integer times the code's distance is the weight times the map's: weight times numerator (`got`) is no multiple of
/// the denominator (`expected`).
constexpr rejection with_code(rejection why, const site_maps& maps) {
  if (why.why != reason::not_affine) {
    return why;
  }
  const site_maps::channel_constants k = *maps.channel(why.channel);
  const int exit = fit_channel(maps, k).index;
  why.code = maps.code(exit < 0 ? 1 : exit);
  if (exit >= 0) {
    const int last = maps.count() - 1;
    const affine_fit ends = line_through(maps.code(0), maps.map(k, 0), maps.code(last), maps.map(k, last));
    why.expected = floor_value(ends, why.code);
    why.got = maps.map(k, exit);
  }
  return why;
}

}  // namespace detail

/// Folds gamma and beta into the weights, the bias and the input zero point of the convolution that reads them.
///
/// Formula: per channel y_c(x) = first_value + slope_c * (x - x0) on X, slope rational; weights on touched taps become
///   (w - weight_zp) * slope_c + weight_zp; the bias takes sum w * (y_c(x0) - input_zp) - n * (x0 - input_zp').
/// Shape: outputs.weight as conv.weight; outputs.bias [O]; outputs.lines [C].
/// Errors: those of `site_maps` (with channel and code), of the convolution and of the views; channel_count;
///   zero_point_mismatch; not_affine; weight_overflow; padding; bias_overflow; accumulator_overflow. A refusal leaves
///   weights and bias untouched.
/// Exactness: every accumulator of every output position is the same, for every code that the TABLE can emit. If there
///   are two such codes, a fold with the table's own weight range, weight zero points and geometry exists only if this
///   finds it; where the input zero point is undetermined it is the table's.
/// Cost: |X| * C steps of the chain at most, and two passes over the weights.
/// Source: the theorem of exact folding, docs/theorem.md.
constexpr result<affine_fold> fold_affine_into_conv(const affine_site& site, const convolution& conv,
                                                    const fold_outputs& outputs) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  const result<conv_geometry> geometry = detail::validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  if (const verdict v = detail::validate(site, conv, outputs); !v) {
    return v.error();
  }
  for (std::int64_t c = 0; c < outputs.lines.extent(0); ++c) {
    const result<site_maps::channel_constants> k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    outputs.lines.data[outputs.lines.offset({c})] = fit_channel(*maps, *k).line;
  }
  const std::int64_t x0 = maps->code(0);
  const weight_fold fold(conv, *geometry, outputs.lines);
  const result<std::int64_t> r = fold.solve({.deltas = {0, maps->code(maps->count() - 1) - x0},
                                             .offsets = {x0 - int8_range.hi, x0 - int8_range.lo},
                                             .preferred = x0 - site.table_zp,
                                             .when_free = free_offset::keep});
  if (!r) {
    return detail::with_code(r.error(), *maps);
  }
  const weight_fold::changes done = fold.write(*r, outputs.weight, outputs.bias);
  return affine_fold{.input_zp = static_cast<std::int32_t>(x0 - *r),
                     .weights_changed = done.weights,
                     .bias_changed = done.bias,
                     .first_code = static_cast<std::int32_t>(x0)};
}

/// Which half of the chain an identity is asked of.
enum class affine_half : std::uint8_t { both, gamma, beta };

/// Does the chain, or one half of it, return every code that it can meet, in every channel? It then can be dropped,
/// under any padding and beside other users.
///
/// Formula: both: y_c(x) = x; gamma: m_c(x) = x, for x in X; beta: y_c = m for every m = m_c(x).
/// Errors: not_identity: channel, code, `expected` (the code) and `got`; those of `site_maps`. An absent half is the
/// identity.
constexpr verdict is_identity(const affine_site& site, affine_half half = affine_half::both) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const result<site_maps::channel_constants> k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    for (int i = 0; i < maps->count(); ++i) {
      const int before = half == affine_half::beta ? maps->gamma_map(*k, i) : maps->code(i);
      const int after = half == affine_half::gamma ? maps->gamma_map(*k, i) : maps->map(*k, i);
      if (before != after) {
        return rejection{.why = reason::not_identity, .channel = c, .code = before, .expected = before, .got = after};
      }
    }
  }
  return accepted{};
}

}  // namespace dytq::inline v0

#endif
