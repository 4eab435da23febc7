// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to a code before the TABLE, where alpha is multiplied, and its fold into the TABLE.
// Folder folds: the proof of a fold, the weights' loops, the input zero point, bounds. Not here: an operator's
// arithmetic.
#ifndef DYTQ_FOLDS_ALPHA_HPP
#define DYTQ_FOLDS_ALPHA_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../rescale.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../table.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The chain from an activation code to the TABLE's input code, validated once.
class alpha_map {
 public:
  constexpr alpha_map() = default;

  /// Errors: code_out_of_range: alpha outside int8; range_inverted: function_in, or mul_out's range, empty or outside
  ///   int8; multiplier and shift errors; value_exceeds_shift, value_exceeds_int32: RESCALE of alpha.
  static constexpr result<alpha_map> make(const alpha_site& site) {
    const auto& s = site.steps;
    for (const verdict& v : {validate(s.activation, place::activation), validate(s.alpha, place::alpha),
                             validate(s.mul_out, place::mul_out)}) {
      if (!v) {
        return v.error();
      }
    }
    if (!int8_range.contains(site.alpha)) {
      return rejection{.why = reason::code_out_of_range,
                       .at = place::alpha,
                       .expected = int8_range.clamp(site.alpha),
                       .got = site.alpha};
    }
    if (const verdict v = detail::validate_range(site.function_in, int8_range, place::function_in); !v) {
      return v.error();
    }
    if (const verdict v = detail::validate_range(s.mul_out.out, int8_range, place::mul_out); !v) {
      return v.error();
    }
    const result<std::int32_t> alpha = apply(s.alpha, site.alpha, place::alpha);
    if (!alpha) {
      return alpha.error();
    }
    return alpha_map(site, *alpha);
  }

  /// The TABLE's input code. Errors: value_exceeds_shift, value_exceeds_int32: at the step and code named.
  constexpr result<std::int32_t> operator()(std::int8_t code) const {
    if (!activation_.legal(code)) {
      return located(activation_.reject(code, place::activation), code);
    }
    const std::int32_t wrapped = wrap_int32(product(code));
    if (!mul_out_.legal(wrapped)) {
      return located(mul_out_.reject(wrapped, place::mul_out), code);
    }
    return function_input(wrapped);
  }
  /// Does the product at a legal code leave 32 bits?
  constexpr bool wraps(std::int8_t code) const { return !fits<std::int32_t>(product(code)); }
  /// What `operator()` gives for a code that it accepts.
  constexpr std::int32_t unchecked(std::int8_t code) const { return function_input(wrap_int32(product(code))); }
  /// Is every code of a range accepted? Unless a product wraps every step is monotone, and the ends speak for all.
  constexpr verdict accepts(const code_range& codes) const {
    const auto lo = static_cast<std::int8_t>(codes.lo);
    const auto hi = static_cast<std::int8_t>(codes.hi);
    const bool ends = activation_.legal(lo) && activation_.legal(hi) && !wraps(lo) && !wraps(hi);
    for (std::int64_t code = lo; code <= hi; code += ends && lo < hi ? hi - lo : 1) {
      if (const auto image = (*this)(static_cast<std::int8_t>(code)); !image) {
        return image.error();
      }
    }
    return accepted{};
  }

 private:
  constexpr alpha_map(const alpha_site& site, std::int32_t alpha)
      : activation_(site.steps.activation),
        mul_out_(site.steps.mul_out),
        alpha_(alpha),
        function_in_(site.function_in) {}
  static constexpr rejection located(rejection why, std::int64_t code) {
    why.code = code;
    return why;
  }
  constexpr std::int32_t function_input(std::int32_t wrapped) const {
    return static_cast<std::int32_t>(function_in_.clamp(mul_out_(wrapped)));
  }
  constexpr std::int64_t product(std::int8_t code) const { return std::int64_t{activation_(code)} * alpha_; }

  rescale_kernel activation_;
  rescale_kernel mul_out_;
  std::int32_t alpha_ = 0;
  code_range function_in_ = int8_range;
};

/// `fold_alpha_into_lut` of fold.hpp.
constexpr result<folded_table> fold_alpha(const alpha_site& site, const view<const std::int8_t>& table) {
  if (const verdict v = detail::validate_table(table, 256); !v) {
    return v.error();
  }
  const result<detail::alpha_map> map = detail::alpha_map::make(site);
  if (!map) {
    return map.error();
  }
  const code_range& domain = site.domain;
  if (const verdict v = detail::validate_range(domain, int8_range, place::domain); !v) {
    return v.error();
  }
  folded_table out;
  for (std::int64_t code = -128; code < 128; ++code) {
    const auto inside = static_cast<std::int8_t>(domain.clamp(code));
    const result<std::int32_t> at = (*map)(inside);
    if (!at) {
      return at.error();
    }
    const std::int8_t entry = table(*at + 128);
    out.table[static_cast<std::size_t>(code + 128)] = entry;
    out.changed += entry != table(code + 128) ? 1 : 0;
    out.wrapped = out.wrapped || map->wraps(inside);
  }
  return out;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
