// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a claimed fold without lines and slopes: compares the terms that the original and the folded convolution sum.
#ifndef DYTQ_CHECK_FOLD_HPP
#define DYTQ_CHECK_FOLD_HPP

#include <array>
#include <cstdint>

#include "codes.hpp"
#include "conv.hpp"
#include "folds/guards.hpp"
#include "numbers/fixed.hpp"
#include "result.hpp"
#include "site.hpp"
#include "table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The constants that somebody claims can replace a site and its convolution's.
struct claimed_fold {
  weight_view<const std::int8_t> weight = {};  ///< shape of the convolution's
  view<const std::int32_t> bias = {};          ///< [O]
  std::int32_t input_zp = 0;                   ///< of the folded convolution
  view<const std::int8_t> table = {};          ///< a new TABLE; absent: the site's own. Not together with keeps_gamma
  bool keeps_gamma = false;                    ///< the folded convolution reads gamma_out's code instead of the TABLE's
  int kept_steps = 0;  ///< the folded convolution reads the code after this many steps; not together with a new TABLE
};

namespace detail {

class fold_judge {
 public:
  constexpr fold_judge(const affine_site& site, const site_maps& maps, const convolution& conv,
                       const conv_geometry& geometry, const claimed_fold& claim)
      : site_(site), maps_(maps), conv_(conv), geometry_(geometry), claim_(claim) {
    std::array<std::int16_t, 256> emitted_at{};  // 1 + the last case with this table code
    for (std::int64_t q = 0; q < 256; ++q) {
      if (!site.reachable.contains(static_cast<std::int8_t>(q - 128))) {
        continue;
      }
      const std::size_t code = table_index(site.table(q));
      const std::int16_t before = emitted_at[code];
      if (before == 0 || (!claim.table.absent() && claim.table(q) != claim.table(cases_[before - 1]))) {
        cases_[count_++] = static_cast<std::int16_t>(q);
        emitted_at[code] = static_cast<std::int16_t>(count_);
      }
    }
  }

  /// Does each weight on a touched tap that reads channel c contribute alike in all cases?
  constexpr rejection compare_terms(std::int64_t c) const {
    std::array<std::int32_t, 256> read{};
    std::array<std::int32_t, 256> claimed{};
    const auto k = constants(c);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
      read[i] = original_code(k, cases_[i]) - conv_.input_zp;
      claimed[i] = claimed_code(k, cases_[i]) - claim_.input_zp;
    }
    rejection why;
    const std::int64_t group = c / conv_.group_inputs();
    const std::int64_t group_outputs = conv_.output_channels() / conv_.groups;
    for (std::int64_t o = group * group_outputs; o < (group + 1) * group_outputs && why.why == reason::none; ++o) {
      const std::int32_t w_zp = weight_zero_point(conv_, o);
      for (tap_walk tap(geometry_); tap && why.why == reason::none; tap.next()) {
        const bool touched = tap.touched();
        const std::int64_t i = c % conv_.group_inputs();
        const std::int32_t w = conv_.weight.data[conv_.weight.offset({o, tap.d, tap.y, tap.x, i})] - w_zp;
        const std::int32_t n = claim_.weight.data[claim_.weight.offset({o, tap.d, tap.y, tap.x, i})] - w_zp;
        if (touched && !conv_.weight_range.contains(n + w_zp)) {
          why = {.why = reason::weight_overflow,
                 .at = place::weight,
                 .expected = conv_.weight_range.clamp(n + w_zp),
                 .got = n + w_zp};
        }
        const std::int32_t expected = read[0] * w - claimed[0] * n;
        for (std::size_t q = 1; q < static_cast<std::size_t>(count_) && touched && why.why == reason::none; ++q) {
          if (read[q] * w - claimed[q] * n != expected) {
            why = {.why = reason::fold_differs,
                   .at = place::weight,
                   .code = cases_[q] - 128,
                   .expected = (read[q] - read[0]) * w,
                   .got = (claimed[q] - claimed[0]) * n};
          }
        }
        if (why.why != reason::none) {
          why.channel = c;
          why.output_channel = o;
          why.tap = tap.index();
        }
      }
    }
    return why;
  }

  /// Do the contributions and the biases of output channel o cancel in every class of positions?
  constexpr rejection compare_classes(std::int64_t o) const {
    const std::int64_t first_channel = o / (conv_.output_channels() / conv_.groups) * conv_.group_inputs();
    const std::int64_t w_zp = weight_zero_point(conv_, o);
    for (class_walk positions(geometry_); positions; positions.next()) {
      std::int64_t difference = std::int64_t{bias_value(conv_, o)} - claim_.bias(o);
      for (std::int64_t i = 0; i < conv_.group_inputs(); ++i) {
        const auto k = constants(first_channel + i);
        const std::int64_t read = original_code(k, cases_[0]) - conv_.input_zp;
        const std::int64_t claimed = claimed_code(k, cases_[0]) - claim_.input_zp;
        for (tap_walk tap = positions.taps(); tap; tap.next()) {
          difference += read * (conv_.weight.data[conv_.weight.offset({o, tap.d, tap.y, tap.x, i})] - w_zp) -
                        claimed * (claim_.weight.data[claim_.weight.offset({o, tap.d, tap.y, tap.x, i})] - w_zp);
        }
      }
      if (difference != 0) {
        return {.why = reason::fold_differs,
                .at = place::bias,
                .output_channel = o,
                .expected = claim_.bias(o) + difference,
                .got = claim_.bias(o)};
      }
    }
    return {};
  }

 private:
  constexpr site_maps::channel_constants constants(std::int64_t c) const {
    return site_.channels() == 0 ? site_maps::channel_constants{} : *maps_.channel(c);
  }
  constexpr int original_code(const site_maps::channel_constants& k, std::int64_t q) const {
    return maps_.map_of_code(k, site_.table(q));
  }
  constexpr int claimed_code(const site_maps::channel_constants& k, std::int64_t q) const {
    const int kept = claim_.keeps_gamma ? maps_.gamma_cut() : claim_.kept_steps;
    return kept != 0               ? maps_.code_after(k, kept, site_.table(q))
           : claim_.table.absent() ? site_.table(q)
                                   : claim_.table(q);
  }

  const affine_site& site_;
  const site_maps& maps_;
  const convolution& conv_;
  const conv_geometry& geometry_;
  const claimed_fold& claim_;
  std::int16_t cases_[256]{};  // entries of the table that show every pair of original and claimed codes
  int count_ = 0;
};

}  // namespace detail

/// Does the claimed convolution, reading the TABLE (or gamma_out), give the accumulators of the original one, reading
/// the chain?
///
/// Formula: let q run over the reachable codes at the TABLE's input, y(q) be what the original convolution reads, and
///   v(q) what the claimed one does. For every weight on a touched tap, (y(q) - input_zp) * w - (v(q) - input_zp') * w'
///   is the same for all q; and in every class of output positions these terms and the biases cancel.
/// Errors: fold_differs: the first difference: output_channel, and tap, channel, code (q) if a term depends on the code
///   (its increase from the first q: original `expected`, claimed `got`), or else the bias that a class of positions
///   needs (`expected`) and the claimed one (`got`); contradiction: a new table with kept steps; size_mismatch:
///   kept_steps is no int8 cut; shape_mismatch, bias_count: the claimed constants; weight_overflow,
///   zero_point_out_of_range: a claimed constant outside its range; and all errors that `fold_affine_into_conv` has
///   for the site, the convolution and the views.
/// Exactness: necessary and sufficient, for accumulators in unbounded integers.
/// Cost: 256 times the weights.
constexpr verdict check_fold(const affine_site& site, const convolution& conv, const claimed_fold& claim) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  const result<conv_geometry> geometry = detail::validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  for (const verdict& v : {validate(claim.weight, place::weight), validate(claim.bias, place::bias),
                           claim.table.absent() ? verdict(accepted{}) : detail::validate_table(claim.table, 256)}) {
    if (!v) {
      return v;
    }
  }
  // The kept steps are only known for codes of the site's own table.
  if ((claim.keeps_gamma || claim.kept_steps != 0) && !claim.table.absent()) {
    return rejection{.why = reason::contradiction, .at = place::table};
  }
  if (claim.kept_steps < 0 || claim.kept_steps > maps->steps() || !maps->is_int8(claim.kept_steps)) {
    return rejection{
        .why = reason::size_mismatch, .at = place::output, .expected = maps->steps(), .got = claim.kept_steps};
  }
  if (!same_extents(claim.weight, conv.weight)) {
    return rejection{.why = reason::shape_mismatch,
                     .at = place::weight,
                     .expected = conv.weight.extents[0],
                     .got = claim.weight.extents[0]};
  }
  if (claim.bias.extent(0) != conv.output_channels()) {
    return rejection{
        .why = reason::bias_count, .at = place::bias, .expected = conv.output_channels(), .got = claim.bias.extent(0)};
  }
  if (!int8_range.contains(claim.input_zp)) {
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = place::input,
                     .expected = int8_range.clamp(claim.input_zp),
                     .got = claim.input_zp};
  }
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    if (const auto k = maps->channel(c); !k) {
      return k.error();
    }
  }
  const detail::fold_judge judge(site, *maps, conv, *geometry, claim);
  for (std::int64_t c = 0; c < conv.input_channels(); ++c) {
    if (const rejection why = judge.compare_terms(c); why.why != reason::none) {
      return why;
    }
  }
  for (std::int64_t o = 0; o < conv.output_channels(); ++o) {
    if (const rejection why = judge.compare_classes(o); why.why != reason::none) {
      return why;
    }
  }
  return accepted{};
}

/// The constants that somebody claims can nearly replace a site, its convolution's and its RESCALE's.
struct claimed_bounded_fold {
  weight_view<const std::int8_t> weight = {};  ///< shape of the convolution's
  view<const std::int32_t> bias = {};          ///< [O]
  std::int32_t input_zp = 0;                   ///< of the claimed convolution, which reads the TABLE
  conv_rescale requantize = {};                ///< of its accumulators
};

namespace detail {

// The difference of two convolutions, each times its scale, of one output channel: evaluated at every code.
class difference_judge {
 public:
  constexpr difference_judge(const site_maps& maps, const convolution& conv, const conv_geometry& geometry,
                             const conv_rescale& requantize, const claimed_bounded_fold& claim, std::int64_t o)
      : maps_(maps), conv_(conv), geometry_(geometry), claim_(claim), o_(o) {
    const std::int32_t s = requantize.shift_of(o);
    const std::int32_t t = claim.requantize.shift_of(o);
    shift_ = s > t ? s : t;
    a_ = int192(requantize.multiplier_of(o)) << (shift_ - s);
    b_ = int192(claim.requantize.multiplier_of(o)) << (shift_ - t);
    const bool narrow = a_.bits() <= 45 && b_.bits() <= 45;  // products with pairs of codes and weights: below 2^62
    a64_ = narrow ? static_cast<std::int64_t>(a_.low()) : 0;
    b64_ = narrow ? static_cast<std::int64_t>(b_.low()) : 0;
    narrow_ = narrow;
  }

  struct extremes {
    int192 low;
    int192 high;
  };

  // -> the largest |v - v'| * 2^shift over all classes of positions.
  constexpr int192 largest() const {
    std::array<extremes, kept> taps{};
    for (tap_walk tap(geometry_); tap; tap.next()) {
      if (tap.index() < kept && tap.touched()) {
        taps[static_cast<std::size_t>(tap.index())] = of_tap(tap);
      }
    }
    const int192 biases = a_ * bias_value(conv_, o_) - b_ * claim_.bias(o_);
    int192 most;
    for (class_walk positions(geometry_); positions; positions.next()) {
      extremes sum{biases, biases};
      for (tap_walk tap = positions.taps(); tap; tap.next()) {
        const extremes one = tap.index() < kept ? taps[static_cast<std::size_t>(tap.index())] : of_tap(tap);
        sum.low += one.low;
        sum.high += one.high;
      }
      most = larger(most, larger(absolute(sum.low), absolute(sum.high)));
    }
    return most;
  }
  constexpr int shift() const { return shift_; }

  // What the claimed accumulator can reach, whatever the order of its sums.
  constexpr rejection legality() const {
    const std::int64_t zero = weight_zero_point(conv_, o_);
    const std::int64_t first = maps_.code(0) - claim_.input_zp;
    const std::int64_t last = maps_.code(maps_.count() - 1) - claim_.input_zp;
    const std::int64_t farthest = -first > last ? -first : last;
    const int shift = claim_.requantize.shift_of(o_);
    const std::int64_t room = shift > 31 ? int32_max : (std::int64_t{1} << (shift - 1)) - 1;
    std::int64_t reach = claim_.bias(o_) < 0 ? -std::int64_t{claim_.bias(o_)} : claim_.bias(o_);
    for (tap_walk tap(geometry_); tap; tap.next()) {
      for (std::int64_t i = 0; i < conv_.group_inputs() && tap.touched(); ++i) {
        const std::int64_t code = claim_.weight(o_, tap.d, tap.y, tap.x, i);
        if (!conv_.weight_range.contains(code)) {
          return {.why = reason::weight_overflow,
                  .at = place::weight,
                  .output_channel = o_,
                  .tap = tap.index(),
                  .expected = conv_.weight_range.clamp(code),
                  .got = code};
        }
        const std::int64_t n = code - zero;
        reach += (n < 0 ? -n : n) * farthest;
      }
    }
    return reach <= room ? rejection{}
                         : rejection{.why = reason::accumulator_overflow,
                                     .at = place::weight,
                                     .output_channel = o_,
                                     .expected = room,
                                     .got = reach};
  }

 private:
  static constexpr std::int64_t kept = 128;  // taps whose extremes are kept; of others they are found for each class

  constexpr extremes of_tap(const tap_walk& tap) const {
    const std::int64_t inputs = conv_.group_inputs();
    const std::int64_t first = o_ / (conv_.output_channels() / conv_.groups) * inputs;
    const std::int64_t zero = weight_zero_point(conv_, o_);
    extremes sum;
    for (std::int64_t i = 0; i < inputs; ++i) {
      const std::int64_t w = conv_.weight.data[conv_.weight.offset({o_, tap.d, tap.y, tap.x, i})] - zero;
      const std::int64_t n = claim_.weight.data[claim_.weight.offset({o_, tap.d, tap.y, tap.x, i})] - zero;
      const auto k = *maps_.channel(first + i);
      const auto add = [&](const auto& a, const auto& b) {
        auto low = a;
        auto high = a;
        for (int x = 0; x < maps_.count(); ++x) {
          const auto h = a * (w * (maps_.map(k, x) - conv_.input_zp)) - b * (n * (maps_.code(x) - claim_.input_zp));
          low = x == 0 || h < low ? h : low;
          high = x == 0 || high < h ? h : high;
        }
        sum.low += low;
        sum.high += high;
      };
      narrow_ ? add(a64_, b64_) : add(a_, b_);
    }
    return sum;
  }

  const site_maps& maps_;
  const convolution& conv_;
  const conv_geometry& geometry_;
  const claimed_bounded_fold& claim_;
  std::int64_t o_;
  int shift_ = 0;
  int192 a_;
  int192 b_;
  std::int64_t a64_ = 0;
  std::int64_t b64_ = 0;
  bool narrow_ = false;
};

}  // namespace detail

/// The largest difference of the claimed convolution and its RESCALE, reading the TABLE, from the original ones,
/// reading the chain. Takes any constants.
///
/// Formula: max |acc * multiplier / 2^shift - acc' * multiplier' / 2^shift'| over all inputs and output positions.
///   Codes of the outputs, rounded half up and clamped, then differ by at most the next integer.
/// Shape: bounds [O], or absent: what is found of each output channel. -> the largest.
/// Units: codes of the output.
/// Errors: weight_overflow, zero_point_out_of_range: a claimed constant outside its range; accumulator_overflow: the
///   claimed sums may leave int32, or what the shift takes; shape_mismatch; bias_count; per_channel_count, multiplier
///   and shift errors; and all errors that `check_fold` has for the site, the convolution and the views. `bounds` is
///   written only if all is well.
/// Exactness: exact, if it has at most 61 bits; else rounded up to that many. Necessary and sufficient for every
///   difference that can occur: there are inputs that reach it.
/// Cost: 256 steps of the chain for each weight; twice.
constexpr result<code_bound> check_bounded(const affine_site& site, const convolution& conv,
                                           const conv_rescale& requantize, const claimed_bounded_fold& claim,
                                           const view<code_bound>& bounds = {}) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  const result<conv_geometry> geometry = detail::validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  const std::int64_t outputs = conv.output_channels();
  for (const verdict& v :
       {validate(claim.weight, place::weight), validate(claim.bias, place::bias),
        validate_output(bounds, place::output), validate(requantize, outputs), validate(claim.requantize, outputs)}) {
    if (!v) {
      return v.error();
    }
  }
  if (!same_extents(claim.weight, conv.weight)) {
    return rejection{
        .why = reason::shape_mismatch, .at = place::weight, .expected = outputs, .got = claim.weight.extents[0]};
  }
  if (claim.bias.extent(0) != outputs) {
    return rejection{.why = reason::bias_count, .at = place::bias, .expected = outputs, .got = claim.bias.extent(0)};
  }
  if (!bounds.absent() && bounds.extent(0) != outputs) {
    return rejection{.why = reason::size_mismatch, .at = place::output, .expected = outputs, .got = bounds.extent(0)};
  }
  if (!int8_range.contains(claim.input_zp)) {
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = place::input,
                     .expected = int8_range.clamp(claim.input_zp),
                     .got = claim.input_zp};
  }
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    if (const auto k = maps->channel(c); !k) {
      return k.error();
    }
  }
  code_bound largest;
  for (const bool writing : {false, true}) {
    for (std::int64_t o = 0; o < outputs && (!writing || !bounds.absent()); ++o) {
      const detail::difference_judge judge(*maps, conv, *geometry, requantize, claim, o);
      if (const rejection why = judge.legality(); why.exists()) {
        return why;
      }
      const result<code_bound> bound = detail::bound_of(judge.largest(), judge.shift(), true);
      if (!bound) {
        return bound.error();
      }
      largest = largest < *bound ? *bound : largest;
      if (writing) {
        bounds.data[bounds.offset({o})] = *bound;
      }
    }
  }
  return largest;
}

}  // namespace v0
}  // namespace dytq

#endif
