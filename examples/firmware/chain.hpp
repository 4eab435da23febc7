// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layer as its graph has it: ten integer operators an element.
#ifndef DYTQ_FIRMWARE_CHAIN_HPP
#define DYTQ_FIRMWARE_CHAIN_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/codes.hpp>
#include <dytq/rescale.hpp>

#include "layer.hpp"

namespace firmware {

/// The operators' constants. RESCALEs of alpha, gamma and beta are done: they are constants too.
struct chain {
  dytq::rescale_kernel activation{layer.alpha.steps.activation};
  std::int32_t alpha = dytq::apply(layer.alpha.steps.alpha, layer.alpha.alpha).value();
  dytq::rescale_kernel mul_out{layer.alpha.steps.mul_out};
  dytq::table8 table = function_table;
  dytq::rescale_kernel to_operand{layer.affine.steps.table};
  std::array<std::int32_t, channels> gamma{};
  dytq::rescale_kernel gamma_out{layer.affine.steps.gamma_out};
  dytq::rescale_kernel add_in{layer.affine.steps.add_in};
  std::array<std::int32_t, channels> beta{};
  dytq::rescale_kernel add_out{layer.affine.steps.add_out};

  constexpr chain() {
    for (std::int64_t c = 0; c < channels; ++c) {
      gamma[static_cast<std::size_t>(c)] = dytq::apply(layer.affine.steps.gamma, layer.affine.gamma(c)).value();
      beta[static_cast<std::size_t>(c)] = dytq::apply(layer.affine.steps.beta, layer.affine.beta(c)).value();
    }
  }

  /// RESCALE, MUL, RESCALE, TABLE.
  constexpr std::int32_t enter(std::int32_t code) const {
    const std::int32_t product = dytq::wrap_int32(std::int64_t{activation(code)} * alpha);
    return table[static_cast<std::size_t>(mul_out(product) + 128)];
  }
  /// RESCALE, MUL, RESCALE, RESCALE, ADD, RESCALE.
  constexpr std::int32_t affine(std::int32_t code, std::size_t channel) const {
    const std::int32_t m = gamma_out(dytq::wrap_int32(std::int64_t{to_operand(code)} * gamma[channel]));
    return add_out(add_in(m) + beta[channel]);
  }
};

inline constexpr chain operators{};

}  // namespace firmware

#endif
