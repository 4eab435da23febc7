// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operators.hpp"

#include <dytq/rescale.hpp>
#include <dytq/text.hpp>

#include "constants.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;
using dytq::place;
using dytq::reason;
using dytq::rejection;

namespace {

template <class T>
bool known(const std::optional<T>& read, mlir::Value from, place at, refusal& why) {
  if (!read) {
    refuse(why, {.why = reason::empty, .at = at}, origin_text(from));
  }
  return read.has_value();
}

}  // namespace

std::string refusal::text() const {
  const auto reasons = to_text(why);
  return std::string(reasons.data(), reasons.size()) + (detail.empty() ? "" : ": " + detail);
}

llvm::ArrayRef<std::int64_t> constant_conv::weight_shape() const { return shape_of(op->getOperand(1)); }

dytq::convolution constant_conv::as_convolution() const {
  dytq::convolution conv = form;
  conv.weight = as_weights(weight.data());
  conv.weight_zp = dytq::view<const std::int8_t>(&weight_zp, {1});
  conv.bias = bias;
  return conv;
}

std::nullopt_t refuse(refusal& why, const rejection& rejected, std::string detail) {
  why = {rejected, std::move(detail)};
  return std::nullopt;
}

llvm::ArrayRef<std::int64_t> shape_of(mlir::Value value) {
  const auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type ? type.getShape() : llvm::ArrayRef<std::int64_t>{};
}

std::string shape_text(llvm::ArrayRef<std::int64_t> shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    text += (text.empty() ? "" : "x") + (mlir::ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  }
  return text;
}

bool has_elements(mlir::Value value, unsigned width) {
  const auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.getElementType().isSignlessInteger(width);
}

std::string name_of(mlir::Operation* op) { return op->getName().getStringRef().str(); }

std::string origin_text(mlir::Value value) {
  mlir::Operation* op = value.getDefiningOp();
  return op == nullptr                                   ? "an argument is no constant"
         : llvm::isa<tosa::VariableReadOp>(op)           ? "a variable is no constant, since its state can be written"
         : mlir::matchPattern(value, mlir::m_Constant()) ? "the constant is of another type"
                                                         : "the result of " + name_of(op) + " is no constant";
}

mlir::Value through_reshapes(mlir::Value value) {
  while (auto reshape = value.getDefiningOp<tosa::ReshapeOp>()) {
    value = reshape.getInput1();
  }
  return value;
}

bool widens(tosa::RescaleOp op) { return op && has_elements(op.getInput(), 8) && has_elements(op.getOutput(), 32); }
bool narrows(tosa::RescaleOp op) { return op && has_elements(op.getInput(), 32) && has_elements(op.getOutput(), 8); }

std::optional<dytq::rescale> read_step(tosa::RescaleOp op, place at, refusal& why) {
  const auto input_zp = read_zero_point(op.getInputZp());
  const auto output_zp = read_zero_point(op.getOutputZp());
  const auto shift = read_constant<std::int8_t>(op.getShift());
  auto multiplier = read_constant<std::int32_t>(op.getMultiplier());
  if (const auto narrow = read_constant<std::int16_t>(op.getMultiplier())) {
    multiplier.emplace(narrow->begin(), narrow->end());
  }
  if (!known(input_zp, op.getInputZp(), at, why) || !known(output_zp, op.getOutputZp(), at, why) ||
      !known(shift, op.getShift(), at, why) || !known(multiplier, op.getMultiplier(), at, why)) {
    return std::nullopt;
  }
  dytq::rounding_mode rounding{};
  switch (op.getRoundingMode()) {
    case tosa::RoundingMode::SINGLE_ROUND: rounding = dytq::rounding_mode::single_round; break;
    case tosa::RoundingMode::DOUBLE_ROUND: rounding = dytq::rounding_mode::double_round; break;
    case tosa::RoundingMode::INEXACT_ROUND: rounding = dytq::rounding_mode::inexact_round; break;
  }
  const bool to_wide = has_elements(op.getOutput(), 32);
  const auto type = [](bool wide, bool is_unsigned) {
    return wide ? dytq::code_type::i32 : is_unsigned ? dytq::code_type::u8 : dytq::code_type::i8;
  };
  const dytq::rescale_operator whole{.in = type(!to_wide, op.getInputUnsigned()),
                                     .out = type(to_wide, op.getOutputUnsigned()),
                                     .input_zp = *input_zp,
                                     .output_zp = *output_zp,
                                     .scale32 = op.getScale32(),
                                     .rounding = rounding};
  if (const dytq::verdict v = validate(whole); !v) {
    rejection located = v.error();
    located.at = at;
    return refuse(why, located);
  }
  if ((op.getInputUnsigned() && !to_wide) || (op.getOutputUnsigned() && to_wide)) {
    return refuse(why, {.why = reason::unsigned_wide_type, .at = at});
  }
  if (op.getPerChannel() || multiplier->size() != 1 || shift->size() != 1) {
    return refuse(why,
                  {.why = reason::per_channel_count,
                   .at = at,
                   .expected = 1,
                   .got = static_cast<std::int64_t>(multiplier->size())},
                  "the RESCALE is per channel");
  }
  // A multiplier of 16 bits scales by the same formula, under a weaker condition.
  return dytq::rescale{.multiplier = multiplier->front(),
                       .shift = shift->front(),
                       .input_zp = static_cast<std::int32_t>(*input_zp),
                       .output_zp = static_cast<std::int32_t>(*output_zp),
                       .out = to_wide ? dytq::int32_range : dytq::int8_range,
                       .rounding = rounding};
}

std::optional<constant_operand> read_constant_operand(mlir::Value operand) {
  auto scale = through_reshapes(operand).getDefiningOp<tosa::RescaleOp>();
  if (!widens(scale)) {
    return std::nullopt;
  }
  auto codes = read_constant<std::int8_t>(through_reshapes(scale.getInput()));
  return codes ? std::optional(constant_operand{scale, std::move(*codes)}) : std::nullopt;
}

bool shifts_nothing(tosa::MulOp op, place at, refusal& why) {
  const auto shift = read_scalar<std::int8_t>(op.getShift());
  if (shift && *shift != 0) {
    refuse(why, {.why = reason::shift_out_of_range, .at = at, .expected = 0, .got = *shift}, "MUL shifts its result");
  }
  return known(shift, op.getShift(), at, why) && *shift == 0;
}

std::optional<std::vector<std::int8_t>> read_table(tosa::TableOp op, refusal& why) {
  auto entries = read_constant<std::int8_t>(op.getTable());
  known(entries, op.getTable(), place::table, why);
  return entries;
}

std::optional<constant_conv> read_conv(mlir::Operation* op, refusal& why) {
  constant_conv found;
  found.op = op;
  const auto read = [&](auto conv) -> bool {
    auto weight = read_constant<std::int8_t>(conv.getWeight());
    auto bias = read_constant<std::int32_t>(conv.getBias());
    const auto weight_zp = read_scalar<std::int8_t>(conv.getWeightZp());
    const auto input_zp = read_scalar<std::int8_t>(conv.getInputZp());
    if (!known(weight, conv.getWeight(), place::weight, why) || !known(bias, conv.getBias(), place::bias, why) ||
        !known(weight_zp, conv.getWeightZp(), place::weight_zp, why) ||
        !known(input_zp, conv.getInputZp(), place::input, why)) {
      return false;
    }
    if (!has_elements(conv.getOutput(), 32)) {
      refuse(why, {.why = reason::unknown_type, .at = place::output}, "the accumulator is not int32");
      return false;
    }
    found.weight = std::move(*weight);
    found.bias = std::move(*bias);
    found.weight_zp = *weight_zp;
    found.form.input_zp = *input_zp;
    const llvm::ArrayRef<std::int64_t> input = shape_of(conv.getInput());
    for (const std::size_t axis : {0U, 1U}) {
      const std::int64_t extent = input[axis + 1];
      found.form.axes[axis + 1] = {.input = mlir::ShapedType::isDynamic(extent) ? dytq::conv_axis::any_input : extent,
                                   .stride = conv.getStride()[axis],
                                   .dilation = conv.getDilation()[axis],
                                   .before = conv.getPad()[2 * axis],
                                   .after = conv.getPad()[2 * axis + 1]};
    }
    return true;
  };
  if (auto conv = llvm::dyn_cast<tosa::Conv2DOp>(op)) {
    return read(conv) ? std::optional(std::move(found)) : std::nullopt;
  }
  auto depthwise = llvm::cast<tosa::DepthwiseConv2DOp>(op);
  found.form.groups = shape_of(depthwise.getWeight())[2];
  return read(depthwise) ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace dytq_mlir
