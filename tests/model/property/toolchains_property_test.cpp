// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects and the requantization of other toolchains against the oracle, and which of them agree where.
#include <cmath>
#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <dytq/layer.hpp>
#include <dytq/scale.hpp>
#include <optional>

#include "property.hpp"
#include "toolchains.hpp"

namespace {

using namespace property;
using dytq::rounding_mode;
using dytq::scale_dialect;

struct named {
  const char* name;
  scale_dialect dialect;
  bool left;
};
constexpr named dialects[] = {{"mlir", scale_dialect::mlir, false},
                              {"tflite", scale_dialect::tflite, true},
                              {"tflite_single", scale_dialect::tflite_single, true},
                              {"tflm", scale_dialect::tflm, true},
                              {"vela", scale_dialect::vela, false}};

constexpr auto w32 = dytq::multiplier_width::bits32;

// Any left shift; some on either side of the legal ones.
integer left_shift_value(oracle::source& s) {
  return s.chance(60) ? s.range(-31, 8) : s.chance(80) ? s.range(-31, 30) : s.range(-34, 34);
}

dytq::rescale step_with(rounding_mode rounding, integer multiplier, integer shift) {
  return {.multiplier = static_cast<std::int32_t>(multiplier),
          .shift = static_cast<std::int32_t>(shift),
          .rounding = rounding};
}

// A product's value: near a tie, near the limits of the shift, or any.
integer value_for(oracle::source& s, integer multiplier, integer shift) {
  if (s.chance(50))
    return oracle::near_tie(s, multiplier, shift);
  const integer room = shift >= 31 ? integer(1) << 31 : integer(1) << std::max<integer>(shift, 0);
  const integer v = s.chance(40) ? s.pick<integer>({-1, 1}) * room / s.pick<integer>({1, 2}) + s.range(-2, 2)
                                 : oracle::int32_value(s);
  return std::min(std::max(v, oracle::i32_min), oracle::i32_max);
}

// A float32 in [2^-32, 2^8), as a double.
double float32_value(oracle::source& s) {
  const double mantissa = static_cast<double>((1 << 23) + s.pick<integer>({s.below(1 << 23), 0, (1 << 23) - 1, 1}));
  return std::ldexp(mantissa, static_cast<int>(s.range(-55, -16)));
}

}  // namespace

TEST_CASE("every dialect is its toolchain's") {
  CHECK(rc::check("quantize_scale_wide", [] {
    const double scale = *oracle::any_scale();
    for (const named& d : dialects) {
      const auto wanted = oracle::multiplier_in(d.name, scale);
      const auto got = dytq::quantize_scale_wide(scale, w32, d.dialect);
      RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
      if (!got)
        continue;
      RC_ASSERT(got->multiplier == wanted->multiplier);
      RC_ASSERT((d.left ? dytq::other_way_shift(got->shift) : got->shift) == wanted->shift);
      const auto narrow = dytq::quantize_scale(scale, w32, d.dialect);
      RC_ASSERT(narrow.has_value() == (got->multiplier <= oracle::i32_max));
      if (narrow)
        RC_ASSERT(dytq::wide_multiplier_shift(*narrow) == *got);
    }
  }));
}

TEST_CASE("the requantization of TFLite and CMSIS-NN is the oracle's, refusals included") {
  CHECK(rc::check("tflite", [] {
    oracle::source s(*oracle::any_seed());
    const integer m = s.chance(95) ? oracle::multiplier_value(s) : oracle::int32_value(s), left = left_shift_value(s);
    const integer v = value_for(s, m, 31 - left);
    for (const bool twice : {false, true}) {
      const auto wanted = twice ? oracle::requantize_double(v, m, left) : oracle::requantize_single(v, m, left);
      const auto got =
          apply(step_with(twice ? rounding_mode::tflite_double : rounding_mode::tflite_single, m, 31 - left), v);
      RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
      if (got)
        RC_ASSERT(integer{*got} == *wanted);
    }
  }));
}

// docs/requantization.md: the proof is there.
TEST_CASE("where TOSA has a result, TFLite has the same, with one rounding and with two") {
  CHECK(rc::check("equal", [] {
    oracle::source s(*oracle::any_seed());
    const integer m = oracle::multiplier_value(s), shift = s.range(2, 62), v = value_for(s, m, shift);
    for (const bool twice : {false, true}) {
      const auto tosa =
          dytq::apply_scale_32(v, m, shift, twice ? rounding_mode::double_round : rounding_mode::single_round);
      if (tosa) {
        const auto tflite =
            twice ? oracle::requantize_double(v, m, 31 - shift) : oracle::requantize_single(v, m, 31 - shift);
        RC_ASSERT(static_cast<bool>(tflite));
        RC_ASSERT(*tosa == *tflite);
        RC_TAG("both");
      }
    }
  }));
}

TEST_CASE("one rounding and two: equal to shift 31, at most 1 apart, and away from zero, beyond") {
  CHECK(rc::check("apart", [] {
    oracle::source s(*oracle::any_seed());
    const integer m = oracle::multiplier_value(s), left = s.range(-31, 8), v = value_for(s, m, 31 - left);
    const auto one = oracle::requantize_single(v, m, left), two = oracle::requantize_double(v, m, left);
    if (one && two) {
      const integer apart = *two - *one;
      RC_ASSERT((apart == 0 || (left < 0 && (v > 0 ? apart == 1 : apart == -1))));
    }
  }));
}

TEST_CASE("XNNPACK, both ways") {
  CHECK(rc::check("xnnpack", [] {
    oracle::source s(*oracle::any_seed());
    const double scale = float32_value(s);
    const integer zp = oracle::int8_value(s);
    const auto parts = dytq::quantize_scale(scale, w32, scale_dialect::xnnpack);
    RC_ASSERT(parts.has_value());
    dytq::rescale step{.multiplier = parts->multiplier,
                       .shift = parts->shift,
                       .output_zp = static_cast<std::int32_t>(zp),
                       .out = dytq::int8_range};
    for (int n = 0; n < 20; ++n) {
      // near a code's edge, or any
      const double edge = (static_cast<double>(s.range(-260, 260)) + 0.5) / scale;
      const integer v = s.chance(60) && std::fabs(edge) < 2147483000.0
                            ? static_cast<integer>(std::nearbyint(edge)) + s.range(-1, 1)
                            : oracle::int32_value(s);
      step.rounding = rounding_mode::xnnpack_fp32;
      RC_ASSERT(apply(step, v).value() == oracle::requantize_fp32(v, scale, zp));
      RC_ASSERT(dytq::rescale_kernel(step).legal(v));
      step.rounding = rounding_mode::xnnpack_rndnu;
      RC_ASSERT(apply(step, v).value() == oracle::requantize_rndnu(v, scale, zp));
      // Where it does not wrap it is TOSA's single rounding.
      if (const auto tosa = dytq::apply_scale_32(v, step.multiplier, step.shift))
        RC_ASSERT(apply(step, v).value() == dytq::int8_range.clamp(*tosa + zp));
    }
  }));
}

TEST_CASE("a target takes a scale exactly if the (multiplier, shift) of its dialect is one that it takes") {
  using dytq::scale_target;
  CHECK(rc::check("targets", [] {
    const double scale = *oracle::any_scale();
    const struct {
      scale_target target;
      scale_dialect dialect;
    } pairs[] = {{scale_target::tosa, scale_dialect::mlir},
                 {scale_target::tflite, scale_dialect::tflite},
                 {scale_target::cmsis_nn, scale_dialect::tflite},
                 {scale_target::vela, scale_dialect::vela},
                 {scale_target::xnnpack, scale_dialect::xnnpack}};
    for (const auto& p : pairs) {
      const auto parts = dytq::quantize_scale_wide(scale, w32, p.dialect);
      const bool fits = fits_target(p.target, scale).has_value();
      // A multiplier that lost its leading bit says that the scale was too small.
      const bool whole = parts && (p.dialect == scale_dialect::xnnpack || dytq::detail::dyadic(scale).is_zero() ||
                                   parts->multiplier >= 1 << 30);
      RC_ASSERT(fits == (whole && fits_target(p.target, *parts).has_value()));
    }
  }));
}

// By trying every multiplier of a few bits at a few shifts.
TEST_CASE("fit_rescale finds TFLite's scales: the largest shift, and there the smallest multiplier") {
  CHECK(rc::check("fit", [] {
    oracle::source s(*oracle::any_seed());
    for (int round = 0; round < 10; ++round) {
      const bool twice = s.chance(50), wide = s.chance(50);
      const integer first = s.pick<integer>({s.range(1, 6), s.range(27, 33), 57}), last = first + s.range(0, 5),
                    m_max = s.range(1, 40), m = s.range(0, m_max), shift = s.range(first, last);
      const dytq::rescale_search search{.out = wide ? dytq::int32_range : dytq::int8_range,
                                        .output_zp = s.range(-200, 200),
                                        .rounding = twice ? rounding_mode::tflite_double : rounding_mode::tflite_single,
                                        .multiplier_max = m_max,
                                        .shifts = {first, last}};
      const auto maps = [&](integer code, integer multiplier, integer by, integer& value) {
        const auto r = twice ? oracle::requantize_double(code, multiplier, 31 - by)
                             : oracle::requantize_single(code, multiplier, 31 - by);
        if (!r || !oracle::fits_i32(*r + search.output_zp))
          return false;
        value = search.out.clamp(*r + search.output_zp);
        return true;
      };
      std::vector<std::int32_t> codes, values;
      for (integer n = s.range(1, 3); n > 0; --n) {
        integer code = value_for(s, m, shift), value = 0;
        if (s.chance(50) && m > 0) {  // what is scaled is near the ends of int32
          const integer edge = s.pick<integer>({-1, 1}) * ((integer(1) << 31) + s.range(-250, 250));
          code = std::min(std::max((edge << std::min<integer>(shift, 30)) / m, oracle::i32_min), oracle::i32_max);
        }
        if (!maps(code, m, shift, value))  // what it would be if 32 bits were no limit, or anything
          value = s.chance(50) ? search.out.clamp(((code * m) >> shift) + search.output_zp + s.range(0, 1))
                               : s.pick<integer>({search.out.lo, search.out.hi, -3});
        codes.push_back(static_cast<std::int32_t>(code));
        values.push_back(static_cast<std::int32_t>(value));
      }
      std::optional<dytq::multiplier_shift> wanted;
      for (integer by = last; by >= first && !wanted; --by) {
        for (integer k = 0; k <= m_max && !wanted; ++k) {
          bool all = true;
          for (std::size_t i = 0; i < codes.size() && all; ++i) {
            integer value = 0;
            all = maps(codes[i], k, by, value) && value == values[i];
          }
          if (all)
            wanted = {static_cast<std::int32_t>(k), static_cast<std::int32_t>(by)};
        }
      }
      const auto got =
          dytq::fit_rescale(dytq::view<const std::int32_t>(codes), dytq::view<const std::int32_t>(values), search);
      RC_ASSERT(got.has_value() == wanted.has_value());
      if (got)
        RC_ASSERT(*got == *wanted);
    }
  }));
}

// ------------------------------------------------------------------------------------------------ folds
namespace {

// A step in a backend's arithmetic, and what the backend makes of a value.
struct backend_step {
  dytq::rescale step;
  double scale = 0;
  int kind = 0;  // 0 single, 1 double, 2 fp32, 3 rndnu
};

backend_step backend_value(oracle::source& s, integer product) {
  backend_step b;
  b.kind = static_cast<int>(s.below(4));
  const double wanted =
      std::ldexp(1.0 + static_cast<double>(s.below(1 << 20)) / (1 << 20), static_cast<int>(s.range(3, 8))) /
      static_cast<double>(product);
  b.step.out = dytq::int8_range;
  b.step.output_zp = static_cast<std::int32_t>(oracle::int8_value(s));
  if (b.kind < 2) {
    const auto parts = dytq::quantize_scale(wanted, w32, scale_dialect::tflite).value();
    b.step.multiplier = parts.multiplier;
    b.step.shift = parts.shift;
    b.step.rounding = b.kind == 0 ? rounding_mode::tflite_single : rounding_mode::tflite_double;
  } else {
    b.scale = static_cast<double>(static_cast<float>(wanted));
    const auto parts = dytq::quantize_scale(b.scale, w32, scale_dialect::xnnpack).value();
    b.step.multiplier = parts.multiplier;
    b.step.shift = parts.shift;
    b.step.rounding = b.kind == 2 ? rounding_mode::xnnpack_fp32 : rounding_mode::xnnpack_rndnu;
  }
  return b;
}

integer backend(const backend_step& b, integer v) {
  const integer left = 31 - b.step.shift;
  switch (b.kind) {
    case 2: return oracle::requantize_fp32(v, b.scale, b.step.output_zp);
    case 3: return oracle::requantize_rndnu(v, b.scale, b.step.output_zp);
    default: break;
  }
  const auto r = b.kind == 0 ? oracle::requantize_single(v, b.step.multiplier, left)
                             : oracle::requantize_double(v, b.step.multiplier, left);
  return std::min<integer>(127, std::max<integer>(-128, *r + b.step.output_zp));
}

}  // namespace

// MUL of these backends: the product of the differences to the zero points, requantized.
TEST_CASE("alpha into the table, and per-channel tables, in each backend's arithmetic") {
  CHECK(rc::check("fold", [] {
    oracle::source s(*oracle::any_seed());
    const auto zp_x = static_cast<std::int32_t>(oracle::int8_value(s)),
               zp_a = static_cast<std::int32_t>(oracle::int8_value(s));
    const auto zp_t = static_cast<std::int32_t>(oracle::int8_value(s)),
               zp_g = static_cast<std::int32_t>(oracle::int8_value(s));
    const auto alpha = static_cast<std::int8_t>(oracle::int8_value(s));
    std::vector<std::int8_t> table(256), gamma(3), beta(3);
    for (auto* list : {&table, &gamma, &beta}) {
      for (auto& v : *list)
        v = static_cast<std::int8_t>(oracle::int8_value(s));
    }
    const backend_step mul = backend_value(s, 255 * 100), gamma_mul = backend_value(s, 255 * 100);
    dytq::alpha_site site{.alpha = alpha};
    site.steps.activation.input_zp = zp_x;
    site.steps.alpha.input_zp = zp_a;
    site.steps.mul_out = mul.step;
    const auto folded = fold_alpha_into_lut(site, table);
    RC_ASSERT(folded.has_value());
    const auto entered = [&](integer q) { return backend(mul, (q - zp_x) * (alpha - zp_a)); };
    for (integer q = -128; q < 128; ++q)
      RC_ASSERT(folded->table[at(q + 128)] == table[at(entered(q) + 128)]);

    // Beta: TFLite's ADD, with its left shift of 20, or none at all.
    dytq::layer_site layer{.affine = {.table = table, .gamma = gamma},
                           .alpha = dytq::view<const std::int8_t>(&alpha, {1})};
    layer.alpha_steps = site.steps;
    layer.affine.steps.table.input_zp = zp_t;
    layer.affine.steps.gamma.input_zp = zp_g;
    layer.affine.steps.gamma_out = gamma_mul.step;
    const bool twice = s.chance(50), add = s.chance(70);
    const integer m1 = s.range(1 << 30, oracle::i32_max), m2 = s.range(1 << 30, oracle::i32_max),
                  m3 = s.range(1 << 30, oracle::i32_max), s1 = -s.range(0, 4), s2 = -s.range(0, 4),
                  s3 = -s.range(17, 20), zp_b = oracle::int8_value(s), zp_o = oracle::int8_value(s);
    const auto tflite = [&](integer v, integer m, integer left) {
      return twice ? *oracle::requantize_double(v, m, left) : *oracle::requantize_single(v, m, left);
    };
    if (add) {
      const auto mode = twice ? rounding_mode::tflite_double : rounding_mode::tflite_single;
      layer.affine.beta = beta;
      layer.affine.steps.add_in = step_with(mode, m1, 31 - s1);
      layer.affine.steps.add_in.input_zp = gamma_mul.step.output_zp;
      layer.affine.steps.beta = step_with(mode, m2, 31 - s2);
      layer.affine.steps.beta.input_zp = static_cast<std::int32_t>(zp_b);
      layer.affine.steps.add_in.left_shift = layer.affine.steps.beta.left_shift = 20;
      layer.affine.steps.add_out = step_with(mode, m3, 31 - s3);
      layer.affine.steps.add_out.output_zp = static_cast<std::int32_t>(zp_o);
      layer.affine.steps.add_out.out = dytq::int8_range;
    }
    std::vector<std::int32_t> index(3);
    std::vector<std::int8_t> memory(3 * 256);
    RC_ASSERT(make_channel_tables(layer, index, dytq::view<std::int8_t, 2>(memory.data(), {3, 256})).has_value());
    for (std::size_t c = 0; c < 3; ++c) {
      for (integer q = -128; q < 128; ++q) {
        const integer x = table[at(entered(q) + 128)];
        integer y = backend(gamma_mul, (x - zp_t) * (gamma[c] - zp_g));
        if (add) {
          const integer sum =
              tflite((y - gamma_mul.step.output_zp) << 20, m1, s1) + tflite((beta[c] - zp_b) << 20, m2, s2);
          y = std::min<integer>(127, std::max<integer>(-128, tflite(sum, m3, s3) + zp_o));
        }
        RC_ASSERT(memory[at(index[c] * 256 + q + 128)] == y);
      }
    }
  }));
}
