// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of several limbs: fractions whose products are known to an ulp, and exact integers of 192 bits.
#ifndef DYTQ_NUMBERS_FIXED_HPP
#define DYTQ_NUMBERS_FIXED_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "integer.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// An unsigned number of 128 bits, as two halves.
struct wide64 {
  std::uint64_t hi = 0;  ///< the upper 64 bits
  std::uint64_t lo = 0;  ///< the lower 64 bits
};

/// a * b, all 128 bits. No compiler's 128-bit type is needed, and every compiler finds the same bits.
constexpr wide64 multiply_wide(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32, low = a0 * b0,
                      mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (mid & 0xffffffffu);
  return {a1 * b1 + (mid >> 32) + (mid2 >> 32), (mid2 << 32) | (low & 0xffffffffu)};
}

/// floor(a * b / 2^64).
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32,
                      mid = a1 * b0 + ((a0 * b0) >> 32), mid2 = a0 * b1 + (mid & 0xffffffffu);
  return a1 * b1 + (mid >> 32) + (mid2 >> 32);
}

/// Little-endian limbs of 64 bits. As a fraction: value = sum of limbs[i] * 2^(64 * (i - N)).
template <std::size_t N>
using limbs = std::array<std::uint64_t, N>;

/// a * b, all limbs.
template <std::size_t N>
constexpr limbs<2 * N> multiply(const limbs<N>& a, const limbs<N>& b) {
  limbs<2 * N> p{};
  for (std::size_t i = 0; i < N; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < N; ++j) {
      const wide64 w = multiply_wide(a[i], b[j]);
      const std::uint64_t lo = w.lo + carry, sum = p[i + j] + lo;
      carry = w.hi + (lo < carry ? 1 : 0) + (sum < lo ? 1 : 0);
      p[i + j] = sum;
    }
    p[i + N] = carry;
  }
  return p;
}

/// The upper half of a * b: a product of fractions, below the true one by less than 1 ulp.
template <std::size_t N>
constexpr limbs<N> multiply_fractions(const limbs<N>& a, const limbs<N>& b) {
  const limbs<2 * N> p = multiply<N>(a, b);
  limbs<N> r{};
  for (std::size_t i = 0; i < N; ++i) {
    r[i] = p[i + N];
  }
  return r;
}

/// floor(a / n), n < 2^32, n > 0.
template <std::size_t N>
constexpr limbs<N> divide_small(const limbs<N>& a, std::uint64_t n) {
  limbs<N> q{};
  std::uint64_t rest = 0;
  for (std::size_t i = N; i-- > 0;) {
    const std::uint64_t high = (rest << 32) | (a[i] >> 32), low = ((high % n) << 32) | (a[i] & 0xffffffffu);
    q[i] = (high / n) << 32 | (low / n);
    rest = low % n;
  }
  return q;
}

/// 2^(64N) - 1 - a: 1 - a, below the true value by 1 ulp.
template <std::size_t N>
constexpr limbs<N> complement(const limbs<N>& a) {
  limbs<N> r{};
  for (std::size_t i = 0; i < N; ++i) {
    r[i] = ~a[i];
  }
  return r;
}

/// Shifts left; bits that leave are lost. 0 <= by.
template <std::size_t N>
constexpr limbs<N> shift_left(const limbs<N>& a, int by) {
  limbs<N> r{};
  const std::size_t whole = static_cast<std::size_t>(by) / 64;
  const int part = by % 64;
  for (std::size_t i = whole; i < N; ++i) {
    r[i] = (a[i - whole] << part) | (part != 0 && i > whole ? a[i - whole - 1] >> (64 - part) : 0);
  }
  return r;
}

/// Shifts right; `lost` tells whether a bit of 1 left. 0 <= by.
template <std::size_t N>
constexpr limbs<N> shift_right(const limbs<N>& a, int by, bool& lost) {
  limbs<N> r{};
  const std::size_t whole = static_cast<std::size_t>(by) / 64;
  const int part = by % 64;
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < N; ++i) {
    if (i < whole) {
      out |= a[i];
    } else {
      r[i - whole] = (a[i] >> part) | (part != 0 && i + 1 < N ? a[i + 1] << (64 - part) : 0);
      out |= i == whole && part != 0 ? a[i] << (64 - part) : 0;
    }
  }
  lost = lost || out != 0;
  return r;
}

template <std::size_t N>
constexpr int leading_zeros(const limbs<N>& a) {
  for (std::size_t i = N; i-- > 0;) {
    if (a[i] != 0) {
      return static_cast<int>(64 * (N - 1 - i)) + std::countl_zero(a[i]);
    }
  }
  return static_cast<int>(64 * N);
}

/// a + b; returns the carry.
template <std::size_t N>
constexpr bool add_to(limbs<N>& a, const limbs<N>& b) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint64_t s = a[i] + b[i], t = s + carry;
    carry = (s < b[i] ? 1u : 0u) + (t < s ? 1u : 0u);
    a[i] = t;
  }
  return carry != 0;
}

/// a - b; returns the borrow.
template <std::size_t N>
constexpr bool subtract_from(limbs<N>& a, const limbs<N>& b) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint64_t s = a[i] - b[i], t = s - borrow;
    borrow = (a[i] < b[i] ? 1u : 0u) + (s < borrow ? 1u : 0u);
    a[i] = t;
  }
  return borrow != 0;
}

template <std::size_t N>
constexpr void negate(limbs<N>& a) {
  std::uint64_t carry = 1;
  for (std::size_t i = 0; i < N; ++i) {
    a[i] = ~a[i] + carry;
    carry = carry != 0 && a[i] == 0 ? 1 : 0;
  }
}

/// The leading N limbs of a constant of six limbs: below it by less than 1 ulp.
template <std::size_t N>
constexpr limbs<N> leading(const limbs<6>& c) {
  static_assert(N <= 6);
  limbs<N> r{};
  for (std::size_t i = 0; i < N; ++i) {
    r[i] = c[6 - N + i];
  }
  return r;
}

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
    const std::uint64_t n = magnitude(b);
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
  std::uint64_t low_ = 0;
  std::uint64_t mid_ = 0;
  std::uint64_t high_ = 0;
};

constexpr int192 absolute(const int192& v) { return v.negative() ? -v : v; }

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
