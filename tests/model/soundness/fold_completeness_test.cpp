// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a fold exist that the library does not find? Small sites, where every folded weight, input zero point, bias and
// table can be tried. The search knows one thing only: if one input element changes its code, both accumulators must
// change alike, whatever the others are; so the candidates for each weight can be listed one by one.
#include <dytq/fold.hpp>

#include "harness.hpp"
#include "sites.hpp"
#include "support/catch.hpp"

namespace soundness {
namespace {

enum class border { none, padded, transposed };

integer clamp8(integer v) { return std::min<integer>(127, std::max<integer>(-128, v)); }

// 2 to 5 codes, weights in [-3, 3], at most a dozen of them, and maps that are lines more often than not.
test_site small_site(source& s, border how, integer most_codes, bool same_direction) {
  test_site t;
  oracle::site& g = t.graph;
  oracle::site_conv& c = g.conv;
  g.table_zp = s.chance(50) ? 0 : s.chance(90) ? s.range(-15, 15) : oracle::int8_value(s);
  // X
  integers codes;
  const integer n = s.range(2, most_codes), pace = s.pick<integer>({1, 1, 2, 3});
  const integer first = clamp8(g.table_zp + s.range(-8, 8));
  for (integer k = 0; k < n; ++k)
    codes.push_back(clamp8(s.chance(70) ? first + k * pace : first + s.range(0, 12)));
  if (s.chance(3))
    codes.back() = oracle::int8_value(s);
  if (std::count(codes.begin(), codes.end(), codes[0]) == n)
    codes.back() = codes[0] == 127 ? 120 : codes[0] + 1;
  t.raw_table.resize(256);
  for (std::size_t q = 0; q < 256; ++q)
    t.raw_table[q] = codes[q % codes.size()];
  t.reachable.assign(256, true);

  c.groups = s.chance(15) ? 2 : 1;
  c.in_channels_per_group = c.groups == 2 ? 1 : s.range(1, 2);
  c.out_channels = c.groups * s.range(1, 2);
  c.weight_zp = {s.chance(80) ? 0 : s.range(-2, 2)};
  c.weight_min = s.pick<integer>({-8, -8, -7, -3, -128});
  c.weight_max = c.weight_min == -128 ? 127 : -c.weight_min - (c.weight_min == -8 ? 1 : 0);
  t.shape = {};
  c.weight = integers(at(c.out_channels * c.in_channels_per_group), 0);
  do {
    reshape(s, t, static_cast<int>(s.range(1, 2)), how == border::transposed, how == border::padded);
    if (how == border::padded && s.chance(60))
      t.shape.axes[2].before = 1, t.shape.axes[2].input += 1;  // keeps a stride of 1 dividing; others are drawn again
  } while (t.shape.taps() > 6 || !output_extents(t.shape) ||
           (how == border::padded && std::none_of(t.shape.axes.begin(), t.shape.axes.end(),
                                                  [](const axis& a) { return a.before != 0 || a.after != 0; })));
  c.weight.clear();
  const bool mirrored = s.chance(20);
  for (integer k = 0; k < c.out_channels * t.shape.taps() * c.in_channels_per_group; ++k) {
    const integer w = mirrored && k % 2 == 1 ? 2 * c.weight_zp[0] - c.weight.back() : c.weight_zp[0] + s.range(-3, 3);
    c.weight.push_back(std::min(c.weight_max, std::max(c.weight_min, w)));
  }
  if (s.chance(60)) {
    c.bias = integers{};
    for (integer o = 0; o < c.out_channels; ++o)
      c.bias->push_back(s.range(-500, 500));
  }

  const bool has_gamma = s.chance(80), has_beta = s.chance(70);
  plain_chain(s, t, has_gamma, has_beta);
  const integer one = has_gamma ? (*g.gamma)[0] : 1;
  const integer shared_offset = s.range(-4, 4);
  const int offsets = s.weighted({40, 25, 35});
  for (integer channel = 0; channel < t.channels(); ++channel) {
    if (has_gamma) {
      integer& e = (*g.gamma)[at(channel)];
      const int kind = s.weighted({same_direction ? 55 : 35, 25, 18, 22});
      e = kind == 0 ? one : kind == 1 ? one * s.pick<integer>({-1, 2, -2, 0}) : kind == 2 ? one / 2 : s.range(-20, 20);
      e = clamp8(e);
    }
    if (has_beta)
      (*g.beta)[at(channel)] = offsets == 0 ? 0 : offsets == 1 ? s.range(-4, 4) : shared_offset;
  }
  if (has_gamma && s.chance(25)) {  // a slope of 1 / pace on codes that are pace apart
    const auto scale = oracle::multiplier_shift(1.0 / static_cast<double>(pace * one), 32);
    g.r_gamma_out.multiplier = scale->multiplier;
    g.r_gamma_out.shift = scale->shift;
  }
  if (has_beta && s.chance(30)) {  // another zero point behind the ADD
    g.r_add_out.output_zp = clamp8(g.table_zp + s.range(-5, 5));
    c.input_zp = g.r_add_out.output_zp;
  }
  apply_reachable(t);
  describe_shape(t);
  return t;
}

struct found {
  oracle::folded constants;
  bool at_table_zp = false;
};

// Folded weights that change as w does when the code of its input element changes from any code to any other:
// n * (new code of x - new code of x') == w * (y(x) - y(x')).
integers weights_for(const test_site& t, integer o, integer w, const integers& y, const integers& new_codes) {
  integers all;
  for (integer stored = t.graph.conv.weight_min; stored <= t.graph.conv.weight_max; ++stored) {
    const integer n = stored - t.weight_zp(o);
    bool same = true;
    for (std::size_t a = 0; a < y.size() && same; ++a) {
      for (std::size_t b = 0; b < a && same; ++b)
        same = w * (y[a] - y[b]) == n * (new_codes[a] - new_codes[b]);
    }
    if (same)
      all.push_back(n);
  }
  return all;
}

// All zero points (of int8) with which some weights and biases fold the site onto codes `new_codes` of X, each with its
// constants. Every choice of candidate weights is tried.
std::vector<oracle::folded> search(const test_site& t, const facts& f, const integers& new_codes, integer z_lo,
                                   integer z_hi) {
  const oracle::site_conv& c = t.graph.conv;
  struct slot {
    integer o, tap, i;
    std::size_t channel;
    integers candidates;
  };
  std::vector<slot> slots;
  for (integer o = 0; o < c.out_channels; ++o) {
    for (const std::size_t tap : f.touched) {
      for (integer i = 0; i < c.in_channels_per_group; ++i) {
        const std::size_t channel = at(t.group(o) * c.in_channels_per_group + i);
        const integer w = t.centered(o, static_cast<integer>(tap), i);
        slots.push_back(
            {o, static_cast<integer>(tap), i, channel, weights_for(t, o, w, f.maps->full[channel], new_codes)});
        if (slots.back().candidates.empty())
          return {};
      }
    }
  }
  std::vector<oracle::folded> all;
  std::vector<std::size_t> choice(slots.size(), 0);
  for (;;) {
    for (integer z = z_lo; z <= z_hi; ++z) {
      oracle::folded one;
      one.input_zp = z;
      one.weight = c.weight;
      bool good = true;
      for (integer o = 0; o < c.out_channels && good; ++o) {
        std::optional<integer> bias;  // from the first class, the others must agree
        for (const auto& set : f.classes) {
          integer sum = t.bias(o);
          for (std::size_t k = 0; k < slots.size(); ++k) {
            const slot& j = slots[k];
            if (j.o == o && set.count(at(j.tap)) != 0)
              sum += t.centered(o, j.tap, j.i) * (f.maps->full[j.channel][0] - c.input_zp) -
                     j.candidates[choice[k]] * (new_codes[0] - z);
          }
          good = good && (!bias || *bias == sum);
          bias = sum;
        }
        one.bias.push_back(*bias);
      }
      if (good) {
        for (std::size_t k = 0; k < slots.size(); ++k)
          one.weight[t.weight_index(slots[k].o, slots[k].tap, slots[k].i)] =
              slots[k].candidates[choice[k]] + t.weight_zp(slots[k].o);
        all.push_back(one);
      }
    }
    std::size_t k = 0;
    while (k < slots.size() && ++choice[k] == slots[k].candidates.size())
      choice[k++] = 0;
    if (k == slots.size())
      return all;
  }
}

void compare_folds(border how, const char* name, std::uint64_t salt) {
  const integer sites = from_environment("DYTQ_SITES", 2500);
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  const integer only = from_environment("DYTQ_SITE", -1);
  histogram seen;
  for (integer k = 0; k < sites; ++k) {
    if (only >= 0 && k != only)
      continue;
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k) + (salt << 40));
    const test_site t = small_site(s, how, 5, false);
    const facts f = facts_of(t);
    INFO("DYTQ_SEED=" << seed << " DYTQ_SITE=" << k << "\n" << to_string(t));
    REQUIRE(static_cast<bool>(f.maps));
    REQUIRE(f.positions);
    const auto all = search(t, f, f.maps->codes, -128, 127);
    library_site l(t, layout{}, layout{});
    const auto r = dytq::fold_affine_into_conv(l.site, l.conv, l.out);
    seen.count(r ? "fold" : std::string("none: ") + dytq::name(r.error().why));
    if (r && r->input_zp != t.graph.table_zp)
      seen.count("fold with another input zero point");
    if (all.size() > 1)
      seen.count("input zero point free");
    CHECK(static_cast<bool>(r) == !all.empty());
    if (!r || all.empty())
      continue;
    const oracle::folded mine = l.folded(r->input_zp);
    CHECK(std::count(all.begin(), all.end(), mine) == 1);
    if (all.size() > 1)
      CHECK(r->input_zp == t.graph.table_zp);
  }
  WARN(name << ", " << sites << " sites" << seen.text());
  if (only < 0)
    CHECK(seen.of("fold") * 5 >= sites);
}

TEST_CASE("a fold into a convolution without padding is found exactly when one exists") {
  compare_folds(border::none, "without padding", 1);
}
TEST_CASE("a fold into a convolution with padding is found exactly when one exists") {
  compare_folds(border::padded, "with padding", 2);
}
TEST_CASE("a fold into a transposed convolution is found exactly when one exists") {
  compare_folds(border::transposed, "transposed", 3);
}

// ------------------------------------------------------------------------------------------------ with a new table
// Calls f(new codes of X) for all differences to the first in [-reach, reach].
template <class F>
void for_each_table(std::size_t codes, integer reach, F f) {
  integers d(codes, -reach);
  d[0] = 0;
  for (;;) {
    f(d);
    std::size_t k = 1;
    while (k < codes && ++d[k] > reach)
      d[k++] = -reach;
    if (k == codes)
      return;
  }
}

TEST_CASE("a fold with a new table is found exactly when one exists, and is the canonical one") {
  const integer sites = from_environment("DYTQ_SITES", 2500);
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  const integer only = from_environment("DYTQ_SITE", -1);
  histogram seen;
  for (integer k = 0; k < sites; ++k) {
    if (only >= 0 && k != only)
      continue;
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k) + (std::uint64_t{4} << 40));
    const test_site t =
        small_site(s, s.pick({border::none, border::padded, border::padded, border::transposed}), 3, true);
    const facts f = facts_of(t);
    INFO("DYTQ_SEED=" << seed << " DYTQ_SITE=" << k << "\n" << to_string(t));
    REQUIRE(static_cast<bool>(f.maps));
    REQUIRE(f.positions);
    // n * D = w * v with integers, n != 0 for some weight: D is no longer than the longest w * v.
    integer reach = 0;
    for (integer o = 0; o < t.graph.conv.out_channels; ++o) {
      for (const std::size_t tap : f.touched) {
        for (integer i = 0; i < t.graph.conv.in_channels_per_group; ++i) {
          const auto& y = f.maps->full[at(t.group(o) * t.graph.conv.in_channels_per_group + i)];
          for (const integer value : y)
            reach = std::max(reach, std::abs(t.centered(o, static_cast<integer>(tap), i) * (value - y[0])));
        }
      }
    }
    if (reach == 0 || reach > 60) {
      seen.count(reach == 0 ? "skipped: every channel that counts is constant" : "skipped: too many tables");
      continue;
    }
    struct candidate {
      integers d;
      integer offset;  // new code of x0 less the new zero point
      oracle::folded constants;
    };
    std::vector<candidate> all;
    for_each_table(f.maps->codes.size(), reach, [&](const integers& d) {
      const integer lo = *std::min_element(d.begin(), d.end()), hi = *std::max_element(d.begin(), d.end());
      if (hi - lo > 255)
        return;
      // Only the distance of codes and zero point counts: put x0 at 0 and let the zero point be -r.
      for (const oracle::folded& one : search(t, f, d, -(255 - hi), lo + 255))
        all.push_back({d, -one.input_zp, one});
    });
    library_site l(t, layout{}, layout{});
    const auto r = dytq::fold_affine_into_table_and_conv(l.site, l.conv, l.out);
    seen.count(r ? "fold" : std::string("none: ") + dytq::name(r.error().why));
    CHECK(static_cast<bool>(r) == !all.empty());
    const auto o = oracle::retabled(t.graph);
    CHECK(static_cast<bool>(o) == static_cast<bool>(r));
    if (!r || all.empty() || !o)
      continue;
    const oracle::folded mine = l.folded(r->input_zp);
    CHECK(o->constants == mine);
    CHECK(o->table == integers(r->table.begin(), r->table.end()));
    // The canonical choice by elimination: the longest D, of two the one that first rises; the nearest offset; the
    // nearest codes.
    const integers& codes = f.maps->codes;
    integers now;
    for (const integer x : codes)
      now.push_back(r->table[at(std::find(t.raw_table.begin(), t.raw_table.end(), x) - t.raw_table.begin())]);
    integers d;
    for (const integer e : now)
      d.push_back(e - now[0]);
    const auto length = [](const integers& v) {
      integer most = 0;
      for (const integer e : v)
        most = std::max(most, std::abs(e));
      return most;
    };
    const auto rises = [](const integers& v) {
      return *std::find_if(v.begin(), v.end(), [](integer e) { return e != 0; }) > 0;
    };
    const integer wish = codes[0] - t.graph.table_zp, offset = now[0] - r->input_zp;
    bool is_one = false, best = true;
    for (const candidate& one : all) {
      if (one.d == d && one.offset == offset)
        is_one = is_one || (one.constants.weight == mine.weight && one.constants.bias == mine.bias);
      best = best && length(one.d) <= length(d);
      best = best && (length(one.d) < length(d) || rises(d) || !rises(one.d));
      if (one.d == d)
        best = best && std::abs(one.offset - wish) >= std::abs(offset - wish);
    }
    CHECK(is_one);
    CHECK(best);
    for (integer first = -128; first <= 127; ++first) {
      bool fits = oracle::fits_i8(first - offset);
      for (const integer e : d)
        fits = fits && oracle::fits_i8(first + e);
      if (fits)
        CHECK(std::abs(first - codes[0]) >= std::abs(now[0] - codes[0]));
    }
  }
  WARN("with a new table, " << sites << " sites" << seen.text());
  if (only < 0)
    CHECK(seen.of("fold") * 5 >= sites);
}

}  // namespace
}  // namespace soundness
