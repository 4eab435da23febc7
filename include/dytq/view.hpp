// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of tensors: pointer, extents, strides. A layout (OIHW, OHWI, HWIM, a slice) is only other strides.
#ifndef DYTQ_VIEW_HPP
#define DYTQ_VIEW_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "integer.hpp"
#include "result.hpp"

namespace dytq::inline v0 {

namespace detail {

template <class From, class To>
concept array_convertible = std::is_convertible_v<From (*)[], To (*)[]>;

// std::span, std::vector, std::array, a framework's own: anything with data() and size().
template <class C, class T>
concept contiguous_of = requires(C& c) {
  { c.size() } -> std::convertible_to<std::size_t>;
  c.data();
  requires std::is_pointer_v<decltype(c.data())>;
  requires array_convertible<std::remove_pointer_t<decltype(c.data())>, T>;
};

// std::mdspan and its look-alikes.
template <class M, class T, std::size_t Rank>
concept mdspan_of = requires(const M& m) {
  { m.extent(std::size_t{}) } -> std::convertible_to<std::int64_t>;
  { m.stride(std::size_t{}) } -> std::convertible_to<std::int64_t>;
  requires static_cast<std::size_t>(M::rank()) == Rank;
  requires std::is_pointer_v<std::remove_cvref_t<decltype(m.data_handle())>>;
  requires array_convertible<std::remove_pointer_t<std::remove_cvref_t<decltype(m.data_handle())>>, T>;
};

// The members of a view are made whole: g++ 12 takes no change of a const object's member by its constructor.
template <std::size_t Rank>
constexpr std::array<std::int64_t, Rank> row_major(const std::array<std::int64_t, Rank>& shape) {
  std::array<std::int64_t, Rank> strides{};
  std::int64_t step = 1;
  for (std::size_t r = Rank; r-- > 0;) {
    strides[r] = step;
    step = shape[r] <= 0 || mul_overflows_nonnegative(step, shape[r]) ? 0 : step * shape[r];
  }
  return strides;
}

template <std::size_t Rank, class F>
constexpr std::array<std::int64_t, Rank> of_each_axis(F f) {
  std::array<std::int64_t, Rank> all{};
  for (std::size_t r = 0; r < Rank; ++r) {
    all[r] = static_cast<std::int64_t>(f(r));
  }
  return all;
}

}  // namespace detail

/// A strided view of a tensor; it owns nothing. Strides count elements and may be 0 or negative.
/// A default view has no elements and stands for "absent" where an argument is optional.
template <class T, std::size_t Rank = 1>
requires(Rank >= 1 && Rank <= 5) struct view {
  using element_type = T;
  using index_array = std::array<std::int64_t, Rank>;

  T* data = nullptr;
  index_array extents{};
  index_array strides{};

  constexpr view() = default;
  constexpr view(T* pointer, const index_array& shape, const index_array& steps)
      : data(pointer), extents(shape), strides(steps) {}
  /// Row-major: the last index is contiguous. Overflowing extents give strides of 0; `validate` refuses them.
  constexpr view(T* pointer, const index_array& shape)
      : data(pointer), extents(shape), strides(detail::row_major(shape)) {}
  template <std::size_t N>
  requires(Rank == 1) constexpr view(T (&array)[N]) : data(array), extents{static_cast<std::int64_t>(N)}, strides{1} {}
  template <class C>
  requires(Rank == 1 && detail::contiguous_of<C, T>) constexpr view(C&& c)
      : data(c.data()), extents{static_cast<std::int64_t>(c.size())}, strides{1} {}
  template <class M>
  requires detail::mdspan_of<M, T, Rank>
  constexpr view(const M& m)
      : data(m.data_handle()),
        extents(detail::of_each_axis<Rank>([&](std::size_t r) { return m.extent(r); })),
        strides(detail::of_each_axis<Rank>([&](std::size_t r) { return m.stride(r); })) {}
  /// A view of const elements from one of mutable elements.
  template <class U>
  requires(!std::same_as<U, T> && detail::array_convertible<U, T>) constexpr view(const view<U, Rank>& other)
      : data(other.data), extents(other.extents), strides(other.strides) {}

  constexpr std::int64_t extent(std::size_t r) const { return extents[r]; }
  constexpr bool absent() const { return data == nullptr && extents == index_array{}; }
  constexpr bool empty() const {
    for (const std::int64_t e : extents) {
      if (e <= 0) {
        return true;
      }
    }
    return false;
  }
  /// Number of elements of a valid view.
  constexpr std::int64_t size() const {
    std::int64_t n = empty() ? 0 : 1;
    for (std::size_t r = 0; r < Rank && n != 0; ++r) {
      n *= extents[r];
    }
    return n;
  }
  /// Element offset from `data`, unchecked.
  constexpr std::ptrdiff_t offset(const index_array& index) const {
    std::int64_t at = 0;
    for (std::size_t r = 0; r < Rank; ++r) {
      at += index[r] * strides[r];
    }
    return static_cast<std::ptrdiff_t>(at);
  }
  /// Element access; an index out of range traps (in a constant expression: does not compile).
  template <std::convertible_to<std::int64_t>... I>
  requires(sizeof...(I) == Rank) constexpr T& operator()(I... i) const {
    const index_array index{static_cast<std::int64_t>(i)...};
    for (std::size_t r = 0; r < Rank; ++r) {
      if (index[r] < 0 || index[r] >= extents[r]) {
        detail::rejected<reason::code_out_of_range>();
      }
    }
    return data[offset(index)];
  }

  friend constexpr bool operator==(const view&, const view&) = default;
};

/// The same elements with axis r of the result being axis order[r] of v; no element moves. An order that does not name
/// each axis once would reach beyond the elements: it traps, as an element out of range does.
template <class T, std::size_t Rank>
constexpr view<T, Rank> permute(const view<T, Rank>& v, const std::array<std::size_t, Rank>& order) {
  view<T, Rank> out = v;
  unsigned named = 0;
  for (std::size_t r = 0; r < Rank; ++r) {
    if (order[r] >= Rank || (named >> order[r] & 1u) != 0) {
      detail::rejected<reason::shape_mismatch>();
    }
    named |= 1u << order[r];
    out.extents[r] = v.extents[order[r]];
    out.strides[r] = v.strides[order[r]];
  }
  return out;
}

namespace detail {

// Lowest and highest element offset of a valid view that is not empty.
struct offset_bounds {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
};

template <class T, std::size_t Rank>
constexpr offset_bounds bounds_of(const view<T, Rank>& v) {
  offset_bounds b;
  for (std::size_t r = 0; r < Rank; ++r) {
    (v.strides[r] < 0 ? b.lo : b.hi) += v.strides[r] * (v.extents[r] - 1);
  }
  return b;
}

}  // namespace detail

/// May the elements of v be read? An empty view may, wherever it points.
///
/// Errors: negative_extent; null_view: elements but no data; extent_overflow: elements, or the memory between the
/// first and the last, beyond the address space.
template <class T, std::size_t Rank>
constexpr verdict validate(const view<T, Rank>& v, step at = step::none) {
  constexpr std::int64_t limit = PTRDIFF_MAX / static_cast<std::int64_t>(sizeof(T));
  std::int64_t elements = 1;
  std::int64_t reach = 0;
  for (std::size_t r = 0; r < Rank; ++r) {
    if (v.extents[r] < 0) {
      return rejection{.why = reason::negative_extent, .at = at, .expected = 0, .got = v.extents[r]};
    }
  }
  if (v.empty()) {
    return accepted{};
  }
  if (v.data == nullptr) {
    return rejection{.why = reason::null_view, .at = at};
  }
  for (std::size_t r = 0; r < Rank; ++r) {
    const std::uint64_t stride = magnitude(v.strides[r]);
    if (elements > limit / v.extents[r] || (v.extents[r] > 1 && stride > static_cast<std::uint64_t>(limit)) ||
        (v.extents[r] > 1 && static_cast<std::int64_t>(stride) > (limit - reach) / (v.extents[r] - 1))) {
      return rejection{.why = reason::extent_overflow, .at = at, .expected = limit, .got = v.extents[r]};
    }
    elements *= v.extents[r];
    reach += v.extents[r] > 1 ? static_cast<std::int64_t>(stride) * (v.extents[r] - 1) : 0;
  }
  return accepted{};
}

/// The elements [begin, begin + count) of one axis. Errors: shape_mismatch: they are not all there; those of `validate`.
template <class T, std::size_t Rank>
constexpr result<view<T, Rank>> slice(const view<T, Rank>& v, std::size_t axis, std::int64_t begin,
                                      std::int64_t count) {
  if (axis >= Rank || begin < 0 || count < 0 || begin > v.extents[axis] || count > v.extents[axis] - begin) {
    return rejection{.why = reason::shape_mismatch,
                     .expected = axis < Rank ? v.extents[axis] : static_cast<std::int64_t>(Rank),
                     .got = begin};
  }
  if (const verdict readable = validate(v); !readable) {
    return readable.error();
  }
  view<T, Rank> out = v;
  out.extents[axis] = count;
  if (!v.empty() && count > 0) {
    out.data = v.data + static_cast<std::ptrdiff_t>(begin * v.strides[axis]);
  }
  return out;
}

/// May the elements of v be written? As `validate`, and no two elements share memory.
///
/// Errors: those of `validate`; aliased_output: with the axes sorted by stride, one does not step over all before it
/// (sufficient for distinct elements, and true of every dense, padded, sliced or permuted layout).
template <class T, std::size_t Rank>
constexpr verdict validate_output(const view<T, Rank>& v, step at = step::output) {
  if (const verdict readable = validate(v, at); !readable) {
    return readable;
  }
  std::int64_t inner = 0;  // offset of the last element over the axes taken so far
  std::array<bool, Rank> taken{};
  for (std::size_t n = 0; n < Rank && !v.empty(); ++n) {
    std::size_t next = Rank;
    for (std::size_t r = 0; r < Rank; ++r) {
      if (!taken[r] && (next == Rank || magnitude(v.strides[r]) < magnitude(v.strides[next]))) {
        next = r;
      }
    }
    taken[next] = true;
    if (v.extents[next] <= 1) {
      continue;
    }
    const std::int64_t stride = static_cast<std::int64_t>(magnitude(v.strides[next]));
    if (stride <= inner) {
      return rejection{.why = reason::aliased_output, .at = at, .expected = inner + 1, .got = stride};
    }
    inner += stride * (v.extents[next] - 1);
  }
  return accepted{};
}

namespace detail {

// Is sum over axes of d[r] * strides[r] == distance for some d[r] = i - j, i < a[r], j < b[r]? Each axis steps over all
// smaller ones, for the larger extent of both, so at most two values of d are left to try at each.
template <std::size_t Rank>
constexpr bool reachable_distance(const std::array<std::int64_t, Rank>& a, const std::array<std::int64_t, Rank>& b,
                                  const std::array<std::int64_t, Rank>& strides, std::int64_t distance,
                                  unsigned axes_left) {
  if (axes_left == 0) {
    return distance == 0;
  }
  std::size_t widest = Rank;
  for (std::size_t r = 0; r < Rank; ++r) {
    if ((axes_left >> r & 1u) != 0 && (widest == Rank || magnitude(strides[r]) > magnitude(strides[widest]))) {
      widest = r;
    }
  }
  const unsigned rest = axes_left & ~(1u << widest);
  if (a[widest] <= 1 && b[widest] <= 1) {
    return reachable_distance(a, b, strides, distance, rest);
  }
  const std::int64_t stride = static_cast<std::int64_t>(magnitude(strides[widest]));
  const std::int64_t below = floor_div(distance, stride);
  for (std::int64_t d = below; d <= below + 1; ++d) {
    const std::int64_t difference = strides[widest] < 0 ? -d : d;
    if (difference < a[widest] && -difference < b[widest] &&
        reachable_distance(a, b, strides, distance - d * stride, rest)) {
      return true;
    }
  }
  return false;
}

}  // namespace detail

/// Do valid views a and b share memory? Exact for equal strides of an output (slices of one tensor), else judged by
/// the address ranges. A constant evaluation cannot compare unrelated pointers: there it is always false. So it is for
/// a view that is not valid: whoever asks refuses that for what it is.
template <class A, std::size_t RankA, class B, std::size_t RankB>
constexpr bool overlap(const view<A, RankA>& a, const view<B, RankB>& b) {
  // The views are read first, so that `const bool x = overlap(a, b)` is no constant evaluation unless they are constants.
  if (a.empty() || b.empty() || !validate(a) || !validate(b) || std::is_constant_evaluated()) {
    return false;
  }
  const detail::offset_bounds in_a = detail::bounds_of(a);
  const detail::offset_bounds in_b = detail::bounds_of(b);
  const auto address = [](const auto* data, std::int64_t offset) {
    return reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(offset) * sizeof(*data);
  };
  if (address(a.data, in_a.hi + 1) <= address(b.data, in_b.lo) ||
      address(b.data, in_b.hi + 1) <= address(a.data, in_a.lo)) {
    return false;
  }
  if constexpr (std::is_same_v<std::remove_const_t<A>, std::remove_const_t<B>> && RankA == RankB) {
    const auto distance = static_cast<std::intptr_t>(address(b.data, 0) - address(a.data, 0));
    view<A, RankA> both = a;
    for (std::size_t r = 0; r < RankA; ++r) {
      both.extents[r] = a.extents[r] > b.extents[r] ? a.extents[r] : b.extents[r];
    }
    if (a.strides == b.strides && validate_output(both) && distance % static_cast<std::intptr_t>(sizeof(A)) == 0) {
      return detail::reachable_distance(a.extents, b.extents, a.strides,
                                        distance / static_cast<std::intptr_t>(sizeof(A)), (1u << RankA) - 1);
    }
  }
  return true;
}

/// May `out` be written while `in` is read element by element? The same view may, and a disjoint one.
/// Errors: overlapping_views.
template <class A, std::size_t RankA, class B, std::size_t RankB>
constexpr verdict validate_in_place(const view<A, RankA>& out, const view<B, RankB>& in, step at = step::output) {
  if constexpr (std::is_same_v<A, std::remove_const_t<B>> && RankA == RankB) {
    if (view<const A, RankA>(out) == view<const A, RankA>(in)) {
      return accepted{};
    }
  }
  if (overlap(out, in)) {
    return rejection{.why = reason::overlapping_views, .at = at};
  }
  return accepted{};
}

}  // namespace dytq::inline v0

#endif
