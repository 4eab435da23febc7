// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function that is here, what one of your own must offer, and the check for its author.
#ifndef DYTQ_FUNCTION_HPP
#define DYTQ_FUNCTION_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codes.hpp"
#include "functions/certified_function.hpp"
#include "functions/error.hpp"
#include "functions/exponential.hpp"
#include "functions/hyperbolic.hpp"
#include "functions/logarithms.hpp"
#include "functions/piecewise.hpp"
#include "functions/powers.hpp"
#include "functions/trigonometric.hpp"
#include "functions/units.hpp"
#include "numbers/dyadic.hpp"
#include "result.hpp"
#include "tables/argument.hpp"
#include "tables/certified_table.hpp"

namespace dytq {
inline namespace v0 {

/// What `check_function` found.
struct function_check {
  rejection why{};          ///< none, or what differs: `code`, the entry by signs alone (expected), by estimates (got)
  std::int64_t tables = 0;  ///< how many tables were compared
  qparams in{};             ///< quantization of the last table's input: of the one that differs
  qparams out{};            ///< and of its output
  double alpha = 1.0;       ///< it was a table of f(alpha * x + shift)
  double shift = 0.0;       ///< see alpha

  /// Is every table the same both ways?
  constexpr explicit operator bool() const { return !why.exists(); }
};

namespace detail {

/// Parameters of tables, drawn without floating-point arithmetic.
class parameter_draw {
 public:
  constexpr std::uint64_t below(std::uint64_t n) { return next() % n; }
  /// A double of any mantissa between 2^lo and 2^hi, or of mantissa 1.
  constexpr double number(int lo, int hi, bool power_of_two = false) {
    const std::uint64_t mantissa = next() >> 12, exponent = below(static_cast<std::uint64_t>(hi - lo));
    return std::bit_cast<double>((exponent + static_cast<std::uint64_t>(lo + 1023)) << 52 |
                                 (power_of_two ? 0 : mantissa));
  }
  constexpr std::int32_t code() { return static_cast<std::int32_t>(below(256)) - 128; }

 private:
  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 1;
};

/// The most codes in a row at which f is defined; empty if there are none.
template <class F>
constexpr code_range defined_codes(const F& f, const argument& x, std::int64_t zero_point, const code_range& of) {
  if constexpr (!bounded_domain<F>) {
    return of;
  }
  code_range best{0, -1}, now{of.lo, of.lo - 1};
  for (std::int64_t code = of.lo; code <= of.hi; ++code) {
    const std::int64_t k = code - zero_point;
    if (undefined_at(f, x, k) || first_outside(f, x, {k, k}) != unset) {
      now = {code + 1, code};
    } else {
      now.hi = code;
      best = now.hi - now.lo > best.hi - best.lo ? now : best;
    }
  }
  return best;
}

/// The first entry in which the table by estimates is not that by signs alone.
template <class Code, std::size_t Count, certified_function F>
constexpr rejection compare_with_signs(const F& f, const argument& x, const qparams& in, const quantizer& out,
                                       const code_grid& grid, const code_range& read) {
  std::array<Code, Count> by_estimates{}, by_signs{};
  const rejection refused = table_maker<F, Code, Count>(f, x, in.zero_point, out, grid).make(read, by_estimates);
  const rejection truth = table_maker<F, Code, Count, false>(f, x, in.zero_point, out, grid).make(read, by_signs);
  if (refused.exists() && truth.exists()) {
    return refused.why == truth.why ? rejection{} : truth;
  }
  for (std::size_t i = 0; i < Count; ++i) {
    const std::int64_t code = grid.code(static_cast<std::int64_t>(i));
    if (refused.exists() || truth.exists() || by_estimates[i] != by_signs[i]) {
      return {.why = reason::estimate_wrong,
              .at = place::table,
              .code = refused.exists() ? refused.code
                      : truth.exists() ? truth.code
                                       : code,
              .expected = truth.exists() ? unset : std::int64_t{by_signs[i]},
              .got = refused.exists() ? unset : std::int64_t{by_estimates[i]}};
    }
  }
  return {};
}

}  // namespace detail

/// For authors of functions: is the table made with the estimate, and with everything else that f claims of itself, the
/// table that its sign alone makes? Asked of `tables` quantizations: usual scales, powers of two on which every second
/// boundary is met, small arguments, scales of any size, alpha and shift, int8 and every eighth time int16.
///
/// Errors: estimate_wrong, with the quantization, the code and both entries: the estimate does not hold f, f is not odd
///   or has another f(0) or limit than it says, or the sign is undecided where the estimate is not.
/// Exactness: the sign is believed; compare that with an arithmetic of your own.
/// Cost: some thousand signs a table; the default takes a second, and is not for constant expressions.
template <certified_function F>
constexpr function_check check_function(const F& f, int tables = 64) {
  function_check all;
  detail::parameter_draw draw;
  for (int i = 0; i < tables; ++i) {
    const bool powers = i % 4 == 1, tiny = i % 8 == 2, any = i % 8 == 6;
    all.in = {.scale = draw.number(any    ? -1000
                                   : tiny ? -60
                                          : -9,
                                   any    ? 1000
                                   : tiny ? -20
                                          : 1,
                                   powers),
              .zero_point = i % 3 == 0 ? 0 : draw.code()};
    all.out = {.scale = tiny ? all.in.scale : draw.number(any ? -1000 : -10, any ? 1000 : -1, powers),
               .zero_point = i % 3 == 1 ? 0 : draw.code()};
    all.alpha = i % 5 == 4 ? draw.number(-2, 2) : 1.0;
    all.shift = i % 4 == 3 ? draw.number(-4, 2, draw.below(2) == 0) : 0.0;
    const detail::argument x(dyadic(all.alpha), dyadic(all.in.scale), dyadic(all.shift));
    const code_range type = i % 8 == 7 ? int16_range : int8_range,
                     read = detail::defined_codes(f, x, all.in.zero_point, type);
    if (read.empty()) {
      continue;
    }
    ++all.tables;
    const detail::quantizer out(dyadic(all.out.scale), all.out.zero_point, type);
    all.why = i % 8 == 7 ? detail::compare_with_signs<std::int16_t, 513>(f, x, all.in, out, {-32768, 128}, read)
                         : detail::compare_with_signs<std::int8_t, 256>(f, x, all.in, out, {-128, 1}, read);
    if (all.why.exists()) {
      break;
    }
  }
  return all;
}

}  // namespace v0
}  // namespace dytq

#endif
