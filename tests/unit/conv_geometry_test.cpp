// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/operators/geometry.hpp>

#include <cstdint>
#include <set>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::axis_geometry;
using dytq::conv_axis;
using dytq::conv_kind;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq_tests::opaque;
using dytq_tests::plain_outputs;
using dytq_tests::plain_read;

namespace {

constexpr bool refused(const conv_axis& axis, std::int64_t kernel, const rejection& as,
                       conv_kind kind = conv_kind::forward) {
  const auto g = axis_geometry::make(kind, axis, kernel);
  return !g && g.error() == as;
}

constexpr std::int64_t limit = axis_geometry::extent_limit;
constexpr std::int64_t any = dytq::conv_axis::any_input;

}  // namespace

TEST_BOTH("a padded, strided, dilated axis", {
  const auto g =
      axis_geometry::make(conv_kind::forward,
                          {.input = opaque<std::int64_t>(7), .stride = 2, .dilation = 2, .before = 1, .after = 3}, 3)
          .value();
  return g.inputs() == 7 && g.kernel() == 3 && g.outputs() == 4 && g.taps_at(0) == dytq::detail::tap_set{1, 2, 1} &&
         g.taps_at(1) == dytq::detail::tap_set{0, 2, 1} && g.taps_at(3) == dytq::detail::tap_set{0, 0, 1} &&
         g.input_at(3, 0) == 5 && g.touches(0) && g.touches(1) && g.touches(2);
})

TEST_BOTH("a transposed axis", {
  const auto g = axis_geometry::make(conv_kind::transposed, {.input = opaque<std::int64_t>(3), .stride = 2}, 3).value();
  return g.outputs() == 7 && g.taps_at(0) == dytq::detail::tap_set{0, 0, 2} &&
         g.taps_at(1) == dytq::detail::tap_set{1, 1, 2} && g.taps_at(2) == dytq::detail::tap_set{0, 2, 2} &&
         g.input_at(2, 2) == 0 && g.input_at(2, 0) == 1 && g.input_at(2, 1) == -1 &&
         g.taps_at(6) == dytq::detail::tap_set{2, 2, 2};
})

TEST_BOTH("an axis without border needs no input extent", {
  const auto g =
      axis_geometry::make(conv_kind::forward, {.input = any, .stride = 5, .dilation = 3}, opaque<std::int64_t>(4))
          .value();
  const auto t = axis_geometry::make(conv_kind::transposed, {}, 1).value();
  return g.outputs() == 1 && g.taps_at(0) == dytq::detail::tap_set{0, 3, 1} && t.outputs() == 1 &&
         refused({.input = any, .before = 1}, 3,
                 {.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0}) &&
         refused({.input = any, .after = opaque<std::int64_t>(1)}, 3,
                 {.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0}) &&
         refused({.input = any}, opaque<std::int64_t>(2),
                 {.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0}, conv_kind::transposed) &&
         refused({.stride = 2}, 1, {.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0},
                 conv_kind::transposed);
})

TEST_CASE("every refusal, at its limit") {
  DYTQ_CHECK_BOTH(refused({.input = 5, .stride = opaque<std::int64_t>(0)}, 1,
                          {.why = reason::stride_not_positive, .expected = 1, .got = 0}));
  DYTQ_CHECK_BOTH(refused({.input = 5, .dilation = opaque<std::int64_t>(0)}, 1,
                          {.why = reason::dilation_not_positive, .expected = 1, .got = 0}));
  DYTQ_CHECK_BOTH(refused({.input = 5, .dilation = opaque<std::int64_t>(2)}, 1,
                          {.why = reason::dilation_not_positive, .expected = 1, .got = 2}, conv_kind::transposed));
  DYTQ_CHECK_BOTH(refused({.input = 5, .before = opaque<std::int64_t>(-1)}, 1,
                          {.why = reason::pad_out_of_range, .expected = 0, .got = -1}));
  DYTQ_CHECK_BOTH(refused({.input = 5, .after = opaque<std::int64_t>(-1)}, 1,
                          {.why = reason::pad_out_of_range, .expected = 0, .got = -1}));
  DYTQ_CHECK_BOTH(refused({.input = 5, .before = opaque<std::int64_t>(-3)}, 3,
                          {.why = reason::pad_out_of_range, .expected = -2, .got = -3}, conv_kind::transposed));
  DYTQ_CHECK_BOTH(
      axis_geometry::make(conv_kind::transposed, {.input = 5, .before = opaque<std::int64_t>(-2)}, 3).has_value());
  DYTQ_CHECK_BOTH(refused({.input = opaque<std::int64_t>(-2)}, 1,
                          {.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = -2}));
  DYTQ_CHECK_BOTH(refused({}, opaque<std::int64_t>(2),
                          {.why = reason::geometry_unset, .at = place::weight, .expected = 1, .got = 2}));
  DYTQ_CHECK_BOTH(refused({.stride = 2, .dilation = 3}, opaque<std::int64_t>(3),
                          {.why = reason::geometry_unset, .at = place::weight, .expected = 1, .got = 3}));
  DYTQ_CHECK_BOTH(axis_geometry::make(conv_kind::forward, {}, opaque<std::int64_t>(1))->outputs() == 1);
  DYTQ_CHECK_BOTH(axis_geometry::make(conv_kind::forward, dytq::unpadded[2], opaque<std::int64_t>(3))->outputs() == 1);
  DYTQ_CHECK_BOTH(refused({.input = 5}, opaque<std::int64_t>(0),
                          {.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0}));
  DYTQ_CHECK_BOTH(refused({.input = opaque<std::int64_t>(3)}, 4,
                          {.why = reason::shape_mismatch, .at = place::output, .expected = 3, .got = 4}));
  DYTQ_CHECK_BOTH(refused({.input = opaque<std::int64_t>(4), .dilation = 2}, 3,
                          {.why = reason::shape_mismatch, .at = place::output, .expected = 4, .got = 5}));
  DYTQ_CHECK_BOTH(
      axis_geometry::make(conv_kind::forward, {.input = opaque<std::int64_t>(5), .dilation = 2}, 3)->outputs() == 1);
  DYTQ_CHECK_BOTH(refused({.input = opaque<std::int64_t>(6), .stride = 2}, 3,
                          {.why = reason::stride_does_not_divide, .expected = 2, .got = 3}));
  DYTQ_CHECK_BOTH(refused({.input = 1, .before = -2, .after = opaque<std::int64_t>(-2)}, 3,
                          {.why = reason::shape_mismatch, .at = place::output, .expected = 1, .got = -1},
                          conv_kind::transposed));
  DYTQ_CHECK_BOTH(refused({.input = opaque(limit + 1)}, 1,
                          {.why = reason::extent_overflow, .at = place::input, .expected = limit, .got = limit + 1}));
  DYTQ_CHECK_BOTH(refused({.input = 5, .before = opaque<std::int64_t>(INT64_MIN)}, 1,
                          {.why = reason::extent_overflow, .at = place::input, .expected = limit, .got = INT64_MIN}));
  DYTQ_CHECK_BOTH(axis_geometry::make(conv_kind::forward, {.input = opaque(limit)}, 1)->outputs() == limit);
  DYTQ_CHECK_BOTH(refused({.input = 5}, 1, {.why = reason::unknown_type, .got = 9}, static_cast<conv_kind>(9)));
}

TEST_CASE("all small geometries, position by position") {
  int geometries = 0;
  for (const conv_kind kind : {conv_kind::forward, conv_kind::transposed}) {
    for (std::int64_t input = 1; input <= 7; ++input) {
      for (std::int64_t kernel = 1; kernel <= 4; ++kernel) {
        for (std::int64_t stride = 1; stride <= 4; ++stride) {
          for (std::int64_t dilation = 1; dilation <= (kind == conv_kind::forward ? 3 : 1); ++dilation) {
            for (std::int64_t before = -3; before <= 4; ++before) {
              for (std::int64_t after = -3; after <= 4; ++after) {
                const conv_axis axis{
                    .input = input, .stride = stride, .dilation = dilation, .before = before, .after = after};
                const bool pads =
                    kind == conv_kind::transposed ? before > -kernel && after > -kernel : before >= 0 && after >= 0;
                const std::int64_t room = input - 1 + before + after - (kernel - 1) * dilation;
                const std::int64_t outputs = plain_outputs(kind, axis, kernel);
                const bool legal =
                    pads && (kind == conv_kind::transposed ? outputs >= 1 : room >= 0 && room % stride == 0);
                const auto made = axis_geometry::make(kind, axis, kernel);
                if (made.has_value() != legal || (legal && made->outputs() != outputs)) {
                  FAIL("legality or outputs: " << input << ' ' << kernel << ' ' << stride << ' ' << dilation << ' '
                                               << before << ' ' << after);
                }
                if (!legal) {
                  continue;
                }
                ++geometries;
                const axis_geometry& g = *made;
                std::set<std::vector<std::int64_t>> all;
                std::set<std::int64_t> touched;
                bool right = true;
                for (std::int64_t o = 0; o < outputs; ++o) {
                  std::vector<std::int64_t> inside;
                  for (std::int64_t t = 0; t < kernel; ++t) {
                    const std::int64_t at = plain_read(kind, axis, o, t);
                    const std::int64_t claimed = g.input_at(o, t);
                    right = right && (at >= 0 ? claimed == at : claimed < 0 || claimed >= input);
                    if (at >= 0) {
                      inside.push_back(t);
                      touched.insert(t);
                    }
                  }
                  std::vector<std::int64_t> claimed;
                  const dytq::detail::tap_set taps = g.taps_at(o);
                  for (std::int64_t t = taps.first; t <= taps.last; t += taps.step) {
                    claimed.push_back(t);
                  }
                  right = right && claimed == inside && taps.empty() == inside.empty();
                  all.insert(inside);
                }
                for (std::int64_t t = 0; t < kernel; ++t) {
                  right = right && g.touches(t) == (touched.count(t) != 0);
                }
                std::set<std::vector<std::int64_t>> met;
                std::int64_t steps = 0;
                for (std::int64_t o = 0; o < outputs; ++steps) {
                  const dytq::detail::tap_set taps = g.taps_at(o);
                  std::vector<std::int64_t> inside;
                  for (std::int64_t t = taps.first; t <= taps.last; t += taps.step) {
                    inside.push_back(t);
                  }
                  met.insert(inside);
                  const std::int64_t next = g.next_class(o);
                  right = right && next > o && next <= outputs;
                  o = next > o ? next : outputs;
                }
                right = right && met == all && steps <= 4 * kernel + 4;
                if (!right) {
                  FAIL((kind == conv_kind::forward ? "forward: " : "transposed: ")
                       << input << ' ' << kernel << ' ' << stride << ' ' << dilation << ' ' << before << ' ' << after);
                }
              }
            }
          }
        }
      }
    }
  }
  CHECK(geometries > 5000);
}

TEST_CASE("huge extents have few classes, and nothing overflows") {
  const std::int64_t values[] = {1, 2, 3, 1000, limit / 2, limit - 1, limit};
  for (const conv_kind kind : {conv_kind::forward, conv_kind::transposed}) {
    for (const std::int64_t input : values) {
      for (const std::int64_t kernel : {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, limit}) {
        for (const std::int64_t stride : values) {
          for (const std::int64_t dilation : values) {
            for (const std::int64_t pad : {std::int64_t{0}, std::int64_t{1}, limit, -limit}) {
              const auto g = axis_geometry::make(
                  kind, {.input = input, .stride = stride, .dilation = dilation, .before = pad, .after = pad}, kernel);
              if (!g) {
                CHECK(g.error().why != reason::none);
                continue;
              }
              std::int64_t steps = 0;
              for (std::int64_t o = 0; o < g->outputs() && steps < 100; o = g->next_class(o)) {
                const dytq::detail::tap_set taps = g->taps_at(o);
                CHECK((taps.empty() || (taps.first >= 0 && taps.last < kernel)));
                ++steps;
              }
              CHECK((steps <= 4 * kernel + 4));
              for (const std::int64_t t : {std::int64_t{0}, kernel / 2, kernel - 1}) {
                g->touches(t);
                g->input_at(g->outputs() - 1, t);
              }
            }
          }
        }
      }
    }
  }
}

TEST_BOTH("one class only where no tap is ever outside", {
  const auto make = [](const conv_axis& a, std::int64_t kernel, conv_kind kind = conv_kind::forward) {
    dytq::conv_geometry g;
    g.axes[1] = axis_geometry::make(kind, a, kernel).value();
    return g.single_class();
  };
  return make({.input = 9}, 3) && make({.input = 9}, 9) && !make({.input = 9, .before = 1}, 3) &&
         !make({.input = 9, .after = opaque<std::int64_t>(1)}, 3) && make({.input = 9}, 1, conv_kind::transposed) &&
         !make({.input = 9}, 2, conv_kind::transposed);
})

TEST_BOTH("one class is not enough: its positions may all miss the same taps", {
  const auto make = [](const conv_axis& a, std::int64_t kernel, conv_kind kind) {
    dytq::conv_geometry g;
    g.axes[2] = axis_geometry::make(kind, a, kernel).value();
    return g.axes[2].next_class(0) == g.axes[2].outputs() && !g.single_class();
  };
  return make({.input = 1, .before = 1, .after = opaque<std::int64_t>(1)}, 3, conv_kind::forward) &&
         make({.input = 1, .after = opaque<std::int64_t>(-1)}, 2, conv_kind::transposed);
})

TEST_BOTH("taps and classes of three axes, in order", {
  dytq::conv_geometry g;
  g.axes[1] =
      axis_geometry::make(conv_kind::forward, {.input = 1, .before = 1, .after = opaque<std::int64_t>(1)}, 3).value();
  g.axes[2] = axis_geometry::make(conv_kind::forward, {.input = 4, .before = 1}, 2).value();
  std::int64_t taps = 0;
  std::int64_t touched = 0;
  bool in_order = true;
  for (dytq::detail::tap_walk tap(g); tap; tap.next()) {
    touched += tap.touched() ? 1 : 0;
    in_order = in_order && tap.index() == taps++ && tap.d == 0 && tap.index() == tap.y * 2 + tap.x;
  }
  int classes = 0;
  std::int64_t read = 0;  // the taps of all classes, by index
  for (dytq::detail::class_walk positions(g); positions; positions.next()) {
    ++classes;
    for (dytq::detail::tap_walk tap = positions.taps(); tap; tap.next()) {
      read = read * 10 + tap.index();
    }
  }
  return in_order && taps == 6 && touched == 2 && classes == 2 && read == 323;
})
