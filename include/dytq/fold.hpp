// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folds: alpha into the TABLE, gamma and beta into the convolution that reads it, exactly or not at all.
//
//   fold_alpha_into_lut              alpha, and any scalar chain before a TABLE, into the TABLE
//   fold_affine_into_conv            gamma and beta, or whatever follows the TABLE, into weights, bias and zero point
//   fold_affine_into_convs           the same for all convolutions that read one site
//   fold_beta_into_conv              beta alone; gamma stays
//   fold_affine_into_table           gamma and beta into the TABLE, where all channels share one map
//   fold_affine_into_table_and_conv  gamma and beta into a new TABLE and the convolution together
//   prove_...                        is there such a fold? Nothing is written but the workspace
//   is_identity                      is there anything to fold at all?
//
// check_fold.hpp judges a claimed fold: on every code, channel and class of positions, without the algebra that made
// it. layer.hpp has other exact forms, and plan.hpp picks the best for a target.
//
// Every function takes views of the caller's memory, allocates nothing, throws nothing, and returns a result<T>: the
// answer, or the reason, the place and a counter-example. A fold takes at most 32 KiB of stack.
#ifndef DYTQ_FOLD_HPP
#define DYTQ_FOLD_HPP

#include <cstdint>

#include "codes.hpp"
#include "conv.hpp"
#include "folds/alpha.hpp"
#include "folds/proof.hpp"
#include "folds/retable.hpp"
#include "operators/footprint.hpp"
#include "result.hpp"
#include "site.hpp"
#include "table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// Folds the multiplication by alpha into the TABLE after it.
///
/// Formula: table'[c] = table[clamp_function_in(mul_out(wrap32(activation(clamp_domain(c)) * alpha(alpha_code))))], for
///   every code c.
/// Errors: table_size; range_inverted: domain, function_in or mul_out's range, empty or outside int8;
///   code_out_of_range: alpha outside int8; multiplier and shift errors; value_exceeds_shift, value_exceeds_int32: at
///   the step and the first code of the domain.
/// Exactness: exact, for any table. Cost: 256 lookups.
constexpr result<folded_table> fold_alpha_into_lut(const alpha_site& site, const view<const std::int8_t>& table) {
  return detail::fold_alpha(site, table);
}

/// Folds gamma and beta, or any other steps that follow the TABLE, into the convolution that reads them.
///
/// Formula: per channel y_c(x) = first_value + slope_c * (x - x0) on X, slope rational; weights on touched taps become
///   (w - weight_zp) * slope_c + weight_zp; the bias takes sum w * (y_c(x0) - input_zp) - n * (x0 - input_zp').
/// Shape: outputs.weight as conv.weight; outputs.bias [O]; outputs.workspace [4 * C].
/// Errors: those of `site_maps` (with channel and code), of the convolution and of the views; output_missing: no view
///   for the weights or the bias; channel_count; zero_point_mismatch; not_affine; weight_overflow; padding: no one
///   input zero point serves, or it is no code; bias_overflow; accumulator_overflow. A refusal leaves weights and bias
///   untouched.
/// Exactness: every accumulator of every output position is the same, for every code that the TABLE can emit. If there
///   are two such codes, a fold with the table's own weight range, weight zero points and geometry exists only if this
///   finds it; where the input zero point is undetermined it is the table's.
/// Cost: |X| * C steps of the chain at most, and two passes over the weights.
/// Source: the theorem of exact folding, docs/theorem.md.
constexpr result<affine_fold> fold_affine_into_conv(const affine_site& site, const convolution& conv,
                                                    const fold_outputs& outputs) {
  const result<site_maps> maps = site_maps::make(site);
  return maps ? detail::fold_after(site, *maps, 0, conv, outputs, false) : result<affine_fold>(maps.error());
}

/// Is there such a fold? The same answer as that of `fold_affine_into_conv`, in every field; nothing is written but the
/// workspace, [4 * C].
constexpr result<affine_fold> prove_affine_fold(const affine_site& site, const convolution& conv,
                                                const view<std::int16_t>& workspace) {
  const result<site_maps> maps = site_maps::make(site);
  return maps ? detail::fold_after(site, *maps, 0, conv, {.workspace = workspace}, true)
              : result<affine_fold>(maps.error());
}

/// The same for several convolutions that read one site: all fold, or none. Each has an input zero point of its own.
///
/// Shape: convs, outputs, folds [N]; the workspaces may be one view.
/// Errors: as `fold_affine_into_conv`, with the number of the first convolution that has one; size_mismatch;
///   overlapping_views: an output of one convolution overlaps what another one reads or writes. A refusal leaves all
///   weights, biases and `folds` untouched.
constexpr verdict fold_affine_into_convs(const affine_site& site, const view<const convolution>& convs,
                                         const view<const fold_outputs>& outputs, const view<affine_fold>& folds) {
  if (const verdict v = detail::validate_arguments({folds.occupies(place::index)},
                                                   {convs.occupies(place::input), outputs.occupies(place::output)});
      !v) {
    return v;
  }
  const std::int64_t count = convs.extent(0);
  if (outputs.extent(0) != count || folds.extent(0) != count) {
    const std::int64_t got = outputs.extent(0) != count ? outputs.extent(0) : folds.extent(0);
    return rejection{.why = reason::size_mismatch, .at = place::output, .expected = count, .got = got};
  }
  const result<site_maps> maps = site_maps::make(site);
  return maps ? detail::fold_into_all(site, *maps, convs, outputs, folds) : verdict(maps.error());
}

namespace detail {

constexpr result<affine_fold> fold_beta(const affine_site& site, const convolution& conv, const fold_outputs& outputs,
                                        bool asks) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  if (!site.has_beta()) {
    return rejection{.why = site.has_chain() ? reason::no_chain : reason::no_beta, .at = place::beta};
  }
  return fold_after(site, *maps, maps->gamma_cut(), conv, outputs, asks);
}

}  // namespace detail

/// Folds beta alone into the convolution; gamma stays, and the convolution reads its result.
///
/// The codes that occur then differ between channels: each is on a line over its own {m_c(x)}, which is exact under the
/// same conditions as the whole fold. A channel with one such code gets slope 0.
/// Errors: no_beta; no_chain: other steps are in place of gamma and beta; those of `fold_affine_into_conv`; the code of
///   not_affine is one of gamma_out.
/// Exactness: every accumulator of every output position is the same. An undetermined input zero point is gamma_out's.
constexpr result<affine_fold> fold_beta_into_conv(const affine_site& site, const convolution& conv,
                                                  const fold_outputs& outputs) {
  return detail::fold_beta(site, conv, outputs, false);
}

/// Is there such a fold? The same answer as that of `fold_beta_into_conv`, in every field; nothing is written but the
/// workspace, [4 * C].
constexpr result<affine_fold> prove_beta_fold(const affine_site& site, const convolution& conv,
                                              const view<std::int16_t>& workspace) {
  return detail::fold_beta(site, conv, {.workspace = workspace}, true);
}

/// Folds gamma and beta into a new TABLE and the convolution together.
///
/// Choice: |k| from the largest to 1, +k before -k; the first with weights, classes, bias and accumulators in range
///   wins. An undetermined offset is the nearest to the table's own that allows all of that, then the new code of x0
///   the nearest to x0.
/// Shape: as `fold_affine_into_conv`; the new table is in the result.
/// Errors: not_parallel: at `code` the direction of `channel` is `got`, that of the channels before it `expected`; and
///   those of `fold_affine_into_conv` but not_affine: for the last k tried. A refusal leaves weights and bias
///   untouched.
/// Exactness: every accumulator of every output position is the same. Complete where some channel that counts is not
///   constant: if it refuses, no other table of the same codes' distinctions does it.
/// Cost: passes over the weights: four, and one for each k that divides all products.
/// Source: docs/theorem.md.
constexpr result<table_and_conv_fold> fold_affine_into_table_and_conv(const affine_site& site, const convolution& conv,
                                                                      const fold_outputs& outputs) {
  const result<site_maps> maps = site_maps::make(site);
  return maps ? detail::fold_with_table(site, *maps, conv, outputs, false) : result<table_and_conv_fold>(maps.error());
}

/// Is there such a fold? The same answer as that of `fold_affine_into_table_and_conv`, in every field; nothing is
/// written but the workspace, [4 * C].
constexpr result<table_and_conv_fold> prove_table_and_conv_fold(const affine_site& site, const convolution& conv,
                                                                const view<std::int16_t>& workspace) {
  const result<site_maps> maps = site_maps::make(site);
  return maps ? detail::fold_with_table(site, *maps, conv, {.workspace = workspace}, true)
              : result<table_and_conv_fold>(maps.error());
}

/// Folds gamma and beta, or any other steps after the TABLE, into the TABLE, if all channels share one map. The map may
/// saturate or be nonlinear.
///
/// Formula: table'[q] = y(table[q]). It holds under any padding and for any number of users of the chain's result.
/// Errors: not_uniform: `channel` maps `code` to `got`, channel 0 to `expected`; those of `site_maps`.
constexpr result<table8> fold_affine_into_table(const affine_site& site) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  site_maps::channel_constants shared;
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const auto k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    if (c == 0) {
      shared = *k;
    }
    for (int i = 0; i < maps->count(); ++i) {
      if (const int expected = maps->map(shared, i), got = maps->map(*k, i); expected != got) {
        return rejection{
            .why = reason::not_uniform, .channel = c, .code = maps->code(i), .expected = expected, .got = got};
      }
    }
  }
  table8 table{};
  for (std::int64_t q = 0; q < 256; ++q) {
    table[static_cast<std::size_t>(q)] = static_cast<std::int8_t>(maps->map_of_code(shared, site.table(q)));
  }
  return table;
}

/// The part of the chain that `is_identity` tests.
enum class affine_half : std::uint8_t { both, gamma, beta };

/// Is the chain, or one half of it, the identity in every channel, on all codes that can occur? It then can be dropped,
/// with any padding and any other readers.
///
/// Formula: both: y_c(x) = x; gamma: m_c(x) = x, for x in X; beta: y_c = m for every m = m_c(x).
/// Errors: not_identity: channel, code, `expected` (the code) and `got`; no_chain: a half of other steps; those of
/// `site_maps`. An absent half is the identity.
constexpr verdict is_identity(const affine_site& site, affine_half half = affine_half::both) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  if (site.has_chain() && half != affine_half::both) {
    return reason::no_chain;
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

}  // namespace v0
}  // namespace dytq

#endif
