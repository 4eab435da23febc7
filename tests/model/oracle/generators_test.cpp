// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Do the generators reach what they are for? Every outcome of a fold must be common, and the oracle must agree with
// itself.
#include <cstdlib>
#include <map>
#include <string>

#include "generators.hpp"
#include "oracle.hpp"
#include "support/catch.hpp"

namespace {

using namespace oracle;

std::string histogram(const std::map<std::string, int>& h) {
  std::string t;
  for (const auto& [k, n] : h)
    t += "\n  " + k + ": " + std::to_string(n);
  return t;
}

}  // namespace

TEST_CASE("random sites reach every outcome, and the oracle's folds survive its own checks", "[oracle][generators]") {
  std::map<std::string, int> why, also, kinds, parts, again;
  const char* const asked = std::getenv("DYTQ_SETS");
  const int total = asked == nullptr ? 1500 : std::atoi(asked);
  for (int seed = 0; seed < total; ++seed) {
    source s(static_cast<std::uint64_t>(seed));
    const site t = site_value(s);
    const fold_answer f = fold(t);
    why[f.value ? "folded" : f.why] += 1;
    for (const auto& r : f.reasons)
      also[r] += 1;
    const auto maps = maps_of(t);
    const bool big = t.conv.weight.size() > 1000;
    const auto r = retabled(t);
    again[r ? "retabled" : r.why] += 1;
    if (maps) {
      if (identity(t))
        parts["identity"] += 1;
      if (gamma_identity(t))
        parts["gamma_identity"] += 1;
      if (uniform_table(t))
        parts["uniform_table"] += 1;
      if (gamma_depthwise(t))
        parts["gamma_depthwise"] += 1;
      if (seed % 20 == 0)
        parts[gamma_rescale(t) ? "gamma_rescale (of 1 in 20)" : "no gamma_rescale (of 1 in 20)"] += 1;
    }
    const auto inputs = [&](const site& u) {
      const auto hw = input_extents(u.conv);
      integers v;
      for (integer k = 0; k < hw[0] * hw[1] * channel_count(u); ++k)
        v.push_back(s.range(0, 255));
      return v;
    };
    if (f.value) {
      INFO(to_json(t));
      kinds[t.conv.kind == "conv2d" && t.conv.groups > 1
                ? t.conv.in_channels_per_group == 1 ? "folded depthwise" : "folded grouped"
                : "folded " + t.conv.kind] += 1;
      if (f.value->input_zp != t.table_zp)
        kinds["folded with another input zero point"] += 1;
      if (maps->codes.size() == 1)
        kinds["folded |X| = 1"] += 1;
      if (!t.gamma)
        kinds["folded without gamma"] += 1;
      if (!t.beta)
        kinds["folded without beta"] += 1;
      if (!t.gamma && !t.beta)
        kinds["folded without both"] += 1;
      if (!t.conv.bias)
        kinds["folded, bias made"] += 1;
      if (t.conv.weight_max < 127)
        kinds["folded, int4 weights"] += 1;
      if (t.conv.weight_zp.size() > 1 || t.conv.weight_zp[0] != 0)
        kinds["folded, weight zero points"] += 1;
      bool rational_slope = false, padded = false;
      for (const integers& y : maps->full) {
        const auto line = fit_affine(maps->codes, y);
        if (!line)
          kinds["folded, a pruned channel that is not affine"] += 1;
        rational_slope = rational_slope || (line && !line->slope.whole());
      }
      for (const integer e : t.conv.pad)
        padded = padded || e != 0;
      if (rational_slope)
        kinds["folded, a rational slope"] += 1;
      if (padded)
        kinds["folded under padding"] += 1;
      const std::string wrong = check_fold(t, *f.value);
      CHECK(wrong == "");
      // A fold exists, so a re-tabled one exists (the plain one is a candidate).
      if (maps->codes.size() > 1)
        CHECK(static_cast<bool>(r));
      if (!big || seed % 10 == 0)
        CHECK(run_both(t, t.table, *f.value, inputs(t)) == "");
    }
    const fold_answer beta = fold_beta(t);
    if (beta.value) {
      INFO(to_json(t));
      parts["beta alone"] += 1;
      CHECK(check_fold_beta(t, *beta.value) == "");
    }
    if (r) {
      INFO(to_json(t));
      CHECK(check_retabled(t, *r) == "");
      if (!big || seed % 10 == 0)
        CHECK(run_both(t, r->table, r->constants, inputs(t)) == "");
    }
  }
  WARN("first reason, of " << total << histogram(why));
  WARN("every reason" << histogram(also));
  WARN("kinds" << histogram(kinds));
  WARN("other rewrites" << histogram(parts));
  WARN("retabled" << histogram(again));
  for (const char* r : {"folded", "unpredictable", "channel_count", "zero_point_mismatch", "error", "not_affine",
                        "weight_overflow", "padding", "bias_overflow", "accumulator_overflow"}) {
    INFO(r);
    CHECK(why[r] >= total / 300);
  }
}

TEST_CASE("fit_rescale by intervals equals fit_rescale by trial of every multiplier", "[oracle]") {
  std::map<std::string, int> seen;
  for (int seed = 0; seed < 400; ++seed) {
    source s(static_cast<std::uint64_t>(seed));
    fit_case f = fit_value(s);
    const integer top = 511;
    std::optional<multiplier_and_shift> by_interval;
    const auto by_trial = fit_rescale_by_trial(f.op, f.codes, f.values, top);
    if (by_trial || by_trial.why == "no_rescale") {
      bool inside = true;
      for (const integer v : f.values)
        inside = inside &&
                 (f.op.out_t != "i8" || fits(v, f.op.output_unsigned ? 0 : -128, f.op.output_unsigned ? 255 : 127));
      for (integer shift = 62; shift >= 2 && !by_interval && inside; --shift) {
        const auto interval = fit_interval(f.op, f.codes, f.values, shift, top);
        if (interval)
          by_interval = multiplier_and_shift{interval->first, shift};
      }
      CHECK(by_interval == by_trial.value);
    }
    seen[by_trial ? "fit" : by_trial.why] += 1;
    const auto full = fit_rescale(f.op, f.codes, f.values);
    seen[full ? "fit at full width" : full.why + " at full width"] += 1;
    if (full) {
      rescale_op op = f.op;
      op.multiplier = {full->multiplier};
      op.shift = {full->shift};
      CHECK(rescale(op, f.codes).value == f.values);
    }
  }
  WARN("fits" << histogram(seen));
}

TEST_CASE("depthwise is a grouped convolution", "[oracle]") {
  for (int seed = 0; seed < 200; ++seed) {
    source s(static_cast<std::uint64_t>(seed));
    const integer channels = s.range(1, 3), m = s.range(1, 3), kh = s.range(1, 3), kw = s.range(1, 3);
    conv_args d;
    d.input_shape = {1, kh + 2, kw + 1, channels};
    d.weight_shape = {kh, kw, channels, m};
    d.pad = {1, 0, 0, 1};
    d.stride = {1, 1};
    d.dilation = {1, 1};
    d.output_shape = {1, 4, 3, channels * m};
    d.input_zp = int8_value(s);
    d.bias = {int32_value(s) / 2};
    for (integer i = 0; i < (kh + 2) * (kw + 1) * channels; ++i)
      d.input.push_back(int8_value(s));
    for (integer i = 0; i < kh * kw * channels * m; ++i)
      d.weight.push_back(int8_value(s));
    conv_args g = d;
    g.groups = channels;
    g.weight_shape = {channels * m, kh, kw, 1};
    for (integer o = 0; o < channels * m; ++o) {
      for (integer t = 0; t < kh * kw; ++t) {
        g.weight[static_cast<std::size_t>(o * kh * kw + t)] = d.weight[static_cast<std::size_t>(t * channels * m + o)];
      }
    }
    const auto a = depthwise(d), b = convolve(g);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(*a == *b);
  }
}
