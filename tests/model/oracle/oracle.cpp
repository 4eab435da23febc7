// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace oracle {

// ------------------------------------------------------------------------------------------------ integers, rationals
wide floor_div(wide a, wide b) {
  wide q = a / b;
  if (q * b != a && ((a < 0) != (b < 0)))
    q -= 1;
  return q;
}

wide greatest_common_divisor(wide a, wide b) {
  if (a < 0)
    a = -a;
  if (b < 0)
    b = -b;
  while (b != 0) {
    const wide r = a % b;
    a = b;
    b = r;
  }
  return a;
}

integer wrap32(wide v) {
  const wide modulus = wide(1) << 32;
  wide r = v - floor_div(v, modulus) * modulus;  // 0 ... 2^32 - 1
  if (r >= modulus / 2)
    r -= modulus;
  return static_cast<integer>(r);
}

bool fits(wide v, integer lo, integer hi) { return wide(lo) <= v && v <= wide(hi); }
bool fits_i32(wide v) { return fits(v, i32_min, i32_max); }
bool fits_i8(wide v) { return fits(v, -128, 127); }

std::string text(wide v) {
  if (v < 0)
    return "-" + text(-v);
  if (v < 10)
    return std::string(1, static_cast<char>('0' + static_cast<int>(v)));
  return text(v / 10) + text(v % 10);
}

rational::rational(wide n, wide d) : num(n), den(d) {
  if (den < 0) {
    num = -num;
    den = -den;
  }
  const wide g = greatest_common_divisor(num, den);
  if (g > 1) {
    num /= g;
    den /= g;
  }
}
rational operator+(const rational& a, const rational& b) { return {a.num * b.den + b.num * a.den, a.den * b.den}; }
rational operator-(const rational& a, const rational& b) { return {a.num * b.den - b.num * a.den, a.den * b.den}; }
rational operator*(const rational& a, const rational& b) { return {a.num * b.num, a.den * b.den}; }
rational operator/(const rational& a, const rational& b) { return {a.num * b.den, a.den * b.num}; }

namespace {

wide power_of_two(integer n) { return wide(1) << n; }

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return word == w; });
}

struct bounds {
  integer lo;
  integer hi;
};
bounds range_of(const std::string& type, bool is_unsigned) {
  const integer bits = type == "i8" ? 8 : type == "i16" ? 16 : type == "i32" ? 32 : 48;
  if (is_unsigned)
    return {0, (integer(1) << bits) - 1};
  return {-(integer(1) << (bits - 1)), (integer(1) << (bits - 1)) - 1};
}

integer clamp_to(integer v, bounds b) { return v < b.lo ? b.lo : v > b.hi ? b.hi : v; }

integers spread(const integers& v, std::size_t n) { return v.size() == 1 ? integers(n, v[0]) : v; }

std::size_t at(integer i) { return static_cast<std::size_t>(i); }

}  // namespace

// ------------------------------------------------------------------------------------------------ scalar operators
outcome<multiplier_and_shift> multiplier_shift(double scale, int width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &scale, sizeof bits);
  const bool negative = (bits >> 63) != 0;
  const int exponent_field = static_cast<int>((bits >> 52) & 2047);
  const std::uint64_t fraction = bits & ((std::uint64_t(1) << 52) - 1);
  if (exponent_field == 2047)
    return refusal{"bad_scale", "infinite or not a number"};
  // scale = m * 2^e exactly
  wide m = exponent_field == 0 ? wide(fraction) : wide(fraction) + power_of_two(52);
  integer e = exponent_field == 0 ? -1074 : exponent_field - 1075;
  const integer offset = width == 32 ? 31 : 15;
  if (m == 0)
    return multiplier_and_shift{0, offset};
  if (negative)
    return refusal{"bad_scale", "negative"};
  // Move to m * 2^e with 2^offset <= m < 2^(offset + 1), then halve: doubling is exact, halving keeps what falls off.
  while (m < power_of_two(80)) {
    m *= 2;
    e -= 1;
  }
  // Now 2^80 <= m < 2^81. The mantissa in [1/2, 1) is m / 2^81, the wanted multiplier m / 2^(81 - offset).
  const wide unit = power_of_two(81 - offset);
  const wide below = m / unit;
  const wide rest = m % unit;
  wide multiplier = below;
  if (2 * rest > unit || (2 * rest == unit && below % 2 != 0))
    multiplier += 1;
  integer shift = -(e + 81 - offset);  // scale ~ multiplier * 2^-shift
  if (multiplier == power_of_two(offset)) {
    multiplier = power_of_two(offset - 1);
    shift -= 1;
  }
  for (integer dropped = 0; shift > 62; --shift) {
    if (dropped < 31)
      multiplier = multiplier / 2;
    dropped += 1;
  }
  if (shift < 2)
    return refusal{"bad_scale", "shift below 2"};
  return multiplier_and_shift{static_cast<integer>(multiplier), shift};
}

outcome<integer> apply_scale_32(integer value, integer multiplier, integer shift, bool double_round) {
  if (!fits(multiplier, 0, i32_max))
    return refusal{"unpredictable", "multiplier"};
  if (!fits(shift, 2, 62))
    return refusal{"unpredictable", "shift"};
  if (wide(value) >= power_of_two(shift - 1) || wide(value) < -power_of_two(shift - 1)) {
    return refusal{"unpredictable", "value"};
  }
  wide sum = wide(value) * wide(multiplier) + power_of_two(shift - 1);
  if (double_round && shift > 31)
    sum += value < 0 ? -power_of_two(30) : power_of_two(30);
  return static_cast<integer>(floor_div(sum, power_of_two(shift)));
}

outcome<integer> apply_scale_16(integer value, integer multiplier, integer shift) {
  if (!fits(multiplier, 0, 32767))
    return refusal{"unpredictable", "multiplier"};
  if (!fits(shift, 2, 62))
    return refusal{"unpredictable", "shift"};
  if (wide(value) >= power_of_two(47) || wide(value) < -power_of_two(47))
    return refusal{"unpredictable", "value"};
  const wide result = floor_div(wide(value) * wide(multiplier) + power_of_two(shift - 1), power_of_two(shift));
  if (!fits_i32(result))
    return refusal{"unpredictable", "result"};
  return static_cast<integer>(result);
}

std::string rescale_error(const rescale_op& op) {
  const std::string error = "error";
  if (!is_one_of(op.in_t, {"i8", "i16", "i32", "i48"}))
    return error;
  if (!is_one_of(op.out_t, {"i8", "i16", "i32"}))
    return error;
  if (!is_one_of(op.rounding_mode, {"SINGLE_ROUND", "DOUBLE_ROUND"}))
    return error;
  if (op.scale32 && op.in_t == "i48")
    return error;
  if (!op.scale32 && op.rounding_mode == "DOUBLE_ROUND")
    return error;
  if (op.input_unsigned && op.output_unsigned)
    return error;
  if (op.input_unsigned && is_one_of(op.in_t, {"i32", "i48"}))
    return error;
  if (op.output_unsigned && op.out_t == "i32")
    return error;
  if (op.input_unsigned && op.out_t == "i32")
    return error;
  if (op.output_unsigned && is_one_of(op.in_t, {"i32", "i48"}))
    return error;
  const auto legal_zero_point = [](const std::string& type, bool is_unsigned, integer zp) {
    if (zp == 0)
      return true;
    if (type == "i8")
      return is_unsigned ? fits(zp, 0, 255) : fits_i8(zp);
    return type == "i16" && is_unsigned && zp == 32768;
  };
  if (!legal_zero_point(op.in_t, op.input_unsigned, op.input_zp))
    return error;
  if (!legal_zero_point(op.out_t, op.output_unsigned, op.output_zp))
    return error;
  if (op.per_channel && op.shape.empty())
    return error;
  const std::size_t wanted = op.per_channel ? at(op.shape.back()) : 1;
  if (op.multiplier.size() != wanted || op.shift.size() != wanted)
    return error;
  return "";
}

outcome<integers> rescale(const rescale_op& op, const integers& values) {
  const std::string error = rescale_error(op);
  if (!error.empty())
    return refusal{error};
  const bounds in = range_of(op.in_t, op.input_unsigned);
  const bounds out = range_of(op.out_t, op.output_unsigned);
  integers result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!fits(values[i], in.lo, in.hi))
      return refusal{"error", "a value outside the input type"};
    const std::size_t channel = op.per_channel ? i % at(op.shape.back()) : 0;
    const integer centered = values[i] - op.input_zp;
    const outcome<integer> scaled =
        op.scale32 ? apply_scale_32(centered, op.multiplier[channel], op.shift[channel], op.rounding_mode[0] == 'D')
                   : apply_scale_16(centered, op.multiplier[channel], op.shift[channel]);
    if (!scaled)
      return scaled.rejection();
    const integer moved = *scaled + op.output_zp;
    if (!fits_i32(moved))
      return refusal{"unpredictable", "output zero point"};
    result.push_back(clamp_to(moved, out));
  }
  return result;
}

outcome<integer> mul(const std::string& in_t, integer a, integer b, integer shift) {
  if (!is_one_of(in_t, {"i8", "i16", "i32"}))
    return refusal{"error"};
  const bounds in = range_of(in_t, false);
  if (!fits(a, in.lo, in.hi) || !fits(b, in.lo, in.hi))
    return refusal{"error"};
  if (!fits(shift, 0, in_t == "i32" ? 63 : 0))
    return refusal{"error"};
  const wide product = wide(a) * wide(b);
  if (shift == 0)
    return wrap32(product);
  const wide result = floor_div(product + power_of_two(shift - 1), power_of_two(shift));
  if (!fits_i32(result))
    return refusal{"unpredictable"};
  return static_cast<integer>(result);
}

outcome<integer> add(integer a, integer b) {
  const wide sum = wide(a) + wide(b);
  if (!fits_i32(sum))
    return refusal{"unpredictable"};
  return static_cast<integer>(sum);
}

outcome<integers> table_8(const integers& table, const integers& values) {
  if (table.size() != 256)
    return refusal{"error"};
  integers result;
  for (const integer v : values) {
    if (!fits_i8(v))
      return refusal{"error"};
    result.push_back(table[at(v + 128)]);
  }
  return result;
}

outcome<integers> table_16(const integers& table, const integers& values) {
  if (table.size() != 513)
    return refusal{"error"};
  integers result;
  for (const integer v : values) {
    if (!fits(v, -32768, 32767))
      return refusal{"error"};
    const integer index = (v + 32768) / 128;
    const integer fraction = (v + 32768) % 128;
    const integer slope = table[at(index + 1)] - table[at(index)];
    if (!fits(slope, -32768, 32767))
      return refusal{"unpredictable", "slope"};
    result.push_back(table[at(index)] * 128 + slope * fraction);
  }
  return result;
}

// ------------------------------------------------------------------------------------------------ affine maps, fits
outcome<line> fit_affine(const integers& codes, const integers& values) {
  if (codes.empty() || codes.size() != values.size())
    return refusal{"error"};
  const std::size_t n = codes.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (codes[i] == codes[j] && values[i] != values[j])
        return refusal{"contradiction"};
    }
  }
  // Every pair of differences from pair 0 is proportional. A pair with another code than pair 0 fixes the slope.
  std::size_t other = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (codes[i] != codes[0])
      other = i;
    for (std::size_t j = 0; j < n; ++j) {
      const wide left = wide(values[i] - values[0]) * wide(codes[j] - codes[0]);
      const wide right = wide(values[j] - values[0]) * wide(codes[i] - codes[0]);
      if (left != right)
        return refusal{"not_affine"};
    }
  }
  line answer;
  answer.code0 = codes[0];
  answer.value0 = values[0];
  if (other != 0)
    answer.slope = rational(values[other] - values[0], codes[other] - codes[0]);
  return answer;
}

namespace {

// RESCALE of one code with a multiplier and shift put into `op`, without any check but the shift's legal range.
std::optional<integer> rescale_with(const rescale_op& op, integer code, integer multiplier, integer shift) {
  const outcome<integer> scaled =
      apply_scale_32(code - op.input_zp, multiplier, shift, op.rounding_mode == "DOUBLE_ROUND");
  if (!scaled)
    return std::nullopt;
  const integer moved = *scaled + op.output_zp;
  if (!fits_i32(moved))
    return std::nullopt;
  return clamp_to(moved, range_of(op.out_t, op.output_unsigned));
}

std::string fit_question_error(const rescale_op& op, const integers& codes, const integers& values) {
  if (!is_one_of(op.in_t, {"i8", "i16"}) || !op.scale32 || op.per_channel || !rescale_error(op).empty())
    return "error";
  if (codes.empty() || codes.size() != values.size())
    return "error";
  const bounds in = range_of(op.in_t, op.input_unsigned);
  const bounds out = range_of(op.out_t, op.output_unsigned);
  for (const integer c : codes) {
    if (!fits(c, in.lo, in.hi))
      return "error";
  }
  std::map<integer, integer> wanted;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (wanted.count(codes[i]) != 0 && wanted[codes[i]] != values[i])
      return "contradiction";
    wanted[codes[i]] = values[i];
  }
  for (const integer v : values) {
    if (!fits(v, out.lo, out.hi))
      return "no_rescale";
  }
  return "";
}

}  // namespace

std::optional<std::pair<integer, integer>> fit_interval(const rescale_op& op, const integers& codes,
                                                        const integers& values, integer shift, integer multiplier_max) {
  integer lo = 0;
  integer hi = multiplier_max;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!rescale_with(op, codes[i], 0, shift))
      return std::nullopt;
    const bool rising = codes[i] >= op.input_zp;
    // The code is monotone in the multiplier: -1 below the wanted code, 0 at it, +1 above, in the rising direction.
    const auto side = [&](integer m) {
      const integer got = *rescale_with(op, codes[i], m, shift);
      const int s = got < values[i] ? -1 : got > values[i] ? 1 : 0;
      return rising ? s : -s;
    };
    integer first = lo;  // first multiplier in [lo, hi + 1] that is not below
    for (integer end = hi + 1; first < end;) {
      const integer middle = first + (end - first) / 2;
      if (side(middle) < 0) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    integer last = first;  // first multiplier in [first, hi + 1] that is above
    for (integer end = hi + 1; last < end;) {
      const integer middle = last + (end - last) / 2;
      if (side(middle) <= 0) {
        last = middle + 1;
      } else {
        end = middle;
      }
    }
    if (first >= last)
      return std::nullopt;
    lo = first;
    hi = last - 1;
  }
  return std::make_pair(lo, hi);
}

outcome<multiplier_and_shift> fit_rescale(const rescale_op& op, const integers& codes, const integers& values) {
  const std::string why = fit_question_error(op, codes, values);
  if (!why.empty())
    return refusal{why};
  for (integer shift = 62; shift >= 2; --shift) {
    const auto interval = fit_interval(op, codes, values, shift, i32_max);
    if (interval)
      return multiplier_and_shift{interval->first, shift};
  }
  return refusal{"no_rescale"};
}

outcome<multiplier_and_shift> fit_rescale_by_trial(const rescale_op& op, const integers& codes, const integers& values,
                                                   integer multiplier_max) {
  const std::string why = fit_question_error(op, codes, values);
  if (!why.empty())
    return refusal{why};
  for (integer shift = 62; shift >= 2; --shift) {
    for (integer m = 0; m <= multiplier_max; ++m) {
      bool all = true;
      for (std::size_t i = 0; i < codes.size() && all; ++i) {
        all = rescale_with(op, codes[i], m, shift) == std::optional<integer>(values[i]);
      }
      if (all)
        return multiplier_and_shift{m, shift};
    }
  }
  return refusal{"no_rescale"};
}

// ------------------------------------------------------------------------------------------------ convolutions
namespace {

wide product_of(const integers& v) {
  wide p = 1;
  for (const integer e : v)
    p *= e;
  return p;
}

// Calls f(index) for every multi-index below `extents`, the last axis fastest.
template <class F>
void for_each_index(const integers& extents, F f) {
  for (const integer e : extents) {
    if (e < 1)
      return;
  }
  integers index(extents.size(), 0);
  for (;;) {
    f(index);
    std::size_t axis = extents.size();
    while (axis > 0) {
      --axis;
      index[axis] += 1;
      if (index[axis] < extents[axis])
        break;
      index[axis] = 0;
      if (axis == 0)
        return;
    }
    if (extents.empty())
      return;
  }
}

std::size_t flat(const integers& extents, const integers& index) {
  wide k = 0;
  for (std::size_t i = 0; i < extents.size(); ++i)
    k = k * extents[i] + index[i];
  return static_cast<std::size_t>(k);
}

bool common_conv_error(const conv_args& a, integer out_channels) {
  for (const integers* s : {&a.input_shape, &a.weight_shape, &a.output_shape}) {
    for (const integer e : *s) {
      if (e < 1)
        return true;
    }
  }
  const auto one_or = [&](const integers& v) { return v.size() == 1 || wide(v.size()) == wide(out_channels); };
  if (!one_or(a.bias) || !one_or(a.weight_zp))
    return true;
  if (wide(a.input.size()) != product_of(a.input_shape) || wide(a.weight.size()) != product_of(a.weight_shape)) {
    return true;
  }
  if (a.input_shape[0] != a.output_shape[0] || a.output_shape.back() != out_channels)
    return true;
  if (!fits_i8(a.input_zp))
    return true;
  for (const integer z : a.weight_zp) {
    if (!fits_i8(z))
      return true;
  }
  return false;
}

// Output extent of one axis of a convolution, or nothing where TOSA says error.
std::optional<integer> output_extent(integer n, integer kernel, integer stride, integer dilation, integer before,
                                     integer after) {
  if (n < 1 || kernel < 1 || stride < 1 || dilation < 1 || before < 0 || after < 0)
    return std::nullopt;
  const integer last = n - 1 + before + after - (kernel - 1) * dilation;
  if (last < 0 || last % stride != 0)
    return std::nullopt;
  return last / stride + 1;
}

std::optional<integer> transposed_extent(integer n, integer kernel, integer stride, integer before, integer after) {
  if (n < 1 || kernel < 1 || stride < 1 || before <= -kernel || after <= -kernel)
    return std::nullopt;
  const integer extent = (n - 1) * stride + before + after + kernel;
  if (extent < 1)
    return std::nullopt;
  return extent;
}

}  // namespace

outcome<integers> convolve(const conv_args& a) {
  if (a.input_shape.size() < 3 || a.weight_shape.size() != a.input_shape.size() ||
      a.output_shape.size() != a.input_shape.size()) {
    return refusal{"error"};
  }
  const std::size_t rank = a.input_shape.size() - 2;
  if (a.pad.size() != 2 * rank || a.stride.size() != rank || a.dilation.size() != rank)
    return refusal{"error"};
  const integer out_channels = a.weight_shape[0];
  if (common_conv_error(a, out_channels))
    return refusal{"error"};
  const integer in_channels = a.input_shape.back();
  const integer per_group = a.weight_shape.back();
  if (a.groups < 1 || out_channels % a.groups != 0 || per_group * a.groups != in_channels)
    return refusal{"error"};
  for (std::size_t d = 0; d < rank; ++d) {
    const auto extent = output_extent(a.input_shape[d + 1], a.weight_shape[d + 1], a.stride[d], a.dilation[d],
                                      a.pad[2 * d], a.pad[2 * d + 1]);
    if (!extent || *extent != a.output_shape[d + 1])
      return refusal{"error"};
  }
  const integers bias = spread(a.bias, at(out_channels));
  const integers weight_zp = spread(a.weight_zp, at(out_channels));
  integers kernel(a.weight_shape.begin() + 1, a.weight_shape.end());  // kernel ..., channel in its group
  integers result;
  bool overflow = false;
  for_each_index(a.output_shape, [&](const integers& out) {
    const integer o = out.back();
    const integer group = o / (out_channels / a.groups);
    wide sum = 0;
    for_each_index(kernel, [&](const integers& tap) {
      integers where = {out[0]};
      for (std::size_t d = 0; d < rank; ++d) {
        where.push_back(out[d + 1] * a.stride[d] - a.pad[2 * d] + tap[d] * a.dilation[d]);
        if (where.back() < 0 || where.back() >= a.input_shape[d + 1])
          return;
      }
      where.push_back(group * per_group + tap[rank]);
      integers which = {o};
      which.insert(which.end(), tap.begin(), tap.end());
      sum += wide(a.input[flat(a.input_shape, where)] - a.input_zp) *
             wide(a.weight[flat(a.weight_shape, which)] - weight_zp[at(o)]);
      overflow = overflow || !fits_i32(sum);
    });
    sum += bias[at(o)];
    overflow = overflow || !fits_i32(sum);
    result.push_back(static_cast<integer>(sum));
  });
  if (overflow)
    return refusal{"unpredictable"};
  return result;
}

outcome<integers> depthwise(const conv_args& a) {
  if (a.input_shape.size() != 4 || a.weight_shape.size() != 4 || a.output_shape.size() != 4 || a.pad.size() != 4 ||
      a.stride.size() != 2 || a.dilation.size() != 2) {
    return refusal{"error"};
  }
  const integer kh = a.weight_shape[0], kw = a.weight_shape[1], channels = a.weight_shape[2], m = a.weight_shape[3];
  if (common_conv_error(a, channels * m) || a.input_shape[3] != channels)
    return refusal{"error"};
  const integer h = a.input_shape[1], w = a.input_shape[2];
  const auto oh = output_extent(h, kh, a.stride[0], a.dilation[0], a.pad[0], a.pad[1]);
  const auto ow = output_extent(w, kw, a.stride[1], a.dilation[1], a.pad[2], a.pad[3]);
  if (!oh || !ow || *oh != a.output_shape[1] || *ow != a.output_shape[2])
    return refusal{"error"};
  const integers bias = spread(a.bias, at(channels * m));
  const integers weight_zp = spread(a.weight_zp, at(channels * m));
  integers result;
  for (integer n = 0; n < a.input_shape[0]; ++n) {
    for (integer oy = 0; oy < *oh; ++oy) {
      for (integer ox = 0; ox < *ow; ++ox) {
        for (integer c = 0; c < channels; ++c) {
          for (integer k = 0; k < m; ++k) {
            wide sum = 0;
            for (integer ky = 0; ky < kh; ++ky) {
              for (integer kx = 0; kx < kw; ++kx) {
                const integer y = oy * a.stride[0] - a.pad[0] + ky * a.dilation[0];
                const integer x = ox * a.stride[1] - a.pad[2] + kx * a.dilation[1];
                if (y < 0 || y >= h || x < 0 || x >= w)
                  continue;
                sum += wide(a.input[at(((n * h + y) * w + x) * channels + c)] - a.input_zp) *
                       wide(a.weight[at(((ky * kw + kx) * channels + c) * m + k)] - weight_zp[at(c * m + k)]);
              }
            }
            sum += bias[at(c * m + k)];
            if (!fits_i32(sum))
              return refusal{"unpredictable"};
            result.push_back(static_cast<integer>(sum));
          }
        }
      }
    }
  }
  return result;
}

outcome<integers> transposed(const conv_args& a) {
  if (a.input_shape.size() != 4 || a.weight_shape.size() != 4 || a.output_shape.size() != 4 || a.pad.size() != 4 ||
      a.stride.size() != 2) {
    return refusal{"error"};
  }
  const integer oc = a.weight_shape[0], kh = a.weight_shape[1], kw = a.weight_shape[2], ic = a.weight_shape[3];
  if (common_conv_error(a, oc) || a.input_shape[3] != ic)
    return refusal{"error"};
  const integer h = a.input_shape[1], w = a.input_shape[2];
  const auto oh = transposed_extent(h, kh, a.stride[0], a.pad[0], a.pad[1]);
  const auto ow = transposed_extent(w, kw, a.stride[1], a.pad[2], a.pad[3]);
  if (!oh || !ow || *oh != a.output_shape[1] || *ow != a.output_shape[2])
    return refusal{"error"};
  const integers bias = spread(a.bias, at(oc));
  const integers weight_zp = spread(a.weight_zp, at(oc));
  std::vector<wide> sums;
  for (wide i = 0; i < product_of(a.output_shape); ++i)
    sums.push_back(bias[static_cast<std::size_t>(i) % at(oc)]);
  for (integer n = 0; n < a.input_shape[0]; ++n) {
    for (integer y = 0; y < h; ++y) {
      for (integer x = 0; x < w; ++x) {
        for (integer o = 0; o < oc; ++o) {
          for (integer ky = 0; ky < kh; ++ky) {
            for (integer kx = 0; kx < kw; ++kx) {
              const integer oy = y * a.stride[0] + a.pad[0] + ky;
              const integer ox = x * a.stride[1] + a.pad[2] + kx;
              if (oy < 0 || oy >= *oh || ox < 0 || ox >= *ow)
                continue;
              for (integer i = 0; i < ic; ++i) {
                sums[at(((n * *oh + oy) * *ow + ox) * oc + o)] +=
                    wide(a.input[at(((n * h + y) * w + x) * ic + i)] - a.input_zp) *
                    wide(a.weight[at(((o * kh + ky) * kw + kx) * ic + i)] - weight_zp[at(o)]);
              }
            }
          }
        }
      }
    }
  }
  integers result;
  for (const wide s : sums) {
    if (!fits_i32(s))
      return refusal{"unpredictable"};
    result.push_back(static_cast<integer>(s));
  }
  return result;
}

// ------------------------------------------------------------------------------------------------ sites
outcome<integer> apply(const stage& s, integer value) {
  const outcome<integer> scaled = apply_scale_32(value - s.input_zp, s.multiplier, s.shift, s.double_round);
  if (!scaled)
    return scaled;
  const integer moved = *scaled + s.output_zp;
  if (!fits_i32(moved))
    return refusal{"unpredictable", "output zero point"};
  return s.to_i8 ? clamp_to(moved, {-128, 127}) : moved;
}

integer channel_count(const site& s) {
  if (s.gamma && s.beta && s.gamma->size() != s.beta->size())
    return 0;
  if (s.gamma)
    return static_cast<integer>(s.gamma->size());
  if (s.beta)
    return static_cast<integer>(s.beta->size());
  return s.conv.in_channels_per_group * s.conv.groups;
}

outcome<integer> gamma_step(const site& s, std::size_t channel, integer code) {
  if (!s.gamma)
    return code;
  const auto gamma32 = apply(s.r_gamma, (*s.gamma)[channel]);
  if (!gamma32)
    return gamma32;
  const auto code32 = apply(s.r_table, code);
  if (!code32)
    return code32;
  return apply(s.r_gamma_out, wrap32(wide(*code32) * wide(*gamma32)));
}

outcome<integer> full_step(const site& s, std::size_t channel, integer code) {
  const auto first = gamma_step(s, channel, code);
  if (!first || !s.beta)
    return first;
  const auto beta32 = apply(s.r_beta, (*s.beta)[channel]);
  if (!beta32)
    return beta32;
  const auto code32 = apply(s.r_add_in, *first);
  if (!code32)
    return code32;
  const auto sum = add(*code32, *beta32);
  if (!sum)
    return sum;
  return apply(s.r_add_out, *sum);
}

outcome<site_maps> maps_of(const site& s) {
  const integer channels = channel_count(s);
  if (channels < 1)
    return refusal{"channel_count"};
  if (s.table.size() != 256)
    return refusal{"error"};
  site_maps m;
  const std::set<integer> distinct(s.table.begin(), s.table.end());
  m.codes.assign(distinct.begin(), distinct.end());
  for (std::size_t c = 0; c < at(channels); ++c) {
    integers half, whole;
    for (const integer x : m.codes) {
      const auto a = gamma_step(s, c, x);
      const auto y = full_step(s, c, x);
      if (!a || !y) {
        return refusal{"unpredictable", "channel " + std::to_string(c) + ", code " + std::to_string(x)};
      }
      half.push_back(*a);
      whole.push_back(*y);
    }
    m.gamma_half.push_back(half);
    m.full.push_back(whole);
  }
  return m;
}

outcome<integers> fold_alpha(const alpha_site& a) {
  if (a.table.size() != 256)
    return refusal{"error"};
  if (a.function_min > a.function_max || a.domain[0] > a.domain[1])
    return refusal{"error"};
  integers result;
  for (integer q = -128; q <= 127; ++q) {
    const auto code32 = apply(a.r_activation, clamp_to(q, {a.domain[0], a.domain[1]}));
    if (!code32)
      return code32.rejection();
    const auto alpha32 = apply(a.r_alpha, a.alpha);
    if (!alpha32)
      return alpha32.rejection();
    const auto argument = apply(a.r_mul_out, wrap32(wide(*code32) * wide(*alpha32)));
    if (!argument)
      return argument.rejection();
    const integer inside = clamp_to(*argument, {a.function_min, a.function_max});
    if (!fits_i8(inside))
      return refusal{"error"};
    result.push_back(a.table[at(inside + 128)]);
  }
  return result;
}

// ------------------------------------------------------------------------------------------------ folds
std::array<integer, 2> input_extents(const site_conv& c) {
  if (c.kind == "linear")
    return {1, 1};
  if (c.input_hw)
    return *c.input_hw;
  return {(c.kernel[0] - 1) * c.dilation[0] + 1, (c.kernel[1] - 1) * c.dilation[1] + 1};
}

outcome<std::vector<std::vector<std::size_t>>> positions_of(const site_conv& c) {
  std::vector<std::vector<std::size_t>> positions;
  const integer kh = c.kernel[0], kw = c.kernel[1];
  if (kh < 1 || kw < 1)
    return refusal{"error"};
  if (c.listed_positions) {
    if (c.listed_positions->empty())
      return refusal{"error"};
    return *c.listed_positions;
  }
  const bool padded = c.pad != std::array<integer, 4>{0, 0, 0, 0};
  if (c.kind == "linear" || (c.kind == "conv2d" && !padded && !c.input_hw)) {
    positions.emplace_back();
    for (integer t = 0; t < kh * kw; ++t)
      positions.back().push_back(at(t));
    return positions;
  }
  if (!c.input_hw)
    return refusal{"error"};
  const integer h = (*c.input_hw)[0], w = (*c.input_hw)[1];
  if (c.kind == "transpose_conv2d") {
    const auto oh = transposed_extent(h, kh, c.stride[0], c.out_pad[0], c.out_pad[1]);
    const auto ow = transposed_extent(w, kw, c.stride[1], c.out_pad[2], c.out_pad[3]);
    if (!oh || !ow)
      return refusal{"error"};
    std::vector<std::set<std::size_t>> taps(at(*oh * *ow));
    for (integer y = 0; y < h; ++y) {
      for (integer x = 0; x < w; ++x) {
        for (integer ky = 0; ky < kh; ++ky) {
          for (integer kx = 0; kx < kw; ++kx) {
            const integer oy = y * c.stride[0] + c.out_pad[0] + ky;
            const integer ox = x * c.stride[1] + c.out_pad[2] + kx;
            if (oy >= 0 && oy < *oh && ox >= 0 && ox < *ow)
              taps[at(oy * *ow + ox)].insert(at(ky * kw + kx));
          }
        }
      }
    }
    for (const auto& t : taps)
      positions.emplace_back(t.begin(), t.end());
    return positions;
  }
  const auto oh = output_extent(h, kh, c.stride[0], c.dilation[0], c.pad[0], c.pad[1]);
  const auto ow = output_extent(w, kw, c.stride[1], c.dilation[1], c.pad[2], c.pad[3]);
  if (!oh || !ow)
    return refusal{"error"};
  for (integer oy = 0; oy < *oh; ++oy) {
    for (integer ox = 0; ox < *ow; ++ox) {
      positions.emplace_back();
      for (integer ky = 0; ky < kh; ++ky) {
        for (integer kx = 0; kx < kw; ++kx) {
          const integer y = oy * c.stride[0] - c.pad[0] + ky * c.dilation[0];
          const integer x = ox * c.stride[1] - c.pad[2] + kx * c.dilation[1];
          if (y >= 0 && y < h && x >= 0 && x < w)
            positions.back().push_back(at(ky * kw + kx));
        }
      }
    }
  }
  return positions;
}

namespace {

struct one_weight {
  std::size_t index;    // into the weight list
  std::size_t out;      // output channel
  std::size_t tap;      // ky * kernel width + kx
  std::size_t channel;  // input channel
  wide centered;        // weight - weight_zp
};

// What a convolution asks about, with the guards of the fold. `why` is the first guard that fails.
struct problem {
  std::string why = {};
  std::set<std::string> reasons = {};
  site_maps maps;
  std::vector<std::set<std::size_t>> positions = {};  // distinct sets of taps
  std::set<std::size_t> touched = {};
  std::vector<one_weight> weights = {};  // on touched taps
  integers weight_zp;
  integers bias;
};

problem read(const site& s) {
  problem p;
  const site_conv& c = s.conv;
  const auto fail = [&](const std::string& word) {
    if (p.why.empty())
      p.why = word;
    p.reasons.insert(word);
  };
  const integer channels = channel_count(s);
  const bool grouped = c.groups >= 1 && c.out_channels >= 1 && c.out_channels % c.groups == 0;
  if (!grouped || c.in_channels_per_group < 1 || c.in_channels_per_group * c.groups != channels)
    fail("channel_count");
  if (channels >= 1) {
    const auto maps = maps_of(s);
    if (maps) {
      p.maps = *maps;
    } else {
      fail(maps.why);
    }
  } else {
    fail("channel_count");
  }
  const integer read_zp = s.beta ? s.r_add_out.output_zp : s.gamma ? s.r_gamma_out.output_zp : s.table_zp;
  if (c.input_zp != read_zp)
    fail("zero_point_mismatch");
  const std::size_t n_out = at(std::max<integer>(c.out_channels, 0));
  p.weight_zp = spread(c.weight_zp, n_out);
  p.bias = c.bias ? spread(*c.bias, n_out) : integers(n_out, 0);
  const wide expected = wide(c.out_channels) * c.kernel[0] * c.kernel[1] * c.in_channels_per_group;
  if (p.weight_zp.size() != n_out || p.bias.size() != n_out || wide(c.weight.size()) != expected)
    fail("channel_count");
  const auto positions = positions_of(c);
  if (!positions)
    fail("error");
  if (!p.why.empty())
    return p;
  const std::set<std::vector<std::size_t>> distinct(positions->begin(), positions->end());
  for (const auto& taps : distinct) {
    p.positions.emplace_back(taps.begin(), taps.end());
    p.touched.insert(taps.begin(), taps.end());
  }
  for (integer o = 0; o < c.out_channels; ++o) {
    const integer group = o / (c.out_channels / c.groups);
    for (const std::size_t tap : p.touched) {
      for (integer i = 0; i < c.in_channels_per_group; ++i) {
        const integer k = (o * c.kernel[0] * c.kernel[1] + static_cast<integer>(tap)) * c.in_channels_per_group + i;
        p.weights.push_back({at(k), at(o), tap, at(group * c.in_channels_per_group + i),
                             wide(c.weight[at(k)]) - wide(p.weight_zp[at(o)])});
      }
    }
  }
  return p;
}

// Per output channel and tap, the sum of a quantity over the input channels; then per output channel and distinct
// position.
std::vector<std::vector<wide>> sums_by_position(const problem& p, std::size_t n_out, const std::vector<wide>& each) {
  std::vector<std::map<std::size_t, wide>> by_tap(n_out);
  for (std::size_t j = 0; j < p.weights.size(); ++j)
    by_tap[p.weights[j].out][p.weights[j].tap] += each[j];
  std::vector<std::vector<wide>> sums(n_out);
  for (std::size_t o = 0; o < n_out; ++o) {
    for (const auto& position : p.positions) {
      wide sum = 0;
      for (const std::size_t tap : position)
        sum += by_tap[o][tap];
      sums[o].push_back(sum);
    }
  }
  return sums;
}

// The reduced row echelon form of an augmented matrix of exact rationals (last column: right side).
// -> the column of each pivot row in order, or nothing if the equations contradict each other.
std::optional<std::vector<std::size_t>> eliminate(std::vector<std::vector<rational>>& rows, std::size_t unknowns) {
  std::vector<std::size_t> pivots;
  for (std::size_t column = 0; column < unknowns; ++column) {
    const std::size_t top = pivots.size();
    std::size_t r = top;
    while (r < rows.size() && rows[r][column] == rational(0))
      ++r;
    if (r == rows.size())
      continue;
    std::swap(rows[r], rows[top]);
    const rational lead = rows[top][column];
    for (rational& e : rows[top])
      e = e / lead;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      const rational factor = rows[other][column];
      if (other == top || factor == rational(0))
        continue;
      for (std::size_t k = 0; k < rows[other].size(); ++k)
        rows[other][k] = rows[other][k] - factor * rows[top][k];
    }
    pivots.push_back(column);
  }
  for (std::size_t r = pivots.size(); r < rows.size(); ++r) {
    if (rows[r][unknowns] != rational(0))
      return std::nullopt;
  }
  return pivots;
}

}  // namespace

// The unknowns are the folded weights n (centered), the input zero point z' and the biases b'_o. For every output
// position and every choice of codes, bias_o + sum w * (y(x) - zin) = b'_o + sum n * (x - z'). Changing one code at a
// time gives, per weight, w * (y(x) - y(x0)) = n * (x - x0): n. What is left is, per output channel and position, one
// linear equation in b'_o and z':  b'_o - (sum n) * z' = bias_o + sum (w * (y(x0) - zin) - n * x0).  All of them are
// solved at once.
namespace {

// from[c][k] -> to[c][k]: the codes that the folded convolution reads in channel c, and those that the original reads.
// A channel with one code has n = 0.
fold_answer solve(const site& s, const problem& p, const std::vector<integers>& from, const std::vector<integers>& to,
                  integer own_zero_point) {
  fold_answer answer;
  const auto fail = [&](const std::string& word) {
    if (answer.why.empty())
      answer.why = word;
    answer.reasons.insert(word);
  };
  const std::size_t n_out = at(s.conv.out_channels);
  std::vector<wide> n(p.weights.size(), 0);
  std::vector<bool> linear(n_out, true);  // do all weights of the output channel have an n?
  for (std::size_t j = 0; j < p.weights.size(); ++j) {
    const one_weight& w = p.weights[j];
    const integers& codes = from[w.channel];
    const integers& y = to[w.channel];
    const std::size_t last = codes.size() - 1;
    rational wanted = 0;
    if (last > 0)
      wanted = rational(w.centered * (y[last] - y[0]), codes[last] - codes[0]);
    bool here = wanted.whole();
    for (std::size_t k = 0; k <= last && here; ++k) {
      here = w.centered * (y[k] - y[0]) == wanted.num * (codes[k] - codes[0]);
    }
    if (!here) {
      linear[w.out] = false;
      fail("not_affine");
      continue;
    }
    n[j] = wanted.num;
    if (!fits(n[j] + p.weight_zp[w.out], s.conv.weight_min, s.conv.weight_max))
      fail("weight_overflow");
  }
  std::vector<wide> constant(p.weights.size());
  for (std::size_t j = 0; j < p.weights.size(); ++j) {
    const one_weight& w = p.weights[j];
    constant[j] = w.centered * (to[w.channel][0] - s.conv.input_zp) - n[j] * from[w.channel][0];
  }
  const auto slopes = sums_by_position(p, n_out, n);
  const auto constants = sums_by_position(p, n_out, constant);
  // The unknowns that one elimination sees: b'_0, ..., b'_(O - 1), z'. Equal equations once.
  std::set<std::tuple<std::size_t, wide, wide>> equations;
  for (std::size_t o = 0; o < n_out; ++o) {
    // The equations of the other output channels must hold whatever this one's are.
    for (std::size_t q = 0; q < p.positions.size() && linear[o]; ++q) {
      equations.emplace(o, slopes[o][q], wide(p.bias[o]) + constants[o][q]);
    }
  }
  std::vector<std::vector<rational>> rows;
  for (const auto& [o, slope, right] : equations) {
    std::vector<rational> row(n_out + 2);
    row[o] = 1;
    row[n_out] = -slope;
    row[n_out + 1] = right;
    rows.push_back(row);
  }
  const auto pivots = eliminate(rows, n_out + 1);
  if (!pivots) {
    fail("padding");
    return answer;
  }
  rational zero_point = own_zero_point;
  answer.zero_point_free = pivots->empty() || pivots->back() != n_out;
  if (!answer.zero_point_free)
    zero_point = rows[pivots->size() - 1][n_out + 1];
  if (!zero_point.whole() || !fits_i8(zero_point.num)) {
    fail("padding");
    return answer;
  }
  if (std::count(linear.begin(), linear.end(), false) != 0)
    return answer;
  folded f;
  f.input_zp = static_cast<integer>(zero_point.num);
  f.weight = s.conv.weight;
  for (std::size_t j = 0; j < p.weights.size(); ++j) {
    f.weight[p.weights[j].index] = static_cast<integer>(n[j] + p.weight_zp[p.weights[j].out]);
  }
  for (std::size_t o = 0; o < n_out; ++o) {
    const rational bias = rows[o][n_out + 1] - rows[o][n_out] * (answer.zero_point_free ? zero_point : rational(0));
    if (!bias.whole() || !fits_i32(bias.num))
      fail("bias_overflow");
    f.bias.push_back(static_cast<integer>(bias.num));
  }
  std::vector<wide> magnitude(n_out, 0);
  for (std::size_t j = 0; j < p.weights.size(); ++j)
    magnitude[p.weights[j].out] += n[j] < 0 ? -n[j] : n[j];
  std::set<integer> occurring;
  for (const integers& codes : from)
    occurring.insert(codes.begin(), codes.end());
  for (const integer x : occurring) {
    const wide distance = x > f.input_zp ? x - f.input_zp : f.input_zp - x;
    for (const wide m : magnitude) {
      if (!fits_i32(m * distance))
        fail("accumulator_overflow");
    }
  }
  if (answer.why.empty())
    answer.value = f;
  return answer;
}

fold_answer refused_answer(const problem& p) {
  fold_answer answer;
  answer.why = p.why;
  answer.reasons = p.reasons;
  return answer;
}

// Per channel the distinct codes after the gamma half, and what the beta half makes of them.
void beta_maps(const site_maps& maps, std::vector<integers>& from, std::vector<integers>& to) {
  for (std::size_t c = 0; c < maps.full.size(); ++c) {
    std::map<integer, integer> beta;
    for (std::size_t k = 0; k < maps.codes.size(); ++k)
      beta[maps.gamma_half[c][k]] = maps.full[c][k];
    from.emplace_back();
    to.emplace_back();
    for (const auto& [m, y] : beta) {
      from.back().push_back(m);
      to.back().push_back(y);
    }
  }
}

}  // namespace

fold_answer fold(const site& s) {
  const problem p = read(s);
  if (!p.why.empty())
    return refused_answer(p);
  return solve(s, p, std::vector<integers>(p.maps.full.size(), p.maps.codes), p.maps.full, s.table_zp);
}

fold_answer fold_beta(const site& s) {
  const problem p = read(s);
  if (!p.why.empty())
    return refused_answer(p);
  fold_answer none;
  none.why = "no_beta";
  none.reasons = {"no_beta"};
  if (!s.beta)
    return none;
  std::vector<integers> from, to;
  beta_maps(p.maps, from, to);
  return solve(s, p, from, to, s.gamma ? s.r_gamma_out.output_zp : s.table_zp);
}

namespace {

// Does the convolution of new_table's codes with f give the site's accumulators, whatever the 256 inputs?
std::string check_exact(const site& s, const integers& new_table, const folded& f) {
  const problem p = read(s);
  if (!p.why.empty())
    return "the site itself is refused: " + p.why;
  const std::size_t n_out = at(s.conv.out_channels);
  if (f.weight.size() != s.conv.weight.size() || f.bias.size() != n_out || new_table.size() != 256)
    return "sizes";
  if (!fits_i8(f.input_zp))
    return "input zero point";
  for (const integer t : new_table) {
    if (!fits_i8(t))
      return "a table entry";
  }
  for (const integer w : f.weight) {
    if (!fits(w, s.conv.weight_min, s.conv.weight_max))
      return "a weight outside its range";
  }
  for (const integer b : f.bias) {
    if (!fits_i32(b))
      return "a bias outside int32";
  }
  // Every pair of an old and a new table code, once.
  std::set<std::pair<std::size_t, integer>> pairs;
  for (std::size_t i = 0; i < 256; ++i) {
    const auto where = std::lower_bound(p.maps.codes.begin(), p.maps.codes.end(), s.table[i]);
    pairs.emplace(at(where - p.maps.codes.begin()), new_table[i]);
  }
  const std::vector<std::pair<std::size_t, integer>> listed(pairs.begin(), pairs.end());
  std::set<std::size_t> touched_indices;
  std::vector<wide> difference(p.weights.size());
  for (std::size_t j = 0; j < p.weights.size(); ++j) {
    const one_weight& w = p.weights[j];
    touched_indices.insert(w.index);
    const integer before = static_cast<integer>(w.centered), after = f.weight[w.index] - p.weight_zp[w.out];
    const integers& y = p.maps.full[w.channel];
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const integer d = before * (y[listed[i].first] - s.conv.input_zp) - after * (listed[i].second - f.input_zp);
      if (i == 0)
        difference[j] = d;
      if (difference[j] != d) {
        return "output channel " + std::to_string(w.out) + ", tap " + std::to_string(w.tap) + ", channel " +
               std::to_string(w.channel) + ": depends on the code " + std::to_string(p.maps.codes[listed[i].first]);
      }
    }
  }
  for (std::size_t k = 0; k < f.weight.size(); ++k) {
    if (touched_indices.count(k) == 0 && f.weight[k] != s.conv.weight[k])
      return "an untouched weight has changed";
  }
  const auto sums = sums_by_position(p, n_out, difference);
  for (std::size_t o = 0; o < n_out; ++o) {
    for (std::size_t q = 0; q < p.positions.size(); ++q) {
      const wide off = sums[o][q] + p.bias[o] - f.bias[o];
      if (off != 0)
        return "output channel " + std::to_string(o) + ": accumulator off by " + text(off);
    }
  }
  return "";
}

}  // namespace

std::string check_fold(const site& s, const folded& f) { return check_exact(s, s.table, f); }
std::string check_retabled(const site& s, const retabled_result& r) { return check_exact(s, r.table, r.constants); }

std::string check_fold_beta(const site& s, const folded& f) {
  const problem p = read(s);
  if (!p.why.empty())
    return "the site itself is refused: " + p.why;
  const std::size_t n_out = at(s.conv.out_channels);
  std::vector<wide> difference;
  for (const one_weight& w : p.weights) {
    const wide n = wide(f.weight[w.index]) - p.weight_zp[w.out];
    const integers& m = p.maps.gamma_half[w.channel];
    const integers& y = p.maps.full[w.channel];
    for (std::size_t k = 0; k < m.size(); ++k) {
      const wide d = w.centered * (y[k] - s.conv.input_zp) - n * (m[k] - f.input_zp);
      if (k == 0)
        difference.push_back(d);
      if (difference.back() != d)
        return "depends on the code";
    }
  }
  const auto sums = sums_by_position(p, n_out, difference);
  for (std::size_t o = 0; o < n_out; ++o) {
    for (const wide sum : sums[o]) {
      if (sum + p.bias[o] != f.bias[o])
        return "accumulator off";
    }
  }
  return "";
}

std::string run_both(const site& s, const integers& new_table, const folded& f, const integers& table_indices) {
  const site_conv& c = s.conv;
  const integer channels = channel_count(s);
  const auto hw = input_extents(c);
  if (wide(table_indices.size()) != wide(hw[0]) * hw[1] * channels)
    return "wrong number of inputs";
  conv_args before;
  before.input_shape = {1, hw[0], hw[1], channels};
  before.weight_shape = {c.out_channels, c.kernel[0], c.kernel[1], c.in_channels_per_group};
  before.weight = c.weight;
  before.bias = c.bias ? *c.bias : integers{0};
  before.stride = {c.stride[0], c.stride[1]};
  before.dilation = {c.dilation[0], c.dilation[1]};
  before.input_zp = c.input_zp;
  before.weight_zp = c.weight_zp;
  before.groups = c.groups;
  const bool up = c.kind == "transpose_conv2d";
  const auto& pad = up ? c.out_pad : c.pad;
  before.pad.assign(pad.begin(), pad.end());
  std::array<integer, 2> out = {0, 0};
  for (std::size_t d = 0; d < 2; ++d) {
    const auto extent = up ? transposed_extent(hw[d], c.kernel[d], c.stride[d], pad[2 * d], pad[2 * d + 1])
                           : output_extent(hw[d], c.kernel[d], c.stride[d], c.dilation[d], pad[2 * d], pad[2 * d + 1]);
    if (!extent)
      return "geometry";
    out[d] = *extent;
  }
  before.output_shape = {1, out[0], out[1], c.out_channels};
  conv_args after = before;
  after.weight = f.weight;
  after.bias = f.bias;
  after.input_zp = f.input_zp;
  for (std::size_t k = 0; k < table_indices.size(); ++k) {
    const std::size_t i = at(table_indices[k]);
    const auto y = full_step(s, k % at(channels), s.table[i]);
    if (!y)
      return "unpredictable";
    before.input.push_back(*y);
    after.input.push_back(new_table[i]);
  }
  const auto a = up ? transposed(before) : convolve(before);
  const auto b = up ? transposed(after) : convolve(after);
  if (!a)
    return a.why == "unpredictable" ? "" : a.why;  // the original promises nothing there
  if (!b)
    return "the folded convolution is " + b.why;
  return *a == *b ? "" : "the accumulators differ";
}

// ------------------------------------------------------------------------------------------------ other rewrites
namespace {

outcome<bool> all_identity(const outcome<site_maps>& maps, const std::vector<integers>& which) {
  for (const integers& m : which) {
    if (m != maps->codes)
      return refusal{"not_identity"};
  }
  return true;
}

channel_tables_result share(const std::vector<integers>& all) {
  channel_tables_result r;
  for (const integers& t : all) {
    const auto found = std::find(r.tables.begin(), r.tables.end(), t);
    r.index.push_back(found - r.tables.begin());
    if (found == r.tables.end())
      r.tables.push_back(t);
  }
  return r;
}

integers composed(const site& s, const site_maps& maps, std::size_t channel) {
  integers t;
  for (const integer code : s.table) {
    for (std::size_t k = 0; k < maps.codes.size(); ++k) {
      if (maps.codes[k] == code)
        t.push_back(maps.full[channel][k]);
    }
  }
  return t;
}

}  // namespace

outcome<bool> identity(const site& s) {
  const auto maps = maps_of(s);
  if (!maps)
    return maps.rejection();
  return all_identity(maps, maps->full);
}

outcome<bool> gamma_identity(const site& s) {
  const auto maps = maps_of(s);
  if (!maps)
    return maps.rejection();
  return all_identity(maps, maps->gamma_half);
}

outcome<integers> uniform_table(const site& s) {
  const auto maps = maps_of(s);
  if (!maps)
    return maps.rejection();
  for (const integers& y : maps->full) {
    if (y != maps->full[0])
      return refusal{"not_uniform"};
  }
  return composed(s, *maps, 0);
}

outcome<channel_tables_result> channel_tables(const site& s) {
  const integer channels = channel_count(s);
  if (channels < 1)
    return refusal{"channel_count"};
  std::vector<integers> all;
  if (!s.alpha) {
    const auto maps = maps_of(s);
    if (!maps)
      return maps.rejection();
    for (std::size_t c = 0; c < at(channels); ++c)
      all.push_back(composed(s, *maps, c));
    return share(all);
  }
  const integers alpha = spread(*s.alpha, at(channels));
  if (alpha.size() != at(channels))
    return refusal{"channel_count"};
  if (s.table.size() != 256)
    return refusal{"error"};
  for (std::size_t c = 0; c < at(channels); ++c) {
    integers t;
    const auto alpha32 = apply(s.r_alpha, alpha[c]);
    if (!alpha32)
      return alpha32.rejection();
    std::map<integer, outcome<integer>> known;
    for (integer q = -128; q <= 127; ++q) {
      const auto code32 = apply(s.r_activation, q);
      if (!code32)
        return code32.rejection();
      const auto argument = apply(s.r_mul_out, wrap32(wide(*code32) * wide(*alpha32)));
      if (!argument)
        return argument.rejection();
      if (!fits_i8(*argument))
        return refusal{"error"};
      const integer code = s.table[at(*argument + 128)];
      if (known.count(code) == 0)
        known[code] = full_step(s, c, code);
      if (!known[code])
        return known[code].rejection();
      t.push_back(*known[code]);
    }
    all.push_back(t);
  }
  return share(all);
}

outcome<gamma_rescale_result> gamma_rescale(const site& s) {
  const auto maps = maps_of(s);
  if (!maps)
    return maps.rejection();
  if (!s.gamma)
    return refusal{"no_gamma"};
  rescale_op op;
  op.input_zp = s.r_table.input_zp;
  op.output_zp = s.r_gamma_out.output_zp;
  op.rounding_mode = s.r_gamma_out.double_round ? "DOUBLE_ROUND" : "SINGLE_ROUND";
  gamma_rescale_result r;
  r.input_zp = op.input_zp;
  r.output_zp = op.output_zp;
  r.double_round = s.r_gamma_out.double_round;
  for (const integers& m : maps->gamma_half) {
    const auto fit = fit_rescale(op, maps->codes, m);
    if (!fit)
      return fit.rejection();
    r.multiplier.push_back(fit->multiplier);
    r.shift.push_back(fit->shift);
  }
  return r;
}

outcome<gamma_depthwise_result> gamma_depthwise(const site& s) {
  const auto maps = maps_of(s);
  if (!maps)
    return maps.rejection();
  if (!s.gamma)
    return refusal{"no_gamma"};
  for (const integer x : maps->codes) {
    if (*apply(s.r_table, x) != x - s.r_table.input_zp)
      return refusal{"not_scale_one"};
  }
  gamma_depthwise_result r;
  r.input_zp = s.r_table.input_zp;
  bool small = true;
  for (const integer g : *s.gamma) {
    const integer centered = g - s.r_gamma.input_zp;
    if (*apply(s.r_gamma, g) != centered)
      return refusal{"not_scale_one"};
    small = small && fits_i8(centered);
    r.weight.push_back(centered);
  }
  if (!small) {
    r.weight = *s.gamma;
    r.weight_zp = s.r_gamma.input_zp;
  }
  return r;
}

namespace {

// The value nearest to `wish` among candidates that `good` accepts, in [lo, hi]; the smaller one of two.
template <class F>
std::optional<integer> nearest(integer wish, integer lo, integer hi, F good) {
  std::optional<integer> best;
  for (integer v = lo; v <= hi; ++v) {
    if (!good(v))
      continue;
    const integer distance = v < wish ? wish - v : v - wish;
    if (!best || distance < (*best < wish ? wish - *best : *best - wish))
      best = v;
  }
  return best;
}

}  // namespace

outcome<retabled_result> retabled(const site& s) {
  const problem p = read(s);
  if (!p.why.empty())
    return refusal{p.why};
  const integers& codes = p.maps.codes;
  const integer x0 = codes[0];
  const std::size_t n_out = at(s.conv.out_channels);

  // Which channels matter, and is there one direction for all of their difference vectors?
  std::map<std::size_t, wide> factor;  // s_c of the relevant channels
  for (const one_weight& w : p.weights) {
    if (w.centered != 0)
      factor[w.channel] = 0;
  }
  std::vector<wide> d;
  for (auto& [c, s_c] : factor) {
    std::vector<wide> v;
    wide common = 0;
    for (const integer y : p.maps.full[c]) {
      v.push_back(y - p.maps.full[c][0]);
      common = greatest_common_divisor(common, v.back());
    }
    if (common == 0)
      continue;
    std::size_t lead = 0;
    while (v[lead] == 0)
      ++lead;
    if (d.empty()) {
      for (const wide e : v)
        d.push_back(v[lead] < 0 ? -(e / common) : e / common);
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t j = 0; j < v.size(); ++j) {
        if (v[i] * d[j] != v[j] * d[i])
          return refusal{"not_parallel"};
      }
    }
    s_c = v[lead] / d[lead];
  }

  std::vector<wide> product, constant;
  for (const one_weight& w : p.weights) {
    product.push_back(w.centered == 0 ? wide(0) : w.centered * factor[w.channel]);
    constant.push_back(w.centered * (p.maps.full[w.channel][0] - s.conv.input_zp));
  }
  const auto constants = sums_by_position(p, n_out, constant);
  const auto weights_from = [&](const std::vector<wide>& n) -> std::optional<integers> {
    integers result = s.conv.weight;
    for (std::size_t j = 0; j < n.size(); ++j) {
      const wide w = n[j] + p.weight_zp[p.weights[j].out];
      if (!fits(w, s.conv.weight_min, s.conv.weight_max))
        return std::nullopt;
      result[p.weights[j].index] = static_cast<integer>(w);
    }
    return result;
  };
  const auto magnitudes = [&](const std::vector<wide>& n) {
    std::vector<wide> m(n_out, 0);
    for (std::size_t j = 0; j < n.size(); ++j)
      m[p.weights[j].out] += n[j] < 0 ? -n[j] : n[j];
    return *std::max_element(m.begin(), m.end());
  };
  const auto finish = [&](const std::vector<integer>& new_codes, integers weight, integers bias, integer zp) {
    retabled_result r;
    for (const integer t : s.table) {
      r.table.push_back(new_codes[at(std::find(codes.begin(), codes.end(), t) - codes.begin())]);
    }
    r.constants = {std::move(weight), std::move(bias), zp};
    return r;
  };

  std::string why = "weight_overflow";
  if (!d.empty()) {
    wide all = 0;
    for (const wide e : product)
      all = greatest_common_divisor(all, e);
    const wide low = *std::min_element(d.begin(), d.end()), high = *std::max_element(d.begin(), d.end());
    for (wide a = 255 / (high - low); a >= 1; --a) {
      if (all % a != 0)
        continue;
      for (const wide k : {a, -a}) {
        std::vector<wide> n, moved;
        for (const wide e : product)
          n.push_back(e / k);
        for (const wide e : d)
          moved.push_back(k * e);
        const integer least = static_cast<integer>(*std::min_element(moved.begin(), moved.end()));
        const integer most = static_cast<integer>(*std::max_element(moved.begin(), moved.end()));
        const auto weight = weights_from(n);
        if (!weight) {
          why = "weight_overflow";
          continue;
        }
        const auto slopes = sums_by_position(p, n_out, n);
        const wide sum = magnitudes(n);
        const auto bias_at = [&](std::size_t o, std::size_t q, integer r) {
          return wide(p.bias[o]) + constants[o][q] - wide(r) * slopes[o][q];
        };
        const auto same = [&](integer r) {
          for (std::size_t o = 0; o < n_out; ++o) {
            for (std::size_t q = 1; q < p.positions.size(); ++q) {
              if (bias_at(o, q, r) != bias_at(o, 0, r))
                return false;
            }
          }
          return true;
        };
        const auto bias_fits = [&](integer r) {
          for (std::size_t o = 0; o < n_out; ++o) {
            if (!fits_i32(bias_at(o, 0, r)))
              return false;
          }
          return true;
        };
        const auto bounded = [&](integer r) {
          for (const wide m : moved) {
            if (!fits_i32(sum * (m + r)) || !fits_i32(-(sum * (m + r))))
              return false;
          }
          return true;
        };
        const integer lo = -(least + 255), hi = 255 - most, wish = x0 - s.table_zp;
        const auto r = nearest(wish, lo, hi, [&](integer v) { return same(v) && bias_fits(v) && bounded(v); });
        if (!r) {
          why = !nearest(wish, lo, hi, same)                                                 ? "padding"
                : !nearest(wish, lo, hi, [&](integer v) { return same(v) && bias_fits(v); }) ? "bias_overflow"
                                                                                             : "accumulator_overflow";
          continue;
        }
        const auto t0 = nearest(x0, -128, 127,
                                [&](integer t) { return fits_i8(t + least) && fits_i8(t + most) && fits_i8(t - *r); });
        if (!t0)
          return refusal{"padding", "no translation"};
        integers new_codes, bias;
        for (const wide m : moved)
          new_codes.push_back(static_cast<integer>(*t0 + m));
        for (std::size_t o = 0; o < n_out; ++o)
          bias.push_back(static_cast<integer>(bias_at(o, 0, *r)));
        return finish(new_codes, *weight, bias, *t0 - *r);
      }
    }
    return refusal{why};
  }

  // Every relevant channel is constant on X. (a) no weight at all
  {
    const auto weight = weights_from(std::vector<wide>(p.weights.size(), 0));
    bool same = true, inside = true;
    integers bias;
    for (std::size_t o = 0; o < n_out; ++o) {
      for (const wide c : constants[o])
        same = same && c == constants[o][0];
      inside = inside && fits_i32(constants[o][0] + p.bias[o]);
      bias.push_back(static_cast<integer>(constants[o][0] + p.bias[o]));
    }
    if (weight && same && inside)
      return finish(codes, *weight, bias, s.table_zp);
    why = !weight ? "weight_overflow" : !same ? "padding" : "bias_overflow";
  }
  // (b) a constant table
  wide all = 0;
  for (const wide e : constant)
    all = greatest_common_divisor(all, e);
  for (wide a = 255; a >= 1 && all != 0; --a) {
    if (all % a != 0)
      continue;
    for (const wide r : {a, -a}) {
      std::vector<wide> n;
      for (const wide e : constant)
        n.push_back(e / r);
      const auto weight = weights_from(n);
      if (!weight) {
        why = "weight_overflow";
        continue;
      }
      if (!fits_i32(magnitudes(n) * a)) {
        why = "accumulator_overflow";
        continue;
      }
      const auto t0 = nearest(x0, -128, 127, [&](integer t) { return fits_i8(t - r); });
      return finish(integers(codes.size(), *t0), *weight, p.bias, *t0 - static_cast<integer>(r));
    }
  }
  return refusal{why};
}

// ------------------------------------------------------------------------------------------------ text
namespace {

template <class T>
std::string list(const T& v) {
  std::string s = "[";
  for (std::size_t i = 0; i < v.size(); ++i)
    s += (i == 0 ? "" : ",") + std::to_string(v[i]);
  return s + "]";
}

std::string stage_text(const char* name, const stage& r) {
  return std::string("\"") + name + "\":{\"multiplier\":" + std::to_string(r.multiplier) +
         ",\"shift\":" + std::to_string(r.shift) + ",\"input_zp\":" + std::to_string(r.input_zp) +
         ",\"output_zp\":" + std::to_string(r.output_zp) + ",\"out\":\"" + (r.to_i8 ? "i8" : "i32") + "\"" +
         (r.double_round ? ",\"double\":true}" : "}");
}

}  // namespace

std::string to_json(const site& s, const std::string& op) {
  const site_conv& c = s.conv;
  std::string t = "{\"op\":\"" + op + "\",\"table\":" + list(s.table) + ",\"table_zp\":" + std::to_string(s.table_zp);
  t += ",\"gamma\":" + (s.gamma ? list(*s.gamma) : "null") + ",\"beta\":" + (s.beta ? list(*s.beta) : "null");
  if (s.alpha)
    t += ",\"alpha\":" + list(*s.alpha);
  t += ",\"rescale\":{" + stage_text("table", s.r_table) + "," + stage_text("gamma", s.r_gamma) + "," +
       stage_text("gamma_out", s.r_gamma_out) + "," + stage_text("add_in", s.r_add_in) + "," +
       stage_text("beta", s.r_beta) + "," + stage_text("add_out", s.r_add_out);
  if (s.alpha) {
    t += "," + stage_text("activation", s.r_activation) + "," + stage_text("alpha", s.r_alpha) + "," +
         stage_text("mul_out", s.r_mul_out);
  }
  t += "},\"conv\":{\"kind\":\"" + c.kind + "\",\"weight_shape\":";
  if (c.kind == "linear") {
    t += list(integers{c.out_channels, c.in_channels_per_group});
  } else {
    t += list(integers{c.out_channels, c.kernel[0], c.kernel[1], c.in_channels_per_group});
  }
  t += ",\"groups\":" + std::to_string(c.groups) + ",\"weight\":" + list(c.weight) +
       ",\"weight_zp\":" + list(c.weight_zp) + ",\"weight_range\":" + list(integers{c.weight_min, c.weight_max}) +
       ",\"bias\":" + (c.bias ? list(*c.bias) : "null") + ",\"input_zp\":" + std::to_string(c.input_zp);
  if (c.kind == "conv2d")
    t += ",\"pad\":" + list(c.pad) + ",\"dilation\":" + list(c.dilation);
  if (c.kind == "transpose_conv2d")
    t += ",\"out_pad\":" + list(c.out_pad);
  if (c.kind != "linear")
    t += ",\"stride\":" + list(c.stride);
  if (c.input_hw)
    t += ",\"input_hw\":" + list(*c.input_hw);
  return t + "}}";
}

}  // namespace oracle
