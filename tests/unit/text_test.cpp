// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/plan.hpp>
#include <dytq/text.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "support/both_worlds.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::text_buffer;
using dytq_tests::opaque;

namespace {

template <std::size_t N>
constexpr bool says(const text_buffer<N>& t, std::string_view s) {
  return std::string_view(t.data(), t.size()) == s && t.c_str()[t.size()] == '\0';
}

template <std::size_t N>
constexpr bool contains(const text_buffer<N>& t, std::string_view s) {
  return std::string_view(t.c_str()).find(s) != std::string_view::npos;
}

}  // namespace

TEST_BOTH("numbers, alignment, and what does not fit", {
  text_buffer<64> t;
  t.add("a").add(' ').add(std::int64_t{0}).add(' ').add(INT64_MIN).add(' ').add(opaque(INT64_MAX));
  text_buffer<64> r;
  r.add('[').add_right(-12, 5).add_right(opaque<std::int64_t>(7), 1).add_right(123, 2).add(']').pad_to(0, 14).add('.');
  text_buffer<3> small;
  small.add("ab").add(std::int64_t{-34}).add("x").pad_to(0, 99);
  return says(t, "a 0 -9223372036854775808 9223372036854775807") && says(r, "[  -127123]    .") == false &&
         says(r, "[  -127123]   .") && says(small, "ab-");
})

TEST_BOTH("a rejection with all parts, with some, with none", {
  const rejection all{.why = reason::not_affine,
                      .at = place::weight,
                      .channel = 3,
                      .output_channel = opaque<std::int64_t>(4),
                      .tap = 5,
                      .code = -17,
                      .expected = 20,
                      .got = 21};
  return says(dytq::to_text(all),
              "not_affine at weight, channel 3, output channel 4, tap 5, code -17: expected 20, got 21 "
              "(map times weight is not affine)") &&
         says(dytq::to_text({.why = reason::empty}), "empty (there is nothing to work on)") &&
         says(dytq::to_text({.why = reason::table_size, .code = 1, .got = 2}),
              "table_size at code 1: got 2 (the table has the wrong number of entries)") &&
         says(dytq::to_text(rejection{}), "none (no objection)");
})

TEST_CASE("the longest rejection of every reason is whole") {
  for (int i = 0; i < static_cast<int>(reason::count_); ++i) {
    for (int s = 0; s < static_cast<int>(place::count_); ++s) {
      const std::int64_t v = INT64_MIN + 1;
      const auto t = dytq::to_text(rejection{static_cast<reason>(i), static_cast<place>(s), v, v, v, v, v, v});
      CHECK(t.data()[t.size() - 1] == ')');
      CHECK(t.size() < 352);
    }
  }
}

TEST_CASE("messages beside std::string") {
  const rejection why{.why = reason::empty, .at = place::weight};
  const std::string said = "empty at weight (there is nothing to work on)";
  CHECK(std::string("fold: ") + to_text(why) == "fold: " + said);
  CHECK(to_text(why) + std::string("!") == said + "!");
  std::string all = "a";
  all += dytq::to_text(why);
  CHECK(all == "a" + said);
  CHECK(std::string(dytq::to_text(why)) == said);
  const auto text = dytq::to_text(why);
  const std::string_view viewed = text;
  CHECK(viewed == said);
  // A view of a temporary would be left without its characters.
  CHECK(std::is_convertible_v<const text_buffer<384>&, std::string_view>);
  CHECK(!std::is_convertible_v<text_buffer<384>, std::string_view>);
}

TEST_BOTH("every reason says what its numbers are, or that it has none", {
  int with_numbers = 0;
  for (int i = 0; i < static_cast<int>(reason::count_); ++i) {
    const dytq::reason_numbers of = dytq::numbers(static_cast<reason>(opaque(i)));
    // What would pass is never said without what there is.
    if (of.got[0] == '\0' && of.expected[0] != '\0' && static_cast<reason>(i) != reason::no_rescale) {
      return false;
    }
    with_numbers += of.got[0] != '\0' ? 1 : 0;
  }
  return with_numbers > 30 && dytq::numbers(reason::count_).got[0] == '\0';
})

TEST_CASE("a plan of a chain as a table: stretches, the sum, what is not taken and why") {
  dytq::chain_plan p;
  p.count = 3;
  p.operators_before = 10;
  p.operators = 4;
  p.bytes_before = 999;
  p.bytes = 416;
  p.assumes_domain = true;
  p.stretches[0] = {.from = 0, .to = 4, .how = dytq::form::into_table, .steps = 1};
  p.stretches[1] = {.from = 4, .to = 10, .how = dytq::form::channel_tables, .clamps = true, .steps = 2, .tables = 16};
  p.stretches[2] = {.from = 0, .to = 4, .how = dytq::form::keep, .beside = true, .steps = 4};
  p.offers[static_cast<std::size_t>(dytq::form::line)].why = {.why = reason::no_line, .channel = 3, .code = 17};
  const auto t = dytq::to_text(p);
  CHECK(contains(t, "  steps 0 to 4    into_table             4 ->  1\n"));
  CHECK(contains(t, "  steps 4 to 10   channel_tables         6 ->  2  16 tables  and a CLAMP\n"));
  CHECK(contains(t, "  steps 0 to 4    keep                   4 ->  4  beside the chain\n"));
  CHECK(contains(t, "  all                                   10 ->  4  bytes 999 -> 416\n"));
  CHECK(contains(t, "  no line                 no_line at channel 3, code 17"));
  CHECK(contains(t, "assumes that only the codes named occur"));
  p.stretches[1].max_difference = 1;
  p.stretches[1].differ = 20;
  p.stretches[1].root_mean_square = {.numerator = 138, .shift = 10};  // 0.1347..., said as what it does not exceed
  CHECK(contains(dytq::to_text(p), "  at most 1 off, rms 0.135, 20 codes differ  and a CLAMP\n"));
}
