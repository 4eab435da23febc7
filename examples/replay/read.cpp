// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read.hpp"

#include <dytq/codes.hpp>
#include <string>

namespace replay {

std::vector<std::int64_t> read_shape(const value& shape) {
  std::vector<std::int64_t> extents;
  std::int64_t elements = 1;
  shape.for_each([&](const value& v) {
    const std::int64_t extent = v.integer({1, dytq::int32_range.hi});
    if (elements > INT64_MAX / extent) {
      shape.fail("more elements than 64 bits count");
    }
    elements *= extent;
    extents.push_back(extent);
  });
  if (shape.size() == 0) {
    shape.fail("expected at least one dimension");
  }
  return extents;
}

std::vector<std::int64_t> read_shape(const value& shape, std::size_t rank) {
  if (shape.size() != rank) {
    shape.fail("expected " + std::to_string(rank) + " dimensions, got " + std::to_string(shape.size()));
  }
  return read_shape(shape);
}

void expect_elements(const value& list, const std::vector<std::int64_t>& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    elements *= extent;
  }
  if (elements != static_cast<std::int64_t>(list.size())) {
    list.fail("has " + std::to_string(list.size()) + " entries, its shape " + std::to_string(elements));
  }
}

dytq::result<dytq::code_type> read_tensor_type(const value& type, const value& unsigned_flag, dytq::place at) {
  const std::string_view name = type.string();
  const bool is_unsigned = unsigned_flag.boolean();
  const int bits = name == "i8" ? 8 : name == "i16" ? 16 : name == "i32" ? 32 : name == "i48" ? 48 : 0;
  const dytq::result<dytq::code_type> known = dytq::type_of(bits, is_unsigned);
  if (!known) {
    dytq::rejection why = known.error();
    why.at = at;
    return why;
  }
  return known;
}

dytq::rounding_mode read_rounding_mode(const value& name) {
  const std::string_view text = name.string();
  if (text == "SINGLE_ROUND") {
    return dytq::rounding_mode::single_round;
  }
  if (text == "DOUBLE_ROUND") {
    return dytq::rounding_mode::double_round;
  }
  return text == "INEXACT_ROUND" ? dytq::rounding_mode::inexact_round : static_cast<dytq::rounding_mode>(255);
}

}  // namespace replay
