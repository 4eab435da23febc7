// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/result.hpp>

#include <cstdint>
#include <string_view>

#include "support/both_worlds.hpp"

using dytq::place;
using dytq::reason;
using dytq::reason_class;
using dytq::rejection;
using dytq::result;
using dytq_tests::opaque;

namespace {

constexpr int reason_count = static_cast<int>(reason::count_);
constexpr int step_count = static_cast<int>(place::count_);

// A name that programs may print, parse and compare: lower case, digits, underscores.
constexpr bool is_identifier(std::string_view s) {
  if (s.empty() || s.front() == '_' || s.back() == '_')
    return false;
  for (const char c : s) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  }
  return true;
}

constexpr result<int> positive(int v) {
  if (v > 0)
    return v;
  return rejection{.why = reason::scale_not_positive, .at = place::alpha, .channel = 3, .expected = 1, .got = v};
}

}  // namespace

TEST_BOTH("every reason has a name, a class and a text, all names differ", {
  for (int i = 0; i < reason_count; ++i) {
    const dytq::reason_info info = dytq::describe(static_cast<reason>(opaque(i)));
    if (!is_identifier(info.name) || std::string_view(info.text).empty())
      return false;
    if (std::string_view(info.name) == "unknown")
      return false;
    if ((info.kind == reason_class::none) != (i == 0))
      return false;
    if (!is_identifier(dytq::name(info.kind)))
      return false;
    if (dytq::name(static_cast<reason>(i)) != std::string_view(info.name))
      return false;
    for (int j = 0; j < i; ++j) {
      if (std::string_view(info.name) == dytq::name(static_cast<reason>(j)))
        return false;
    }
  }
  return true;
})

TEST_BOTH("every step but none has a name, all names differ", {
  for (int i = 0; i < step_count; ++i) {
    const std::string_view name = dytq::name(static_cast<place>(opaque(i)));
    if (i == 0 ? !name.empty() : !is_identifier(name) || name == "unknown")
      return false;
    for (int j = 0; j < i; ++j) {
      if (name == dytq::name(static_cast<place>(j)))
        return false;
    }
  }
  return true;
})

TEST_CASE("values that no enumerator names are answered too") {
  DYTQ_CHECK_BOTH(dytq::name(static_cast<reason>(255)) == std::string_view("unknown"));
  DYTQ_CHECK_BOTH(dytq::name(reason::count_) == std::string_view("unknown"));
  DYTQ_CHECK_BOTH(dytq::name(static_cast<place>(255)) == std::string_view("unknown"));
  DYTQ_CHECK_BOTH(dytq::name(opaque(place::count_)) == std::string_view("unknown"));
  DYTQ_CHECK_BOTH(dytq::name(static_cast<reason_class>(255)) == std::string_view("unknown"));
}

TEST_CASE("the classes are the specification's words") {
  DYTQ_CHECK_BOTH(dytq::describe(reason::scale_negative).kind == reason_class::bad_scale);
  DYTQ_CHECK_BOTH(dytq::describe(reason::value_exceeds_shift).kind == reason_class::unpredictable);
  DYTQ_CHECK_BOTH(dytq::describe(reason::accumulator_overflow).kind == reason_class::unpredictable);
  DYTQ_CHECK_BOTH(dytq::describe(reason::inexact_round).kind == reason_class::error);
  DYTQ_CHECK_BOTH(dytq::describe(reason::contradiction).kind == reason_class::bad_argument);
  DYTQ_CHECK_BOTH(dytq::describe(reason::undecided).kind == reason_class::undecided);
  DYTQ_CHECK_BOTH(dytq::describe(reason::not_affine).kind == reason_class::no_fold);
}

TEST_CASE("a result is a value or a rejection") {
  DYTQ_CHECK_BOTH(positive(opaque(7)).has_value() && positive(opaque(7)));
  DYTQ_CHECK_BOTH(positive(opaque(7)).value() == 7 && *positive(opaque(7)) == 7);
  DYTQ_CHECK_BOTH(positive(opaque(7)).error() == rejection{} && positive(opaque(7)).error().why == reason::none);
  DYTQ_CHECK_BOTH(positive(opaque(7)).value_or(1) == 7);

  DYTQ_CHECK_BOTH(!positive(opaque(-7)).has_value() && !positive(opaque(-7)));
  DYTQ_CHECK_BOTH(positive(opaque(-7)).value_or(1) == 1);
  DYTQ_CHECK_BOTH(
      positive(opaque(-7)).error() ==
      rejection{.why = reason::scale_not_positive, .at = place::alpha, .channel = 3, .expected = 1, .got = -7});
  DYTQ_CHECK_BOTH(result<int>(reason::padding).error() == rejection{.why = reason::padding});
}

TEST_CASE("what does not apply in a rejection is unset") {
  DYTQ_CHECK_BOTH(rejection{}.at == place::none && rejection{}.channel == dytq::unset);
  DYTQ_CHECK_BOTH(rejection{}.output_channel == dytq::unset && rejection{}.tap == dytq::unset);
  DYTQ_CHECK_BOTH(rejection{}.code == dytq::unset && rejection{}.expected == dytq::unset &&
                  rejection{}.got == dytq::unset);
}

TEST_BOTH("members of the value are reached by an arrow", {
  struct pair {
    int a = 0;
    int b = 0;
  };
  const result<pair> r = pair{1, opaque(2)};
  return r->a == 1 && r->b == 2;
})

TEST_CASE("a verdict says yes or no") {
  DYTQ_CHECK_BOTH(dytq::verdict(dytq::accepted{}).has_value());
  DYTQ_CHECK_BOTH(dytq::verdict(reason::not_identity).error().why == reason::not_identity);
}
