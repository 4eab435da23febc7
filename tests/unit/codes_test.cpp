// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/codes.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "support/both_worlds.hpp"

using dytq::code_range;
using dytq::code_set;
using dytq::code_type;
using dytq::place;
using dytq::qparams;
using dytq::reason;
using dytq::detail::code_list;
using dytq_tests::opaque;

namespace {

constexpr std::int64_t min64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t max64 = std::numeric_limits<std::int64_t>::max();

template <class T>
constexpr bool refused(const dytq::result<T>& r, const dytq::rejection& as) {
  return !r && r.error() == as;
}

constexpr code_set set_of(std::initializer_list<int> codes) {
  code_set s;
  for (const int c : codes) {
    s.insert(static_cast<std::int8_t>(c));
  }
  return s;
}

}  // namespace

TEST_CASE("a range contains its limits and nothing beyond") {
  constexpr code_range r{-3, 5};
  DYTQ_CHECK_BOTH(r.contains(opaque<std::int64_t>(-3)) && r.contains(opaque<std::int64_t>(5)));
  DYTQ_CHECK_BOTH(!r.contains(opaque<std::int64_t>(-4)) && !r.contains(opaque<std::int64_t>(6)));
  DYTQ_CHECK_BOTH(!r.contains(opaque(min64)) && !r.contains(opaque(max64)));
  DYTQ_CHECK_BOTH(r.contains(r) && r.contains(code_range{-3, -3}) && r.contains(code_range{5, 5}));
  DYTQ_CHECK_BOTH(!r.contains(code_range{-4, 5}) && !r.contains(code_range{-3, 6}));
  DYTQ_CHECK_BOTH(!r.empty() && !code_range{4, 4}.empty() && code_range{5, 4}.empty());
  DYTQ_CHECK_BOTH(code_range{min64, max64}.contains(opaque(min64)) && code_range{min64, max64}.contains(opaque(max64)));
}

TEST_CASE("clamp gives the nearest value, and refuses an empty range") {
  DYTQ_CHECK_BOTH(dytq::clamp(opaque<std::int64_t>(-4), {-3, 5}).value() == -3);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque<std::int64_t>(-3), {-3, 5}).value() == -3);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque<std::int64_t>(0), {-3, 5}).value() == 0);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque<std::int64_t>(5), {-3, 5}).value() == 5);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque<std::int64_t>(6), {-3, 5}).value() == 5);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque(min64), {-3, 5}).value() == -3);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque(max64), {-3, 5}).value() == 5);
  DYTQ_CHECK_BOTH(dytq::clamp(opaque<std::int64_t>(9), {4, 4}).value() == 4);
  DYTQ_CHECK_BOTH(
      refused(dytq::clamp(opaque<std::int64_t>(4), {5, 4}), {.why = reason::range_inverted, .expected = 5, .got = 4}));
}

TEST_CASE("ranges meet in what both contain, and grow to a value") {
  DYTQ_CHECK_BOTH((code_range{-3, 5}.meet({0, 9}) == code_range{0, 5}));
  DYTQ_CHECK_BOTH((code_range{0, 9}.meet({-3, 5}) == code_range{0, 5}));
  DYTQ_CHECK_BOTH((code_range{-3, 5}.meet({-1, 2}) == code_range{-1, 2}));
  DYTQ_CHECK_BOTH((code_range{-3, 5}.meet({6, 9}).empty()));
  DYTQ_CHECK_BOTH((code_range{-3, 5}.extended_to(6) == code_range{-3, 6}));
  DYTQ_CHECK_BOTH((code_range{-3, 5}.extended_to(-4) == code_range{-4, 5}));
  DYTQ_CHECK_BOTH((code_range{-3, 5}.extended_to(0) == code_range{-3, 5}));
}

TEST_CASE("a value outside a range is refused with the nearest one inside") {
  DYTQ_CHECK_BOTH((dytq::outside(reason::bias_count, place::bias, {-3, 5}, 7) ==
                   dytq::rejection{.why = reason::bias_count, .at = place::bias, .expected = 5, .got = 7}));
  DYTQ_CHECK_BOTH((dytq::outside(reason::empty, place::none, {-3, 5}, min64) ==
                   dytq::rejection{.why = reason::empty, .expected = -3, .got = min64}));
}

TEST_CASE("the ranges of the types") {
  DYTQ_CHECK_BOTH(dytq::range_of(opaque(code_type::i8)) == code_range{-128, 127});
  DYTQ_CHECK_BOTH(dytq::range_of(opaque(code_type::u8)) == code_range{0, 255});
  DYTQ_CHECK_BOTH(dytq::range_of(opaque(code_type::i16)) == code_range{-32768, 32767});
  DYTQ_CHECK_BOTH(dytq::range_of(opaque(code_type::u16)) == code_range{0, 65535});
  DYTQ_CHECK_BOTH(dytq::range_of(opaque(code_type::i32)) == code_range{-2147483648LL, 2147483647});
  DYTQ_CHECK_BOTH(dytq::range_of(opaque(code_type::i48)) == code_range{-140737488355328, 140737488355327});
  // A value of the enumeration that has no name has no codes either.
  DYTQ_CHECK_BOTH(dytq::range_of(static_cast<code_type>(200)).empty());
  DYTQ_CHECK_BOTH(dytq::int8_range == dytq::range_of(code_type::i8));
  DYTQ_CHECK_BOTH(dytq::int16_range == dytq::range_of(code_type::i16));
  DYTQ_CHECK_BOTH(dytq::int32_range == dytq::range_of(code_type::i32));
}

TEST_CASE("range_in: unset bounds are the type's own") {
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{}, dytq::int8_range).value() == dytq::int8_range);
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{}, dytq::int32_range).value() == dytq::int32_range);
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{.qmin = -127}, dytq::int8_range).value() == code_range{-127, 127});
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{.qmax = 7}, dytq::int8_range).value() == code_range{-128, 7});
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{.qmin = 3, .qmax = 3}, dytq::int8_range).value() == code_range{3, 3});
}

TEST_CASE("range_in refuses what does not lie in the type") {
  constexpr code_range i8 = dytq::int8_range;
  DYTQ_CHECK_BOTH(refused(dytq::range_in(qparams{.qmin = 4, .qmax = 3}, i8, place::table),
                          {.why = reason::range_inverted, .at = place::table, .expected = 4, .got = 3}));
  DYTQ_CHECK_BOTH(refused(dytq::range_in(qparams{.qmin = -129}, i8),
                          {.why = reason::range_inverted, .expected = -128, .got = -129}));
  DYTQ_CHECK_BOTH(
      refused(dytq::range_in(qparams{.qmax = 128}, i8), {.why = reason::range_inverted, .expected = 127, .got = 128}));
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{.zero_point = -128}, i8).has_value());
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{.zero_point = 127}, i8).has_value());
  DYTQ_CHECK_BOTH(refused(dytq::range_in(qparams{.zero_point = -129}, i8, place::gamma),
                          {.why = reason::zero_point_out_of_range, .at = place::gamma, .expected = -128, .got = -129}));
  DYTQ_CHECK_BOTH(refused(dytq::range_in(qparams{.zero_point = 128}, i8),
                          {.why = reason::zero_point_out_of_range, .expected = 127, .got = 128}));
  // The zero point may lie outside [qmin, qmax]: it only has to be a code of the type.
  DYTQ_CHECK_BOTH(dytq::range_in(qparams{.zero_point = 100, .qmin = -8, .qmax = 7}, i8).has_value());
}

TEST_BOTH("every code can be in a set alone", {
  for (int c = -128; c < 128; ++c) {
    const code_set s = set_of({opaque(c)});
    if (s.size() != 1)
      return false;
    for (int other = -128; other < 128; ++other) {
      if (s.contains(static_cast<std::int8_t>(other)) != (other == c))
        return false;
    }
  }
  return true;
})

TEST_CASE("sets count distinct codes") {
  DYTQ_CHECK_BOTH(code_set{}.size() == 0 && code_set::all().size() == 256);
  DYTQ_CHECK_BOTH(set_of({opaque(5), 5, -5, 5}).size() == 2);
  DYTQ_CHECK_BOTH(set_of({-128, -65, -64, -1, 0, 63, 64, 127}).size() == 8);
  DYTQ_CHECK_BOTH(set_of({1, 2}) == set_of({2, 1}) && !(set_of({1, 2}) == set_of({1, 3})));
}

TEST_BOTH("a list has the codes of its set in increasing order", {
  const code_list l(set_of({127, opaque(-128), 0, -1, 63, 64}));
  const code_list all(code_set::all());
  for (int i = 0; i < 256; ++i) {
    if (all[i] != i - 128)
      return false;
  }
  return l.size == 6 && l.front() == -128 && l[1] == -1 && l[2] == 0 && l[3] == 63 && l[4] == 64 && l.back() == 127 &&
         all.size == 256 && all.front() == -128 && all.back() == 127 && code_list(code_set{}).size == 0;
})

TEST_BOTH("every width of bits has its own type", {
  using enum dytq::code_type;
  return *dytq::type_of(opaque(8), false) == i8 && *dytq::type_of(8, true) == u8 && *dytq::type_of(16, false) == i16 &&
         *dytq::type_of(16, true) == u16 && *dytq::type_of(32, false) == i32 && *dytq::type_of(48, false) == i48;
})
