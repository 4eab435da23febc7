// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite.hpp"

#include <dytq/fold.hpp>

#include "constants.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;

namespace {

/// Room for one convolution's folded constants.
struct folded_constants {
  std::vector<std::int8_t> weight;
  std::vector<std::int32_t> bias;
  std::vector<std::int16_t> lines;

  explicit folded_constants(const constant_conv& conv)
      : weight(conv.weight.size()),
        bias(static_cast<std::size_t>(conv.as_convolution().output_channels())),
        lines(4 * static_cast<std::size_t>(conv.as_convolution().input_channels())) {}
  dytq::fold_outputs as_outputs(const constant_conv& conv) {
    return {.weight = conv.as_weights(weight.data()), .bias = bias, .workspace = lines};
  }
};

/// Gives a convolution new constants of its own; those that stay the same are not touched.
void write_constants(const constant_conv& conv, const folded_constants& folded, std::int32_t input_zp,
                     bool weights_changed, bool bias_changed) {
  const auto write = [&](auto op) {
    if (weights_changed) {
      reassign(op.getWeightMutable(), make_constant<std::int8_t>(op, conv.weight_shape(), folded.weight));
    }
    if (bias_changed) {
      const auto count = static_cast<std::int64_t>(folded.bias.size());
      reassign(op.getBiasMutable(), make_constant<std::int32_t>(op, {count}, folded.bias));
    }
    if (input_zp != conv.form.input_zp) {
      reassign(op.getInputZpMutable(), make_constant<std::int8_t>(op, {1}, static_cast<std::int8_t>(input_zp)));
    }
  };
  llvm::isa<tosa::Conv2DOp>(conv.op) ? write(llvm::cast<tosa::Conv2DOp>(conv.op))
                                     : write(llvm::cast<tosa::DepthwiseConv2DOp>(conv.op));
}

void write_table(tosa::TableOp op, const dytq::table8& table) {
  reassign(op.getTableMutable(), make_constant<std::int8_t>(op, {256}, table));
}

/// Whoever reads `before` reads `after`; what computed `before` goes.
void replace(mlir::Value before, mlir::Value after) {
  if (before != after) {
    before.replaceAllUsesWith(after);
    erase_unused(before.getDefiningOp());
  }
}

/// Gamma as one RESCALE per channel.
mlir::Value make_channel_rescale(const affine_match& match, const dytq::affine_site& site) {
  tosa::RescaleOp last = match.gamma->out;
  const auto channels = static_cast<std::size_t>(site.channels());
  std::vector<std::int32_t> multiplier(channels), shift(channels);
  const dytq::channel_rescale form = *dytq::gamma_as_rescale(site, multiplier, shift);
  const std::vector<std::int8_t> narrow_shift(shift.begin(), shift.end());
  // One after the other: arguments of a call have no order of their own.
  const mlir::Value multipliers = make_constant<std::int32_t>(last, {site.channels()}, multiplier);
  const mlir::Value shifts = make_constant<std::int8_t>(last, {site.channels()}, narrow_shift);
  const mlir::Value input_zp = make_constant<std::int8_t>(last, {1}, static_cast<std::int8_t>(form.input_zp));
  const mlir::Value output_zp = make_constant<std::int8_t>(last, {1}, static_cast<std::int8_t>(form.output_zp));
  mlir::OpBuilder builder(last);
  return tosa::RescaleOp::create(builder, last.getLoc(), last.getOutput().getType(), match.table_result(), multipliers,
                                 shifts, input_zp, output_zp, /*scale32=*/true, last.getRoundingMode(),
                                 /*per_channel=*/true, /*input_unsigned=*/false, /*output_unsigned=*/false);
}

/// All convolutions that read the site, or none.
dytq::verdict fold_into_all(const affine_match& match, const dytq::affine_site& site,
                            const std::vector<dytq::convolution>& convs) {
  std::vector<folded_constants> folded;
  std::vector<dytq::fold_outputs> outputs;
  for (const constant_conv& conv : match.convs) {
    folded.emplace_back(conv);
  }
  for (std::size_t i = 0; i < folded.size(); ++i) {
    outputs.push_back(folded[i].as_outputs(match.convs[i]));
  }
  std::vector<dytq::affine_fold> folds(folded.size());
  const dytq::verdict v = dytq::fold_affine_into_convs(site, convs, outputs, folds);
  if (!v) {
    return v;
  }
  for (std::size_t i = 0; i < folded.size(); ++i) {
    write_constants(match.convs[i], folded[i], folds[i].input_zp, folds[i].weights_changed != 0, folds[i].bias_changed);
  }
  replace(match.result(), match.table_result());
  return v;
}

/// Carries out one rewrite that the planner has found to exist.
void apply(dytq::rewrite form, affine_match& match, const dytq::affine_site& site, const dytq::convolution& conv) {
  std::optional<folded_constants> folded;
  if (!match.convs.empty()) {
    folded.emplace(match.convs.front());
  }
  const auto outputs = [&] { return folded->as_outputs(match.convs.front()); };
  const auto write_conv = [&](const auto& fold) {
    write_constants(match.convs.front(), *folded, fold.input_zp, fold.weights_changed != 0, fold.bias_changed);
  };
  switch (form) {
    case dytq::rewrite::identity: replace(match.result(), match.table_result()); break;
    case dytq::rewrite::into_conv:
      write_conv(*dytq::fold_affine_into_conv(site, conv, outputs()));
      replace(match.result(), match.table_result());
      break;
    case dytq::rewrite::uniform_table:
      write_table(match.table_op, *dytq::fold_affine_into_table(site));
      replace(match.result(), match.table_result());
      break;
    case dytq::rewrite::retabled: {
      const dytq::table_and_conv_fold fold = *dytq::fold_affine_into_table_and_conv(site, conv, outputs());
      write_conv(fold);
      write_table(match.table_op, fold.table);
      replace(match.result(), match.table_result());
      break;
    }
    case dytq::rewrite::beta_into_conv:
      write_conv(*dytq::fold_beta_into_conv(site, conv, outputs()));
      replace(match.result(), match.gamma_result());
      break;
    case dytq::rewrite::gamma_identity: replace(match.gamma_result(), match.table_result()); break;
    case dytq::rewrite::gamma_rescale: replace(match.gamma_result(), make_channel_rescale(match, site)); break;
    case dytq::rewrite::channel_tables:   // TOSA has no TABLE with entries for each channel
    case dytq::rewrite::gamma_depthwise:  // not asked of the planner
    case dytq::rewrite::count_: break;
  }
}

bool removes_everything(dytq::rewrite form) {
  return form == dytq::rewrite::identity || form == dytq::rewrite::into_conv || form == dytq::rewrite::uniform_table ||
         form == dytq::rewrite::retabled;
}

}  // namespace

outcome fold_alpha(tosa::TableOp table) {
  outcome result;
  const auto match = match_alpha(table, result.why);
  if (!match) {
    return result;
  }
  const auto folded = dytq::fold_alpha_into_lut(match->as_site(), match->table);
  if (!folded) {
    result.why.why = folded.error();
    return result;
  }
  result.done = std::to_string(folded->changed) + " of 256 entries change";
  if (folded->changed != 0) {
    write_table(table, folded->table);
  }
  reassign(table.getInput1Mutable(), match->alpha.input());
  return result;
}

outcome fold_affine(tosa::TableOp table, dytq::code_range weight_range) {
  outcome result;
  auto match = match_affine(table, result.why);
  if (!match) {
    return result;
  }
  const dytq::affine_site site = match->as_site();
  std::vector<dytq::convolution> convs;
  for (constant_conv& conv : match->convs) {
    conv.form.weight_range = weight_range;
    convs.push_back(conv.as_convolution());
  }
  if (convs.size() > 1) {
    const dytq::verdict all =
        match->observed.gamma_out ? dytq::verdict(dytq::reason::observable_code) : fold_into_all(*match, site, convs);
    if (all) {
      result.done = "into_conv: " + std::to_string(convs.size()) + " convolutions";
      return result;
    }
    match->no_convs.why = all.error();
  }
  const dytq::convolution conv = convs.size() == 1 ? convs.front() : dytq::convolution{};
  std::vector<std::int16_t> lines(4 * static_cast<std::size_t>(site.channels()));
  const auto plan = dytq::plan(site, conv, lines,
                               {.channel_table = false, .depthwise = false, .table_exclusive = match->table_exclusive},
                               match->observed);
  if (!plan) {
    result.why.why = plan.error();
    return result;
  }
  if (!result.why.refused() && !removes_everything(plan->best)) {
    result.why = convs.size() != 1 ? match->no_convs : refusal{(*plan)[dytq::rewrite::into_conv].why};
  }
  if (plan->best == dytq::rewrite::count_) {
    return result;
  }
  result.done = name(plan->best);
  if (plan->companion != dytq::rewrite::count_) {  // first: it must still find gamma's result
    result.done = std::string(name(plan->companion)) + " and " + result.done;
    apply(plan->companion, *match, site, conv);
  }
  apply(plan->best, *match, site, conv);
  return result;
}

}  // namespace dytq_mlir
