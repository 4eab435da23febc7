// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What views occupy: may they be read, may they be written, do they share memory? Asked of footprints, which have no
// element type, so that the questions are compiled once.
#ifndef DYTQ_OPERATORS_FOOTPRINT_HPP
#define DYTQ_OPERATORS_FOOTPRINT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../numbers/integer.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// A view without its element type, and the name of the argument that it is.
struct footprint {
  static constexpr std::size_t max_rank = 5;  ///< of a view

  const void* data = nullptr;                    ///< the first element of the view
  std::uintptr_t address = 0;                    ///< of `data`; 0 in a constant expression
  std::int64_t element_size = 1;                 ///< bytes
  std::size_t rank = 0;                          ///< how many of the extents and strides count
  std::array<std::int64_t, max_rank> extents{};  ///< in elements
  std::array<std::int64_t, max_rank> strides{};  ///< in elements
  place at = place::none;                        ///< the argument's name, for rejections

  /// Does it have no elements?
  constexpr bool empty() const {
    for (std::size_t r = 0; r < rank; ++r) {
      if (extents[r] <= 0) {
        return true;
      }
    }
    return false;
  }
  /// Does it name the same elements in the same order?
  constexpr bool same_as(const footprint& other) const {
    bool same = data == other.data && element_size == other.element_size && rank == other.rank;
    for (std::size_t r = 0; r < rank && same; ++r) {
      same = extents[r] == other.extents[r] && (strides[r] == other.strides[r] || extents[r] <= 1);
    }
    return same;
  }
};

/// May the elements be read? An empty view may, wherever it points.
///
/// Errors: negative_extent; null_view: elements but no data; extent_overflow: elements, or the memory between the
/// first and the last, beyond the address space; or, where addresses are known, memory that would run around its end.
constexpr verdict validate(const footprint& f) {
  const std::int64_t limit = PTRDIFF_MAX / f.element_size;
  for (std::size_t r = 0; r < f.rank; ++r) {
    if (f.extents[r] < 0) {
      return rejection{.why = reason::negative_extent, .at = f.at, .expected = 0, .got = f.extents[r]};
    }
  }
  if (f.empty()) {
    return accepted{};
  }
  if (f.data == nullptr) {
    return rejection{.why = reason::null_view, .at = f.at};
  }
  std::int64_t elements = 1;
  std::int64_t reach = 0;
  std::int64_t backwards = 0;  // the part of it below `data`
  for (std::size_t r = 0; r < f.rank; ++r) {
    const std::uint64_t stride = magnitude(f.strides[r]);
    if (elements > limit / f.extents[r] || (f.extents[r] > 1 && stride > static_cast<std::uint64_t>(limit)) ||
        (f.extents[r] > 1 && static_cast<std::int64_t>(stride) > (limit - reach) / (f.extents[r] - 1))) {
      return rejection{.why = reason::extent_overflow, .at = f.at, .expected = limit, .got = f.extents[r]};
    }
    elements *= f.extents[r];
    const std::int64_t length = f.extents[r] > 1 ? static_cast<std::int64_t>(stride) * (f.extents[r] - 1) : 0;
    reach += length;
    backwards += f.strides[r] < 0 ? length : 0;
  }
  const auto below = static_cast<std::uint64_t>(backwards * f.element_size);
  const auto above = static_cast<std::uint64_t>((reach - backwards) * f.element_size);
  if (f.address != 0 && (below > f.address || above > UINTPTR_MAX - f.address)) {
    return rejection{.why = reason::extent_overflow, .at = f.at, .expected = limit, .got = reach};
  }
  return accepted{};
}

/// May the elements be written? As `validate`, and no two of them share memory.
///
/// Errors: those of `validate`; aliased_output: with the axes sorted by stride, one does not step over all before it
/// (sufficient for distinct elements, and true of every dense, padded, sliced or permuted layout).
constexpr verdict validate_output(const footprint& f) {
  if (const verdict readable = validate(f); !readable) {
    return readable;
  }
  std::int64_t inner = 0;  // offset of the last element over the axes taken so far
  unsigned taken = 0;
  for (std::size_t n = 0; n < f.rank && !f.empty(); ++n) {
    std::size_t next = f.rank;
    for (std::size_t r = 0; r < f.rank; ++r) {
      if ((taken >> r & 1u) == 0 && (next == f.rank || magnitude(f.strides[r]) < magnitude(f.strides[next]))) {
        next = r;
      }
    }
    taken |= 1u << next;
    if (f.extents[next] <= 1) {
      continue;
    }
    const std::int64_t stride = static_cast<std::int64_t>(magnitude(f.strides[next]));
    if (stride <= inner) {
      return rejection{.why = reason::aliased_output, .at = f.at, .expected = inner + 1, .got = stride};
    }
    inner += stride * (f.extents[next] - 1);
  }
  return accepted{};
}

// Is sum over axes of d[r] * strides[r] == distance for some d[r] = i - j, i < a.extents[r], j < b.extents[r]? The
// strides are those of both. Each axis steps over all smaller ones, for the larger extent of both, so at most two
// values of d are left to try at each.
constexpr bool reachable_distance(const footprint& a, const footprint& b, std::int64_t distance, unsigned axes_left) {
  if (axes_left == 0) {
    return distance == 0;
  }
  std::size_t widest = a.rank;
  for (std::size_t r = 0; r < a.rank; ++r) {
    if ((axes_left >> r & 1u) != 0 && (widest == a.rank || magnitude(a.strides[r]) > magnitude(a.strides[widest]))) {
      widest = r;
    }
  }
  const unsigned rest = axes_left & ~(1u << widest);
  if (a.extents[widest] <= 1 && b.extents[widest] <= 1) {
    return reachable_distance(a, b, distance, rest);
  }
  const std::int64_t stride = static_cast<std::int64_t>(magnitude(a.strides[widest]));
  const std::int64_t below = floor_div(distance, stride);
  for (std::int64_t d = below; d <= below + 1; ++d) {
    const std::int64_t difference = a.strides[widest] < 0 ? -d : d;
    if (difference < a.extents[widest] && -difference < b.extents[widest] &&
        reachable_distance(a, b, distance - d * stride, rest)) {
      return true;
    }
  }
  return false;
}

// The address after the last byte, or of the first one.
constexpr std::uintptr_t end_address(const footprint& f, bool last) {
  std::int64_t offset = last ? 1 : 0;
  for (std::size_t r = 0; r < f.rank; ++r) {
    offset += (f.strides[r] > 0) == last ? f.strides[r] * (f.extents[r] - 1) : 0;
  }
  return f.address + static_cast<std::uintptr_t>(offset * f.element_size);
}

/// Do two views share memory? Exact for equal strides of an output (slices of one tensor), else judged by the address
/// ranges. A constant evaluation cannot compare unrelated pointers: there it is always false. It is
/// false for an invalid view, too: callers refuse that one by `validate`.
constexpr bool overlap(const footprint& a, const footprint& b) {
  // Views are read first: `const bool x = overlap(a, b)` is no constant evaluation unless they are constants.
  if (a.empty() || b.empty() || !validate(a) || !validate(b) || std::is_constant_evaluated()) {
    return false;
  }
  if (end_address(a, true) <= end_address(b, false) || end_address(b, true) <= end_address(a, false)) {
    return false;
  }
  const auto distance = static_cast<std::intptr_t>(b.address - a.address);
  if (a.element_size != b.element_size || a.rank != b.rank || distance % a.element_size != 0) {
    return true;
  }
  footprint both = a;
  for (std::size_t r = 0; r < a.rank; ++r) {
    both.extents[r] = a.extents[r] > b.extents[r] ? a.extents[r] : b.extents[r];
    if (a.strides[r] != b.strides[r]) {
      return true;
    }
  }
  return !validate_output(both) || reachable_distance(a, b, distance / a.element_size, (1u << a.rank) - 1);
}

/// May the output be written while the input is read element by element? The same view may, and a disjoint one.
/// Errors: overlapping_views.
constexpr verdict validate_in_place(const footprint& out, const footprint& in) {
  if (!out.same_as(in) && overlap(out, in)) {
    return rejection{.why = reason::overlapping_views, .at = out.at};
  }
  return accepted{};
}

/// The arguments of a function that writes `outs` and reads `ins`, element by element where an output is an input.
///
/// Errors: those of `validate` for each input, of `validate_output` for each output; overlapping_views: an output
/// overlaps an input without being the same view, or overlaps another output.
template <std::size_t Outs, std::size_t Ins>
constexpr verdict validate_arguments(const footprint (&outs)[Outs], const footprint (&ins)[Ins]) {
  const footprint* const out = outs;
  const footprint* const in = ins;
  for (std::size_t i = 0; i < Ins; ++i) {
    if (const verdict v = validate(in[i]); !v) {
      return v;
    }
  }
  for (std::size_t o = 0; o < Outs; ++o) {
    if (const verdict v = validate_output(out[o]); !v) {
      return v;
    }
    for (std::size_t i = 0; i < Ins; ++i) {
      if (const verdict v = validate_in_place(out[o], in[i]); !v) {
        return v;
      }
    }
    for (std::size_t other = 0; other < o; ++other) {
      if (overlap(out[o], out[other])) {
        return rejection{.why = reason::overlapping_views, .at = out[o].at};
      }
    }
  }
  return accepted{};
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
