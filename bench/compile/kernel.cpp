// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One RESCALE, as a reference kernel of a test wants it.
#include <dytq/rescale.hpp>

std::int32_t requantize(std::int32_t v) {
  constexpr dytq::rescale_kernel kernel(dytq::rescale{.multiplier = 1374389535, .shift = 38, .out = dytq::int8_range});
  return kernel(v);
}
