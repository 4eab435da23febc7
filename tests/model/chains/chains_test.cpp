// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claim: for any chain, a plan keeps every code of every channel and every observed result, computes nothing that is
// unpredictable, costs no more than the chain, and no partition into the library's forms costs less; and convolutions
// that read the chain compute the same accumulators. The plain model shares no arithmetic with the library.
#include <dytq/plan.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/plain_chain.hpp"

namespace {

using dytq::chain_step;
using dytq::operation;
using dytq::view;

const int chains = std::getenv("DYTQ_CHAINS") != nullptr ? std::atoi(std::getenv("DYTQ_CHAINS")) : 5000;

// A chain with memory of its own. Values go through limits, powers of two and ties more often than by chance.
class random_chain {
 public:
  explicit random_chain(std::uint64_t seed) : random_(seed), channels_(pick({1, 2, 3, 5})) {
    const int stretches = range(1, 4);
    for (int i = 0; i < stretches; ++i) {
      switch (range(0, 9)) {
        case 0: add_table(); break;
        case 1: add({.op = operation::clamp, .range = {range(-128, 0), range(0, 127)}}); break;
        case 2: add({.op = operation::negate, .input_zp = range(-9, 9), .output_zp = range(-9, 9)}); break;
        case 3:
          add({.op = chance(50) ? operation::maximum : operation::minimum, .constants = constants(-60, 60)});
          break;
        case 4: add(narrow(range(28, 33), true)); break;
        case 5: add_tables(); break;
        default: add_wide(); break;
      }
    }
    if (chance(40)) {
      domain_ = {};
      const int count = pick({1, 2, 5, 40, 128});
      for (int i = 0; i < count; ++i)
        domain_.insert(static_cast<std::int8_t>(range(-128, 127)));
    }
  }

  dytq::chain get() const {
    return {.steps = view<const chain_step>(steps_), .channels = channels_, .domain = domain_, .zero_point = 0};
  }
  const dytq::code_set& domain() const { return domain_; }
  int range(int lo, int hi) { return lo + static_cast<int>(random_() % static_cast<std::uint64_t>(hi - lo + 1)); }
  bool chance(int percent) { return range(0, 99) < percent; }
  int pick(std::initializer_list<int> of) { return of.begin()[range(0, static_cast<int>(of.size()) - 1)]; }

 private:
  void add(const chain_step& step) { steps_.push_back(step); }
  view<const std::int32_t> constants(int lo, int hi) {
    const bool one = chance(30);
    std::vector<std::int32_t>& v = numbers_.emplace_back();
    for (std::int64_t c = 0; c < channels_; ++c)
      v.push_back(one && c > 0 ? v[0] : range(lo, hi));
    return v;
  }
  void add_table() {
    std::vector<std::int8_t>& t = codes_.emplace_back();
    const int kind = range(0, 3);
    for (int x = -128; x < 128; ++x) {
      const int y = kind == 0   ? range(-128, 127)
                    : kind == 1 ? x * x / 200 - 20
                    : kind == 2 ? x / 3
                                : 60 * x / (40 + (x < 0 ? -x : x));
      t.push_back(static_cast<std::int8_t>(y));
    }
    add({.op = operation::table, .table = t, .output_zp = range(-3, 3)});
  }
  void add_tables() {
    std::vector<std::int8_t>& t = codes_.emplace_back();
    for (std::int64_t c = 0; c < channels_; ++c) {
      for (int x = -128; x < 128; ++x)
        t.push_back(static_cast<std::int8_t>(c % 2 == 0 ? x / 2 : -x / 3));
    }
    add({.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(t.data(), {channels_, 256})});
  }
  chain_step narrow(int shift, bool from_code) {
    chain_step s{
        .scale = {.multiplier = chance(30) ? 1 << 30 : range(1 << 29, std::numeric_limits<std::int32_t>::max()),
                  .shift = shift,
                  .input_zp = from_code ? range(-5, 5) : 0,
                  .output_zp = range(-10, 10),
                  .out = chance(15) ? dytq::code_range{range(-128, 0), range(1, 127)} : dytq::int8_range}};
    if (chance(20))
      s.scale.rounding = dytq::rounding_mode::double_round;
    if (chance(20)) {
      std::vector<std::int32_t>& m = numbers_.emplace_back();
      std::vector<std::int32_t>& n = numbers_.emplace_back();
      for (std::int64_t c = 0; c < channels_; ++c) {
        m.push_back(range(1 << 29, std::numeric_limits<std::int32_t>::max()));
        n.push_back(shift + range(0, 1));
      }
      s.multiplier = m;
      s.shift = n;
    }
    return s;
  }
  // Through int32 and back.
  void add_wide() {
    const int lift = pick({0, 0, 4, 12, 20});
    add({.scale = {.multiplier = 1 << 30, .shift = 30 - lift, .input_zp = range(-5, 5)}, .wide = true});
    int down = lift;
    const int steps = range(1, 2);
    for (int i = 0; i < steps; ++i) {
      switch (range(0, 5)) {
        case 0: add({.op = operation::abs}); break;
        case 1: add({.op = operation::arithmetic_right_shift, .constant = range(0, 3), .round = chance(50)}); break;
        case 2:
        case 3:
          add({.op = operation::mul, .constants = constants(chance(30) ? 1 : -127, 127)});
          down += 6;
          break;
        default:
          add({.op = chance(70) ? operation::add : operation::sub, .constants = constants(-(40 << lift), 40 << lift)});
          break;
      }
    }
    add(narrow(std::min(30 + down, 60), false));
  }

  std::mt19937_64 random_;
  std::int64_t channels_;
  std::vector<chain_step> steps_;
  std::deque<std::vector<std::int32_t>> numbers_;
  std::deque<std::vector<std::int8_t>> codes_;
  dytq::code_set domain_ = dytq::code_set::all();
};

// The values of all codes at a cut, by the plain model; empty if some step is unpredictable.
std::vector<std::int64_t> values_at(const dytq::chain& c, std::int64_t cut) {
  std::vector<std::int64_t> all;
  for (std::int64_t k = 0; k < c.channels; ++k) {
    for (int x = -128; x < 128; ++x) {
      if (c.domain.contains(static_cast<std::int8_t>(x))) {
        const auto y = dytq_tests::plain_steps(c.steps, cut, k, x);
        if (!y.ok)
          return {};
        all.push_back(y.v);
      }
    }
  }
  return all;
}

struct workspace_memory {
  std::vector<std::int8_t> codes;
  std::vector<std::int32_t> numbers;
  std::vector<std::int16_t> lines;

  explicit workspace_memory(const dytq::plan_sizes& sizes)
      : codes(static_cast<std::size_t>(sizes.codes)),
        numbers(static_cast<std::size_t>(sizes.numbers)),
        lines(static_cast<std::size_t>(sizes.lines)) {}
  dytq::plan_workspace get() { return {.codes = codes, .numbers = numbers, .lines = lines}; }
};

// A convolution along one axis that reads a chain, and what a fold makes of it.
struct random_reader {
  std::int64_t channels, outputs, taps, before, after;
  std::int64_t input = 4;
  std::int32_t input_zp;
  std::vector<std::int8_t> weight, new_weight;
  std::vector<std::int32_t> bias, new_bias;

  random_reader(random_chain& random, std::int64_t of, std::int32_t zero_point)
      : channels(of),
        outputs(random.range(1, 3)),
        taps(random.range(1, 3)),
        before(taps > 1 && random.chance(50) ? 1 : 0),
        after(taps > 1 && random.chance(50) ? 1 : 0),
        input_zp(zero_point) {
    const int unit = random.pick({1, 1, 2, 6});
    for (std::int64_t i = 0; i < outputs * taps * channels; ++i)
      weight.push_back(static_cast<std::int8_t>(unit * random.range(-126 / unit / 3, 126 / unit / 3)));
    for (std::int64_t o = 0; o < outputs; ++o)
      bias.push_back(random.range(-900, 900));
    new_weight.resize(weight.size());
    new_bias.resize(bias.size());
  }
  template <class T>
  dytq::weight_view<T> shaped(std::vector<std::remove_const_t<T>>& of) const {
    return dytq::from_ohwi(view<T, 4>(of.data(), {outputs, 1, taps, channels}));
  }
  dytq::convolution conv() {
    dytq::convolution c{.weight = shaped<const std::int8_t>(weight), .bias = bias, .input_zp = input_zp};
    c.axes[2] = {.input = input, .before = before, .after = after};
    return c;
  }
  // Are the accumulators the same whatever codes come in? `old` and `now` are what the two convolutions read, for each
  // channel and each code that can occur. Elements are independent, so that each term's difference must be constant,
  // and their sum the biases' at every position.
  bool same(const std::vector<std::int64_t>& old, const std::vector<std::int64_t>& now, std::int64_t new_zp) const {
    const std::size_t codes = old.size() / static_cast<std::size_t>(channels);
    for (std::int64_t o = 0; o < outputs; ++o) {
      for (std::int64_t at = -before; at + taps <= input + after; ++at) {
        std::int64_t off = bias[static_cast<std::size_t>(o)] - new_bias[static_cast<std::size_t>(o)];
        for (std::int64_t t = 0; t < taps; ++t) {
          for (std::int64_t c = 0; c < channels && at + t >= 0 && at + t < input; ++c) {
            const auto w = static_cast<std::size_t>((o * taps + t) * channels + c);
            const std::size_t first = static_cast<std::size_t>(c) * codes;
            const auto term = [&](std::size_t i) {
              return weight[w] * (old[first + i] - input_zp) - new_weight[w] * (now[first + i] - new_zp);
            };
            for (std::size_t i = 1; i < codes; ++i) {
              if (term(i) != term(0))
                return false;
            }
            off += term(0);
          }
        }
        if (off != 0)
          return false;
      }
    }
    return true;
  }
};

// The part of a chain between two cuts, as a chain of one form each: its cheapest cost, by the plan of that part with
// every inner cut forbidden.
std::pair<std::int64_t, std::int64_t> undivided(const dytq::detail::stretch_forms& forms, int a, int b) {
  std::pair<std::int64_t, std::int64_t> best{std::numeric_limits<std::int64_t>::max(), 0};
  for (int f = 0; f < static_cast<int>(dytq::form::count_); ++f) {
    if (const auto made = forms.find(static_cast<dytq::form>(f), a, b)) {
      best = std::min(best, {made->price.cost, made->price.bytes});
    }
  }
  return best;
}

struct stretch_of_plan {
  int from, to;
  dytq::form how;
  bool operator==(const stretch_of_plan&) const = default;
};
struct chosen {
  std::pair<std::int64_t, std::int64_t> price{std::numeric_limits<std::int64_t>::max(), 0};
  std::vector<stretch_of_plan> stretches;
};

// The order that `plan` documents, in full: cost, bytes, the undivided stretch, the earliest cut, the first of `form`.
chosen in_order(const dytq::detail::stretch_forms& forms, const dytq::detail::cut_codes& codes, int a, int b) {
  chosen best;
  for (int f = 0; f < static_cast<int>(dytq::form::count_); ++f) {
    const auto how = static_cast<dytq::form>(f);
    if (const auto made = forms.find(how, a, b); made && std::pair{made->price.cost, made->price.bytes} < best.price) {
      best = {{made->price.cost, made->price.bytes}, {{codes.cut(a), codes.cut(b), how}}};
    }
  }
  for (int m = a + 1; m < b; ++m) {
    const chosen before = in_order(forms, codes, a, m);
    const chosen after = in_order(forms, codes, m, b);
    const std::pair sum{before.price.first + after.price.first, before.price.second + after.price.second};
    if (sum < best.price) {
      best = {sum, before.stretches};
      for (const stretch_of_plan& s : after.stretches) {
        const bool goes_on = best.stretches.back().how == dytq::form::keep && s.how == dytq::form::keep;
        goes_on ? void(best.stretches.back().to = s.to) : best.stretches.push_back(s);
      }
    }
  }
  return best;
}

}  // namespace

TEST_CASE("random chains: the same codes, nothing unpredictable, never dearer, and no partition is cheaper") {
  int planned = 0;
  int refused = 0;
  int shorter = 0;
  int beside = 0;
  int partitions = 0;
  int ordered = 0;
  int forms_seen[static_cast<std::size_t>(dytq::form::count_)]{};
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(chains); ++seed) {
    random_chain made(seed);
    const dytq::chain c = made.get();
    const auto steps = static_cast<int>(c.steps.extent(0));
    INFO("chain " << seed);
    const std::vector<std::int64_t> wanted = values_at(c, steps);
    const auto sizes = dytq::plan_workspace_sizes(c);
    workspace_memory memory(sizes ? *sizes : dytq::plan_sizes{0, c.channels, 0});
    dytq::target target = made.chance(30)   ? dytq::targets::cmsis_nn
                          : made.chance(30) ? dytq::targets::tosa_fused_rescale
                                            : dytq::targets::tosa;
    target.max_slices = made.chance(30) ? 3 : 0;
    dytq::chain_uses uses{.branches = made.chance(50)};
    const int seen = made.range(0, steps);
    if (made.chance(40))
      uses.observed.insert(seen);
    const auto plan = dytq::plan(c, memory.get(), target, uses);
    REQUIRE(plan.has_value() == !wanted.empty());
    if (!plan) {
      ++refused;
      continue;
    }
    ++planned;
    std::vector<chain_step> new_steps(static_cast<std::size_t>(plan->operators));
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(plan->numbers));
    std::vector<std::int8_t> codes(static_cast<std::size_t>(plan->codes));
    const dytq::plan_outputs outputs{.steps = new_steps, .numbers = numbers, .codes = codes};
    const auto edited = dytq::apply(c, *plan, outputs, memory.get(), target, uses);
    REQUIRE(edited.has_value());
    REQUIRE(values_at(*edited, edited->steps.extent(0)) == wanted);
    REQUIRE(dytq::check(c, *plan, view<const chain_step>(new_steps), memory.get(), uses).has_value());
    REQUIRE(plan->cost <= plan->cost_before);
    shorter += plan->cost < plan->cost_before ? 1 : 0;
    for (int i = 0; i < plan->count; ++i) {
      ++forms_seen[static_cast<std::size_t>(plan->stretch(i).how)];
      beside += plan->stretch(i).beside ? 1 : 0;
    }
    // An observed int8 result is the end of a stretch, or the entrance.
    const auto maps = *dytq::chain_maps::make(c);
    if (uses.observed.contains(seen) && maps.is_int8(seen)) {
      bool kept = seen == 0;
      for (int i = 0; i < plan->count; ++i)
        kept = kept || plan->stretch(i).to == seen;
      REQUIRE(kept);
    }
    // All partitions, where there are few.
    dytq::detail::planned_chain subject(c, maps);
    REQUIRE(subject.fill(memory.get(), false).has_value());
    const int cuts = subject.codes().cuts();
    if (cuts > 7 || uses.branches)
      continue;
    const dytq::detail::stretch_forms forms(c.steps, subject.codes(), target, memory.numbers.data());
    std::pair<std::int64_t, std::int64_t> best{std::numeric_limits<std::int64_t>::max(), 0};
    const int inner = std::max(cuts - 2, 0);
    for (unsigned chosen = 0; chosen < 1u << inner; ++chosen) {
      std::pair<std::int64_t, std::int64_t> sum{0, 0};
      int from = 0;
      bool allowed = true;
      for (int b = 1; b < cuts; ++b) {
        const bool cut_here = b == cuts - 1 || (chosen >> (b - 1) & 1u) != 0;
        allowed = allowed && (cut_here || !uses.observed.contains(subject.codes().cut(b)));
        if (!cut_here)
          continue;
        const auto one = undivided(forms, from, b);
        sum = {sum.first + one.first, sum.second + one.second};
        from = b;
      }
      if (allowed)
        best = std::min(best, sum);
      ++partitions;
    }
    if (cuts > 1)
      REQUIRE((best == std::pair{plan->cost, plan->bytes}));
    // Of all that cost as much, the one that comes first.
    if (cuts > 1 && !uses.observed.contains(seen)) {
      std::vector<stretch_of_plan> taken;
      for (int i = 0; i < plan->count; ++i)
        taken.push_back({plan->stretch(i).from, plan->stretch(i).to, plan->stretch(i).how});
      REQUIRE(taken == in_order(forms, subject.codes(), 0, cuts - 1).stretches);
      ++ordered;
    }
  }
  CHECK(planned > chains / 2);
  CHECK(refused > 0);
  CHECK(shorter > planned / 3);
  CHECK(beside > 0);
  CHECK(partitions > planned);
  CHECK(ordered > planned / 5);
  for (const dytq::form f : {dytq::form::keep, dytq::form::drop, dytq::form::into_table, dytq::form::channel_rescale,
                             dytq::form::line, dytq::form::channel_tables, dytq::form::sliced_tables}) {
    INFO(dytq::name(f));
    CHECK(forms_seen[static_cast<std::size_t>(f)] > 0);
  }
}

TEST_CASE("random chains with readers: what the convolutions accumulate stays, padding included") {
  int planned = 0;
  int folded[2]{};
  int padded = 0;
  int several = 0;
  int kept_before = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(chains) / 2; ++seed) {
    random_chain made(seed + 1000000);
    const dytq::chain c = made.get();
    INFO("chain " << seed);
    const std::vector<std::int64_t> wanted = values_at(c, c.steps.extent(0));
    const auto maps = dytq::chain_maps::make(c);
    if (wanted.empty() || !maps)
      continue;
    ++planned;
    std::deque<random_reader> readers;
    std::vector<dytq::chain_reader> reading;
    for (int i = made.pick({1, 1, 1, 2}); i-- > 0;) {
      readers.emplace_back(made, c.channels, maps->zero_point(static_cast<int>(c.steps.extent(0))));
      reading.push_back({.conv = readers.back().conv(), .writable = !made.chance(10)});
    }
    dytq::chain_uses uses{.readers = reading, .branches = made.chance(50)};
    if (made.chance(25))
      uses.observed.insert(made.range(0, static_cast<int>(c.steps.extent(0))));
    const dytq::target target = made.chance(30) ? dytq::targets::cmsis_nn : dytq::targets::tosa;
    workspace_memory memory(*dytq::plan_workspace_sizes(c));
    const auto plan = dytq::plan(c, memory.get(), target, uses);
    REQUIRE(plan.has_value());
    dytq::chain_uses alone = uses;
    alone.readers = {};
    REQUIRE(plan->cost <= dytq::plan(c, memory.get(), target, alone)->cost);
    std::vector<chain_step> new_steps(static_cast<std::size_t>(plan->operators));
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(plan->numbers));
    std::vector<std::int8_t> codes(static_cast<std::size_t>(plan->codes));
    std::vector<dytq::fold_outputs> to;
    std::vector<dytq::affine_fold> folds(readers.size());
    for (random_reader& r : readers)
      to.push_back({.weight = r.shaped<std::int8_t>(r.new_weight), .bias = r.new_bias});
    const dytq::plan_outputs outputs{
        .steps = new_steps, .numbers = numbers, .codes = codes, .readers = to, .folds = folds};
    const auto edited = dytq::apply(c, *plan, outputs, memory.get(), target, uses);
    REQUIRE(edited.has_value());
    const std::vector<std::int64_t> now = values_at(*edited, edited->steps.extent(0));
    if (!plan->folds()) {
      REQUIRE(now == wanted);
      continue;
    }
    REQUIRE_FALSE(now.empty());
    std::vector<dytq::claimed_fold> claims;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      REQUIRE(reading[i].writable);
      REQUIRE(readers[i].same(wanted, now, folds[i].input_zp));
      claims.push_back({.weight = readers[i].shaped<const std::int8_t>(readers[i].new_weight),
                        .bias = readers[i].new_bias,
                        .input_zp = folds[i].input_zp});
      padded += readers[i].before + readers[i].after > 0 ? 1 : 0;
    }
    REQUIRE(dytq::check(c, *plan, view<const chain_step>(new_steps), memory.get(), uses, claims).has_value());
    // In place of what is read, the new constants are the same.
    std::deque<random_reader> in_place = readers;
    std::vector<dytq::chain_reader> read_in_place;
    std::vector<dytq::fold_outputs> to_in_place;
    for (random_reader& r : in_place) {
      read_in_place.push_back({.conv = r.conv()});
      to_in_place.push_back({.weight = r.shaped<std::int8_t>(r.weight), .bias = r.bias});
    }
    dytq::chain_uses uses_in_place = uses;
    uses_in_place.readers = read_in_place;
    dytq::plan_outputs replaced = outputs;
    replaced.readers = to_in_place;
    REQUIRE(dytq::apply(c, *plan, replaced, memory.get(), target, uses_in_place).has_value());
    for (std::size_t i = 0; i < readers.size(); ++i) {
      REQUIRE(in_place[i].weight == readers[i].new_weight);
      REQUIRE(in_place[i].bias == readers[i].new_bias);
    }
    // One weight that is another one, and the judge sees it.
    readers[0].new_weight[0] =
        static_cast<std::int8_t>(readers[0].new_weight[0] + (readers[0].new_weight[0] > 0 ? -1 : 1));
    REQUIRE(readers[0].same(wanted, now, folds[0].input_zp) ==
            dytq::check(c, *plan, view<const chain_step>(new_steps), memory.get(), uses, claims).has_value());
    for (int i = 0; i < plan->count; ++i) {
      folded[0] += plan->stretch(i).how == dytq::form::into_conv ? 1 : 0;
      folded[1] += plan->stretch(i).how == dytq::form::into_table_and_conv ? 1 : 0;
    }
    several += readers.size() > 1 ? 1 : 0;
    kept_before += edited->steps.extent(0) > 0 ? 1 : 0;
  }
  CAPTURE(planned, folded[0], folded[1], padded, several, kept_before);
  CHECK(folded[0] > planned / 50);
  CHECK(folded[1] > planned / 300);
  CHECK(padded > planned / 100);
  CHECK(several > planned / 300);
  CHECK(kept_before > planned / 50);
}
