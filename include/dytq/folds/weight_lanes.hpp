// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many weights side by side, each with the line of its channel: what a fold proves of their rows, and what it writes.
#ifndef DYTQ_FOLDS_WEIGHT_LANES_HPP
#define DYTQ_FOLDS_WEIGHT_LANES_HPP

#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "channel_line.hpp"
#include "lane_lines.hpp"
#include "weight_factors.hpp"
#include "weight_runs.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// Codes with a stride, to side by side; behind the last, fill.
template <std::size_t N>
constexpr void gather(const std::int8_t* from, std::ptrdiff_t stride, std::size_t count, std::int8_t fill,
                      std::int8_t* to) {
  if (stride == 1) {
    move_numbers(from, to, count);
  }
  for (std::size_t i = stride == 1 ? count : 0; i < N; ++i) {
    to[i] = i < count ? from[static_cast<std::ptrdiff_t>(i) * stride] : fill;
  }
}
template <class Code>
constexpr void scatter(const Code* from, std::size_t count, Code* to, std::ptrdiff_t stride) {
  if (stride == 1) {
    move_numbers(from, to, count);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    to[static_cast<std::ptrdiff_t>(i) * stride] = from[i];
  }
}

/// Is every folded weight an integer, and in its range?
template <std::size_t Capacity>
class proof_lanes {
 public:
  constexpr proof_lanes() {}  // the arrays are filled before they are read

  /// Takes the lines of lanes, and forgets the rows that it has met.
  constexpr void load(const lane_source<>& from) {
    count_ = static_cast<std::size_t>(from.count);
    zero_points_.load(from);
    const simple_offset offset_of{from.r, static_cast<std::int16_t>(from.input_zp)};
    line_summary<> met;
    for_each_run(count_, [&]<std::size_t N>(std::size_t at) {
      fill_run<N, std::uint8_t>(255, low_.lane + at);
      fill_run<N, std::uint8_t>(0, high_.lane + at);
    });
    const lane_source<> once = from.each_line_once();
    for_each_run(static_cast<std::size_t>(once.count), [&]<std::size_t N>(std::size_t at) {
      once.with_lines<N>(at, 4, [&](const line_run& lines) { judge_lines<N>(lines, offset_of, met); });
    });
    simple_ = met.simple();
    identity_ = met.identity();
    slopes_ = {met.slope[0], met.slope[1]};
    has_quotient_ = false;
    largest_offset_ = met.largest_offset();
    if (!simple_) {
      load_any(from);
    }
  }

  constexpr line_kind kind() const {
    const bool plain = simple_ && largest_offset_ == 0;
    return plain ? identity_ ? line_kind::identity : line_kind::plain : line_kind::any;
  }
  /// The largest magnitude of first_value - input_zp - slope * (first_delta + r), rounded up.
  constexpr std::int64_t largest_offset() const { return largest_offset_; }
  /// Is this proven whatever the weights are?
  constexpr bool holds_for_any(const code_range& range) const { return identity_ && range.contains(int8_range); }

  /// Takes some rows of weights.
  constexpr void widen(const std::int8_t* const (&rows)[widen_batch], std::int64_t stride) {
    for_each_run(count_, [&]<std::size_t N>(std::size_t at) {
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(at) * static_cast<std::ptrdiff_t>(stride);
      const std::int8_t* parts[widen_batch]{};
      if (stride == 1 && at + N <= count_) {
        for (std::size_t b = 0; b < widen_batch; ++b) {
          parts[b] = rows[b] + first;
        }
        detail::widen<N>(parts, at, low_, high_);
        return;
      }
      std::int8_t side_by_side[widen_batch][N];
      for (std::size_t b = 0; b < widen_batch; ++b) {
        gather<N>(rows[b] + first, static_cast<std::ptrdiff_t>(stride), count_ - at < N ? count_ - at : N, 0,
                  side_by_side[b]);
        parts[b] = side_by_side[b];
      }
      detail::widen<N>(parts, at, low_, high_);
    });
  }

  constexpr bool has_quotient() const { return has_quotient_; }
  /// Is the folded weight an integer in every lane of a row that has a slope?
  constexpr bool divides(const std::int8_t* row, std::int64_t stride) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int32_t w =
          row[static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(stride)] - zero_points_[i];
      const std::int32_t denominator = denominator_.lane[i];
      if (denominator != 1 && denominator != 0 && w * numerator_.lane[i] % denominator != 0) {
        return false;
      }
    }
    return true;
  }
  /// Are the folded codes of the rows, integers all, in the range? Without a slope every weight must be 0.
  constexpr bool contained_in(const code_range& range, const lane_source<>& from) {
    if (all_contained_in(range)) {
      return true;
    }
    bool contained = true;
    for_each_run(count_, [&]<std::size_t N>(std::size_t at) {
      if (simple_) {
        from.with_lines<N>(at, 1,
                           [&](const line_run& lines) { move_numbers(lines.numerators, numerator_.lane + at, N); });
      }
      if (simple_ && at + N <= count_) {
        const code_range met = extremes<N>(low_.lane + at, high_.lane + at, numerator_.lane + at, zero_points_.run(at));
        contained = contained && range.contains(met);
        return;
      }
      for (std::size_t i = at; i < count_ && i < at + N; ++i) {
        contained =
            contained && lane_contained_in(range, i, low_.lane[i]) && lane_contained_in(range, i, high_.lane[i]);
      }
    });
    return contained;
  }

 private:
  /// Would they be if every lane met all the codes and all the slopes that some lane meets? Then nobody needs to ask
  /// for each lane.
  constexpr bool all_contained_in(const code_range& range) const {
    const std::size_t lanes = simple_ && zero_points_.is_shared() ? count_ : 0;
    code_range codes{int8_range.hi, int8_range.lo};
    for_each_run(lanes, [&]<std::size_t N>(std::size_t at) { widen_range<N>(low_.lane + at, high_.lane + at, codes); });
    const std::int64_t zp = zero_points_[0];
    bool contained = lanes > 0;
    for (const std::int64_t w : {codes.lo - zp, codes.hi - zp}) {
      contained = contained && range.contains(w * slopes_.lo + zp) && range.contains(w * slopes_.hi + zp);
    }
    return contained;
  }
  constexpr void load_any(const lane_source<>& from) {
    largest_offset_ = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const channel_line line = from.line(i);
      numerator_.lane[i] = line.numerator;
      denominator_.lane[i] = line.denominator;
      has_quotient_ = has_quotient_ || (line.denominator != 0 && line.denominator != 1);
      const std::uint64_t divisor = line.exists() ? magnitude(line.denominator) : 1;
      const auto most = static_cast<std::int64_t>((magnitude(offset_of(line, from)) + divisor - 1) / divisor);
      largest_offset_ = most > largest_offset_ ? most : largest_offset_;
    }
  }

  constexpr bool lane_contained_in(const code_range& range, std::size_t lane, std::uint8_t extreme) const {
    const std::int64_t w = extreme - 128 - zero_points_[lane];
    const std::int64_t denominator = simple_ ? 1 : denominator_.lane[lane];
    const std::int64_t n = denominator == 0 ? 0 : w * numerator_.lane[lane] / denominator;
    return (denominator != 0 || w == 0) && range.contains(n + zero_points_[lane]);
  }

  std::size_t count_ = 0;
  bool simple_ = true;
  bool identity_ = false;
  bool has_quotient_ = false;
  code_range slopes_;
  std::int64_t largest_offset_ = 0;
  lane_zero_points<panel_outputs<Capacity>> zero_points_;
  lane_array<std::int16_t, Capacity> numerator_;    // if not simple, or for extremes
  lane_array<std::int16_t, Capacity> denominator_;  // if not simple
  lane_array<std::uint8_t, Capacity> low_;
  lane_array<std::uint8_t, Capacity> high_;
};

/// The folded codes, and what they add to the bias. Sums go across all lanes; or each lane has its own, if there are at
/// most as many as `panel_outputs` says.
template <std::size_t Capacity>
class write_lanes {
 public:
  constexpr write_lanes() {}  // the arrays are filled before they are read

  /// Takes the lines of lanes, which are proven; of a known kind with less work.
  constexpr void load(const lane_source<>& from, line_kind kind) {
    count_ = static_cast<std::size_t>(from.count);
    across_ = from.across;
    zero_points_.load(from);
    adds_ = zero_points_.any();
    const simple_offset offset_of{from.r, static_cast<std::int16_t>(from.input_zp)};
    line_summary<> met;
    for_each_run(kind == line_kind::identity ? 0 : count_, [&]<std::size_t N>(std::size_t at) {
      from.with_lines<N>(at, kind == line_kind::any ? 4 : 1, [&](const line_run& lines) {
        if (kind == line_kind::any) {
          judge_lines<N>(lines, offset_of, met);
          set_offsets<N>(lines, offset_of, offset_.lane + at);
        }
        factors_.template set_integers<N>(lines.numerators, zero_points_.run(at), adds_, at);
      });
    });
    simple_ = met.simple();
    identity_ = kind != line_kind::plain && met.identity();
    has_offset_ = met.largest_offset() != 0;
    if (!simple_) {
      load_any(from);
    }
  }

  constexpr bool has_offset() const { return has_offset_; }
  /// Leaves a lane out of the sums.
  constexpr void leave_out(std::size_t lane) {
    offset_.lane[lane] = 0;
    slope_.lane[lane] = 0;
  }
  /// Begins sums; after `load` and `leave_out`, before the first row.
  constexpr void begin_sums() {
    sum_ = 0;
    constant_ = 0;
    for (std::size_t i = 0; i < count_ && across_ && has_offset_; ++i) {
      constant_ += (offset_.lane[i] + (simple_ ? 0 : slope_.lane[i])) * (128 + zero_points_[i]);
    }
    clear_tallies();
  }

  /// Writes the folded codes of a row; `out` may be `in`. `counts`: the row is in the sums.
  constexpr void write(const std::int8_t* in, std::int64_t stride, std::int8_t* out, std::int64_t out_stride,
                       bool counts) {
    const bool sums = counts && has_offset_;
    rows_ += sums ? 1 : 0;
    const std::size_t direct = stride == 1 && out_stride == 1 ? count_ / short_run * short_run : 0;
    write_part(0, direct, in, out, sums);
    const auto in_step = static_cast<std::ptrdiff_t>(stride);
    const auto out_step = static_cast<std::ptrdiff_t>(out_stride);
    for_each_run(count_ - direct, [&]<std::size_t N>(std::size_t behind) {
      const std::size_t at = direct + behind;
      const std::size_t lanes = count_ - at < N ? count_ - at : N;
      std::int8_t codes[N];
      gather<N>(in + static_cast<std::ptrdiff_t>(at) * in_step, in_step, lanes,
                static_cast<std::int8_t>(zero_points_[at]), codes);
      write_part(at, lanes, codes, codes, sums);
      scatter(codes, lanes, out + static_cast<std::ptrdiff_t>(at) * out_step, out_step);
    });
  }

  /// Copies a row that no output position reads.
  constexpr void pass(const std::int8_t* in, std::int64_t stride, std::int8_t* out, std::int64_t out_stride) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const auto lane = static_cast<std::ptrdiff_t>(i);
      out[lane * static_cast<std::ptrdiff_t>(out_stride)] = in[lane * static_cast<std::ptrdiff_t>(stride)];
    }
  }

  /// The sum over the rows since the last call, of all lanes, modulo 2^32.
  constexpr std::uint32_t take_sum() {
    const auto sum = static_cast<std::uint32_t>(sum_ - rows_ * constant_);
    sum_ = 0;
    rows_ = 0;
    return sum;
  }
  /// Adds the same of each lane. It must be called before `rows` exceeds `tally_limit`.
  constexpr void take_sums(std::uint32_t* sums) {
    for (std::size_t at = 0; at < count_ && rows_ != 0; at += short_run) {
      add_tallies<short_run>(read_.lane + at, rows_, zero_points_.run(at), offset_.lane + at, sums + at);
      if (!simple_) {
        add_tallies<short_run>(made_.lane + at, rows_, zero_points_.run(at), slope_.lane + at, sums + at);
      }
    }
    if (rows_ == tally_limit) {
      clear_tallies();
    }
  }
  constexpr std::int64_t rows() const { return rows_; }

  /// How many weights `write` has changed.
  constexpr std::int64_t changed() const { return changed_; }

 private:
  // An offset times the weight, and a fraction times the folded weight.
  constexpr void load_any(const lane_source<>& from) {
    has_offset_ = false;
    for (std::size_t i = 0; i < count_ || i % short_run != 0; ++i) {
      const channel_line line = from.line(i);
      const std::int64_t offset = offset_of(line, from);
      const bool whole = line.denominator == 0 || (line.denominator == 1 && int16_range.contains(offset));
      factors_.set_quotient(line, zero_points_[i], i);
      offset_.lane[i] = static_cast<std::int16_t>(whole ? offset : line.first_value - from.input_zp);
      slope_.lane[i] = static_cast<std::int16_t>(whole ? 0 : -line.first_delta - from.r);
      has_offset_ = has_offset_ || offset != 0;
    }
  }

  // Of lanes side by side; the last run may go beyond them.
  constexpr void write_part(std::size_t first, std::size_t lanes, const std::int8_t* in, std::int8_t* out, bool sums) {
    if (sums) {
      add_to_sums(first, lanes, in, offset_, read_);
    }
    if (identity_) {
      move_numbers(in, out, in == out ? 0 : lanes);
    } else if (simple_) {
      for_each_run(lanes, [=, this]<std::size_t N>(std::size_t at) {
        changed_ += factors_.template fold_integers<N>(in + at, adds_, first + at, out + at);
      });
    } else {
      for_each_run(lanes, [=, this]<std::size_t N>(std::size_t at) {
        changed_ += factors_.template fold_quotients<N>(in + at, first + at, out + at);
      });
    }
    if (sums && !simple_) {
      add_to_sums(first, lanes, out, slope_, made_);
    }
  }
  constexpr void add_to_sums(std::size_t first, std::size_t lanes, const std::int8_t* codes,
                             const lane_array<std::int16_t, Capacity>& factors,
                             lane_array<std::uint16_t, panel_outputs<Capacity>>& tallies) {
    for_each_run(lanes, [&]<std::size_t N>(std::size_t at) {
      if (across_) {
        sum_ += dot<N>(codes + at, first + at, factors);
      } else {
        tally<N>(codes + at, tallies.lane + first + at);
      }
    });
  }

  constexpr void clear_tallies() {
    rows_ = 0;
    for (std::size_t at = 0; at < count_ && !across_ && has_offset_; at += short_run) {
      fill_run<short_run, std::uint16_t>(0, read_.lane + at);
      fill_run<short_run, std::uint16_t>(0, made_.lane + at);
    }
  }

  std::size_t count_ = 0;
  bool across_ = true;
  bool identity_ = false;
  bool simple_ = true;
  bool adds_ = false;
  bool has_offset_ = false;
  std::int64_t constant_ = 0;
  std::int64_t sum_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t changed_ = 0;
  lane_zero_points<panel_outputs<Capacity>> zero_points_;
  factor_lanes<Capacity> factors_;
  lane_array<std::int16_t, Capacity> offset_;
  lane_array<std::int16_t, Capacity> slope_;                 // if not simple, what a folded weight adds
  lane_array<std::uint16_t, panel_outputs<Capacity>> read_;  // if each lane has its own sum
  lane_array<std::uint16_t, panel_outputs<Capacity>> made_;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
