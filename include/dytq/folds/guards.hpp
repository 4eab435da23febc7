// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fold of a site into a convolution, and every judge of one, needs: guards before any algebra, and a bound
// in codes.
#ifndef DYTQ_FOLDS_GUARDS_HPP
#define DYTQ_FOLDS_GUARDS_HPP

#include <bit>
#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../numbers/fixed.hpp"
#include "../operators/memory.hpp"
#include "../result.hpp"
#include "../site.hpp"

namespace dytq {
inline namespace v0 {

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

/// Are the outputs and the workspace apart from everything that a fold reads, and from each other?
constexpr verdict validate_memory(const affine_site& site, const convolution& conv, const fold_outputs& out) {
  const footprint outs[] = {out.weight.occupies(place::weight), out.bias.occupies(place::bias),
                            out.workspace.occupies(place::workspace)};
  verdict v = validate_arguments(outs, {site.table.occupies(place::table), site.gamma.occupies(place::gamma),
                                        site.beta.occupies(place::beta), conv.weight.occupies(place::weight),
                                        conv.weight_zp.occupies(place::weight_zp), conv.bias.occupies(place::bias)});
  for (std::int64_t s = 0; v && s < site.chain.extent(0); ++s) {
    const chain_step& step = site.chain(s);
    v = validate_arguments(
        outs, {step.multiplier.occupies(step.at), step.shift.occupies(step.at), step.constants.occupies(step.at),
               step.codes.occupies(step.at), step.table.occupies(step.at), step.tables.occupies(step.at)});
  }
  return v;
}

// v / 2^shift codes, v >= 0 and shift >= 0, rounded up or down if it has more than 62 bits. Beyond 2^62: nothing.
constexpr result<code_bound> bound_of(const int192& v, int shift, bool up) {
  int drop = v.bits() > 61 ? v.bits() - 61 : 0;
  drop = shift - drop > 62 ? shift - 62 : drop;
  if (drop > shift) {
    return rejection{.why = reason::accumulator_overflow, .at = place::output};
  }
  auto n = static_cast<std::int64_t>(v.bits_from(drop));
  n += up && !((int192(n) << drop) == v) ? 1 : 0;
  int s = shift - drop;
  const int twos = n == 0 ? s : std::countr_zero(static_cast<std::uint64_t>(n));
  const int common = twos < s ? twos : s;
  return code_bound{n >> common, s - common};
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
