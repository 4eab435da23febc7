// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of chains, and the new chains that they make.
#include <dytq/plan.hpp>

#include "convolutions.hpp"

using namespace dytq_c;

namespace {

static_assert(DYTQ_MAX_STRETCHES >= dytq::chain_plan::max_stretches);
constexpr std::int64_t most_readers = 16;
constexpr auto operations = static_cast<std::size_t>(dytq::operation::count_);

dytq::target target_of(call& c, const dytq_plan_target* given) {
  const dytq_plan_target t = c.read(given, false);
  if (t.costs < 0 || t.costs > DYTQ_COSTS_CMSIS_NN) {
    c.refuse(DYTQ_REJECTED, {.why = dytq::reason::unknown_dialect, .expected = DYTQ_COSTS_CMSIS_NN, .got = t.costs});
  }
  dytq::target target = t.costs == DYTQ_COSTS_CMSIS_NN             ? dytq::targets::cmsis_nn
                        : t.costs == DYTQ_COSTS_TOSA_FUSED_RESCALE ? dytq::targets::tosa_fused_rescale
                                                                   : dytq::targets::tosa;
  target.byte_cost = t.byte_cost;
  target.max_slices = t.max_slices;
  target.channel_tables = target.channel_tables || t.channel_tables != 0;
  target.channel_rescale = t.no_channel_rescale == 0;
  target.depthwise = t.no_depthwise == 0;
  target.moves_input_zp = t.fixed_input_zp == 0;
  if (t.has_cost != 0) {
    for (std::size_t i = 0; i < operations; ++i) {
      target.cost[i] = t.cost[to_c(static_cast<dytq::operation>(i))];
    }
    target.depthwise_rescale = t.depthwise_rescale;
    target.slice = t.slice;
  }
  return target;
}

/// Who reads a chain, with the memory of the convolutions.
struct held_uses {
  std::array<dytq::chain_reader, most_readers> readers{};
  std::array<std::int32_t, most_readers> layouts{};
  dytq::chain_uses uses{};

  void read(call& c, const dytq_chain_uses* given) {
    const dytq_chain_uses u = c.read(given, false);
    if (u.count < 0 || u.count > most_readers) {
      c.refuse(
          DYTQ_REJECTED,
          {.why = dytq::reason::size_mismatch, .at = dytq::place::weight, .expected = most_readers, .got = u.count});
    }
    if (u.count > 0 && u.readers == nullptr) {
      c.refuse(DYTQ_NULL_ARGUMENT);
    }
    for (std::int64_t i = 0; i < u.count && c.ok(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const dytq_conv conv = c.read(u.readers[i]);
      layouts[at] = conv.layout;
      readers[at] = {.conv = conv_of(c, conv), .writable = (u.fixed_readers >> i & 1) == 0};
    }
    if (u.count > 0 && c.ok()) {
      uses.readers = {readers.data(), {u.count}};
    }
    for (int cut = 0; cut < 64; ++cut) {
      if ((u.observed >> cut & 1) != 0) {
        uses.observed.insert(cut);
      }
    }
    uses.branches = u.no_branches == 0;
    uses.tolerance = u.tolerance;
  }
};

dytq::plan_workspace workspace_of(call& c, const dytq_plan_workspace* given) {
  const dytq_plan_workspace w = c.read(given);
  return {.codes = c.view<std::int8_t, 1>(w.codes, dytq::place::workspace),
          .numbers = c.view<std::int32_t, 1>(w.numbers, dytq::place::workspace),
          .lines = c.view<std::int16_t, 1>(w.lines, dytq::place::workspace)};
}

/// f(element) for each of an array whose elements have their size, and those of the first are that of all.
template <class T>
T* element(T* first, std::int64_t i) {
  using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(first) + static_cast<std::int64_t>(first->size) * i);
}
template <class T>
void check_array(call& c, T* first, std::int64_t count) {
  if (count == 0) {
    return;
  }
  c.check_output(first, false);
  for (std::int64_t i = 0; first != nullptr && i < count && c.ok(); ++i) {
    if (element(first, i)->size != first->size) {
      c.refuse(DYTQ_BAD_SIZE);
    }
  }
}

template <class T, std::size_t Rank>
dytq_view view_to_c(const dytq::view<const T, Rank>& v) {
  dytq_view out{};
  if (v.absent()) {
    return out;
  }
  out.data = v.data;
  out.type = type_number<T>();
  out.rank = static_cast<std::int32_t>(Rank);
  for (std::size_t r = 0; r < Rank; ++r) {
    out.extents[r] = v.extents[r];
    out.strides[r] = v.strides[r];
  }
  return out;
}

dytq_chain_step step_to_c(const dytq::chain_step& s) {
  return {.size = 0,
          .op = to_c(s.op),
          .wide = s.wide ? 1 : 0,
          .scale = rescale_to_c(s.scale),
          .multiplier = view_to_c(s.multiplier),
          .shift = view_to_c(s.shift),
          .constants = view_to_c(s.constants),
          .codes = view_to_c(s.codes),
          .table = view_to_c(s.table),
          .tables = view_to_c(s.tables),
          .constant = s.constant,
          .range = range_to_c(s.range),
          .input_zp = s.input_zp,
          .output_zp = s.output_zp,
          .round = s.round ? 1 : 0,
          .sliced = s.sliced ? 1 : 0};
}

}  // namespace

dytq_status dytq_plan_workspace_sizes(const dytq_chain* chain, std::int64_t* codes, std::int64_t* numbers,
                                      std::int64_t* lines, dytq_rejection* why) {
  call c(why);
  c.check_output(codes);
  c.check_output(numbers);
  c.check_output(lines);
  held_chain held;
  held.read(c, chain);
  if (!c.ok()) {
    return c.status();
  }
  const auto sizes = dytq::plan_workspace_sizes(held.chain);
  if (sizes) {
    *codes = sizes->codes;
    *numbers = sizes->numbers;
    *lines = sizes->lines;
  }
  return c.answer(sizes);
}

dytq_status dytq_plan_chain(const dytq_chain* chain, const dytq_plan_target* target, const dytq_chain_uses* uses,
                            const dytq_plan_workspace* workspace, dytq_plan* plan, dytq_stretch* stretches,
                            dytq_rejection* reasons, dytq_rejection* why) {
  call c(why);
  c.check_output(plan);
  check_array(c, stretches, DYTQ_MAX_STRETCHES);
  constexpr auto forms = static_cast<std::int64_t>(dytq::form::count_);
  check_array(c, reasons, forms);
  held_chain held;
  held.read(c, chain);
  held_uses readers;
  readers.read(c, uses);
  const dytq::target costs = target_of(c, target);
  const dytq::plan_workspace memory = workspace_of(c, workspace);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::plan(held.chain, memory, costs, readers.uses);
  if (!made) {
    return c.answer(made);
  }
  write(plan, dytq_plan{.size = 0,
                        .stretches = made->count,
                        .reads = made->reads,
                        .operators_before = made->operators_before,
                        .operators = made->operators,
                        .cost_before = made->cost_before,
                        .cost = made->cost,
                        .bytes_before = made->bytes_before,
                        .bytes = made->bytes,
                        .numbers = made->numbers,
                        .codes = made->codes,
                        .assumes_domain = made->assumes_domain ? 1 : 0,
                        .folds = made->folds() ? 1 : 0});
  for (int i = 0; stretches != nullptr && i < made->count; ++i) {
    const dytq::plan_stretch& s = made->stretch(i);
    write(element(stretches, i), dytq_stretch{.size = 0,
                                              .from = s.from,
                                              .to = s.to,
                                              .form = to_c(s.how),
                                              .beside = s.beside ? 1 : 0,
                                              .clamps = s.clamps ? 1 : 0,
                                              .lo = static_cast<std::int32_t>(s.range.lo),
                                              .hi = static_cast<std::int32_t>(s.range.hi),
                                              .first = s.first,
                                              .steps = s.steps,
                                              .tables = static_cast<std::int32_t>(s.tables),
                                              .max_difference = s.max_difference,
                                              .differ = s.differ});
  }
  for (std::int64_t f = 0; reasons != nullptr && f < forms; ++f) {
    write(element(reasons, f), rejection_to_c((*made)[from_c<dytq::form>(static_cast<std::int32_t>(f))].why));
  }
  return c.status();
}

dytq_status dytq_apply_plan(const dytq_chain* chain, const dytq_plan_target* target, const dytq_chain_uses* uses,
                            const dytq_plan_workspace* workspace, const dytq_plan_outputs* outputs,
                            dytq_rejection* why) {
  call c(why);
  held_chain held;
  held.read(c, chain);
  held_uses readers;
  readers.read(c, uses);
  const dytq::target costs = target_of(c, target);
  const dytq::plan_workspace memory = workspace_of(c, workspace);
  const dytq_plan_outputs to = c.read(outputs);
  if (to.count < 0 || to.count > DYTQ_MAX_STRETCHES) {
    c.refuse(DYTQ_REJECTED, {.why = dytq::reason::size_mismatch,
                             .at = dytq::place::output,
                             .expected = DYTQ_MAX_STRETCHES,
                             .got = to.count});
  }
  if (to.count > 0 && to.steps == nullptr) {
    c.refuse(DYTQ_NULL_ARGUMENT);
  }
  if (c.ok()) {
    check_array(c, to.steps, to.count);
  }
  std::array<dytq::chain_step, DYTQ_MAX_STRETCHES> steps{};
  std::array<dytq::fold_outputs, most_readers> constants{};
  std::array<dytq::affine_fold, most_readers> folds{};
  const std::int64_t count = c.ok() ? readers.uses.readers.extent(0) : 0;
  const bool writes = to.readers != nullptr && to.folds != nullptr;
  for (std::int64_t i = 0; i < count && writes; ++i) {
    const auto at = static_cast<std::size_t>(i);
    constants[at] = outputs_of(c, c.read(to.readers[i]), readers.layouts[at]);
    c.check_output(to.folds[i]);
  }
  dytq::plan_outputs into{.steps = {steps.data(), {to.count}},
                          .numbers = c.view<std::int32_t, 1>(to.numbers, dytq::place::output),
                          .codes = c.view<std::int8_t, 1>(to.codes, dytq::place::output)};
  if (!c.ok()) {
    return c.status();
  }
  if (count > 0 && writes) {
    into.readers = {constants.data(), {count}};
    into.folds = {folds.data(), {count}};
  }
  const auto plan = dytq::plan(held.chain, memory, costs, readers.uses);
  if (!plan) {
    return c.answer(plan);
  }
  const auto made = dytq::apply(held.chain, *plan, into, memory, costs, readers.uses);
  if (!made) {
    return c.answer(made);
  }
  for (std::int64_t i = 0; i < to.count; ++i) {
    write(element(to.steps, i), step_to_c(steps[static_cast<std::size_t>(i)]));
  }
  for (std::int64_t i = 0; i < count && writes && plan->folds(); ++i) {
    write(to.folds[i], fold_to_c(folds[static_cast<std::size_t>(i)]));
  }
  return c.status();
}
