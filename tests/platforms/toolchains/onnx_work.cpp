// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library says of ONNX Runtime's operators, asked by onnx_test.py line by line on standard input:
//
//   conv A B OUT IN_ZP OUT_ZP WEIGHT BIAS    QLinearConv of one channel, 1 x 1: 256 codes
//   mul A B OUT IN_ZP B_ZP OUT_ZP B          QLinearMul by a constant: 256 codes
//   line IN_ZP OUT_ZP V...                   256 values as a QLinearConv: weight, bias, multiplier, shift, or the
//   reason scale IN_ZP OUT_ZP V...                  256 values as one scale: multiplier, shift, or the reason
//
// A, B, OUT are the scales of the operands and of the result, as the bits of float32. Codes are those of int8.
#include <dytq/engine.hpp>
#include <dytq/fit_line.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

double read_scale(std::istream& in) {
  std::uint32_t bits = 0;
  in >> bits;
  return static_cast<double>(std::bit_cast<float>(bits));
}

dytq::result<dytq::multiplier_shift> read_scales(std::istream& in) {
  const double a = read_scale(in);
  const double b = read_scale(in);
  const auto product = dytq::effective_scale(dytq::scale_product::in_float32, a, b, read_scale(in));
  return product ? dytq::quantize_scale(*product, dytq::multiplier_width::bits32, dytq::scale_dialect::onnx)
                 : dytq::result<dytq::multiplier_shift>(product.error());
}

template <class F>
void write_codes(const dytq::rescale& step, F accumulator) {
  for (int code = -128; code < 128; ++code) {
    const auto value = dytq::apply(step, accumulator(code));
    if (!value) {
      std::cout << dytq::name(value.error().why);
      break;
    }
    std::cout << *value << ' ';
  }
}

}  // namespace

int main() {
  std::vector<int> codes;
  for (int code = -128; code < 128; ++code) {
    codes.push_back(code);
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    std::string kind;
    in >> kind;
    if (kind == "conv" || kind == "mul") {
      const auto scale = read_scales(in);
      std::int64_t in_zp = 0, b_zp = 0, out_zp = 0, factor = 0, bias = 0;
      in >> in_zp;
      if (kind == "mul") {
        in >> b_zp;
      }
      in >> out_zp >> factor;
      if (kind == "conv") {
        in >> bias;
      }
      if (scale) {
        write_codes({.multiplier = scale->multiplier,
                     .shift = scale->shift,
                     .output_zp = static_cast<std::int32_t>(out_zp),
                     .out = dytq::int8_range,
                     .rounding = kind == "mul" ? dytq::rounding_mode::onnx_multiply : dytq::rounding_mode::onnx},
                    [&](int code) { return (code - in_zp) * (factor - b_zp) + bias; });
      } else {
        std::cout << dytq::name(scale.error().why);
      }
    } else {
      std::int64_t in_zp = 0, out_zp = 0;
      in >> in_zp >> out_zp;
      std::vector<int> values(256);
      for (int& v : values) {
        in >> v;
      }
      const dytq::view<const int> from(codes), to(values);
      if (kind == "line") {
        const auto l =
            dytq::fit_line(from, to, {.input_zp = in_zp, .output_zp = out_zp, .rounding = dytq::rounding_mode::onnx});
        if (l) {
          std::cout << l->weight << ' ' << l->bias << ' ' << l->multiplier << ' ' << l->shift;
        } else {
          std::cout << dytq::name(l.error().why);
        }
      } else {
        const auto r = dytq::fit_rescale(
            from, to, {.input_zp = in_zp, .output_zp = out_zp, .rounding = dytq::rounding_mode::onnx});
        if (r) {
          std::cout << r->multiplier << ' ' << r->shift;
        } else {
          std::cout << dytq::name(r.error().why);
        }
      }
    }
    std::cout << '\n';
  }
}
