// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect mlir, as MLIR's own function computes it.
#include <dytq/scale.hpp>

#include "generators.hpp"
#include "support/catch.hpp"

// Declared here, since MLIR's headers need those of LLVM.
namespace mlir::tosa {
bool computeMultiplierAndShift(double scale, std::int32_t& multiplier, std::int32_t& shift, std::int32_t width);
}

TEST_CASE("computeMultiplierAndShift, with 32 and 16 bits") {
  oracle::source s(1);
  long long wrong = 0, taken = 0;
  for (int n = 0; n < 300000; ++n) {
    const double scale = oracle::scale_value(s);
    const dytq::detail::dyadic parts(scale);
    if (!parts.finite || parts.negative)
      continue;
    for (const int width : {32, 16}) {
      std::int32_t multiplier = 0, shift = 0;
      const bool done = mlir::tosa::computeMultiplierAndShift(scale, multiplier, shift, width);
      const auto got =
          dytq::quantize_scale(scale, static_cast<dytq::multiplier_width>(width), dytq::scale_dialect::mlir);
      wrong += got.has_value() == done && (!done || *got == dytq::multiplier_shift{multiplier, shift}) ? 0 : 1;
      taken += done ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(taken > 100000);
}
