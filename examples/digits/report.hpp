// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The demo's report: what became of each site, what the planner offers, and what each graph makes of the images.
#ifndef DYTQ_DEMO_REPORT_HPP
#define DYTQ_DEMO_REPORT_HPP

#include <dytq/fold.hpp>
#include <dytq/result.hpp>

#include "network.hpp"

namespace demo {

/// Prints everything. `by_compiler` is what the compiler made of the first site's alpha. Did every graph give every
/// expected logit, and did the compiler fold the same?
bool report(const network& net, const dytq::result<dytq::folded_table>& by_compiler, bool plans_in_full);

}  // namespace demo

#endif
