// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claim: on small sites, a fold exists if and only if fold_affine_into_conv finds one. The search knows no theorem: it
// tries every folded weight, every input zero point and every choice of codes at every tap of every output position.
#include <dytq/fold.hpp>
#include <map>

#include "property.hpp"

namespace {

using namespace property;

struct geometry {
  const char* kind;
  integer width;               // kernel 1 x width
  integer input;               // input 1 x input
  std::array<integer, 4> pad;  // or out_pad
  integer stride;
  integer channels;
};

// Is there one bias for which the accumulators agree at all positions, whatever the codes? n and z are given.
bool same_accumulators(const oracle::site& t, const oracle::site_maps& maps,
                       const std::vector<std::vector<std::size_t>>& positions, const integers& n, integer z) {
  const integer channels = t.conv.in_channels_per_group;
  bool first = true;
  integer difference = 0;
  for (const auto& taps : positions) {
    std::vector<std::size_t> weights;  // of this position
    for (const std::size_t tap : taps) {
      for (integer i = 0; i < channels; ++i)
        weights.push_back(tap * at(channels) + at(i));
    }
    std::vector<std::size_t> choice(weights.size(), 0);
    for (;;) {
      integer before = 0, after = 0;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const std::size_t w = weights[k];
        before += t.conv.weight[w] * (maps.full[w % at(channels)][choice[k]] - t.conv.input_zp);
        after += n[w] * (maps.codes[choice[k]] - z);
      }
      if (first) {
        difference = before - after;
        first = false;
      }
      if (before - after != difference)
        return false;
      std::size_t k = 0;
      while (k < choice.size() && ++choice[k] == maps.codes.size())
        choice[k++] = 0;
      if (k == choice.size())
        break;
    }
  }
  return true;
}

// All (n, z) that fold the site: n within the weight range, weights on untouched taps left alone.
std::vector<std::pair<integers, integer>> search(const oracle::site& t, const oracle::site_maps& maps,
                                                 const std::vector<std::vector<std::size_t>>& positions) {
  std::set<std::size_t> touched;
  for (const auto& taps : positions) {
    for (const std::size_t tap : taps) {
      for (integer i = 0; i < t.conv.in_channels_per_group; ++i) {
        touched.insert(tap * at(t.conv.in_channels_per_group) + at(i));
      }
    }
  }
  const std::vector<std::size_t> free(touched.begin(), touched.end());
  std::vector<std::pair<integers, integer>> f;
  integers n = t.conv.weight;
  for (const std::size_t k : free)
    n[k] = t.conv.weight_min;
  for (;;) {
    for (integer z = -128; z < 128; ++z) {
      if (same_accumulators(t, maps, positions, n, z))
        f.emplace_back(n, z);
    }
    std::size_t k = 0;
    while (k < free.size() && ++n[free[k]] > t.conv.weight_max)
      n[free[k++]] = t.conv.weight_min;
    if (k == free.size())
      break;
  }
  return f;
}

}  // namespace

TEST_CASE("small sites: the library folds exactly those for which some fold exists") {
  const geometry geometries[] = {
      {"conv2d", 1, 1, {0, 0, 0, 0}, 1, 1},
      {"conv2d", 1, 2, {0, 0, 1, 0}, 1, 1},
      {"conv2d", 1, 1, {0, 0, 0, 0}, 1, 2},
      {"conv2d", 2, 2, {0, 0, 0, 0}, 1, 1},
      {"conv2d", 2, 1, {0, 0, 1, 0}, 1, 1},
      {"conv2d", 2, 2, {0, 0, 1, 0}, 1, 1},
      {"conv2d", 2, 1, {0, 0, 1, 1}, 1, 1},
      {"conv2d", 1, 2, {0, 0, 1, 0}, 1, 2},
      {"transpose_conv2d", 2, 2, {0, 0, 0, 0}, 2, 1},
      {"transpose_conv2d", 2, 2, {0, 0, 0, 0}, 1, 1},
      {"transpose_conv2d", 2, 1, {0, 0, -1, 1}, 1, 1},
      {"transpose_conv2d", 1, 2, {0, 0, 0, 0}, 2, 2},
  };
  const integers code_sets[] = {{0, 1}, {0, 2}, {-1, 0, 2}, {-2, 0, 2}, {-1, 0, 1}};
  std::map<std::string, int> outcomes;
  int sites = 0, moved = 0;
  for (const geometry& g : geometries) {
    for (const integers& codes : code_sets) {
      for (int which = 0; which < sets(40); ++which) {
        oracle::source s(static_cast<std::uint64_t>(which));
        oracle::site t;
        for (integer i = 0; i < 256; ++i)
          t.table.push_back(codes[at(i % static_cast<integer>(codes.size()))]);
        t.table_zp = s.range(-1, 1);
        const integer zg = s.range(-1, 1), zb = s.chance(50) ? zg : s.range(-1, 1);
        integers gamma, beta;
        for (integer c = 0; c < g.channels; ++c) {
          gamma.push_back(s.range(-4, 4));
          beta.push_back(s.range(-2, 2));
        }
        if (s.chance(80)) {
          t.gamma = gamma;
          t.r_table = oracle::detail::plain(t.table_zp, 0, false);
          t.r_gamma = oracle::detail::plain(0, 0, false);
          t.r_gamma_out = oracle::detail::halving(1, 0, zg, true);
        }
        if (s.chance(60)) {
          t.beta = beta;
          t.r_add_in = oracle::detail::plain(t.gamma ? zg : t.table_zp, 0, false);
          t.r_beta = oracle::detail::plain(0, 0, false);
          t.r_add_out = oracle::detail::plain(0, zb, true);
        }
        if (!t.gamma && !t.beta)
          continue;
        oracle::site_conv& c = t.conv;
        c.kind = g.kind;
        c.kernel = {1, g.width};
        c.in_channels_per_group = g.channels;
        c.weight_min = -3;
        c.weight_max = 3;
        for (integer k = 0; k < g.width * g.channels; ++k)
          c.weight.push_back(s.range(-3, 3));
        (c.kind == "conv2d" ? c.pad : c.out_pad) = g.pad;
        c.stride = {1, g.stride};
        c.input_hw = std::array<integer, 2>{1, g.input};
        c.bias = integers{s.range(-5, 5)};
        c.input_zp = t.beta ? zb : zg;
        const auto maps = oracle::maps_of(t);
        const auto positions = oracle::positions_of(c);
        REQUIRE(maps);
        REQUIRE(positions);
        const auto f = search(t, *maps, *positions);

        library_site lib(t);
        std::vector<std::int8_t> weight(lib.weight.size());
        std::vector<std::int32_t> bias(1);
        std::vector<std::int16_t> lines(4 * at(g.channels));
        const auto got = dytq::fold_affine_into_conv(lib.site, lib.conv,
                                                     {.weight = lib.view_of(c, weight.data()),
                                                      .bias = dytq::view<std::int32_t>(bias),
                                                      .workspace = dytq::view<std::int16_t>(lines)});
        sites += 1;
        outcomes[text(got)] += 1;
        INFO(oracle::to_json(t) << "\n" << text(got) << ", folds found: " << f.size());
        REQUIRE(got.has_value() == !f.empty());
        if (got) {
          const std::pair<integers, integer> answer{lib.get(c, weight), got->input_zp};
          REQUIRE(std::count(f.begin(), f.end(), answer) == 1);
          // The table's own zero point wherever it does.
          bool own = false;
          for (const auto& a : f)
            own = own || a.second == t.table_zp;
          REQUIRE((got->input_zp == t.table_zp) == own);
          moved += own ? 0 : 1;
        }
      }
    }
  }
  for (const auto& [k, n] : outcomes)
    WARN(k << ": " << n);
  WARN(sites << " sites, " << moved << " with a moved zero point");
  CHECK(moved > 0);
}
