// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales for a fold with a proven bound: the search among them. No bound relies on what it finds being the best.
#ifndef DYTQ_FOLDS_SCALE_SEARCH_HPP
#define DYTQ_FOLDS_SCALE_SEARCH_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/strip.hpp"
#include "../operators/geometry.hpp"
#include "bounds.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

class scale_search {
 public:
  constexpr explicit scale_search(const bounded_engine& engine) : engine_(engine) {}

  // Good scales for output channel o, at most `shortlist` of them, the best by the sum of widths first: the best of a
  // scan, refined. -> how many.
  static constexpr std::size_t shortlist = 8;
  constexpr std::size_t find(std::int64_t o, std::array<new_scale, shortlist>& found) const {
    const new_scale same = engine_.original_scale(o);
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
    if (promising && engine_.single_class()) {
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

 private:
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
    limits l{.range = engine_.allowed(o)};
    std::int64_t up = 0;
    std::int64_t down = 0;
    std::int64_t votes = 0;
    common_measure common;
    for (tap_walk tap = engine_.taps(); tap; tap.next()) {
      if (!engine_.touched(tap)) {
        continue;
      }
      engine_.for_each_weight(o, tap, [&](std::int64_t c, std::int64_t w, std::int64_t) {
        const channel_strip strip = engine_.strips()[c];
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
      l.weights += engine_.inputs();
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
    for (tap_walk tap = engine_.taps(); tap; tap.next()) {
      if (!engine_.touched(tap)) {
        continue;
      }
      engine_.for_each_weight(o, tap, [&](std::int64_t c, std::int64_t w, std::int64_t) {
        const channel_strip strip = engine_.strips()[c];
        const std::int64_t size = w < 0 ? -w : w;
        const code_range range = w < 0 ? code_range{-l.range.hi, -l.range.lo} : l.range;
        const std::int64_t on_grid = floor_div(((size * strip.slope) >> coarse) << unit, need);
        const std::int64_t scaled = size << channel_strip::fraction_bits;
        const side flatter(engine_.strips().pairs(c), strip.home, -1, strip.count, scaled);
        const side steeper(engine_.strips().pairs(c), strip.home + 1 < strip.count ? strip.home + 1 : strip.home, 1,
                           strip.count, scaled);
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
    constexpr queue(const scale_search& search, std::int64_t o, const limits& l) : search_(search), o_(o), limits_(l) {}
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
        search_.measure(o_, limits_, trials_, count_);
      }
      for (std::size_t j = 0; j < count_; ++j) {
        list_[j]->insert(trials_[j]);
      }
      count_ = 0;
    }

   private:
    const scale_search& search_;
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

  const bounded_engine& engine_;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
