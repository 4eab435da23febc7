// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beta alone into the convolution behind it, where gamma stays.
#ifndef DYTQ_FOLDS_BETA_HPP
#define DYTQ_FOLDS_BETA_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "affine.hpp"
#include "channel_line.hpp"
#include "guards.hpp"
#include "line.hpp"
#include "offset.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The line through the ends of a map of n codes, if every point is on it. The middle is asked first, since a map that
/// is not affine seldom hides it there.
/// code(i), value(i): the i-th code in increasing order, and what the channel makes of it. Range: codes of int8.
template <class Code, class Value>
constexpr line_exit fit_line(int n, Code code, Value value) {
  const int first = value(0);
  if (n == 1) {
    return {.line = {0, 1, static_cast<std::int16_t>(first)}};
  }
  const affine_fit line = line_through(code(0), first, code(n - 1), value(n - 1));
  const auto leaves = [&](int i) { return !on_line(line, code(i), value(i)); };
  for (int i = leaves(n / 2) ? n / 2 : 1; i < n - 1; ++i) {
    if (leaves(i)) {
      return {.line = {0, 0, static_cast<std::int16_t>(first)}, .index = i};
    }
  }
  return {.line = {static_cast<std::int16_t>(line.numerator), static_cast<std::int16_t>(line.denominator),
                   static_cast<std::int16_t>(first)}};
}

}  // namespace detail

/// Folds beta alone into the convolution; gamma stays, and the convolution reads its result.
///
/// The codes that occur then differ between channels: each is on a line over its own {m_c(x)}, which is exact under the
/// same conditions as the whole fold. A channel with one such code gets slope 0.
/// Errors: no_beta; no_chain: other steps are in place of gamma and beta; those of `fold_affine_into_conv`; the code of
/// not_affine is one of gamma_out. Exactness: every accumulator of every output position is the same. An undetermined
/// input zero point is gamma_out's.
constexpr result<affine_fold> fold_beta_into_conv(const affine_site& site, const convolution& conv,
                                                  const fold_outputs& outputs) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  if (!site.has_beta()) {
    return rejection{.why = site.has_chain() ? reason::no_chain : reason::no_beta, .at = place::beta};
  }
  const result<conv_geometry> geometry = detail::validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  if (const verdict v = detail::validate(site, conv, outputs); !v) {
    return v.error();
  }
  const auto emitted = [&](const site_maps::channel_constants& k) {
    code_set codes;
    for (int i = 0; i < maps->count(); ++i) {
      codes.insert(static_cast<std::int8_t>(maps->gamma_map(k, i)));
    }
    return code_list(codes);
  };
  code_range occurring{127, -128};
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const auto k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    const code_list codes = emitted(*k);
    occurring.lo = occurring.lo < codes.front() ? occurring.lo : codes.front();
    occurring.hi = occurring.hi > codes.back() ? occurring.hi : codes.back();
  }
  const auto fit = [&](std::int64_t c, const code_list& codes) {
    const site_maps::channel_constants k = *maps->channel(c);
    return detail::fit_line(
        codes.size, [&](int i) { return codes[i]; }, [&](int i) { return maps->beta_map(k, codes[i]); });
  };
  const channel_lines lines{outputs.workspace};
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const code_list codes = emitted(*maps->channel(c));
    channel_line line = fit(c, codes).line;
    line.first_delta = static_cast<std::int16_t>(codes.front() - occurring.lo);
    lines.set(c, line);
  }
  const std::int32_t own_zp = site.has_gamma() ? site.steps.gamma_out.output_zp : site.table_zp;
  detail::proven_fold<weight_fold> proven{.fold{conv, *geometry, lines},
                                          .reference = static_cast<std::int32_t>(occurring.lo)};
  const result<std::int64_t> r =
      proven.fold.solve({.deltas = {0, occurring.hi - occurring.lo},
                         .offsets = {occurring.lo - int8_range.hi, occurring.lo - int8_range.lo},
                         .preferred = occurring.lo - own_zp,
                         .when_free = free_offset::keep});
  if (!r) {
    if (r.error().why != reason::not_affine) {
      return r.error();
    }
    const std::int64_t c = r.error().channel;
    const site_maps::channel_constants k = *maps->channel(c);
    const code_list codes = emitted(k);
    const int exit = fit(c, codes).index;
    if (exit < 0) {
      rejection why = r.error();
      why.code = codes[1];
      return why;
    }
    const affine_fit ends =
        line_through(codes.front(), maps->beta_map(k, codes.front()), codes.back(), maps->beta_map(k, codes.back()));
    return detail::leaves_line(r.error(), ends, codes[exit], maps->beta_map(k, codes[exit]));
  }
  proven.offset = *r;
  return proven.write(outputs);
}

}  // namespace v0
}  // namespace dytq

#endif
