// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codes: types, ranges, quantization parameters, arithmetic on int32, roundings, sets of codes, lines through codes.
#ifndef DYTQ_CODES_HPP
#define DYTQ_CODES_HPP

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "numbers/integer.hpp"
#include "result.hpp"

namespace dytq {
inline namespace v0 {

/// Closed range of codes.
struct code_range {
  std::int64_t lo = 0;  ///< the least
  std::int64_t hi = 0;  ///< the greatest, itself included

  /// Is v in the range?
  constexpr bool contains(std::int64_t v) const { return v >= lo && v <= hi; }
  /// Is all of r in the range?
  constexpr bool contains(const code_range& r) const { return r.lo >= lo && r.hi <= hi; }
  /// Is it empty?
  constexpr bool empty() const { return lo > hi; }
  /// The nearest value of the range. The range must not be empty.
  constexpr std::int64_t clamp(std::int64_t v) const { return v < lo ? lo : v > hi ? hi : v; }
  /// The intersection; may be empty.
  constexpr code_range meet(const code_range& r) const { return {detail::larger(lo, r.lo), detail::smaller(hi, r.hi)}; }
  /// The smallest range that contains this one and v.
  constexpr code_range extended_to(std::int64_t v) const { return {detail::smaller(lo, v), detail::larger(hi, v)}; }

  friend constexpr bool operator==(const code_range&, const code_range&) = default;
};

/// The rejection of a value outside a range: `expected` is the nearest value of the range. The range must not be empty.
constexpr rejection outside(reason why, place at, const code_range& range, std::int64_t v, std::int64_t code = unset) {
  return {.why = why, .at = at, .code = code, .expected = range.clamp(v), .got = v};
}

namespace detail {

// Is a range not empty, and inside its type? Else `got` is the bound that is wrong: the upper one if it is below the
// lower one.
constexpr verdict validate_range(const code_range& r, const code_range& type, place at) {
  if (r.empty()) {
    return rejection{.why = reason::range_inverted, .at = at, .expected = r.lo, .got = r.hi};
  }
  return type.contains(r) ? verdict(accepted{})
                          : outside(reason::range_inverted, at, type, type.contains(r.lo) ? r.hi : r.lo);
}

}  // namespace detail

/// clamp(v) for any range: range_inverted if lo > hi.
constexpr result<std::int64_t> clamp(std::int64_t v, code_range range) {
  if (range.empty()) {
    return rejection{.why = reason::range_inverted, .expected = range.lo, .got = range.hi};
  }
  return range.clamp(v);
}

/// The tensor types of RESCALE. TOSA stores the unsigned ones in the signed type of the same width.
enum class code_type : std::uint8_t { i8, u8, i16, u16, i32, i48 };

/// The codes of a type; an empty range for one that has no name.
constexpr code_range range_of(code_type t) {
  switch (t) {
    case code_type::i8: return {-128, 127};
    case code_type::u8: return {0, 255};
    case code_type::i16: return {-32768, 32767};
    case code_type::u16: return {0, 65535};
    case code_type::i32: return {detail::int32_min, detail::int32_max};
    case code_type::i48: return {-(std::int64_t{1} << 47), (std::int64_t{1} << 47) - 1};
  }
  return {0, -1};
}

/// The type of a tensor of `bits` bits. Errors: unknown_type: other than 8, 16, 32 or 48 bits; unsigned_wide_type:
/// unsigned with 32 or 48, which RESCALE does not know.
constexpr result<code_type> type_of(int bits, bool is_unsigned) {
  using enum code_type;
  switch (bits) {
    case 8: return is_unsigned ? u8 : i8;
    case 16: return is_unsigned ? u16 : i16;
    case 32:
    case 48:
      if (is_unsigned) {
        return rejection{.why = reason::unsigned_wide_type, .expected = 16, .got = bits};
      }
      return bits == 32 ? i32 : i48;
    default: return rejection{.why = reason::unknown_type, .got = bits};
  }
}

inline constexpr code_range int8_range = range_of(code_type::i8);    ///< [-128, 127]
inline constexpr code_range int16_range = range_of(code_type::i16);  ///< [-2^15, 2^15 - 1]
inline constexpr code_range int32_range = range_of(code_type::i32);  ///< [-2^31, 2^31 - 1]

/// The low 32 bits, as two's complement.
constexpr std::int32_t wrap_int32(std::int64_t v) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(v)); }

/// v as an Int, or code_out_of_range with the limit that was crossed.
template <std::integral Int>
constexpr result<Int> narrow(std::int64_t v) {
  if (detail::fits<Int>(v)) {
    return static_cast<Int>(v);
  }
  return rejection{
      .why = reason::code_out_of_range, .expected = v < 0 ? detail::smallest<Int> : detail::largest<Int>, .got = v};
}

/// TOSA MUL on int32. shift 0: the low 32 bits of the product; shift 1..63: the product rounded half up.
///
/// Errors: shift_out_of_range: shift outside [0, 63]; mul_overflow: a rounded product outside int32.
/// Exactness: exact. Source: TOSA 1.0, MUL.
constexpr result<std::int32_t> mul_int32(std::int32_t a, std::int32_t b, int shift = 0) {
  if (shift < 0 || shift > 63) {
    return rejection{.why = reason::shift_out_of_range, .expected = shift < 0 ? 0 : 63, .got = shift};
  }
  const std::int64_t product = std::int64_t{a} * b;
  if (shift == 0) {
    return wrap_int32(product);
  }
  const std::int64_t rounded = detail::rounding_shift_right(product, shift);
  if (!detail::fits<std::int32_t>(rounded)) {
    return rejection{.why = reason::mul_overflow,
                     .code = a,
                     .expected = rounded < 0 ? detail::int32_min : detail::int32_max,
                     .got = rounded};
  }
  return static_cast<std::int32_t>(rounded);
}

/// TOSA ADD on int32. Errors: add_overflow: a sum outside int32. Source: TOSA 1.0, ADD.
constexpr result<std::int32_t> add_int32(std::int32_t a, std::int32_t b) {
  const std::int64_t sum = std::int64_t{a} + b;
  if (!detail::fits<std::int32_t>(sum)) {
    return rejection{.why = reason::add_overflow,
                     .code = a,
                     .expected = sum < 0 ? detail::int32_min : detail::int32_max,
                     .got = sum};
  }
  return static_cast<std::int32_t>(sum);
}

/// Marks a bound of qparams that is the type's own.
inline constexpr std::int32_t unset_qmin = INT32_MIN;
/// As unset_qmin, for the upper bound.
inline constexpr std::int32_t unset_qmax = INT32_MAX;

/// Affine quantization: real = scale * (code - zero_point), qmin <= code <= qmax.
/// The scale is taken as the exact dyadic rational that its bits denote. Unset bounds mean the full range of the type
/// that the codes are stored in, so that the two markers cannot be bounds themselves.
struct qparams {
  double scale = 1.0;              ///< of one code, real units
  std::int32_t zero_point = 0;     ///< the code that stands for 0
  std::int32_t qmin = unset_qmin;  ///< the least code
  std::int32_t qmax = unset_qmax;  ///< the greatest code
};

/// The bounds of q within `type`, or range_inverted, or zero_point_out_of_range.
constexpr result<code_range> range_in(const qparams& q, code_range type, place at = place::none) {
  const code_range r{q.qmin == unset_qmin ? type.lo : q.qmin, q.qmax == unset_qmax ? type.hi : q.qmax};
  if (const verdict v = detail::validate_range(r, type, at); !v) {
    return v.error();
  }
  if (!type.contains(q.zero_point)) {
    return outside(reason::zero_point_out_of_range, at, type, q.zero_point);
  }
  return r;
}

/// A line through codes: value(code) = first_value + numerator / denominator * (code - first_code), in lowest terms,
/// denominator >= 1.
struct affine_fit {
  std::int64_t numerator = 0;    ///< of the slope
  std::int64_t denominator = 1;  ///< of the slope
  std::int64_t first_code = 0;   ///< the reference
  std::int64_t first_value = 0;  ///< the value there

  /// Is it slope * code + offset with both integers?
  constexpr bool integral() const { return denominator == 1; }
  /// The slope of an integral fit.
  constexpr std::int64_t slope() const { return numerator; }
  /// The value at code 0 of an integral fit.
  constexpr std::int64_t offset() const { return first_value - numerator * first_code; }

  friend constexpr bool operator==(const affine_fit&, const affine_fit&) = default;
};

namespace detail {

/// The line through (code0, value0) and (code1, value1), code0 != code1.
/// Range: differences of codes and of values below 2^31 in magnitude.
constexpr affine_fit line_through(std::int64_t code0, std::int64_t value0, std::int64_t code1, std::int64_t value1) {
  const std::int64_t run = code1 > code0 ? code1 - code0 : code0 - code1;
  const std::int64_t rise = code1 > code0 ? value1 - value0 : value0 - value1;
  const auto divisor =
      static_cast<std::int64_t>(greatest_common_divisor(static_cast<std::uint64_t>(run), magnitude(rise)));
  return {.numerator = rise / divisor, .denominator = run / divisor, .first_code = code0, .first_value = value0};
}

/// Does the point lie on the line? Range: differences from the line's first point below 2^31 in magnitude.
constexpr bool on_line(const affine_fit& line, std::int64_t code, std::int64_t value) {
  return (value - line.first_value) * line.denominator == line.numerator * (code - line.first_code);
}

/// floor of the line's value at a code.
constexpr std::int64_t floor_value(const affine_fit& line, std::int64_t code) {
  return line.first_value + floor_div(line.numerator * (code - line.first_code), line.denominator);
}

}  // namespace detail

/// The rounding of a value half way between two codes.
enum class tie_rule : std::uint8_t {
  to_even,         ///< the even one: IEEE 754, PyTorch and ExecuTorch
  away_from_zero,  ///< the one further from the zero point: TFLite and CMSIS-NN
};

/// How a product is rounded, and on which values. The first three are TOSA's; inexact_round leaves the result to the
/// backend, so nothing here computes it. Shifts are positive to the right in all of them: TFLite's and CMSIS-NN's left
/// shift is 31 - shift.
enum class rounding_mode : std::uint8_t {
  single_round,   ///< half up
  double_round,   ///< half up at bit 31, then half away from zero
  inexact_round,  ///< not defined
  tflite_single,  ///< as single_round, on every value whose result fits int32. CMSIS-NN's single rounding is the same
  tflite_double,  ///< as double_round, on values that fit int32 after the left shift. CMSIS-NN's default is the same
  xnnpack_rndnu,  ///< as single_round; the multiplier is the 24 bits of a float32 scale
  xnnpack_fp32,   ///< the value as a float32, times that scale in float32, half to even
  onnx,           ///< as xnnpack_fp32, for any shift: QLinearConv and QLinearMatMul of ONNX Runtime
  onnx_multiply   ///< QLinearMul of ONNX Runtime: the zero point is added in float32, and then it is rounded half to
                  ///< even
};

/// The least shift of a RESCALE. Source: TOSA 1.0, apply_scale_32.
inline constexpr std::int32_t min_shift = 2;
/// The greatest shift of a RESCALE.
inline constexpr std::int32_t max_shift = 62;

/// A difference in codes, not necessarily an integer: numerator / 2^shift.
struct code_bound {
  std::int64_t numerator = 0;  ///< 0 or more
  std::int32_t shift = 0;      ///< in [0, 62]

  /// floor(numerator / 2^shift).
  constexpr std::int64_t round_down() const { return numerator >> shift; }
  /// ceil(numerator / 2^shift): outputs rounded half up differ by no more.
  constexpr std::int64_t round_up() const { return round_down() + (fraction() != 0 ? 1 : 0); }

  /// Is a less than b?
  friend constexpr bool operator<(const code_bound& a, const code_bound& b) {
    return a.round_down() != b.round_down() ? a.round_down() < b.round_down()
                                            : a.fraction() << (62 - a.shift) < b.fraction() << (62 - b.shift);
  }
  /// Are the values equal, whatever the shifts?
  friend constexpr bool operator==(const code_bound& a, const code_bound& b) { return !(a < b) && !(b < a); }

 private:
  constexpr std::int64_t fraction() const { return numerator & ((std::int64_t{1} << shift) - 1); }
};

namespace detail {

// v / 2^shift codes for a wide integer (int192), v >= 0 and shift >= 0, rounded up or down if it has more than 62 bits.
// Beyond 2^62: nothing.
template <class Wide>
constexpr result<code_bound> bound_of(const Wide& v, int shift, bool up) {
  int drop = v.bits() > 61 ? v.bits() - 61 : 0;
  drop = shift - drop > 62 ? shift - 62 : drop;
  if (drop > shift) {
    return rejection{.why = reason::accumulator_overflow, .at = place::output};
  }
  auto n = static_cast<std::int64_t>(v.bits_from(drop));
  n += up && !((Wide(n) << drop) == v) ? 1 : 0;
  int s = shift - drop;
  const int twos = n == 0 ? s : std::countr_zero(static_cast<std::uint64_t>(n));
  const int common = twos < s ? twos : s;
  return code_bound{n >> common, s - common};
}

}  // namespace detail

/// A set of int8 codes.
class code_set {
 public:
  constexpr code_set() = default;
  /// Every int8 code.
  static constexpr code_set all() {
    code_set s;
    s.bits_ = {~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};
    return s;
  }
  /// Adds a code.
  constexpr void insert(std::int8_t code) { bits_[word_of(code)] |= bit_of(code); }
  /// Is the code in the set?
  constexpr bool contains(std::int8_t code) const { return (bits_[word_of(code)] & bit_of(code)) != 0; }
  /// How many codes are in it.
  constexpr int size() const {
    int n = 0;
    for (std::uint64_t part : bits_) {
      for (; part != 0; part &= part - 1) {
        ++n;
      }
    }
    return n;
  }

  friend constexpr bool operator==(const code_set&, const code_set&) = default;

 private:
  static constexpr std::size_t word_of(std::int8_t code) { return static_cast<std::size_t>(code + 128) >> 6; }
  static constexpr std::uint64_t bit_of(std::int8_t code) {
    return std::uint64_t{1} << (static_cast<unsigned>(code + 128) & 63u);
  }

  std::array<std::uint64_t, 4> bits_{};
};

namespace detail {

/// The codes of a set in increasing order.
struct code_list {
  std::array<std::int8_t, 256> codes{};  ///< the first `size` of them
  int size = 0;                          ///< how many there are

  /// The codes of `set`.
  constexpr explicit code_list(const code_set& set) {
    for (int c = -128; c < 128; ++c) {
      if (set.contains(static_cast<std::int8_t>(c))) {
        codes[static_cast<std::size_t>(size++)] = static_cast<std::int8_t>(c);
      }
    }
  }
  /// The i-th smallest, 0 <= i < size; unchecked.
  constexpr int operator[](int i) const { return codes[static_cast<std::size_t>(i)]; }
  /// The smallest; the list must not be empty.
  constexpr int front() const { return codes[0]; }
  /// The largest; the list must not be empty.
  constexpr int back() const { return codes[static_cast<std::size_t>(size - 1)]; }
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
