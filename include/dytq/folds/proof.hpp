// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The proof that the steps of a site fold into a convolution that reads them: a line for each channel, and the
// offset that makes the fold exact. Gamma and beta together, beta alone and several readers are this one proof.
#ifndef DYTQ_FOLDS_PROOF_HPP
#define DYTQ_FOLDS_PROOF_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../numbers/integer.hpp"
#include "../operators/footprint.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "channel_line.hpp"
#include "guards.hpp"
#include "padding_offset.hpp"
#include "weights.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Can a fold write to the outputs, or, where it only `asks`, are they left out?
constexpr verdict validate_outputs(const affine_site& site, const convolution& conv, const fold_outputs& out,
                                   bool asks) {
  if (const verdict v = validate_memory(site, conv, out); !v) {
    return v;
  }
  if (!asks && (out.weight.absent() || out.bias.absent())) {
    return rejection{.why = reason::output_missing, .at = out.weight.absent() ? place::weight : place::bias};
  }
  if (!asks && !same_extents(out.weight, conv.weight)) {
    return rejection{.why = reason::shape_mismatch,
                     .at = place::weight,
                     .expected = conv.weight.extents[0],
                     .got = out.weight.extents[0]};
  }
  if (!asks && out.bias.extent(0) != conv.output_channels()) {
    return rejection{
        .why = reason::bias_count, .at = place::bias, .expected = conv.output_channels(), .got = out.bias.extent(0)};
  }
  const std::int64_t numbers = channel_lines::numbers_of(conv.input_channels());
  if (out.workspace.extent(0) != numbers) {
    return rejection{
        .why = reason::size_mismatch, .at = place::workspace, .expected = numbers, .got = out.workspace.extent(0)};
  }
  return accepted{};
}

/// The map of a channel from its codes at a cut to the end of the chain.
class map_after {
 public:
  constexpr map_after(const site_maps& maps, int cut, const site_maps::channel_constants& k)
      : maps_(maps), k_(k), cut_(cut) {
    code_set met;
    for (int i = 0; i < maps.count(); ++i) {
      met.insert(
          static_cast<std::int8_t>(cut < maps.shared_steps() ? maps.shared_value(i, cut) : maps.map_to(k, i, cut)));
    }
    for (int code = -128; code < 128; ++code) {
      if (met.contains(static_cast<std::int8_t>(code))) {
        code_[size_++] = static_cast<std::int8_t>(code);
      }
    }
  }
  constexpr int size() const { return size_; }
  constexpr int code(int i) const { return code_[i]; }
  constexpr int value(int i) const { return maps_.map_from(k_, cut_, code_[i]); }
  static constexpr bool is_line() { return false; }  // not known

 private:
  const site_maps& maps_;
  const site_maps::channel_constants& k_;
  int cut_;
  int size_ = 0;
  std::int8_t code_[256]{};
};

/// A fold of the steps after a cut that has been proven, and not yet written.
struct proven_fold {
  weight_fold fold;
  std::int64_t offset = 0;
  std::int32_t reference = 0;

  /// Absent outputs: only what would change.
  constexpr affine_fold write(const fold_outputs& out) const {
    const weight_fold::changes changed = fold.write(offset, out.weight, out.bias);
    return {.input_zp = static_cast<std::int32_t>(reference - offset),
            .weights_changed = changed.weights,
            .bias_changed = changed.bias,
            .first_code = reference};
  }
};

/// The lines of a site's channels, for all convolutions that read it.
class site_lines {
  // At the top, since clang must have read a template before it meets a use of it in a constant expression.

  /// Where a map leaves the line through its ends: the code, the map's value there (`got`), and the line's
  /// (`expected`), rounded down, or up where it would be the map's. On a line any code but the first is a
  /// counter-example: what the map times the weight rises by to there (`got`) is no multiple of the code's distance
  /// (`expected` is one). On a line but for codes that a step clamps, that step and the first such code next to the
  /// others, with the line's value there.
  template <class Map>
  constexpr rejection leaves_line(rejection why, const Map& map) const {
    const int exit = line_of(map).exit;
    if (exit < 0) {
      why.code = map.code(1);
      why.got = why.got / lines_[why.channel].numerator * (map.value(1) - map.value(0));
      why.expected = floor_div(why.got, map.code(1) - map.code(0)) * (map.code(1) - map.code(0));
    } else if (const clamped_line clamped = clamped_line_of(map); clamped.edge >= 0) {
      // The first step after which both codes are one is the one that saturates.
      const site_maps::channel_constants k = *maps_.channel(why.channel);
      int s = cut_ + 1;
      while (s < maps_.steps() && maps_.map_between(k, cut_, s, map.code(clamped.edge)) !=
                                      maps_.map_between(k, cut_, s, map.code(clamped.end))) {
        ++s;
      }
      why = maps_.at_step(why, s - 1);
      why.code = map.code(clamped.edge);
      why.got = map.value(clamped.edge);
      why.expected = floor_value(clamped.line, why.code);
      why.expected += why.expected == why.got ? 1 : 0;
    } else {
      why.code = map.code(exit);
      const int last = map.size() - 1;
      why.got = map.value(exit);
      why.expected =
          floor_value(line_through(map.code(0), map.value(0), map.code(last), map.value(last)), map.code(exit));
      why.expected += why.expected == why.got ? 1 : 0;
    }
    return why;
  }
  constexpr rejection leaves_line(const rejection& why) const {
    const site_maps::channel_constants k = *maps_.channel(why.channel);
    return cut_ == 0 ? leaves_line(why, whole_map<site_maps>{maps_, k}) : leaves_line(why, map_after(maps_, cut_, k));
  }

  template <class Map>
  constexpr void set(std::int64_t c, const Map& map) {
    channel_line line = line_of(map).line;
    const code_range read{map.code(0), map.code(map.size() - 1)};
    line.first_delta = static_cast<std::int16_t>(read.lo);
    lines_.set(c, line);
    codes_ = c == 0 ? read : codes_.extended_to(read.lo).extended_to(read.hi);
  }

 public:
  /// Cut 0: the codes of the TABLE are read. A later one: those after so many steps, which then differ between
  /// channels.
  constexpr site_lines(const site_maps& maps, int cut, const view<std::int16_t>& workspace)
      : maps_(maps), cut_(cut), lines_{workspace} {}

  /// Writes the lines of C channels. Errors: those of `site_maps::channel`.
  constexpr verdict fit(std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const result<site_maps::channel_constants> k = maps_.channel(c);
      if (!k) {
        return k.error();
      }
      if (cut_ == 0) {
        set(c, whole_map<site_maps>{maps_, *k});
      } else {
        set(c, map_after(maps_, cut_, *k));
      }
    }
    for (std::int64_t c = 0; c < channels; ++c) {  // deltas count from the least of all codes
      channel_line line = lines_[c];
      line.first_delta = static_cast<std::int16_t>(line.first_delta - codes_.lo);
      lines_.set(c, line);
    }
    return accepted{};
  }

  /// The fold with an offset that has been proven.
  constexpr proven_fold proven(const convolution& conv, const conv_geometry& geometry, std::int64_t offset) const {
    return {.fold{conv, geometry, lines_}, .offset = offset, .reference = static_cast<std::int32_t>(codes_.lo)};
  }
  /// Errors: those of `weight_fold::solve`, in the user's units: codes of the map, zero points.
  constexpr result<proven_fold> prove(const convolution& conv, const conv_geometry& geometry) const {
    proven_fold proven = this->proven(conv, geometry, 0);
    const result<std::int64_t> r = proven.fold.solve({.deltas = {0, codes_.hi - codes_.lo},
                                                      .offsets = {codes_.lo - int8_range.hi, codes_.lo - int8_range.lo},
                                                      .preferred = codes_.lo - maps_.zero_point(cut_),
                                                      .when_free = free_offset::keep});
    if (!r) {
      return r.error().why == reason::not_affine ? leaves_line(r.error()) : in_zero_points(r.error(), codes_.lo);
    }
    proven.offset = *r;
    return proven;
  }

 private:
  const site_maps& maps_;
  int cut_;
  channel_lines lines_;
  code_range codes_;  // those that are read, of all channels
};

/// Proves the fold of the steps after a cut into one convolution, and writes it unless it is only asked. Every field of
/// the answer is the same.
constexpr result<affine_fold> fold_after(const affine_site& site, const site_maps& maps, int cut,
                                         const convolution& conv, const fold_outputs& out, bool asks) {
  const result<conv_geometry> geometry = validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  if (const verdict v = validate_outputs(site, conv, out, asks); !v) {
    return v.error();
  }
  site_lines lines(maps, cut, out.workspace);
  if (const verdict v = lines.fit(conv.input_channels()); !v) {
    return v.error();
  }
  const result<proven_fold> proven = lines.prove(conv, *geometry);
  if (!proven) {
    return proven.error();
  }
  return proven->write(out);
}

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

/// Does writing one convolution's outputs or the answers disturb the lists, or writing the answers what is read?
constexpr bool meets_lists(const affine_site& site, const convolution& conv, const fold_outputs& out,
                           const footprint& convs, const footprint& outputs, const footprint& answers) {
  bool shared = false;
  for (const footprint& list : {convs, outputs, answers}) {
    for (const footprint& written : {out.weight.occupies(), out.bias.occupies(), out.workspace.occupies()}) {
      shared = shared || overlap(list, written);
    }
  }
  for (const footprint& read : {site.table.occupies(), site.gamma.occupies(), site.beta.occupies(),
                                conv.weight.occupies(), conv.weight_zp.occupies(), conv.bias.occupies()}) {
    shared = shared || overlap(answers, read);
  }
  return shared || !validate_apart({answers}, site.chain);
}

/// A rejection with the number of the convolution that it is of.
constexpr rejection of_convolution(rejection why, std::int64_t i) {
  why.convolution = i;
  return why;
}

/// May the outputs of `count` convolutions be written, each beside the others? What one writes may be nothing that
/// another reads or writes. F(i): convolution i, and its outputs.
template <class Conv, class Outputs>
constexpr verdict validate_all_outputs(const affine_site& site, std::int64_t count, Conv conv_of, Outputs outputs_of) {
  for (std::int64_t i = 0; i < count; ++i) {
    const result<conv_geometry> geometry = validate(site, conv_of(i));
    if (!geometry) {
      return of_convolution(geometry.error(), i);
    }
    if (const verdict v = validate_outputs(site, conv_of(i), outputs_of(i), false); !v) {
      return of_convolution(v.error(), i);
    }
    for (std::int64_t j = 0; j < count; ++j) {
      if (i != j && interferes(outputs_of(i), conv_of(j), outputs_of(j))) {
        return rejection{
            .why = reason::overlapping_views, .at = place::output, .convolution = i, .expected = j, .got = i};
      }
    }
  }
  return accepted{};
}

/// Proves the fold into all convolutions that read one site, then writes all.
constexpr verdict fold_into_all(const affine_site& site, const site_maps& maps, const view<const convolution>& convs,
                                const view<const fold_outputs>& outputs, const view<affine_fold>& folds) {
  const std::int64_t count = convs.extent(0);
  // Before any workspace is written.
  for (std::int64_t i = 0; i < count; ++i) {
    if (meets_lists(site, convs(i), outputs(i), convs.occupies(), outputs.occupies(), folds.occupies())) {
      return rejection{.why = reason::overlapping_views, .at = place::index, .convolution = i};
    }
  }
  if (const verdict v = validate_all_outputs(
          site, count, [&](std::int64_t i) { return convs(i); }, [&](std::int64_t i) { return outputs(i); });
      !v) {
    return v.error();
  }
  // The offsets of this many are remembered between proof and writing; those beyond are found again.
  constexpr std::int64_t remembered = 64;
  std::int16_t offsets[remembered]{};
  for (const bool writes : {false, true}) {
    for (std::int64_t i = 0; i < count; ++i) {
      site_lines lines(maps, 0, outputs(i).workspace);
      if (const verdict v = lines.fit(convs(i).input_channels()); !v) {
        return of_convolution(v.error(), i);
      }
      const conv_geometry geometry = *validate(site, convs(i));
      const result<proven_fold> proven =
          writes && i < remembered ? lines.proven(convs(i), geometry, offsets[i]) : lines.prove(convs(i), geometry);
      if (!proven) {
        return of_convolution(proven.error(), i);
      }
      if (writes) {
        folds(i) = proven->write(outputs(i));
      } else if (i < remembered) {
        offsets[i] = static_cast<std::int16_t>(proven->offset);
      }
    }
  }
  return accepted{};
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
