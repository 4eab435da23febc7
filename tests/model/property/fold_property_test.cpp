// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fold of gamma and beta into a convolution, against the oracle's second statement of the theorem: the same
// constants, or a refusal for a reason that holds.
#include <dytq/check_fold.hpp>
#include <dytq/fold.hpp>

#include "property.hpp"

namespace {

using namespace property;
using oracle::source;

struct attempt {
  dytq::result<dytq::affine_fold> answer = dytq::reason::none;
  integers weight, bias;
  bool untouched = true;
};

// Into memory of its own, or over the original constants.
attempt fold_with(const oracle::site& t, library_site& lib, bool in_place) {
  const oracle::site_conv& c = t.conv;
  attempt a;
  std::vector<std::int8_t> own(lib.weight.size(), 55);
  std::vector<std::int32_t> bias(at(c.out_channels), 4242);
  std::vector<std::int8_t>& weight = in_place ? lib.weight : own;
  if (in_place && c.bias && lib.bias.size() == bias.size())
    bias = lib.bias;
  const bool bias_in_place = in_place && c.bias && lib.bias.size() == bias.size();
  std::vector<std::int32_t>& bias_out = bias_in_place ? lib.bias : bias;
  const auto weight_before = weight;
  const auto bias_before = bias_out;
  std::vector<std::int16_t> lines(4 * at(c.in_channels_per_group * std::max<integer>(c.groups, 0)));
  const dytq::fold_outputs out{.weight = lib.view_of(c, weight.data()),
                               .bias = dytq::view<std::int32_t>(bias_out),
                               .workspace = dytq::view<std::int16_t>(lines)};
  a.answer = dytq::fold_affine_into_conv(lib.site, lib.conv, out);
  a.untouched = weight == weight_before && bias_out == bias_before;
  a.weight = lib.get(c, weight);
  a.bias = widened(bias_out);
  return a;
}

}  // namespace

TEST_CASE("fold_affine_into_conv: the oracle's constants, or a reason that holds") {
  CHECK(rc::check("fold_affine_into_conv", [] {
    oracle::site_options options;
    source s(*oracle::any_seed());
    options.large = s.chance(10);
    const oracle::site t = site_value(s, options);
    RC_PRE(library_site::expressible(t));
    const oracle::fold_answer wanted = oracle::fold(t);
    const bool in_place = s.chance(30);
    const bool groups_ok = t.conv.groups >= 1 && t.conv.out_channels % t.conv.groups == 0;
    library_site lib(t, groups_ok ? any_layout(s, t.conv) : layout::ohwi);
    const attempt got = fold_with(t, lib, in_place);
    RC_LOG() << oracle::to_json(t) << "\n"
             << "the library: " << text(got.answer) << ", the oracle: " << (wanted.value ? "folded" : wanted.why)
             << "\n";
    RC_CLASSIFY(got.answer.has_value(), "folded");
    RC_ASSERT(got.answer.has_value() == wanted.value.has_value());
    if (!got.answer) {
      RC_ASSERT(wanted.reasons.count(word(got.answer.error())) == 1u);
      RC_ASSERT(got.untouched);
      return;
    }
    RC_ASSERT(integer{got.answer->input_zp} == wanted.value->input_zp);
    RC_ASSERT(got.weight == wanted.value->weight);
    RC_ASSERT(got.bias == wanted.value->bias);
    integer changed = 0;
    for (std::size_t k = 0; k < got.weight.size(); ++k)
      changed += got.weight[k] != t.conv.weight[k] ? 1 : 0;
    RC_ASSERT(got.answer->weights_changed == changed);
    const integers before =
        t.conv.bias ? (t.conv.bias->size() == 1 ? integers(got.bias.size(), (*t.conv.bias)[0]) : *t.conv.bias)
                    : integers(got.bias.size(), 0);
    RC_ASSERT(got.answer->bias_changed == (got.bias != before));
  }));
}

TEST_CASE("the codes that can occur at the TABLE's input bound X") {
  CHECK(rc::check("reachable", [] {
    source s(*oracle::any_seed());
    oracle::site_options options;
    options.large = false;
    options.percent_broken = 0;
    oracle::site t = site_value(s, options);
    library_site lib(t);
    lib.site.reachable = {};
    const integer first = s.range(-128, 127), last = s.range(first, 127);
    for (integer q = first; q <= last; ++q) {
      if (q == first || s.chance(60))
        lib.site.reachable.insert(static_cast<std::int8_t>(q));
    }
    // The same site with a table that never leaves the reachable entries.
    for (integer q = -128; q < 128; ++q) {
      if (!lib.site.reachable.contains(static_cast<std::int8_t>(q)))
        t.table[at(q + 128)] = t.table[at(first + 128)];
    }
    const oracle::fold_answer wanted = oracle::fold(t);
    const attempt got = fold_with(t, lib, false);
    RC_LOG() << oracle::to_json(t) << "\n" << text(got.answer) << " against " << wanted.why << "\n";
    RC_ASSERT(got.answer.has_value() == wanted.value.has_value());
    if (got.answer) {
      RC_ASSERT(integer{got.answer->input_zp} == wanted.value->input_zp);
      RC_ASSERT(got.weight == wanted.value->weight);
      RC_ASSERT(got.bias == wanted.value->bias);
    } else {
      RC_ASSERT(wanted.reasons.count(word(got.answer.error())) == 1u);
    }
  }));
}

TEST_CASE("check_fold accepts exactly the claims that the oracle accepts") {
  CHECK(rc::check("check_fold", [] {
    source s(*oracle::any_seed());
    oracle::site_options options;
    options.large = false;
    options.percent_broken = 2;
    const oracle::site t = site_value(s, options);
    RC_PRE(library_site::expressible(t));
    const oracle::fold_answer wanted = oracle::fold(t);
    oracle::folded claim;
    if (wanted.value) {
      claim = *wanted.value;
    } else {
      claim.weight = t.conv.weight;
      claim.input_zp = t.table_zp;
      claim.bias = integers(at(t.conv.out_channels), 0);
    }
    switch (s.below(5)) {  // two in five are left as they are
      case 0: claim.weight[at(s.below(static_cast<integer>(claim.weight.size())))] += s.pick<integer>({-1, 1}); break;
      case 1: claim.bias[at(s.below(static_cast<integer>(claim.bias.size())))] += s.pick<integer>({-1, 1}); break;
      case 2: claim.input_zp += s.pick<integer>({-1, 1}); break;
      default: break;
    }
    for (integer& w : claim.weight)
      w = std::min<integer>(127, std::max<integer>(-128, w));
    for (integer& b : claim.bias)
      b = std::min(oracle::i32_max, std::max(oracle::i32_min, b));
    const bool groups_ok = t.conv.groups >= 1 && t.conv.out_channels % t.conv.groups == 0;
    library_site lib(t, groups_ok ? any_layout(s, t.conv) : layout::ohwi);
    std::vector<std::int8_t> weight(lib.weight.size());
    lib.put(t.conv, claim.weight, weight);
    const auto bias = narrowed<std::int32_t>(claim.bias);
    const auto got = dytq::check_fold(lib.site, lib.conv,
                                      {.weight = lib.view_of<const std::int8_t>(t.conv, weight.data()),
                                       .bias = dytq::view<const std::int32_t>(bias),
                                       .input_zp = static_cast<std::int32_t>(claim.input_zp)});
    std::string judged = oracle::check_fold(t, claim);
    // The library asks nothing of taps that are never inside the input; the oracle wants them kept and in range.
    const bool only_untouched = judged == "an untouched weight has changed" || judged == "a weight outside its range";
    RC_PRE(!(only_untouched && got.has_value()));
    RC_LOG() << oracle::to_json(t) << "\n" << text(got) << " against '" << judged << "'\n";
    RC_ASSERT(got.has_value() == judged.empty());
  }));
}

TEST_CASE("is_identity, of the whole chain and of its gamma half") {
  CHECK(rc::check("is_identity", [] {
    source s(*oracle::any_seed());
    oracle::site_options options;
    options.large = false;
    const oracle::site t = site_value(s, options);
    RC_PRE(library_site::expressible(t));
    library_site lib(t);
    RC_PRE(t.gamma || t.beta);
    const auto whole = dytq::is_identity(lib.site), half = dytq::is_identity(lib.site, dytq::affine_half::gamma);
    const auto wanted = oracle::identity(t), wanted_half = oracle::gamma_identity(t);
    RC_LOG() << oracle::to_json(t) << "\n";
    RC_ASSERT(whole.has_value() == static_cast<bool>(wanted));
    RC_ASSERT(half.has_value() == static_cast<bool>(wanted_half));
    const auto maps = oracle::maps_of(t);
    if (!whole && whole.error().why == dytq::reason::not_identity) {
      const auto& r = whole.error();
      RC_ASSERT(r.expected == r.code);
      RC_ASSERT(r.got != r.code);
      RC_ASSERT(*oracle::full_step(t, at(r.channel), r.code) == r.got);
    }
    if (!whole && !maps && whole.error().why != dytq::reason::not_identity) {
      const auto& r = whole.error();
      RC_ASSERT(word(r) == maps.why);
    }
  }));
}

TEST_CASE("the accumulator bound holds to the unit") {
  // One channel, no chain, one position: |x - z'| is at most `distance`, and the sum of |n| is exactly the largest that
  // is allowed, or one more.
  int refused = 0, folded = 0;
  for (const integer distance : {255, 254, 253, 240}) {
    for (const integer more : {0, 1}) {
      for (const bool up : {false, true}) {
        oracle::site t;
        t.table_zp = up ? 127 : -128;
        t.table = integers(256, t.table_zp);
        t.table[7] = up ? 127 - distance : distance - 128;
        oracle::site_conv& c = t.conv;
        c.kernel = {200, 200};
        c.input_zp = t.table_zp;
        c.weight_zp = {127};
        integer left = oracle::i32_max / distance + more;
        for (integer k = 0; k < 200 * 200; ++k) {
          const integer n = std::min<integer>(left, 255);
          c.weight.push_back(127 - n);
          left -= n;
        }
        REQUIRE(left == 0);
        library_site lib(t);
        const attempt got = fold_with(t, lib, false);
        const oracle::fold_answer wanted = oracle::fold(t);
        INFO("distance " << distance << ", one more: " << more << ", " << text(got.answer));
        CHECK(got.answer.has_value() == wanted.value.has_value());
        CHECK(got.answer.has_value() == (more == 0));
        if (got.answer) {
          CHECK(got.weight == wanted.value->weight);
          folded += 1;
        } else {
          CHECK(got.answer.error().why == dytq::reason::accumulator_overflow);
          CHECK(wanted.why == "accumulator_overflow");
          refused += 1;
        }
      }
    }
  }
  CHECK(refused == 8);
  CHECK(folded == 8);
}
