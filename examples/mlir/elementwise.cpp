// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elementwise.hpp"

#include <llvm/ADT/DenseMap.h>
#include <dytq/rescale.hpp>

#include "constants.hpp"
#include "operators.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;
using dytq::operation;
using dytq::place;

namespace {

/// The entries of a constant of integers, whatever computes it: a constant, a reshape, or a RESCALE of one.
std::optional<std::vector<std::int32_t>> read_numbers(mlir::Value value) {
  value = through_reshapes(value);
  if (const auto narrow = read_constant<std::int8_t>(value)) {
    return std::vector<std::int32_t>(narrow->begin(), narrow->end());
  }
  if (auto wide = read_constant<std::int32_t>(value)) {
    return wide;
  }
  if (auto scale = value.getDefiningOp<tosa::RescaleOp>()) {
    refusal ignored;
    auto codes = read_numbers(scale.getInput());
    const auto step = codes ? read_step(scale, place::none, ignored) : std::nullopt;
    if (!step) {
      return std::nullopt;
    }
    for (std::int32_t& code : *codes) {
      const auto scaled = dytq::apply(*step, code);
      if (!scaled) {
        return std::nullopt;
      }
      code = *scaled;
    }
    return codes;
  }
  return std::nullopt;
}

/// Is the constant one number, or one for each channel, and does it leave the shape of the other operand as it is?
bool broadcasts_to_channels(mlir::Value constant, mlir::Value other, mlir::Value result) {
  const llvm::ArrayRef<std::int64_t> shape = shape_of(constant), whole = shape_of(other);
  if (whole.empty() || whole != shape_of(result) || shape.size() != whole.size()) {
    return false;
  }
  return llvm::all_of(shape.drop_back(), [](std::int64_t extent) { return extent == 1; }) &&
         (shape.back() == 1 || shape.back() == whole.back());
}

void set_constants(elementwise& e, std::vector<std::int32_t> numbers) {
  e.constants = std::move(numbers);
  e.channels = static_cast<std::int64_t>(e.constants.size());
}

bool same_integers(mlir::Value a, mlir::Value b) { return a.getType() == b.getType(); }

/// MUL, ADD, SUB, MAXIMUM, MINIMUM, ARITHMETIC_RIGHT_SHIFT.
bool read_binary(elementwise& e, operation op) {
  const mlir::Value a = e.op->getOperand(0), b = e.op->getOperand(1), out = e.op->getResult(0);
  const bool may_be_narrow = op == operation::maximum || op == operation::minimum;
  if (!has_elements(out, 32) && !(may_be_narrow && has_elements(out, 8))) {
    return false;
  }
  auto left = read_numbers(a), right = read_numbers(b);
  e.step.op = op;
  if (left && right) {
    return false;
  }
  if (!left && !right) {
    e.first = a;
    e.second = b;
    return op != operation::arithmetic_right_shift && same_integers(a, out) && same_integers(b, out) &&
           !shape_of(a).empty() && shape_of(a) == shape_of(b);
  }
  const mlir::Value constant = left ? a : b;
  e.first = left ? b : a;
  e.reversed = left && op == operation::sub;
  if ((left && op == operation::arithmetic_right_shift) || !same_integers(e.first, out) ||
      !broadcasts_to_channels(constant, e.first, out)) {
    return false;
  }
  set_constants(e, std::move(left ? *left : *right));
  return true;
}

bool read_rescale(elementwise& e, tosa::RescaleOp op) {
  e.first = op.getInput();
  const auto is_integer = [](mlir::Value v) { return has_elements(v, 8) || has_elements(v, 32); };
  const auto input_zp = read_zero_point(op.getInputZp());
  const auto output_zp = read_zero_point(op.getOutputZp());
  const auto shift = read_constant<std::int8_t>(op.getShift());
  auto multiplier = read_constant<std::int32_t>(op.getMultiplier());
  if (!is_integer(op.getInput()) || !is_integer(op.getOutput()) || op.getInputUnsigned() || op.getOutputUnsigned() ||
      !op.getScale32() || !input_zp || !output_zp || !shift || !multiplier || shift->size() != multiplier->size() ||
      op.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND || shape_of(op.getInput()).empty() ||
      multiplier->size() != (op.getPerChannel() ? static_cast<std::size_t>(shape_of(op.getInput()).back()) : 1U)) {
    return false;
  }
  e.step.wide = has_elements(op.getOutput(), 32);
  e.step.scale = {.multiplier = multiplier->front(),
                  .shift = shift->front(),
                  .input_zp = static_cast<std::int32_t>(*input_zp),
                  .output_zp = static_cast<std::int32_t>(*output_zp),
                  .out = e.step.wide ? dytq::int32_range : dytq::int8_range,
                  .rounding = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND
                                  ? dytq::rounding_mode::double_round
                                  : dytq::rounding_mode::single_round};
  e.shifts.assign(shift->begin(), shift->end());
  set_constants(e, std::move(*multiplier));
  for (std::size_t c = 0; c < e.constants.size(); ++c) {
    dytq::rescale one = e.step.scale;
    one.multiplier = e.constants[c];
    one.shift = e.shifts[c];
    if (!validate(one)) {
      return false;
    }
  }
  return true;
}

std::optional<std::int64_t> read_integer(mlir::Attribute attribute) {
  const auto integer = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  return integer ? std::optional(integer.getValue().getSExtValue()) : std::nullopt;
}

bool read(elementwise& e) {
  mlir::Operation* op = e.op;
  e.first = op->getNumOperands() > 0 ? op->getOperand(0) : mlir::Value{};
  refusal ignored;
  if (auto scale = llvm::dyn_cast<tosa::RescaleOp>(op)) {
    return read_rescale(e, scale);
  }
  if (auto mul = llvm::dyn_cast<tosa::MulOp>(op)) {
    return has_elements(mul.getInput1(), 32) && shifts_nothing(mul, place::none, ignored) &&
           read_binary(e, operation::mul);
  }
  if (llvm::isa<tosa::AddOp>(op)) {
    return read_binary(e, operation::add);
  }
  if (llvm::isa<tosa::SubOp>(op)) {
    return read_binary(e, operation::sub);
  }
  if (llvm::isa<tosa::MaximumOp>(op)) {
    return read_binary(e, operation::maximum);
  }
  if (llvm::isa<tosa::MinimumOp>(op)) {
    return read_binary(e, operation::minimum);
  }
  if (auto shift = llvm::dyn_cast<tosa::ArithmeticRightShiftOp>(op)) {
    e.step.round = shift.getRound();
    return has_elements(shift.getResult(), 32) && read_binary(e, operation::arithmetic_right_shift) &&
           llvm::all_of(e.constants, [](std::int32_t by) { return by >= 0 && by <= 31; });
  }
  if (llvm::isa<tosa::AbsOp>(op)) {
    e.step.op = operation::abs;
    return has_elements(e.first, 32);
  }
  if (auto table = llvm::dyn_cast<tosa::TableOp>(op)) {
    auto entries = read_table(table, ignored);
    e.step.op = operation::table;
    if (entries) {
      e.table = std::move(*entries);
    }
    return entries && e.table.size() == 256 && has_elements(e.first, 8) && has_elements(table.getOutput(), 8);
  }
  if (auto negate = llvm::dyn_cast<tosa::NegateOp>(op)) {
    const auto input_zp = read_zero_point(negate.getInput1Zp()), output_zp = read_zero_point(negate.getOutputZp());
    e.step.op = operation::negate;
    e.step.input_zp = static_cast<std::int32_t>(input_zp.value_or(0));
    e.step.output_zp = static_cast<std::int32_t>(output_zp.value_or(0));
    return input_zp && output_zp && has_elements(e.first, 8);
  }
  if (auto clamp = llvm::dyn_cast<tosa::ClampOp>(op)) {
    const auto lo = read_integer(clamp.getMinValAttr()), hi = read_integer(clamp.getMaxValAttr());
    e.step.op = operation::clamp;
    e.step.range = {lo.value_or(0), hi.value_or(0)};
    return lo && hi && *lo <= *hi && (has_elements(e.first, 8) || has_elements(e.first, 32));
  }
  return false;
}

/// One value of an operator of one value; `c` is its constant.
std::optional<std::int64_t> compute(const elementwise& e, std::int64_t v, std::size_t c) {
  const std::int64_t k = e.constants.empty() ? 0 : e.constants[c];
  const auto in_range = [](std::int64_t r) { return dytq::int32_range.contains(r) ? std::optional(r) : std::nullopt; };
  switch (e.step.op) {
    case operation::rescale: {
      dytq::rescale one = e.step.scale;
      one.multiplier = e.constants[c];
      one.shift = e.shifts[c];
      const auto r = dytq::apply(one, v);
      return r ? std::optional<std::int64_t>(*r) : std::nullopt;
    }
    case operation::mul: return dytq::wrap_int32(v * k);
    case operation::add: return in_range(v + k);
    case operation::sub: return in_range(e.reversed ? k - v : v - k);
    case operation::maximum: return v > k ? v : k;
    case operation::minimum: return v < k ? v : k;
    case operation::table: return e.table[static_cast<std::size_t>(v + 128)];
    case operation::clamp: return e.step.range.clamp(v);
    case operation::abs: return in_range(v < 0 ? -v : v);
    case operation::negate: return dytq::int8_range.clamp(e.step.output_zp - (v - e.step.input_zp));
    case operation::arithmetic_right_shift: return e.step.round && k > 0 ? (v >> k) + ((v >> (k - 1)) & 1) : v >> k;
    default: return std::nullopt;
  }
}

/// And of an operator of two values.
std::optional<std::int64_t> compute(operation op, std::int64_t a, std::int64_t b) {
  const std::int64_t r = op == operation::mul       ? dytq::wrap_int32(a * b)
                         : op == operation::add     ? a + b
                         : op == operation::sub     ? a - b
                         : op == operation::maximum ? (a > b ? a : b)
                                                    : (a < b ? a : b);
  return dytq::int32_range.contains(r) ? std::optional(r) : std::nullopt;
}

}  // namespace

mlir::Value elementwise::result() const { return op->getResult(0); }

std::unique_ptr<elementwise> read_elementwise(mlir::Operation* op) {
  if (op == nullptr || op->getNumResults() != 1) {
    return nullptr;
  }
  auto e = std::make_unique<elementwise>();
  e->op = op;
  if (!read(*e) || shape_of(e->first) != shape_of(op->getResult(0))) {
    return nullptr;
  }
  const auto count = static_cast<std::int64_t>(e->constants.size());
  const dytq::view<const std::int32_t> list(e->constants.data(), {count});
  if (e->step.op == operation::rescale && count > 1) {
    e->step.multiplier = list;
    e->step.shift = dytq::view<const std::int32_t>(e->shifts.data(), {count});
  } else if (e->step.op != operation::rescale && count > 1) {
    e->step.constants = list;
  } else if (count == 1 && e->step.op != operation::rescale) {
    e->step.constant = e->constants.front();
  }
  if (!e->table.empty()) {
    e->step.table = dytq::view<const std::int8_t>(e->table.data(), {256});
  }
  return e;
}

std::optional<std::vector<std::int64_t>> evaluate(const std::vector<const elementwise*>& operators, mlir::Value input,
                                                  std::int64_t channel) {
  llvm::DenseMap<mlir::Value, std::vector<std::int64_t>> values;
  std::vector<std::int64_t>& codes = values[input];
  for (std::int64_t code = -128; code < 128; ++code) {
    codes.push_back(code);
  }
  for (const elementwise* e : operators) {
    const std::vector<std::int64_t> first = values.lookup(e->first);
    const std::vector<std::int64_t> second = e->second ? values.lookup(e->second) : std::vector<std::int64_t>{};
    std::vector<std::int64_t> made(256);
    for (std::size_t i = 0; i < 256; ++i) {
      const auto value = e->second ? compute(e->step.op, first[i], second[i])
                                   : compute(*e, first[i], e->channels == 1 ? 0 : static_cast<std::size_t>(channel));
      if (!value) {
        return std::nullopt;
      }
      made[i] = *value;
    }
    values[e->result()] = std::move(made);
  }
  return values.lookup(operators.back()->result());
}

}  // namespace dytq_mlir
