// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weighted random inputs: uniform draws never meet the places where integer arithmetic breaks.
//
// Everything is drawn from a std::mt19937_64 by plain modulo, so that a seed means the same input under every standard
// library.
#ifndef DYTQ_TESTS_ORACLE_GENERATORS_HPP
#define DYTQ_TESTS_ORACLE_GENERATORS_HPP

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <random>

#include "oracle.hpp"

namespace oracle {

class source {
 public:
  explicit source(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  integer below(integer n) { return static_cast<integer>(bits() % static_cast<std::uint64_t>(n)); }
  integer range(integer lo, integer hi) { return lo + below(hi - lo + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  T pick(std::initializer_list<T> of) {
    return *(of.begin() + below(static_cast<integer>(of.size())));
  }
  // An index with the given weights.
  int weighted(std::initializer_list<int> weights) {
    integer total = 0;
    for (const int w : weights)
      total += w;
    integer left = below(total);
    int index = 0;
    for (const int w : weights) {
      if (left < w)
        return index;
      left -= w;
      index += 1;
    }
    return 0;
  }

 private:
  std::mt19937_64 engine_;
};

// ------------------------------------------------------------------------------------------------ scalars
// A signed number of `bits` bits: limits, powers of two, small numbers, each +-2; some uniform in value, some in
// magnitude.
inline integer signed_value(source& s, int bits) {
  const integer hi = (integer(1) << (bits - 1)) - 1, lo = -hi - 1;
  integer v = 0;
  switch (s.weighted({25, 25, 20, 15, 15})) {
    case 0: v = s.pick<integer>({lo, hi, 0}) + s.range(-2, 2); break;
    case 1: v = s.pick<integer>({-1, 1}) * (integer(1) << s.below(bits)) + s.range(-2, 2); break;
    case 2: v = s.range(lo, hi); break;
    case 3: v = s.pick<integer>({-1, 1}) * s.below((integer(1) << (1 + s.below(bits - 1)))); break;
    default: v = s.range(-130, 130); break;
  }
  return std::min(std::max(v, lo), hi);
}
inline integer int32_value(source& s) { return signed_value(s, 32); }
inline integer int48_value(source& s) { return signed_value(s, 48); }
inline integer int8_value(source& s) {
  return s.chance(40) ? s.pick<integer>({-128, -127, -126, -1, 0, 1, 126, 127}) : s.range(-128, 127);
}

inline integer multiplier_value(source& s, int width = 32) {
  const integer top = (integer(1) << (width - 1)) - 1, half = integer(1) << (width - 2);
  switch (s.weighted({20, 20, 45, 15})) {
    case 0: return s.pick<integer>({0, 1, 2, 3, top, top - 1, half, half + 1, half - 1});
    case 1: return std::min<integer>(top, std::max<integer>(0, (integer(1) << s.below(width - 1)) + s.range(-2, 2)));
    case 2: return s.range(half, top);
    default: return s.range(0, top);
  }
}
// Mostly legal (2 ... 62); one in ten outside.
inline integer shift_value(source& s) {
  if (s.chance(10))
    return s.pick<integer>({-1, 0, 1, 63, 64});
  return s.chance(40) ? s.pick<integer>({2, 3, 8, 15, 16, 29, 30, 31, 32, 33, 46, 47, 48, 61, 62}) : s.range(2, 62);
}

// A value v for which v * multiplier sits on or beside a rounding boundary of `shift`; falls back to int32_value.
inline integer near_tie(source& s, integer multiplier, integer shift) {
  if (multiplier <= 0 || shift < 2 || shift > 62)
    return int32_value(s);
  wide v = 0;
  if (s.chance(50)) {
    // v * m = (2t + 1) * 2^(shift - 1), as nearly as an integer v allows, for a random t in reach
    const wide half = wide(1) << (shift - 1);
    const wide reach = (wide(1) << 31) * multiplier / (2 * half) + 1;
    const wide t = static_cast<wide>(s.bits() % static_cast<std::uint64_t>(std::min<wide>(reach, wide(1) << 40)));
    v = (2 * t + 1) * half / multiplier + s.range(-1, 1);
  } else {
    // exact ties need v to carry the twos that the multiplier lacks
    integer twos = 0;
    while (multiplier % 2 == 0) {
      multiplier /= 2;
      twos += 1;
    }
    const integer needed = shift - 1 - twos;
    if (needed >= 0 && needed <= 30)
      v = wide(2 * s.below(1 << std::min<integer>(30 - needed, 20)) + 1) << needed;
    v += s.weighted({60, 20, 20}) - 0 == 0 ? 0 : s.range(-1, 1);
  }
  if (s.chance(50))
    v = -v;
  if (!fits_i32(v))
    return int32_value(s);
  return static_cast<integer>(v);
}

// A scale from the whole double range: every exponent, subnormals, rounding ties, zero, negative, infinite, not a
// number.
inline double scale_value(source& s) {
  std::uint64_t exponent = 0;
  switch (s.weighted({45, 25, 10, 10, 5, 5})) {
    case 0: exponent = static_cast<std::uint64_t>(1023 + s.range(-66, 32)); break;
    case 1: exponent = static_cast<std::uint64_t>(1023 + s.range(-12, 4)); break;
    case 2: exponent = static_cast<std::uint64_t>(s.below(2047)); break;
    case 3:
      exponent = static_cast<std::uint64_t>(1023 + s.pick<integer>({-63, -62, -61, -48, -47, -46, -33, -32, -31, -30,
                                                                    -17, -16, -15, 13, 14, 28, 29, 30}));
      break;
    case 4: exponent = 0; break;
    default: exponent = 2047; break;
  }
  std::uint64_t fraction = s.bits() >> 12;
  const std::uint64_t all = (std::uint64_t(1) << 52) - 1;
  switch (s.weighted({30, 10, 15, 20, 15, 10})) {
    case 0: break;
    case 1: fraction = 0; break;
    case 2: fraction = all - static_cast<std::uint64_t>(s.below(4)); break;
    case 3: fraction = ((fraction >> 22) << 22) | (std::uint64_t(1) << 21); break;  // tie of a 31-bit multiplier
    case 4: fraction = ((fraction >> 38) << 38) | (std::uint64_t(1) << 37); break;  // tie of a 15-bit multiplier
    default: fraction &= ~((std::uint64_t(1) << 29) - 1); break;                    // a float
  }
  if (s.chance(15))
    fraction = (fraction + static_cast<std::uint64_t>(s.range(-1, 1))) & all;
  std::uint64_t bits = (exponent << 52) | (fraction & all);
  if (s.chance(3))
    bits = 0;
  if (s.chance(4))
    bits |= std::uint64_t(1) << 63;
  double d = 0;
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

// One RESCALE question with its value, legal about four times in five.
struct rescale_case {
  rescale_op op;
  integer value = 0;
};
inline rescale_case rescale_value(source& s) {
  rescale_case r;
  rescale_op& op = r.op;
  op.in_t = s.pick<const char*>({"i8", "i8", "i16", "i32", "i32", "i48"});
  op.out_t = s.pick<const char*>({"i8", "i8", "i16", "i32"});
  op.scale32 = op.in_t == "i48" ? s.chance(5) : s.chance(75);
  op.rounding_mode = s.chance(op.scale32 ? 50 : 5) ? "DOUBLE_ROUND" : "SINGLE_ROUND";
  if (s.chance(1))
    op.rounding_mode = s.pick<const char*>({"INEXACT_ROUND", "UNKNOWN", ""});
  const bool small_in = op.in_t == "i8" || op.in_t == "i16", small_out = op.out_t == "i8" || op.out_t == "i16";
  op.input_unsigned = s.chance(small_in && small_out ? 25 : 2);
  op.output_unsigned = s.chance(op.input_unsigned ? 3 : small_in && small_out ? 30 : 2);
  const auto zero_point = [&](const std::string& type, bool is_unsigned) -> integer {
    if (type == "i8")
      return s.chance(30) ? 0 : is_unsigned ? s.range(0, 255) : int8_value(s);
    if (type == "i16" && is_unsigned)
      return s.pick<integer>({0, 32768});
    return s.chance(3) ? s.pick<integer>({1, -1, 32768, 128}) : 0;
  };
  op.input_zp = zero_point(op.in_t, op.input_unsigned);
  op.output_zp = zero_point(op.out_t, op.output_unsigned);
  op.multiplier = {multiplier_value(s, op.scale32 ? 32 : 16)};
  if (s.chance(3))
    op.multiplier = {s.pick<integer>({-1, -2147483647 - 1, 2147483647, 32768})};
  op.shift = {shift_value(s)};
  const int bits = op.in_t == "i8" ? 8 : op.in_t == "i16" ? 16 : op.in_t == "i32" ? 32 : 48;
  if (bits == 32 && s.chance(50)) {
    r.value = near_tie(s, op.multiplier[0], op.shift[0]);
  } else {
    r.value = signed_value(s, bits);
  }
  if (op.input_unsigned)
    r.value += integer(1) << (bits - 1);
  return r;
}

// ------------------------------------------------------------------------------------------------ sites
// The 256 entries of a table, and with them X.
inline integers table_value(source& s) {
  integers t(256);
  const auto ramp = [&](integer step, integer offset) {
    for (integer i = 0; i < 256; ++i)
      t[static_cast<std::size_t>(i)] = std::min<integer>(127, std::max<integer>(-128, (i - 128) * step / 8 + offset));
  };
  switch (s.weighted({12, 14, 22, 24, 18, 10})) {
    case 0: ramp(8, 0); break;                              // every code
    case 1: ramp(s.range(1, 12), s.range(-60, 60)); break;  // saturating, gaps where steep
    case 2: {                                               // few codes in any order
      integers codes;
      const integer n = s.range(1, 9);
      for (integer i = 0; i < n; ++i)
        codes.push_back(int8_value(s));
      for (integer& e : t)
        e = codes[static_cast<std::size_t>(s.below(n))];
      break;
    }
    case 3: {  // an arithmetic progression: rational slopes become possible
      const integer step = s.range(1, 6), n = s.range(2, 20), first = s.range(-128, 127 - step * (n - 1));
      for (integer& e : t)
        e = first + step * s.below(n);
      break;
    }
    case 4: {  // a run of codes around 0
      const integer r = s.range(1, 40), offset = s.range(-20, 20);
      for (integer i = 0; i < 256; ++i)
        t[static_cast<std::size_t>(i)] = (i * (2 * r + 1)) / 256 - r + offset;
      break;
    }
    default: {  // one code
      const integer only = int8_value(s);
      for (integer& e : t)
        e = only;
      break;
    }
  }
  return t;
}

namespace detail {

inline stage plain(integer input_zp, integer output_zp, bool to_i8) {
  stage r;
  r.input_zp = input_zp;
  r.output_zp = output_zp;
  r.to_i8 = to_i8;
  return r;
}

// multiplier * 2^-shift = 2^-power
inline stage halving(integer power, integer input_zp, integer output_zp, bool to_i8) {
  stage r = plain(input_zp, output_zp, to_i8);
  r.shift = 30 + power;
  return r;
}

inline integer small_zero_point(source& s) {
  return s.chance(30) ? 0 : s.chance(80) ? s.range(-20, 20) : int8_value(s);
}

}  // namespace detail

// What a site is drawn for; sizes stay small unless `large` is allowed.
struct site_options {
  bool large = true;           // a few sites with more than 30,000 taps, where accumulators overflow
  bool wrong_channels = true;  // lists of disagreeing length
  bool other_kinds = true;     // transpose_conv2d and linear
  int percent_broken = 16;     // sites with a fault put in on purpose
};

inline site site_value(source& s, const site_options& options = {}) {
  site t;
  site_conv& c = t.conv;
  t.table = table_value(s);
  t.table_zp = detail::small_zero_point(s);
  const bool huge = options.large && s.below(200) < 3;
  const bool stretched = !huge && s.chance(5);  // a slope above 1 on the largest weights
  // Slopes p/q: codes q apart, a scale of 1/q, weights that are mostly multiples of q.
  const integer q = !huge && s.chance(14) ? s.pick<integer>({2, 2, 3, 4, 5, 6}) : 1;
  if (q > 1) {
    const integer reach = s.range(1, 9);
    for (integer& e : t.table) {
      e = t.table_zp + q * s.range(-reach, reach);
      while (e > 127)
        e -= q;
      while (e < -128)
        e += q;
    }
    if (s.chance(10))
      t.table[0] = int8_value(s);
  }
  if (huge) {
    t.table_zp = s.pick<integer>({-128, 127});
    t.table[0] = t.table_zp == 127 ? -128 : 127;
  }

  // geometry
  c.kind = !options.other_kinds ? "conv2d"
                                : s.pick<const char*>({"conv2d", "conv2d", "conv2d", "transpose_conv2d", "linear"});
  if (huge)
    c.kind = "conv2d";
  const integer style = c.kind == "conv2d" ? s.weighted({60, 20, 20}) : 0;  // plain, grouped, depthwise
  c.groups = style == 0 ? 1 : s.range(2, 4);
  c.in_channels_per_group = style == 2 ? 1 : s.range(1, 3);
  c.out_channels = c.groups * s.range(1, style == 0 ? 4 : 2);
  if (c.kind != "linear")
    c.kernel = {s.range(1, 3), s.range(1, 3)};
  if (huge) {
    c.groups = 1;
    c.in_channels_per_group = 1;
    c.out_channels = 1;
    c.kernel = {s.range(178, 192), s.range(178, 192)};
  }
  if (c.kind == "transpose_conv2d") {
    c.stride = {s.range(1, 3), s.range(1, 3)};
    c.input_hw = {s.range(1, 4), s.range(1, 4)};
    if (s.chance(70)) {
      for (std::size_t d = 0; d < 4; ++d)
        c.out_pad[d] = s.range(-std::min<integer>(c.kernel[d / 2] - 1, 2), 2);
    }
  } else if (c.kind == "conv2d" && !huge) {
    c.stride = {s.range(1, 2), s.range(1, 2)};
    c.dilation = {s.chance(75) ? 1 : 2, s.chance(75) ? 1 : 2};
    if (s.chance(55)) {
      for (std::size_t d = 0; d < 4; ++d)
        c.pad[d] = s.below(std::min<integer>(c.kernel[d / 2] * c.dilation[d / 2], 4));
    }
    std::array<integer, 2> hw = {0, 0};
    for (std::size_t d = 0; d < 2; ++d) {
      // a stride that divides: out extent first
      const integer out = s.range(1, 5);
      hw[d] = (out - 1) * c.stride[d] + (c.kernel[d] - 1) * c.dilation[d] + 1 - c.pad[2 * d] - c.pad[2 * d + 1];
      while (hw[d] < 1)
        hw[d] += c.stride[d];
    }
    if (s.chance(85) || c.pad != std::array<integer, 4>{0, 0, 0, 0})
      c.input_hw = hw;
  }
  const integer channels = c.in_channels_per_group * c.groups;

  // the six steps
  const bool has_gamma = s.chance(huge ? 50 : 80), has_beta = s.chance(huge ? 10 : 75);
  const integer z_gamma_out = s.chance(huge ? 100 : 50) ? t.table_zp : detail::small_zero_point(s);
  const integer z_gamma = huge ? 0 : s.pick<integer>({0, 0, -128, 127, s.range(-128, 127)});
  const integer power = s.range(0, 6);                   // a real gamma of 1 is the centered code 2^power
  const bool trained = !huge && q == 1 && s.chance(14);  // arbitrary scales and codes, like a trained network's
  const bool same = s.chance(25);                        // one gamma, one beta for all channels
  if (has_gamma) {
    t.r_table = detail::plain(t.table_zp, 0, false);
    t.r_gamma = detail::plain(z_gamma, 0, false);
    t.r_gamma_out = detail::halving(power, 0, z_gamma_out, true);
    if (trained) {
      t.r_gamma_out.multiplier = multiplier_value(s);
      t.r_gamma_out.shift = s.range(30, 40);
      if (s.chance(20))
        t.r_table.shift = s.range(20, 31);
    }
    if (q > 1) {
      const auto scale = multiplier_shift(1.0 / static_cast<double>(q << power), 32);
      t.r_gamma_out.multiplier = scale->multiplier;
      t.r_gamma_out.shift = scale->shift;
    }
    t.r_gamma_out.double_round = s.chance(25);
    integers g;
    for (integer i = 0; i < channels; ++i) {
      integer centered = 0;
      if (trained) {
        centered = s.range(-128, 127) - z_gamma;
      } else {
        switch (huge ? 0 : stretched ? 1 : s.weighted({45, 22, 13, 10, 10})) {
          case 0: centered = integer(1) << power; break;                                           // 1
          case 1: centered = s.pick<integer>({-1, 2, -2, 3}) * (integer(1) << power); break;       // small integers
          case 2: centered = power > 0 ? s.range(-3, 3) * (integer(1) << (power - 1)) : 1; break;  // halves
          case 3: centered = 0; break;
          default: centered = s.range(-128, 127) - z_gamma; break;
        }
      }
      const integer code = centered + z_gamma;
      g.push_back(same && i > 0 ? g[0] : std::min<integer>(127, std::max<integer>(-128, code)));
    }
    t.gamma = g;
  }
  const integer after_gamma = has_gamma ? z_gamma_out : t.table_zp;
  integer last_zp = after_gamma;
  if (has_beta) {
    const integer z_beta = s.pick<integer>({0, 0, -128, s.range(-128, 127)});
    const integer lift = s.range(0, 20);
    last_zp = s.chance(50) ? after_gamma : detail::small_zero_point(s);
    t.r_add_in = detail::halving(-lift, after_gamma, 0, false);
    t.r_beta = detail::halving(-lift, z_beta, 0, false);
    t.r_add_out = detail::halving(lift, 0, last_zp, true);
    if (trained && s.chance(60)) {
      t.r_add_out.multiplier = multiplier_value(s);
      t.r_beta.multiplier = multiplier_value(s);
    }
    t.r_add_out.double_round = s.chance(25);
    const int offsets = s.weighted({35, 30, 35});  // none, small, one for all
    const integer shared = s.range(-12, 12);
    integers b;
    for (integer i = 0; i < channels; ++i) {
      const integer centered = trained        ? s.range(-128, 127) - z_beta
                               : offsets == 0 ? 0
                               : offsets == 1 ? s.range(-9, 9)
                                              : shared;
      b.push_back(same && i > 0 ? b[0] : std::min<integer>(127, std::max<integer>(-128, centered + z_beta)));
    }
    t.beta = b;
  }
  c.input_zp = last_zp;

  // weights
  switch (s.weighted({45, 25, 20, 10})) {
    case 0: c.weight_min = -127; break;
    case 1: break;
    case 2: c.weight_min = -8, c.weight_max = 7; break;
    default: c.weight_min = -7, c.weight_max = 7; break;
  }
  if (huge)
    c.weight_min = -128, c.weight_max = 127;
  const integer n_weights = c.out_channels * c.kernel[0] * c.kernel[1] * c.in_channels_per_group;
  const bool with_zp = s.chance(huge ? 80 : 30);
  c.weight_zp.clear();
  const integer n_zp = s.chance(50) ? 1 : c.out_channels;
  const integer zp_reach = std::min<integer>(c.weight_max, huge ? 127 : s.range(1, 20));
  for (integer i = 0; i < n_zp; ++i)
    c.weight_zp.push_back(!with_zp ? 0 : huge ? zp_reach : s.range(-zp_reach, zp_reach));
  integer limit = c.weight_max;
  if (!stretched) {
    switch (s.weighted({50, 30, 20})) {
      case 0: limit = std::min(limit, s.range(1, 12)); break;
      case 1: limit = std::min(limit, s.range(10, 64)); break;
      default: break;
    }
  }
  const integer factor =
      q > 1 && s.chance(80) ? q : s.pick<integer>({1, 1, 2, 4, 6, 12});  // so that rational slopes come out whole
  const int pruned = huge ? 0 : s.chance(30) ? static_cast<int>(s.range(20, 80)) : 3;
  for (integer k = 0; k < n_weights; ++k) {
    const integer o = k / (n_weights / c.out_channels);
    const integer zp = c.weight_zp[c.weight_zp.size() == 1 ? 0 : static_cast<std::size_t>(o)];
    integer w = factor <= limit ? factor * s.range(-(limit / factor), limit / factor) : s.range(-limit, limit);
    if (huge)
      w = s.chance(96) ? c.weight_min - zp : -s.range(0, 200);
    if (s.chance(pruned))
      w = 0;
    c.weight.push_back(std::min(c.weight_max, std::max(c.weight_min, w + zp)));
  }
  // Offsets that cancel over the input channels of a tap: the second channel's weights mirror the first's.
  if (!huge && c.in_channels_per_group == 2 && s.chance(35)) {
    for (std::size_t k = 0; k + 1 < c.weight.size(); k += 2) {
      const std::size_t o = k / (c.weight.size() / static_cast<std::size_t>(c.out_channels));
      const integer zp = c.weight_zp[c.weight_zp.size() == 1 ? 0 : o];
      c.weight[k + 1] = std::min(c.weight_max, std::max(c.weight_min, 2 * zp - c.weight[k]));
    }
  }

  // bias
  if (s.chance(75)) {
    integers b;
    const integer n = s.chance(70) ? c.out_channels : 1;
    const int style_b = s.weighted({80, 20});
    for (integer i = 0; i < n; ++i) {
      b.push_back(style_b == 0 ? s.range(-20000, 20000)
                               : std::min(i32_max, std::max(i32_min, s.pick<integer>({i32_min, i32_max}) +
                                                                         s.range(-3000, 3000))));
    }
    c.bias = b;
  }

  // faults
  if (s.chance(options.percent_broken)) {
    switch (s.weighted({30, 20, options.wrong_channels ? 25 : 0, 25})) {
      case 0: {  // unpredictable: a shift out of range, a negative multiplier, a value too wide for the shift, a zero
                 // point
        stage* which[] = {&t.r_table, &t.r_gamma, &t.r_gamma_out, &t.r_add_in, &t.r_beta, &t.r_add_out};
        stage& r = *which[s.below(6)];
        switch (s.below(4)) {
          case 0: r.shift = s.pick<integer>({-3, 0, 1, 63, 100}); break;
          case 1: r.multiplier = -s.range(1, 1 << 30); break;
          case 2: r.shift = s.range(2, 8); break;
          default: r.multiplier = i32_max, r.shift = s.range(2, 9); break;
        }
        break;
      }
      case 1: c.input_zp = c.input_zp == 127 ? 126 : c.input_zp + 1; break;
      case 2:
        switch (s.below(4)) {
          case 0:
            if (t.beta)
              t.beta->push_back(0);
            else
              c.weight.pop_back();
            break;
          case 1: c.bias = integers(static_cast<std::size_t>(c.out_channels + 1), 0); break;
          case 2: c.weight_zp = integers(static_cast<std::size_t>(c.out_channels + 1), 0); break;
          default:
            if (c.kind == "conv2d" && (t.gamma || t.beta)) {
              c.groups += 1;
            } else {
              c.weight.push_back(0);
            }
            break;
        }
        break;
      default:
        if (c.input_hw && c.kind == "conv2d") {
          switch (s.below(4)) {
            case 0: c.stride[0] = 0; break;
            case 1: c.pad[1] = -1; break;
            case 2: c.dilation[1] = 0; break;
            default: c.stride = {2, 3}, (*c.input_hw)[0] += 1; break;
          }
        } else if (c.kind == "transpose_conv2d") {
          c.out_pad[static_cast<std::size_t>(s.below(4))] = -4;
        }
        break;
    }
  }
  return t;
}

// An alpha, the three stages around it and a table for it; now and then unpredictable.
inline alpha_site alpha_value(source& s) {
  alpha_site a;
  a.table = table_value(s);
  for (integer& e : a.table) {
    if (s.chance(10))
      e = int8_value(s);
  }
  a.alpha = int8_value(s);
  const integer zx = detail::small_zero_point(s), za = s.pick<integer>({0, -128, 127, s.range(-128, 127)});
  a.r_activation = detail::plain(zx, 0, false);
  a.r_alpha = detail::plain(za, 0, false);
  a.r_mul_out = detail::halving(s.range(0, 10), 0, detail::small_zero_point(s), true);
  if (s.chance(60))
    a.r_mul_out.multiplier = multiplier_value(s);
  a.r_mul_out.double_round = s.chance(30);
  if (s.chance(20))
    a.r_activation.multiplier = multiplier_value(s), a.r_activation.shift = s.range(10, 40);
  if (s.chance(20))
    a.r_alpha.multiplier = multiplier_value(s), a.r_alpha.shift = s.range(10, 40);
  if (s.chance(5))
    a.r_alpha.shift = s.pick<integer>({0, 1, 2, 3, 62, 63});
  if (s.chance(4))
    a.r_mul_out.multiplier = -1;
  if (s.chance(6))
    a.r_activation.shift = s.pick<integer>({0, 1, 2, 7, 8, 9, 62, 63});  // 8 and 9: some codes are legal
  if (s.chance(25))
    a.domain = {-127, 127};
  if (s.chance(10))
    a.domain = {s.range(-128, 0), s.range(0, 127)};
  if (s.chance(25))
    a.function_min = -127;
  if (s.chance(10))
    a.function_min = s.range(-128, 0), a.function_max = s.range(0, 127);
  return a;
}

// Codes and values for FIT_RESCALE: from a real RESCALE, sometimes with one value changed.
struct fit_case {
  rescale_op op;
  integers codes;
  integers values;
};
inline fit_case fit_value(source& s) {
  fit_case f;
  rescale_op& op = f.op;
  op.in_t = s.chance(85) ? "i8" : "i16";
  op.out_t = s.pick<const char*>({"i8", "i8", "i8", "i16", "i32"});
  op.rounding_mode = s.chance(50) ? "DOUBLE_ROUND" : "SINGLE_ROUND";
  op.input_unsigned = op.out_t != "i32" && s.chance(15);
  op.output_unsigned = op.out_t != "i32" && !op.input_unsigned && s.chance(15);
  const auto zero_point = [&](const std::string& type, bool is_unsigned) -> integer {
    if (type == "i8")
      return is_unsigned ? s.range(0, 255) : detail::small_zero_point(s);
    return type == "i16" && is_unsigned ? s.pick<integer>({0, 32768}) : 0;
  };
  op.input_zp = zero_point(op.in_t, op.input_unsigned);
  op.output_zp = zero_point(op.out_t, op.output_unsigned);
  const integer bits = op.in_t == "i8" ? 8 : 16;
  const integer lo = op.input_unsigned ? 0 : -(integer(1) << (bits - 1)), hi = lo + (integer(1) << bits) - 1;
  rescale_op truth = op;
  truth.multiplier = {multiplier_value(s)};
  truth.shift = {s.chance(70) ? s.range(26, 40) : s.range(bits + 2, 62)};
  const bool all = s.chance(25) && bits == 8;
  const integer n = all ? 256 : s.range(1, 40);
  for (integer i = 0; i < n; ++i) {
    const integer code = all            ? lo + i
                         : s.chance(20) ? std::min(hi, std::max(lo, op.input_zp + s.range(-3, 3)))
                                        : s.range(lo, hi);
    const auto v = rescale(truth, {code});
    f.codes.push_back(code);
    f.values.push_back(v ? (*v)[0] : op.output_zp);
  }
  if (s.chance(35))
    f.values[static_cast<std::size_t>(s.below(n))] += s.pick<integer>({-2, -1, 1, 2});
  if (s.chance(4))
    f.codes.pop_back();
  if (s.chance(4))
    op.input_zp = 300;
  return f;
}

}  // namespace oracle

#endif  // DYTQ_TESTS_ORACLE_GENERATORS_HPP
