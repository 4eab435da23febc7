// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The step of an average pool is TensorFlow Lite's mean for every sum of n codes, n = 1 ... 1024: int8 and uint8.
#include <dytq/engine.hpp>

#include "support/catch.hpp"

namespace {

// As its kernel writes it: to the nearest, halves away from zero.
std::int64_t mean(std::int64_t sum, std::int64_t n) { return sum > 0 ? (sum + n / 2) / n : (sum - n / 2) / n; }

}  // namespace

TEST_CASE("every sum of every number of codes") {
  std::int64_t asked = 0, wrong = 0;
  for (std::int64_t n = 1; n <= 1024; ++n) {
    for (const dytq::code_range codes : {dytq::int8_range, dytq::range_of(dytq::code_type::u8)}) {
      const dytq::rescale step = dytq::average_pool(n, codes).value();
      const dytq::rescale_kernel kernel(step);
      REQUIRE((validate(step) && kernel.legal(n * codes.lo) && kernel.legal(n * codes.hi)));
      for (std::int64_t sum = n * codes.lo; sum <= n * codes.hi; ++sum) {
        ++asked;
        wrong += kernel(sum) == mean(sum, n) ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(asked == 2 * (std::int64_t{1024} * 1025 / 2 * 255 + 1024));
}
