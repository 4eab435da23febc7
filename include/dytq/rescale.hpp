// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE, to the bit of TOSA 1.0: the operator over every legal pair of types, one value or a tensor.
#ifndef DYTQ_RESCALE_HPP
#define DYTQ_RESCALE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/apply_scale.hpp"
#include "rescale_step.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// Everything of a RESCALE operator but its multipliers, shifts and tensors.
struct rescale_operator {
  code_type in = code_type::i8;   ///< type of the input
  code_type out = code_type::i8;  ///< type of the output
  std::int64_t input_zp = 0;      ///< subtracted before the scale
  std::int64_t output_zp = 0;     ///< added behind it
  bool scale32 = true;            ///< multipliers of 32 bits; else of 16
  /// DOUBLE_ROUND needs scale32.
  rounding_mode rounding = rounding_mode::single_round;
  bool per_channel = false;  ///< one multiplier and shift for each entry of the last dimension
};

namespace detail {

constexpr bool is_unsigned(code_type t) { return t == code_type::u8 || t == code_type::u16; }

constexpr verdict validate_zero_point(code_type t, std::int64_t zero_point, place at) {
  if (t == code_type::i8 || t == code_type::u8) {
    if (const code_range r = range_of(t); !r.contains(zero_point)) {
      return rejection{.why = reason::zero_point_out_of_range,
                       .at = at,
                       .expected = zero_point < r.lo ? r.lo : r.hi,
                       .got = zero_point};
    }
  } else if (zero_point != 0 && !(t == code_type::u16 && zero_point == 32768)) {
    return rejection{.why = reason::zero_point_not_zero, .at = at, .expected = 0, .got = zero_point};
  }
  return accepted{};
}

}  // namespace detail

/// Is the operator one that TOSA defines?
///
/// Errors: unknown_type; inexact_round; unknown_rounding_mode; scale32_with_int48; double_round_without_scale32;
///   both_unsigned; unsigned_with_int32; int48_to_unsigned; zero_point_not_zero: not 0 with int16, int32 or int48,
///   neither 0 nor 32768 with uint16; zero_point_out_of_range.
/// Source: TOSA 1.0, RESCALE (ERROR_IF).
constexpr verdict validate(const rescale_operator& op) {
  using enum code_type;
  if (range_of(op.in).empty() || range_of(op.out).empty() || op.out == i48) {
    return rejection{.why = reason::unknown_type, .at = range_of(op.in).empty() ? place::input : place::output};
  }
  if (const verdict v = detail::validate_rounding(op.rounding, place::none); !v) {
    return v;
  }
  if (op.scale32 && op.in == i48) {
    return reason::scale32_with_int48;
  }
  if (!op.scale32 && op.rounding == rounding_mode::double_round) {
    return reason::double_round_without_scale32;
  }
  const bool in_unsigned = detail::is_unsigned(op.in);
  const bool out_unsigned = detail::is_unsigned(op.out);
  if (in_unsigned && out_unsigned) {
    return reason::both_unsigned;
  }
  if ((in_unsigned && op.out == i32) || (out_unsigned && op.in == i32)) {
    return reason::unsigned_with_int32;
  }
  if (op.in == i48 && out_unsigned) {
    return reason::int48_to_unsigned;
  }
  if (const verdict v = detail::validate_zero_point(op.in, op.input_zp, place::input); !v) {
    return v;
  }
  return detail::validate_zero_point(op.out, op.output_zp, place::output);
}

namespace detail {

// The operator, validated, with the ranges of its types.
constexpr result<std::int32_t> apply_valid(const rescale_operator& op, code_range in, code_range out,
                                           std::int64_t value, std::int64_t multiplier, std::int64_t shift) {
  if (!in.contains(value)) {
    return rejection{
        .why = reason::code_out_of_range, .at = place::input, .expected = value < in.lo ? in.lo : in.hi, .got = value};
  }
  const std::int64_t centered = value - op.input_zp;
  const result<std::int32_t> scaled = op.scale32 ? apply_scale_32(centered, multiplier, shift, op.rounding)
                                                 : apply_scale_16(centered, multiplier, shift);
  if (!scaled) {
    return scaled.error();
  }
  const std::int64_t sum = *scaled + op.output_zp;
  if (!fits<std::int32_t>(sum)) {
    return rejection{.why = reason::value_exceeds_int32,
                     .at = place::output,
                     .code = value,
                     .expected = int32_range.clamp(sum),
                     .got = sum};
  }
  return static_cast<std::int32_t>(out.clamp(sum));
}

}  // namespace detail

/// RESCALE of one value.
///
/// Formula: clamp_out(apply_scale(value - input_zp) + output_zp); unsigned codes are unsigned numbers. A negative sum
///   becomes 0 with an unsigned output, as in the reference model.
/// Errors: those of `validate` and of apply_scale_32 or apply_scale_16; code_out_of_range: value outside the input
/// type. Exactness: exact. Source: TOSA 1.0, RESCALE.
constexpr result<std::int32_t> apply(const rescale_operator& op, std::int64_t value, std::int64_t multiplier,
                                     std::int64_t shift) {
  if (const verdict v = validate(op); !v) {
    return v.error();
  }
  return detail::apply_valid(op, range_of(op.in), range_of(op.out), value, multiplier, shift);
}

/// RESCALE of a tensor. Element types are any integers wide enough for the codes.
///
/// Shape: input and output alike; multiplier and shift: 1 entry, or with per_channel one for each entry of the last
///   dimension.
/// Errors: those of `apply` and of the views; shape_mismatch; per_channel_count; overlapping_views; code_out_of_range:
///   the output elements cannot hold the output type. The output is written only if every element has a result.
template <class In, class Out, std::size_t Rank>
requires(std::integral<std::remove_const_t<In>>&& std::integral<Out>) constexpr verdict
    apply(const rescale_operator& op, const view<In, Rank>& input, const view<const std::int32_t>& multiplier,
          const view<const std::int32_t>& shift, const view<Out, Rank>& output) {
  if (const verdict v = validate(op); !v) {
    return v;
  }
  if (const verdict v = validate_arguments({output.occupies(place::output)},
                                           {input.occupies(place::input), multiplier.occupies(), shift.occupies()});
      !v) {
    return v;
  }
  if (!same_extents(input, output)) {
    return rejection{.why = reason::shape_mismatch, .at = place::output};
  }
  const std::int64_t count = op.per_channel ? input.extent(Rank - 1) : 1;
  if (multiplier.extent(0) != count || shift.extent(0) != count) {
    return rejection{.why = reason::per_channel_count,
                     .expected = count,
                     .got = multiplier.extent(0) != count ? multiplier.extent(0) : shift.extent(0)};
  }
  const code_range in = range_of(op.in);
  const code_range out = range_of(op.out);
  if (!fits<Out>(out.lo) || !fits<Out>(out.hi)) {
    return rejection{.why = reason::code_out_of_range, .at = place::output, .expected = out.lo, .got = out.hi};
  }
  const std::int64_t size = input.empty() ? 0 : input.size();
  for (const bool writing : {false, true}) {
    std::array<std::int64_t, Rank> index{};
    for (std::int64_t n = 0; n < size; ++n) {
      const std::int64_t channel = index[Rank - 1];
      const std::int64_t c = op.per_channel ? channel : 0;
      const result<std::int32_t> code =
          detail::apply_valid(op, in, out, saturate_int64(input.data[input.offset(index)]), multiplier(c), shift(c));
      if (!code) {
        rejection why = code.error();
        why.channel = channel;
        return why;
      }
      if (writing) {
        output.data[output.offset(index)] = static_cast<Out>(*code);
      }
      for (std::size_t r = Rank; r-- > 0 && ++index[r] == input.extents[r];) {
        index[r] = 0;
      }
    }
  }
  return accepted{};
}

}  // namespace v0
}  // namespace dytq

#endif
