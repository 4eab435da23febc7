// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints one number made of many results. It must be the same for every compiler and every flag: one_answer.py.
#include <bit>
#include <cstdint>
#include <cstdio>

#include <dytq/engine.hpp>
#include <dytq/fold.hpp>
#include <dytq/lut.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>

namespace {

// FNV-1a over the values fed to it.
struct digest {
  std::uint64_t state = 14695981039346656037u;

  constexpr void feed(std::int64_t v) {
    for (int i = 0; i < 8; ++i) {
      state = (state ^ (static_cast<std::uint64_t>(v) >> (8 * i) & 0xff)) * 1099511628211u;
    }
  }
  template <class T>
  constexpr bool feed_if(const dytq::result<T>& r) {
    feed(static_cast<std::int64_t>(r.error().why));
    feed(r.error().got);
    return r.has_value();
  }
};

// Pseudo-random bits, so that the doubles among them reach every exponent: subnormals, infinities and NaN too.
constexpr std::uint64_t next(std::uint64_t& seed) {
  seed += 0x9e3779b97f4a7c15u;
  std::uint64_t z = seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

constexpr std::uint64_t compute(int rounds, std::uint64_t seed) {
  digest d;
  for (int i = 0; i < rounds; ++i) {
    // Half of the scales are ordinary: an exponent between -40 and 0.
    std::uint64_t bits = next(seed);
    if (i % 2 == 0) {
      bits = (bits & 0x000fffffffffffffu) | (1023 - bits % 41) << 52;
    }
    const auto scale = dytq::quantize_scale(std::bit_cast<double>(bits));
    if (!d.feed_if(scale)) {
      continue;
    }
    d.feed(scale->multiplier);
    d.feed(scale->shift);
    const auto value = static_cast<std::int32_t>(next(seed));
    for (const auto rounding : {dytq::rounding_mode::single_round, dytq::rounding_mode::double_round}) {
      if (const auto r = dytq::apply_scale_32(value >> i % 32, scale->multiplier, scale->shift, rounding);
          d.feed_if(r)) {
        d.feed(*r);
      }
    }
  }
  dytq::table8 table{};
  for (std::int8_t& entry : table) {
    entry = static_cast<std::int8_t>(next(seed));
  }
  for (int i = 0; i < rounds / 16; ++i) {
    dytq::alpha_site site{.alpha = static_cast<std::int8_t>(next(seed))};
    site.steps.activation.input_zp = static_cast<std::int8_t>(next(seed));
    site.steps.mul_out.multiplier = static_cast<std::int32_t>(next(seed) >> 33);
    site.steps.mul_out.shift = 32 + i % 10;
    const auto folded = dytq::fold_alpha_into_lut(site, table);
    if (d.feed_if(folded)) {
      for (const std::int8_t entry : folded->table) {
        d.feed(entry);
      }
    }
  }
  return d.state;
}

// Tables of functions: the one place where others reach for libm.
constexpr std::uint64_t compute_tables(int tables, std::uint64_t seed) {
  digest d;
  for (int i = 0; i < tables; ++i) {
    const auto scale = std::bit_cast<double>((next(seed) & 0x000fffffffffffffu) | (1023 - next(seed) % 9) << 52);
    const dytq::qparams in{.scale = scale, .zero_point = static_cast<std::int8_t>(next(seed))};
    const dytq::qparams out{.scale = 1.0 / 128};
    for (const auto arithmetic : {dytq::numerics::exact, dytq::numerics::float32}) {
      for (const auto& table : {dytq::make_lut8(dytq::functions::tanh, in, out, {.arithmetic = arithmetic}),
                                dytq::make_lut8(dytq::functions::gelu, in, out, {.arithmetic = arithmetic})}) {
        if (d.feed_if(table)) {
          for (const std::int8_t entry : *table) {
            d.feed(entry);
          }
        }
      }
    }
  }
  return d.state;
}

// Scales as engines multiply and divide them: in double and in float32, where x87 or a flag could round twice.
constexpr std::uint64_t compute_scales(int rounds, std::uint64_t seed) {
  digest d;
  const auto a_scale = [&] {
    return std::bit_cast<double>((next(seed) & 0x000fffffffffffffu) | (1023 - next(seed) % 24) << 52);
  };
  const auto feed_rescale = [&](const dytq::rescale& step) {
    d.feed(step.multiplier);
    d.feed(step.shift);
  };
  constexpr dytq::engine engines[] = {dytq::engine::tflite, dytq::engine::tflite_micro, dytq::engine::xnnpack,
                                      dytq::engine::onnx_runtime};
  for (int i = 0; i < rounds; ++i) {
    const double input = a_scale();
    const double weight = a_scale();
    const dytq::qparams a{.scale = input, .zero_point = static_cast<std::int8_t>(next(seed))};
    const dytq::qparams b{.scale = weight, .zero_point = static_cast<std::int8_t>(next(seed))};
    const dytq::qparams out{.scale = a_scale(), .zero_point = static_cast<std::int8_t>(next(seed))};
    for (const dytq::engine e : engines) {
      for (const auto op : {dytq::engine_operator::conv_2d, dytq::engine_operator::mul}) {
        if (const auto step = dytq::requantization(e, op, input, weight, out); d.feed_if(step)) {
          feed_rescale(*step);
        }
      }
      if (const auto sum = dytq::addition(e, a, b, out); d.feed_if(sum)) {
        feed_rescale(sum->a);
        feed_rescale(sum->b);
        feed_rescale(sum->out);
      }
    }
  }
  return d.state;
}

}  // namespace

int main() {
  constexpr std::uint64_t in_a_constant_expression = compute(64, 1) ^ compute_scales(16, 2);
  volatile std::uint64_t one = 1;
  if ((compute(64, one) ^ compute_scales(16, 2 * one)) != in_a_constant_expression) {
    std::puts("the two worlds differ");
    return 1;
  }
  const std::uint64_t all = compute(100'000, one) ^ compute_tables(8, one) ^ compute_scales(20'000, one);
  std::printf("results %016llx\n", static_cast<unsigned long long>(all));
}
