// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int16 tables, TOSA's with their shift and TFLite's, and bounds of the error of any table.
#ifndef DYTQ_LUT16_HPP
#define DYTQ_LUT16_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "codes.hpp"
#include "function.hpp"
#include "lookup.hpp"
#include "lut.hpp"
#include "numbers/fixed.hpp"
#include "numbers/float32.hpp"
#include "result.hpp"
#include "table.hpp"
#include "tables/argument.hpp"
#include "tables/tflite_table.hpp"

namespace dytq {
inline namespace v0 {

/// An int16 table, and the power of two that its consumer applies.
///
/// Formula: TABLE answers Step times an interpolated entry; code = that result / 2^shift, by a RESCALE after the TABLE.
/// Range: shift = log2(Step) if the output is int16 (7 for TOSA's table); less, down to log2(Step) - 16, for wider
///   outputs whose entries stand for 2^(log2(Step) - shift) codes each.
template <int Step>
struct stepped_lut16 {
  static constexpr int step_log2 = detail::fraction_bits<stepped_table16<Step>>;  ///< of the codes from entry to entry

  stepped_table16<Step> table{};   ///< the entries
  std::int32_t shift = step_log2;  ///< to the right, after the TABLE

  /// Entry i, unchecked.
  constexpr std::int16_t operator[](std::size_t i) const { return table[i]; }
  friend constexpr bool operator==(const stepped_lut16&, const stepped_lut16&) = default;
};

/// TOSA's: an entry for every 128 codes.
using lut16 = stepped_lut16<128>;

namespace detail {

/// The table whose entries stand for 2^by codes of `out`, which has no zero point. Entries that leave int16 read 32768.
template <certified_function F>
constexpr verdict make_wide_lut16(const F& f, const qparams& in, const qparams& out, int by, const lut_options& how,
                                  const code_grid& grid, table_output table) {
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
  return make_exact_lut(f, in, to, how, int16_range, grid, table);
}

}  // namespace detail

/// The int16 table of a function: an entry for every Step codes from -32768 on and, as the right end of the last
/// interval, one for the virtual code 32768. `make_lut16(f, in, out)` is TOSA's, with 513 entries; `make_lut16<64>` and
/// `make_lut16<32>` are for parts that have finer ones.
///
/// Formula: as make_lut8, of alpha * in.scale * (code - in.zero_point) + shift, limited to int16.
/// Range: out.qmin and out.qmax within int16, or unset: entries are codes, shift log2(Step). An explicit range beyond
///   int16 (exact numerics, zero point 0): entries stand for 2^k codes, rounded once, with the least k at which none
///   leaves int16; shift is log2(Step) - k. A domain or input range that ends inside the grid's step reads as its
///   bound.
/// Errors: as make_lut8; range_inverted, too, where no multiple of 2^k is in the range. TABLE refuses neighbours that
///   differ by more than int16 holds (table_slope_overflow): that is checked by `lookup` and `interpolation_error`, not
///   here.
template <int Step = 128, certified_function F>
constexpr result<stepped_lut16<Step>> make_lut16(F f, const qparams& in, const qparams& out,
                                                 const lut_options& how = {}) {
  constexpr std::size_t count = std::tuple_size_v<stepped_table16<Step>>;
  constexpr detail::code_grid grid{-32768, Step, count};
  const bool wide = (out.qmin != unset_qmin && out.qmin < -32768) || (out.qmax != unset_qmax && out.qmax > 32767);
  if (!wide) {
    stepped_lut16<Step> lut{};
    const verdict made = detail::make_lut(f, in, out, how, int16_range, grid, lut.table);
    return made ? result<stepped_lut16<Step>>(lut) : made.error();
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
    std::array<std::int32_t, count> table{};
    if (const verdict made = detail::make_wide_lut16(f, in, out, by, how, grid, table); !made) {
      return made.error();
    }
    stepped_lut16<Step> narrow{.shift = stepped_lut16<Step>::step_log2 - by};
    bool inside = true;
    for (std::size_t i = 0; i < count; ++i) {
      inside = inside && int16_range.contains(table[i]);
      narrow.table[i] = static_cast<std::int16_t>(table[i]);
    }
    if (inside) {
      return narrow;
    }
  }
}

namespace detail {

/// An interval as LUTPopulate gets it in float32.
struct float32_interval {
  float32 in_scale;
  std::int32_t in_zero_point = 0;
  float32 out_scale;
};
constexpr float32 over_65535(std::int64_t n) { return float32::from_integer(n) / float32::from_integer(65535); }

/// One interval, given in both arithmetics.
template <certified_function F>
constexpr result<tflite_table16> populate(const F& f, const tflite_interval& exact, const float32_interval& rounded,
                                          numerics arithmetic) {
  const auto table = arithmetic == numerics::exact
                         ? populate_exact(f, exact)
                         : populate_float32(f, rounded.in_scale, rounded.in_zero_point, rounded.out_scale);
  return table ? result<tflite_table16>(tflite_table16{*table}) : table.error();
}

}  // namespace detail

/// TFLite's int16 table of a function: what its LUTPopulate computes, for `interpolate_code`.
///
/// Formula: 512 steps of 65535 / 512 codes, from the code -32768 to the code 32767. v is f / out_scale * 65536 / 65535;
///   entry i is round(v_i), less half of what a line to the next entry misses v by in the middle of the step:
///   round((round((v_next + round(v_i)) / 2) - round(v_middle)) / 2); halves go away from zero everywhere. The last
///   entry is round(v). Entries are limited to int16. There is no zero point of the output.
/// Errors: parameter_not_finite: of f; scale_not_finite, scale_not_positive, scale_not_float32 (float32 numerics);
///   zero_point_out_of_range;
///   outside_domain; value_exceeds_int32 (exact numerics): |v| reaches 2^26, and what LUTPopulate corrects by is no
///   int16 any more; undecided. The code is the nearest below the point.
/// Exactness: `exact`: each rounding is one of a real number, and certified. `float32`: bit for bit what LUTPopulate
///   computes in float32 where its function is correctly rounded, without fused multiplication.
/// Cost: 1025 estimates: about twice a table of make_lut16.
/// Source: LUTPopulate in tensorflow/lite/kernels/internal/common.h.
template <certified_function F>
constexpr result<tflite_table16> make_tflite_lut16(F f, double in_scale, std::int32_t in_zero_point, double out_scale,
                                                   numerics arithmetic = numerics::exact) {
  if (const verdict v = detail::check_parameters(f, {.scale = in_scale}, {.scale = out_scale}, {}); !v) {
    return v.error();
  }
  if (!int16_range.contains(in_zero_point)) {
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = place::function_in,
                     .expected = int16_range.clamp(in_zero_point),
                     .got = in_zero_point};
  }
  return detail::populate(
      f, detail::quantized_interval(in_scale, in_zero_point, out_scale),
      {detail::float32::from_double(in_scale), in_zero_point, detail::float32::from_double(out_scale)}, arithmetic);
}

/// The first of the two tables of TFLite's int16 softmax: e^x over [-10, 0], in units of 2^-15.
/// Exactness: as make_tflite_lut16. Source: softmax_common.cc of TFLite Micro.
constexpr result<tflite_table16> make_tflite_softmax_exp(numerics arithmetic = numerics::exact) {
  return detail::populate(functions::exp, {detail::dyadic(10.0), -1024, 1, detail::dyadic(0x1p-15)},
                          {detail::over_65535(10), 32767, detail::over_65535(2)}, arithmetic);
}

/// The second: 1 / (1 + x) over [0, 1], in units of 2^-15.
/// Exactness: as make_tflite_lut16. Source: softmax_common.cc of TFLite Micro.
constexpr result<tflite_table16> make_tflite_softmax_reciprocal(numerics arithmetic = numerics::exact) {
  return detail::populate(detail::one_over_one_plus{}, {detail::dyadic(1.0), 0, 1, detail::dyadic(0x1p-15)},
                          {detail::over_65535(1), -32768, detail::over_65535(2)}, arithmetic);
}

/// Bounds of a real number, in units of 2^-32 output codes.
struct error_enclosure {
  std::int64_t lo = 0;    ///< it is at least this
  std::int64_t hi = 0;    ///< and at most this
  std::int64_t code = 0;  ///< an input code at which the upper bound is met

  static constexpr int unit_log2 = -32;  ///< the unit of lo and hi is 2 to the power of this, in output codes
};

namespace detail {

/// f / scale in 2^-32, clamped to `codes`, where no estimate tells: by halving to 2^-20 codes.
template <class F>
constexpr result<code_range> enclose_by_signs(const F& f, const argument& x, std::int64_t k, const dyadic& scale,
                                              const code_range& codes) {
  constexpr int places = 20;
  code_range n{codes.lo * (std::int64_t{1} << places), codes.hi * (std::int64_t{1} << places)};
  // f is in [n.lo, n.hi], or beyond the end that it then runs to.
  while (n.hi - n.lo > 1) {
    const std::int64_t middle = n.lo + (n.hi - n.lo) / 2;
    const real<6> y(multiply_wide(magnitude(middle), scale.mantissa), scale.exponent - places, middle < 0);
    switch (certified_sign_of<6>(f, x, k, y)) {
      case certified_sign::negative: n.hi = middle; break;
      case certified_sign::positive: n.lo = middle; break;
      case certified_sign::zero: n = {middle, middle}; break;
      case certified_sign::unknown: return reason::undecided;
    }
  }
  return code_range{n.lo * (std::int64_t{1} << (32 - places)), n.hi * (std::int64_t{1} << (32 - places))};
}

/// What a table answers for a code, in 2^-32 codes of the output.
struct table_answers {
  const void* table;
  result<std::int64_t> (*answer)(const void* table, std::int64_t code);
};

/// The greatest distance of answers from f, clamped to the range of `out`.
template <certified_function F>
inline result<error_enclosure> largest_error(const F& f, const qparams& in, const qparams& out, const lut_options& how,
                                             const code_range& in_type, const code_range& out_range,
                                             const table_answers& of) {
  if (const verdict v = check_parameters(f, in, out, how); !v) {
    return v.error();
  }
  const result<code_range> read = codes_read(in, how, in_type);
  if (!read) {
    return read.error();
  }
  if (!int16_range.contains(out.zero_point)) {
    return rejection{.why = reason::zero_point_out_of_range,
                     .at = place::function_out,
                     .expected = int16_range.clamp(out.zero_point),
                     .got = out.zero_point};
  }
  if (out_range.empty()) {
    return rejection{
        .why = reason::range_inverted, .at = place::function_out, .expected = out_range.lo, .got = out_range.hi};
  }
  argument x(dyadic(how.alpha), dyadic(in.scale), dyadic(how.shift));
  prepare(f, x);
  const quantizer to(dyadic(out.scale), out.zero_point, out_range);
  const std::int64_t outside = first_outside(f, x, {read->lo - in.zero_point, read->hi - in.zero_point});
  if (outside != unset) {
    return rejection{.why = reason::outside_domain, .at = place::table, .code = outside + in.zero_point};
  }
  constexpr std::int64_t one = std::int64_t{1} << 32;
  const code_range limits{out_range.lo * one, out_range.hi * one};
  error_enclosure worst{.code = read->lo};
  for (std::int64_t code = read->lo; code <= read->hi; ++code) {
    const std::int64_t k = code - in.zero_point;
    if (undefined_at(f, x, k)) {
      return rejection{.why = reason::outside_domain, .at = place::table, .code = code};
    }
    const result<std::int64_t> table = of.answer(of.table, code);
    if (!table) {
      return table.error();
    }
    const real<6> at = x.template at<6>(k);
    signed_estimate whole{unknown_estimate};
    if (at.is_zero()) {
      whole = estimate_at_zero(f);
    } else if constexpr (estimated_function<F>) {
      whole = estimate_of(f, abscissa(x, k, at.negative));
    }
    const auto [size, negative] = whole;
    const estimate v = size.m == 0 && size.known() ? size : to.in_codes(size);
    // Beyond 2^29 codes it is clamped on its side.
    const bool beyond = v.m != 0 && v.exponent > 29;
    const int drop = 32 - v.exponent;
    const auto value = static_cast<std::int64_t>(beyond ? std::uint64_t{1} << 61 : drop > 63 ? 0 : v.m >> drop);
    const auto radius = static_cast<std::int64_t>((beyond || drop > 63 ? 0 : v.error >> drop) + 2);
    const std::int64_t zero = std::int64_t{out.zero_point} * one, middle = (negative ? -value : value) + zero;
    code_range real{limits.clamp(middle - radius), limits.clamp(middle + radius)};
    if (!v.known() || radius >> 12 != 0) {
      const result<code_range> by_signs =
          enclose_by_signs(f, x, k, dyadic(out.scale), {out_range.lo - out.zero_point, out_range.hi - out.zero_point});
      if (!by_signs) {
        return rejection{.why = reason::undecided, .at = place::table, .code = code};
      }
      real = {by_signs->lo + zero, by_signs->hi + zero};
    }
    const std::int64_t below = *table - real.lo, above = real.hi - *table;
    const std::int64_t most = below > above ? below : above, least = below < above ? -below : -above;
    worst.lo = least > worst.lo ? least : worst.lo;
    if (most > worst.hi) {
      worst.hi = most;
      worst.code = code;
    }
  }
  return worst;
}

inline table_answers answers_of(const table8& table) {
  return {&table, [](const void* of, std::int64_t code) {
            const table8& entries = *static_cast<const table8*>(of);
            return result<std::int64_t>(entries[static_cast<std::size_t>(code + 128)] * (std::int64_t{1} << 32));
          }};
}
/// The shift must have been checked.
template <int Step>
table_answers answers_of(const stepped_lut16<Step>& table) {
  return {&table, [](const void* of, std::int64_t code) -> result<std::int64_t> {
            const auto& lut = *static_cast<const stepped_lut16<Step>*>(of);
            const auto narrow = static_cast<std::int16_t>(code);
            const table_interval<stepped_lut16<Step>::step_log2> at(lut.table.data(), narrow);
            if (!int16_range.contains(at.slope)) {
              return rejection{.why = reason::table_slope_overflow, .at = place::table, .code = code, .got = at.slope};
            }
            const std::int64_t answer = interpolate(lut.table, narrow);
            if (magnitude(answer) >> (26 + lut.shift) != 0) {
              return rejection{.why = reason::value_exceeds_int32, .at = place::table, .code = code};
            }
            return answer * (std::int64_t{1} << (32 - lut.shift));
          }};
}
inline table_answers answers_of(const tflite_table16& table) {
  return {&table, [](const void* of, std::int64_t code) {
            const auto& entries = *static_cast<const tflite_table16*>(of);
            const std::int64_t answer = interpolate_code(entries, static_cast<std::int16_t>(code));
            return result<std::int64_t>(answer * (std::int64_t{1} << 32));
          }};
}

}  // namespace detail

/// A certified enclosure of the greatest distance between an int8 table and the real function.
///
/// Formula: max over all 256 codes (or those of the input range and the domain) of |table[code + 128] - y|, y being
///   f(alpha * in.scale * (code - in.zero_point) + shift) / out.scale + out.zero_point, clamped to the output's range.
/// Units: 2^-32 output codes.
/// Errors: as make_lut8; undecided.
/// Exactness: the maximum lies in [lo, hi]; half a code at most for a table of exact numerics. Not a constant
/// expression.
template <certified_function F>
inline result<error_enclosure> rounding_error(F f, const qparams& in, const qparams& out, const table8& table,
                                              const lut_options& how = {}) {
  const result<code_range> range = range_in(out, int8_range, place::function_out);
  if (!range) {
    return range.error();
  }
  return detail::largest_error(f, in, out, how, int8_range, *range, detail::answers_of(table));
}

/// A certified enclosure of the greatest distance between what an int16 TABLE answers and the real function.
///
/// Formula: max over all 65,536 codes (or those of the input range and the domain) of |interpolated / 2^shift - y|, y
///   being f(alpha * in.scale * (code - in.zero_point) + shift) / out.scale + out.zero_point, clamped to the output's
///   range: where the table saturates, so does what it is compared with.
/// Units: 2^-32 output codes.
/// Errors: as make_lut8; table_slope_overflow: `code` is where the interpolation starts; value_exceeds_int32: the
///   table's answer leaves 26 bits of codes; undecided.
/// Exactness: the maximum lies in [lo, hi]. Cost: one estimate of f for each code, so that it is not a
///   constant expression: it would exceed every compiler's limit, and gcc would try at each call with constants.
template <int Step, certified_function F>
inline result<error_enclosure> interpolation_error(F f, const qparams& in, const qparams& out,
                                                   const stepped_lut16<Step>& lut, const lut_options& how = {}) {
  constexpr int bits = stepped_lut16<Step>::step_log2;
  if (lut.shift < bits - 16 || lut.shift > bits) {
    return rejection{.why = reason::shift_out_of_range, .expected = lut.shift < 0 ? bits - 16 : bits, .got = lut.shift};
  }
  const bool wide = lut.shift != bits;
  const code_range type = wide ? code_range{-(int32_range.hi >> 4), int32_range.hi >> 4} : int16_range;
  const code_range range{out.qmin == unset_qmin ? type.lo : type.clamp(out.qmin),
                         out.qmax == unset_qmax ? type.hi : type.clamp(out.qmax)};
  return detail::largest_error(f, in, out, how, int16_range, range, detail::answers_of(lut));
}

/// The same for TFLite's table and its own lookup, whose answers are codes. The output has no zero point.
template <certified_function F>
inline result<error_enclosure> interpolation_error(F f, const qparams& in, const qparams& out,
                                                   const tflite_table16& table, const lut_options& how = {}) {
  const result<code_range> range = range_in(out, int16_range, place::function_out);
  if (!range) {
    return range.error();
  }
  return detail::largest_error(f, in, out, how, int16_range, *range, detail::answers_of(table));
}

}  // namespace v0
}  // namespace dytq

#endif
