// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The re-tabled fold, beta alone and several convolutions at once, against the oracle.
#include <dytq/fold.hpp>

#include "property.hpp"

namespace {

using namespace property;
using oracle::source;

oracle::site small_site(source& s, bool broken = true) {
  oracle::site_options options;
  options.large = s.chance(2);
  if (!broken)
    options.percent_broken = 0;
  return site_value(s, options);
}

layout layout_for(source& s, const oracle::site& t) {
  const bool groups_ok = t.conv.groups >= 1 && t.conv.out_channels % t.conv.groups == 0;
  return groups_ok ? any_layout(s, t.conv) : layout::ohwi;
}

// Room for the outputs of one fold.
struct room {
  std::vector<std::int8_t> weight;
  std::vector<std::int32_t> bias;
  std::vector<std::int16_t> lines;
  dytq::fold_outputs out;

  room(const oracle::site& t, const library_site& lib)
      : weight(lib.weight.size(), 55),
        bias(at(t.conv.out_channels), 4242),
        lines(4 * at(t.conv.in_channels_per_group * std::max<integer>(t.conv.groups, 0))) {
    out = {.weight = lib.view_of(t.conv, weight.data()),
           .bias = dytq::view<std::int32_t>(bias),
           .workspace = dytq::view<std::int16_t>(lines)};
  }
  bool untouched() const {
    return weight == std::vector<std::int8_t>(weight.size(), 55) &&
           bias == std::vector<std::int32_t>(bias.size(), 4242);
  }
};

}  // namespace

TEST_CASE("the re-tabled fold is the canonical one") {
  CHECK(rc::check("fold_affine_into_table_and_conv", [] {
    source s(*oracle::any_seed());
    const oracle::site t = small_site(s);
    RC_PRE(library_site::expressible(t));
    library_site lib(t, layout_for(s, t));
    room r(t, lib);
    const auto got = dytq::fold_affine_into_table_and_conv(lib.site, lib.conv, r.out);
    const auto wanted = oracle::retabled(t);
    RC_LOG() << oracle::to_json(t, "PLAN_AFFINE") << "\n" << text(got) << " against " << wanted.why << "\n";
    RC_CLASSIFY(got.has_value(), "re-tabled");
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (!got) {
      RC_ASSERT(r.untouched());
      return;
    }
    RC_ASSERT(widened(got->table) == wanted->table);
    RC_ASSERT(lib.get(t.conv, r.weight) == wanted->constants.weight);
    RC_ASSERT(widened(r.bias) == wanted->constants.bias);
    RC_ASSERT(integer{got->input_zp} == wanted->constants.input_zp);
  }));
}

TEST_CASE("beta alone into the convolution") {
  CHECK(rc::check("fold_beta_into_conv", [] {
    source s(*oracle::any_seed());
    const oracle::site t = small_site(s);
    RC_PRE(library_site::expressible(t));
    library_site lib(t, layout_for(s, t));
    room r(t, lib);
    const auto got = dytq::fold_beta_into_conv(lib.site, lib.conv, r.out);
    const auto wanted = oracle::fold_beta(t);
    RC_LOG() << oracle::to_json(t) << "\n" << text(got) << " against " << wanted.why << "\n";
    RC_CLASSIFY(got.has_value(), "folded");
    RC_ASSERT(got.has_value() == wanted.value.has_value());
    if (!got) {
      RC_ASSERT(
          (wanted.reasons.count(word(got.error())) == 1u || (!t.beta && got.error().why == dytq::reason::no_beta)));
      RC_ASSERT(r.untouched());
      return;
    }
    RC_ASSERT(lib.get(t.conv, r.weight) == wanted.value->weight);
    RC_ASSERT(widened(r.bias) == wanted.value->bias);
    RC_ASSERT(integer{got->input_zp} == wanted.value->input_zp);
  }));
}

TEST_CASE("several convolutions behind one site fold together or not at all") {
  CHECK(rc::check("fold_affine_into_convs", [] {
    source s(*oracle::any_seed());
    const oracle::site t = small_site(s, s.chance(20));
    // The same chain before other weights.
    oracle::site u = t;
    for (integer& w : u.conv.weight) {
      if (s.chance(30))
        w = u.conv.weight_zp[0];
    }
    if (s.chance(50))
      u.conv.bias = std::nullopt;
    RC_PRE(library_site::expressible(t));
    const library_site first(t, layout_for(s, t)), second(u, layout_for(s, u));
    room a(t, first), b(u, second);
    const dytq::convolution convs[] = {first.conv, second.conv};
    const dytq::fold_outputs outs[] = {a.out, b.out};
    std::vector<dytq::affine_fold> folds(2);
    const auto got =
        dytq::fold_affine_into_convs(first.site, dytq::view<const dytq::convolution>(convs),
                                     dytq::view<const dytq::fold_outputs>(outs), dytq::view<dytq::affine_fold>(folds));
    const auto x = oracle::fold(t), y = oracle::fold(u);
    RC_LOG() << oracle::to_json(t) << "\n" << text(got) << " against " << x.why << " and " << y.why << "\n";
    RC_ASSERT(got.has_value() == (x.value && y.value));
    if (!got) {
      RC_ASSERT(x.reasons.count(word(got.error())) + y.reasons.count(word(got.error())) >= 1u);
      RC_ASSERT(a.untouched());
      RC_ASSERT(b.untouched());
      return;
    }
    RC_ASSERT(first.get(t.conv, a.weight) == x.value->weight);
    RC_ASSERT(second.get(u.conv, b.weight) == y.value->weight);
    RC_ASSERT(widened(a.bias) == x.value->bias);
    RC_ASSERT(widened(b.bias) == y.value->bias);
    RC_ASSERT(integer{folds[0].input_zp} == x.value->input_zp);
    RC_ASSERT(integer{folds[1].input_zp} == y.value->input_zp);
  }));
}
