// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/view.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/both_worlds.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::opaque;

namespace {

// A framework's own vector: size() of another type, an overloaded &, a comma that must not be used.
class own_vector {
 public:
  constexpr const std::int32_t* data() const { return values_; }
  constexpr unsigned char size() const { return 3; }
  void operator&() const = delete;
  template <class T>
  void operator,(T&&) const = delete;

 private:
  std::int32_t values_[3] = {7, 8, 9};
};

// Something mdspan-shaped, with extents of an unsigned type.
class own_matrix {
 public:
  constexpr explicit own_matrix(const std::int8_t* p) : p_(p) {}
  static constexpr unsigned rank() { return 2; }
  constexpr unsigned extent(std::size_t r) const { return r == 0 ? 2 : 3; }
  constexpr short stride(std::size_t r) const { return r == 0 ? 1 : 2; }
  constexpr const std::int8_t* data_handle() const { return p_; }
  void operator&() const = delete;

 private:
  const std::int8_t* p_;
};

struct base {
  int i = 0;
};
struct derived : base {
  int j = 0;
};

struct no_pointer {
  int data() const { return 0; }
  int size() const { return 1; }
};

template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;

static_assert(converts<std::vector<std::int8_t>&, view<std::int8_t>>);
static_assert(converts<const std::vector<std::int8_t>&, view<const std::int8_t>>);
static_assert(!converts<const std::vector<std::int8_t>&, view<std::int8_t>>);
static_assert(converts<std::span<std::int8_t>, view<std::int8_t>>);
static_assert(converts<std::span<const std::int8_t>, view<const std::int8_t>>);
static_assert(!converts<std::span<const std::int8_t>, view<std::int8_t>>);
static_assert(converts<std::array<std::int8_t, 4>&, view<const std::int8_t>>);
static_assert(converts<std::int8_t (&)[4], view<std::int8_t>>);
static_assert(!converts<std::vector<std::int16_t>&, view<std::int8_t>>);
static_assert(!converts<std::vector<derived>&, view<base>>);  // the elements would be counted in steps of base
static_assert(!converts<no_pointer, view<int>>);
static_assert(!converts<std::vector<std::int8_t>&, view<std::int8_t, 2>>);
static_assert(converts<own_vector, view<const std::int32_t>>);
static_assert(converts<own_matrix, view<const std::int8_t, 2>> && !converts<own_matrix, view<const std::int8_t, 3>>);
static_assert(!converts<own_matrix, view<std::int8_t, 2>>);
static_assert(converts<view<int, 3>, view<const int, 3>> && !converts<view<const int, 3>, view<int, 3>>);
static_assert(!converts<view<int, 2>, view<const int, 3>>);

template <class V>
constexpr bool refused(const V& v, const rejection& as) {
  const auto r = dytq::validate(v, place::input);
  return !r && r.error() == as;
}

constexpr std::int64_t far = PTRDIFF_MAX;

}  // namespace

TEST_BOTH("from arrays, spans, vectors of others, and mdspans", {
  std::int8_t plain[3] = {1, 2, opaque<std::int8_t>(3)};
  std::array<std::int8_t, 2> array{4, 5};
  const own_vector own;
  std::array<std::int8_t, 6> column_major{0, 10, 1, 11, 2, 12};
  const own_matrix matrix(column_major.data());
  const view<std::int8_t> a = plain;
  const view<const std::int8_t> b = array;
  const view<const std::int32_t> c = own;
  const view<const std::int8_t, 2> m = matrix;
  const view<const std::int8_t> d = std::span<const std::int8_t>(array);
  a(0) = 9;
  return plain[0] == 9 && a.size() == 3 && a(2) == 3 && b.size() == 2 && b(1) == 5 && c.size() == 3 && c(0) == 7 &&
         c(2) == 9 && d == b && m.size() == 6 && m(0, 2) == 2 && m(1, 0) == 10 && m(1, 2) == 12;
})

namespace {

// Can a V be made of a C, by any syntax?
template <class V, class C>
constexpr bool makes = std::is_constructible_v<V, C> || std::is_convertible_v<C, V>;

using codes = view<const std::int8_t>;

}  // namespace

TEST_CASE("a view of a temporary owner does not compile; handles and what lives on do") {
  STATIC_REQUIRE(!makes<codes, std::vector<std::int8_t>>);
  STATIC_REQUIRE(!makes<codes, const std::vector<std::int8_t>>);
  STATIC_REQUIRE(!makes<codes, std::array<std::int8_t, 3>>);
  STATIC_REQUIRE(!makes<codes, std::array<const std::int8_t, 3>>);
  STATIC_REQUIRE(!makes<codes, const std::int8_t[3]>);
  STATIC_REQUIRE(!makes<view<std::int8_t>, std::int8_t[3]>);
  STATIC_REQUIRE(!makes<view<const char>, std::string>);
  STATIC_REQUIRE(makes<codes, std::vector<std::int8_t>&>);
  STATIC_REQUIRE(makes<codes, const std::vector<std::int8_t>&>);
  STATIC_REQUIRE(makes<codes, const std::int8_t(&)[3]>);
  STATIC_REQUIRE(makes<view<std::int8_t>, std::int8_t(&)[3]>);
  STATIC_REQUIRE(makes<codes, std::span<std::int8_t>>);
  STATIC_REQUIRE(makes<codes, const std::span<const std::int8_t>>);
  STATIC_REQUIRE(makes<view<const char>, std::string_view>);
  STATIC_REQUIRE(makes<codes, view<std::int8_t>>);
}

TEST_CASE("from a vector") {
  std::vector<std::int16_t> v{1, 2, 3};
  const view<std::int16_t> w = v;
  w(1) = 7;
  CHECK(v[1] == 7);
  CHECK(w.size() == 3);
  const std::vector<std::int16_t> no_elements;
  const view<const std::int16_t> none = no_elements;
  CHECK(none.empty());
}

TEST_BOTH("row-major strides, access, permutation, slices", {
  std::array<std::int32_t, 24> data{};
  for (std::size_t i = 0; i < 24; ++i) {
    data[i] = static_cast<std::int32_t>(i);
  }
  const view<std::int32_t, 3> v(data.data(), {2, 3, 4});
  const auto p = dytq::permute(v, {2, 0, 1});
  const auto s = dytq::slice(v, 2, opaque<std::int64_t>(1), 2).value();
  const auto none = dytq::slice(v, 1, 3, 0).value();
  const auto all = dytq::slice(v, 0, 0, 2).value();
  view<const std::int32_t, 3> reversed(data.data() + 23, {2, 3, 4}, {-12, -4, -1});
  return v.strides == std::array<std::int64_t, 3>{12, 4, 1} && v(1, 2, 3) == 23 && v.extent(1) == 3 && v.size() == 24 &&
         p.extents == std::array<std::int64_t, 3>{4, 2, 3} && p(3, 1, 2) == 23 && p(1, 0, 2) == v(0, 2, 1) &&
         s.extents == std::array<std::int64_t, 3>{2, 3, 2} && s(1, 2, 1) == 22 && none.empty() && none.size() == 0 &&
         all == v && reversed(0, 0, 0) == 23 && reversed(1, 2, 3) == 0 && dytq::validate(reversed).has_value() &&
         dytq::validate_output(s).has_value();
})

TEST_BOTH("a slice of what is not there", {
  std::array<std::int32_t, 6> data{};
  const view<std::int32_t, 2> v(data.data(), {2, 3});
  const auto refuses = [&](std::size_t axis, std::int64_t begin, std::int64_t count, std::int64_t expected) {
    return dytq::slice(v, axis, begin, count).error() ==
           rejection{.why = reason::shape_mismatch, .expected = expected, .got = begin};
  };
  const view<std::int32_t, 2> wild(data.data(), {10, 10}, {INT64_MAX, opaque(INT64_MIN)});
  return refuses(1, 0, 4, 3) && refuses(1, -1, 1, 3) && refuses(1, 1, -1, 3) && refuses(1, 4, 0, 3) &&
         refuses(0, 2, 1, 2) && refuses(2, 0, 1, 2) && refuses(1, INT64_MAX, INT64_MAX, 3) &&
         refuses(1, 1, INT64_MAX, 3) && dytq::slice(wild, 0, 5, 2).error().why == reason::extent_overflow;
})

TEST_BOTH("a slice of an empty view is empty, and points where the view does", {
  std::array<std::int32_t, 6> data{};
  const view<std::int32_t, 2> none(data.data(), {opaque<std::int64_t>(2), 0}, {INT64_MAX, 1});
  const auto s = dytq::slice(none, 0, 1, 1).value();
  return s.data == data.data() && s.extents == std::array<std::int64_t, 2>{1, 0};
})

TEST_BOTH("memory that would run around the end of the address space", {
  std::int32_t word = 0;
  const auto at = [&](std::uintptr_t address, std::int64_t stride) {
    return validate(dytq::detail::footprint{
        .data = &word, .address = opaque(address), .element_size = 4, .rank = 1, .extents = {3}, .strides = {stride}});
  };
  return at(0, 1).has_value() && at(UINTPTR_MAX - 8, 1).has_value() && !at(UINTPTR_MAX - 7, 1) &&
         at(8, -1).has_value() && !at(7, -1) && at(7, -1).error().why == reason::extent_overflow;
})

TEST_BOTH("empty, absent, and sizes that would overflow", {
  const view<int, 3> none;
  const view<int, 3> hollow(nullptr, {INT64_MAX, opaque(INT64_MAX), 0});
  const view<int, 3> wide(nullptr, {0, 0, opaque(INT64_MAX)});
  return none.absent() && none.empty() && none.size() == 0 && dytq::validate(none).has_value() && !hollow.absent() &&
         !wide.absent() && hollow.empty() && hollow.size() == 0 && dytq::validate(hollow).has_value() &&
         dytq::validate_output(hollow).has_value();
})

#define WITH_A_WORD(...)                     \
  do {                                       \
    constexpr auto check = [] {              \
      int word = 0;                          \
      static_cast<void>(word);               \
      return static_cast<bool>(__VA_ARGS__); \
    };                                       \
    static_assert(check());                  \
    CHECK(check());                          \
  } while (false)

// From a word near the end of the address space not all of the longest reach is left.
template <class View>
constexpr bool readable_somewhere(const View& v) {
  dytq::detail::footprint f = v.occupies();
  f.address = 0;
  return validate(f).has_value();
}

// The word lies in the evaluation itself: g++'s sanitizers know no constant about the address of a static one.
TEST_CASE("views that cannot be read") {
  WITH_A_WORD(
      refused(view<int, 2>(nullptr, {opaque<std::int64_t>(1), 1}), {.why = reason::null_view, .at = place::input}));
  WITH_A_WORD(refused(view<int, 2>(&word, {opaque<std::int64_t>(-1), 0}),
                      {.why = reason::negative_extent, .at = place::input, .expected = 0, .got = -1}));
  WITH_A_WORD(refused(view<int, 2>(&word, {opaque(INT64_MIN), INT64_MIN}),
                      {.why = reason::negative_extent, .at = place::input, .expected = 0, .got = INT64_MIN}));
  constexpr std::int64_t limit = far / static_cast<std::int64_t>(sizeof(int));
  WITH_A_WORD(refused(view<int, 1>(&word, {opaque(limit + 1)}),
                      {.why = reason::extent_overflow, .at = place::input, .expected = limit, .got = limit + 1}));
  WITH_A_WORD(readable_somewhere(view<int, 1>(&word, {opaque(limit)})));
  WITH_A_WORD(!dytq::validate(view<int, 2>(&word, {opaque(INT64_MAX), INT64_MAX}, {0, 0})));
  WITH_A_WORD(!dytq::validate(view<int, 2>(&word, {opaque<std::int64_t>(1) << 32, std::int64_t{1} << 32})));
  // Strides: the memory between the first and the last element.
  WITH_A_WORD(readable_somewhere(view<int, 1>(&word, {2}, {opaque(limit)})));
  WITH_A_WORD(!dytq::validate(view<int, 1>(&word, {2}, {opaque(limit + 1)})));
  WITH_A_WORD(!dytq::validate(view<int, 1>(&word, {2}, {opaque(INT64_MIN)})));
  WITH_A_WORD(!dytq::validate(view<int, 1>(&word, {3}, {opaque(limit / 2 + 1)})));
  WITH_A_WORD(!dytq::validate(view<int, 2>(&word, {2, 2}, {opaque(limit), 1})));
  WITH_A_WORD(!dytq::validate(view<int, 2>(&word, {2, 2}, {opaque(limit), -1})));
  WITH_A_WORD(readable_somewhere(view<int, 2>(&word, {2, 1}, {opaque(limit), INT64_MIN})));
  WITH_A_WORD(dytq::validate(view<std::int8_t, 1>(nullptr, {0}, {opaque(INT64_MIN)})).has_value());
}

TEST_BOTH("memory at the ends of the address space", {
  const std::int8_t byte{};
  const auto valid = [&](std::uintptr_t address, std::int64_t size, std::int64_t stride) {
    return validate(dytq::detail::footprint{.data = &byte,
                                            .address = address,
                                            .element_size = size,
                                            .rank = 1,
                                            .extents = {8},
                                            .strides = {opaque(stride)}})
        .has_value();
  };
  // Seven elements beyond the first, upwards or downwards.
  return valid(UINTPTR_MAX - 7, 1, 1) && !valid(UINTPTR_MAX - 6, 1, 1) && valid(7, 1, -1) && !valid(6, 1, -1) &&
         valid(UINTPTR_MAX, 1, -1) && valid(1, 1, 1) && valid(UINTPTR_MAX - 28, 4, 1) &&
         !valid(UINTPTR_MAX - 27, 4, 1) && valid(28, 4, -1) && !valid(27, 4, -1);
})

TEST_CASE("views that cannot be written") {
  static int words[64] = {};
  const auto aliased = [](const view<int, 2>& v, std::int64_t expected, std::int64_t got) {
    const auto r = dytq::validate_output(v);
    return !r &&
           r.error() == rejection{.why = reason::aliased_output, .at = place::output, .expected = expected, .got = got};
  };
  CHECK(aliased({words, {2, 2}, {0, 1}}, 1, 0));
  CHECK(aliased({words, {2, 2}, {1, 1}}, 2, 1));
  CHECK(aliased({words, {3, 3}, {2, 1}}, 3, 2));
  CHECK(aliased({words + 9, {3, 3}, {-2, 1}}, 3, 2));
  CHECK(dytq::validate_output(view<int, 2>(words, {3, 3}, {3, 1})));
  CHECK(dytq::validate_output(view<int, 2>(words, {3, 3}, {1, 3})));
  CHECK(dytq::validate_output(view<int, 2>(words + 20, {3, 3}, {-3, 1})));
  CHECK(dytq::validate_output(view<int, 2>(words, {3, 1}, {1, 0})));
  CHECK(dytq::validate_output(view<int, 2>(nullptr, {3, 3}, {1, 3})).error().why == reason::null_view);
}

TEST_CASE("overlap: slices of one tensor, of one width or of two") {
  std::array<std::int32_t, 256> data{};
  const view<std::int32_t, 3> v(data.data(), {4, 4, 8});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t n = v.extent(axis);
    for (std::int64_t b0 = 0; b0 < n; ++b0) {
      for (std::int64_t c0 = 1; c0 <= n - b0; ++c0) {
        for (std::int64_t b1 = 0; b1 < n; ++b1) {
          for (std::int64_t c1 = 1; c1 <= n - b1; ++c1) {
            const auto a = dytq::slice(v, axis, b0, c0).value();
            const auto b = dytq::slice(v, axis, b1, c1).value();
            CHECK(dytq::overlap(a, b) == (b0 < b1 + c1 && b1 < b0 + c0));
          }
        }
      }
    }
  }
}

TEST_CASE("overlap is never missed, and exact for equal strides") {
  std::mt19937 random(5);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  std::array<std::int8_t, 256> data{};
  int shared = 0;
  for (int round = 0; round < 20000; ++round) {
    view<std::int8_t, 2> a(data.data() + 128 + draw(-8, 8), {draw(1, 4), draw(1, 4)}, {draw(-9, 9), draw(-3, 3)});
    view<std::int8_t, 2> b(data.data() + 128 + draw(-8, 8), {draw(1, 4), draw(1, 4)}, {draw(-9, 9), draw(-3, 3)});
    const bool same_strides = draw(0, 2) != 0;
    if (same_strides) {
      b.strides = a.strides;
    }
    std::set<const std::int8_t*> in_a;
    bool truth = false;
    for (std::int64_t i = 0; i < a.extents[0]; ++i) {
      for (std::int64_t j = 0; j < a.extents[1]; ++j) {
        in_a.insert(&a(i, j));
      }
    }
    for (std::int64_t i = 0; i < b.extents[0]; ++i) {
      for (std::int64_t j = 0; j < b.extents[1]; ++j) {
        truth = truth || in_a.count(&b(i, j)) != 0;
      }
    }
    view<std::int8_t, 2> both = a;
    both.extents = {std::max(a.extents[0], b.extents[0]), std::max(a.extents[1], b.extents[1])};
    const bool claimed = dytq::overlap(a, b);
    shared += truth ? 1 : 0;
    if (truth) {
      CHECK(claimed);
    } else if (same_strides && dytq::validate_output(both)) {
      CHECK_FALSE(claimed);
    }
    CHECK(dytq::overlap(b, a) == claimed);
  }
  CHECK(shared > 1000);
}

TEST_CASE("overlap of a sliding window") {
  std::array<std::int8_t, 64> data{};
  const view<std::int8_t, 2> a(data.data() + 20, {2, 2}, {2, 1});
  const view<std::int8_t, 2> window(data.data() + 15, {2, 4}, {2, 1});
  CHECK(dytq::overlap(a, window));
  CHECK(dytq::overlap(window, a));
  // Asked in the initializer of a constant it is still answered at run time.
  const bool answered = dytq::overlap(a, a);
  CHECK(answered);
}

TEST_CASE("overlap of other types and ranks goes by address; hostile views share nothing") {
  alignas(8) std::array<std::int32_t, 16> words{};
  const view<std::int32_t> w = words;
  const view<std::int8_t, 2> bytes(reinterpret_cast<std::int8_t*>(words.data()), {4, 4});
  CHECK(dytq::overlap(w, bytes));
  CHECK(dytq::overlap(w, view<std::int8_t>(reinterpret_cast<std::int8_t*>(words.data()) + 63, {1})));
  CHECK_FALSE(dytq::overlap(view<std::int32_t>(words.data(), {4}),
                            view<std::int8_t>(reinterpret_cast<std::int8_t*>(words.data()) + 16, {1})));
  CHECK_FALSE(dytq::overlap(w, view<std::int32_t>()));
  // Words that share two bytes: nothing of one type lies so, but memory that somebody casts.
  dytq::detail::footprint shifted = w.occupies();
  shifted.address += 2;
  CHECK(overlap(w.occupies(), shifted));
  CHECK(overlap(shifted, w.occupies()));
  const view<std::int32_t, 2> wild(words.data(), {INT64_MAX, INT64_MAX}, {INT64_MAX, INT64_MIN});
  CHECK_FALSE(dytq::overlap(w, wild));
  CHECK_FALSE(dytq::overlap(wild, wild));
  CHECK_FALSE(dytq::overlap(view<std::int32_t>(words.data(), {-3}), w));
}

TEST_CASE("in place: the same view or a disjoint one") {
  std::array<std::int32_t, 16> words{};
  const view<std::int32_t> a(words.data(), {8});
  CHECK(dytq::validate_in_place(a, a));
  CHECK(dytq::validate_in_place(a, view<const std::int32_t>(a)));
  CHECK(dytq::validate_in_place(a, view<const std::int32_t>(words.data() + 8, {8})));
  const auto part = dytq::validate_in_place(a, view<const std::int32_t>(words.data() + 7, {8}), place::bias);
  CHECK((!part && part.error() == rejection{.why = reason::overlapping_views, .at = place::bias}));
  CHECK_FALSE(dytq::validate_in_place(a, view<const std::int32_t>(words.data() + 7, {8}, {-1})));
}
