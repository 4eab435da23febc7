// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables and maps of codes: of the wrong size, from nowhere, contradicting themselves, beyond their range.
#include "hostile.hpp"

#include <dytq/fit_line.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/lookup.hpp>
#include <dytq/table.hpp>

namespace hostile {
namespace {

using dytq::find_line_conflict;
using dytq::fit_affine;
using dytq::fit_line;
using dytq::fit_rescale;
using dytq::fold_alpha_into_lut;
using dytq::lookup;
using table_view = view<const std::int8_t>;
using table16_view = view<const std::int16_t>;
using numbers = view<const std::int64_t>;

constexpr std::array<std::int16_t, 513> cliff = [] {
  std::array<std::int16_t, 513> t{};
  for (std::size_t i = 0; i < t.size(); ++i) {
    t[i] = i % 2 == 0 ? std::int16_t{-32768} : std::int16_t{32767};
  }
  return t;
}();

constexpr reason of_alpha(dytq::alpha_site site, const table_view& table = table_view(codes)) {
  return why(fold_alpha_into_lut(site, table));
}

constexpr std::array plain{
    hostile_case{"lookup int8", "no table", reason::null_view,
                 [](outputs&, int, int) { return why(lookup(table_view(nullptr, {256}), 0)); }},
    hostile_case{"lookup int8", "an absent table", reason::table_size,
                 [](outputs&, int, int) { return why(lookup(table_view(), 0)); }},
    hostile_case{"lookup int8", "255 entries", reason::table_size,
                 [](outputs&, int, int) { return why(lookup(table_view(codes.data(), {255}), 127)); }},
    hostile_case{"lookup int8", "a stride out of the address space", reason::extent_overflow,
                 [](outputs&, int, int) { return why(lookup(table_view(codes.data(), {256}, {most}), 127)); }},
    hostile_case{"lookup int8", "backwards", reason::none,
                 [](outputs&, int, int) {
                   return right(lookup(table_view(codes.data() + 255, {256}, {-1}), -128).value_or(0) == 127);
                 }},
    hostile_case{"lookup int16", "no table", reason::null_view,
                 [](outputs&, int, int) { return why(lookup(table16_view(nullptr, {513}), 0)); }},
    hostile_case{"lookup int16", "512 entries", reason::table_size,
                 [](outputs&, int, int) { return why(lookup(table16_view(cliff.data(), {512}), 32767)); }},
    hostile_case{"lookup int16", "from the least to the largest", reason::table_slope_overflow,
                 [](outputs&, int, int) { return why(lookup(table16_view(cliff), 127)); }},
    hostile_case{"lookup int16", "from the largest to the least, at the last code", reason::table_slope_overflow,
                 [](outputs&, int, int) { return why(lookup(table16_view(cliff), 32767)); }},
    hostile_case{"lookup_code", "the ends of int8 and uint8, in both orders", reason::none,
                 [](outputs&, int, int) {
                   const dytq::byte_table8 by_byte = dytq::to_byte_order(codes);
                   return right(dytq::lookup_code(codes, std::int8_t{-128}) == codes[0] &&
                                dytq::lookup_code(codes, std::int8_t{127}) == codes[255] &&
                                dytq::lookup_code(by_byte, std::int8_t{-128}) == codes[0] &&
                                dytq::lookup_code(by_byte, std::int8_t{127}) == codes[255] &&
                                dytq::lookup_code(codes, std::uint8_t{255}) == codes[255] + 128 &&
                                dytq::to_code_order(by_byte) == codes);
                 }},
    hostile_case{"lookup_codes", "no codes from nowhere", reason::none,
                 [](outputs&, int, int) {
                   const std::int8_t* const nothing = nullptr;
                   dytq::lookup_codes(codes, nothing, static_cast<std::int8_t*>(nullptr), 0);
                   return reason::none;
                 }},
    hostile_case{"interpolate", "the steepest table, at the last code", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::interpolate(cliff, 32767) == 32767 * 128 - 65535 * 127 &&
                                dytq::interpolate(cliff, -32768) == -32768 * 128);
                 }},
    hostile_case{"interpolate_code", "the steepest table: on the line, and TFLite's wraps", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::interpolate_code(cliff, 32767) == -32256 &&
                                dytq::interpolate_code(dytq::tflite_table16{cliff}, 32767) == -32768);
                 }},
    hostile_case{"interpolate_codes", "no codes from nowhere", reason::none,
                 [](outputs&, int, int) {
                   dytq::interpolate_codes(cliff, nullptr, nullptr, 0);
                   return reason::none;
                 }},
    hostile_case{
        "table_index", "the ends of int8", reason::none,
        [](outputs&, int, int) { return right(dytq::table_index(-128) == 0 && dytq::table_index(127) == 255); }},
    hostile_case{"make_table", "an empty domain", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(dytq::make_table([](std::int8_t c) { return c; }, {1, 0}));
                 }},
    hostile_case{"make_table", "every int64 as the domain", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(dytq::make_table([](std::int8_t c) { return c; }, {least, most}));
                 }},
    hostile_case{"make_table", "an image that wraps into int8", reason::code_out_of_range,
                 [](outputs&, int, int) { return why(dytq::make_table([](std::int8_t) { return 256; })); }},
    hostile_case{"make_table", "the largest unsigned image", reason::code_out_of_range,
                 [](outputs&, int, int) { return why(dytq::make_table([](std::int8_t) { return UINT64_MAX; })); }},
    hostile_case{"make_table", "a map that refuses one code", reason::undecided,
                 [](outputs&, int, int) {
                   return why(dytq::make_table([](std::int8_t c) -> dytq::result<int> {
                     return c == 127 ? dytq::result<int>(reason::undecided) : dytq::result<int>(0);
                   }));
                 }},
    hostile_case{"compose", "no outer table", reason::null_view,
                 [](outputs&, int, int) { return why(dytq::compose(table_view(nullptr, {256}), codes)); }},
    hostile_case{"compose", "an inner table of 257 entries", reason::table_size,
                 [](outputs& to, int, int) { return why(dytq::compose(codes, table_view(to.bytes.data(), {257}))); }},
    hostile_case{"fit_affine", "nothing", reason::empty,
                 [](outputs&, int, int) { return why(fit_affine(numbers(), numbers())); }},
    hostile_case{"fit_affine", "no codes", reason::null_view,
                 [](outputs&, int, int) { return why(fit_affine(numbers(nullptr, {2}), numbers())); }},
    hostile_case{"fit_affine", "more codes than values", reason::size_mismatch,
                 [](outputs&, int, int) {
                   const std::int64_t n[] = {1, 2};
                   return why(fit_affine(numbers(n), numbers(n, {1})));
                 }},
    hostile_case{"fit_affine", "the least code", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {least, 0}, v[] = {0, 1};
                   return why(fit_affine(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_affine", "a value of 2^30", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {0, 1}, v[] = {0, std::int64_t{1} << 30};
                   return why(fit_affine(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_affine", "the largest unsigned value", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::uint64_t c[] = {0, UINT64_MAX};
                   return why(fit_affine(view<const std::uint64_t>(c), view<const std::uint64_t>(c)));
                 }},
    hostile_case{"fit_affine", "one code with two values", reason::contradiction,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {5, 5}, v[] = {0, 1};
                   return why(fit_affine(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_affine", "a code again, after the slope is known", reason::contradiction,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {0, 1, 1}, v[] = {0, 1, 2};
                   return why(fit_affine(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_affine", "extents that leave size_t", reason::extent_overflow,
                 [](outputs&, int, int) {
                   const std::int64_t n[] = {1};
                   return why(fit_affine(numbers(n, {most}), numbers(n, {most})));
                 }},
    hostile_case{"fit_affine per channel", "fewer fits than channels", reason::size_mismatch,
                 [](outputs& to, int, int) {
                   return why(fit_affine(view<const std::int8_t>(ones),
                                         view<const std::int8_t, 2>(weights.data(), {2, 2}),
                                         view<dytq::affine_fit>(to.fits.data(), {1})));
                 }},
    hostile_case{"fit_affine per channel", "fits that are one", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(fit_affine(view<const std::int8_t>(ones),
                                         view<const std::int8_t, 2>(weights.data(), {2, 2}),
                                         view<dytq::affine_fit>(to.fits.data(), {2}, {0})));
                 }},
    hostile_case{"fit_affine per channel", "the second channel contradicts itself", reason::contradiction,
                 [](outputs& to, int, int) {
                   const std::int8_t v[] = {1, 1, 1, 2};
                   return why(fit_affine(view<const std::int8_t>(ones), view<const std::int8_t, 2>(v, {2, 2}),
                                         view<dytq::affine_fit>(to.fits.data(), {2})));
                 }},
    hostile_case{"fit_rescale", "nothing", reason::empty,
                 [](outputs&, int, int) { return why(fit_rescale(numbers(), numbers())); }},
    hostile_case{"fit_rescale", "no values", reason::null_view,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(nullptr, {1})));
                 }},
    hostile_case{"fit_rescale", "fewer values than codes", reason::size_mismatch,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1, 2};
                   return why(fit_rescale(numbers(c), numbers(c, {1})));
                 }},
    hostile_case{"fit_rescale", "a code of 33 bits", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {std::int64_t{1} << 32};
                   return why(fit_rescale(numbers(c), numbers(c)));
                 }},
    hostile_case{"fit_rescale", "an empty output range", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.out = {1, 0}}));
                 }},
    hostile_case{"fit_rescale", "shifts that do not exist", reason::shift_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.shifts = {least, most}}));
                 }},
    hostile_case{"fit_rescale", "no shifts", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.shifts = {40, 30}}));
                 }},
    hostile_case{"fit_rescale", "the largest multiplier", reason::multiplier_too_large,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.multiplier_max = most}));
                 }},
    hostile_case{"fit_rescale", "a negative multiplier at most", reason::multiplier_negative,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.multiplier_max = -1}));
                 }},
    hostile_case{"fit_rescale", "the least zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.input_zp = least}));
                 }},
    hostile_case{"fit_rescale", "the largest output zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.output_zp = most}));
                 }},
    hostile_case{"fit_rescale", "INEXACT_ROUND", reason::inexact_round,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1};
                   return why(fit_rescale(numbers(c), numbers(c), {.rounding = dytq::rounding_mode::inexact_round}));
                 }},
    hostile_case{"fit_rescale", "one code with two values", reason::contradiction,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1, 1}, v[] = {1, 2};
                   return why(fit_rescale(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_rescale", "the ends of int32 against each other", reason::no_rescale,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {INT32_MIN, INT32_MAX}, v[] = {INT32_MAX, INT32_MIN};
                   return why(fit_rescale(numbers(c), numbers(v), {.out = dytq::int32_range}));
                 }},
    hostile_case{"fit_line", "nothing", reason::empty,
                 [](outputs&, int, int) {
                   return why(fit_line(numbers(), numbers()));
                 }},
    hostile_case{"fit_line", "no values", reason::null_view,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(nullptr, {1})));
                 }},
    hostile_case{"fit_line", "fewer values than codes", reason::size_mismatch,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1, 2}; return why(fit_line(numbers(c), numbers(c, {1})));
                 }},
    hostile_case{"fit_line", "the least code", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {least}, v[] = {0}; return why(fit_line(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_line", "the largest value", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {0}, v[] = {most}; return why(fit_line(numbers(c), numbers(v)));
                 }},
    hostile_case{"fit_line", "an output range of all numbers", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.out = {least, most}}));
                 }},
    hostile_case{"fit_line", "weights without end", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.weights = {least, most}}));
                 }},
    hostile_case{"fit_line", "no weights", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.weights = {1, 0}}));
                 }},
    hostile_case{"fit_line", "the least zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.input_zp = least}));
                 }},
    hostile_case{"fit_line", "the largest output zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.output_zp = most}));
                 }},
    hostile_case{"fit_line", "the least tolerance", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.tolerance = least}));
                 }},
    hostile_case{"fit_line", "INEXACT_ROUND", reason::inexact_round,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(fit_line(numbers(c), numbers(c), {.rounding = dytq::rounding_mode::inexact_round}));
                 }},
    hostile_case{"fit_line", "one code with two values", reason::contradiction,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1, 1}, v[] = {1, 2}; return why(fit_line(numbers(c), numbers(v)));
                 }},
    hostile_case{"find_line_conflict", "nothing", reason::empty,
                 [](outputs&, int, int) {
                   return why(find_line_conflict(numbers(), numbers()));
                 }},
    hostile_case{"find_line_conflict", "no values", reason::null_view,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(nullptr, {1})));
                 }},
    hostile_case{"find_line_conflict", "fewer values than codes", reason::size_mismatch,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1, 2}; return why(find_line_conflict(numbers(c), numbers(c, {1})));
                 }},
    hostile_case{"find_line_conflict", "the least code", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {least}, v[] = {0}; return why(find_line_conflict(numbers(c), numbers(v)));
                 }},
    hostile_case{"find_line_conflict", "the largest value", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {0}, v[] = {most}; return why(find_line_conflict(numbers(c), numbers(v)));
                 }},
    hostile_case{"find_line_conflict", "an output range of all numbers", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.out = {least, most}}));
                 }},
    hostile_case{"find_line_conflict", "weights without end", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.weights = {least, most}}));
                 }},
    hostile_case{"find_line_conflict", "no weights", reason::range_inverted,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.weights = {1, 0}}));
                 }},
    hostile_case{"find_line_conflict", "the least zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.input_zp = least}));
                 }},
    hostile_case{"find_line_conflict", "the largest output zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.output_zp = most}));
                 }},
    hostile_case{"find_line_conflict", "the least tolerance", reason::code_out_of_range,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.tolerance = least}));
                 }},
    hostile_case{"find_line_conflict", "INEXACT_ROUND", reason::inexact_round,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1}; return why(find_line_conflict(numbers(c), numbers(c), {.rounding = dytq::rounding_mode::inexact_round}));
                 }},
    hostile_case{"find_line_conflict", "one code with two values", reason::contradiction,
                 [](outputs&, int, int) {
                   const std::int64_t c[] = {1, 1}, v[] = {1, 2}; return why(find_line_conflict(numbers(c), numbers(v)));
                 }},
    hostile_case{"fold_alpha_into_lut", "no table", reason::null_view,
                 [](outputs&, int, int) { return of_alpha({}, table_view(nullptr, {256})); }},
    hostile_case{"fold_alpha_into_lut", "an absent table", reason::table_size,
                 [](outputs&, int, int) { return of_alpha({}, table_view()); }},
    hostile_case{"fold_alpha_into_lut", "an alpha of 9 bits", reason::code_out_of_range,
                 [](outputs&, int, int) { return of_alpha({.alpha = 128}); }},
    hostile_case{"fold_alpha_into_lut", "the least alpha", reason::code_out_of_range,
                 [](outputs&, int, int) { return of_alpha({.alpha = INT32_MIN}); }},
    hostile_case{"fold_alpha_into_lut", "an inverted function range", reason::range_inverted,
                 [](outputs&, int, int) {
                   return of_alpha({.function_in = {1, 0}});
                 }},
    hostile_case{"fold_alpha_into_lut", "a function range of 64 bits", reason::range_inverted,
                 [](outputs&, int, int) {
                   return of_alpha({.function_in = {least, most}});
                 }},
    hostile_case{"fold_alpha_into_lut", "an inverted domain", reason::range_inverted,
                 [](outputs&, int, int) {
                   return of_alpha({.domain = {most, least}});
                 }},
    hostile_case{"fold_alpha_into_lut", "a product that reaches int32", reason::range_inverted,
                 [](outputs&, int, int) { return of_alpha({.steps = {.mul_out = {.out = dytq::int32_range}}}); }},
    hostile_case{"fold_alpha_into_lut", "an activation beyond its shift", reason::value_exceeds_shift,
                 [](outputs&, int, int) { return of_alpha({.steps = {.activation = {.shift = 2}}}); }},
    hostile_case{"fold_alpha_into_lut", "an alpha beyond its shift", reason::value_exceeds_shift,
                 [](outputs&, int, int) { return of_alpha({.alpha = 127, .steps = {.alpha = {.shift = 3}}}); }},
    hostile_case{
        "fold_alpha_into_lut", "a zero point at the end of int32", reason::value_exceeds_int32,
        [](outputs&, int, int) { return of_alpha({.steps = {.activation = {.shift = 62, .input_zp = INT32_MIN}}}); }},
    hostile_case{"alpha_map", "products of 62 bits wrap, as MUL says", reason::none,
                 [](outputs&, int, int) {
                   const dytq::rescale far{.multiplier = INT32_MAX, .shift = 9};
                   const auto map = dytq::detail::alpha_map::make(
                       {.alpha = -128,
                        .steps = {.activation = far, .alpha = far, .mul_out = {.shift = 62, .out = dytq::int8_range}}});
                   return right(map && map->wraps(-128) && map->accepts({-128, 127}));
                 }},
};
static_assert(!at_compile_time || all_hold(plain));

constexpr auto faults = [] {
  constexpr const char* names[] = {"fold_alpha_into_lut, activation", "fold_alpha_into_lut, alpha",
                                   "fold_alpha_into_lut, mul_out"};
  std::array<hostile_case, 3 * rescale_faults.size()> all{};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const rescale_fault f = rescale_faults[n % rescale_faults.size()];
    all[n] = {names[n / rescale_faults.size()],
              f.what,
              f.why,
              [](outputs&, int step, int fault) {
                dytq::alpha_site site;
                auto& s = site.steps;
                dytq::rescale& r = step == 0 ? s.activation : step == 1 ? s.alpha : s.mul_out;
                r = spoiled(r, fault);
                return of_alpha(site);
              },
              static_cast<int>(n / rescale_faults.size()),
              static_cast<int>(n % rescale_faults.size())};
  }
  return all;
}();
static_assert(!at_compile_time || all_hold(faults));

constexpr std::array addresses{
    hostile_case{
        "fit_affine per channel", "fits in the values", reason::overlapping_views,
        [](outputs& to, int, int) {
          const view<const std::int8_t, 2> values(reinterpret_cast<const std::int8_t*>(to.fits.data()), {2, 2});
          return why(fit_affine(view<const std::int8_t>(ones), values, view<dytq::affine_fit>(to.fits.data(), {2})));
        }},
};

}  // namespace

std::size_t check_tables() { return check(plain) + check(faults) + check(addresses); }

}  // namespace hostile
