// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a caller hands over, it is refused by name, and nothing is written.
#include "hostile.hpp"

#include <set>
#include <string>

#include "support/catch.hpp"

namespace hostile {

std::size_t check(const hostile_case* cases, std::size_t count) {
  static std::set<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const hostile_case& c = cases[i];
    INFO(c.on << ": " << c.what);
    CHECK(names.insert(std::string(c.on) + ": " + c.what).second);  // no case twice
    outputs to;
    const reason got = c.run(to, c.a, c.b);
    CHECK(std::string(dytq::name(got)) == dytq::name(c.why));
    if (c.why != reason::none) {
      CHECK(to.untouched());
    }
  }
  return count;
}

}  // namespace hostile

TEST_CASE("at least 200 hostile cases, each refused by name, none of which writes") {
  const std::size_t cases = hostile::check_scalars() + hostile::check_views() + hostile::check_tables() +
                            hostile::check_convolutions() + hostile::check_folds() + hostile::check_layers() +
                            hostile::check_functions() + hostile::check_bounded_folds();
  WARN(cases << " cases");
  CHECK(cases >= 200);
}
