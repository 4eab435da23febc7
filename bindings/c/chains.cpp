// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of elementwise operators, and the sites that they make with a TABLE.
#include <dytq/chain.hpp>
#include <dytq/site.hpp>

#include "convert.hpp"

namespace dytq_c {

dytq::code_set codes(std::int32_t given, const std::uint64_t (&words)[4]) {
  if (given == 0) {
    return dytq::code_set::all();
  }
  dytq::code_set set;
  for (unsigned q = 0; q < 256; ++q) {
    if ((words[q / 64] >> q % 64 & 1) != 0) {
      set.insert(static_cast<std::int8_t>(static_cast<int>(q) - 128));
    }
  }
  return set;
}

namespace {

dytq::chain_step step_of(call& c, const dytq_chain_step& s) {
  return {
      .op = from_c<dytq::operation>(s.op),
      .scale = c.rescale(s.scale, s.wide != 0 || s.op != DYTQ_OPERATION_RESCALE ? dytq::int32_range : dytq::int8_range),
      .wide = s.wide != 0,
      .multiplier = c.view<std::int32_t, 1>(s.multiplier, dytq::place::none),
      .shift = c.view<std::int32_t, 1>(s.shift, dytq::place::none),
      .constant = s.constant,
      .constants = c.view<std::int32_t, 1>(s.constants, dytq::place::none),
      .codes = c.view<std::int8_t, 1>(s.codes, dytq::place::none),
      .table = c.view<std::int8_t, 1>(s.table, dytq::place::table),
      .tables = c.view<std::int8_t, 2>(s.tables, dytq::place::table),
      .range = range(s.range, dytq::int8_range),
      .input_zp = s.input_zp,
      .output_zp = s.output_zp,
      .round = s.round != 0,
      .sliced = s.sliced != 0};
}

}  // namespace

void held_chain::read(call& c, const dytq_chain* given) {
  const dytq_chain known = c.read(given);
  if (known.count < 0 || known.count > dytq::max_chain_steps) {
    c.refuse(DYTQ_REJECTED,
             {.why = dytq::reason::extent_overflow, .expected = dytq::max_chain_steps, .got = known.count});
  }
  if (known.count > 0 && known.steps == nullptr) {
    c.refuse(DYTQ_NULL_ARGUMENT);
  }
  const auto* at = reinterpret_cast<const unsigned char*>(known.steps);
  for (std::int64_t s = 0; s < known.count && c.ok(); ++s) {
    const auto* const step = reinterpret_cast<const dytq_chain_step*>(at);
    if (step->size != known.steps->size) {
      c.refuse(DYTQ_BAD_SIZE);
      return;
    }
    steps[static_cast<std::size_t>(s)] = step_of(c, c.read(step));
    at += step->size;
  }
  chain = {.steps = {steps.data(), {c.ok() ? known.count : 0}},
           .channels = known.channels,
           .domain = codes(known.has_domain, known.domain),
           .zero_point = known.zero_point};
}

void held_site::read(call& c, const dytq_affine_site* given) {
  const dytq_affine_site s = c.read(given);
  site = {.table = c.view<std::int8_t, 1>(s.table, dytq::place::table),
          .table_zp = s.table_zp,
          .gamma = c.view<std::int8_t, 1>(s.gamma, dytq::place::gamma),
          .beta = c.view<std::int8_t, 1>(s.beta, dytq::place::beta),
          .steps = {.table = c.rescale(s.table_step),
                    .gamma = c.rescale(s.gamma_step),
                    .gamma_out = c.rescale(s.gamma_out, dytq::int8_range),
                    .add_in = c.rescale(s.add_in),
                    .beta = c.rescale(s.beta_step),
                    .add_out = c.rescale(s.add_out, dytq::int8_range)},
          .reachable = codes(s.has_reachable, s.reachable)};
  if (s.chain != nullptr) {
    chain.read(c, s.chain);
    site.chain = chain.chain.steps;
    site.chain_channels = chain.chain.channels;
  }
}

}  // namespace dytq_c

using namespace dytq_c;

namespace {

/// table[i]: what channel c makes of code i - 128; 0 where that cannot occur.
void fill(const dytq::chain_maps& maps, const dytq::chain_maps::channel_constants& k, std::int8_t* table) {
  for (int i = 0; i < 256; ++i) {
    table[i] = 0;
  }
  for (int i = 0; i < maps.count(); ++i) {
    table[maps.code(i) + 128] = static_cast<std::int8_t>(maps.map(k, i));
  }
}

}  // namespace

dytq_status dytq_chain_maps(const dytq_chain* chain, const dytq_output* maps, dytq_rejection* why) {
  call c(why);
  held_chain held;
  held.read(c, chain);
  const auto to = c.view<std::int8_t, 2>(maps, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::chain_maps::make(held.chain);
  if (!made) {
    return c.answer(made);
  }
  if (const dytq::verdict v = dytq::validate_output(to); !v) {
    return c.answer(v);
  }
  if (to.extent(0) != made->channels() || to.extent(1) != 256) {
    return c.refuse(DYTQ_REJECTED, {.why = dytq::reason::size_mismatch,
                                    .at = dytq::place::output,
                                    .expected = made->channels(),
                                    .got = to.extent(0)});
  }
  for (const bool writing : {false, true}) {
    for (std::int64_t ch = 0; ch < made->channels(); ++ch) {
      const auto k = made->channel(ch);
      if (!k) {
        return c.answer(k);
      }
      std::int8_t table[256];
      if (writing) {
        fill(*made, *k, table);
        for (std::int64_t i = 0; i < 256; ++i) {
          to.data[to.offset({ch, i})] = table[i];
        }
      }
    }
  }
  return c.status();
}

dytq_status dytq_chain_apply(const dytq_chain* chain, const dytq_view* input, const dytq_output* output,
                             dytq_rejection* why) {
  call c(why);
  held_chain held;
  held.read(c, chain);
  const auto from = c.view<std::int8_t, 3>(input, dytq::place::input);
  const auto to = c.view<std::int8_t, 3>(output, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::chain_maps::make(held.chain);
  if (!made) {
    return c.answer(made);
  }
  for (const dytq::verdict& v :
       {dytq::validate(from, dytq::place::input), dytq::validate_output(to), dytq::validate_in_place(to, from)}) {
    if (!v) {
      return c.answer(v);
    }
  }
  if (!dytq::same_extents(from, to) || from.extent(1) != made->channels()) {
    return c.refuse(DYTQ_REJECTED, {.why = dytq::reason::shape_mismatch,
                                    .at = dytq::place::input,
                                    .expected = made->channels(),
                                    .got = from.extent(1)});
  }
  if (from.empty()) {
    return c.status();
  }
  for (const bool writing : {false, true}) {
    for (std::int64_t ch = 0; ch < from.extent(1); ++ch) {
      const auto k = made->channel(ch);
      if (!k) {
        return c.answer(k);
      }
      std::int8_t table[256];
      if (writing) {
        fill(*made, *k, table);
      }
      for (std::int64_t n = 0; n < from.extent(0); ++n) {
        for (std::int64_t p = 0; p < from.extent(2); ++p) {
          const std::int8_t code = from.data[from.offset({n, ch, p})];
          if (!held.chain.domain.contains(code)) {
            return c.refuse(
                DYTQ_REJECTED,
                {.why = dytq::reason::code_out_of_range, .at = dytq::place::domain, .channel = ch, .got = code});
          }
          if (writing) {
            to.data[to.offset({n, ch, p})] = table[code + 128];
          }
        }
      }
    }
  }
  return c.status();
}
