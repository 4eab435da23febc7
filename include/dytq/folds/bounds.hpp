// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fold with a proven bound leaves between the original and the new convolution, exactly: for an output channel's
// new scale, the better of two weights in place of each, and the bound of their sums. `scale_search.hpp` finds scales.
//
// The original's accumulator times multiplier / 2^shift is what its RESCALE rounds; both convolutions' are compared as
// integers over one power of two, a * acc - b * acc'. A weight w that becomes n contributes, at code x of channel c,
//   h(x) = a * w * (y_c(x) - input_zp) - b * n * (x - input_zp')
// and the codes at different taps are independent, so that the extremes of a sum are the sums of the extremes.
//
// Widths: scales are chosen so that a < 2^45, and b < 2^45 since a new scale is at most 2^14 of the old one; |w|, |n|
// and differences of codes are at most 255. So a * w * y, b * n * x and all their differences are below 2^62. Sums of
// them, and products with the bias, have 192 bits.
#ifndef DYTQ_FOLDS_BOUNDS_HPP
#define DYTQ_FOLDS_BOUNDS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/strip.hpp"
#include "../operators/geometry.hpp"
#include "../result.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// What one output channel's RESCALEs are: the original's and the new one's, as a / 2^shift and b / 2^shift.
struct scale_pair {
  std::int64_t a = 0;
  std::int64_t b = 0;
  int shift = 0;
  std::int64_t ratio = 0;  // b / a, times 2^32, to a few bits
};

// A new scale of an output channel.
struct new_scale {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
  std::int64_t ratio = 0;  // to the original's, times 2^32
};

// What one weight becomes.
struct bounded_weight {
  std::int64_t n = 0;
  std::int64_t low = 0;  // of h, but for the term of input_zp'
  std::int64_t high = 0;
};

// What the weights of one tap of an output channel add up to.
struct tap_bounds {
  static constexpr std::int64_t numbers = 16;  // of an int64 array that keeps it

  int192 low;
  int192 high;
  int192 strips;            // |w| * width
  int192 variance;          // of the new accumulator's error, times 2^(2 * deviation_bits)
  std::int64_t folded = 0;  // n
  std::int64_t reach = 0;   // |n|
  std::int64_t mean_y = 0;  // w * (y - input_zp), times 2^mean_bits
  std::int64_t mean_x = 0;  // n * x, times 2^mean_bits

  constexpr void add(const tap_bounds& o) {
    low += o.low;
    high += o.high;
    strips += o.strips;
    variance += o.variance;
    folded += o.folded;
    reach += o.reach;
    mean_y += o.mean_y;
    mean_x += o.mean_x;
  }
  constexpr void save(std::int64_t* to) const {
    for (const int192* wide : {&low, &high, &strips, &variance}) {
      for (const std::uint64_t limb : {wide->low(), wide->mid(), wide->high()}) {
        *to++ = static_cast<std::int64_t>(limb);
      }
    }
    for (const std::int64_t v : {folded, reach, mean_y, mean_x}) {
      *to++ = v;
    }
  }
  constexpr static tap_bounds load(const std::int64_t* from) {
    const auto wide = [&](std::size_t i) {
      return int192::of_limbs(static_cast<std::uint64_t>(from[i]), static_cast<std::uint64_t>(from[i + 1]),
                              static_cast<std::uint64_t>(from[i + 2]));
    };
    tap_bounds t;
    t.low = wide(0);
    t.high = wide(3);
    t.strips = wide(6);
    t.variance = wide(9);
    t.folded = from[12];
    t.reach = from[13];
    t.mean_y = from[14];
    t.mean_x = from[15];
    return t;
  }
};

class bounded_engine {
 public:
  constexpr bounded_engine(const convolution& conv, const conv_geometry& geometry, const conv_rescale& requantize,
                           const channel_strips& strips, std::int64_t* taps)
      : conv_(conv),
        geometry_(geometry),
        requantize_(requantize),
        strips_(strips),
        taps_(taps),
        single_class_(geometry.single_class()) {}

  constexpr bool single_class() const { return single_class_; }
  constexpr tap_walk taps() const { return tap_walk(geometry_); }
  constexpr std::int64_t inputs() const { return conv_.group_inputs(); }
  constexpr const channel_strips& strips() const { return strips_; }

  // ---- the scales

  constexpr new_scale original_scale(std::int64_t o) const {
    return {requantize_.multiplier_of(o), requantize_.shift_of(o), std::int64_t{1} << 32};
  }
  constexpr scale_pair pair_of(std::int64_t o, const new_scale& chosen) const {
    const std::int32_t s = requantize_.shift_of(o);
    const int shift = s > chosen.shift ? s : chosen.shift;
    return {std::int64_t{requantize_.multiplier_of(o)} << (shift - s),
            std::int64_t{chosen.multiplier} << (shift - chosen.shift), shift, chosen.ratio};
  }

  // ---- the weights

  // Calls f(channel, w, place) for each weight of a tap; w is centered.
  template <class F>
  constexpr void for_each_weight(std::int64_t o, const tap_walk& tap, F f) const {
    const std::int64_t inputs = conv_.group_inputs();
    const std::int64_t first = o / (conv_.output_channels() / conv_.groups) * inputs;
    const std::int32_t zero = weight_zero_point(conv_, o);
    const std::int8_t* weight = conv_.weight.data + conv_.weight.offset({o, tap.d, tap.y, tap.x, 0});
    for (std::int64_t i = 0; i < inputs; ++i) {
      f(first + i, std::int64_t{weight[i * conv_.weight.strides[4]]} - zero, i);
    }
  }
  constexpr bool touched(const tap_walk& tap) const { return single_class_ || tap.touched(); }

  // The new weights that are allowed, centered.
  constexpr code_range allowed(std::int64_t o) const {
    const std::int32_t zero = weight_zero_point(conv_, o);
    return {conv_.weight_range.lo - zero, conv_.weight_range.hi - zero};
  }

  // The best weight in place of w: the width is convex in n, and least where n / w is the narrowest strip's slope.
  constexpr bounded_weight fold_weight(std::int64_t c, std::int64_t w, const scale_pair& scale,
                                       const code_range& range) const {
    const channel_strip strip = strips_[c];
    const std::int64_t size = w < 0 ? -w : w;
    const code_range mirrored = w < 0 ? code_range{-range.hi, -range.lo} : range;
    const std::int64_t below =
        scale.b == 0 ? 0 : floor_div(size * strip.numerator * scale.a, strip.denominator * scale.b);
    const std::int64_t* const pairs = strips_.pairs(c);
    std::int64_t best = mirrored.clamp(below);
    widest_sides widest = climb(pairs, strip.home, strip.count, size * scale.a, best * scale.b);
    if (const std::int64_t n = mirrored.clamp(below + 1); n != best) {
      const widest_sides other = climb(pairs, strip.home, strip.count, size * scale.a, n * scale.b);
      if (other.width < widest.width || (other.width == widest.width && magnitude(n) < magnitude(best))) {
        best = n;
        widest = other;
      }
    }
    const strip_sides sides = strip_sides::unpack(pairs[widest.index]);
    const std::int64_t low = scale.a * size * sides.lower_value - scale.b * best * sides.lower_code;
    const std::int64_t high = low + widest.width;
    const std::int64_t offset = scale.a * w * conv_.input_zp;
    return w < 0 ? bounded_weight{-best, -high - offset, -low - offset}
                 : bounded_weight{best, low - offset, high - offset};
  }

  constexpr void write_weights(std::int64_t o, const scale_pair& scale, const weight_view<std::int8_t>& out) const {
    const code_range range = allowed(o);
    const std::int64_t zero = weight_zero_point(conv_, o);
    for (tap_walk tap(geometry_); tap; tap.next()) {
      const bool folds = touched(tap);
      for_each_weight(o, tap, [&](std::int64_t c, std::int64_t w, std::int64_t i) {
        const std::int64_t n = folds ? fold_weight(c, w, scale, range).n : w;
        out.data[out.offset({o, tap.d, tap.y, tap.x, i})] = static_cast<std::int8_t>(n + zero);
      });
    }
  }

  // All touched taps of an output channel, summed over its input channels and kept for the classes.
  constexpr void sum_taps(std::int64_t o, const scale_pair& scale) const {
    const code_range range = allowed(o);
    for (tap_walk tap(geometry_); tap; tap.next()) {
      tap_bounds sum;
      if (touched(tap)) {
        for_each_weight(o, tap, [&](std::int64_t c, std::int64_t w, std::int64_t) {
          const bounded_weight folded = fold_weight(c, w, scale, range);
          const channel_strip strip = strips_[c];
          const std::int64_t size = w < 0 ? -w : w;
          const std::int64_t n = w < 0 ? -folded.n : folded.n;
          sum.low += folded.low;
          sum.high += folded.high;
          sum.strips += size * strip.width;
          sum.folded += folded.n;
          sum.reach += n < 0 ? -n : n;
          sum.mean_y += w * (strip.mean_y - (std::int64_t{conv_.input_zp} << channel_strip::mean_bits));
          sum.mean_x += folded.n * strip.mean_x;
          sum.variance += variance(strip, size, size * strip.slope - n * scale.ratio);
        });
      }
      sum.save(taps_ + tap.index() * tap_bounds::numbers);
    }
  }

  // Calls f(sums of a class of positions) for every class.
  template <class F>
  constexpr void for_each_class(F f) const {
    for (class_walk positions(geometry_); positions; positions.next()) {
      tap_bounds all;
      for (tap_walk tap = positions.taps(); tap; tap.next()) {
        all.add(tap_bounds::load(taps_ + tap.index() * tap_bounds::numbers));
      }
      f(all);
    }
  }
  constexpr std::int64_t reach() const {
    std::int64_t sum = 0;
    for (tap_walk tap(geometry_); tap; tap.next()) {
      sum += taps_[tap.index() * tap_bounds::numbers + 13];
    }
    return sum;
  }

  // ---- the bias and the bound, from the kept sums

  struct extremes {
    int192 low;
    int192 high;
  };
  // Of a * acc - b * acc' without the biases, over all classes.
  constexpr extremes all_classes(const scale_pair& scale, std::int64_t input_zp) const {
    extremes e;
    bool first = true;
    for_each_class([&](const tap_bounds& sum) {
      const int192 moved = int192(scale.b * input_zp) * sum.folded;
      const int192 low = sum.low + moved;
      const int192 high = sum.high + moved;
      e = first ? extremes{low, high} : extremes{smaller(e.low, low), larger(e.high, high)};
      first = false;
    });
    return e;
  }

  // The bias that leaves the least: the nearest to the middle. Out of int32: the nearest outside.
  static constexpr std::int64_t middle(const extremes& e, std::int64_t bias, const scale_pair& scale) {
    if (scale.b == 0) {
      return 0;
    }
    const int192 twice = ((int192(scale.a) * bias) << 1) + e.low + e.high;
    const int192 step = int192(scale.b) << 1;
    std::int64_t least = int32_min - 1;  // largest n with n * step <= twice
    std::int64_t most = int32_max + 1;
    if (twice < step * least) {
      return least;
    }
    while (least < most) {
      const std::int64_t n = least + (most - least + 1) / 2;
      if (twice < step * n) {
        most = n - 1;
      } else {
        least = n;
      }
    }
    const int192 rest = twice - step * least;
    return rest < int192(scale.b) ? least : least + 1;
  }

  static constexpr int192 largest_difference(const extremes& e, std::int64_t bias, std::int64_t new_bias,
                                             const scale_pair& scale) {
    const int192 base = int192(scale.a) * bias - int192(scale.b) * new_bias;
    return larger(absolute(base + e.low), absolute(base + e.high));
  }

  // What no constants can go below: half the sum of |w| * width, in the class where that is the most.
  constexpr result<code_bound> lower_bound(std::int64_t o) const {
    int192 most;
    for_each_class([&](const tap_bounds& sum) { most = larger(most, sum.strips); });
    return bound_of(most * std::int64_t{requantize_.multiplier_of(o)},
                    requantize_.shift_of(o) + channel_strip::fraction_bits + 1, false);
  }

  // Root mean square for independent codes, in the class where it is the most.
  constexpr code_bound root_mean_square(std::int64_t o, const scale_pair& scale, std::int64_t new_bias,
                                        std::int64_t input_zp) const {
    code_bound most;
    const int192 base = int192(scale.a) * bias_value(conv_, o) - int192(scale.b) * new_bias;
    for_each_class([&](const tap_bounds& sum) {
      const int192 mean = absolute(int192(scale.a) * sum.mean_y - int192(scale.b) * sum.mean_x +
                                   ((base + int192(scale.b * input_zp) * sum.folded) << channel_strip::mean_bits))
                          << (deviation_bits - channel_strip::mean_bits);
      // sqrt(variance), times the original's scale
      const int192 variance = sum.variance.negative() ? int192() : sum.variance;
      const int half_drop = variance.bits() > 62 ? (variance.bits() - 61) / 2 : 0;
      const std::uint64_t root = square_root(variance.bits_from(2 * half_drop));
      const int192 deviation = (int192(static_cast<std::int64_t>(root)) * scale.a) << half_drop;
      const int bits = larger(mean, deviation).bits();
      const int drop = bits > 31 ? bits - 31 : 0;
      const std::uint64_t m = mean.bits_from(drop);
      const std::uint64_t d = deviation.bits_from(drop);
      const int192 both = int192(static_cast<std::int64_t>(square_root(m * m + d * d))) << drop;
      const code_bound rms = bound_of(both, scale.shift + deviation_bits, false).value_or(code_bound{INT64_MAX, 0});
      most = most < rms ? rms : most;
    });
    return most;
  }

 private:
  static constexpr int deviation_bits = 31;  // fraction bits of a deviation of the accumulator
  // E (size * e + d * x)^2 of the deviations, times 2^(2 * deviation_bits); d times 2^32.
  static constexpr int192 variance(const channel_strip& s, std::int64_t size, std::int64_t d) {
    constexpr int bits = 32 + channel_strip::variance_x_bits - channel_strip::covariance_bits;
    const bool fits_words = d < (std::int64_t{1} << 31) && d > -(std::int64_t{1} << 31);
    const std::int64_t dx =
        fits_words ? (d * s.variance_x) >> bits : ((d >> 24) * s.variance_x) * (std::int64_t{1} << (24 - bits));
    return ((int192(s.variance_e) * (size * size)) << (2 * deviation_bits - channel_strip::variance_e_bits)) +
           int192(d) * (2 * size * s.covariance_ex + dx);
  }

  convolution conv_;
  conv_geometry geometry_;
  conv_rescale requantize_;
  channel_strips strips_;
  std::int64_t* taps_;
  bool single_class_;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
