// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewrites for a site whose fold into the convolution does not exist, against the oracle.
#include <dytq/layer.hpp>
#include <dytq/fold.hpp>

#include "property.hpp"

namespace {

using namespace property;
using oracle::source;

oracle::site any_chain(source& s) {
  oracle::site_options options;
  options.large = false;
  options.wrong_channels = s.chance(10);
  oracle::site t = site_value(s, options);
  return t;
}

}  // namespace

TEST_CASE("uniform_table") {
  CHECK(rc::check("uniform_table", [] {
    source s(*oracle::any_seed());
    const oracle::site t = any_chain(s);
    RC_PRE(library_site::expressible(t));
    library_site lib(t);
    const auto got = dytq::fold_affine_into_table(lib.site);
    const auto wanted = oracle::uniform_table(t);
    RC_PRE(t.gamma || t.beta);
    RC_LOG() << oracle::to_json(t) << "\n" << text(got) << " against " << wanted.why << "\n";
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (got)
      RC_ASSERT(widened(*got) == *wanted);
  }));
}

TEST_CASE("gamma as one per-channel RESCALE") {
  CHECK(rc::check("gamma_as_rescale", [] {
    source s(*oracle::any_seed());
    const oracle::site t = any_chain(s);
    RC_PRE(library_site::expressible(t));
    RC_PRE(s.chance(40));  // the oracle bisects every code at every shift
    library_site lib(t);
    const std::size_t n = t.gamma ? t.gamma->size() : 1;
    std::vector<std::int32_t> multiplier(n, -7), shift(n, -7);
    const auto got =
        dytq::gamma_as_rescale(lib.site, dytq::view<std::int32_t>(multiplier), dytq::view<std::int32_t>(shift));
    const auto wanted = oracle::gamma_rescale(t);
    RC_LOG() << oracle::to_json(t) << "\n" << text(got) << " against " << wanted.why << "\n";
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (got) {
      RC_ASSERT(widened(multiplier) == wanted->multiplier);
      RC_ASSERT(widened(shift) == wanted->shift);
      RC_ASSERT(integer{got->input_zp} == wanted->input_zp);
      RC_ASSERT(integer{got->output_zp} == wanted->output_zp);
      RC_ASSERT((got->rounding == dytq::rounding_mode::double_round) == wanted->double_round);
    } else {
      RC_ASSERT(multiplier == std::vector<std::int32_t>(n, -7));
      RC_ASSERT(shift == std::vector<std::int32_t>(n, -7));
    }
  }));
}

TEST_CASE("gamma as a depthwise convolution") {
  CHECK(rc::check("gamma_as_depthwise", [] {
    source s(*oracle::any_seed());
    const oracle::site t = any_chain(s);
    RC_PRE(library_site::expressible(t));
    library_site lib(t);
    std::vector<std::int8_t> weight(t.gamma ? t.gamma->size() : 1, 55);
    const auto before = weight;
    const auto got = dytq::gamma_as_depthwise(lib.site, dytq::view<std::int8_t>(weight));
    const auto wanted = oracle::gamma_depthwise(t);
    RC_LOG() << oracle::to_json(t) << "\n" << text(got) << " against " << wanted.why << "\n";
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (got) {
      RC_ASSERT(widened(weight) == wanted->weight);
      RC_ASSERT(integer{got->weight_zp} == wanted->weight_zp);
      RC_ASSERT(integer{got->input_zp} == wanted->input_zp);
    } else {
      RC_ASSERT(weight == before);
    }
  }));
}

TEST_CASE("per-channel tables, with and without alpha") {
  CHECK(rc::check("make_channel_tables", [] {
    source s(*oracle::any_seed());
    oracle::site t = any_chain(s);
    RC_PRE(library_site::expressible(t));
    RC_PRE(t.gamma || t.beta);
    const integer channels = channel_count(t);
    if (s.chance(60)) {
      const oracle::alpha_site a = alpha_value(s);
      t.r_activation = a.r_activation;
      t.r_alpha = a.r_alpha;
      t.r_mul_out = a.r_mul_out;
      integers alpha;
      for (integer c = 0; c < (s.chance(50) ? 1 : std::max<integer>(channels, 1)); ++c) {
        alpha.push_back(s.chance(50) ? a.alpha : int8_value(s));
      }
      if (s.chance(5))
        alpha.push_back(0), alpha.push_back(1);
      t.alpha = alpha;
    }
    library_site lib(t);
    std::vector<std::int8_t> alpha;
    dytq::layer_site layer{.affine = lib.site, .alpha = {}, .alpha_steps = {}};
    if (t.alpha) {
      alpha = narrowed<std::int8_t>(*t.alpha);
      layer.alpha = alpha;
      layer.alpha_steps = {
          .activation = step_of(t.r_activation), .alpha = step_of(t.r_alpha), .mul_out = step_of(t.r_mul_out)};
    }
    const std::size_t n = at(std::max<integer>(channels, 1));
    std::vector<std::int32_t> index(n, -7);
    std::vector<std::int8_t> tables(n * 256, 55);
    const auto got =
        dytq::make_channel_tables(layer, dytq::view<std::int32_t>(index),
                                  dytq::view<std::int8_t, 2>(tables.data(), {static_cast<std::int64_t>(n), 256}));
    const auto wanted = oracle::channel_tables(t);
    RC_LOG() << oracle::to_json(t, "CHANNEL_TABLES") << "\n" << text(got) << " against " << wanted.why << "\n";
    if (!wanted && wanted.why == "unpredictable" && t.alpha && got) {
      // The oracle refuses what no alpha lets a code reach only if it is reached.
      RC_FAIL("the library answered where a step is unpredictable");
    }
    if (wanted && !got && t.alpha) {
      // Asked of every code of the TABLE, the chain is unpredictable somewhere that alpha never leads to.
      RC_ASSERT(!oracle::maps_of(t));
      return;
    }
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (!got) {
      RC_ASSERT(index == std::vector<std::int32_t>(n, -7));
      return;
    }
    RC_ASSERT(*got == static_cast<std::int64_t>(wanted->tables.size()));
    RC_ASSERT(widened(index) == wanted->index);
    for (std::size_t k = 0; k < wanted->tables.size(); ++k) {
      RC_ASSERT(integers(tables.begin() + static_cast<std::ptrdiff_t>(k * 256),
                         tables.begin() + static_cast<std::ptrdiff_t>(k * 256 + 256)) == wanted->tables[k]);
    }
    RC_ASSERT(*dytq::count_channel_tables(layer) == *got);
  }));
}
