// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of functions, 8 and 16 bits: every entry is proven, or the table is refused.
#ifndef DYTQ_LUT_HPP
#define DYTQ_LUT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "codes.hpp"
#include "folds/alpha.hpp"
#include "function.hpp"
#include "numbers/fixed.hpp"
#include "result.hpp"
#include "site.hpp"
#include "table.hpp"
#include "tables/argument.hpp"
#include "tables/certified_table.hpp"
#include "tables/float32_function.hpp"

namespace dytq {
inline namespace v0 {

/// The arithmetic of a table's entries.
enum class numerics : std::uint8_t {
  exact,    ///< the real function of the real argument, rounded once
  float32,  ///< what a float32 graph computes, step by step; see `float32_function`
};

/// Options of a table beside its two quantizations.
struct lut_options {
  double alpha = 1.0;                     ///< the function is taken of alpha * x + shift
  double shift = 0.0;                     ///< see alpha
  numerics arithmetic = numerics::exact;  ///< which arithmetic the entries are those of
  code_range domain{unset, unset};        ///< input codes outside read as the nearest inside; unset: the range of `in`
  tie_rule ties = tie_rule::to_even;      ///< to which code a value half way between two goes
};

namespace detail {

constexpr verdict check_scale(double scale, place at) {
  const dyadic s(scale);
  if (!s.finite) {
    return rejection{.why = reason::scale_not_finite, .at = at};
  }
  if (s.negative || s.is_zero()) {
    return rejection{.why = reason::scale_not_positive, .at = at};
  }
  return accepted{};
}

template <class F>
constexpr verdict check_parameters(const F& f, const qparams& in, const qparams& out, const lut_options& how) {
  if (const verdict v = check_scale(in.scale, place::function_in); !v) {
    return v.error();
  }
  if (const verdict v = check_scale(out.scale, place::function_out); !v) {
    return v.error();
  }
  if (!dyadic(how.alpha).finite || !dyadic(how.shift).finite) {
    return rejection{.why = reason::parameter_not_finite, .at = place::alpha};
  }
  if constexpr (requires { f.valid(); }) {
    if (!f.valid()) {
      return rejection{.why = reason::parameter_not_finite, .at = place::table};
    }
  }
  return accepted{};
}

/// The codes that are not clamped: the domain, its ends clamped to the input's range.
constexpr result<code_range> codes_read(const qparams& in, const lut_options& how, const code_range& type) {
  const result<code_range> range = range_in(in, type, place::function_in);
  if (!range || how.domain == code_range{unset, unset}) {
    return range;
  }
  if (const verdict v = detail::validate_range(how.domain, type, place::domain); !v) {
    return v.error();
  }
  return code_range{range->clamp(how.domain.lo), range->clamp(how.domain.hi)};
}

/// Parameters must have been checked.
template <certified_function F>
constexpr verdict make_exact_lut(const F& f, const qparams& in, const quantizer& out, const lut_options& how,
                                 const code_range& type, const code_grid& grid, table_output table) {
  const result<code_range> read = codes_read(in, how, type);
  if (!read) {
    return read.error();
  }
  table_maker<F> maker(f, argument(dyadic(how.alpha), dyadic(in.scale), dyadic(how.shift)), in.zero_point, out, grid,
                       table);
  // The virtual right end of an int16 table lies beyond the type.
  const rejection failed = maker.make({read->lo, read->hi + (grid.stride > 1 && read->hi == type.hi ? 1 : 0)});
  return failed.exists() ? verdict(failed) : verdict(accepted{});
}

constexpr rejection located(rejection why, std::int64_t code) {
  why.code = code;
  return why;
}

template <certified_function F>
constexpr verdict make_float32_lut(const F& f, const qparams& in, const qparams& out, const lut_options& how,
                                   const code_range& out_range, const code_range& type, const code_grid& grid,
                                   table_output table) {
  const result<code_range> read = codes_read(in, how, type);
  if (!read) {
    return read.error();
  }
  const code_range codes{read->lo, read->hi + (grid.stride > 1 && read->hi == type.hi ? 1 : 0)};
  const result<float32_quantizer> quantizer =
      float32_quantizer::make(in, out, how.alpha, how.shift, out_range, how.ties);
  if (!quantizer) {
    return quantizer.error();
  }
  const std::int64_t last = grid.last();
  // An operator that is odd and monotone is computed on one side, and only until it reaches its limit.
  const bool walk = is_odd<F> && one_float32_step<F> && quantizer->symmetric() && grid.code(0) == codes.lo &&
                    grid.code(last) == codes.hi && (quantizer->zero_point() - grid.first) % grid.stride == 0;
  if (walk) {
    const result<std::int64_t> limit = quantizer->integer(f, float32{float32::infinity_bits});
    if (!limit) {
      return limit.error();
    }
    const std::int64_t zero = (quantizer->zero_point() - grid.first) / grid.stride;
    std::int64_t n = 0;
    bool settled = false;
    for (std::int64_t j = 0; j <= last; ++j) {
      const std::int64_t up = zero + j, down = zero - j;
      if (!settled) {
        const result<std::int64_t> entry = quantizer->integer(f, quantizer->argument(grid.code(up)));
        if (!entry) {
          return located(entry.error(), grid.code(up));
        }
        n = *entry;
        settled = j != 0 && magnitude(n) == magnitude(*limit);
      }
      if (up <= last) {
        table.set(up, quantizer->code(n));
      }
      if (down >= 0) {
        table.set(down, quantizer->code(-n));
      }
    }
    return accepted{};
  }
  std::int64_t before = unset;
  for (std::int64_t i = 0; i <= last; ++i) {
    const std::int64_t code = codes.clamp(grid.code(i));
    if (code == before) {
      table.set(i, table[i - 1]);
      continue;
    }
    const result<std::int64_t> entry = quantizer->integer(f, quantizer->argument(code));
    if (!entry) {
      return located(entry.error(), code);
    }
    table.set(i, quantizer->code(*entry));
    before = code;
  }
  return accepted{};
}

template <certified_function F>
constexpr verdict make_lut(const F& f, const qparams& in, const qparams& out, const lut_options& how,
                           const code_range& type, const code_grid& grid, table_output table) {
  if (const verdict v = check_parameters(f, in, out, how); !v) {
    return v.error();
  }
  const result<code_range> range = range_in(out, type, place::function_out);
  if (!range) {
    return range.error();
  }
  if (how.arithmetic == numerics::float32) {
    return make_float32_lut(f, in, out, how, *range, type, grid, table);
  }
  return make_exact_lut(f, in, quantizer(dyadic(out.scale), out.zero_point, *range, how.ties), how, type, grid, table);
}

}  // namespace detail

/// The int8 table of a function: entry i is for code i - 128.
///
/// Formula: clamp(round(f(alpha * in.scale * (code - in.zero_point) + shift) / out.scale) + out.zero_point), halves as
///   `how.ties` says, clamped to [out.qmin, out.qmax]; codes outside [in.qmin, in.qmax] and the domain read as the
///   nearest inside.
/// Range: scales from the smallest subnormal to the largest double; alpha and shift any finite double. uint8 tensors:
///   give `from_uint8(q)` for their parameters; entry i is then for the uint8 code i, and 128 more than the entry its
///   uint8 value.
/// Errors: scale_not_finite, scale_not_positive, scale_not_float32 (float32 numerics), parameter_not_finite,
///   range_inverted, zero_point_out_of_range; outside_domain: f is not defined at the argument of `code`; undecided:
///   `code` is the code whose rounding the widest arithmetic leaves open, or, with float32 numerics, whose value is
///   not a number.
/// Exactness: `exact`: every entry is proven; `float32`: bit for bit, see `float32_quantizer`.
/// Cost: about one product of one limb an entry for tanh, logistic, exp, silu; a series of one limb for the others.
template <certified_function F>
constexpr result<table8> make_lut8(F f, const qparams& in, const qparams& out, const lut_options& how = {}) {
  table8 table{};
  const verdict made = detail::make_lut(f, in, out, how, int8_range, {-128, 1, 256}, table);
  return made ? result<table8>(table) : made.error();
}

/// The int8 parameters that describe a uint8 tensor stored with its top bit flipped: zero point and bounds less 128.
/// What is far outside uint8 stays outside int8, and is refused there.
constexpr qparams from_uint8(const qparams& q) {
  const auto less_128 = [](std::int32_t v) { return v < unset_qmin + 129 ? unset_qmin + 1 : v - 128; };
  return {.scale = q.scale,
          .zero_point = less_128(q.zero_point),
          .qmin = q.qmin == unset_qmin ? -128 : less_128(q.qmin),
          .qmax = q.qmax == unset_qmax ? 127 : less_128(q.qmax)};
}

/// One int8 table for each alpha of a Dynamic Tanh with an alpha per channel; `how.alpha` is not read.
/// Errors: those of make_lut8, with the channel.
template <certified_function F, std::size_t Channels>
constexpr result<std::array<table8, Channels>> make_lut8_per_channel(F f, const qparams& in, const qparams& out,
                                                                     const std::array<double, Channels>& alpha,
                                                                     lut_options how = {}) {
  std::array<table8, Channels> tables{};
  for (std::size_t c = 0; c < Channels; ++c) {
    how.alpha = alpha[c];
    const result<table8> table = make_lut8(f, in, out, how);
    if (!table) {
      rejection why = table.error();
      why.channel = static_cast<std::int64_t>(c);
      return why;
    }
    tables[c] = *table;
  }
  return tables;
}

/// Alpha into the table of a function that is made here: `fold_alpha_into_lut` of fold.hpp with a function and its
/// quantization parameters in place of a finished table.
///
/// The table of `make_lut8(f, in, out, how)` is folded with `site`; the TABLE's input is clamped to the range of `in`,
/// so site.function_in is not read.
/// Errors: those of `make_lut8` and of `fold_alpha_into_lut`.
template <certified_function F>
constexpr result<folded_table> fold_alpha_into_lut(alpha_site site, F f, const qparams& in, const qparams& out,
                                                   const lut_options& how = {}) {
  const result<code_range> read = range_in(in, int8_range, place::function_in);
  if (!read) {
    return read.error();
  }
  const result<table8> table = make_lut8(f, in, out, how);
  if (!table) {
    return table.error();
  }
  site.function_in = *read;
  return detail::fold_alpha(site, *table);
}

}  // namespace v0
}  // namespace dytq

#endif
