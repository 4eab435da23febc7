// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Up to 256 weights side by side, each with the line of its channel: the inner loops of a fold.
//
// A line is proven from the extremes that its lane meets over many rows of weights, and a folded code is one multiply:
// where n = w * numerator / denominator is an integer, the denominator's odd part is divided by multiplying with its
// inverse modulo 2^16, and its powers of two by multiplying with 2^(8 - s) and taking the upper byte. So every line
// costs the same. Each loop has a fixed length, writes to arrays that nothing else can be, and keeps to one or two
// widths: that is what compilers vectorize at -O2.
#ifndef DYTQ_WEIGHT_LANES_HPP
#define DYTQ_WEIGHT_LANES_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "channel_line.hpp"
#include "codes.hpp"
#include "integer.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

namespace detail {

/// Whose weights the lanes are: lane l has the line of channel first + l / repeat % period * step. Either all lanes
/// belong to one output channel (`across`), or lane `begin` belongs to `output` and the others to those behind it.
struct lane_source {
  view<const channel_line> lines;
  view<const std::int8_t> zero_points;  ///< of the weights, as in a convolution
  std::int32_t input_zp = 0;
  std::int64_t first = 0;
  std::int64_t repeat = 1;
  std::int64_t period = 1;
  std::int64_t step = 1;
  std::int64_t output = 0;
  bool across = true;
};

template <std::size_t Capacity>
class weight_lanes {
 public:
  static constexpr std::int64_t capacity = static_cast<std::int64_t>(Capacity);
  /// Rows that `widen` takes at a time.
  static constexpr std::size_t batch = 4;
  /// Rows that fit into the sums of lanes.
  static constexpr std::int64_t row_limit = 256;

 private:
  // Before their use, since clang instantiates no constexpr function that it meets later.
  static constexpr std::size_t short_run = 32;

  static constexpr std::uint8_t biased(std::int8_t code) { return static_cast<std::uint8_t>(code + 128); }

  template <std::size_t N>
  constexpr void widen_run(std::size_t at, const std::int8_t* p, const std::int8_t* q, const std::int8_t* r,
                           const std::int8_t* s) {
    std::uint8_t low[N];
    std::uint8_t high[N];
    for (std::size_t i = 0; i < N; ++i) {
      const std::uint8_t a = biased(p[i]);
      const std::uint8_t b = biased(q[i]);
      const std::uint8_t c = biased(r[i]);
      const std::uint8_t d = biased(s[i]);
      const std::uint8_t ab = a < b ? a : b;
      const std::uint8_t cd = c < d ? c : d;
      const std::uint8_t least = ab < cd ? ab : cd;
      const std::uint8_t most_ab = a > b ? a : b;
      const std::uint8_t most_cd = c > d ? c : d;
      const std::uint8_t most = most_ab > most_cd ? most_ab : most_cd;
      low[i] = least < low_[at + i] ? least : low_[at + i];
      high[i] = most > high_[at + i] ? most : high_[at + i];
    }
    for (std::size_t i = 0; i < N; ++i) {
      low_[at + i] = low[i];
    }
    for (std::size_t i = 0; i < N; ++i) {
      high_[at + i] = high[i];
    }
  }

  // Codes that the extremes of N lanes become; the lines are integers.
  constexpr code_range extremes_of_run(std::size_t at) const {
    auto least = static_cast<std::int16_t>(int16_range.hi);
    auto most = static_cast<std::int16_t>(int16_range.lo);
    for (std::size_t i = at; i < at + short_run; ++i) {
      const auto a = static_cast<std::int16_t>((low_[i] - 128 - zero_point_[i]) * numerator_[i] + zero_point_[i]);
      const auto b = static_cast<std::int16_t>((high_[i] - 128 - zero_point_[i]) * numerator_[i] + zero_point_[i]);
      const std::int16_t lower = a < b ? a : b;
      const std::int16_t upper = a > b ? a : b;
      least = lower < least ? lower : least;
      most = upper > most ? upper : most;
    }
    return {least, most};
  }

  // |factor| < 2^15: 256 products with a byte fit int32.
  template <std::size_t N>
  static constexpr std::int32_t dot(const std::int8_t* p, const std::int16_t (&factors)[Capacity], std::size_t at) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
      sum += static_cast<std::int16_t>(biased(p[i])) * factors[at + i];
    }
    return sum;
  }

  template <std::size_t N>
  static constexpr void tally(const std::int8_t* p, std::uint16_t* sums) {
    std::uint16_t sum[N];
    for (std::size_t i = 0; i < N; ++i) {
      sum[i] = static_cast<std::uint16_t>(sums[i] + biased(p[i]));
    }
    for (std::size_t i = 0; i < N; ++i) {
      sums[i] = sum[i];
    }
  }

  template <std::size_t N>
  static constexpr std::int64_t differences(const std::int8_t* p, const std::int8_t* q) {
    static_assert(N < 256);
    std::uint8_t count = 0;
    for (std::size_t i = 0; i < N; ++i) {
      count = static_cast<std::uint8_t>(count + (p[i] != q[i] ? 1 : 0));
    }
    return count;
  }

  template <std::size_t N>
  constexpr void write_run(std::size_t run, const std::int8_t* in, std::int8_t* out, bool sums) {
    const std::size_t at = run * N;
    std::int8_t made[N];
    for (std::size_t i = 0; i < N; ++i) {
      const auto product = static_cast<std::uint16_t>(std::uint32_t{biased(in[i])} * factor_[at + i]);
      made[i] = static_cast<std::int8_t>(static_cast<std::uint16_t>(product + addend_[at + i]) >> 8);
    }
    constexpr std::size_t part = N < 256 ? N : N / 2;
    for (std::size_t i = 0; i < N && !identity_; i += part) {
      changed_ += differences<part>(in + i, made + i);
    }
    if (sums) {
      if (across_) {
        sum_ += dot<N>(in, offset_, at);
      } else {
        tally<N>(in, read_ + at);
      }
    }
    if (sums && !simple_) {
      if (across_) {
        sum_ += dot<N>(made, fraction_, at);
      } else {
        tally<N>(made, made_ + at);
      }
    }
    for (std::size_t i = 0; i < N; ++i) {
      out[i] = made[i];
    }
  }

  // What some lines have in common. Reductions are what costs here, so there are few.
  struct kinds {
    std::uint16_t unusual = 0;       // bits of what some line is beyond the limits below; 0: none is
    std::uint16_t not_identity = 0;  // bits of a slope other than 1
    std::int16_t offset[2] = {0, 0};

    // Lines of integers, slope in [-64, 64), delta and value in [-256, 256): products and offsets fit int16.
    static constexpr std::uint16_t beyond(std::int32_t denominator, std::int32_t slope, std::int32_t delta,
                                          std::int32_t value) {
      return static_cast<std::uint16_t>((denominator ^ 1) | ((slope + 64) & ~127) | ((delta + 256) & ~511) |
                                        ((value + 256) & ~511));
    }
  };
  // Takes N lines, as if they were simple.
  template <std::size_t N>
  constexpr void convert_run(const channel_line* lines, std::size_t at, std::int16_t r, std::int16_t input_zp,
                             kinds& met) {
    std::int16_t slopes[N];
    std::int16_t offsets[N];
    std::uint16_t factors[N];
    std::uint16_t addends[N];
    kinds k = met;
    for (std::size_t i = 0; i < N; ++i) {
      const std::int16_t slope = lines[i].numerator;
      const auto delta = static_cast<std::int16_t>(lines[i].first_delta + r);
      const auto value = static_cast<std::int16_t>(lines[i].first_value - input_zp);
      const auto offset = static_cast<std::int16_t>(value - delta * slope);
      k.unusual = static_cast<std::uint16_t>(k.unusual | kinds::beyond(lines[i].denominator, slope, delta, value));
      k.not_identity = static_cast<std::uint16_t>(k.not_identity | (slope ^ 1));
      k.offset[0] = offset < k.offset[0] ? offset : k.offset[0];
      k.offset[1] = offset > k.offset[1] ? offset : k.offset[1];
      slopes[i] = slope;
      offsets[i] = offset;
      factors[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(slope) << 8);
      addends[i] = addend(zero_point_[at + i], factors[i]);
    }
    met = k;
    for (std::size_t i = 0; i < N; ++i) {
      numerator_[at + i] = slopes[i];
    }
    for (std::size_t i = 0; i < N; ++i) {
      offset_[at + i] = offsets[i];
    }
    for (std::size_t i = 0; i < N; ++i) {
      factor_[at + i] = factors[i];
    }
    for (std::size_t i = 0; i < N; ++i) {
      addend_[at + i] = addends[i];
    }
  }
  // What makes (w + zp + 128) * factor + addend the folded code in the upper byte.
  static constexpr std::uint16_t addend(std::int16_t zero_point, std::uint16_t factor) {
    const auto zp = static_cast<std::uint32_t>(std::int32_t{zero_point});
    return static_cast<std::uint16_t>((zp << 8) - (zp + 128) * factor);
  }

  // numerator / denominator * 2^8 modulo 2^16, where the denominator divides every weight after cancelling.
  static constexpr std::uint16_t factor_of(std::int32_t numerator, std::int32_t denominator) {
    if (denominator == 0) {
      return 0;  // its weights are 0
    }
    const std::uint64_t divisor = greatest_common_divisor(magnitude(numerator), magnitude(denominator));
    const auto rest = static_cast<std::uint32_t>(magnitude(denominator) / divisor);
    const std::uint32_t twos = rest & (0 - rest);
    const std::uint32_t odd = rest / twos;
    std::uint32_t factor = odd;  // 1 / odd modulo 2^3, then 2^6, 2^12, 2^24
    for (int i = 0; i < 3; ++i) {
      factor *= 2 - odd * factor;
    }
    factor *= static_cast<std::uint32_t>(magnitude(numerator) / divisor);
    factor = (numerator < 0) != (denominator < 0) ? 0 - factor : factor;
    return static_cast<std::uint16_t>(twos > 256 ? 0 : factor * (256 / twos));  // |w| < 2^8: beyond, every weight is 0
  }

  // Takes any lines: an offset times the weight, and a fraction times the folded weight.
  constexpr void convert_any(const channel_line* lines, std::int16_t r, std::int32_t input_zp) {
    largest_offset_ = 0;
    has_quotient_ = false;
    for (std::size_t i = 0; i < padded_; ++i) {
      const std::int64_t numerator = lines[i].numerator;
      const std::int64_t denominator = lines[i].denominator;
      const std::int64_t delta = lines[i].first_delta + r;
      const std::int64_t value = lines[i].first_value - input_zp;
      const std::int64_t offset = denominator == 0 ? 0 : value * denominator - delta * numerator;
      const bool whole = denominator == 0 || (denominator == 1 && fits<std::int16_t>(offset));
      has_quotient_ = has_quotient_ || (denominator != 0 && denominator != 1);
      numerator_[i] = lines[i].numerator;
      denominator_[i] = lines[i].denominator;
      factor_[i] = factor_of(lines[i].numerator, lines[i].denominator);
      addend_[i] = addend(zero_point_[i], factor_[i]);
      offset_[i] = static_cast<std::int16_t>(whole ? offset : value);
      fraction_[i] = static_cast<std::int16_t>(whole ? 0 : -delta);
      if (offset != 0) {
        const std::uint64_t divisor = magnitude(denominator);
        const auto most = static_cast<std::int64_t>((magnitude(offset) + divisor - 1) / divisor);
        largest_offset_ = most > largest_offset_ ? most : largest_offset_;
      }
    }
  }

  constexpr void convert(const channel_line* lines, std::int64_t r, std::int32_t input_zp) {
    kinds met;
    const auto offset = static_cast<std::int16_t>(r);
    const auto zp = static_cast<std::int16_t>(input_zp);
    if (padded_ == Capacity) {
      convert_run<Capacity>(lines, 0, offset, zp, met);
    } else {
      for (std::size_t at = 0; at < padded_; at += short_run) {
        convert_run<short_run>(lines + at, at, offset, zp, met);
      }
    }
    simple_ = met.unusual == 0;
    identity_ = simple_ && met.not_identity == 0;
    has_quotient_ = false;
    largest_offset_ = -met.offset[0] > met.offset[1] ? -met.offset[0] : met.offset[1];
    if (!simple_) {
      convert_any(lines, offset, input_zp);
    }
  }

  // The lines of all lanes, copied one behind the other, and behind them lines that add nothing.
  constexpr void convert_copies(const lane_source& from, std::int64_t begin, std::int64_t r) {
    std::array<channel_line, Capacity> lines;
    const channel_line* const first = from.lines.data + from.lines.offset({from.first});
    const auto step = static_cast<std::ptrdiff_t>(from.step * from.lines.strides[0]);
    std::int64_t sub = begin % from.repeat;
    std::int64_t index = begin / from.repeat % from.period;
    for (std::size_t i = 0; i < count_; ++i) {
      lines[i] = first[static_cast<std::ptrdiff_t>(index) * step];
      sub = sub + 1 == from.repeat ? 0 : sub + 1;
      index = sub != 0 ? index : index + 1 == from.period ? 0 : index + 1;
    }
    for (std::size_t i = count_; i < padded_; ++i) {
      lines[i] = {.denominator = 0};
    }
    convert(lines.data(), r, from.input_zp);
  }

  constexpr void load_zero_points(const lane_source& from) {
    const view<const std::int8_t>& zps = from.zero_points;
    const std::int64_t entry = zps.extent(0) == 1 ? 0 : from.output;
    if (from.across || zps.extent(0) <= 1) {
      const std::int32_t zero_point = zps.absent() ? 0 : zps.data[zps.offset({entry})];
      for (std::size_t i = 0; i < Capacity && zero_point != shared_zero_point_; ++i) {
        zero_point_[i] = static_cast<std::int16_t>(zero_point);
      }
      shared_zero_point_ = zero_point;
      return;
    }
    shared_zero_point_ = int32_min;
    for (std::size_t i = 0; i < padded_; ++i) {
      zero_point_[i] = i < count_ ? zps.data[zps.offset({entry + static_cast<std::int64_t>(i)})] : std::int8_t{0};
    }
  }

  static constexpr void copy(const std::int8_t* from, std::int64_t stride, std::size_t count, std::int8_t* to,
                             std::int64_t to_stride) {
    if (stride == 1 && to_stride == 1) {
      for (std::size_t i = 0; i < count; ++i) {
        to[i] = from[i];
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto lane = static_cast<std::ptrdiff_t>(i);
      to[lane * static_cast<std::ptrdiff_t>(to_stride)] = from[lane * static_cast<std::ptrdiff_t>(stride)];
    }
  }

  static constexpr void clear(std::uint16_t* sums) {
    for (std::size_t i = 0; i < short_run; ++i) {
      sums[i] = 0;
    }
  }
  constexpr void clear_tallies() {
    rows_ = 0;
    for (std::size_t at = 0; at < padded_ && !across_ && largest_offset_ != 0; at += short_run) {
      clear(read_ + at);
      if (!simple_) {
        clear(made_ + at);
      }
    }
  }

  // |factor| < 2^15 and `row_limit` rows: the products fit int32.
  constexpr void add_tallies(std::size_t at, const std::uint16_t* tallies, const std::int16_t* factors,
                             std::uint32_t* sums) const {
    std::uint32_t sum[short_run];
    const auto rows = static_cast<std::int32_t>(rows_);
    for (std::size_t i = 0; i < short_run; ++i) {
      sum[i] = sums[i] + static_cast<std::uint32_t>((tallies[i] - rows * (128 + zero_point_[at + i])) * factors[i]);
    }
    for (std::size_t i = 0; i < short_run; ++i) {
      sums[i] = sum[i];
    }
  }

  constexpr void widen_all(const std::array<const std::int8_t*, batch>& p) {
    if (padded_ == Capacity) {
      widen_run<Capacity>(0, p[0], p[1], p[2], p[3]);
      return;
    }
    for (std::size_t at = 0; at < padded_; at += short_run) {
      widen_run<short_run>(at, p[0] + at, p[1] + at, p[2] + at, p[3] + at);
    }
  }
  constexpr void write_all(const std::int8_t* in, std::int8_t* out, bool sums) {
    if (padded_ == Capacity) {
      write_run<Capacity>(0, in, out, sums);
      return;
    }
    for (std::size_t at = 0; at < padded_; at += short_run) {
      write_run<short_run>(at / short_run, in + at, out + at, sums);
    }
  }

 public:
  constexpr weight_lanes() {}  // the arrays are filled before they are read

  /// Takes the lines of lanes begin, ..., begin + count - 1 for the offset r. Range: |first_delta|, |r| < 2^14.
  constexpr void load(const lane_source& from, std::int64_t begin, std::int64_t count, std::int64_t r) {
    count_ = static_cast<std::size_t>(count);
    padded_ = (count_ + short_run - 1) / short_run * short_run;
    across_ = from.across;
    load_zero_points(from);
    const std::int64_t index = begin % from.period;
    const bool in_order = from.repeat == 1 && from.step * from.lines.strides[0] == 1 &&
                          index + static_cast<std::int64_t>(count_) <= from.period;
    if (in_order && padded_ == count_) {
      convert(from.lines.data + from.lines.offset({from.first + index}), r, from.input_zp);
    } else {
      convert_copies(from, begin, r);
    }
  }

  /// The largest magnitude of first_value - input_zp - slope * (first_delta + r), rounded up.
  constexpr std::int64_t largest_offset() const { return largest_offset_; }

  constexpr void forget_extremes() {
    for (std::size_t i = 0; i < padded_; ++i) {
      low_[i] = 255;
    }
    for (std::size_t i = 0; i < padded_; ++i) {
      high_[i] = 0;
    }
  }

  /// Remembers the extremes of each lane in some rows of weights.
  constexpr void widen(const std::array<const std::int8_t*, batch>& rows, std::int64_t stride) {
    if (stride == 1 && padded_ == count_) {
      widen_all(rows);
      return;
    }
    std::int8_t gathered[batch][Capacity];
    for (std::size_t b = 0; b < batch; ++b) {
      copy(rows[b], stride, count_, gathered[b], 1);
      for (std::size_t i = count_; i < padded_; ++i) {
        gathered[b][i] = static_cast<std::int8_t>(zero_point_[i]);
      }
    }
    widen_all({gathered[0], gathered[1], gathered[2], gathered[3]});
  }

  constexpr bool has_quotient() const { return has_quotient_; }
  /// Is the folded weight an integer in every lane of a row that has a slope?
  constexpr bool divides(const std::int8_t* row, std::int64_t stride) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int32_t w = row[static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(stride)] - zero_point_[i];
      const std::int32_t denominator = denominator_[i];
      if (denominator != 1 && denominator != 0 && w * numerator_[i] % denominator != 0) {
        return false;
      }
    }
    return true;
  }
  /// Are the folded codes of what `widen` met, integers all, in the range? Without a slope every weight must be 0.
  constexpr bool contained_in(const code_range& range) const {
    std::size_t done = 0;
    if (simple_) {
      code_range met{int16_range.hi, int16_range.lo};
      for (; done + short_run <= count_; done += short_run) {
        const code_range run = extremes_of_run(done);
        met = {run.lo < met.lo ? run.lo : met.lo, run.hi > met.hi ? run.hi : met.hi};
      }
      if (done > 0 && !range.contains(met)) {
        return false;
      }
    }
    for (std::size_t i = done; i < count_; ++i) {
      for (const std::uint8_t code : {low_[i], high_[i]}) {
        const std::int64_t w = code - 128 - zero_point_[i];
        const std::int64_t denominator = simple_ ? 1 : denominator_[i];
        const std::int64_t n = denominator == 0 ? 0 : w * numerator_[i] / denominator;
        if ((denominator == 0 && w != 0) || !range.contains(n + zero_point_[i])) {
          return false;
        }
      }
    }
    return true;
  }

  /// Writes the folded codes of a row whose lines are proven; `out` may be `in`. `counts`: the row is in the sums.
  constexpr void write(const std::int8_t* in, std::int64_t stride, std::int8_t* out, std::int64_t out_stride,
                       bool counts) {
    const bool sums = counts && largest_offset_ != 0;
    rows_ += sums ? 1 : 0;
    if (stride == 1 && out_stride == 1 && padded_ == count_) {
      write_all(in, out, sums);
      return;
    }
    std::int8_t row[Capacity];
    copy(in, stride, count_, row, 1);
    for (std::size_t i = count_; i < padded_; ++i) {
      row[i] = static_cast<std::int8_t>(zero_point_[i]);
    }
    write_all(row, row, sums);
    copy(row, 1, count_, out, out_stride);
  }

  /// Copies a row that no output position reads.
  constexpr void pass(const std::int8_t* in, std::int64_t stride, std::int8_t* out, std::int64_t out_stride) const {
    copy(in, stride, count_, out, out_stride);
  }

  /// Leaves a lane out of the sums.
  constexpr void leave_out(std::size_t lane) {
    offset_[lane] = 0;
    fraction_[lane] = 0;
  }
  /// Begins sums; after `load` and `leave_out`, before the first row.
  constexpr void begin_sums() {
    sum_ = 0;
    constant_ = 0;
    for (std::size_t i = 0; i < padded_ && across_ && largest_offset_ != 0; ++i) {
      constant_ += (offset_[i] + (!simple_ ? fraction_[i] : 0)) * (128 + zero_point_[i]);
    }
    clear_tallies();
  }
  /// The sum over the rows since the last call, of all lanes, modulo 2^32.
  constexpr std::uint32_t take_sum() {
    const auto sum = static_cast<std::uint32_t>(sum_ - rows_ * constant_);
    sum_ = 0;
    rows_ = 0;
    return sum;
  }
  /// Adds the same of each lane. It must be called before `rows` exceeds `row_limit`.
  constexpr void take_sums(std::array<std::uint32_t, Capacity>& sums) {
    for (std::size_t at = 0; at < padded_ && rows_ != 0; at += short_run) {
      add_tallies(at, read_ + at, offset_ + at, sums.data() + at);
      if (!simple_) {
        add_tallies(at, made_ + at, fraction_ + at, sums.data() + at);
      }
    }
    if (rows_ == row_limit) {
      clear_tallies();
    }
  }
  constexpr std::int64_t rows() const { return rows_; }

  /// How many weights `write` has changed.
  constexpr std::int64_t changed() const { return changed_; }

 private:
  std::size_t count_ = 0;
  std::size_t padded_ = 0;
  bool across_ = true;
  bool identity_ = false;
  bool simple_ = true;
  bool has_quotient_ = false;
  std::int32_t shared_zero_point_ = int32_min;
  std::int64_t largest_offset_ = 0;
  std::int64_t constant_ = 0;
  std::int64_t sum_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t changed_ = 0;
  alignas(32) std::int16_t numerator_[Capacity];
  alignas(32) std::int16_t denominator_[Capacity];  // if not simple, as the fractions
  alignas(32) std::int16_t zero_point_[Capacity];
  alignas(32) std::int16_t offset_[Capacity];
  alignas(32) std::int16_t fraction_[Capacity];
  alignas(32) std::uint16_t factor_[Capacity];
  alignas(32) std::uint16_t addend_[Capacity];
  alignas(32) std::uint16_t read_[Capacity];
  alignas(32) std::uint16_t made_[Capacity];
  alignas(32) std::uint8_t low_[Capacity];
  alignas(32) std::uint8_t high_[Capacity];
};

}  // namespace detail

}  // namespace dytq::inline v0

#endif
