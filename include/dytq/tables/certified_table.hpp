// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The maker of exact tables: a walk outwards from the argument's zero, deciding each rounding or refusing it.
#ifndef DYTQ_TABLES_CERTIFIED_TABLE_HPP
#define DYTQ_TABLES_CERTIFIED_TABLE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../function.hpp"
#include "../functions/exponential.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "../result.hpp"
#include "argument.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Entry i is for code first + stride * i.
struct code_grid {
  std::int64_t first = 0;
  std::int64_t stride = 1;

  constexpr std::int64_t code(std::int64_t i) const { return first + stride * i; }
  /// The first index whose code is at least `c`.
  constexpr std::int64_t index_from(std::int64_t c) const { return ceil_div(c - first, stride); }
};

template <certified_function F, class Code, std::size_t Count>
class table_maker {
 public:
  constexpr table_maker(const argument& x, std::int64_t zero_point, const quantizer& out, const code_grid& grid)
      : x_(x), zero_point_(zero_point), out_(out), grid_(grid) {}

  /// Entries for the codes of `read`, which must not be empty; codes outside it read as the nearest inside.
  /// Returns the code that could not be decided, or `unset`.
  constexpr std::int64_t make(const code_range& read, std::array<Code, Count>& table) {
    table_ = &table;
    if (x_.constant()) {
      fill(0, last, code_of(entry(read.lo)));
      return failed_;
    }
    lo_ = grid_.code(0) >= read.lo ? 0 : grid_.index_from(read.lo);
    hi_ = grid_.code(last) <= read.hi ? last : grid_.index_from(read.hi + 1) - 1;
    if (lo_ <= hi_) {
      walk();
    }
    // What lies outside reads as a bound of the range, which a coarse grid may not have met.
    if (lo_ > 0) {
      fill(0, lo_ - 1, lo_ <= hi_ && grid_.code(lo_) == read.lo ? at(lo_) : code_of(entry(read.lo)));
    }
    if (hi_ < last) {
      fill(hi_ + 1, last, lo_ <= hi_ && grid_.code(hi_) == read.hi ? at(hi_) : code_of(entry(read.hi)));
    }
    return failed_;
  }

 private:
  static constexpr auto last = static_cast<std::int64_t>(Count) - 1;

  constexpr void put(std::int64_t i, std::int64_t n) {
    (*table_)[static_cast<std::size_t>(i)] = static_cast<Code>(out_.code(n));
  }
  constexpr Code code_of(std::int64_t n) const { return static_cast<Code>(out_.code(n)); }
  constexpr void fill(std::int64_t from, std::int64_t to, Code code) {
    for (std::int64_t i = from; i <= to; ++i) {
      (*table_)[static_cast<std::size_t>(i)] = code;
    }
  }
  // The entry as it is: a clamped code does not say which integer it was made of.
  constexpr Code at(std::int64_t i) const { return (*table_)[static_cast<std::size_t>(i)]; }

  template <std::size_t N>
  constexpr certified_sign sign_with(std::int64_t k, std::int64_t n) const {
    const real<N> x = x_.at<N>(k), y = out_.boundary<N>(n);
    if constexpr (requires { F::template sign<N>(x, y, x); }) {
      return F::template sign<N>(x, y, x_.above<N>(k, y));
    } else {
      return F::template sign<N>(x, y);
    }
  }
  /// The certified sign of f - boundary n, by arithmetic that widens until it is known.
  constexpr certified_sign sign_at(std::int64_t k, std::int64_t n) const {
    certified_sign s = sign_with<2>(k, n);
    if (s == certified_sign::unknown) {
      s = sign_with<4>(k, n);
    }
    if (s == certified_sign::unknown) {
      s = sign_with<6>(k, n);
    }
    return s;
  }
  constexpr std::int64_t refuse(std::int64_t k) {
    failed_ = k + zero_point_;
    return 0;
  }
  /// Of n and n + 1, the nearer one; at equal distance the even one.
  constexpr std::int64_t choose(std::int64_t k, std::int64_t n) {
    const certified_sign s = sign_at(k, n);
    if (s == certified_sign::unknown) {
      return refuse(k);
    }
    return s == certified_sign::zero ? n + (n & 1) : s == certified_sign::positive ? n + 1 : n;
  }
  /// The integer of f at k by signs alone: outwards from a guess in growing strides, then by halving.
  constexpr std::int64_t locate(std::int64_t k, std::int64_t guess) {
    code_range r = out_.integers();
    std::int64_t stride = 1, n = guess;
    for (certified_sign before = certified_sign::unknown; r.lo < r.hi;) {
      n = n < r.lo ? r.lo : n >= r.hi ? r.hi - 1 : n;
      const certified_sign s = sign_at(k, n);
      if (s == certified_sign::unknown) {
        return refuse(k);
      }
      if (s == certified_sign::zero) {
        return n + (n & 1);
      }
      (s == certified_sign::positive ? r.lo : r.hi) = s == certified_sign::positive ? n + 1 : n;
      const bool turned = before != certified_sign::unknown && before != s;
      stride = turned || stride == 0 ? 0 : 2 * stride;
      n = stride == 0 ? floor_div(r.lo + r.hi, 2) : s == certified_sign::positive ? n + stride / 2 : n - stride / 2;
      before = s;
    }
    return r.lo;
  }
  /// The integer of an estimated |f| at k.
  constexpr std::int64_t nearest(std::int64_t k, const estimate& f, bool negative) {
    const rounded r = out_.nearest(f);
    if (r.decided) {
      return negative ? -r.n : r.n;
    }
    if (!r.found) {
      return locate(k, 0);
    }
    return choose(k, negative ? -r.n - 1 : r.n);
  }
  /// The integer at one code, on its own.
  constexpr std::int64_t entry(std::int64_t code) {
    const std::int64_t k = code - zero_point_;
    const real<6> x = x_.at<6>(k);
    if constexpr (estimated_function<F>) {
      if (x.is_zero()) {
        return at_zero(k);
      }
      return nearest(k, F::magnitude(make_estimate(x), x.negative), F::negative(x.negative));
    } else {
      return locate(k, 0);
    }
  }
  constexpr std::int64_t at_zero(std::int64_t k) {
    if constexpr (requires { F::at_zero; }) {
      return nearest(k, F::at_zero, false);
    } else {
      return 0;
    }
  }

  constexpr void walk() {
    if constexpr (!estimated_function<F>) {
      std::int64_t n = 0;
      for (std::int64_t i = lo_; i <= hi_ && failed_ == unset; ++i) {
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
      if (F::odd && !x_.shifted() && grid_.code(split) == zero_point_) {
        // f(-x) = -f(x), and so do the integers, since half to even is symmetric.
        ray(split, hi_, 1, 2 * split);
        ray(2 * split - hi_ - 1, lo_, -1, none);
      } else {
        ray(split, hi_, 1, none);
        ray(split - 1, lo_, -1, none);
      }
    }
  }

  struct magnitude_at {
    const argument& x;
    std::int64_t k;
    constexpr estimate operator()() const { return x.estimate_at(k); }
  };

  /// The entries from index i on to `end`, along which |x| grows; with a mirror, entry mirror - i as well.
  constexpr void ray(std::int64_t i, std::int64_t end, std::int64_t direction, std::int64_t mirror) {
    if ((end - i) * direction < 0) {
      return;
    }
    std::int64_t k = grid_.code(i) - zero_point_;
    const bool x_negative = x_.decreasing() == (direction > 0), negative = F::negative(x_negative);
    const rounded limit = F::has_limit(x_negative) ? out_.nearest(F::limit(x_negative)) : rounded{};
    const std::int64_t limit_n = negative ? -limit.n : limit.n, limit_code = out_.code(limit_n),
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
        n = nearest(k, F::magnitude_from(e, magnitude_at{x_, k}, x_negative), negative);
      } else {
        const estimate x = x_.estimate_at(k);
        if constexpr (gaussian_function<F>) {
          const rounded r = out_.nearest(F::quick(x, e, x_negative));
          n = !r.decided ? nearest(k, F::magnitude(x, x_negative), negative) : negative ? -r.n : r.n;
        } else {
          n = nearest(k, F::magnitude(x, x_negative), negative);
        }
      }
      put(i, n);
      if (mirror != none && mirror - i >= lo_ && mirror - i != i) {
        put(mirror - i, -n);
      }
      if (i == end || failed_ != unset) {
        return;
      }
      if (limit.decided && out_.code(n) == limit_code && (mirror == none || out_.code(-n) == mirror_code)) {
        // f is between here and its limit, and both round alike.
        if (mirror != none) {
          fill(lo_, mirror - i - 1, code_of(-limit_n));
        }
        direction > 0 ? fill(i + 1, end, code_of(limit_n)) : fill(end, i - 1, code_of(limit_n));
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

  argument x_;
  std::int64_t zero_point_;
  quantizer out_;
  code_grid grid_;
  std::int64_t lo_, hi_;  // set by what reads them
  std::int64_t failed_ = unset;
  std::array<Code, Count>* table_ = nullptr;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
