// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is a claimed fold exact? A judge that knows nothing of lines and slopes: it compares, term by term, what the original
// and the folded convolution add up.
#ifndef DYTQ_CHECK_FOLD_HPP
#define DYTQ_CHECK_FOLD_HPP

#include <cstdint>

#include "conv.hpp"
#include "fold_affine.hpp"
#include "result.hpp"
#include "site.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

/// The constants that somebody claims can replace a site and its convolution's.
struct claimed_fold {
  weight_view<const std::int8_t> weight;
  view<const std::int32_t> bias;  ///< [O]
  std::int32_t input_zp = 0;
};

/// Does the claimed convolution, reading the TABLE, give the accumulators of the original one, reading the chain?
///
/// Formula: for every weight on a touched tap, (y_c(x) - input_zp) * w - (x - input_zp') * w' is the same for all x in
/// X;
///   and in every class of output positions these differences and the biases cancel.
/// Errors: fold_differs: the first difference: output_channel, and tap, channel, code if a term depends on the code
///   (`expected` the term at x0, `got` at the code), or else what the accumulators of a class differ by (`got`);
///   weight_overflow, zero_point_out_of_range: a claimed constant outside its range; and all errors that
///   `fold_affine_into_conv` has for the site, the convolution and the views.
/// Exactness: necessary and sufficient, for accumulators in unbounded integers.
/// Cost: |X| times the weights.
constexpr verdict check_fold(const affine_site& site, const convolution& conv, const claimed_fold& claim) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  const result<conv_geometry> geometry = detail::validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  for (const verdict& v : {validate(claim.weight, step::weight), validate(claim.bias, step::bias)}) {
    if (!v) {
      return v;
    }
  }
  if (claim.weight.extents != conv.weight.extents) {
    return rejection{.why = reason::shape_mismatch,
                     .at = step::weight,
                     .expected = conv.weight.extents[0],
                     .got = claim.weight.extents[0]};
  }
  if (claim.bias.extent(0) != conv.output_channels()) {
    return rejection{
        .why = reason::bias_count, .at = step::bias, .expected = conv.output_channels(), .got = claim.bias.extent(0)};
  }
  if (!int8_range.contains(claim.input_zp)) {
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = step::input,
                     .expected = claim.input_zp < 0 ? -128 : 127,
                     .got = claim.input_zp};
  }
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    if (const auto k = maps->channel(c); !k) {
      return k.error();
    }
  }
  rejection why;
  for (std::int64_t o = 0; o < conv.output_channels() && why.why == reason::none; ++o) {
    const std::int64_t w_zp = weight_zero_point(conv, o);
    const std::int64_t first_channel = o / (conv.output_channels() / conv.groups) * conv.group_inputs();
    const auto term = [&](const site_maps::channel_constants& k, int i, std::int64_t w, std::int64_t n) {
      return (maps->map(k, i) - conv.input_zp) * (w - w_zp) -
             (maps->code(i) - std::int64_t{claim.input_zp}) * (n - w_zp);
    };
    const auto constants = [&](std::int64_t c) {
      return site.channels() == 0 ? site_maps::channel_constants{} : *maps->channel(c);
    };
    detail::for_each_tap(
        *geometry, [&](std::int64_t tap, std::int64_t d, std::int64_t y, std::int64_t x, bool touched) {
          for (std::int64_t i = 0; i < conv.group_inputs() && touched; ++i) {
            const std::int64_t w = conv.weight.data[conv.weight.offset({o, d, y, x, i})];
            const std::int64_t n = claim.weight.data[claim.weight.offset({o, d, y, x, i})];
            const std::int64_t c = first_channel + i;
            if (!conv.weight_range.contains(n)) {
              why = {.why = reason::weight_overflow,
                     .at = step::weight,
                     .channel = c,
                     .output_channel = o,
                     .tap = tap,
                     .expected = n < conv.weight_range.lo ? conv.weight_range.lo : conv.weight_range.hi,
                     .got = n};
              return false;
            }
            const auto k = constants(c);
            const std::int64_t at_first = term(k, 0, w, n);
            for (int q = 1; q < maps->count(); ++q) {
              if (term(k, q, w, n) != at_first) {
                why = {.why = reason::fold_differs,
                       .at = step::weight,
                       .channel = c,
                       .output_channel = o,
                       .tap = tap,
                       .code = maps->code(q),
                       .expected = at_first,
                       .got = term(k, q, w, n)};
                return false;
              }
            }
          }
          return true;
        });
    if (why.why != reason::none) {
      break;
    }
    detail::for_each_class(*geometry, [&](const tap_set& depth, const tap_set& rows, const tap_set& columns) {
      std::int64_t difference = std::int64_t{bias_value(conv, o)} - claim.bias.data[claim.bias.offset({o})];
      for (std::int64_t d = depth.first; d <= depth.last; d += depth.step) {
        for (std::int64_t y = rows.first; y <= rows.last; y += rows.step) {
          for (std::int64_t x = columns.first; x <= columns.last; x += columns.step) {
            for (std::int64_t i = 0; i < conv.group_inputs(); ++i) {
              difference += term(constants(first_channel + i), 0, conv.weight.data[conv.weight.offset({o, d, y, x, i})],
                                 claim.weight.data[claim.weight.offset({o, d, y, x, i})]);
            }
          }
        }
      }
      if (difference != 0) {
        why = {.why = reason::fold_differs, .at = step::bias, .output_channel = o, .expected = 0, .got = difference};
      }
      return difference == 0;
    });
  }
  if (why.why != reason::none) {
    return why;
  }
  return accepted{};
}

}  // namespace dytq::inline v0

#endif
