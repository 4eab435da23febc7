// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fold into a convolution, and every judge of one, checks first: shapes, zero points and memory.
#ifndef DYTQ_FOLDS_GUARDS_HPP
#define DYTQ_FOLDS_GUARDS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

/// Are outputs apart from a chain's steps and their constants? Not even the same view may be written. Errors: those of
/// `validate` for the steps; overlapping_views.
template <std::size_t Outs, class Steps>
constexpr verdict validate_apart(const footprint (&outs)[Outs], const Steps& steps) {
  if (const verdict v = validate(steps.occupies(place::index)); !v || std::is_constant_evaluated()) {
    return v;  // a constant expression cannot compare addresses
  }
  const auto meets = [&](const footprint& in) -> verdict {
    for (const footprint& out : outs) {
      if (overlap(out, in)) {
        return rejection{.why = reason::overlapping_views, .at = out.at};
      }
    }
    return accepted{};
  };
  verdict v = meets(steps.occupies());
  for (std::int64_t s = 0; v && s < steps.extent(0); ++s) {
    const auto& step = steps(s);
    for (const footprint& in : {step.multiplier.occupies(), step.shift.occupies(), step.constants.occupies(),
                                step.codes.occupies(), step.table.occupies(), step.tables.occupies()}) {
      v = v ? meets(in) : v;
    }
  }
  return v;
}

/// Are the outputs and the workspace apart from everything that a fold reads, and from each other?
template <class Site>
constexpr verdict validate_memory(const Site& site, const convolution& conv, const fold_outputs& out) {
  const footprint outs[] = {out.weight.occupies(place::weight), out.bias.occupies(place::bias),
                            out.workspace.occupies(place::workspace)};
  const verdict v =
      validate_arguments(outs, {site.table.occupies(place::table), site.gamma.occupies(place::gamma),
                                site.beta.occupies(place::beta), conv.weight.occupies(place::weight),
                                conv.weight_zp.occupies(place::weight_zp), conv.bias.occupies(place::bias)});
  return v ? validate_apart(outs, site.chain) : v;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
