// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is a map of codes affine? Over the integers, over the rationals, or not, with the first code that says so.
#ifndef DYTQ_AFFINE_HPP
#define DYTQ_AFFINE_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The affine map through all (codes[i], values[i]), in any order; a code may occur again with the same value.
///
/// Shape: codes and values alike. Range: |code| and |value| < 2^30.
/// One distinct code gives slope 0. first_code is codes[0].
/// Errors: empty; size_mismatch; code_out_of_range; contradiction: one code (`code`) with two values (`expected`,
///   `got`); not_affine: at `code` the line through the first two distinct codes has the value `expected` (its floor),
///   the map has `got`; and those of the views.
/// Exactness: exact. Cost: linear for sorted or affine maps; a contradiction is looked for in O(n^2) only where the
///   line is left.
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
