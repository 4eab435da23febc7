// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/plan.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_chain.hpp"

using dytq::chain_step;
using dytq::form;
using dytq::operation;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::opaque;

namespace {

/// A chain of at most 12 steps for two channels, with memory for everything that is asked of it.
struct planned {
  std::array<chain_step, 12> steps{};
  int count = 0;
  dytq::code_set domain = dytq::code_set::all();
  dytq::target target = dytq::targets::tosa;
  dytq::chain_uses uses{};
  std::array<std::int8_t, 13 * 2 * 256> codes{};
  std::array<std::int32_t, 2> numbers{};
  std::array<std::int16_t, 8> lines{};
  std::array<chain_step, 24> new_steps{};
  std::array<std::int32_t, 100> new_numbers{};
  std::array<std::int8_t, 5000> new_codes{};

  constexpr planned& add(const chain_step& step) {
    steps[static_cast<std::size_t>(count++)] = step;
    return *this;
  }
  constexpr dytq::chain chain() const {
    return {.steps = view<const chain_step>(steps.data(), {count}), .channels = 2, .domain = domain, .zero_point = 3};
  }
  constexpr dytq::plan_workspace workspace() {
    const auto sizes = dytq::plan_workspace_sizes(chain());
    return {.codes = view<std::int8_t>(codes.data(), {sizes ? sizes->codes : 0}), .numbers = numbers, .lines = lines};
  }
  constexpr dytq::result<dytq::chain_plan> plan() { return dytq::plan(chain(), workspace(), target, uses); }
  constexpr dytq::plan_outputs outputs(const dytq::chain_plan& p) {
    return {.steps = view<chain_step>(new_steps.data(), {p.operators}),
            .numbers = view<std::int32_t>(new_numbers.data(), {p.numbers}),
            .codes = view<std::int8_t>(new_codes.data(), {p.codes})};
  }
  /// Applies a plan without readers, and compares every code with the plain model and with the judge.
  constexpr bool holds(const dytq::chain_plan& p) {
    const auto edited = dytq::apply(chain(), p, outputs(p), workspace(), target, uses);
    if (!edited ||
        !dytq::check(chain(), p, view<const chain_step>(new_steps.data(), {p.operators}), workspace(), uses)) {
      return false;
    }
    for (std::int64_t c = 0; c < 2; ++c) {
      for (int x = -128; x < 128; ++x) {
        if (domain.contains(static_cast<std::int8_t>(x))) {
          const auto old = dytq_tests::plain_steps(chain().steps, count, c, x);
          const auto now = dytq_tests::plain_steps(edited->steps, edited->steps.extent(0), c, x);
          if (!old.ok || !now.ok || old.v != now.v) {
            return false;
          }
        }
      }
    }
    return true;
  }
};

constexpr std::array<std::int8_t, 256> a_table(int shift) {
  std::array<std::int8_t, 256> t{};
  for (int i = 0; i < 256; ++i) {
    const int x = i - 128;
    t[static_cast<std::size_t>(i)] = static_cast<std::int8_t>((x < -40 ? -40 : x > 40 ? 40 : x) / shift);
  }
  return t;
}

constexpr std::int32_t gains[] = {90, -70};
constexpr std::int32_t offsets[] = {30, -50};

constexpr chain_step widen{.wide = true};
constexpr chain_step narrow(std::int32_t shift, std::int32_t output_zp = 0) {
  return {.scale = {.multiplier = 1 << 30, .shift = shift, .output_zp = output_zp, .out = dytq::int8_range}};
}
constexpr chain_step mul(const std::int32_t* constants = gains) {
  return {.op = operation::mul, .constants = view<const std::int32_t>(constants, {2})};
}
constexpr chain_step add(const std::int32_t* constants = offsets) {
  return {.op = operation::add, .constants = view<const std::int32_t>(constants, {2})};
}

constexpr form how(const dytq::chain_plan& p, int i) { return p.stretch(i).how; }

}  // namespace

TEST_BOTH("a chain that changes nothing is dropped", {
  planned s;
  s.add({.op = operation::clamp, .range = {-128, 127}}).add({.op = operation::maximum, .constant = opaque(-128)});
  const auto p = s.plan().value();
  return p.count == 1 && how(p, 0) == form::drop && p.operators == 0 && p.operators_before == 2 && p.bytes == 0 &&
         p.bytes_before == 4 && s.holds(p);
})

TEST_BOTH("what all channels share becomes a table; the rest of a line is one of its own", {
  planned s;
  auto table = a_table(1);
  for (auto& v : table)
    v = static_cast<std::int8_t>(v * v / 20 - 9);
  s.add(widen)
      .add({.op = operation::mul, .constant = opaque(7)})
      .add(narrow(33))
      .add({.op = operation::table, .table = table});
  s.add(widen).add(mul()).add(narrow(37)).add(widen).add(add()).add(narrow(31));
  const auto p = s.plan().value();
  return p.operators_before == 10 && p.operators <= 5 && how(p, 0) == form::into_table && p.stretch(0).to == 4 &&
         s.holds(p);
})

TEST_BOTH("a target with channel tables needs one operator, and a fused pair costs one", {
  planned s;
  s.add(widen).add(mul()).add(narrow(37));
  const auto apart = s.plan().value();
  s.target = dytq::targets::tosa_fused_rescale;
  const auto fused = s.plan().value();
  const bool two = apart.operators == 2 && apart.cost == 2 && how(apart, 0) == form::line && fused.cost == 1 &&
                   fused.operators == 2 && s.holds(fused);
  s.target = dytq::targets::tosa;
  s.target.channel_tables = true;
  const auto tables = s.plan().value();
  return two && tables.operators == 1 && how(tables, 0) == form::channel_tables && tables.stretch(0).tables == 2 &&
         tables.bytes == 512 + 8 && s.holds(tables);
})

TEST_BOTH("costs beyond all reason are still costs", {
  planned s;
  s.add(widen).add(mul()).add(narrow(37));
  bool ok = true;
  for (const std::int64_t byte : {INT64_MAX, INT64_MIN}) {
    s.target.byte_cost = byte;
    const auto p = s.plan().value();
    ok = ok && p.cost <= p.cost_before && s.holds(p);
  }
  s.target = {.slice = INT32_MAX, .max_slices = 2};
  return ok && s.plan().value().operators == 2;
})

TEST_BOTH("few distinct maps on a target that slices", {
  planned s;
  s.add(widen)
      .add({.op = operation::abs})
      .add(mul())
      .add(narrow(opaque(37)))
      .add({.op = operation::clamp, .range = {-30, 30}});
  s.target.max_slices = 2;
  const auto p = s.plan().value();
  bool sliced =
      how(p, 0) == form::sliced_tables && p.cost == 3 && p.bytes == 512 && s.holds(p) && s.new_steps[0].sliced;
  planned again;  // what was made is priced as it was promised
  again.add(s.new_steps[0]);
  again.target = s.target;
  again.target.cost[static_cast<std::size_t>(operation::channel_tables)] = 50;  // slices are no such operator
  const auto q = again.plan().value();
  sliced = sliced && q.cost_before == 3 && q.bytes_before == 512;
  s.target.max_slices = 1;
  return sliced && s.plan().value()[form::sliced_tables].why.why == reason::target_lacks;
})

TEST_BOTH("a positive scale alone is one RESCALE per channel, and a clamp that is narrower stays", {
  constexpr std::int32_t positive[] = {90, 70};
  planned s;
  s.add(widen).add(mul(positive)).add(narrow(37)).add({.op = operation::clamp, .range = {-9, opaque(11)}});
  const auto p = s.plan().value();
  return p.count == 1 && how(p, 0) == form::channel_rescale && p.stretch(0).clamps && p.operators == 2 &&
         p.stretch(0).range == dytq::code_range{-9, 11} && s.holds(p);
})

TEST_BOTH("a scale that is one half of a code too far is none", {
  // Less the zero point, 1 -> 1 asks for a scale of at least 1/2, and 3 -> 1 for less than 1/2.
  std::array<std::int8_t, 512> tables{};
  tables[132] = tables[134] = tables[256 + 132] = 1;
  tables[256 + 134] = 2;
  planned s;
  s.domain = {};
  s.domain.insert(3);  // of 0, or 1 would be an end of the range, and a clamp
  s.domain.insert(4);
  s.domain.insert(opaque<std::int8_t>(6));
  s.add({.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(tables.data(), {2, 256})});
  const rejection above = s.plan().value()[form::channel_rescale].why;
  tables[134] = 2;
  const bool fits = s.plan().value()[form::channel_rescale].exists();
  return above == rejection{.why = reason::no_rescale, .channel = 0, .code = 6, .expected = 1} && fits;
})

TEST_BOTH("within a tolerance, too, a zero point that is no code makes no line", {
  planned s;
  constexpr std::int8_t weights[] = {1, 2};
  s.add({.op = operation::depthwise, .codes = weights})
      .add({.scale = {.multiplier = 1 << 29, .shift = 30, .input_zp = opaque(168)}, .wide = true})
      .add({.op = operation::abs})
      .add({.op = operation::sub, .constant = 80})
      .add({.scale = {.shift = 31, .out = dytq::int8_range}});
  s.uses.tolerance = 40;
  const auto p = s.plan().value();
  return p[form::line].why.why == reason::zero_point_out_of_range && p[form::line].why.got == 168 && s.holds(p);
})

TEST_BOTH("observed results beside the chain come from whatever costs least", {
  // Two maps of each channel, of which the second undoes the first for all, and a table.
  planned s;
  std::array<std::int8_t, 512> there{};
  std::array<std::int8_t, 512> back{};
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 256; ++i) {
      const int to = (i * (c == 0 ? 5 : 9) + 3 * c + 1) % 256;
      there[static_cast<std::size_t>(256 * c + i)] = static_cast<std::int8_t>(to - 128);
      back[static_cast<std::size_t>(256 * c + to)] = static_cast<std::int8_t>((i * 77 + 13) % 256 - 128);
    }
  }
  const auto table = a_table(opaque(3));
  s.add({.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(there.data(), {2, 256})})
      .add({.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(back.data(), {2, 256})})
      .add({.op = operation::table, .table = table});
  s.uses.observed.insert(1);
  s.uses.observed.insert(2);
  s.target.channel_tables = true;
  s.target.cost[static_cast<std::size_t>(operation::channel_tables)] = 10;
  s.target.cost[static_cast<std::size_t>(operation::table)] = 3;
  const auto p = s.plan().value();
  // The end by one TABLE from the entrance, the first result by channel tables, and the second by a TABLE.
  return p.cost == 3 + 10 + 3 && s.holds(p);
})

TEST_BOTH("an observed result stays in the chain, or beside it", {
  planned s;
  const auto table = a_table(1);
  s.add({.op = operation::table, .table = table}).add({.op = operation::maximum, .constant = opaque(-20)});
  s.uses.observed.insert(1);
  s.uses.branches = false;
  const auto through = s.plan().value();
  bool ok = through.operators == 2 && s.holds(through);
  // Beside: two tables in place of a TABLE and two operators after it.
  s.add({.op = operation::minimum, .constant = 9}).add({.op = operation::negate});
  s.uses.branches = true;
  const auto beside = s.plan().value();
  ok = ok && beside.operators == 2 && beside.count == 2 && beside.stretch(1).beside && beside.stretch(1).to == 1 &&
       how(beside, 1) == form::keep && beside.stays(0) && !beside.stays(1) && s.holds(beside);
  s.uses.branches = false;
  return ok && s.plan().value().operators == 2 && s.holds(s.plan().value());
})

TEST_BOTH("each form that is not taken says why", {
  planned s;
  const auto table = a_table(1);
  s.add({.op = operation::table, .table = table}).add(widen).add(mul()).add(narrow(opaque(37)));
  const auto p = s.plan().value();
  const rejection identity = p[form::drop].why;
  const auto y = [&](std::int64_t c, std::int64_t x) { return dytq_tests::plain_steps(s.chain().steps, 4, c, x).v; };
  const rejection shared = p[form::into_table].why;
  return identity.why == reason::not_identity && identity.got == y(identity.channel, identity.code) &&
         identity.expected == identity.code && shared.why == reason::not_uniform &&
         shared.got == y(shared.channel, shared.code) && shared.expected == y(0, shared.code) &&
         shared.got != shared.expected && p[form::channel_rescale].why.why == reason::no_rescale &&
         p[form::line].why.why == reason::no_line && p[form::channel_tables].why.why == reason::target_lacks &&
         p[form::into_conv].why.why == reason::empty;
})

namespace {

/// The chain of a site of slopes 1 and -2, and two convolutions that read it.
struct read_chain : planned {
  std::array<std::int8_t, 4> weight{3, -5, 7, 2};
  std::array<std::int8_t, 4> other{1, 1, -1, 4};
  std::array<std::int32_t, 2> bias{10, -20};
  std::array<dytq::chain_reader, 2> readers{};
  std::array<std::int8_t, 8> folded{};
  std::array<std::int32_t, 4> folded_bias{};
  std::array<dytq::fold_outputs, 2> to{};
  std::array<dytq::affine_fold, 2> folds{};
  std::array<std::int8_t, 256> table = a_table(1);
  std::array<std::int32_t, 2> slopes{1, -2};
  std::array<std::int32_t, 2> terms{4, 9};

  constexpr dytq::weight_view<const std::int8_t> of(const std::array<std::int8_t, 4>& w) const {
    return dytq::from_oi(view<const std::int8_t, 2>(w.data(), {2, 2}));
  }
  constexpr void set(int count_of_readers) {
    add({.op = operation::table, .table = table});
    add(widen).add(mul(slopes.data())).add(::add(terms.data())).add(narrow(30));
    readers[0].conv = {.weight = of(weight), .bias = bias, .weight_range = {-127, 127}};
    readers[1].conv = {.weight = of(other), .weight_range = {-127, 127}};
    uses.readers = view<const dytq::chain_reader>(readers.data(), {count_of_readers});
    for (std::size_t r = 0; r < 2; ++r) {
      to[r] = {.weight = dytq::from_oi(view<std::int8_t, 2>(folded.data() + 4 * r, {2, 2})),
               .bias = view<std::int32_t>(folded_bias.data() + 2 * r, {2})};
    }
  }
  /// Applies the plan, and compares all sums of both convolutions, on every pair of codes of the entrance.
  constexpr bool folds_right(const dytq::chain_plan& p) {
    dytq::plan_outputs out = outputs(p);
    out.readers = view<const dytq::fold_outputs>(to.data(), {uses.readers.extent(0)});
    out.folds = view<dytq::affine_fold>(folds.data(), {uses.readers.extent(0)});
    const auto edited = dytq::apply(chain(), p, out, workspace(), target, uses);
    if (!edited) {
      return false;
    }
    std::array<dytq::claimed_fold, 2> claims{};
    for (std::size_t r = 0; r < 2; ++r) {
      claims[r] = {.weight = dytq::from_oi(view<const std::int8_t, 2>(folded.data() + 4 * r, {2, 2})),
                   .bias = view<const std::int32_t>(folded_bias.data() + 2 * r, {2}),
                   .input_zp = folds[r].input_zp};
    }
    const view<const chain_step> made(new_steps.data(), {p.operators});
    const view<const dytq::claimed_fold> claimed(claims.data(), {uses.readers.extent(0)});
    if (!dytq::check(chain(), p, made, workspace(), uses, claimed)) {
      return false;
    }
    for (std::size_t r = 0; r < static_cast<std::size_t>(uses.readers.extent(0)); ++r) {
      const auto& w = r == 0 ? weight : other;
      for (int x = -128; x < 128; x += 15) {
        for (std::size_t o = 0; o < 2; ++o) {
          std::int64_t old = r == 0 ? bias[o] : 0;
          std::int64_t now = folded_bias[2 * r + o];
          for (std::size_t c = 0; c < 2; ++c) {
            const int at = c == 0 ? x : -1 - x;
            old += w[2 * o + c] * dytq_tests::plain_steps(chain().steps, count, static_cast<std::int64_t>(c), at).v;
            now +=
                folded[4 * r + 2 * o + c] *
                (dytq_tests::plain_steps(edited->steps, edited->steps.extent(0), static_cast<std::int64_t>(c), at).v -
                 folds[r].input_zp);
          }
          if (old != now) {
            return false;
          }
        }
      }
    }
    // The judge sees one wrong weight.
    folded[1] = static_cast<std::int8_t>(folded[1] + 1);
    const bool seen = !dytq::check(chain(), p, made, workspace(), uses, claimed);
    folded[1] = static_cast<std::int8_t>(folded[1] - 1);
    return seen;
  }
};

/// y_1 = 2 y_0, and y_0 is no line. One reader's weights take a TABLE of 2 y_0, the other's only of y_0.
struct multiples_chain : read_chain {
  std::array<std::int8_t, 512> tables{};

  multiples_chain() {
    weight = {2, 4, 4, -2};
    other = {1, 3, -1, 2};
    set(2);
    for (int i = 0; i < 256; ++i) {
      const int y = (i - 128) * (i - 128) / 300 - 20;
      tables[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(y);
      tables[static_cast<std::size_t>(256 + i)] = static_cast<std::int8_t>(2 * y);
    }
    count = 0;
    add({.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(tables.data(), {2, 256})});
  }
};

}  // namespace

TEST_CASE("one new TABLE serves readers that would each take another multiple") {
  multiples_chain s;
  const auto both = s.plan().value();
  REQUIRE(both.count == 1);
  CHECK(how(both, 0) == form::into_table_and_conv);
  CHECK(s.folds_right(both));
  s.uses.readers = view<const dytq::chain_reader>(s.readers.data(), {1});
  const auto one = s.plan().value();
  CHECK(how(one, 0) == form::into_table_and_conv);
  CHECK(s.folds_right(one));
}

TEST_CASE("one new TABLE serves two readers whose weights are written in place") {
  // The first reader's new weights would take another TABLE, were they asked again before the second is written.
  multiples_chain s;
  const auto p = s.plan().value();
  REQUIRE(how(p, 0) == form::into_table_and_conv);
  REQUIRE(s.folds_right(p));
  const auto apart = s.folded;
  s.to[0].weight.data = s.weight.data();
  s.to[1].weight.data = s.other.data();
  dytq::plan_outputs out = s.outputs(p);
  out.readers = view<const dytq::fold_outputs>(s.to.data(), {2});
  out.folds = view<dytq::affine_fold>(s.folds.data(), {2});
  REQUIRE(dytq::apply(s.chain(), p, out, s.workspace(), s.target, s.uses));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(s.weight[i] == apart[i]);
    CHECK(s.other[i] == apart[4 + i]);
  }
}

TEST_BOTH("readers' outputs that cannot be written are refused before anything is", {
  for (int bad = std::is_constant_evaluated() ? 5 : 0; bad < (std::is_constant_evaluated() ? 6 : 8); ++bad) {
    read_chain s;
    s.set(2);
    s.domain = {};
    for (const int code : {-3, 0, 1, 9}) {
      s.domain.insert(static_cast<std::int8_t>(code));
    }
    s.folded.fill(99);
    s.folded_bias.fill(77);
    const auto p = s.plan().value();
    auto& to = s.to[static_cast<std::size_t>(opaque(bad) % 2)];
    auto why = reason::output_missing;
    if (bad / 2 == 0) {
      to.weight = {};
    } else if (bad / 2 == 1) {
      to.bias = {};
    } else if (bad / 2 == 2) {
      --to.weight.extents[0];
      why = reason::shape_mismatch;
    } else {
      to.bias.strides[0] = 0;
      why = reason::aliased_output;
    }
    dytq::plan_outputs out = s.outputs(p);
    out.readers = view<const dytq::fold_outputs>(s.to.data(), {2});
    out.folds = view<dytq::affine_fold>(s.folds.data(), {2});
    const read_chain before = s;
    const auto edited = dytq::apply(s.chain(), p, out, s.workspace(), s.target, s.uses);
    if (edited || edited.error().why != why || edited.error().convolution != bad % 2 || s.folded != before.folded ||
        s.folded_bias != before.folded_bias || s.new_numbers != before.new_numbers || s.new_codes != before.new_codes) {
      return false;
    }
  }
  return true;
})

TEST_CASE("outputs that share memory with each other, the workspace or the chain are refused") {
  read_chain s;
  s.set(2);
  const auto p = s.plan().value();
  dytq::plan_outputs out = s.outputs(p);
  out.readers = view<const dytq::fold_outputs>(s.to.data(), {2});
  out.folds = view<dytq::affine_fold>(s.folds.data(), {2});
  const auto refused = [&] {
    const auto before = s.folded;
    const auto edited = dytq::apply(s.chain(), p, out, s.workspace(), s.target, s.uses);
    return !edited && edited.error().why == reason::overlapping_views && s.folded == before;
  };
  const auto good = s.to;
  s.to[1].bias = view<std::int32_t>(s.folded_bias.data() + 1, {2});  // beside the first reader's
  CHECK(refused());
  s.to = good;
  s.to[0].weight.data = s.codes.data();  // the workspace
  CHECK(refused());
  s.to[0].weight.data = s.table.data();  // a constant of the chain
  CHECK(refused());
  s.to[0].weight.data = s.other.data();  // the other reader's weights
  CHECK(refused());
  s.to = good;
  s.to[0].bias = view<std::int32_t>(&s.folds[0].input_zp, {2}, {1});
  CHECK(refused());
  s.to = good;
  s.readers[0].conv.bias = view<const std::int32_t>(&s.folds[0].input_zp, {2}, {1});  // read beside the answers
  CHECK(refused());
  s.readers[0].conv.bias = s.bias;
  out.folds.data = reinterpret_cast<dytq::affine_fold*>(s.readers.data());  // the list of readers
  CHECK(refused());
  out.folds.data = s.folds.data();
  s.to[0].weight.data = s.weight.data();  // in place
  CHECK(dytq::apply(s.chain(), p, out, s.workspace(), s.target, s.uses));
}

TEST_CASE("new operators and their constants are apart") {
  planned s;
  s.add({.op = operation::maximum, .constant = -20}).add({.op = operation::negate});
  const auto p = s.plan().value();
  REQUIRE(how(p, 0) == form::into_table);
  dytq::plan_outputs out = s.outputs(p);
  out.codes.data = reinterpret_cast<std::int8_t*>(s.new_steps.data());
  const auto edited = dytq::apply(s.chain(), p, out, s.workspace(), s.target, s.uses);
  CHECK(edited.error() == rejection{.why = reason::overlapping_views, .at = place::output});
}

TEST_CASE("a plan that folds needs its readers, and a plan from elsewhere is believed in nothing") {
  read_chain s;
  s.set(1);
  s.add({.op = operation::maximum, .constant = -100});
  for (auto& v : s.table) {
    v = static_cast<std::int8_t>(v / 8 * 3);
  }
  for (const int first : {4, 5}) {  // into the weights; then into a new TABLE and the weights
    s.steps[1] = first == 5 ? chain_step{.op = operation::table, .table = s.table} : widen;
    s.steps[2] = first == 5 ? widen : mul(s.slopes.data());
    s.steps[3] = first == 5 ? mul(s.slopes.data()) : narrow(30);
    s.steps[4] = narrow(30);
    s.count = first;
    auto p = s.plan().value();
    REQUIRE(p.folds());
    dytq::plan_outputs out = s.outputs(p);
    out.readers = view<const dytq::fold_outputs>(s.to.data(), {1});
    out.folds = view<dytq::affine_fold>(s.folds.data(), {1});
    const view<const chain_step> made(s.new_steps.data(), {p.operators});
    CHECK(dytq::apply(s.chain(), p, out, s.workspace()).error().why == reason::contradiction);
    CHECK(dytq::check(s.chain(), p, made, s.workspace()).error().why == reason::contradiction);
    auto& fold = p.stretches[static_cast<std::size_t>(p.count - 1)];
    for (const int wrong : {-1, 1, INT32_MAX}) {
      fold.steps += wrong == INT32_MAX ? wrong - 1 : wrong;
      const int operators = p.operators;
      p.operators = wrong == INT32_MAX ? INT32_MIN : operators + wrong;
      CHECK(dytq::apply(s.chain(), p, out, s.workspace(), s.target, s.uses).error().why == reason::contradiction);
      CHECK(dytq::check(s.chain(), p, made, s.workspace(), s.uses).error().why == reason::contradiction);
      p.operators = operators;
      fold.steps -= wrong == INT32_MAX ? wrong - 1 : wrong;
    }
  }
}

TEST_BOTH("the end of a chain goes into all that read it", {
  read_chain one;
  one.set(opaque(1));
  const auto p = one.plan().value();
  read_chain two;
  two.set(2);
  const auto q = two.plan().value();
  return p.operators == 1 && p.folds() && p.reads == 1 && how(p, 0) == form::keep && how(p, 1) == form::into_conv &&
         one.folds_right(p) && q.operators == 1 && q.folds() && two.folds_right(q);
})

TEST_BOTH("what channels have in common goes into a new table, the rest into the weights", {
  read_chain s;
  for (auto& v : s.table)
    v = static_cast<std::int8_t>(v / 8 * 3);
  s.set(1);
  s.add({.op = operation::maximum, .constant = opaque(-128)});
  s.steps[1] = {.op = operation::table, .table = s.table};  // two tables: one new one
  s.steps[2] = widen;
  s.steps[3] = mul(s.slopes.data());
  s.steps[4] = narrow(30);
  const auto p = s.plan().value();
  return p.operators == 1 && s.folds_right(p);
})

TEST_BOTH("a reader that cannot be written keeps what it reads, and so does an observed result", {
  read_chain s;
  s.set(2);
  s.readers[1].writable = opaque(false);
  const auto p = s.plan().value();
  bool ok = !p.folds() && p[form::into_conv].why.why == reason::shared && p[form::into_conv].why.convolution == 1 &&
            p.operators > 1 && s.holds(p);
  s.readers[1].writable = true;
  s.uses.observed.insert(5);
  const auto q = s.plan().value();
  return ok && !q.folds() && q[form::into_conv].why.why == reason::observable_code && s.holds(q);
})

TEST_BOTH("a judge sees a wrong operator, a lost result and a plan of another chain", {
  planned s;
  const auto table = a_table(1);
  s.add({.op = operation::table, .table = table}).add(widen).add(mul()).add(narrow(opaque(37)));
  const auto p = s.plan().value();
  if (!s.holds(p)) {
    return false;
  }
  const view<const chain_step> made(s.new_steps.data(), {p.operators});
  s.new_codes[100] = static_cast<std::int8_t>(s.new_codes[100] + 1);
  s.new_numbers[0] += 4000;
  const rejection wrong = dytq::check(s.chain(), p, made, s.workspace(), s.uses).error();
  bool ok = wrong.why == reason::fold_differs && wrong.expected != wrong.got &&
            wrong.got == dytq_tests::plain_steps(made, p.operators, wrong.channel, wrong.code).v;
  s.new_numbers[0] -= 4000;
  s.uses.observed.insert(1);
  auto direct = s.plan().value();
  ok = ok && direct.operators == 3;
  direct.stretches[0].to = 2;
  ok = ok && dytq::check(s.chain(), direct, made, s.workspace(), s.uses).error().why == reason::contradiction;
  planned other;
  other.add({.op = operation::negate});
  return ok && dytq::apply(other.chain(), p, other.outputs(p), other.workspace()).error().why == reason::contradiction;
})

TEST_BOTH("workspaces and outputs of other sizes are refused", {
  planned s;
  s.add(widen).add(mul()).add(narrow(37));
  auto workspace = s.workspace();
  workspace.codes.extents[0] += opaque(1);
  bool ok = dytq::plan(s.chain(), workspace).error().why == reason::size_mismatch;
  workspace = s.workspace();
  workspace.numbers = view<std::int32_t>(s.numbers.data(), {1});
  ok = ok && dytq::plan(s.chain(), workspace).error().why == reason::size_mismatch;
  const auto p = s.plan().value();
  auto out = s.outputs(p);
  --out.numbers.extents[0];
  ok = ok && dytq::apply(s.chain(), p, out, s.workspace()).error().why == reason::size_mismatch;
  out = s.outputs(p);
  out.steps = view<chain_step>(s.steps.data(), {p.operators});
  return ok && (std::is_constant_evaluated() ||  // which cannot see it
                dytq::apply(s.chain(), p, out, s.workspace()).error().why == reason::overlapping_views);
})

namespace {

/// Three operators between int8 cuts, each kept: a plan that nobody made.
struct kept_chain : planned {
  dytq::chain_plan by_hand{};

  constexpr kept_chain() {
    domain = {};
    for (const int code : {-30, 0, 20}) {
      domain.insert(static_cast<std::int8_t>(code));
    }
    add({.op = operation::maximum, .constant = -20}).add({.op = operation::negate});
    add({.op = operation::maximum, .constant = 9}).add(widen).add(narrow(31));
    for (int i = 0; i < 3; ++i) {
      by_hand.stretches[static_cast<std::size_t>(i)] = {.from = i, .to = i + 1, .first = i, .steps = 1};
    }
    by_hand.stretches[3] = {.from = 3, .to = 5, .first = 3, .steps = 2};
    by_hand.count = 4;
    by_hand.operators = 5;
  }
  constexpr dytq::plan_stretch& at(std::size_t i) { return by_hand.stretches[i]; }
  constexpr rejection applied() {
    const auto edited = dytq::apply(chain(), by_hand, outputs(by_hand), workspace(), target, uses);
    return edited ? rejection{} : edited.error();
  }
  constexpr rejection judged() {
    const view<const chain_step> made(new_steps.data(), {by_hand.operators});
    const auto v = dytq::check(chain(), by_hand, made, workspace(), uses);
    return v ? rejection{} : v.error();
  }
  constexpr bool both(reason why) { return applied().why == why && judged().why == why; }
};

/// A plan with one thing wrong.
template <class F>
constexpr bool refused(F spoil) {
  kept_chain s;
  spoil(s);
  return s.both(reason::contradiction);
}

}  // namespace

TEST_BOTH("a plan by hand is applied and judged as any other", {
  kept_chain s;
  s.by_hand.count = opaque(4);
  s.uses.observed.insert(2);
  return s.both(reason::none) && s.holds(s.by_hand);
})

TEST_BOTH("stretches that are not those of a chain are refused", {
  const bool to_nowhere = refused([](kept_chain& s) {  // cut 4 is no int8
    s.at(3) = {.from = 3, .to = opaque(4), .first = 3, .steps = 1};
    s.at(4) = {.from = 4, .to = 5, .first = 4, .steps = 1};
    s.by_hand.count = 5;
  });
  const bool back = refused([](kept_chain& s) {
    s.at(1) = {.from = 1, .to = 0, .how = form::drop, .first = 1};
    s.at(2) = {.from = 0, .to = 3, .first = 1, .steps = 3};
    s.at(3).first = 4;
    s.by_hand.operators = opaque(6);
  });
  const bool skips = refused([](kept_chain& s) {
    s.at(1) = {.from = 2, .to = 3, .first = 1, .steps = 1};
    s.at(2) = {.from = 3, .to = 5, .first = 2, .steps = 2};
    s.by_hand.count = opaque(3);
    s.by_hand.operators = 4;
  });
  const bool beside_nothing = refused([](kept_chain& s) {
    s.at(0) = {.from = 0, .to = 3, .first = 0, .steps = 3};
    s.at(1) = s.at(3);
    s.at(2) = {.from = opaque(1), .to = 2, .beside = true, .first = 5, .steps = 1};
    s.by_hand.count = 3;
    s.by_hand.operators = 6;
  });
  const bool again = refused([](kept_chain& s) { s.at(2).first = opaque(1); });
  const bool early = refused([](kept_chain& s) {
    s.by_hand.count = opaque(3);
    s.by_hand.operators = 3;
  });
  const bool more = refused([](kept_chain& s) { s.by_hand.operators = opaque(6); });
  return to_nowhere && back && skips && beside_nothing && again && early && more;
})

TEST_BOTH("a form of other operators than the plan says is refused before anything is written", {
  kept_chain s;
  s.at(3).steps = opaque(1);
  s.by_hand.operators = 4;
  return s.applied().why == reason::contradiction && s.new_steps[0].op == operation::rescale &&
         s.judged().why != reason::none;
})

TEST_BOTH("new operators of another number are not judged", {
  kept_chain s;
  const bool made = s.both(reason::none);
  const auto few =
      dytq::check(s.chain(), s.by_hand, view<const chain_step>(s.new_steps.data(), {opaque(4)}), s.workspace(), s.uses);
  return made && few.error() == rejection{.why = reason::size_mismatch, .at = place::output, .expected = 5, .got = 4};
})

TEST_BOTH("a plan that loses an observed result, or writes a reader that cannot be written, is refused", {
  kept_chain s;
  s.at(0) = {.from = 0, .to = opaque(2), .steps = 2};
  s.at(1) = s.at(2);
  s.at(2) = s.at(3);
  s.by_hand.count = 3;
  const bool unseen = s.both(reason::none);
  s.uses.observed.insert(1);
  const bool seen = s.both(reason::observable_code) && s.applied().step == 0;

  read_chain r;
  r.set(2);
  r.domain = {};
  r.domain.insert(opaque<std::int8_t>(1));
  r.domain.insert(5);
  const auto p = r.plan().value();
  bool folds = p.folds();
  r.readers[1].writable = false;
  dytq::plan_outputs out = r.outputs(p);
  out.readers = view<const dytq::fold_outputs>(r.to.data(), {2});
  out.folds = view<dytq::affine_fold>(r.folds.data(), {2});
  out.folds.extents[0] = opaque(1);
  const rejection few{.why = reason::size_mismatch, .at = place::weight, .expected = 2, .got = 1};
  r.readers[1].writable = true;
  folds = folds && dytq::apply(r.chain(), p, out, r.workspace(), r.target, r.uses).error() == few;
  out.folds.extents[0] = 2;
  r.readers[1].writable = false;
  const rejection why{.why = reason::shared, .at = place::weight, .convolution = 1};
  folds = folds && dytq::apply(r.chain(), p, out, r.workspace(), r.target, r.uses).error() == why;
  r.readers[1].writable = true;
  const view<const chain_step> made(r.new_steps.data(), {p.operators});
  const view<const dytq::claimed_fold> one_claim(nullptr, {0});
  const auto v = dytq::check(r.chain(), p, made, r.workspace(), r.uses, one_claim);
  return unseen && seen && folds && v.error().why == reason::size_mismatch && v.error().expected == 2;
})
