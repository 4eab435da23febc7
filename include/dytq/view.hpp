// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of tensors: pointer, extents, strides. A layout (OIHW, OHWI, HWIM, a slice) is only other strides.
#ifndef DYTQ_VIEW_HPP
#define DYTQ_VIEW_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "numbers/integer.hpp"
#include "operators/footprint.hpp"
#include "result.hpp"

namespace dytq {
inline namespace v0 {

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

// Is a temporary C only a handle, whose elements outlive it? An owner's data() is const in a const object (std::vector)
// or its elements are members (std::array, which is an aggregate).
template <class C>
inline constexpr bool is_handle = !std::is_aggregate_v<C> && requires(C & c, const C& constant) {
  requires std::same_as<decltype(c.data()), decltype(constant.data())>;
};

// Anything that is not a temporary owner.
template <class C>
concept outlives_a_view = std::is_lvalue_reference_v<C> || is_handle<std::remove_cvref_t<C>>;

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
  /// The type of the elements, const if they cannot be changed.
  using element_type = T;
  /// One number for each axis.
  using index_array = std::array<std::int64_t, Rank>;

  T* data = nullptr;      ///< the element at index 0, ...
  index_array extents{};  ///< elements along each axis
  index_array strides{};  ///< from one element to the next, in elements

  constexpr view() = default;
  /// Any layout: an extent and a stride for each axis.
  constexpr view(T* pointer, const index_array& shape, const index_array& steps)
      : data(pointer), extents(shape), strides(steps) {}
  /// Row-major: the last index is contiguous. Overflowing extents give strides of 0; `validate` refuses them.
  constexpr view(T* pointer, const index_array& shape)
      : data(pointer), extents(shape), strides(detail::row_major(shape)) {}
  /// All of an array.
  template <std::size_t N>
  requires(Rank == 1) constexpr view(T (&array)[N]) : data(array), extents{static_cast<std::int64_t>(N)}, strides{1} {}
  /// A temporary array would not outlive the statement.
  template <std::size_t N>
  requires(Rank == 1) view(const T (&&array)[N])
  = delete;
  /// All of anything with data() and size(), such as std::span, std::vector or std::array; a temporary only if it owns
  /// nothing.
  template <class C>
  requires(Rank == 1 && detail::contiguous_of<C, T> && detail::outlives_a_view<C>) constexpr view(C&& c)
      : data(c.data()), extents{static_cast<std::int64_t>(c.size())}, strides{1} {}
  /// All of anything shaped like std::mdspan: rank(), extent(r), stride(r), data_handle().
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

  /// Elements along axis r, unchecked.
  constexpr std::int64_t extent(std::size_t r) const { return extents[r]; }
  /// Is the argument absent?
  constexpr bool absent() const {
    for (std::size_t r = 0; r < Rank && data == nullptr; ++r) {
      if (extents[r] != 0) {
        return false;
      }
    }
    return data == nullptr;
  }
  /// Does it have no elements?
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
    // Written out, since g++ does not unroll loops at -O2.
    std::int64_t at = index[0] * strides[0];
    if constexpr (Rank > 1) {
      at += index[1] * strides[1];
    }
    if constexpr (Rank > 2) {
      at += index[2] * strides[2];
    }
    if constexpr (Rank > 3) {
      at += index[3] * strides[3];
    }
    if constexpr (Rank > 4) {
      at += index[4] * strides[4];
    }
    return static_cast<std::ptrdiff_t>(at);
  }
  /// Element access; an index out of range traps (in a constant expression: does not compile).
  template <std::convertible_to<std::int64_t>... Index>
  requires(sizeof...(Index) == Rank) constexpr T& operator()(Index... i) const {
    const index_array index{static_cast<std::int64_t>(i)...};
    for (std::size_t r = 0; r < Rank; ++r) {
      if (index[r] < 0 || index[r] >= extents[r]) {
        detail::rejected<reason::code_out_of_range>();
      }
    }
    return data[offset(index)];
  }

  /// What it occupies, as the argument `at` of a function.
  constexpr detail::footprint occupies(place at = place::none) const {
    detail::footprint f{.data = data,
                        .address = std::is_constant_evaluated() ? 0 : reinterpret_cast<std::uintptr_t>(data),
                        .element_size = sizeof(T),
                        .rank = Rank,
                        .at = at};
    for (std::size_t r = 0; r < Rank; ++r) {
      f.extents[r] = extents[r];
      f.strides[r] = strides[r];
    }
    return f;
  }

  /// Do both views have the same elements in the same order?
  friend constexpr bool operator==(const view& a, const view& b) { return a.occupies().same_as(b.occupies()); }
};

/// Do two views have the same shape?
template <class A, class B, std::size_t Rank>
constexpr bool same_extents(const view<A, Rank>& a, const view<B, Rank>& b) {
  for (std::size_t r = 0; r < Rank; ++r) {
    if (a.extents[r] != b.extents[r]) {
      return false;
    }
  }
  return true;
}

/// Have the views the same extents? Errors: shape_mismatch: not; `axis` is the first that differs, and `expected` b's.
template <class A, class B, std::size_t Rank>
constexpr verdict validate_same_extents(const view<A, Rank>& a, const view<B, Rank>& b, place at) {
  for (std::size_t r = 0; r < Rank; ++r) {
    if (a.extents[r] != b.extents[r]) {
      return rejection{.why = reason::shape_mismatch,
                       .at = at,
                       .axis = static_cast<std::int64_t>(r),
                       .expected = b.extents[r],
                       .got = a.extents[r]};
    }
  }
  return accepted{};
}

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

/// The checks of operators/footprint.hpp, for views.
template <class T, std::size_t Rank>
constexpr verdict validate(const view<T, Rank>& v, place at = place::none) {
  return validate(v.occupies(at));
}
/// See `validate_output` of footprints.
template <class T, std::size_t Rank>
constexpr verdict validate_output(const view<T, Rank>& v, place at = place::output) {
  return detail::validate_output(v.occupies(at));
}
/// See `overlap` of footprints.
template <class A, std::size_t RankA, class B, std::size_t RankB>
constexpr bool overlap(const view<A, RankA>& a, const view<B, RankB>& b) {
  return detail::overlap(a.occupies(), b.occupies());
}
/// See `validate_in_place` of footprints.
template <class A, std::size_t RankA, class B, std::size_t RankB>
constexpr verdict validate_in_place(const view<A, RankA>& out, const view<B, RankB>& in, place at = place::output) {
  return detail::validate_in_place(out.occupies(at), in.occupies());
}

/// The elements [begin, begin + count) of one axis. Errors: shape_mismatch: they are not all there; those of
/// `validate`.
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

}  // namespace v0
}  // namespace dytq

#endif
