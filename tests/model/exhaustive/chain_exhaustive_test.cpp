// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claim: the six-step chain is right for every pair of a table code and a gamma code, and of a table code and a beta
// code.
#include <dytq/layer.hpp>
#include <dytq/site.hpp>

#include "property.hpp"

namespace {

using namespace property;

oracle::stage wild(oracle::source& s, bool to_i8) {
  oracle::stage r;
  r.multiplier = multiplier_value(s);
  r.shift = s.range(to_i8 ? 30 : 16, to_i8 ? 48 : 36);
  r.to_i8 = to_i8;
  r.double_round = s.chance(40);
  return r;
}

// A site of 256 channels: every gamma code once, the beta codes in another order; X is every code.
oracle::site all_pairs(oracle::source& s, int kind) {
  oracle::site t;
  t.conv.in_channels_per_group = 256;
  t.conv.weight = integers(256, 1);
  integers up, other;
  const integer stride = 2 * s.range(0, 127) + 1, start = s.range(0, 255);
  for (integer i = 0; i < 256; ++i) {
    t.table.push_back(i - 128);
    up.push_back(i - 128);
    other.push_back((i * stride + start) % 256 - 128);
  }
  const integer z1 = oracle::detail::small_zero_point(s), z2 = oracle::detail::small_zero_point(s);
  t.table_zp = oracle::detail::small_zero_point(s);
  if (kind != 1) {
    t.gamma = up;
    t.r_table = s.chance(50) ? oracle::detail::plain(0, 0, false) : wild(s, false);
    t.r_gamma = s.chance(50) ? oracle::detail::plain(0, 0, false) : wild(s, false);
    t.r_gamma_out = s.chance(50) ? oracle::detail::halving(s.range(0, 12), 0, 0, true) : wild(s, true);
    t.r_table.input_zp = t.table_zp;
    t.r_gamma.input_zp = s.range(-128, 127);
    t.r_gamma_out.output_zp = z1;
  }
  if (kind != 2) {
    t.beta = other;
    const integer lift = s.range(0, 21);
    t.r_add_in = oracle::detail::halving(-lift, 0, 0, false);
    t.r_beta = s.chance(50) ? oracle::detail::halving(-lift, 0, 0, false) : wild(s, false);
    t.r_add_out = s.chance(60) ? oracle::detail::halving(lift, 0, 0, true) : wild(s, true);
    t.r_add_in.input_zp = kind == 1 ? t.table_zp : z1;
    t.r_beta.input_zp = s.range(-128, 127);
    t.r_add_out.output_zp = z2;
  }
  return t;
}

}  // namespace

TEST_CASE("all table codes times all gamma codes, and times all beta codes, for a set of rescales") {
  long long pairs = 0, refused = 0;
  for (int set = 0; set < sets(150); ++set) {
    oracle::source s(static_cast<std::uint64_t>(1000 + set));
    const oracle::site t = all_pairs(s, set % 3);
    const library_site lib(t);
    const auto maps = dytq::site_maps::make(lib.site);
    INFO("set " << set << ": " << oracle::to_json(t).substr(0, 200));
    for (std::size_t c = 0; c < 256; ++c) {
      const auto k = maps ? maps->channel(static_cast<std::int64_t>(c))
                          : dytq::result<dytq::site_maps::channel_constants>(maps.error());
      bool legal = true;
      integers half, whole;
      for (integer code = -128; code < 128; ++code) {
        const auto a = oracle::gamma_step(t, c, code), y = oracle::full_step(t, c, code);
        legal = legal && a && y;
        half.push_back(a ? *a : 0);
        whole.push_back(y ? *y : 0);
      }
      if (maps)
        REQUIRE(k.has_value() == legal);
      if (!k || !legal) {
        if (k.error().code != dytq::unset && k.error().channel != dytq::unset && k.error().at != dytq::place::gamma &&
            k.error().at != dytq::place::beta) {
          // The counter-example is one.
          REQUIRE(!oracle::full_step(t, c, k.error().code));
        }
        refused += 256;
        continue;
      }
      integers got_half, got_whole;
      for (int i = 0; i < 256; ++i) {
        got_half.push_back(maps->gamma_map(*k, i));
        got_whole.push_back(maps->map(*k, i));
      }
      REQUIRE(got_half == half);
      REQUIRE(got_whole == whole);
      pairs += 256;
    }
  }
  WARN(pairs << " pairs agree, " << refused << " are unpredictable");
  CHECK(pairs > 5 * refused);
}
