// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables that table.py has printed as C, beside the library's own. The return value says which one differs.
#include <cstdint>

#include <dytq/lookup.hpp>
#include <dytq/lut16.hpp>

extern "C" {
extern const std::int8_t dytq_gelu[256], by_byte[256], away[256], slower[256];
extern const std::uint8_t logistic_u8[256];
extern const std::int16_t tanh_tosa[513], tanh_64[1025], tanh_tflite[513], wide[513];
}

namespace {

namespace functions = dytq::functions;
constexpr dytq::qparams in{.scale = 0.05, .zero_point = 3}, out{.scale = 1.0 / 127};
constexpr dytq::qparams in16{.scale = 0x1p-13}, out16{.scale = 0x1p-15};

template <class Printed, class Made>
bool same(const Printed& printed, const Made& made, int more = 0) {
  bool all = sizeof printed / sizeof printed[0] == made.size();
  for (std::size_t i = 0; i < made.size(); ++i) {
    all = all && printed[i] == made[i] + more;
  }
  return all;
}

}  // namespace

int main() {
  const auto gelu = dytq::make_lut8(functions::gelu, in, out).value();
  if (!same(dytq_gelu, gelu)) {
    return 1;
  }
  if (!same(by_byte, dytq::to_byte_order(gelu).entries)) {
    return 2;
  }
  if (!same(away, dytq::make_lut8(functions::logistic, in, {.scale = 1.0},
                                  {.arithmetic = dytq::numerics::float32, .ties = dytq::tie_rule::away_from_zero})
                      .value())) {
    return 3;
  }
  if (!same(slower, dytq::make_lut8(functions::tanh, {.scale = 0.05, .zero_point = 3, .qmin = -100, .qmax = 90},
                                    {.scale = 1.0 / 100, .zero_point = -5, .qmin = -90, .qmax = 80},
                                    {.alpha = 0.75, .shift = -0.125})
                        .value())) {
    return 4;
  }
  const dytq::qparams in_u8{.scale = 0.05, .zero_point = 131}, out_u8{.scale = 1.0 / 256};
  if (!same(logistic_u8,
            dytq::make_lut8(functions::logistic, dytq::from_uint8(in_u8), dytq::from_uint8(out_u8)).value(), 128)) {
    return 5;
  }
  if (!same(tanh_tosa, dytq::make_lut16(functions::tanh, in16, out16).value().table)) {
    return 6;
  }
  if (!same(tanh_64, dytq::make_lut16<64>(functions::tanh, in16, out16).value().table)) {
    return 7;
  }
  if (!same(tanh_tflite, dytq::make_tflite_lut16(functions::tanh, 0x1p-13, 0, 0x1p-15).value().entries)) {
    return 8;
  }
  const dytq::qparams wide_out{.scale = 0x1p-20, .qmin = -(1 << 24), .qmax = 1 << 24};
  return same(wide, dytq::make_lut16(functions::tanh, in16, wide_out).value().table) ? 0 : 9;
}
