// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fold of a site into a convolution, and every judge of one, asks before any algebra.
#ifndef DYTQ_FOLDS_GUARDS_HPP
#define DYTQ_FOLDS_GUARDS_HPP

#include <cstdint>

#include "../conv.hpp"
#include "../operators/footprint.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The guards that a site and its convolution must pass before any algebra. -> the geometry.
/// Site: channels() and last_zero_point(), as `affine_site`.
template <class Site>
constexpr result<conv_geometry> validate(const Site& site, const convolution& conv) {
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

/// Are the outputs and the workspace apart from everything that a fold reads, and from each other?
template <class Site>
constexpr verdict validate_memory(const Site& site, const convolution& conv, const fold_outputs& out) {
  const footprint outs[] = {out.weight.occupies(place::weight), out.bias.occupies(place::bias),
                            out.workspace.occupies(place::workspace)};
  verdict v = validate_arguments(outs, {site.table.occupies(place::table), site.gamma.occupies(place::gamma),
                                        site.beta.occupies(place::beta), conv.weight.occupies(place::weight),
                                        conv.weight_zp.occupies(place::weight_zp), conv.bias.occupies(place::bias)});
  for (std::int64_t s = 0; v && s < site.chain.extent(0); ++s) {
    const auto& step = site.chain(s);
    v = validate_arguments(
        outs, {step.multiplier.occupies(step.at), step.shift.occupies(step.at), step.constants.occupies(step.at),
               step.codes.occupies(step.at), step.table.occupies(step.at), step.tables.occupies(step.at)});
  }
  return v;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
