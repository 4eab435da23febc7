// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The maker of exact tables: entries from the argument's zero outwards, each rounding proven, or the table refused.
#ifndef DYTQ_TABLES_CERTIFIED_TABLE_HPP
#define DYTQ_TABLES_CERTIFIED_TABLE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../functions/certified_function.hpp"
#include "../functions/exponential.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "../result.hpp"
#include "argument.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The codes of a table's entries: entry i, of `count`, is for code first + stride * i.
struct code_grid {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 0;

  constexpr std::int64_t last() const { return count - 1; }
  constexpr std::int64_t code(std::int64_t i) const { return first + stride * i; }
  /// The first index whose code is at least `c`.
  constexpr std::int64_t index_from(std::int64_t c) const { return ceil_div(c - first, stride); }
};

/// Where the entries go, of int8, int16 or int32: one maker of tables serves all types and sizes.
class table_output {
 public:
  template <std::size_t N>
  constexpr table_output(std::array<std::int8_t, N>& table) : int8_(table.data()) {}
  template <std::size_t N>
  constexpr table_output(std::array<std::int16_t, N>& table) : int16_(table.data()) {}
  template <std::size_t N>
  constexpr table_output(std::array<std::int32_t, N>& table) : int32_(table.data()) {}

  constexpr std::int64_t operator[](std::int64_t i) const {
    return int8_ != nullptr ? int8_[i] : int16_ != nullptr ? int16_[i] : int32_[i];
  }
  /// The code must be one of the type.
  constexpr void set(std::int64_t i, std::int64_t code) const {
    if (int8_ != nullptr) {
      int8_[i] = static_cast<std::int8_t>(code);
    } else if (int16_ != nullptr) {
      int16_[i] = static_cast<std::int16_t>(code);
    } else {
      int32_[i] = static_cast<std::int32_t>(code);
    }
  }

 private:
  std::int8_t* int8_ = nullptr;
  std::int16_t* int16_ = nullptr;
  std::int32_t* int32_ = nullptr;
};

/// The certified sign of f - boundary n, by arithmetic that widens until it is known.
template <class F>
constexpr certified_sign deciding_sign(const F& f, const argument& x, std::int64_t k, const quantizer& out,
                                       std::int64_t n) {
  certified_sign s = certified_sign_of<2>(f, x, k, out.boundary<2>(n));
  if (s == certified_sign::unknown) {
    s = certified_sign_of<4>(f, x, k, out.boundary<4>(n));
  }
  if (s == certified_sign::unknown) {
    s = certified_sign_of<6>(f, x, k, out.boundary<6>(n));
  }
  return s;
}

/// Makes the tables of f; by signs alone if it has no estimate, or on request.
template <certified_function F, bool Estimated = estimated_function<F>>
class table_maker {
 public:
  constexpr table_maker(const F& f, const argument& x, std::int64_t zero_point, const quantizer& out,
                        const code_grid& grid, table_output table)
      : f_(f), x_(x), zero_point_(zero_point), out_(out), grid_(grid), table_(table) {
    prepare(f, x_);
  }

  /// Entries for the codes of `read`, which must not be empty; codes outside it read as the nearest inside.
  constexpr rejection make(const code_range& read) {
    const std::int64_t outside = first_outside(f_, x_, {read.lo - zero_point_, read.hi - zero_point_});
    if (outside != unset) {
      refuse(outside, reason::outside_domain);
    } else if (x_.constant()) {
      fill(0, grid_.last(), out_.code(entry(read.lo)));
    } else {
      make_all(read);
    }
    return failed_;
  }

 private:
  constexpr void make_all(const code_range& read) {
    const std::int64_t last = grid_.last();
    lo_ = grid_.code(0) >= read.lo ? 0 : grid_.index_from(read.lo);
    hi_ = grid_.code(last) <= read.hi ? last : grid_.index_from(read.hi + 1) - 1;
    if (lo_ <= hi_) {
      walk();
    }
    // Codes outside read as the nearest bound of the range, which may lie between two codes of a coarse grid.
    if (lo_ > 0) {
      fill(0, lo_ - 1, lo_ <= hi_ && grid_.code(lo_) == read.lo ? table_[lo_] : out_.code(entry(read.lo)));
    }
    if (hi_ < last) {
      fill(hi_ + 1, last, lo_ <= hi_ && grid_.code(hi_) == read.hi ? table_[hi_] : out_.code(entry(read.hi)));
    }
  }
  constexpr bool refused() const { return failed_.exists(); }

  constexpr void put(std::int64_t i, std::int64_t n) { table_.set(i, out_.code(n)); }
  constexpr void fill(std::int64_t from, std::int64_t to, std::int64_t code) {
    for (std::int64_t i = from; i <= to; ++i) {
      table_.set(i, code);
    }
  }

  constexpr std::int64_t refuse(std::int64_t k, reason why = reason::undecided) {
    failed_ = {.why = why, .at = place::table, .code = k + zero_point_};
    return 0;
  }
  /// n or n + 1, by the sign at the boundary between them.
  constexpr std::int64_t choose(std::int64_t k, std::int64_t n) {
    const certified_sign s = deciding_sign(f_, x_, k, out_, n);
    return s == certified_sign::unknown ? refuse(k) : out_.beside(n, s);
  }
  /// The integer of f at k by signs alone: outwards from a guess in growing strides, then by halving.
  constexpr std::int64_t locate(std::int64_t k, std::int64_t guess) {
    if (undefined_at(f_, x_, k)) {
      return refuse(k, reason::outside_domain);
    }
    code_range r = out_.integers();
    if (is_odd<F>) {  // the opposite integer may be asked for
      r.hi = larger(r.hi, -r.lo);
      r.lo = -r.hi;
    }
    std::int64_t stride = 1, n = guess;
    for (certified_sign before = certified_sign::unknown; r.lo < r.hi;) {
      n = n < r.lo ? r.lo : n >= r.hi ? r.hi - 1 : n;
      const certified_sign s = deciding_sign(f_, x_, k, out_, n);
      if (s == certified_sign::unknown) {
        return refuse(k);
      }
      if (s == certified_sign::zero) {
        return out_.beside(n, s);
      }
      (s == certified_sign::positive ? r.lo : r.hi) = s == certified_sign::positive ? n + 1 : n;
      const bool turned = before != certified_sign::unknown && before != s;
      stride = turned || stride == 0 ? 0 : 2 * stride;
      n = stride == 0 ? floor_div(r.lo + r.hi, 2) : s == certified_sign::positive ? n + stride / 2 : n - stride / 2;
      before = s;
    }
    return r.lo;
  }
  /// The integer of an estimated f at k.
  constexpr std::int64_t nearest(std::int64_t k, const estimate& size, bool negative) {
    const rounded r = out_.nearest(size);
    if (r.decided) {
      return negative ? -r.n : r.n;
    }
    return r.found ? choose(k, negative ? -r.n - 1 : r.n) : locate(k, guess_);
  }
  /// The integer at one code, on its own.
  constexpr std::int64_t entry(std::int64_t code) {
    const std::int64_t k = code - zero_point_;
    if constexpr (Estimated) {
      const real<6> x = x_.template at<6>(k);
      return x.is_zero() ? at_zero(k) : estimated(k, x.negative);
    } else {
      return locate(k, 0);
    }
  }
  constexpr std::int64_t estimated(std::int64_t k, bool x_negative) {
    const signed_estimate v = estimate_of(f_, abscissa(x_, k, x_negative));
    return nearest(k, v.size, v.negative);
  }
  constexpr std::int64_t at_zero(std::int64_t k) {
    if constexpr (requires { f_.at_zero; }) {
      const signed_estimate v = f_.at_zero;
      return nearest(k, v.size, v.negative);
    } else {
      return locate(k, 0);
    }
  }

  constexpr void walk() {
    if constexpr (!Estimated) {
      std::int64_t n = 0;
      for (std::int64_t i = lo_; i <= hi_ && !refused(); ++i) {
        n = locate(grid_.code(i) - zero_point_, n);
        put(i, n);
      }
    } else {
      std::int64_t split = grid_.index_from(zero_point_);
      if (x_.shifted()) {
        std::int64_t from = lo_, to = hi_ + 1;
        while (from < to) {
          const std::int64_t middle = (from + to) / 2;
          if (x_.beyond_zero(grid_.code(middle) - zero_point_)) {
            to = middle;
          } else {
            from = middle + 1;
          }
        }
        split = from;
      }
      split = split < lo_ ? lo_ : split > hi_ ? hi_ + 1 : split;
      if (is_odd<F> && !x_.shifted() && split <= hi_ && grid_.code(split) == zero_point_) {
        // f(-x) = -f(x), and so do the integers, since half to even is symmetric.
        ray(split, hi_, 1, 2 * split);
        ray(2 * split - hi_ - 1, lo_, -1, none);
      } else {
        ray(split, hi_, 1, none);
        ray(split - 1, lo_, -1, none);
      }
    }
  }

  /// The entries from index i on to `end`, along which |x| grows; with a mirror, entry mirror - i as well.
  constexpr void ray(std::int64_t i, std::int64_t end, std::int64_t direction, std::int64_t mirror) {
    if ((end - i) * direction < 0) {
      return;
    }
    std::int64_t k = grid_.code(i) - zero_point_;
    const bool x_negative = x_.decreasing() == (direction > 0), ends = limited_on(f_, x_negative);
    const signed_estimate bound = ends ? limit_of(f_, x_negative) : signed_estimate{};
    const rounded limit = ends ? out_.nearest(bound.size) : rounded{};
    const std::int64_t limit_n = bound.negative ? -limit.n : limit.n, limit_code = out_.code(limit_n),
                       mirror_code = out_.code(-limit_n);
    estimate e{std::uint64_t{1} << 63, 1, 0}, ratio, ratio_of_ratios;
    bool zero = x_.shifted() ? x_.at<6>(k).is_zero() : k == 0;
    if constexpr (decaying_function<F>) {
      if (!zero) {
        e = decay_of(x_.estimate_at(k));
      }
      ratio = decay_of(x_.step(grid_.stride));
    } else if constexpr (gaussian_function<F>) {
      // (x + h)^2 = x^2 + (2 x h + h^2): the ratio of neighbours is a progression itself.
      const estimate h = x_.step(grid_.stride), square = gauss_scaled(h * h, 0);
      if (!zero) {
        const estimate x = x_.estimate_at(k);
        e = decay_estimate(gauss_scaled(x * x, 0)).value;
        ratio = decay_estimate(gauss_scaled(x * h, 1)).value;
      } else {
        ratio = e;
      }
      ratio = ratio * decay_estimate(square).value;
      ratio_of_ratios = decay_estimate(gauss_scaled(h * h, 1)).value;
    }
    for (;; i += direction, k += direction * grid_.stride) {
      std::int64_t n = 0;
      if (zero) {
        n = at_zero(k);
        zero = false;
      } else if constexpr (decaying_function<F>) {
        n = nearest(k, f_.magnitude_from(e, abscissa(x_, k, x_negative), x_negative), f_.negative(x_negative));
      } else if constexpr (gaussian_function<F>) {
        const rounded r = out_.nearest(f_.quick(x_.estimate_at(k), e, x_negative));
        n = !r.decided ? estimated(k, x_negative) : f_.negative(x_negative) ? -r.n : r.n;
      } else {
        n = estimated(k, x_negative);
      }
      guess_ = n;
      put(i, n);
      if (mirror != none && mirror - i >= lo_ && mirror - i != i) {
        put(mirror - i, -n);
      }
      if (i == end || refused()) {
        return;
      }
      if (ends && limit.decided && out_.code(n) == limit_code && (mirror == none || out_.code(-n) == mirror_code)) {
        // f stays between this value and its limit, and both round to the same code.
        if (mirror != none) {
          fill(lo_, mirror - i - 1, out_.code(-limit_n));
        }
        direction > 0 ? fill(i + 1, end, out_.code(limit_n)) : fill(end, i - 1, out_.code(limit_n));
        return;
      }
      e = e * ratio;
      if constexpr (gaussian_function<F>) {
        ratio = ratio * ratio_of_ratios;
      }
    }
  }
  static constexpr estimate gauss_scaled(const estimate& v, int by) {
    if constexpr (gaussian_function<F>) {
      return {v.m, v.exponent + F::gauss_log2 + by, v.error};
    }
    return v;
  }
  static constexpr estimate decay_of(const estimate& x) {
    return decay_estimate({x.m, x.exponent + F::decay_log2, x.error}).value;
  }

  static constexpr std::int64_t none = unset;

  F f_;
  argument x_;
  std::int64_t zero_point_;
  quantizer out_;
  code_grid grid_;
  table_output table_;
  std::int64_t lo_, hi_;    // indices whose codes are in the range; set by make_all
  std::int64_t guess_ = 0;  // the integer of the entry before
  rejection failed_{};
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
