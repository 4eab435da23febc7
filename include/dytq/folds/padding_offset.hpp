// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one unknown of a fold into a convolution, r: the conditions on it, and the value it takes.
#ifndef DYTQ_FOLDS_PADDING_OFFSET_HPP
#define DYTQ_FOLDS_PADDING_OFFSET_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// How a fold chooses r where the classes leave it free.
enum class free_offset : std::uint8_t {
  keep,    ///< r is `preferred`, or the fold is refused
  nearest  ///< r is the nearest to `preferred` that every condition allows
};

/// Range of D over X, and what is known of r.
struct offset_request {
  code_range deltas;                          ///< min and max of D(x); both contain D(x0) = 0
  code_range offsets;                         ///< r for which some input zero point is a code
  std::int64_t preferred = 0;                 ///< r if nothing determines it
  free_offset when_free = free_offset::keep;  ///< which r, if no condition determines it
};

// Collects the conditions on r, output channel by output channel.
class offset_conditions {
 public:
  /// Two classes of output channel o: A and B of one less those of the other. Refused if their accumulators differ
  /// whatever r is; or with the r that these two ask for and the one that others did.
  constexpr rejection require_equal(std::int64_t o, std::int64_t value, std::int64_t folded) {
    const std::int64_t left = folded == 0 ? value : value % folded;
    if (left != 0) {
      return {.why = reason::padding, .at = place::weight, .output_channel = o};
    }
    if (folded == 0) {
      return {};
    }
    const std::int64_t r = value / folded;
    if (determined_ && r != offset_) {
      return {.why = reason::padding, .at = place::input, .output_channel = o, .expected = offset_, .got = r};
    }
    determined_ = true;
    offset_ = r;
    return {};
  }
  /// One class of output channel o: bias + A - r * B must fit int32. `value` is bias + A.
  constexpr void require_bias(std::int64_t o, std::int64_t value, std::int64_t folded) {
    if (folded == 0) {
      if (!fits<std::int32_t>(value) && !bias_.exists()) {
        bias_ = overflow(o, value);
      }
      return;
    }
    const bool up = folded > 0;
    const std::int64_t step = up ? folded : -folded;
    const std::int64_t lo = up ? ceil_div(value - int32_max, step) : ceil_div(int32_min - value, step);
    const std::int64_t hi = up ? floor_div(value - int32_min, step) : floor_div(int32_max - value, step);
    if (lo > bias_offsets_.lo) {
      bias_offsets_.lo = lo;
      lowest_ = {o, value, folded};
    }
    if (hi < bias_offsets_.hi) {
      bias_offsets_.hi = hi;
      highest_ = {o, value, folded};
    }
  }
  /// Sum of |n| over the touched taps of output channel o.
  constexpr void require_accumulator(std::int64_t o, std::int64_t magnitude_sum) {
    if (magnitude_sum > magnitude_) {
      magnitude_ = magnitude_sum;
      heaviest_ = o;
    }
  }

  /// Have two classes determined r?
  constexpr bool determined() const { return determined_; }

  constexpr result<std::int64_t> solve(const offset_request& ask) const {
    code_range allowed = ask.offsets;
    if (determined_ || ask.when_free == free_offset::keep) {
      const std::int64_t r = determined_ ? offset_ : ask.preferred;
      if (!allowed.contains(r)) {
        return outside(reason::padding, place::input, allowed, r);
      }
      allowed = {r, r};
    }
    if (bias_.exists()) {
      return bias_;
    }
    if (const code_range both = allowed.meet(bias_offsets_); both.empty()) {
      // The smallest r allowed is above an upper limit; or, of what these leave, the largest is below a lower one.
      const bool from_above = bias_offsets_.hi < allowed.lo;
      const line& o = from_above ? highest_ : lowest_;
      return overflow(o.channel, o.value - (from_above ? allowed.lo : both.hi) * o.folded);
    } else {
      allowed = both;
    }
    if (magnitude_ > 0) {
      const std::int64_t reach = int32_max / magnitude_;  // |D(x) + r| <= reach
      const code_range both = allowed.meet({-reach - ask.deltas.lo, reach - ask.deltas.hi});
      if (both.empty()) {
        const std::int64_t r =
            allowed.clamp(-(ask.deltas.lo + ask.deltas.hi) / 2);  // where the farthest code is nearest
        const std::int64_t farthest = larger(ask.deltas.hi + r, -(ask.deltas.lo + r));
        return rejection{.why = reason::accumulator_overflow,
                         .at = place::output,
                         .output_channel = heaviest_,
                         .expected = int32_max,
                         .got = magnitude_ * farthest};
      }
      allowed = both;
    }
    return allowed.clamp(ask.preferred);
  }

 private:
  struct line {
    std::int64_t channel = 0;
    std::int64_t value = 0;
    std::int64_t folded = 0;
  };
  static constexpr rejection overflow(std::int64_t o, std::int64_t bias) {
    rejection why = outside(reason::bias_overflow, place::bias, int32_range, bias);
    why.output_channel = o;
    return why;
  }

  static constexpr std::int64_t unbounded = std::int64_t{1} << 62;
  bool determined_ = false;
  std::int64_t offset_ = 0;
  rejection bias_;
  code_range bias_offsets_{-unbounded, unbounded};
  line lowest_;
  line highest_;
  std::int64_t magnitude_ = 0;
  std::int64_t heaviest_ = 0;
};

/// A rejection of `solve` in the user's units: where no input zero point is in reach, offsets become zero points.
constexpr rejection in_zero_points(rejection why, std::int64_t reference) {
  if (why.why == reason::padding && why.at == place::input) {
    why.expected = reference - why.expected;
    why.got = reference - why.got;
  }
  return why;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
