// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claim: for every alpha code and every activation code, the folded TABLE has the entry that the chain leads to.
#include <dytq/fold.hpp>

#include "property.hpp"

TEST_CASE("all codes times all alphas, for a set of rescales") {
  using namespace property;
  int answered = 0, refused = 0, wrapped = 0;
  for (int set = 0; set < sets(200); ++set) {
    oracle::source s(static_cast<std::uint64_t>(set));
    oracle::alpha_site a = alpha_value(s);
    if (set % 8 == 0) {
      // products that leave 32 bits: MUL wraps
      a.r_activation.multiplier = a.r_alpha.multiplier = oracle::i32_max;
      a.r_activation.shift = a.r_alpha.shift = s.range(9, 16);
      a.r_mul_out.shift = s.range(33, 60);
    }
    const auto table = narrowed<std::int8_t>(a.table);
    for (integer alpha = -128; alpha < 128; ++alpha) {
      a.alpha = alpha;
      const dytq::alpha_site site{.alpha = static_cast<std::int32_t>(alpha),
                                  .steps = {.activation = step_of(a.r_activation),
                                            .alpha = step_of(a.r_alpha),
                                            .mul_out = step_of(a.r_mul_out)},
                                  .domain = {a.domain[0], a.domain[1]},
                                  .function_in = {a.function_min, a.function_max}};
      const auto got = dytq::fold_alpha_into_lut(site, dytq::view<const std::int8_t>(table));
      const auto wanted = oracle::fold_alpha(a);
      INFO("set " << set << ", alpha " << alpha);
      REQUIRE(got.has_value() == static_cast<bool>(wanted));
      if (got) {
        REQUIRE(widened(got->table) == *wanted);
        answered += 1;
        wrapped += got->wrapped ? 1 : 0;
      } else {
        refused += 1;
      }
    }
  }
  WARN(answered << " tables agree, " << wrapped << " of them with products that wrapped; " << refused
                << " refused by both");
  CHECK(answered > refused);
  CHECK(wrapped > 0);
  CHECK(refused > 0);
}
