// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gamma and beta into all convolutions that read one site: all fold, or none.
#ifndef DYTQ_FOLDS_CONVS_HPP
#define DYTQ_FOLDS_CONVS_HPP

#include <cstdint>

#include "../conv.hpp"
#include "../operators/memory.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "affine.hpp"
#include "guards.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Does writing the outputs of one convolution disturb what another one reads or writes? Workspaces may be shared.
constexpr bool interferes(const fold_outputs& mine, const convolution& conv, const fold_outputs& other) {
  const footprint written[] = {mine.weight.occupies(), mine.bias.occupies(), mine.workspace.occupies()};
  const footprint touched[] = {conv.weight.occupies(),  conv.bias.occupies(),  conv.weight_zp.occupies(),
                               other.weight.occupies(), other.bias.occupies(), other.workspace.occupies()};
  for (const footprint& w : written) {
    for (const footprint& t : touched) {
      if (overlap(w, t) && !(&w == &written[2] && &t == &touched[5])) {
        return true;
      }
    }
  }
  return false;
}

constexpr rejection of_convolution(rejection why, std::int64_t number) {
  why.convolution = number;
  return why;
}

}  // namespace detail

/// The same for several convolutions that read one site: all fold, or none. Each has an input zero point of its own.
///
/// Shape: convs, outputs, folds [N]; the workspaces may be one view.
/// Errors: as `fold_affine_into_conv`, with the number of the first convolution that has one; size_mismatch;
///   overlapping_views: an output of one convolution overlaps what another one reads or writes. A refusal leaves all
///   weights, biases and `folds` untouched.
constexpr verdict fold_affine_into_convs(const affine_site& site, const view<const convolution>& convs,
                                         const view<const fold_outputs>& outputs, const view<affine_fold>& folds) {
  if (const verdict v = validate_arguments({folds.occupies(place::index)},
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
  if (!maps) {
    return maps.error();
  }
  for (std::int64_t i = 0; i < count; ++i) {  // before any workspace is written
    if (const verdict v = detail::validate(site, convs(i), outputs(i)); !v) {
      return detail::of_convolution(v.error(), i);
    }
  }
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < count; ++j) {
      if (i != j && detail::interferes(outputs(i), convs(j), outputs(j))) {
        return rejection{
            .why = reason::overlapping_views, .at = place::output, .convolution = i, .expected = j, .got = i};
      }
    }
    if (const result<detail::proven_fold<weight_fold>> proven =
            detail::prove_affine_fold(site, *maps, convs(i), outputs(i));
        !proven) {
      return detail::of_convolution(proven.error(), i);
    }
  }
  for (std::int64_t i = 0; i < count; ++i) {
    folds(i) = detail::prove_affine_fold(site, *maps, convs(i), outputs(i))->write(outputs(i));
  }
  return accepted{};
}

}  // namespace v0
}  // namespace dytq

#endif
