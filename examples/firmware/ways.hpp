// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways to compute the layer that the example compares, in place: codes [pixels, channels].
#ifndef DYTQ_FIRMWARE_WAYS_HPP
#define DYTQ_FIRMWARE_WAYS_HPP

#include <cstdint>

namespace firmware {

using way = void (*)(std::int8_t* codes);

/// Ten operators an element.
void run_operators(std::int8_t* codes);

/// Alpha is in the TABLE: a lookup and six operators.
void run_alpha_folded(std::int8_t* codes);

/// A lookup, and gamma and beta as a line for each channel: a depthwise convolution and its RESCALE.
void run_lines(std::int8_t* codes);

/// A lookup, by the library's loop for any number of pixels and channels.
void run_lookup(std::int8_t* codes);

/// A lookup, by a loop for this layer; on a core with vectors, eight at a time.
void run_own_lookup(std::int8_t* codes);

}  // namespace firmware

#endif
