// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/lut.hpp>

#include "support/both_worlds.hpp"

namespace {

using dytq::place;
using dytq::reason;
using dytq_tests::opaque;
namespace functions = dytq::functions;

constexpr dytq::qparams in{.scale = 0.05, .zero_point = 3, .qmin = -100, .qmax = 90};
constexpr dytq::qparams out{.scale = 1.0 / 127};

// Half of the code, rounded: a step that reaches neither end of the function's range.
constexpr dytq::alpha_site half{
    .alpha = 64, .steps = {.activation = {}, .alpha = {}, .mul_out = {.shift = 37, .out = dytq::int8_range}}};
// Twice the code, which reaches both.
constexpr dytq::alpha_site twice{
    .alpha = 127, .steps = {.activation = {}, .alpha = {}, .mul_out = {.shift = 36, .out = dytq::int8_range}}};

constexpr std::int8_t entry(const dytq::table8& t, std::int64_t code) {
  return t[static_cast<std::size_t>(code + 128)];
}

}  // namespace

TEST_BOTH("each code reads what the multiplication makes of it, within the function's input range", {
  const auto table = dytq::make_lut8(functions::tanh, in, out);
  const auto folded = dytq::fold_alpha_into_lut(twice, functions::tanh, in, out);
  bool right = table && folded && !folded->wrapped;
  int changed = 0;
  for (std::int64_t code = -128; code < 128 && right; ++code) {
    const std::int64_t product = dytq::detail::floor_div(opaque(code) * 127 + 32, 64);
    const std::int64_t read = product < -100 ? -100 : product > 90 ? 90 : product;
    right = entry(folded->table, code) == entry(*table, read);
    changed += entry(folded->table, code) != entry(*table, code) ? 1 : 0;
  }
  return right && folded->changed == changed;
})

TEST_BOTH("site.function_in is not read, and options reach the table", {
  dytq::alpha_site site = half;
  site.function_in = {opaque(std::int64_t{1}), 0};
  const dytq::lut_options how{.alpha = 2.0, .shift = 0.25};
  const auto folded = dytq::fold_alpha_into_lut(site, functions::logistic, in, out, how);
  const auto table = dytq::make_lut8(functions::logistic, in, out, how);
  return folded && table && entry(folded->table, 100) == entry(*table, 50) &&
         entry(folded->table, -101) == entry(*table, -50) &&
         folded->table != dytq::fold_alpha_into_lut(site, functions::logistic, in, out)->table;
})

TEST_BOTH("what the function's table or the fold refuses", {
  const auto of = [](const dytq::alpha_site& site, const dytq::qparams& i, const dytq::qparams& o) {
    return dytq::fold_alpha_into_lut(site, functions::tanh, i, o).error();
  };
  dytq::alpha_site far = half;
  far.alpha = 128;
  return of(half, {.scale = 1.0, .qmin = opaque(1), .qmax = 0}, out).why == reason::range_inverted &&
         of(half, {.scale = 1.0, .qmin = 1, .qmax = 0}, out).at == place::function_in &&
         of(half, in, {.scale = -1.0}).why == reason::scale_not_positive &&
         of(far, in, out).why == reason::code_out_of_range;
})
