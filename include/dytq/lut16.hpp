// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int16 tables with the shift that goes beside them, and how far their interpolation is from the function.
#ifndef DYTQ_LUT16_HPP
#define DYTQ_LUT16_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "codes.hpp"
#include "function.hpp"
#include "lut.hpp"
#include "numbers/fixed.hpp"
#include "result.hpp"
#include "table.hpp"
#include "tables/argument.hpp"

namespace dytq {
inline namespace v0 {

/// An int16 table, and the power of two that its consumer applies.
///
/// Formula: TABLE answers 128 times an interpolated entry; code = that result / 2^shift, by a RESCALE behind the TABLE.
/// Range: shift = 7 if the output is int16; less, down to -9, for wider outputs whose entries stand for 2^(7 - shift)
///   codes each.
struct lut16 {
  table16 table{};         ///< the entries
  std::int32_t shift = 7;  ///< to the right, behind the TABLE

  /// Entry i, unchecked.
  constexpr std::int16_t operator[](std::size_t i) const { return table[i]; }
  friend constexpr bool operator==(const lut16&, const lut16&) = default;
};

namespace detail {

/// The table whose entries stand for 2^by codes of `out`, which has no zero point. Entries that leave int16 read 32768.
template <certified_function F>
constexpr result<std::array<std::int32_t, 513>> make_wide_lut16(const F& f, const qparams& in, const qparams& out,
                                                                int by, const lut_options& how) {
  const code_range bounds{out.qmin == unset_qmin ? int32_min : std::int64_t{out.qmin},
                          out.qmax == unset_qmax ? int32_max : std::int64_t{out.qmax}};
  const code_range read = {ceil_div(bounds.lo, std::int64_t{1} << by), floor_div(bounds.hi, std::int64_t{1} << by)};
  if (read.empty()) {
    return rejection{.why = reason::range_inverted, .at = place::function_out, .expected = read.lo, .got = read.hi};
  }
  dyadic scale(out.scale);
  scale.exponent += by;
  constexpr code_range and_one_beyond{-32769, 32768};
  const quantizer to(scale, 0, {and_one_beyond.clamp(read.lo), and_one_beyond.clamp(read.hi)}, how.ties);
  return make_exact_lut<std::int32_t, 513>(f, in, to, how, int16_range, {-32768, 128});
}

}  // namespace detail

/// The int16 table of a function: 513 entries for the codes -32768, -32640 ... 32640 and, as the right end of the last
/// interval, the virtual code 32768.
///
/// Formula: as make_lut8, of alpha * in.scale * (code - in.zero_point) + shift, limited to int16.
/// Range: out.qmin and out.qmax within int16, or unset: entries are codes, shift 7. An explicit range beyond int16
///   (exact numerics, zero point 0): entries stand for 2^k codes, rounded once, with the least k at which none
///   leaves int16; shift is 7 - k. A domain or input range that ends inside the grid's step reads as its bound.
/// Errors: as make_lut8; range_inverted, too, where no multiple of 2^k is in the range. TABLE refuses neighbours that
///   differ by more than int16 holds (table_slope_overflow): that is checked by `lookup` and `interpolation_error`, not
///   here.
template <certified_function F>
constexpr result<lut16> make_lut16(F f, const qparams& in, const qparams& out, const lut_options& how = {}) {
  const bool wide = (out.qmin != unset_qmin && out.qmin < -32768) || (out.qmax != unset_qmax && out.qmax > 32767);
  if (!wide) {
    const auto table = detail::make_lut<std::int16_t, 513>(f, in, out, how, int16_range, {-32768, 128});
    if (!table) {
      return table.error();
    }
    return lut16{*table, 7};
  }
  if (out.zero_point != 0) {
    return rejection{
        .why = reason::zero_point_not_zero, .at = place::function_out, .expected = 0, .got = out.zero_point};
  }
  if (out.qmin > out.qmax || how.arithmetic != numerics::exact) {
    return rejection{.why = reason::range_inverted, .at = place::function_out, .expected = out.qmin, .got = out.qmax};
  }
  if (const verdict v = detail::check_parameters(f, in, out, how); !v) {
    return v.error();
  }
  for (int by = 0;; ++by) {  // 16 is always enough, since the range is one of int32
    const auto table = detail::make_wide_lut16(f, in, out, by, how);
    if (!table) {
      return table.error();
    }
    lut16 narrow{.shift = 7 - by};
    bool inside = true;
    for (std::size_t i = 0; i < 513; ++i) {
      inside = inside && int16_range.contains((*table)[i]);
      narrow.table[i] = static_cast<std::int16_t>((*table)[i]);
    }
    if (inside) {
      return narrow;
    }
  }
}

/// Bounds of a real number, in units of 2^-32 output codes.
struct error_enclosure {
  std::int64_t lo = 0;    ///< it is at least this
  std::int64_t hi = 0;    ///< and at most this
  std::int64_t code = 0;  ///< an input code at which the upper bound is met

  static constexpr int unit_log2 = -32;  ///< the unit of lo and hi is 2 to the power of this, in output codes
};

/// A certified enclosure of the greatest distance between what an int16 TABLE answers and the real function.
///
/// Formula: max over all 65,536 codes (or those of the input range and the domain) of
///   |interpolated(code) / 2^shift - (f(alpha * in.scale * (code - in.zero_point) + shift) / out.scale +
///   out.zero_point)|.
/// Units: 2^-32 output codes.
/// Errors: as make_lut8; table_slope_overflow: `code` is where the interpolation starts; value_exceeds_int32: the
///   function leaves 26 bits of codes; undecided: the estimate of f is too coarse.
/// Exactness: the maximum lies in [lo, hi]. Cost: one estimate of f for each code, so that it is not a
///   constant expression: it would exceed every compiler's limit, and gcc would try at each call with constants.
template <estimated_function F>
inline result<error_enclosure> interpolation_error(F f, const qparams& in, const qparams& out, const lut16& lut,
                                                   const lut_options& how = {}) {
  if (const verdict v = detail::check_parameters(f, in, out, how); !v) {
    return v.error();
  }
  const result<code_range> in_range = detail::codes_read(in, how, int16_range);
  if (!in_range) {
    return in_range.error();
  }
  if (!int16_range.contains(out.zero_point)) {
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = place::function_out,
                     .expected = int16_range.clamp(out.zero_point),
                     .got = out.zero_point};
  }
  if (lut.shift < -9 || lut.shift > 7) {
    return rejection{.why = reason::shift_out_of_range, .expected = lut.shift < 0 ? -9 : 7, .got = lut.shift};
  }
  detail::argument x(dyadic(how.alpha), dyadic(in.scale), dyadic(how.shift));
  detail::prepare(f, x);
  const detail::quantizer to(dyadic(out.scale), out.zero_point, int32_range);
  const std::int64_t outside =
      detail::first_outside(f, x, {in_range->lo - in.zero_point, in_range->hi - in.zero_point});
  if (outside != unset) {
    return rejection{.why = reason::outside_domain, .at = place::table, .code = outside + in.zero_point};
  }
  error_enclosure worst{.code = in_range->lo};
  for (std::int64_t code = in_range->lo; code <= in_range->hi; ++code) {
    const auto at = static_cast<std::size_t>((code + 32768) >> 7);
    const std::int64_t slope = std::int64_t{lut[at + 1]} - lut[at];
    if (!int16_range.contains(slope)) {
      return rejection{.why = reason::table_slope_overflow, .at = place::table, .code = code, .got = slope};
    }
    const std::int64_t answer = std::int64_t{lut[at]} * 128 + slope * ((code + 32768) & 127);
    if (magnitude(answer) >> (26 + lut.shift) != 0) {
      return rejection{.why = reason::value_exceeds_int32, .at = place::table, .code = code};
    }
    const std::int64_t table = answer * (std::int64_t{1} << (32 - lut.shift));
    const real<6> argument = x.at<6>(code - in.zero_point);
    if (detail::undefined_at(f, x, code - in.zero_point)) {
      return rejection{.why = reason::outside_domain, .at = place::table, .code = code};
    }
    const auto [size, negative] =
        argument.is_zero() ? detail::estimate_at_zero(f)
                           : detail::estimate_of(f, detail::abscissa(x, code - in.zero_point, argument.negative));
    const estimate v = to.in_codes(size);
    if (!v.known()) {
      return rejection{.why = reason::undecided, .at = place::table, .code = code};
    }
    if (v.exponent > 26) {
      return rejection{.why = reason::value_exceeds_int32, .at = place::table, .code = code};
    }
    const int drop = 32 - v.exponent;
    const auto value = static_cast<std::int64_t>(drop > 63 ? 0 : v.m >> drop);
    const auto radius = static_cast<std::int64_t>((drop > 63 ? 0 : v.error >> drop) + 2);
    const std::int64_t difference =
        table - (negative ? -value : value) - std::int64_t{out.zero_point} * (std::int64_t{1} << 32);
    const std::int64_t distance = difference < 0 ? -difference : difference;
    worst.lo = distance - radius > worst.lo ? distance - radius : worst.lo;
    if (distance + radius > worst.hi) {
      worst.hi = distance + radius;
      worst.code = code;
    }
  }
  return worst;
}

}  // namespace v0
}  // namespace dytq

#endif
