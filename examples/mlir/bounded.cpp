// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bounded.hpp"

#include <algorithm>

#include "constants.hpp"
#include "write.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;
using dytq::place;
using dytq::reason;

namespace {

/// The RESCALE to int8 that alone reads a convolution, and its constants: the original's, then the new ones.
std::optional<tosa::RescaleOp> read_requantize(mlir::Operation* conv, std::vector<std::int32_t>& multiplier,
                                               std::vector<std::int32_t>& shift, refusal& why) {
  const mlir::Value sum = conv->getResult(0);
  auto scale = sum.hasOneUse() ? llvm::dyn_cast<tosa::RescaleOp>(*sum.user_begin()) : tosa::RescaleOp{};
  if (!narrows(scale)) {
    return refuse(why, {.why = reason::observable_code, .at = place::output},
                  "the accumulator is not read by one RESCALE to int8 alone");
  }
  const auto multipliers = read_constant<std::int32_t>(scale.getMultiplier());
  const auto shifts = read_constant<std::int8_t>(scale.getShift());
  const auto input_zp = read_zero_point(scale.getInputZp());
  // Two roundings are not the floor of a line.
  if (!multipliers || !shifts || multipliers->size() != shifts->size() || input_zp != 0 || !scale.getScale32() ||
      scale.getInputUnsigned() || scale.getOutputUnsigned() ||
      scale.getRoundingMode() != tosa::RoundingMode::SINGLE_ROUND) {
    return refuse(why, {.why = reason::shape_mismatch, .at = place::output},
                  "the RESCALE after the convolution is not signed with constants, zero point 0 and SINGLE_ROUND");
  }
  multiplier = *multipliers;
  shift.assign(shifts->begin(), shifts->end());
  return scale;
}

template <class T>
bool all_equal(const std::vector<T>& list) {
  return std::adjacent_find(list.begin(), list.end(), std::not_equal_to<T>()) == list.end();
}

/// Three digits of a fraction, rounded up or down.
std::string decimal(const dytq::code_bound& bound, bool up) {
  const int drop = std::max(bound.shift - 50, 0);  // so that 1,000 times the fraction fits
  const std::int64_t fraction = (bound.numerator & ((std::int64_t{1} << bound.shift) - 1)) >> drop;
  const bool rest = (fraction << drop) != (bound.numerator & ((std::int64_t{1} << bound.shift) - 1));
  const std::int64_t unit = std::int64_t{1} << (bound.shift - drop);
  std::int64_t thousandths = bound.round_down() * 1000 + fraction * 1000 / unit;
  thousandths += up && (rest || fraction * 1000 % unit != 0) ? 1 : 0;
  std::string digits = std::to_string(thousandths % 1000);
  digits.insert(0, 3 - digits.size(), '0');
  return std::to_string(thousandths / 1000) + "." + digits;
}

}  // namespace

refusal bounded_readers::make(const dytq::chain& chain, int from, const std::vector<constant_conv>& convs,
                              std::int64_t tolerance) {
  readers_.clear();
  table_.assign(256, 0);
  dytq::chain before = chain;
  before.steps.extents[0] = from;
  std::int32_t zero_point = chain.zero_point;
  if (from == 0) {
    for (std::size_t i = 0; i < 256; ++i) {
      table_[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
    }
  } else {
    const auto maps = dytq::chain_maps::make(before);
    if (!maps) {
      return {maps.error()};
    }
    const auto first = maps->channel(0);
    if (!first) {
      return {first.error()};
    }
    for (int i = 0; i < maps->count(); ++i) {
      table_[static_cast<std::size_t>(maps->code(i) + 128)] = static_cast<std::int8_t>(maps->map(*first, i));
    }
    zero_point = maps->last_zero_point();
  }
  dytq::affine_site site{
      .table = table_, .table_zp = zero_point, .chain = chain.steps, .chain_channels = chain.channels};
  site.chain.data += from;  // steps lie one after the other
  site.chain.extents[0] -= from;
  for (std::size_t i = 0; i < convs.size(); ++i) {
    if (refusal why = fold(site, convs[i], tolerance); why.refused()) {
      why.why.convolution = convs.size() > 1 ? static_cast<std::int64_t>(i) : dytq::unset;
      return why;
    }
  }
  return {};
}

refusal bounded_readers::fold(const dytq::affine_site& site, const constant_conv& conv, std::int64_t tolerance) {
  refusal why;
  std::vector<std::int32_t> multiplier, shift;
  const auto scale = read_requantize(conv.op, multiplier, shift, why);
  if (!scale) {
    return why;
  }
  const dytq::convolution form = conv.as_convolution();
  const auto outputs = static_cast<std::size_t>(form.output_channels());
  reader& made = readers_.emplace_back();
  made.rescale = *scale;
  made.weight.resize(conv.weight.size());
  made.bias.resize(outputs);
  made.multiplier.resize(outputs);
  made.shift.resize(outputs);
  std::vector<dytq::channel_bound> bounds(outputs);
  std::vector<std::int64_t> workspace(static_cast<std::size_t>(dytq::bounded_workspace(form)));
  const auto folded = dytq::fold_bounded(site, form, {.multiplier = multiplier, .shift = shift}, tolerance,
                                         {.weight = conv.as_weights(made.weight.data()),
                                          .bias = made.bias,
                                          .multiplier = made.multiplier,
                                          .shift = made.shift,
                                          .bounds = bounds,
                                          .workspace = workspace});
  if (!folded) {
    return {folded.error()};
  }
  made.fold = *folded;
  for (const dytq::channel_bound& bound : bounds) {
    made.root_mean_square =
        made.root_mean_square < bound.root_mean_square ? bound.root_mean_square : made.root_mean_square;
  }
  return {};
}

void bounded_readers::write(const std::vector<constant_conv>& convs) const {
  for (std::size_t i = 0; i < convs.size(); ++i) {
    const reader& made = readers_[i];
    write_constants(convs[i], made.weight, made.bias,
                    {.input_zp = made.fold.input_zp,
                     .weights_changed = made.weight == convs[i].weight ? 0 : 1,
                     .bias_changed = made.bias != convs[i].bias});
    tosa::RescaleOp scale = made.rescale;
    std::vector<std::int32_t> multiplier = made.multiplier;
    std::vector<std::int8_t> shift(made.shift.begin(), made.shift.end());
    if (all_equal(multiplier) && all_equal(shift)) {
      multiplier.resize(1);
      shift.resize(1);
    }
    const auto count = static_cast<std::int64_t>(multiplier.size());
    reassign(scale.getMultiplierMutable(), make_constant<std::int32_t>(scale, {count}, multiplier));
    reassign(scale.getShiftMutable(), make_constant<std::int8_t>(scale, {count}, shift));
    scale.setPerChannel(count > 1);
  }
}

std::string bounded_readers::text() const {
  std::string all;
  for (const reader& made : readers_) {
    all += (all.empty() ? "bounded: " : "; ");
    all += made.fold.exact()
               ? "exact"
               : decimal(made.fold.bound, true) + " off at most (" + decimal(made.fold.lower_bound, false) +
                     " with any constants), root mean square " + decimal(made.root_mean_square, true);
  }
  return all;
}

}  // namespace dytq_mlir
