// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write.hpp"

#include "constants.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;
using dytq::operation;

void write_constants(const constant_conv& conv, const std::vector<std::int8_t>& weight,
                     const std::vector<std::int32_t>& bias, const dytq::affine_fold& fold) {
  const auto write = [&](auto op) {
    if (fold.weights_changed != 0) {
      reassign(op.getWeightMutable(), make_constant<std::int8_t>(op, conv.weight_shape(), weight));
    }
    if (fold.bias_changed) {
      const auto count = static_cast<std::int64_t>(bias.size());
      reassign(op.getBiasMutable(), make_constant<std::int32_t>(op, {count}, bias));
    }
    if (fold.input_zp != conv.form.input_zp) {
      reassign(op.getInputZpMutable(), make_constant<std::int8_t>(op, {1}, static_cast<std::int8_t>(fold.input_zp)));
    }
  };
  llvm::isa<tosa::Conv2DOp>(conv.op) ? write(llvm::cast<tosa::Conv2DOp>(conv.op))
                                     : write(llvm::cast<tosa::DepthwiseConv2DOp>(conv.op));
}

dytq::verdict written_plan::make(const dytq::chain& chain, const dytq::target& target, dytq::chain_uses uses,
                                 const std::vector<constant_conv>& convs) {
  const auto sizes = dytq::plan_workspace_sizes(chain);
  if (!sizes) {
    return sizes.error();
  }
  std::vector<dytq::chain_reader> readers;
  std::vector<dytq::fold_outputs> outputs;
  weight_.reserve(convs.size());
  bias_.reserve(convs.size());
  for (const constant_conv& conv : convs) {
    readers.push_back({.conv = conv.as_convolution()});
    weight_.emplace_back(conv.weight.size());
    bias_.emplace_back(static_cast<std::size_t>(readers.back().conv.output_channels()));
    outputs.push_back({.weight = conv.as_weights(weight_.back().data()), .bias = bias_.back()});
  }
  folds_.resize(convs.size());
  uses.readers = dytq::view<const dytq::chain_reader>(readers);
  std::vector<std::int8_t> codes(static_cast<std::size_t>(sizes->codes));
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(sizes->numbers));
  std::vector<std::int16_t> lines(static_cast<std::size_t>(sizes->lines));
  const dytq::plan_workspace workspace{.codes = codes, .numbers = numbers, .lines = lines};
  const auto plan = dytq::plan(chain, workspace, target, uses);
  if (!plan) {
    return plan.error();
  }
  plan_ = *plan;
  steps_.resize(static_cast<std::size_t>(plan->operators));
  numbers_.resize(static_cast<std::size_t>(plan->numbers));
  codes_.resize(static_cast<std::size_t>(plan->codes));
  const auto made = dytq::apply(chain, *plan,
                                {.steps = steps_,
                                 .numbers = numbers_,
                                 .codes = codes_,
                                 .readers = dytq::view<const dytq::fold_outputs>(outputs),
                                 .folds = folds_},
                                workspace, target, uses);
  return made ? dytq::verdict(dytq::accepted{}) : dytq::verdict(made.error());
}

void written_plan::write_convs(const std::vector<constant_conv>& convs) const {
  for (std::size_t i = 0; i < convs.size(); ++i) {
    write_constants(convs[i], weight_[i], bias_[i], folds_[i]);
  }
}

mlir::Value make_operator(mlir::Operation* user, mlir::Value input, const dytq::chain_step& step) {
  mlir::OpBuilder builder(user);
  const mlir::Location at = user->getLoc();
  auto type = llvm::cast<mlir::RankedTensorType>(input.getType());
  const auto zero_point = [&](std::int32_t zp, bool wide) {
    return wide ? make_constant<std::int32_t>(user, {1}, zp)
                : make_constant<std::int8_t>(user, {1}, static_cast<std::int8_t>(zp));
  };
  const auto list = [](const auto& view, auto first) {
    std::vector<decltype(first)> all{first};
    if (!view.absent()) {
      all.clear();
      for (std::int64_t i = 0; i < view.extent(0); ++i) {
        all.push_back(static_cast<decltype(first)>(view(i)));
      }
    }
    return all;
  };
  switch (step.op) {
    case operation::table: {
      const std::vector<std::int8_t> entries = list(step.table, std::int8_t{0});
      return tosa::TableOp::create(builder, at, type, input, make_constant<std::int8_t>(user, {256}, entries));
    }
    case operation::rescale: {
      const auto multiplier = list(step.multiplier, step.scale.multiplier);
      const auto shift = list(step.shift, static_cast<std::int8_t>(step.scale.shift));
      const auto count = static_cast<std::int64_t>(multiplier.size());
      const mlir::Value multipliers = make_constant<std::int32_t>(user, {count}, multiplier);
      const mlir::Value shifts = make_constant<std::int8_t>(user, {count}, shift);
      const mlir::Value input_zp = zero_point(step.scale.input_zp, has_elements(input, 32));
      const mlir::Value output_zp = zero_point(step.scale.output_zp, step.wide);
      const bool twice = step.scale.rounding == dytq::rounding_mode::double_round;
      return tosa::RescaleOp::create(builder, at, type.clone(builder.getIntegerType(step.wide ? 32 : 8)), input,
                                     multipliers, shifts, input_zp, output_zp, /*scale32=*/true,
                                     twice ? tosa::RoundingMode::DOUBLE_ROUND : tosa::RoundingMode::SINGLE_ROUND,
                                     /*per_channel=*/count > 1, /*input_unsigned=*/false, /*output_unsigned=*/false);
    }
    case operation::depthwise: {
      const auto weight = list(step.codes, std::int8_t{0});
      const auto bias = list(step.constants, std::int32_t{0});
      const auto channels = static_cast<std::int64_t>(weight.size());
      const mlir::Value weights = make_constant<std::int8_t>(user, {1, 1, channels, 1}, weight);
      const mlir::Value biases = make_constant<std::int32_t>(user, {channels}, bias);
      const mlir::Value input_zp = zero_point(step.input_zp, false);
      const mlir::Value weight_zp = zero_point(0, false);
      const llvm::SmallVector<std::int64_t> pad{0, 0, 0, 0}, ones{1, 1};
      return tosa::DepthwiseConv2DOp::create(builder, at, type.clone(builder.getIntegerType(32)), input, weights,
                                             biases, input_zp, weight_zp, pad, ones, ones, builder.getIntegerType(32));
    }
    case operation::clamp: {
      const mlir::Type element = type.getElementType();
      return tosa::ClampOp::create(builder, at, type, input, builder.getIntegerAttr(element, step.range.lo),
                                   builder.getIntegerAttr(element, step.range.hi));
    }
    default: return {};  // no form has another
  }
}

}  // namespace dytq_mlir
