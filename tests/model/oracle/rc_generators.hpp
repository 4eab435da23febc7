// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rapidcheck generators over generators.hpp: a seed is drawn, the value is made from it. Nothing shrinks: a failing
// input is printed as it is.
#ifndef DYTQ_TESTS_ORACLE_RC_GENERATORS_HPP
#define DYTQ_TESTS_ORACLE_RC_GENERATORS_HPP

#include <rapidcheck.h>

#include "generators.hpp"

namespace oracle {

// Seeds of all sizes at every step of a run: a small seed is no simpler than a large one.
inline rc::Gen<std::uint64_t> any_seed() {
  return rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
}

// rc::Gen of whatever `make(source&)` makes.
template <class F>
auto generated(F make) {
  return rc::gen::noShrink(rc::gen::map(any_seed(), [make](std::uint64_t seed) {
    source s(seed);
    return make(s);
  }));
}

inline rc::Gen<integer> any_int32() {
  return generated([](source& s) { return int32_value(s); });
}
inline rc::Gen<integer> any_int48() {
  return generated([](source& s) { return int48_value(s); });
}
inline rc::Gen<integer> any_int8() {
  return generated([](source& s) { return int8_value(s); });
}
inline rc::Gen<integer> any_multiplier() {
  return generated([](source& s) { return multiplier_value(s); });
}
inline rc::Gen<integer> any_shift() {
  return generated([](source& s) { return shift_value(s); });
}
inline rc::Gen<double> any_scale() {
  return generated([](source& s) { return scale_value(s); });
}
inline rc::Gen<integer> any_near_tie(integer multiplier, integer shift) {
  return generated([=](source& s) { return near_tie(s, multiplier, shift); });
}
inline rc::Gen<rescale_case> any_rescale() {
  return generated([](source& s) { return rescale_value(s); });
}
inline rc::Gen<alpha_site> any_alpha_site() {
  return generated([](source& s) { return alpha_value(s); });
}
inline rc::Gen<fit_case> any_fit() {
  return generated([](source& s) { return fit_value(s); });
}
inline rc::Gen<site> any_site(site_options options = {}) {
  return generated([=](source& s) { return site_value(s, options); });
}

// Printed by rapidcheck for a failing case.
inline void showValue(const site& s, std::ostream& os) { os << to_json(s); }  // NOLINT: rapidcheck's name

}  // namespace oracle

#endif  // DYTQ_TESTS_ORACLE_RC_GENERATORS_HPP
