// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fits a map of codes by a RESCALE or an affine map. For a fixed shift every code allows one interval of multipliers. A
// multiplier exists if all intervals intersect.
#ifndef DYTQ_FIT_RESCALE_HPP
#define DYTQ_FIT_RESCALE_HPP

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/rounding.hpp"
#include "rescale.hpp"
#include "result.hpp"
#include "scale.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// Options of `fit_rescale`: the operator without its scale, and the allowed scales.
struct rescale_search {
  code_range out = int8_range;                           ///< range that the result is clamped to
  std::int64_t input_zp = 0;                             ///< subtracted before the scale
  std::int64_t output_zp = 0;                            ///< added after it
  rounding_mode rounding = rounding_mode::single_round;  ///< any but inexact_round
  std::int64_t multiplier_max = int32_range.hi;          ///< the greatest allowed multiplier
  code_range shifts = {min_shift, max_shift};            ///< the allowed shifts
};

namespace detail {

// The multipliers that map one code right, with one shift: 0 <= m <= multiplier_max and low <= v * m + rounding < high.
//
// Products v * m stay within +-2^62, so a bound beyond that either allows all or none: it is cut off at a value that
// still says which, and nothing overflows.
constexpr std::int64_t scaled_bound(std::int64_t target, std::int32_t shift) {
  const std::int64_t limit = std::int64_t{1} << (62 - shift);
  return target > limit    ? (std::int64_t{1} << 62) + (std::int64_t{1} << 61)
         : target < -limit ? -(std::int64_t{1} << 62)
                           : target * (std::int64_t{1} << shift);
}

// In float32 a larger multiplier never takes the result nearer to the zero point: both ends by bisection.
constexpr code_range multipliers_in_float32(const rescale_search& s, std::int32_t shift, std::int64_t v,
                                            std::int64_t value) {
  const std::int64_t added = s.rounding == rounding_mode::onnx_multiply ? s.output_zp : 0;
  const auto result = [&](std::int64_t m) { return scale_in_float32(v, m, shift, added) + (s.output_zp - added); };
  // The least multiplier in [0, multiplier_max + 1] for which the result, which rises with v, has passed the value.
  const auto first = [&](bool itself) {
    std::int64_t lo = 0;
    std::int64_t hi = s.multiplier_max + 1;
    while (lo < hi) {
      const std::int64_t m = lo + (hi - lo) / 2;
      const std::int64_t gone = v < 0 ? value - result(m) : result(m) - value;
      (gone > 0 || (itself && gone == 0) ? hi : lo) = gone > 0 || (itself && gone == 0) ? m : m + 1;
    }
    return lo;
  };
  // An end of the range is a clamp: any result beyond it will do.
  const bool from_zero = v < 0 ? value == s.out.hi : value == s.out.lo;
  const bool without_end = v < 0 ? value == s.out.lo : value == s.out.hi;
  return {from_zero ? 0 : first(true), without_end ? s.multiplier_max : first(false) - 1};
}

constexpr code_range multipliers_for(const rescale_search& s, std::int32_t shift, std::int64_t code,
                                     std::int64_t value) {
  constexpr code_range none{1, 0};
  const std::int64_t v = code - s.input_zp;
  if (!values_of(s.rounding, shift).contains(v) || !s.out.contains(value)) {
    return none;
  }
  if (rounds_in_float32(s.rounding)) {
    return multipliers_in_float32(s, shift, v, value);
  }
  code_range m{0, s.multiplier_max};
  const std::int64_t rounding = rounding_term(v < 0, shift, s.rounding);
  // A value at an end of the range is a clamp: beyond it only int32 bounds what is clamped.
  const std::int64_t lowest = value > s.out.lo ? value : int32_min;
  const std::int64_t highest = value < s.out.hi ? value : int32_max;
  // What is scaled must fit int32 too, before the zero point is added.
  const std::int64_t least = lowest - s.output_zp > int32_min ? lowest - s.output_zp : int32_min;
  const std::int64_t most = highest - s.output_zp < int32_max ? highest - s.output_zp : int32_max;
  const std::int64_t below = scaled_bound(least, shift) - rounding;         // below <= v * m
  const std::int64_t above = scaled_bound(most + 1, shift) - 1 - rounding;  // v * m <= above
  if (v == 0) {
    return below > 0 || above < 0 ? none : m;
  }
  if (v > 0) {
    m = {ceil_div(below, v), floor_div(above, v)};
  } else {
    m = {ceil_div(-above, -v), floor_div(-below, -v)};
  }
  return {m.lo > 0 ? m.lo : 0, m.hi < s.multiplier_max ? m.hi : s.multiplier_max};
}

// The multipliers that map all codes right, with one shift; `parted` becomes the first index that leaves none.
template <class Code, class Value>
requires(std::integral<std::remove_const_t<Code>>&& std::integral<std::remove_const_t<Value>>) constexpr code_range
    multipliers_for(const rescale_search& s, std::int32_t shift, const view<Code>& codes, const view<Value>& values,
                    std::int64_t& parted) {
  code_range all{0, s.multiplier_max};
  for (std::int64_t i = 0; i < codes.extent(0); ++i) {
    const code_range one = multipliers_for(s, shift, saturate_int64(codes.data[codes.offset({i})]),
                                           saturate_int64(values.data[values.offset({i})]));
    all = {all.lo > one.lo ? all.lo : one.lo, all.hi < one.hi ? all.hi : one.hi};
    if (all.empty()) {
      parted = i;
      return all;
    }
  }
  return all;
}

}  // namespace detail

/// The RESCALE that gives values[i] for codes[i], all i, clamped ends included.
///
/// Formula: clamp_out(apply_scale_32(code - input_zp, multiplier, shift) + output_zp) = value. The largest shift for
///   which a multiplier exists, and there the smallest multiplier. Where the scale is a float32 (XNNPACK, ONNX
///   Runtime), of the shifts and multipliers asked for those count that it has.
/// Shape: codes and values alike. Range: codes and values of int32 in types of at least that width or of their own.
/// Errors: empty; size_mismatch; code_out_of_range: a code or value outside int32; zero_point_out_of_range;
///   range_inverted: out or shifts; shift_out_of_range, multiplier_negative, multiplier_too_large: shifts or
///   multiplier_max beyond what RESCALE takes; contradiction: one code with two values; no_rescale: no
///   multiplier and shift do: with the smallest shift, `code` (wanted: `expected`) rules out the multipliers that the
///   codes before it leave; inexact_round; unknown_rounding_mode; those of `validate(rescale)`; and those of the
///   views.
/// Exactness: necessary and sufficient: intervals that meet pairwise meet.
/// Cost: at most 61 passes over the codes.
template <class Code, class Value>
requires(std::integral<std::remove_const_t<Code>>&& std::integral<std::remove_const_t<Value>>) constexpr result<
    multiplier_shift> fit_rescale(const view<Code>& codes, const view<Value>& values,
                                  const rescale_search& asked = {}) {
  for (const verdict& v : {validate(codes, place::input), validate(values, place::output),
                           detail::validate_mode(asked.rounding, place::none)}) {
    if (!v) {
      return v.error();
    }
  }
  if (codes.extent(0) != values.extent(0)) {
    return rejection{.why = reason::size_mismatch, .expected = codes.extent(0), .got = values.extent(0)};
  }
  if (codes.empty()) {
    return rejection{.why = reason::empty, .expected = 1, .got = 0};
  }
  const detail::scale_limits limits = detail::limits_of(asked.rounding);
  rescale_search search = asked;
  if (asked.rounding >= rounding_mode::xnnpack_rndnu) {
    search.shifts.lo = asked.shifts.lo > limits.min_shift ? asked.shifts.lo : limits.min_shift;
    search.shifts.hi = asked.shifts.hi < limits.max_shift ? asked.shifts.hi : limits.max_shift;
    search.multiplier_max = asked.multiplier_max < limits.multiplier_max ? asked.multiplier_max : limits.multiplier_max;
  }
  if (const verdict v = detail::validate_range(search.out, int32_range, place::output); !v) {
    return v.error();
  }
  if (search.shifts.empty()) {
    return rejection{.why = reason::range_inverted, .expected = search.shifts.lo, .got = search.shifts.hi};
  }
  for (const std::int64_t shift : {search.shifts.lo, search.shifts.hi}) {
    if (const verdict v = detail::validate_scale(search.multiplier_max, shift,
                                                 {int32_range.hi, limits.min_shift, limits.max_shift}, place::none);
        !v) {
      return v.error();
    }
  }
  bool sorted = true;
  for (std::int64_t i = 0; i < codes.extent(0); ++i) {
    const std::int64_t code = detail::saturate_int64(codes.data[codes.offset({i})]);
    const std::int64_t value = detail::saturate_int64(values.data[values.offset({i})]);
    if (!detail::fits<std::int32_t>(code)) {
      return outside(reason::code_out_of_range, place::input, int32_range, code);
    }
    if (!detail::fits<std::int32_t>(value)) {
      return outside(reason::code_out_of_range, place::output, int32_range, value, code);
    }
    sorted = sorted && (i == 0 || detail::saturate_int64(codes.data[codes.offset({i - 1})]) < code);
  }
  for (const auto& [zero_point, at] : {std::pair{search.input_zp, place::input}, {search.output_zp, place::output}}) {
    if (!detail::fits<std::int32_t>(zero_point)) {
      return outside(reason::zero_point_out_of_range, at, int32_range, zero_point);
    }
  }
  if (const verdict v = validate(rescale{.multiplier = 1,
                                         .shift = limits.max_shift,
                                         .output_zp = static_cast<std::int32_t>(search.output_zp),
                                         .out = search.out,
                                         .rounding = search.rounding},
                                 place::output);
      !v) {
    return v.error();
  }
  std::int64_t parted = 0;
  for (auto shift = static_cast<std::int32_t>(search.shifts.hi); shift >= search.shifts.lo; --shift) {
    if (const code_range m = detail::multipliers_for(search, shift, codes, values, parted); !m.empty()) {
      return multiplier_shift{static_cast<std::int32_t>(m.lo), shift};
    }
  }
  for (std::int64_t i = 1; i < codes.extent(0) && !sorted; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      if (detail::saturate_int64(codes.data[codes.offset({i})]) ==
              detail::saturate_int64(codes.data[codes.offset({j})]) &&
          detail::saturate_int64(values.data[values.offset({i})]) !=
              detail::saturate_int64(values.data[values.offset({j})])) {
        return rejection{.why = reason::contradiction,
                         .code = detail::saturate_int64(codes.data[codes.offset({i})]),
                         .expected = detail::saturate_int64(values.data[values.offset({j})]),
                         .got = detail::saturate_int64(values.data[values.offset({i})])};
      }
    }
  }
  return rejection{.why = reason::no_rescale,
                   .code = detail::saturate_int64(codes.data[codes.offset({parted})]),
                   .expected = detail::saturate_int64(values.data[values.offset({parted})])};
}

/// The affine map through all (codes[i], values[i]), in any order; a code may occur again with the same value.
///
/// Shape: codes and values alike. Range: |code| and |value| < 2^30.
/// One distinct code gives slope 0. first_code is codes[0].
/// Errors: empty; size_mismatch; code_out_of_range; contradiction: one code (`code`) with two values (`expected`,
///   `got`); not_affine: at `code` the line through the first two distinct codes has the value `expected` (its floor),
///   the map has `got`; and those of the views.
/// Exactness: exact. Cost: linear for sorted or affine maps; O(n^2) to look for a contradiction only where the map
///   leaves the line.
template <class Code, class Value>
requires(std::integral<std::remove_const_t<Code>>&& std::integral<std::remove_const_t<Value>>) constexpr result<
    affine_fit> fit_affine(const view<Code>& codes, const view<Value>& values) {
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  if (const verdict v = validate(codes, place::input); !v) {
    return v.error();
  }
  if (const verdict v = validate(values, place::output); !v) {
    return v.error();
  }
  if (codes.extent(0) != values.extent(0)) {
    return rejection{.why = reason::size_mismatch, .expected = codes.extent(0), .got = values.extent(0)};
  }
  if (codes.empty()) {
    return rejection{.why = reason::empty, .expected = 1, .got = 0};
  }
  const auto code = [&](std::int64_t i) { return detail::saturate_int64(codes.data[codes.offset({i})]); };
  const auto value = [&](std::int64_t i) { return detail::saturate_int64(values.data[values.offset({i})]); };
  affine_fit line{.first_code = code(0), .first_value = value(0)};
  bool has_slope = false;
  for (std::int64_t i = 0; i < codes.extent(0); ++i) {
    const std::int64_t c = code(i);
    const std::int64_t v = value(i);
    if (detail::magnitude(c) >= limit || detail::magnitude(v) >= limit) {
      return rejection{.why = reason::code_out_of_range,
                       .code = c,
                       .expected = limit - 1,
                       .got = detail::magnitude(c) >= limit ? c : v};
    }
    if (!has_slope && c != line.first_code) {
      line = detail::line_through(line.first_code, line.first_value, c, v);
      has_slope = true;
    }
    if (detail::on_line(line, c, v)) {
      continue;
    }
    for (std::int64_t j = 0; j < i; ++j) {
      if (code(j) == c) {
        return rejection{.why = reason::contradiction, .at = place::index, .code = c, .expected = value(j), .got = v};
      }
    }
    return rejection{
        .why = reason::not_affine, .at = place::index, .code = c, .expected = detail::floor_value(line, c), .got = v};
  }
  return line;
}

/// `fit_affine` for each channel of a map of the same codes.
///
/// Shape: codes [N], values [C, N], fits [C].
/// Errors: those of `fit_affine`, with the channel, for the first channel that has one; fits is written only if every
///   channel is affine.
template <class Code, class Value>
requires(std::integral<std::remove_const_t<Code>>&& std::integral<std::remove_const_t<Value>>) constexpr verdict
    fit_affine(const view<Code>& codes, const view<Value, 2>& values, const view<affine_fit>& fits) {
  if (const verdict v = detail::validate_arguments({fits.occupies(place::workspace)},
                                                   {codes.occupies(place::input), values.occupies(place::output)});
      !v) {
    return v;
  }
  if (values.extent(0) != fits.extent(0)) {
    return rejection{
        .why = reason::size_mismatch, .at = place::workspace, .expected = values.extent(0), .got = fits.extent(0)};
  }
  for (const bool writing : {false, true}) {
    for (std::int64_t c = 0; c < values.extent(0); ++c) {
      const view<Value> channel{
          values.empty() ? nullptr : values.data + values.offset({c, 0}), {values.extent(1)}, {values.strides[1]}};
      const result<affine_fit> fit = fit_affine(codes, channel);
      if (!fit) {
        rejection why = fit.error();
        why.channel = c;
        return why;
      }
      if (writing) {
        fits(c) = *fit;
      }
    }
  }
  return accepted{};
}

}  // namespace v0
}  // namespace dytq

#endif
