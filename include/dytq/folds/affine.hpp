// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gamma and beta into the convolution behind them.
#ifndef DYTQ_FOLDS_AFFINE_HPP
#define DYTQ_FOLDS_AFFINE_HPP

#include <cstdint>

#include "../conv.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "channel_line.hpp"
#include "guards.hpp"
#include "line.hpp"
#include "offset.hpp"
#include "weights.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The counter-example of not_affine. `exit` is the code where a map leaves the line `ends` through its ends, and `got`
/// its value there; `expected` becomes the line's value, rounded down, or up where it would be the map's.
constexpr rejection leaves_line(rejection why, const affine_fit& ends, std::int64_t exit, std::int64_t got) {
  why.code = exit;
  why.got = got;
  why.expected = floor_value(ends, exit);
  why.expected += why.expected == got ? 1 : 0;
  return why;
}

/// A fold that has been proven and not yet written. Of a template, as what makes it, so that an include costs a
/// compiler little: it compiles the engine for those who fold.
template <class Fold>
struct proven_fold {
  Fold fold;
  std::int64_t offset = 0;
  std::int32_t reference = 0;

  constexpr affine_fold write(const fold_outputs& outputs) const {
    const typename Fold::changes done =
        outputs.asks_only() ? typename Fold::changes{} : fold.write(offset, outputs.weight, outputs.bias);
    return {.input_zp = static_cast<std::int32_t>(reference - offset),
            .weights_changed = done.weights,
            .bias_changed = done.bias,
            .first_code = reference};
  }
};

template <class Fold = weight_fold>
constexpr result<proven_fold<Fold>> prove_affine_fold(const affine_site& site, const site_maps& maps,
                                                      const convolution& conv, const fold_outputs& outputs) {
  const result<conv_geometry> geometry = validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  if (const verdict v = validate(site, conv, outputs); !v) {
    return v.error();
  }
  const channel_lines lines{outputs.workspace};
  for (std::int64_t c = 0; c < conv.input_channels(); ++c) {
    const result<site_maps::channel_constants> k = maps.channel(c);
    if (!k) {
      return k.error();
    }
    lines.set(c, fit_channel(maps, *k).line);
  }
  const std::int32_t x0 = maps.code(0);
  proven_fold<Fold> proven{.fold{conv, *geometry, lines}, .reference = x0};
  const result<std::int64_t> r = proven.fold.solve({.deltas = {0, maps.code(maps.count() - 1) - x0},
                                                    .offsets = {x0 - int8_range.hi, x0 - int8_range.lo},
                                                    .preferred = std::int64_t{x0} - site.table_zp,
                                                    .when_free = free_offset::keep});
  if (!r) {
    if (r.error().why != reason::not_affine) {
      return r.error();
    }
    // On a line: any code but x0 is a counter-example, since no integer times the code's distance is the weight times
    // the map's: weight times numerator (`got`) is no multiple of the denominator (`expected`).
    const site_maps::channel_constants k = *maps.channel(r.error().channel);
    const int exit = fit_channel(maps, k).index;
    if (exit < 0) {
      rejection why = r.error();
      why.code = maps.code(1);
      return why;
    }
    const int last = maps.count() - 1;
    return leaves_line(r.error(), line_through(x0, maps.map(k, 0), maps.code(last), maps.map(k, last)), maps.code(exit),
                       maps.map(k, exit));
  }
  return proven_fold<Fold>{.fold = proven.fold, .offset = *r, .reference = x0};
}

}  // namespace detail

/// Folds gamma and beta into the weights, the bias and the input zero point of the convolution that reads them.
///
/// Formula: per channel y_c(x) = first_value + slope_c * (x - x0) on X, slope rational; weights on touched taps become
///   (w - weight_zp) * slope_c + weight_zp; the bias takes sum w * (y_c(x0) - input_zp) - n * (x0 - input_zp').
/// Shape: outputs.weight as conv.weight; outputs.bias [O]; outputs.workspace [4 * C].
/// Errors: those of `site_maps` (with channel and code), of the convolution and of the views; channel_count;
///   zero_point_mismatch; not_affine; weight_overflow; padding: no one input zero point serves, or it is no
///   code; bias_overflow; accumulator_overflow. A refusal leaves weights and bias untouched.
/// Exactness: every accumulator of every output position is the same, for every code that the TABLE can emit. If there
///   are two such codes, a fold with the table's own weight range, weight zero points and geometry exists only if this
///   finds it; where the input zero point is undetermined it is the table's.
/// Cost: |X| * C steps of the chain at most, and two passes over the weights.
/// Source: the theorem of exact folding, docs/theorem.md.
template <class Fold = weight_fold>
constexpr result<affine_fold> fold_affine_into_conv(const affine_site& site, const convolution& conv,
                                                    const fold_outputs& outputs) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  const result<detail::proven_fold<Fold>> proven = detail::prove_affine_fold<Fold>(site, *maps, conv, outputs);
  if (!proven) {
    return proven.error();
  }
  return proven->write(outputs);
}

}  // namespace v0
}  // namespace dytq

#endif
