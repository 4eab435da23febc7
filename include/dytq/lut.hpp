// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of functions, 8 and 16 bits: every entry is proven, or the table is refused.
#ifndef DYTQ_LUT_HPP
#define DYTQ_LUT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "argument.hpp"
#include "certified_table.hpp"
#include "codes.hpp"
#include "fixed.hpp"
#include "float32_function.hpp"
#include "function.hpp"
#include "result.hpp"
#include "table.hpp"

namespace dytq::inline v0 {

/// Which arithmetic a table stands for.
enum class numerics : std::uint8_t {
  exact,    ///< the real function of the real argument, rounded half to even once
  float32,  ///< what a float32 graph computes, step by step; see `float32_function`
};

/// What a table may be told beside its two quantizations.
struct lut_options {
  double alpha = 1.0;  ///< the function is taken of alpha * x + shift
  double shift = 0.0;
  numerics arithmetic = numerics::exact;
  code_range domain{unset, unset};  ///< input codes outside read as the nearest inside; unset: the range of `in`
};

namespace detail {

constexpr verdict check_scale(double scale, step at) {
  const dyadic s(scale);
  if (!s.finite) return rejection{.why = reason::scale_not_finite, .at = at};
  if (s.negative || s.is_zero()) return rejection{.why = reason::scale_not_positive, .at = at};
  return accepted{};
}

template <class Code, std::size_t Count, estimated_function F>
constexpr result<std::array<Code, Count>> make_float32_lut(const qparams& in, const qparams& out,
                                                           const lut_options& how, const code_range& out_range,
                                                           const code_range& read, const code_grid& grid) {
  const result<float32_quantizer> quantizer = float32_quantizer::make(in, out, how.alpha, how.shift, out_range);
  if (!quantizer) return quantizer.error();
  std::array<Code, Count> table{};
  std::int64_t before = unset;
  for (std::size_t i = 0; i < Count; ++i) {
    const std::int64_t code = read.clamp(grid.code(static_cast<std::int64_t>(i)));
    if (code == before) {
      table[i] = table[i - 1];
      continue;
    }
    const result<std::int64_t> entry = quantizer->code(F{}, code);
    if (!entry) return entry.error();
    table[i] = static_cast<Code>(*entry);
    before = code;
  }
  return table;
}

template <class Code, std::size_t Count, certified_function F>
constexpr result<std::array<Code, Count>> make_lut(const qparams& in, const qparams& out, const lut_options& how,
                                                   const code_range& type, const code_grid& grid) {
  if (const verdict v = check_scale(in.scale, step::function_in); !v) return v.error();
  if (const verdict v = check_scale(out.scale, step::function_out); !v) return v.error();
  const dyadic alpha(how.alpha), shift(how.shift);
  if (!alpha.finite || !shift.finite) return rejection{.why = reason::parameter_not_finite, .at = step::alpha};
  const result<code_range> in_range = range_in(in, type, step::function_in);
  if (!in_range) return in_range.error();
  const result<code_range> out_range = range_in(out, type, step::function_out);
  if (!out_range) return out_range.error();
  code_range read = *in_range;
  if (how.domain != code_range{unset, unset}) {
    if (how.domain.empty() || !type.contains(how.domain)) {
      return rejection{
          .why = reason::range_inverted, .at = step::domain, .expected = how.domain.lo, .got = how.domain.hi};
    }
    read = {in_range->clamp(how.domain.lo), in_range->clamp(how.domain.hi)};
  }
  // The virtual right end of an int16 table lies beyond the type.
  if (read.hi == type.hi && grid.stride > 1) ++read.hi;
  if (how.arithmetic == numerics::float32) {
    if constexpr (estimated_function<F>) {
      return make_float32_lut<Code, Count, F>(in, out, how, *out_range, read, grid);
    } else {
      return rejection{.why = reason::undecided, .at = step::table};
    }
  }
  table_maker<F, Code, Count> maker(argument(alpha, dyadic(in.scale), shift), in.zero_point,
                                    quantizer(dyadic(out.scale), out.zero_point, *out_range), grid);
  std::array<Code, Count> table{};
  const std::int64_t failed = maker.make(read, table);
  if (failed != unset) return rejection{.why = reason::undecided, .at = step::table, .code = failed};
  return table;
}

}  // namespace detail

/// The int8 table of a function.
template <certified_function F>
constexpr result<table8> make_lut8(F, const qparams& in, const qparams& out, const lut_options& how = {}) {
  return detail::make_lut<std::int8_t, 256, F>(in, out, how, int8_range, {-128, 1});
}

/// The int16 table of a function: 513 entries, the last for the virtual code 32768, and the shift beside them.
///
/// Formula: function_out.scale * (2^shift * value - zero_point) is the real value of a table entry; TOSA's TABLE answers
///   with 7 fraction bits, so that its int32 result is shifted right by `shift_right` = 7 to give a code.
struct lut16 {
  table16 table{};
  std::int32_t shift_right = 7;
};

template <certified_function F>
constexpr result<table16> make_lut16(F, const qparams& in, const qparams& out, const lut_options& how = {}) {
  return detail::make_lut<std::int16_t, 513, F>(in, out, how, int16_range, {-32768, 128});
}

}  // namespace dytq::inline v0

#endif
