// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opt-in formatters for the fmt library. Nothing else in dytq includes this header, and it alone needs fmt.
// reason, place: the name. rejection, chain_plan: as `to_text` says it. multiplier_shift, code_range,
// affine_fit: in short. result<T>: the value's own format, or the rejection.
#ifndef DYTQ_FMT_HPP
#define DYTQ_FMT_HPP

#include <fmt/format.h>

#include "codes.hpp"
#include "fit_rescale.hpp"
#include "result.hpp"
#include "scale.hpp"
#include "text.hpp"

template <>
struct fmt::formatter<dytq::reason> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(dytq::reason r, Context& ctx) const {
    return fmt::formatter<fmt::string_view>::format(dytq::name(r), ctx);
  }
};

template <>
struct fmt::formatter<dytq::place> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(dytq::place s, Context& ctx) const {
    return fmt::formatter<fmt::string_view>::format(dytq::name(s), ctx);
  }
};

/// What `to_text` turns into text: rejections, and plans where plan.hpp is included.
template <class T>
requires requires(const T& value) { to_text(value).c_str(); }
struct fmt::formatter<T> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const T& value, Context& ctx) const {
    const auto text = to_text(value);
    return fmt::formatter<fmt::string_view>::format({text.data(), text.size()}, ctx);
  }
};

template <>
struct fmt::formatter<dytq::multiplier_shift> {
  constexpr auto parse(fmt::format_parse_context& ctx) { return ctx.begin(); }
  template <class Context>
  auto format(dytq::multiplier_shift m, Context& ctx) const {
    return fmt::format_to(ctx.out(), "{} >> {}", m.multiplier, m.shift);
  }
};

template <>
struct fmt::formatter<dytq::code_range> {
  constexpr auto parse(fmt::format_parse_context& ctx) { return ctx.begin(); }
  template <class Context>
  auto format(const dytq::code_range& r, Context& ctx) const {
    return fmt::format_to(ctx.out(), "[{}, {}]", r.lo, r.hi);
  }
};

template <>
struct fmt::formatter<dytq::affine_fit> {
  constexpr auto parse(fmt::format_parse_context& ctx) { return ctx.begin(); }
  template <class Context>
  auto format(const dytq::affine_fit& f, Context& ctx) const {
    return fmt::format_to(ctx.out(), "{} + {}/{} * (code - {})", f.first_value, f.numerator, f.denominator,
                          f.first_code);
  }
};

/// A result prints as its value or as its rejection.
template <class T>
requires fmt::is_formattable<T>::value struct fmt::formatter<dytq::result<T>> {
  constexpr auto parse(fmt::format_parse_context& ctx) { return ctx.begin(); }
  template <class Context>
  auto format(const dytq::result<T>& r, Context& ctx) const {
    return r ? fmt::format_to(ctx.out(), "{}", *r) : fmt::format_to(ctx.out(), "rejected: {}", r.error());
  }
};

#endif
