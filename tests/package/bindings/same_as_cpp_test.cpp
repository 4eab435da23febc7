// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library for C answers what the headers answer, refusals with their numbers too, and a refusal writes nothing.
#include <dytq.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <dytq/chain.hpp>
#include <dytq/check_fold.hpp>
#include <dytq/engine.hpp>
#include <dytq/fold.hpp>
#include <dytq/fold_bounded.hpp>
#include <dytq/layer.hpp>
#include <dytq/plan.hpp>
#include <random>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using dytq::view;

std::mt19937 random_numbers(20);
std::int64_t between(std::int64_t lo, std::int64_t hi) {
  return std::uniform_int_distribution<std::int64_t>(lo, hi)(random_numbers);
}
template <class T>
T one_of(std::initializer_list<T> all) {
  return all.begin()[between(0, static_cast<std::int64_t>(all.size()) - 1)];
}

dytq_rejection nothing() {
  dytq_rejection why{};
  why.size = sizeof why;
  return why;
}

// Numbers are not the same in both, names are.
bool same(const dytq_rejection& ours, const dytq::rejection& theirs) {
  const char* const at = dytq_name(DYTQ_NAMES_AT, ours.at);
  return dytq::describe(theirs.why).name == std::string_view(dytq_name(DYTQ_NAMES_REASON, ours.reason)) &&
         at != nullptr &&
         (ours.at == DYTQ_AT_NONE ? theirs.at == dytq::place::none : dytq::name(theirs.at) == std::string_view(at)) &&
         ours.step == theirs.step && ours.channel == theirs.channel && ours.output_channel == theirs.output_channel &&
         ours.tap == theirs.tap && ours.axis == theirs.axis && ours.code == theirs.code &&
         ours.expected == theirs.expected && ours.got == theirs.got && ours.least == theirs.least;
}

// Was it refused in both, or in neither? -> in neither
template <class T>
bool answered(dytq_status status, const dytq_rejection& ours, const dytq::result<T>& theirs) {
  REQUIRE((status == DYTQ_OK) == static_cast<bool>(theirs));
  if (!theirs) {
    REQUIRE(status == DYTQ_REJECTED);
    CHECK(same(ours, theirs.error()));
  }
  return static_cast<bool>(theirs);
}

bool same(const dytq_rescale& ours, const dytq::rescale& theirs) {
  constexpr const char* names[] = {"single_round",  "double_round", "inexact_round", "tflite_single", "tflite_double",
                                   "xnnpack_rndnu", "xnnpack_fp32", "onnx",          "onnx_multiply"};
  return ours.multiplier == theirs.multiplier && ours.shift == theirs.shift && ours.input_zp == theirs.input_zp &&
         ours.output_zp == theirs.output_zp && ours.left_shift == theirs.left_shift && ours.out.is_set == 1 &&
         ours.out.lo == theirs.out.lo && ours.out.hi == theirs.out.hi &&
         std::string_view(dytq_name(DYTQ_NAMES_ROUNDING, ours.rounding)) == names[static_cast<int>(theirs.rounding)];
}

template <class T>
dytq_view viewed(const T* data, std::initializer_list<std::int64_t> extents) {
  dytq_view v{};
  v.data = data;
  v.type = sizeof(T) == 8 ? DYTQ_INT64 : sizeof(T) == 4 ? DYTQ_INT32 : DYTQ_INT8;
  v.rank = static_cast<std::int32_t>(extents.size());
  std::int64_t stride = 1;
  for (auto r = static_cast<int>(extents.size()); r-- > 0;) {
    v.extents[r] = extents.begin()[r];
    v.strides[r] = stride;
    stride *= v.extents[r];
  }
  return v;
}
template <class T>
dytq_output written(T* data, std::initializer_list<std::int64_t> extents) {
  const dytq_view v = viewed<T>(data, extents);
  dytq_output o{};
  o.data = data;
  o.type = v.type;
  o.rank = v.rank;
  std::memcpy(o.extents, v.extents, sizeof o.extents);
  std::memcpy(o.strides, v.strides, sizeof o.strides);
  return o;
}

double scale() {
  return one_of({0.05, 1.0 / 128, 0.5, 1.0, 3.0, 0.0, -1.0, 1e-30, 1e30, 1e-42, 1e39, 0.1}) < 0.1
             ? static_cast<double>(static_cast<float>(std::uniform_real_distribution<>(1e-4, 0.2)(random_numbers)))
             : one_of({0.5, 1.0, 3.0, 0.0, -1.0, 1e-30, 1e30, 0x1p-140, 0x1p127, 0.1});
}

struct quantized {
  dytq_qparams c{};
  dytq::qparams cpp{};
};
quantized parameters() {
  quantized q;
  q.c.scale = q.cpp.scale = scale();
  q.c.zero_point = q.cpp.zero_point = static_cast<std::int32_t>(one_of<std::int64_t>({0, 3, -128, 127, 128}));
  if (between(0, 3) == 0) {
    q.c.codes = {1, static_cast<std::int32_t>(between(-130, 100)), static_cast<std::int32_t>(between(-100, 127))};
    q.cpp.qmin = q.c.codes.lo;
    q.cpp.qmax = q.c.codes.hi;
  }
  return q;
}

}  // namespace

TEST_CASE("engines: every engine and operator") {
  int answers = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto engine = static_cast<std::int32_t>(between(0, 4));
    const auto kernel = static_cast<std::int32_t>(between(0, 6));
    const auto e = static_cast<dytq::engine>(engine);
    const auto op = static_cast<dytq::engine_operator>(kernel);
    dytq_rejection why = nothing();
    std::int32_t parts[3] = {-7, -7, -7};
    const auto how = dytq::arithmetic_of(e, op);
    if (answered(dytq_engine_arithmetic(engine, kernel, &parts[0], &parts[1], &parts[2], &why), why, how)) {
      CHECK(parts[0] == static_cast<int>(how->product));
      CHECK(parts[1] == static_cast<int>(how->dialect));
      CHECK(parts[2] == static_cast<int>(how->rounding));
    } else {
      CHECK((parts[0] == -7 && parts[1] == -7 && parts[2] == -7));
    }
    const double a = scale(), b = scale(), to = scale();
    double product = -7;
    const auto order = static_cast<std::int32_t>(between(0, 2));
    const auto effective = dytq::effective_scale(static_cast<dytq::scale_product>(order), a, b, to);
    answered(dytq_effective_scale(order, a, b, to, &product, &why), why, effective);
    const double expected = effective ? *effective : -7;
    CHECK(std::memcmp(&product, &expected, sizeof expected) == 0);

    const quantized out = parameters();
    dytq_rescale step{}, untouched{};
    const auto made = dytq::requantization(e, op, a, b, out.cpp);
    if (answered(dytq_requantization(engine, kernel, a, b, &out.c, &step, &why), why, made)) {
      CHECK(same(step, *made));
      ++answers;
    } else {
      CHECK(std::memcmp(&step, &untouched, sizeof step) == 0);
    }
    const quantized first = parameters(), second = parameters();
    dytq_rescale steps[3] = {}, before[3] = {};
    const auto sum = dytq::addition(e, first.cpp, second.cpp, out.cpp);
    if (answered(dytq_addition(engine, &first.c, &second.c, &out.c, steps, &why), why, sum)) {
      CHECK((same(steps[0], sum->a) && same(steps[1], sum->b) && same(steps[2], sum->out)));
      ++answers;
    } else {
      CHECK(std::memcmp(steps, before, sizeof steps) == 0);
    }
    const std::int64_t taps = between(-1, 1100);
    const dytq_range range{1, static_cast<std::int32_t>(between(-130, 0)), static_cast<std::int32_t>(between(-5, 260))};
    const auto pool = dytq::average_pool(taps, {range.lo, range.hi});
    if (answered(dytq_average_pool(taps, &range, &step, &why), why, pool)) {
      CHECK(same(step, *pool));
    }
    dytq_range codes{};
    const auto kind = static_cast<std::int32_t>(between(0, 3));
    const auto left = dytq::activation_range(static_cast<dytq::fused_activation>(kind), out.cpp);
    if (answered(dytq_activation_range(kind, &out.c, &codes, &why), why, left)) {
      CHECK((codes.is_set == 1 && codes.lo == left->lo && codes.hi == left->hi));
    }
  }
  CHECK(answers > 1000);
}

TEST_CASE("engines: numbers of nothing are refused by what the caller gave") {
  dytq_rejection why = nothing();
  std::int32_t parts[3];
  dytq_rescale step;
  dytq_range codes;
  dytq_qparams q{};
  double made;
  q.scale = 1;
  for (const std::int32_t wrong : {-1, 99, 256, INT32_MAX, INT32_MIN}) {
    CHECK(dytq_engine_arithmetic(wrong, 0, &parts[0], &parts[1], &parts[2], &why) == DYTQ_REJECTED);
    CHECK((why.reason == DYTQ_REASON_UNKNOWN_DIALECT && why.got == wrong));
    CHECK(dytq_requantization(0, wrong, 1, 1, &q, &step, &why) == DYTQ_REJECTED);
    CHECK(why.got == wrong);
    CHECK(dytq_effective_scale(wrong, 1, 1, 1, &made, &why) == DYTQ_REJECTED);
    CHECK(why.got == wrong);
    CHECK(dytq_activation_range(wrong, &q, &codes, &why) == DYTQ_REJECTED);
    CHECK((why.reason == DYTQ_REASON_UNKNOWN_TYPE && why.got == wrong));
    CHECK(dytq_scale_fits(wrong, 1, &why) == DYTQ_REJECTED);
    CHECK(why.got == wrong);
  }
  CHECK(dytq_engine_arithmetic(0, 0, nullptr, &parts[1], &parts[2], &why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_requantization(0, 0, 1, 1, nullptr, &step, &why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_addition(0, &q, &q, nullptr, &step, &why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_average_pool(4, nullptr, nullptr, &why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_average_pool(4, nullptr, &step, &why) == DYTQ_OK);
  CHECK((step.out.lo == -128 && step.out.hi == 127));
  CHECK(dytq_activation_range(0, &q, nullptr, &why) == DYTQ_NULL_ARGUMENT);
}

namespace {

constexpr std::int64_t O = 2, I = 3;

// A linear layer with a RESCALE, before or after a chain of its channels.
struct layer {
  std::array<std::int8_t, O * I> weight{};
  std::array<std::int32_t, O> bias{}, multiplier{}, shift{};
  std::array<std::int32_t, I> constants{};
  std::array<std::int8_t, 256> table{};

  layer() {
    for (auto& w : weight) {
      w = static_cast<std::int8_t>(between(-60, 60));
    }
    for (std::size_t o = 0; o < O; ++o) {
      bias[o] = static_cast<std::int32_t>(between(-500, 500));
      multiplier[o] = static_cast<std::int32_t>(between(1 << 29, INT32_MAX));
      shift[o] = static_cast<std::int32_t>(between(36, 40));
    }
    for (auto& k : constants) {
      k = static_cast<std::int32_t>(between(-6, 6));
    }
    for (int i = 0; i < 256; ++i) {
      table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i == 0 ? -127 : i - 128);
    }
  }

  dytq::convolution conv() const {
    return {.weight = dytq::from_oi(view<const std::int8_t, 2>(weight.data(), {O, I})),
            .bias = {bias.data(), {O}},
            .axes = {}};
  }
  dytq_conv c_conv() const {
    dytq_conv c{};
    c.size = sizeof c;
    c.weight = viewed(weight.data(), {O, I});
    c.bias = viewed(bias.data(), {O});
    c.groups = 1;
    c.layout = DYTQ_LAYOUT_OI;
    return c;
  }
  dytq::conv_rescale requantize() const {
    return {.multiplier = {multiplier.data(), {O}}, .shift = {shift.data(), {O}}};
  }
};

// RESCALE to int32, times a constant of each channel, RESCALE back by 1/2, 1/4, ...
struct steps_of_chain {
  std::array<dytq::chain_step, 3> cpp{};
  std::array<dytq_chain_step, 3> c{};

  steps_of_chain(const std::int32_t* constants, std::int64_t channels, std::int32_t down) {
    const dytq::rescale one{.multiplier = 1 << 30, .shift = 30};
    cpp[0] = {.op = dytq::operation::rescale, .scale = one, .wide = true};
    cpp[1] = {.op = dytq::operation::mul, .constants = {constants, {channels}}};
    cpp[2] = {.op = dytq::operation::rescale,
              .scale = {.multiplier = 1 << 30, .shift = 30 + down, .out = dytq::int8_range}};
    for (auto& s : c) {
      s.size = sizeof s;
    }
    c[0].op = c[2].op = DYTQ_OPERATION_RESCALE;
    c[0].wide = 1;
    c[0].scale.multiplier = c[2].scale.multiplier = 1 << 30;
    c[0].scale.shift = 30;
    c[2].scale.shift = 30 + down;
    c[1].op = DYTQ_OPERATION_MUL;
    c[1].constants = viewed(constants, {channels});
  }
  dytq::chain chain(std::int64_t channels) const { return {.steps = {cpp.data(), {3}}, .channels = channels}; }
  dytq_chain c_chain(std::int64_t channels) const {
    dytq_chain made{};
    made.size = sizeof made;
    made.steps = c.data();
    made.count = 3;
    made.channels = channels;
    return made;
  }
};

}  // namespace

TEST_CASE("a fold into the producer") {
  int folded = 0, refused = 0;
  for (int n = 0; n < 150; ++n) {
    const layer l;
    const auto channels = between(0, 20) == 0 ? I : O;
    const steps_of_chain steps(l.constants.data(), channels, static_cast<std::int32_t>(between(0, 3)));
    const std::int64_t tolerance = one_of<std::int64_t>({0, 1, 5, 300});
    const std::array<std::int64_t, 4> ranges{between(-9000, 0), between(0, 9000), between(-9000, 100),
                                             between(0, 9000)};
    const auto how_many = between(0, 2);
    struct constants {
      std::array<std::int32_t, O> bias{7, 7}, multiplier{7, 7}, shift{7, 7}, differences{7, 7};
    } ours, theirs;
    const std::array<dytq::code_range, 2> accumulators{dytq::code_range{ranges[0], ranges[1]}, {ranges[2], ranges[3]}};
    const auto expected = dytq::fold_into_producer(
        steps.chain(channels), l.conv(), l.requantize(), 0, tolerance,
        {.bias = {theirs.bias.data(), {O}},
         .multiplier = {theirs.multiplier.data(), {O}},
         .shift = {theirs.shift.data(), {O}},
         .differences = {theirs.differences.data(), {O}}},
        how_many == 0 ? view<const dytq::code_range>{} : view<const dytq::code_range>(accumulators.data(), {how_many}));
    const dytq_conv conv = l.c_conv();
    const dytq_chain chain = steps.c_chain(channels);
    const dytq_view m = viewed(l.multiplier.data(), {O}), s = viewed(l.shift.data(), {O});
    const dytq_view pairs = viewed(ranges.data(), {how_many, 2});
    const dytq_producer_outputs to{sizeof to, written(ours.bias.data(), {O}), written(ours.multiplier.data(), {O}),
                                   written(ours.shift.data(), {O}), written(ours.differences.data(), {O})};
    dytq_producer_fold fold{sizeof fold, -7, -7, -7};
    dytq_rejection why = nothing();
    const dytq_status status = dytq_fold_into_producer(&chain, &conv, &m, &s, 0, tolerance,
                                                       how_many == 0 ? nullptr : &pairs, &to, &fold, &why);
    if (answered(status, why, expected)) {
      ++folded;
      CHECK((fold.bound == expected->bound && fold.output_zp == expected->output_zp));
      CHECK((fold.assumes_accumulators != 0) == expected->assumes_accumulators);
    } else {
      ++refused;
      CHECK((fold.bound == -7 && fold.output_zp == -7));
    }
    CHECK(ours.bias == theirs.bias);
    CHECK(ours.multiplier == theirs.multiplier);
    CHECK(ours.shift == theirs.shift);
    CHECK(ours.differences == theirs.differences);
    dytq_producer_fold asked{sizeof asked, -7, -7, -7};
    std::array<std::int32_t, O> differences{7, 7};
    const dytq_output to_differences = written(differences.data(), {O});
    dytq_rejection asked_why = nothing();
    for (const dytq_output* const where : {static_cast<const dytq_output*>(nullptr), &to_differences}) {
      CHECK(dytq_prove_producer_fold(&chain, &conv, &m, &s, 0, tolerance, how_many == 0 ? nullptr : &pairs, where,
                                     &asked, &asked_why) == status);
      CHECK(std::memcmp(&asked, &fold, sizeof fold) == 0);
      CHECK(std::memcmp(&asked_why, &why, sizeof why) == 0);
      CHECK(differences == (where == nullptr ? std::array<std::int32_t, O>{7, 7} : theirs.differences));
    }
    dytq_view bent = pairs;
    bent.strides[1] = 2;
    CHECK(dytq_fold_into_producer(&chain, &conv, &m, &s, 0, tolerance, &bent, &to, &fold, &why) == DYTQ_BAD_VIEW);
    CHECK(dytq_fold_into_producer(&chain, &conv, &m, nullptr, 0, tolerance, nullptr, &to, &fold, &why) ==
          DYTQ_NULL_ARGUMENT);
  }
  CHECK(folded > 20);
  CHECK(refused > 20);
}

TEST_CASE("the judge of bounded folds: of each output channel") {
  for (int n = 0; n < 60; ++n) {
    const layer l, claimed;
    const std::array<std::int8_t, I> gamma{1, static_cast<std::int8_t>(between(-4, 4)), 3};
    const dytq::rescale one{.multiplier = 1 << 30, .shift = 30},
        half{.multiplier = 1 << 30, .shift = 31, .out = dytq::int8_range};
    const dytq::affine_site site{.table = {l.table.data(), {256}},
                                 .gamma = {gamma.data(), {I}},
                                 .steps = {.table = one, .gamma = one, .gamma_out = half}};
    dytq_affine_site c_site{};
    c_site.size = sizeof c_site;
    c_site.table = viewed(l.table.data(), {256});
    c_site.gamma = viewed(gamma.data(), {I});
    c_site.table_step = c_site.gamma_step = {1 << 30, 30, 0, 0, 0, 0, 0, {0, 0, 0}};
    c_site.gamma_out = {1 << 30, 31, 0, 0, 0, 0, 0, {0, 0, 0}};
    const std::int32_t zero = n % 9 == 0 ? 128 : 1;
    std::array<dytq::code_bound, O> theirs{};
    const auto largest = dytq::check_bounded(site, l.conv(), l.requantize(),
                                             {.weight = claimed.conv().weight,
                                              .bias = {claimed.bias.data(), {O}},
                                              .input_zp = zero,
                                              .requantize = claimed.requantize()},
                                             {theirs.data(), {O}});
    std::array<std::int64_t, 2 * O> ours{7, 7, 7, 7};
    dytq_bounded_claim claim{};
    claim.size = sizeof claim;
    claim.weight = viewed(claimed.weight.data(), {O, I});
    claim.bias = viewed(claimed.bias.data(), {O});
    claim.multiplier = viewed(claimed.multiplier.data(), {O});
    claim.shift = viewed(claimed.shift.data(), {O});
    claim.input_zp = zero;
    claim.bounds = written(ours.data(), {O, 2});
    const dytq_conv conv = l.c_conv();
    const dytq_view m = viewed(l.multiplier.data(), {O}), s = viewed(l.shift.data(), {O});
    std::int64_t bound[2] = {-7, -7};
    dytq_rejection why = nothing();
    if (answered(dytq_check_bounded(&c_site, &conv, &m, &s, &claim, bound, &why), why, largest)) {
      CHECK((bound[0] == largest->numerator && bound[1] == largest->shift));
      for (std::size_t o = 0; o < O; ++o) {
        CHECK((ours[2 * o] == theirs[o].numerator && ours[2 * o + 1] == theirs[o].shift));
      }
    } else {
      CHECK((bound[0] == -7 && ours == std::array<std::int64_t, 2 * O>{7, 7, 7, 7}));
    }
    claim.size -= sizeof claim.bounds;  // of a program that was compiled before there were bounds
    ours.fill(7);
    CHECK((dytq_check_bounded(&c_site, &conv, &m, &s, &claim, bound, &why) == DYTQ_OK) == static_cast<bool>(largest));
    CHECK(ours == std::array<std::int64_t, 2 * O>{7, 7, 7, 7});
    claim.size = sizeof claim;
    claim.bounds.strides[0] = 3;
    CHECK(dytq_check_bounded(&c_site, &conv, &m, &s, &claim, bound, &why) == DYTQ_BAD_VIEW);
    claim.bounds = written(ours.data(), {O, 2});
    claim.bounds.extents[0] = O - 1;
    CHECK(dytq_check_bounded(&c_site, &conv, &m, &s, &claim, bound, &why) == DYTQ_REJECTED);
    CHECK(ours == std::array<std::int64_t, 2 * O>{7, 7, 7, 7});
  }
}

TEST_CASE("plans with a tolerance") {
  int off = 0;
  for (int n = 0; n < 40; ++n) {
    const layer l;
    // The TABLE is near a line, and on none.
    const steps_of_chain steps(l.constants.data(), I, 2);
    std::array<std::int8_t, 256> table{};
    for (int q = -128; q < 128; ++q) {
      table[static_cast<std::size_t>(q + 128)] = static_cast<std::int8_t>(q / 2 + (q % 5 == 0 ? 1 : 0));
    }
    std::array<dytq::chain_step, 4> cpp{steps.cpp[0], steps.cpp[1], steps.cpp[2]};
    cpp[3] = {.op = dytq::operation::table, .table = {table.data(), {256}}};
    std::array<dytq_chain_step, 4> c{steps.c[0], steps.c[1], steps.c[2]};
    c[3].size = sizeof c[3];
    c[3].op = DYTQ_OPERATION_TABLE;
    c[3].table = viewed(table.data(), {256});
    const dytq::chain chain{.steps = {cpp.data(), {4}}, .channels = I};
    dytq_chain c_chain = steps.c_chain(I);
    c_chain.steps = c.data();
    c_chain.count = 4;
    const std::int64_t tolerance = between(0, 3);
    const auto sizes = dytq::plan_workspace_sizes(chain).value();
    std::vector<std::int8_t> codes(static_cast<std::size_t>(sizes.codes));
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(sizes.numbers));
    std::vector<std::int16_t> lines(static_cast<std::size_t>(sizes.lines) + 1);
    dytq::chain_uses uses{};
    uses.tolerance = tolerance;
    const auto expected = dytq::plan(chain,
                                     {.codes = {codes.data(), {sizes.codes}},
                                      .numbers = {numbers.data(), {sizes.numbers}},
                                      .lines = {lines.data(), {sizes.lines}}},
                                     dytq::targets::tosa, uses);
    dytq_chain_uses c_uses{};
    c_uses.size = sizeof c_uses;
    c_uses.tolerance = tolerance;
    dytq_plan_workspace memory{
        sizeof memory, written(codes.data(), {sizes.codes}), written(numbers.data(), {sizes.numbers}), {}};
    dytq_plan plan{};
    plan.size = sizeof plan;
    std::array<dytq_stretch, DYTQ_MAX_STRETCHES> stretches{};
    for (auto& s : stretches) {
      s.size = sizeof s;
    }
    dytq_rejection why = nothing();
    const dytq_status status =
        dytq_plan_chain(&c_chain, nullptr, &c_uses, &memory, &plan, stretches.data(), nullptr, &why);
    if (answered(status, why, expected)) {
      CHECK((plan.operators == expected->operators && plan.cost == expected->cost && plan.bytes == expected->bytes));
      REQUIRE(plan.stretches == expected->count);
      for (int i = 0; i < expected->count; ++i) {
        const auto& s = stretches[static_cast<std::size_t>(i)];
        CHECK(s.max_difference == expected->stretch(i).max_difference);
        CHECK(s.differ == expected->stretch(i).differ);
        CHECK(s.max_difference <= tolerance);
        off += s.max_difference > 0 ? 1 : 0;
      }
    }
  }
  CHECK(off > 0);
}

namespace {

// A site of I channels and the layer that reads it, of which some fold and some do not.
struct affine_layer : layer {
  std::array<std::int8_t, I> gamma{}, beta{};
  bool has_beta = between(0, 1) == 0;
  std::int32_t down = static_cast<std::int32_t>(between(0, 3) == 0 ? 1 : 0);

  affine_layer() {
    const bool alike = between(0, 3) == 0;
    for (std::size_t c = 0; c < I; ++c) {
      gamma[c] = alike && c > 0 ? gamma[0] : static_cast<std::int8_t>(one_of({1, -1, 1, 2, -2, 0, 3}));
      beta[c] = static_cast<std::int8_t>(one_of({0, 0, 1, -5}));
    }
  }
  dytq::affine_site site() const {
    const dytq::rescale one{.multiplier = 1 << 30, .shift = 30};
    const dytq::rescale last{.multiplier = 1 << 30, .shift = 30 + down, .out = dytq::int8_range};
    dytq::affine_site s{.table = {table.data(), {256}}, .gamma = {gamma.data(), {I}}, .steps = {}};
    s.steps.table = s.steps.gamma = s.steps.add_in = s.steps.beta = one;
    s.steps.gamma_out = s.steps.add_out = last;
    if (has_beta) {
      s.beta = {beta.data(), {I}};
    }
    return s;
  }
  dytq_affine_site c_site() const {
    dytq_affine_site s{};
    s.size = sizeof s;
    s.table = viewed(table.data(), {256});
    s.gamma = viewed(gamma.data(), {I});
    s.table_step = s.gamma_step = s.add_in = s.beta_step = {1 << 30, 30, 0, 0, 0, 0, 0, {0, 0, 0}};
    s.gamma_out = s.add_out = {1 << 30, 30 + down, 0, 0, 0, 0, 0, {0, 0, 0}};
    if (has_beta) {
      s.beta = viewed(beta.data(), {I});
    }
    return s;
  }
};

// What a fold writes, and 7 where it does not.
struct constants {
  std::array<std::int8_t, O * I> weight{};
  std::array<std::int32_t, O> bias{}, multiplier{}, shift{}, differences{};
  std::array<std::int64_t, O * 6> bounds{};
  std::array<std::int8_t, 256> table{};
  std::array<std::int16_t, 4 * I> lines{};

  constants() {
    weight.fill(7);
    table.fill(7);
    for (auto* a : {&bias, &multiplier, &shift, &differences}) {
      a->fill(7);
    }
    bounds.fill(7);
  }
  bool untouched() const { return same(constants{}); }
  bool same(const constants& o) const {
    return weight == o.weight && bias == o.bias && multiplier == o.multiplier && shift == o.shift && table == o.table &&
           differences == o.differences && bounds == o.bounds;
  }
  dytq::fold_outputs outputs() {
    return {.weight = dytq::from_oi(view<std::int8_t, 2>(weight.data(), {O, I})),
            .bias = {bias.data(), {O}},
            .workspace = {lines.data(), {4 * I}}};
  }
  dytq_fold_outputs c_outputs() {
    return {sizeof(dytq_fold_outputs), written(weight.data(), {O, I}), written(bias.data(), {O}), workspace()};
  }
  dytq_output workspace() {
    dytq_output o = written(lines.data(), {4 * I});
    o.type = DYTQ_INT16;
    return o;
  }
};

bool same(const dytq_fold& ours, const dytq::affine_fold& theirs) {
  return ours.weights_changed == theirs.weights_changed && (ours.bias_changed != 0) == theirs.bias_changed &&
         ours.input_zp == theirs.input_zp && ours.first_code == theirs.first_code && ours.reserved == 0;
}
bool same(const dytq_table_and_conv_fold& ours, const dytq::table_and_conv_fold& theirs) {
  return ours.weights_changed == theirs.weights_changed && (ours.bias_changed != 0) == theirs.bias_changed &&
         ours.input_zp == theirs.input_zp && ours.multiple == theirs.multiple && ours.reserved == 0;
}
template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
T sized() {
  T made{};
  std::memset(&made, 0x5a, sizeof made);
  made.size = sizeof made;
  return made;
}

}  // namespace

TEST_CASE("a fold that is asked for answers what a fold that is written does") {
  int folded[3] = {}, refused[3] = {};
  for (int n = 0; n < 300; ++n) {
    const affine_layer l;
    const dytq::affine_site site = l.site();
    const dytq_affine_site c_site = l.c_site();
    const dytq_conv conv = l.c_conv();
    for (const int kind : {0, 1, 2}) {
      constants ours, theirs, asked;
      const dytq_fold_outputs to = ours.c_outputs();
      const dytq_output lines = asked.workspace();
      dytq_rejection why = nothing(), asked_why = nothing();
      bool done = false;
      if (kind < 2) {
        auto fold = sized<dytq_fold>(), answer = sized<dytq_fold>();
        const dytq_fold before = fold;
        const auto expected = kind == 0 ? dytq::fold_affine_into_conv(site, l.conv(), theirs.outputs())
                                        : dytq::fold_beta_into_conv(site, l.conv(), theirs.outputs());
        done = answered(kind == 0 ? dytq_fold_affine_into_conv(&c_site, &conv, &to, &fold, &why)
                                  : dytq_fold_beta_into_conv(&c_site, &conv, &to, &fold, &why),
                        why, expected);
        CHECK((done ? same(fold, *expected) : same_bytes(fold, before)));
        answered(kind == 0 ? dytq_prove_affine_fold(&c_site, &conv, &lines, &answer, &asked_why)
                           : dytq_prove_beta_fold(&c_site, &conv, &lines, &answer, &asked_why),
                 asked_why, expected);
        CHECK(same_bytes(fold, answer));
      } else {
        auto fold = sized<dytq_table_and_conv_fold>(), answer = sized<dytq_table_and_conv_fold>();
        const dytq_table_and_conv_fold before = fold;
        const auto expected = dytq::fold_affine_into_table_and_conv(site, l.conv(), theirs.outputs());
        const dytq_output table = written(ours.table.data(), {256}), asked_table = written(asked.table.data(), {256});
        if (expected) {
          theirs.table = expected->table;
        }
        done = answered(dytq_fold_affine_into_table_and_conv(&c_site, &conv, &to, &table, &fold, &why), why, expected);
        CHECK((done ? same(fold, *expected) : same_bytes(fold, before)));
        answered(dytq_prove_table_and_conv_fold(&c_site, &conv, &lines, nullptr, &answer, &asked_why), asked_why,
                 expected);
        CHECK(same_bytes(fold, answer));
        CHECK(asked.untouched());
        answered(dytq_prove_table_and_conv_fold(&c_site, &conv, &lines, &asked_table, &answer, &asked_why), asked_why,
                 expected);
        CHECK(same_bytes(fold, answer));
        CHECK(asked.table == theirs.table);
        asked.table.fill(7);
      }
      CHECK(same_bytes(why, asked_why));
      CHECK(ours.same(theirs));
      CHECK(asked.untouched());
      ++(done ? folded : refused)[kind];
    }
  }
  for (const int kind : {0, 1, 2}) {
    CHECK(folded[kind] > 15);
    CHECK(refused[kind] > 30);
  }
}

TEST_CASE("a fold within a bound that is asked for answers what one that is written does") {
  int folded = 0, refused = 0;
  for (int n = 0; n < 60; ++n) {
    const affine_layer l;
    const dytq_affine_site c_site = l.c_site();
    const dytq_conv conv = l.c_conv();
    const dytq_view m = viewed(l.multiplier.data(), {O}), s = viewed(l.shift.data(), {O});
    const std::int64_t tolerance = one_of<std::int64_t>({0, 1, 1000});
    dytq_rejection why = nothing(), asked_why = nothing();
    std::int64_t count = 0;
    REQUIRE(dytq_bounded_workspace(&conv, &count, &why) == DYTQ_OK);
    std::vector<std::int64_t> memory(static_cast<std::size_t>(count));
    const dytq_output workspace = written(memory.data(), {count});
    constants ours, theirs, asked;
    const dytq_bounded_outputs to{sizeof to,
                                  written(ours.weight.data(), {O, I}),
                                  written(ours.bias.data(), {O}),
                                  written(ours.multiplier.data(), {O}),
                                  written(ours.shift.data(), {O}),
                                  written(ours.bounds.data(), {O, 6}),
                                  workspace};
    auto fold = sized<dytq_bounded_fold>(), answer = sized<dytq_bounded_fold>();
    const dytq_bounded_fold before = fold;
    std::array<dytq::channel_bound, O> bounds{};
    std::vector<std::int64_t> own(static_cast<std::size_t>(dytq::bounded_workspace(l.conv())));
    const auto expected = dytq::fold_bounded(l.site(), l.conv(), l.requantize(), tolerance,
                                             {.weight = theirs.outputs().weight,
                                              .bias = theirs.outputs().bias,
                                              .multiplier = {theirs.multiplier.data(), {O}},
                                              .shift = {theirs.shift.data(), {O}},
                                              .bounds = {bounds.data(), {O}},
                                              .workspace = {own.data(), {static_cast<std::int64_t>(own.size())}}});
    for (std::size_t o = 0; o < O && expected; ++o) {
      std::size_t i = 6 * o;
      for (const auto& b : {bounds[o].bound, bounds[o].lower_bound, bounds[o].root_mean_square}) {
        theirs.bounds[i++] = b.numerator;
        theirs.bounds[i++] = b.shift;
      }
    }
    if (answered(dytq_fold_bounded(&c_site, &conv, &m, &s, tolerance, nullptr, &to, &fold, &why), why, expected)) {
      ++folded;
      CHECK((fold.bound[0] == expected->bound.numerator && fold.bound[1] == expected->bound.shift));
      CHECK((fold.lower_bound[0] == expected->lower_bound.numerator &&
             fold.lower_bound[1] == expected->lower_bound.shift));
      CHECK((fold.input_zp == expected->input_zp && (fold.exact != 0) == expected->exact()));
    } else {
      ++refused;
      CHECK(same_bytes(fold, before));
    }
    CHECK(ours.same(theirs));
    answered(
        dytq_prove_bounded_fold(&c_site, &conv, &m, &s, tolerance, nullptr, &workspace, nullptr, &answer, &asked_why),
        asked_why, expected);
    CHECK((same_bytes(fold, answer) && same_bytes(why, asked_why) && asked.untouched()));
    const dytq_output asked_bounds = written(asked.bounds.data(), {O, 6});
    answered(dytq_prove_bounded_fold(&c_site, &conv, &m, &s, tolerance, nullptr, &workspace, &asked_bounds, &answer,
                                     &asked_why),
             asked_why, expected);
    CHECK((same_bytes(fold, answer) && asked.bounds == theirs.bounds && asked.weight == constants{}.weight));
  }
  CHECK(folded > 10);
  CHECK(refused > 10);
}

TEST_CASE("gamma in another operator, asked for and written") {
  int made = 0, refused = 0;
  for (int n = 0; n < 200; ++n) {
    affine_layer l;
    dytq::affine_site site = l.site();
    dytq_affine_site c_site = l.c_site();
    if (between(0, 3) == 0) {  // an operand that is not the code
      site.steps.gamma.shift = c_site.gamma_step.shift = 29;
    }
    constants ours, theirs;
    auto form = sized<dytq_gamma_form>(), asked = sized<dytq_gamma_form>();
    dytq_rejection why = nothing(), asked_why = nothing();
    const dytq_output m = written(ours.multiplier.data(), {O}), s = written(ours.shift.data(), {O});
    std::array<std::int32_t, I> multiplier{7, 7, 7}, shift{7, 7, 7}, c_multiplier{7, 7, 7}, c_shift{7, 7, 7};
    std::array<std::int8_t, I> weight{7, 7, 7}, c_weight{7, 7, 7};
    const dytq_output cm = written(c_multiplier.data(), {I}), cs = written(c_shift.data(), {I}),
                      cw = written(c_weight.data(), {I}), none{};
    const auto rescale = dytq::gamma_as_rescale(site, {multiplier.data(), {I}}, {shift.data(), {I}});
    if (answered(dytq_gamma_as_rescale(&c_site, &cm, &cs, &form, &why), why, rescale)) {
      CHECK((form.input_zp == rescale->input_zp && form.output_zp == rescale->output_zp && form.rounding == 0));
      CHECK((form.out_lo == rescale->out.lo && form.out_hi == rescale->out.hi));
      ++made;
    } else {
      ++refused;
    }
    CHECK((multiplier == c_multiplier && shift == c_shift));
    answered(dytq_prove_gamma_as_rescale(&c_site, &asked, &asked_why), asked_why, rescale);
    CHECK((same_bytes(form, asked) && same_bytes(why, asked_why)));
    form = asked = sized<dytq_gamma_form>();
    const auto depthwise = dytq::gamma_as_depthwise(site, {weight.data(), {I}});
    if (answered(dytq_gamma_as_depthwise(&c_site, &cw, &form, &why), why, depthwise)) {
      CHECK((form.input_zp == depthwise->input_zp && form.weight_zp == depthwise->weight_zp));
    }
    CHECK(weight == c_weight);
    answered(dytq_prove_gamma_as_depthwise(&c_site, &asked, &asked_why), asked_why, depthwise);
    CHECK((same_bytes(form, asked) && same_bytes(why, asked_why)));
    // Without a view to write to there is no success.
    const dytq_gamma_form before = form;
    CHECK(dytq_gamma_as_rescale(&c_site, &cm, &none, &form, &why) == DYTQ_REJECTED);
    CHECK(why.reason == DYTQ_REASON_OUTPUT_MISSING);
    CHECK(dytq_gamma_as_rescale(&c_site, &none, &cs, &form, &why) == DYTQ_REJECTED);
    CHECK(why.reason == DYTQ_REASON_OUTPUT_MISSING);
    CHECK(dytq_gamma_as_depthwise(&c_site, &none, &form, &why) == DYTQ_REJECTED);
    CHECK((why.reason == DYTQ_REASON_OUTPUT_MISSING && same_bytes(form, before)));
    CHECK(dytq_gamma_as_rescale(&c_site, &m, &s, &form, &why) == DYTQ_REJECTED);  // O entries for I channels
    CHECK(ours.untouched());
  }
  CHECK(made > 30);
  CHECK(refused > 30);
}
