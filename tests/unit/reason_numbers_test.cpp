// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two numbers of a rejection, over random ones: `got` is what there is, found without the library, and with
// `expected` in its place the same objection is not made again. What a reason's numbers are is what `numbers` says.
#include <dytq/conv.hpp>
#include <dytq/engine.hpp>
#include <dytq/lut.hpp>
#include <dytq/rescale.hpp>
#include <dytq/table.hpp>
#include <dytq/text.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>

#include "support/catch.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::rounding_mode;
using dytq::view;

namespace {

class source {
 public:
  explicit source(unsigned seed) : random_(seed) {}
  std::int64_t range(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(static_cast<std::uint64_t>(random_()) %
                                          (static_cast<std::uint64_t>(hi - lo) + 1u));
  }
  bool chance(int percent) { return range(0, 99) < percent; }
  /// Near a limit, mostly.
  std::int64_t near(std::initializer_list<std::int64_t> limits) {
    return limits.begin()[range(0, static_cast<std::int64_t>(limits.size()) - 1)] + range(-2, 2);
  }
  template <class T>
  T of(std::initializer_list<T> list) {
    return list.begin()[range(0, static_cast<std::int64_t>(list.size()) - 1)];
  }

 private:
  std::mt19937_64 random_;
};

/// How often each reason was judged.
std::map<reason, int> judged;

/// The rejection's numbers are there exactly if the reason has them, and `got` is `is`.
void judge(const rejection& why, std::int64_t is) {
  INFO(dytq::to_text(why).c_str());
  const dytq::reason_numbers has = dytq::numbers(why.why);
  CHECK((why.expected != dytq::unset) == (has.expected[0] != '\0'));
  CHECK((why.got != dytq::unset) == (has.got[0] != '\0'));
  CHECK(why.got == is);
  CHECK(why.expected != why.got);
  ++judged[why.why];
}

/// Is it the lower bound of a range that is wrong?
bool wrong_low(const dytq::code_range& range, const rejection& why) { return !range.empty() && why.got == range.lo; }

/// Is it the same objection?
bool same(const rejection& a, const rejection& b) { return a.why == b.why && a.at == b.at; }

constexpr std::int64_t two(int n) { return std::int64_t{1} << n; }

}  // namespace

TEST_CASE("a step of a chain, and the value that it takes") {
  source s(1);
  for (int n = 0; n < 40'000; ++n) {
    dytq::rescale r;
    if (s.chance(20))
      r.multiplier = static_cast<std::int32_t>(s.near({0, 3, two(24)}));
    if (s.chance(30))
      r.shift = static_cast<std::int32_t>(s.near({2, 16, 31, 55, 60}));
    if (s.chance(30))
      r.left_shift = static_cast<std::int32_t>(s.near({2, 20, 30}));
    if (s.chance(20))
      r.out = {s.near({-128, 0, -two(31)}), s.near({-128, 127, 255, two(31)})};
    if (s.chance(40))
      r.input_zp = static_cast<std::int32_t>(s.near({0, INT32_MIN + 2, INT32_MAX - 2}));
    if (s.chance(40))
      r.output_zp = static_cast<std::int32_t>(s.near({-128, 255, INT32_MIN + 2, INT32_MAX - 2}));
    r.rounding = s.of({rounding_mode::single_round, rounding_mode::double_round, rounding_mode::tflite_single,
                       rounding_mode::tflite_double, rounding_mode::xnnpack_rndnu, rounding_mode::xnnpack_fp32,
                       rounding_mode::onnx, static_cast<rounding_mode>(200)});
    std::int64_t value = s.near({0, -two(15), two(15), -two(29), two(29), -two(31), two(31)});
    const auto ask = [](const dytq::rescale& step, std::int64_t v) {
      return dytq::apply(step, v, place::gamma).error();
    };
    const rejection why = ask(r, value);
    dytq::rescale mended = r;
    std::int64_t mended_value = value;
    const std::int64_t centered = value - r.input_zp;
    switch (why.why) {
      case reason::none: continue;
      case reason::unknown_rounding_mode: judge(why, 200); continue;
      case reason::multiplier_negative:
      case reason::multiplier_too_large:
        judge(why, r.multiplier);
        mended.multiplier = static_cast<std::int32_t>(why.expected);
        break;
      case reason::shift_out_of_range:
        judge(why, r.shift);
        mended.shift = static_cast<std::int32_t>(why.expected);
        break;
      case reason::left_shift_out_of_range:
        judge(why, r.left_shift);
        mended.left_shift = static_cast<std::int32_t>(why.expected);
        break;
      case reason::zero_point_out_of_range:
        judge(why, r.output_zp);
        mended.output_zp = static_cast<std::int32_t>(why.expected);
        break;
      case reason::range_inverted:
        judge(why, wrong_low(r.out, why) ? r.out.lo : r.out.hi);
        (wrong_low(r.out, why) ? mended.out.lo : mended.out.hi) = why.expected;
        if (ask(mended, value).why == reason::range_inverted) {
          CHECK(ask(mended, value).got != why.got);  // the other bound
          continue;
        }
        break;
      case reason::value_exceeds_shift:
        judge(why, centered);
        mended_value = r.input_zp + why.expected;
        CHECK((mended_value < value) == (centered > 0));
        if (mended_value < INT32_MIN || mended_value > INT32_MAX)
          continue;
        break;
      case reason::value_exceeds_int32: {
        // The value, its difference to the zero point, what is scaled, or that and the other zero point.
        const double product =
            static_cast<double>(centered) * static_cast<double>(r.multiplier) * std::ldexp(1.0, r.left_shift - r.shift);
        const auto scaled = static_cast<std::int64_t>(std::clamp(product, -0x1p62, 0x1p62));
        const bool before = value < INT32_MIN || value > INT32_MAX;
        const bool difference = centered < INT32_MIN || centered > INT32_MAX;
        judge(why, before ? value : difference ? centered : why.got);
        CHECK((why.expected == INT32_MIN || why.expected == INT32_MAX));
        if (!before && !difference) {
          const std::int64_t off = why.got - scaled;
          CHECK((std::llabs(off) <= 2 || std::llabs(off - r.output_zp) <= 2));
        }
        continue;
      }
      default: FAIL(dytq::to_text(why).c_str());
    }
    INFO(dytq::to_text(why).c_str() << " then " << dytq::to_text(ask(mended, mended_value)).c_str());
    CHECK(!same(ask(mended, mended_value), why));
  }
}

TEST_CASE("the operator RESCALE") {
  source s(2);
  for (int n = 0; n < 20'000; ++n) {
    const auto type = [&] { return static_cast<dytq::code_type>(s.range(0, 5)); };
    dytq::rescale_operator op{.in = type(), .out = type(), .scale32 = s.chance(60)};
    if (s.chance(30))
      op.input_zp = s.near({-128, 127, 255, 0, 32768, two(40)});
    if (s.chance(30))
      op.output_zp = s.near({-128, 127, 255, 0, 16384, 32768, 65535});
    const std::int64_t multiplier = s.near({5, two(15), two(31), 0});
    const std::int64_t shift = s.near({2, 30, 62});
    const std::int64_t value = s.near({0, 127, 255, 32767, 65535, two(31), -two(47), two(47)});
    const auto ask = [](const dytq::rescale_operator& o, std::int64_t v, std::int64_t m, std::int64_t by) {
      return dytq::apply(o, v, m, by).error();
    };
    const rejection why = ask(op, value, multiplier, shift);
    dytq::rescale_operator mended = op;
    std::int64_t m = multiplier, by = shift, v = value;
    switch (why.why) {
      case reason::none: continue;
      case reason::zero_point_not_zero:
      case reason::zero_point_out_of_range: {
        std::int64_t& zp = why.at == place::input ? mended.input_zp : mended.output_zp;
        judge(why, zp);
        // No other legal one is nearer.
        if (why.why == reason::zero_point_not_zero)
          CHECK(
              std::llabs(why.got - why.expected) <=
              std::llabs(why.got -
                         ((why.at == place::input ? op.in : op.out) == dytq::code_type::u16 && why.expected == 0 ? 32768
                                                                                                                 : 0)));
        zp = why.expected;
        break;
      }
      case reason::multiplier_negative:
      case reason::multiplier_too_large: judge(why, multiplier), m = why.expected; break;
      case reason::shift_out_of_range: judge(why, shift), by = why.expected; break;
      case reason::code_out_of_range: judge(why, value), v = why.expected; break;
      case reason::value_exceeds_shift: judge(why, value - op.input_zp), v = why.expected + op.input_zp; break;
      case reason::value_exceeds_int48: judge(why, value - op.input_zp), v = why.expected + op.input_zp; break;
      case reason::value_exceeds_int32: judge(why, why.got); continue;
      case reason::unknown_type: judge(why, static_cast<std::int64_t>(op.out)); continue;
      default:
        CHECK((why.expected == dytq::unset && why.got == dytq::unset));
        CHECK((dytq::numbers(why.why).expected[0] == '\0' && dytq::numbers(why.why).got[0] == '\0'));
        continue;
    }
    CHECK(!same(ask(mended, v, m, by), why));
  }
}

TEST_CASE("geometry and constants of a convolution") {
  source s(3);
  const std::array<std::int8_t, 4096> w{};
  const std::array<std::int32_t, 64> b{};
  for (int n = 0; n < 20'000; ++n) {
    const std::int64_t outputs = s.range(0, 6), kernel = s.range(1, 3), inputs = s.range(1, 3);
    dytq::convolution conv{.weight = {w.data(), {outputs, 1, kernel, 1, inputs}}, .axes = dytq::unpadded};
    conv.kind = s.chance(30) ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
    conv.axes[1] = {.input = s.range(-1, 9),
                    .stride = s.range(0, 4),
                    .dilation = s.range(0, 2),
                    .before = s.range(-1, 2),
                    .after = s.range(-1, 2)};
    if (s.chance(20))
      conv.axes[0].stride = 0;
    conv.groups = s.chance(70) ? 1 : s.range(-1, 7);
    if (s.chance(30))
      conv.bias = {b.data(), {s.range(0, 7)}};
    if (s.chance(30))
      conv.weight_zp = {w.data(), {s.range(0, 7)}};
    if (s.chance(10))
      conv.input_zp = static_cast<std::int32_t>(s.near({-128, 127}));
    if (s.chance(10))
      conv.weight_range = {s.near({-128, 0}), s.near({0, 127})};
    const auto ask = [](const dytq::convolution& c) {
      const auto r = dytq::validate(c);
      return r ? rejection{} : r.error();
    };
    const rejection why = ask(conv);
    dytq::convolution mended = conv;
    const auto axis = static_cast<std::size_t>(why.axis == dytq::unset ? 0 : why.axis);
    switch (why.why) {
      case reason::none: continue;
      case reason::empty:
        judge(why, conv.weight.extents[axis]);
        mended.weight.extents[axis] = why.expected;
        break;
      case reason::group_count:
        judge(why, conv.groups);
        mended.groups = why.expected;
        break;
      case reason::channel_count:
        judge(why, conv.weight_zp.extent(0));
        mended.weight_zp.extents[0] = why.expected;
        break;
      case reason::bias_count:
        judge(why, conv.bias.extent(0));
        mended.bias.extents[0] = why.expected;
        break;
      case reason::zero_point_out_of_range:
        judge(why, conv.input_zp);
        mended.input_zp = static_cast<std::int32_t>(why.expected);
        break;
      case reason::range_inverted:
        judge(why, wrong_low(conv.weight_range, why) ? conv.weight_range.lo : conv.weight_range.hi);
        (wrong_low(conv.weight_range, why) ? mended.weight_range.lo : mended.weight_range.hi) = why.expected;
        if (same(ask(mended), why)) {
          CHECK(ask(mended).got != why.got);
          continue;
        }
        break;
      case reason::stride_not_positive:
        judge(why, conv.axes[axis].stride);
        mended.axes[axis].stride = why.expected;
        break;
      case reason::dilation_not_positive:
        judge(why, conv.axes[axis].dilation);
        mended.axes[axis].dilation = why.expected;
        break;
      case reason::pad_out_of_range: {
        const bool before = why.got == conv.axes[axis].before;
        judge(why, before ? conv.axes[axis].before : conv.axes[axis].after);
        (before ? mended.axes[axis].before : mended.axes[axis].after) = why.expected;
        if (same(ask(mended), why)) {
          (before ? mended.axes[axis].after : mended.axes[axis].before) = why.expected;  // the other end was wrong too
        }
        break;
      }
      case reason::stride_does_not_divide: {
        const dytq::conv_axis& a = conv.axes[axis];
        judge(why, a.input + a.before + a.after - (kernel - 1) * a.dilation - 1);
        mended.axes[axis].input -= why.got - why.expected;  // the remainder is cut off
        CHECK((why.got - why.expected > 0 && why.got - why.expected < a.stride));
        if (mended.axes[axis].input < 1)
          continue;
        break;
      }
      case reason::shape_mismatch: judge(why, why.got); continue;
      case reason::geometry_unset: judge(why, kernel); continue;
      default: FAIL(dytq::to_text(why).c_str());
    }
    CHECK((!same(ask(mended), why) || ask(mended).axis != why.axis));
  }
}

TEST_CASE("scales and targets: the shift that a scale needs, and the last that there is") {
  using dytq::scale_target;
  source s(4);
  for (int n = 0; n < 40'000; ++n) {
    const auto target = static_cast<scale_target>(s.range(0, 6));
    const auto bits = static_cast<std::uint64_t>(s.range(1023 - 60, 1023 + 40)) << 52 |
                      (s.chance(50) ? static_cast<std::uint64_t>(s.range(0, 255)) << 44 : 0);
    const auto scale = std::bit_cast<double>(bits);
    const rejection why = dytq::fits_target(target, scale).error();
    if (why.why != reason::scale_too_large && why.why != reason::scale_too_small)
      continue;
    // 2^31 or 2^24 times the fraction, and so many shifts to the right.
    const int width = target >= scale_target::xnnpack ? 24 : 31;
    int exponent = 0;
    std::frexp(scale, &exponent);
    judge(why, width - exponent);
    CHECK(dytq::fits_target(target, std::ldexp(scale, static_cast<int>(why.got - why.expected))).has_value());
    CHECK(!dytq::fits_target(target, std::ldexp(scale, static_cast<int>(why.got - why.expected) +
                                                           (why.why == reason::scale_too_large ? 1 : -1))));
  }
}

TEST_CASE("MUL, ADD, TABLE and the table of a map") {
  source s(5);
  for (int n = 0; n < 20'000; ++n) {
    const auto a = static_cast<std::int32_t>(s.range(-two(31), two(31) - 1)),
               b = static_cast<std::int32_t>(s.range(-two(31), two(31) - 1));
    const auto by = static_cast<int>(s.range(-2, 66));
    if (const rejection why = dytq::add_int32(a, b).error(); why.exists()) {
      judge(why, std::int64_t{a} + b);
      CHECK(why.expected == (a < 0 ? INT32_MIN : INT32_MAX));
    }
    if (const rejection why = dytq::mul_int32(a, b, by).error(); why.why == reason::shift_out_of_range) {
      judge(why, by);
      CHECK(dytq::mul_int32(a, b, static_cast<int>(why.expected)).error().why != reason::shift_out_of_range);
    } else if (why.exists()) {
      const std::int64_t product = std::int64_t{a} * b;
      judge(why, ((product >> (by - 1)) + 1) >> 1);
      CHECK(why.expected == (product < 0 ? INT32_MIN : INT32_MAX));
    }
    const std::int64_t wide = s.near({-two(47), two(47)});
    if (const rejection why = dytq::apply_scale_16(wide, 1, 40).error(); why.exists()) {
      judge(why, wide);
      CHECK(!same(dytq::apply_scale_16(why.expected, 1, 40).error(), why));
    }
    dytq::table16 table{};
    const auto at = static_cast<std::size_t>(s.range(0, 511));
    table[at] = static_cast<std::int16_t>(s.range(-32768, 32767));
    table[at + 1] = static_cast<std::int16_t>(s.range(-32768, 32767));
    const auto code = static_cast<std::int16_t>(static_cast<int>(at) * 128 - 32768 + 5);
    if (const rejection why = dytq::lookup(table, code).error(); why.exists()) {
      judge(why, std::int64_t{table[at + 1]} - table[at]);
      CHECK(why.expected == (why.got < 0 ? -32768 : 32767));
    }
    const auto slope = static_cast<int>(s.range(-3, 3)), offset = static_cast<int>(s.range(-130, 130));
    if (const rejection why = dytq::make_table([&](int c) { return slope * c + offset; }).error(); why.exists()) {
      judge(why, slope * why.code + offset);
      CHECK(why.expected == (why.got < 0 ? -128 : 127));
    }
  }
}

TEST_CASE("views: extents, strides, and shapes that agree") {
  source s(6);
  std::array<std::int8_t, 64> memory{};
  for (int n = 0; n < 20'000; ++n) {
    const view<std::int8_t, 2> v(memory.data(), {s.range(-1, 5), s.range(-1, 5)}, {s.range(0, 6), s.range(0, 3)});
    if (const rejection why = dytq::validate_output(v).error(); why.exists()) {
      if (why.why == reason::negative_extent) {
        judge(why, v.extents[0] < 0 ? v.extents[0] : v.extents[1]);
      } else {
        CHECK(why.why == reason::aliased_output);
        judge(why, why.got == v.strides[0] ? v.strides[0] : v.strides[1]);
        if (v.strides[0] == v.strides[1])
          continue;  // either is meant
        auto mended = v;
        mended.strides[why.got == v.strides[0] ? 0 : 1] = why.expected;
        CHECK(dytq::validate_output(mended).error() != why);
      }
    }
    const view<std::int8_t, 2> x(memory.data(), {s.range(1, 3), s.range(1, 3)}),
        y(memory.data(), {s.range(1, 3), s.range(1, 3)});
    if (const rejection why = dytq::validate_same_extents(x, y, place::output).error(); why.exists()) {
      const auto axis = static_cast<std::size_t>(why.axis);
      judge(why, x.extents[axis]);
      CHECK((why.expected == y.extents[axis] && (axis == 0 || x.extents[0] == y.extents[0])));
    }
  }
}

TEST_CASE("all of these were met, and often") {
  for (const reason r : {reason::multiplier_negative,
                         reason::multiplier_too_large,
                         reason::shift_out_of_range,
                         reason::left_shift_out_of_range,
                         reason::value_exceeds_shift,
                         reason::value_exceeds_int48,
                         reason::value_exceeds_int32,
                         reason::zero_point_not_zero,
                         reason::zero_point_out_of_range,
                         reason::range_inverted,
                         reason::code_out_of_range,
                         reason::unknown_rounding_mode,
                         reason::unknown_type,
                         reason::scale_too_large,
                         reason::scale_too_small,
                         reason::mul_overflow,
                         reason::add_overflow,
                         reason::table_slope_overflow,
                         reason::empty,
                         reason::group_count,
                         reason::channel_count,
                         reason::bias_count,
                         reason::stride_not_positive,
                         reason::dilation_not_positive,
                         reason::pad_out_of_range,
                         reason::stride_does_not_divide,
                         reason::shape_mismatch,
                         reason::geometry_unset,
                         reason::negative_extent,
                         reason::aliased_output}) {
    INFO(dytq::name(r));
    CHECK(judged[r] >= 20);
  }
}
