// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several operations read: shapes, lists that fill them, rounding modes.
#ifndef DYTQ_EXAMPLES_REPLAY_READ_HPP
#define DYTQ_EXAMPLES_REPLAY_READ_HPP

#include <cstdint>
#include <dytq/rescale.hpp>
#include <vector>

#include "json_in.hpp"

namespace replay {

/// A shape of at least one dimension, each at least 1, with no more elements than 64 bits count.
std::vector<std::int64_t> read_shape(const value& shape);
/// The same, of exactly `rank` dimensions.
std::vector<std::int64_t> read_shape(const value& shape, std::size_t rank);

/// The list must have as many entries as a shape from `read_shape` has elements.
void expect_elements(const value& list, const std::vector<std::int64_t>& shape);

/// A RESCALE's type from its name and whether it is unsigned. Errors: unknown_type; unsigned_wide_type.
dytq::result<dytq::code_type> read_tensor_type(const value& type, const value& unsigned_flag, dytq::place at);

/// SINGLE_ROUND, DOUBLE_ROUND, INEXACT_ROUND; any other name gives a mode that the library refuses as unknown.
dytq::rounding_mode read_rounding_mode(const value& name);

}  // namespace replay

#endif
