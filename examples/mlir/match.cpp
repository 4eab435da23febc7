// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "match.hpp"

#include "constants.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;
using dytq::place;
using dytq::reason;
using dytq::rejection;

namespace {

constexpr std::size_t rank = 4;
constexpr std::int32_t channel_axis = rank - 1;

/// The names of a half's three RESCALEs.
struct half_steps {
  place operand, constant, out;
};
constexpr half_steps alpha_steps{place::activation, place::alpha, place::mul_out};
constexpr half_steps gamma_steps{place::table, place::gamma, place::gamma_out};
constexpr half_steps beta_steps{place::add_in, place::beta, place::add_out};

/// MUL or ADD of int32 tensors.
bool combines(mlir::Operation* op) {
  return llvm::isa_and_nonnull<tosa::MulOp, tosa::AddOp>(op) && has_elements(op->getResult(0), 32);
}

int constant_operands(mlir::Operation* combine) {
  return (read_constant_operand(combine->getOperand(0)) ? 1 : 0) +
         (read_constant_operand(combine->getOperand(1)) ? 1 : 0);
}

bool has_other_readers(mlir::Value value) { return !value.hasOneUse(); }

/// Reads the half around MUL or ADD. `per_channel`: the constant is 1x1x1xC; else it has one entry.
std::optional<half> match_half(mlir::Operation* combine, const half_steps& steps, bool per_channel, refusal& why) {
  half found;
  std::optional<constant_operand> constant;
  for (const unsigned i : {0U, 1U}) {  // either operand may be the constant one
    if (auto read = read_constant_operand(combine->getOperand(i))) {
      if (constant) {
        return refuse(why, {.why = reason::contradiction, .at = steps.constant},
                      "both operands of " + name_of(combine) + " are constants");
      }
      constant = std::move(read);
      found.operand = combine->getOperand(1 - i).getDefiningOp<tosa::RescaleOp>();
    }
  }
  if (!constant) {
    const bool first = shape_of(combine->getOperand(0)) != shape_of(combine->getResult(0));  // the smaller one
    mlir::Value origin = through_reshapes(combine->getOperand(first ? 0 : 1));
    if (auto scale = origin.getDefiningOp<tosa::RescaleOp>()) {
      origin = through_reshapes(scale.getInput());
    }
    return refuse(why, {.why = reason::empty, .at = steps.constant}, origin_text(origin));
  }
  if (!widens(found.operand)) {
    return refuse(why, {.why = reason::shape_mismatch, .at = steps.operand},
                  "something stands between " + name_of(combine) + " and the RESCALE of the activation");
  }
  if (auto mul = llvm::dyn_cast<tosa::MulOp>(combine)) {
    if (!shifts_nothing(mul, steps.constant, why)) {
      return std::nullopt;
    }
  }
  mlir::Value product = combine->getResult(0);
  if (has_other_readers(product)) {
    return refuse(why, {.why = reason::observable_code, .at = steps.out},
                  "the result of " + name_of(combine) + " has more than one reader");
  }
  found.out = llvm::dyn_cast<tosa::RescaleOp>(*product.user_begin());
  if (!narrows(found.out)) {
    return refuse(why, {.why = reason::shape_mismatch, .at = steps.out},
                  "no RESCALE to int8 reads the result of " + name_of(combine));
  }
  const mlir::Value constant_value = combine->getOperand(combine->getOperand(0) == found.operand.getOutput() ? 1 : 0);
  const llvm::ArrayRef<std::int64_t> activation = shape_of(found.operand.getOutput());
  const llvm::ArrayRef<std::int64_t> given = shape_of(constant_value);
  std::vector<std::int64_t> wanted(activation.size(), 1);
  if (per_channel && activation.size() != rank) {
    return refuse(why, {.why = reason::shape_mismatch, .at = steps.operand},
                  "the activation is " + shape_text(activation) + ", not of rank 4");
  }
  if (per_channel) {
    wanted.back() = activation.back();
  }
  if (given != llvm::ArrayRef(wanted)) {  // so the activation is not broadcast
    return refuse(why, {.why = reason::shape_mismatch, .at = steps.constant},
                  "the constant is " + shape_text(given) + ", the activation " + shape_text(activation));
  }
  if (found.operand.getInput().getType() != found.out.getOutput().getType()) {
    return refuse(why, {.why = reason::shape_mismatch, .at = steps.out},
                  "what is known of the activation's extents differs between its ends");
  }
  found.codes = std::move(constant->codes);
  const auto operand_step = read_step(found.operand, steps.operand, why);
  const auto constant_step = operand_step ? read_step(constant->scale, steps.constant, why) : std::nullopt;
  const auto out_step = constant_step ? read_step(found.out, steps.out, why) : std::nullopt;
  if (!out_step) {
    return std::nullopt;
  }
  found.operand_step = *operand_step;
  found.constant_step = *constant_step;
  found.out_step = *out_step;
  return found;
}

/// The MULs and ADDs that read a value through one RESCALE, and the reshapes on the way there.
struct readers {
  std::vector<mlir::Operation*> combines;
  bool reshaped = false;
};
void collect(mlir::Value value, bool rescaled, readers& found) {
  for (mlir::Operation* user : value.getUsers()) {
    if (auto reshape = llvm::dyn_cast<tosa::ReshapeOp>(user)) {
      readers behind;
      collect(reshape.getOutput(), rescaled, behind);
      found.reshaped = found.reshaped || !behind.combines.empty() || behind.reshaped;
    } else if (auto scale = llvm::dyn_cast<tosa::RescaleOp>(user); !rescaled && widens(scale)) {
      collect(scale.getOutput(), true, found);
    } else if (rescaled && combines(user) && llvm::find(found.combines, user) == found.combines.end()) {
      found.combines.push_back(user);
    }
  }
}

/// The one MUL or ADD after `value` that has a constant. Null without a refusal: there is none.
mlir::Operation* find_combine(mlir::Value value, bool additions_only, place at, refusal& why) {
  readers found;
  collect(value, false, found);
  if (additions_only) {
    llvm::erase_if(found.combines, [](mlir::Operation* op) { return !llvm::isa<tosa::AddOp>(op); });
  }
  std::vector<mlir::Operation*> with_constant;
  llvm::copy_if(found.combines, std::back_inserter(with_constant),
                [](mlir::Operation* op) { return constant_operands(op) > 0; });
  if (with_constant.size() > 1) {
    refuse(why, {.why = reason::contradiction, .at = at},
           std::to_string(with_constant.size()) + " operators with a constant read it: the site is not one of them");
    return nullptr;
  }
  if (found.reshaped && with_constant.empty()) {
    refuse(why, {.why = reason::shape_mismatch, .at = at}, "the activation is reshaped on its way");
    return nullptr;
  }
  return !with_constant.empty() ? with_constant.front() : found.combines.empty() ? nullptr : found.combines.front();
}

/// Every RESCALE that reads a code must agree on its zero point.
bool zero_points_agree(mlir::Value value, std::int32_t zero_point, place at, refusal& why) {
  for (mlir::Operation* user : value.getUsers()) {
    if (auto scale = llvm::dyn_cast<tosa::RescaleOp>(user)) {
      const auto other = read_zero_point(scale.getInputZp());
      if (!other || *other != zero_point) {
        refuse(why,
               {.why = reason::contradiction, .at = at, .expected = zero_point, .got = other.value_or(dytq::unset)},
               "its readers do not agree on its zero point");
        return false;
      }
    }
  }
  return true;
}

/// Follows a result to the convolutions that read it. False: something else does, or its channels get lost on the way.
bool follow_to_convs(mlir::Value value, place at, int permutations, std::vector<mlir::Operation*>& convs,
                     refusal& why) {
  for (mlir::OpOperand& use : value.getUses()) {
    mlir::Operation* user = use.getOwner();
    if (llvm::isa<tosa::Conv2DOp, tosa::DepthwiseConv2DOp>(user) && use.getOperandNumber() == 0) {
      if (llvm::is_contained(convs, user)) {
        continue;
      }
      convs.push_back(user);
    } else if (llvm::isa<tosa::TransposeOp, tosa::SliceOp>(user) && use.getOperandNumber() == 0) {
      auto transpose = llvm::dyn_cast<tosa::TransposeOp>(user);
      if (transpose && permutations == 1) {
        refuse(why, {.why = reason::shape_mismatch, .at = place::input},
               "more than one permutation before the convolution");
        return false;
      }
      if (transpose && transpose.getPerms().back() != channel_axis) {
        refuse(why, {.why = reason::shape_mismatch, .at = place::input}, "a permutation moves the channels");
        return false;
      }
      const mlir::Value behind = user->getResult(0);
      const std::int64_t channels = shape_of(value).back();
      const std::int64_t kept = shape_of(behind).size() == rank ? shape_of(behind).back() : 0;
      if (kept != channels) {
        refuse(why, {.why = reason::channel_count, .at = place::input, .expected = channels, .got = kept},
               "a slice cuts the channels");
        return false;
      }
      if (!follow_to_convs(behind, at, permutations + (transpose ? 1 : 0), convs, why)) {
        return false;
      }
    } else {
      refuse(why, {.why = reason::observable_code, .at = at}, name_of(user) + " reads the result");
      return false;
    }
  }
  if (value.use_empty()) {
    refuse(why, {.why = reason::empty, .at = place::input}, "nobody reads the result");
    return false;
  }
  return true;
}

}  // namespace

dytq::alpha_site alpha_match::as_site() const {
  return {.alpha = alpha.codes.front(),
          .steps = {.activation = alpha.operand_step, .alpha = alpha.constant_step, .mul_out = alpha.out_step}};
}

dytq::affine_site affine_match::as_site() const {
  dytq::affine_site site;
  site.table = table;
  site.table_zp = (gamma ? *gamma : *beta).operand_step.input_zp;
  if (gamma) {
    site.gamma = gamma->codes;
    site.steps.table = gamma->operand_step;
    site.steps.gamma = gamma->constant_step;
    site.steps.gamma_out = gamma->out_step;
  }
  if (beta) {
    site.beta = beta->codes;
    site.steps.add_in = beta->operand_step;
    site.steps.beta = beta->constant_step;
    site.steps.add_out = beta->out_step;
  }
  return site;
}

std::optional<alpha_match> match_alpha(tosa::TableOp table, refusal& why) {
  const mlir::Value code = through_reshapes(table.getInput1());
  auto out = code.getDefiningOp<tosa::RescaleOp>();
  if (!narrows(out)) {
    return std::nullopt;
  }
  const mlir::Value product = through_reshapes(out.getInput());
  auto mul = product.getDefiningOp<tosa::MulOp>();
  if (!mul) {
    return std::nullopt;
  }
  if (code != table.getInput1() || product != out.getInput()) {
    return refuse(why, {.why = reason::shape_mismatch, .at = place::mul_out}, "the activation is reshaped on its way");
  }
  alpha_match found;
  auto alpha = match_half(mul, alpha_steps, false, why);
  if (!alpha) {
    return std::nullopt;
  }
  if (has_other_readers(out.getOutput())) {
    return refuse(why, {.why = reason::observable_code, .at = place::mul_out}, "the TABLE's input has other readers");
  }
  auto entries = read_table(table, why);
  if (!entries) {
    return std::nullopt;
  }
  found.alpha = std::move(*alpha);
  found.table = std::move(*entries);
  return found;
}

std::optional<affine_match> match_affine(tosa::TableOp table, refusal& why) {
  affine_match found;
  found.table_op = table;
  const mlir::Value codes = table.getOutput();
  mlir::Operation* first = find_combine(codes, false, place::table, why);
  if (first == nullptr) {
    return std::nullopt;
  }
  auto entries = read_table(table, why);
  if (!entries) {
    return std::nullopt;
  }
  found.table = std::move(*entries);
  mlir::Operation* addition = nullptr;
  if (llvm::isa<tosa::MulOp>(first)) {
    found.gamma = match_half(first, gamma_steps, true, why);
    if (!found.gamma) {
      return std::nullopt;
    }
    addition = find_combine(found.gamma_result(), true, place::gamma_out, why);
  } else {
    addition = first;
  }
  if (addition != nullptr) {
    found.beta = match_half(addition, beta_steps, true, why);
  }
  if (!found.gamma && !found.beta) {
    return std::nullopt;
  }
  half& head = found.gamma ? *found.gamma : *found.beta;
  if (!zero_points_agree(codes, head.operand_step.input_zp, place::table, why)) {
    return std::nullopt;
  }
  found.table_is_read = has_other_readers(codes) || has_other_readers(head.operand.getOutput());
  found.gamma_is_read = found.gamma && found.beta &&
                        (has_other_readers(found.gamma_result()) || has_other_readers(found.beta->operand.getOutput()));
  found.convs = convs_that_read(found.result(), found.beta ? place::add_out : place::gamma_out, found.no_convs);
  return found;
}

std::vector<constant_conv> convs_that_read(mlir::Value value, place at, refusal& why) {
  std::vector<mlir::Operation*> readers;
  std::vector<constant_conv> convs;
  if (!follow_to_convs(value, at, 0, readers, why)) {
    return {};
  }
  for (mlir::Operation* op : readers) {
    auto conv = read_conv(op, why);
    if (!conv) {
      return {};
    }
    convs.push_back(std::move(*conv));
  }
  return convs;
}

}  // namespace dytq_mlir
