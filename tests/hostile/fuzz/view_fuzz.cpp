// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of any extents and strides over a small buffer: what is accepted as an output has no two elements in one place,
// what does not overlap shares no byte, and an operator whose output is its input, or lies beside it, gives what it
// gives out of place. Views that leave the buffer are asked about, never followed.
#include <array>
#include <cstdint>

#include <dytq/rescale.hpp>
#include <dytq/view.hpp>

#include "fuzz.hpp"

namespace {

using dytq::view;
using fuzz::require;

constexpr std::int64_t size = 64;
using buffer = std::array<std::int8_t, size>;
using view3 = view<std::int8_t, 3>;

/// Small numbers by far the most, and now and then any.
std::int64_t number(fuzz::bytes& in) {
  const std::int64_t v = in.range(0, 255);
  return v == 255   ? in.i64()
         : v == 254 ? (std::int64_t{1} << in.range(0, 62))
         : v == 253 ? -(std::int64_t{1} << in.range(0, 62))
                    : v % 16 - 5;
}

view3 view_over(buffer& memory, fuzz::bytes& in) {
  view3 v;
  v.data = in.range(0, 15) == 0 ? nullptr : memory.data() + in.range(0, size - 1);
  for (std::size_t r = 0; r < 3; ++r) {
    v.extents[r] = number(in);
    v.strides[r] = number(in);
  }
  return v;
}

/// How often each byte is an element of the view; none if it leaves the buffer, or has more elements than that.
bool elements(const buffer& memory, const view3& v, std::array<int, size>& count) {
  count.fill(0);
  for (const std::int64_t e : v.extents) {
    if (e < 0 || e > size) {
      return false;
    }
  }
  if (v.empty()) {
    return true;
  }
  if (v.data == nullptr) {
    return false;
  }
  for (std::size_t r = 0; r < 3; ++r) {
    if (v.extents[r] > 1 && (v.strides[r] > size || v.strides[r] < -size)) {
      return false;
    }
  }
  std::int64_t taken = 0;
  for (std::int64_t i = 0; i < v.extents[0]; ++i) {
    for (std::int64_t j = 0; j < v.extents[1]; ++j) {
      for (std::int64_t k = 0; k < v.extents[2]; ++k) {
        // a stride of one element is multiplied with 0, whatever it is
        const std::int64_t at = v.data - memory.data() + (i == 0 ? 0 : i * v.strides[0]) +
                                (j == 0 ? 0 : j * v.strides[1]) + (k == 0 ? 0 : k * v.strides[2]);
        if (at < 0 || at >= size || ++taken > size * size) {
          return false;
        }
        ++count[static_cast<std::size_t>(at)];
      }
    }
  }
  return true;
}

/// Sliced and permuted, it still is what it was.
void look_at(const buffer& memory, const view3& v, fuzz::bytes& in) {
  std::array<int, size> whole{}, part{};
  const bool inside = elements(memory, v, whole);
  require(!inside || dytq::validate(v), "what lies in memory may be read");
  const auto sliced = dytq::slice(v, static_cast<std::size_t>(in.range(0, 3)), number(in), number(in));
  if (sliced && inside) {
    require(elements(memory, *sliced, part), "a slice lies in its view");
    for (std::size_t i = 0; i < size; ++i) {
      require(part[i] <= whole[i], "a slice has elements of its view only");
    }
  }
  const view3 turned = dytq::permute(v, {2, 0, 1});
  require(dytq::validate(turned).has_value() == dytq::validate(v).has_value(), "permuted, it is as valid");
  require(dytq::validate_output(turned).has_value() == dytq::validate_output(v).has_value(),
          "permuted, it is as writable");
  if (inside && dytq::validate_output(v)) {
    for (const int n : whole) {
      require(n <= 1, "no two elements of an output share memory");
    }
  }
}

/// Out of place: what each element becomes, or whether one is refused.
std::int8_t mapped(std::int8_t code) {
  const auto r = dytq::apply({.input_zp = -3, .output_zp = 5}, code, 1717986918, 31);
  return r ? static_cast<std::int8_t>(*r) : std::int8_t{0};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length) {
  fuzz::bytes in(data, length);
  buffer memory{};
  for (std::size_t i = 0; i < size; ++i) {
    memory[i] = static_cast<std::int8_t>(i * 37 % 256);
  }
  const view3 a = view_over(memory, in);
  view3 b = view_over(memory, in);
  const std::int64_t like = in.range(0, 3);
  if (like >= 1) {  // views of one shape, or of one layout, are what operators meet
    b.extents = a.extents;
  }
  if (like >= 2) {
    b.strides = a.strides;
  }
  look_at(memory, a, in);
  look_at(memory, b, in);
  std::array<int, size> in_a{}, in_b{};
  const bool both = elements(memory, a, in_a) && elements(memory, b, in_b);
  require(dytq::overlap(a, b) == dytq::overlap(b, a) || !both || like < 2, "overlap is mutual");
  bool shared = false;
  for (std::size_t i = 0; i < size && both; ++i) {
    shared = shared || (in_a[i] != 0 && in_b[i] != 0);
  }
  require(!both || !shared || dytq::overlap(a, b), "what shares memory overlaps");
  if (both && like >= 2 && dytq::validate_output(a)) {
    require(shared || !dytq::overlap(a, b), "of one layout, what overlaps shares memory");
  }

  const std::int32_t multiplier[] = {1717986918}, shift[] = {31};
  const buffer before = memory;
  if (!both) {
    return 0;  // what is accepted would be followed
  }
  const auto done = dytq::apply({.input_zp = -3, .output_zp = 5}, view<const std::int8_t, 3>(a), multiplier, shift, b);
  if (!done) {
    require(memory == before, "a refusal writes nothing");
    return 0;
  }
  buffer wanted = before;
  for (std::int64_t i = 0; i < a.extents[0]; ++i) {
    for (std::int64_t j = 0; j < a.extents[1]; ++j) {
      for (std::int64_t k = 0; k < a.extents[2]; ++k) {
        const auto at = [&](const view3& v) {
          return static_cast<std::size_t>(v.data - memory.data() + (i == 0 ? 0 : i * v.strides[0]) +
                                          (j == 0 ? 0 : j * v.strides[1]) + (k == 0 ? 0 : k * v.strides[2]));
        };
        wanted[at(b)] = mapped(before[at(a)]);
      }
    }
  }
  require(memory == wanted, "in place is as out of place");
  return 0;
}
