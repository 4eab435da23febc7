// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 192 bits: sums and products of a convolution's accumulators and multipliers, without a rounding.
#ifndef DYTQ_NUMBERS_WIDE_HPP
#define DYTQ_NUMBERS_WIDE_HPP

#include <bit>
#include <cstdint>

#include "../codes.hpp"
#include "../result.hpp"
#include "fixed.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// Two's complement. No compiler's wide type is needed, and every compiler finds the same bits.
class int192 {
 public:
  constexpr int192() = default;
  constexpr int192(std::int64_t v) : low_(static_cast<std::uint64_t>(v)), mid_(v < 0 ? ~std::uint64_t{0} : 0) {
    high_ = mid_;
  }

  constexpr bool negative() const { return high_ >> 63 != 0; }
  constexpr int192& operator+=(const int192& o) {
    low_ += o.low_;
    const std::uint64_t carry = low_ < o.low_ ? 1 : 0;
    mid_ += carry;
    const std::uint64_t first = mid_ < carry ? 1 : 0;
    mid_ += o.mid_;
    const std::uint64_t second = mid_ < o.mid_ ? 1 : 0;
    high_ += o.high_ + first + second;
    return *this;
  }
  constexpr int192 operator-() const {
    int192 r;
    r.low_ = ~low_;
    r.mid_ = ~mid_;
    r.high_ = ~high_;
    return r += int192(1);
  }
  friend constexpr int192 operator+(int192 a, const int192& b) { return a += b; }
  friend constexpr int192 operator-(int192 a, const int192& b) { return a += -b; }
  // The products that are formed stay far below 2^191.
  friend constexpr int192 operator*(const int192& a, std::int64_t b) {
    const int192 m = a.negative() ? -a : a;
    const std::uint64_t n = magnitude_of(b);
    const wide64 p0 = multiply_wide(m.low_, n);
    const wide64 p1 = multiply_wide(m.mid_, n);
    int192 r;
    r.low_ = p0.lo;
    r.mid_ = p1.lo + p0.hi;
    r.high_ = p1.hi + (r.mid_ < p0.hi ? 1 : 0) + m.high_ * n;
    return a.negative() != (b < 0) ? -r : r;
  }
  // 0 <= by < 192
  constexpr int192 operator<<(int by) const {
    int192 r = *this;
    for (; by >= 64; by -= 64) {
      r.high_ = r.mid_;
      r.mid_ = r.low_;
      r.low_ = 0;
    }
    if (by > 0) {
      r.high_ = (r.high_ << by) | (r.mid_ >> (64 - by));
      r.mid_ = (r.mid_ << by) | (r.low_ >> (64 - by));
      r.low_ <<= by;
    }
    return r;
  }
  friend constexpr bool operator==(const int192&, const int192&) = default;
  friend constexpr bool operator<(const int192& a, const int192& b) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return a.high_ != b.high_ ? (a.high_ ^ sign) < (b.high_ ^ sign)
           : a.mid_ != b.mid_ ? a.mid_ < b.mid_
                              : a.low_ < b.low_;
  }

  // Of a number that is not negative: how many bits it has, and the 64 bits from bit `from` on.
  constexpr int bits() const {
    return high_ != 0  ? 192 - std::countl_zero(high_)
           : mid_ != 0 ? 128 - std::countl_zero(mid_)
                       : 64 - std::countl_zero(low_);
  }
  constexpr std::uint64_t bits_from(int from) const {
    const std::uint64_t first = from < 64 ? low_ : from < 128 ? mid_ : high_;
    const std::uint64_t next = from < 64 ? mid_ : from < 128 ? high_ : 0;
    const int by = from % 64;
    return by == 0 ? first : (first >> by) | (next << (64 - by));
  }

  static constexpr int192 of_limbs(std::uint64_t low, std::uint64_t mid, std::uint64_t high) {
    int192 r;
    r.low_ = low;
    r.mid_ = mid;
    r.high_ = high;
    return r;
  }
  constexpr std::uint64_t low() const { return low_; }
  constexpr std::uint64_t mid() const { return mid_; }
  constexpr std::uint64_t high() const { return high_; }

 private:
  static constexpr std::uint64_t magnitude_of(std::int64_t v) {
    return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
  }

  std::uint64_t low_ = 0;
  std::uint64_t mid_ = 0;
  std::uint64_t high_ = 0;
};

constexpr int192 absolute(const int192& v) { return v.negative() ? -v : v; }
constexpr const int192& larger(const int192& a, const int192& b) { return a < b ? b : a; }
constexpr const int192& smaller(const int192& a, const int192& b) { return b < a ? b : a; }

// v / 2^shift codes, v >= 0 and shift >= 0, rounded up or down if it has more than 62 bits. Beyond 2^62: nothing.
constexpr result<code_bound> bound_of(const int192& v, int shift, bool up) {
  int drop = v.bits() > 61 ? v.bits() - 61 : 0;
  drop = shift - drop > 62 ? shift - 62 : drop;
  if (drop > shift) {
    return rejection{.why = reason::accumulator_overflow, .at = place::output};
  }
  auto n = static_cast<std::int64_t>(v.bits_from(drop));
  n += up && !((int192(n) << drop) == v) ? 1 : 0;
  int s = shift - drop;
  const int twos = n == 0 ? s : std::countr_zero(static_cast<std::uint64_t>(n));
  const int common = twos < s ? twos : s;
  return code_bound{n >> common, s - common};
}

// floor(sqrt(v)).
constexpr std::uint64_t square_root(std::uint64_t v) {
  std::uint64_t root = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const std::uint64_t more = root | std::uint64_t{1} << bit;
    root = more <= v / more ? more : root;
  }
  return root;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
