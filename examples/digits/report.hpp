// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The demo's report: what became of each site, what the planner offers, and what each graph makes of the images.
#ifndef DYTQ_DEMO_REPORT_HPP
#define DYTQ_DEMO_REPORT_HPP

#include <dytq/table.hpp>

#include "network.hpp"

namespace demo {

/// Prints everything. `table_of_first_site` is what the compiler folded of alpha. Did every graph give every expected
/// logit, and did the compiler fold the same?
bool report(const network& net, const dytq::table8& table_of_first_site, bool plans_in_full);

}  // namespace demo

#endif
