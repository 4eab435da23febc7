// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites the Dynamic Tanh layers of a quantized network, and shows on real images that not one logit changes.
//
//   dytq_demo           the report
//   dytq_demo --plans   also the planner's table of each site, with every counter-example
//
// Exit status: 0 if every graph gives every expected logit, else 1.
#include <cstdio>
#include <cstring>

#include "compile_time.hpp"
#include "network_data.hpp"
#include "report.hpp"

int main(int argc, char** argv) {
  const bool plans = argc == 2 && std::strcmp(argv[1], "--plans") == 0;
  if (argc > 1 && !plans) {
    std::fprintf(stderr, "usage: %s [--plans]\n", argv[0]);
    return 2;
  }
  return demo::report(demo::the_network, demo::folded_by_compiler, plans) ? 0 : 1;
}
