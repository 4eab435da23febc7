// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fold into a convolution takes and gives back, and the guards before any algebra.
#ifndef DYTQ_FOLDS_GUARDS_HPP
#define DYTQ_FOLDS_GUARDS_HPP

#include <cstdint>

#include "../conv.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "channel_line.hpp"

namespace dytq {
inline namespace v0 {

/// What a fold into a convolution did beside writing the constants.
struct affine_fold {
  std::int32_t input_zp = 0;         ///< the convolution's new input zero point
  std::int64_t weights_changed = 0;  ///< weights that differ from the original ones
  bool bias_changed = false;         ///< some bias differs (an absent one counts as zeros)
  std::int32_t first_code = 0;       ///< x0 of the lines: the smallest code of X

  /// Are the constants other than the original's? If not, a framework can keep its own, shared ones.
  constexpr bool constants_changed() const { return weights_changed != 0 || bias_changed; }
};

/// Where a fold writes. Without weight and bias (default views) it only answers whether it exists.
struct fold_outputs {
  weight_view<std::int8_t> weight = {};  ///< shape of the convolution's weights; may be the same view
  view<std::int32_t> bias = {};          ///< [O]; may be the same view
  view<std::int16_t> workspace = {};     ///< [4 * C]: scribbled on as soon as the arguments have been accepted

  /// Is nothing to be written?
  constexpr bool asks_only() const { return weight.absent() && bias.absent(); }
};

namespace detail {

/// The guards that a site and its convolution must pass before any algebra. -> the geometry.
constexpr result<conv_geometry> validate(const affine_site& site, const convolution& conv) {
  const result<conv_geometry> geometry = dytq::validate(conv);
  if (!geometry) {
    return geometry;
  }
  if (site.channels() != 0 && site.channels() != conv.input_channels()) {
    return rejection{
        .why = reason::channel_count, .at = place::weight, .expected = site.channels(), .got = conv.input_channels()};
  }
  if (conv.input_zp != site.last_zero_point()) {
    return rejection{.why = reason::zero_point_mismatch,
                     .at = place::input,
                     .expected = site.last_zero_point(),
                     .got = conv.input_zp};
  }
  return geometry;
}

/// Are the outputs, `fold_outputs`, what a fold can write to, apart from everything that it reads?
template <class Outputs>
constexpr verdict validate(const affine_site& site, const convolution& conv, const Outputs& out) {
  if (const verdict v =
          validate_arguments({out.weight.occupies(place::weight), out.bias.occupies(place::bias),
                              out.workspace.occupies(place::workspace)},
                             {site.table.occupies(place::table), site.gamma.occupies(place::gamma),
                              site.beta.occupies(place::beta), conv.weight.occupies(place::weight),
                              conv.weight_zp.occupies(place::weight_zp), conv.bias.occupies(place::bias)});
      !v) {
    return v;
  }
  if (!out.asks_only() && !same_extents(out.weight, conv.weight)) {
    return rejection{.why = reason::shape_mismatch,
                     .at = place::weight,
                     .expected = conv.weight.extents[0],
                     .got = out.weight.extents[0]};
  }
  if (!out.asks_only() && out.bias.extent(0) != conv.output_channels()) {
    return rejection{
        .why = reason::bias_count, .at = place::bias, .expected = conv.output_channels(), .got = out.bias.extent(0)};
  }
  if (out.workspace.extent(0) != channel_lines::numbers_of(conv.input_channels())) {
    return rejection{.why = reason::size_mismatch,
                     .at = place::workspace,
                     .expected = channel_lines::numbers_of(conv.input_channels()),
                     .got = out.workspace.extent(0)};
  }
  return accepted{};
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
