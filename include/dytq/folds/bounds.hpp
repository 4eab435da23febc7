// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of the fold with a proven bound: for each output channel a scale, for each weight the better of two, and
// what is left between the original and the new convolution, exactly.
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
#include <bit>
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

  // ---- the scale

  // Good scales for output channel o, at most `shortlist` of them, the best by the sum of widths first: the best of a
  // scan, refined. -> how many.
  static constexpr std::size_t shortlist = 8;
  constexpr std::size_t find_scales(std::int64_t o, std::array<new_scale, shortlist>& found) const {
    const new_scale same{requantize_.multiplier_of(o), requantize_.shift_of(o), std::int64_t{1} << 32};
    found[0] = same;
    const limits l = limits_of(o);
    if (same.multiplier == 0 || l.need == 0) {
      return 1;
    }
    std::array<trial, block> t{};
    t[0] = make_trial(same.ratio, l.need);
    measure(o, l, t, 1);
    // No weight is rounded: exact, if one input zero point serves all classes.
    const bool promising = t[0].widths == 0;
    if (promising && single_class_) {
      return 1;
    }
    candidates best{.most = static_cast<std::size_t>(code_range{4, shortlist}.clamp((1 << 13) / l.weights))};
    best.insert(t[0]);
    scan(o, l, best);
    std::size_t count = promising ? 1 : 0;
    for (std::size_t i = 0; i < best.count && count < shortlist; ++i) {
      const std::int64_t ratio = best.all[i].ratio;
      const new_scale scale = ratio != same.ratio ? scale_of(ratio, same) : promising ? new_scale{} : same;
      if (scale.multiplier != 0) {
        found[count++] = scale;
      }
    }
    return count == 0 ? 1 : count;
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
  static constexpr int deviation_bits = 31;                   // fraction bits of a deviation of the accumulator
  static constexpr std::size_t block = 16;                    // scales that are measured in one pass over the weights
  static constexpr std::int64_t most_short = 1024;            // weights
  static constexpr int unit = 20;                             // fraction bits of a weight on the grid of a scale
  static constexpr std::int64_t most_widths = INT64_MAX / 4;  // more is as bad
  static constexpr std::int64_t most_need = std::int64_t{1} << 45;  // a ratio of 2^13

  // A scale on trial.
  struct trial {
    std::int64_t ratio = 0;    // to the original's, times 2^32
    std::int64_t inverse = 0;  // need / ratio, times 2^unit
    std::int64_t widths = 0;   // in the original's accumulator, times 2^20

    // The rounding of the bias leaves a quarter of a step on both sides, on average.
    constexpr std::int64_t total() const { return widths + (ratio >> 13); }
  };
  // The best of what was tried.
  struct candidates {
    std::array<trial, shortlist> all = {};
    std::size_t count = 0;
    std::size_t most = shortlist;

    constexpr void insert(const trial& t) {
      std::size_t at = count < most ? count++ : most;
      for (; at > 0 && t.total() < all[at - 1].total(); --at) {
        if (at < most) {
          all[at] = all[at - 1];
        }
      }
      if (at < most) {
        all[at] = t;
      }
    }
  };
  // What the weights of an output channel require of a scale.
  struct limits {
    code_range range;
    std::int64_t need = 0;     // the ratio at which no weight leaves the range, times 2^32
    std::int64_t weights = 0;  // on touched taps
    std::int64_t common = 0;   // the ratio of which every w * slope is a multiple, times 2^32; 0: less than `need`
    std::int64_t slope = 0;    // |slope| of most weights, if there is one of most, times 2^32
  };
  // The greatest fraction of which all others are multiples, as long as it is not too small to be of use.
  struct common_measure {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;

    constexpr void meet(std::int64_t size, std::int64_t other) {
      numerator = static_cast<std::int64_t>(greatest_common_divisor(static_cast<std::uint64_t>(numerator * other),
                                                                    static_cast<std::uint64_t>(size * denominator)));
      denominator *= other;
      const auto common = static_cast<std::int64_t>(
          greatest_common_divisor(static_cast<std::uint64_t>(numerator), static_cast<std::uint64_t>(denominator)));
      numerator /= common;
      denominator /= common;
    }
    constexpr bool useful() const { return denominator < 1 << 16; }  // no ratio that is needed is smaller than 2^-16
    constexpr std::int64_t ratio() const { return useful() ? (numerator << 32) / denominator : 0; }
  };

  static constexpr trial make_trial(std::int64_t ratio, std::int64_t need) {
    const int up = std::countl_zero(static_cast<std::uint64_t>(need)) - 1;
    const int most = up < unit ? up : unit;
    return {ratio, ((need << most) / ratio) << (unit - most)};
  }

  constexpr limits limits_of(std::int64_t o) const {
    limits l{.range = allowed(o)};
    std::int64_t up = 0;
    std::int64_t down = 0;
    std::int64_t votes = 0;
    common_measure common;
    for (tap_walk tap(geometry_); tap; tap.next()) {
      if (!touched(tap)) {
        continue;
      }
      for_each_weight(o, tap, [&](std::int64_t c, std::int64_t w, std::int64_t) {
        const channel_strip strip = strips_[c];
        const std::int64_t v = w * strip.slope;
        up = v > up ? v : up;
        down = v < down ? v : down;
        if (v != 0 && common.useful()) {
          const std::int64_t size = w * strip.numerator;
          common.meet(size < 0 ? -size : size, strip.denominator);
        }
        const std::int64_t slope = strip.slope < 0 ? -strip.slope : strip.slope;
        votes += slope == l.slope ? 1 : -1;
        l.slope = votes < 0 ? slope : l.slope;
        votes = votes < 0 ? 1 : votes;
      });
      l.weights += conv_.group_inputs();
    }
    // A sign that the range does not have is cut off with any scale.
    const std::int64_t a = l.range.hi > 0 ? ceil_div(up, l.range.hi) : 0;
    const std::int64_t b = l.range.lo < 0 ? ceil_div(-down, -l.range.lo) : 0;
    l.need = a > b ? a : b;
    l.need = l.need > most_need ? most_need : l.need;
    l.common = common.ratio() >= l.need ? common.ratio() : 0;
    return l;
  }

  // The widths that one side of the narrowest strip gives: three pairs of sides at once, the others one by one, since
  // hardly any weight gets there.
  struct side {
    const std::int64_t* pairs = nullptr;
    std::int64_t at = 0;     // the third pair
    std::int64_t way = 0;    // to the next one
    std::int64_t count = 0;  // pairs in all
    std::int64_t u[3] = {};
    std::int64_t v[3] = {};  // times |w|

    constexpr side(const std::int64_t* all, std::int64_t home, std::int64_t step, std::int64_t many,
                   std::int64_t scaled)
        : pairs(all), at(home + 2 * step), way(step), count(many) {
      std::int64_t from = home;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int64_t packed = all[from];
        u[k] = static_cast<std::int16_t>(packed);
        v[k] = static_cast<std::int16_t>(packed >> 16) * scaled;
        from += from + step >= 0 && from + step < many ? step : 0;
      }
    }
    constexpr std::int64_t width(std::int64_t step, std::int64_t scaled) const {
      const std::int64_t first = v[0] - step * u[0];
      const std::int64_t second = v[1] - step * u[1];
      const std::int64_t third = v[2] - step * u[2];
      const std::int64_t nearest = first > second ? first : second;
      return third > nearest ? farther(step, scaled, third) : nearest;
    }
    [[gnu::noinline]] constexpr std::int64_t farther(std::int64_t step, std::int64_t scaled, std::int64_t best) const {
      for (std::int64_t k = at + way; k >= 0 && k < count; k += way) {
        const std::int64_t next =
            static_cast<std::int16_t>(pairs[k] >> 16) * scaled - step * static_cast<std::int16_t>(pairs[k]);
        if (next <= best) {
          break;
        }
        best = next;
      }
      return best;
    }
  };

  // Adds up what the best weights leave, for each scale on trial.
  constexpr void measure(std::int64_t o, const limits& l, std::array<trial, block>& t, std::size_t count) const {
    // need has about 30 bits after the shift, so that a weight on its grid has `unit` of fraction
    const int bits = 64 - std::countl_zero(static_cast<std::uint64_t>(l.need));
    const int coarse = bits > 30 ? bits - 30 : 0;
    const std::int64_t need = l.need >> coarse;
    for (std::size_t j = 0; j < count; ++j) {
      t[j].widths = 0;
    }
    for (tap_walk tap(geometry_); tap; tap.next()) {
      if (!touched(tap)) {
        continue;
      }
      for_each_weight(o, tap, [&](std::int64_t c, std::int64_t w, std::int64_t) {
        const channel_strip strip = strips_[c];
        const std::int64_t size = w < 0 ? -w : w;
        const code_range range = w < 0 ? code_range{-l.range.hi, -l.range.lo} : l.range;
        const std::int64_t on_grid = floor_div(((size * strip.slope) >> coarse) << unit, need);
        const std::int64_t scaled = size << channel_strip::fraction_bits;
        const side flatter(strips_.pairs(c), strip.home, -1, strip.count, scaled);
        const side steeper(strips_.pairs(c), strip.home + 1 < strip.count ? strip.home + 1 : strip.home, 1, strip.count,
                           scaled);
        for (std::size_t j = 0; j < count; ++j) {
          const std::int64_t below = (on_grid * t[j].inverse) >> (2 * unit);
          const std::int64_t n = below < range.hi ? below : range.hi;
          const std::int64_t next = below + 1 > range.lo ? below + 1 : range.lo;
          const std::int64_t one = n >= range.lo ? flatter.width(n * t[j].ratio, scaled) : INT64_MAX;
          const std::int64_t other = next <= range.hi ? steeper.width(next * t[j].ratio, scaled) : INT64_MAX;
          const std::int64_t width = one < other ? one : other;
          t[j].widths = t[j].widths > most_widths ? most_widths : t[j].widths + (width >> 12);
        }
      });
    }
  }

  // Ratios that are measured a block at a time, each for the list that it may get into.
  class queue {
   public:
    constexpr queue(const bounded_engine& engine, std::int64_t o, const limits& l)
        : engine_(engine), o_(o), limits_(l) {}
    constexpr void add(std::int64_t ratio, candidates& list) {
      if (ratio > 0) {
        list_[count_] = &list;
        trials_[count_++] = make_trial(ratio, limits_.need);
      }
      if (count_ == block) {
        flush();
      }
    }
    constexpr void flush() {
      if (count_ != 0) {
        engine_.measure(o_, limits_, trials_, count_);
      }
      for (std::size_t j = 0; j < count_; ++j) {
        list_[j]->insert(trials_[j]);
      }
      count_ = 0;
    }

   private:
    const bounded_engine& engine_;
    std::int64_t o_;
    const limits& limits_;
    std::array<trial, block> trials_{};
    std::array<candidates*, block> list_{};
    std::size_t count_ = 0;
  };

  // Long sums are smooth in the scale, and gain where a few weights are cut off; short ones are neither. So few points
  // on a wide range, or many on a narrow one; then between the points, around each of the best.
  constexpr void scan(std::int64_t o, const limits& l, candidates& best) const {
    const bool is_long = l.weights > most_short;
    queue ratios(*this, o, l);
    std::int64_t step = l.need / 32;
    ratios.add(l.need, best);
    ratios.add(l.common / (l.common > l.need ? l.common / l.need : 1), best);
    ratios.add(l.slope / (l.slope > l.need ? l.slope / l.need : 1), best);
    if (is_long) {
      for (std::int64_t r = l.need + l.need / 4; r > l.need / 4; r -= r / 12) {
        ratios.add(r, best);
      }
    } else {
      const std::int64_t low = l.need / 2;
      const std::int64_t high = 2 * l.need;
      const std::int64_t points = code_range{64, 192}.clamp((std::int64_t{1} << 14) / l.weights);
      step = (high - low) / points + 1;
      for (std::int64_t i = 0; i <= points; ++i) {
        ratios.add(low + i * step, best);
      }
    }
    ratios.flush();
    std::array<candidates, shortlist> nearest{};
    for (std::size_t i = 0; i < best.count; ++i) {
      nearest[i].most = 1;
      nearest[i].insert(best.all[i]);
    }
    for (std::int64_t around = step / 4; around > (is_long ? l.need >> 10 : l.need >> 14); around /= 4) {
      for (std::size_t i = 0; i < best.count; ++i) {
        const std::int64_t center = nearest[i].all[0].ratio;
        for (const std::int64_t k : {-3, -2, -1, 1, 2, 3}) {
          ratios.add(center + k * around, nearest[i]);
        }
      }
      ratios.flush();
    }
    best.count = 0;
    best.most = is_long ? 1 : best.most;
    for (const candidates& one : nearest) {
      if (one.count != 0) {
        best.insert(one.all[0]);
      }
    }
  }

  // ratio * multiplier / 2^shift as another multiplier and shift; multiplier 0: there is none.
  static constexpr new_scale scale_of(std::int64_t ratio, const new_scale& same) {
    int down = 64 - std::countl_zero(static_cast<std::uint64_t>(ratio)) - 32;
    down = down > 0 ? down : 0;
    std::int64_t m = (ratio >> down) * same.multiplier;  // below 2^63
    int shift = same.shift + 32 - down;
    const auto halve = [&](int by) {
      m = by > 62 ? 0 : by > 0 ? rounding_shift_right(m, by) : m;
      shift -= by;
    };
    const int bits = 64 - std::countl_zero(static_cast<std::uint64_t>(m));
    if (bits < 31) {
      m <<= 31 - bits;
      shift += 31 - bits;
    }
    halve(bits > 31 ? bits - 31 : 0);
    // a = multiplier << (shift - same.shift) stays below 2^45
    const int wide = 32 - std::countl_zero(static_cast<std::uint32_t>(same.multiplier)) + shift - same.shift;
    halve(wide > 45 ? wide - 45 : 0);
    halve(shift > max_shift ? shift - max_shift : 0);
    if (m > int32_max) {
      halve(1);
    }
    if (m <= 0 || shift < min_shift) {
      return {};
    }
    // b / a of the rounded multiplier
    const int up = std::countl_zero(static_cast<std::uint64_t>(m)) - 1;
    const int left = 32 + same.shift - shift - up;  // m * 2^(up + left) / multiplier = ratio * 2^32
    const std::int64_t quotient = (m << up) / same.multiplier;
    return {static_cast<std::int32_t>(m), shift, left >= 0 ? quotient << left : left > -63 ? quotient >> -left : 0};
  }

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
