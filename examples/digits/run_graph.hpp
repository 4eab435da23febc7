// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a graph over images with the library's reference operators. Whatever TOSA leaves undefined stops the run.
#ifndef DYTQ_DEMO_RUN_GRAPH_HPP
#define DYTQ_DEMO_RUN_GRAPH_HPP

#include <cstdint>
#include <dytq/view.hpp>
#include <functional>
#include <string>
#include <vector>

#include "graph.hpp"

namespace demo {

/// Codes of several images, [N, H, W, C].
struct codes {
  std::int64_t first_image = 0;
  std::int64_t images = 0;
  shape3 shape{};
  std::vector<std::int8_t> data;
};

/// Where a run stopped.
struct failure {
  std::string where;
  std::int64_t image = 0;  ///< the first of the batch, if the operator does not say which
  dytq::rejection why;
};

/// Is shown every tensor of a run: its name, the first image, how many images, the values [N, H, W, C].
using tensor_observer = std::function<void(const std::string& name, std::int64_t first_image, std::int64_t images,
                                           const std::vector<std::int32_t>& values)>;

/// Runs the graph over a batch of images, from their codes to the logits, which take the place of the codes.
dytq::verdict run(const graph& g, codes& x, const tensor_observer& seen, failure& at);

}  // namespace demo

#endif
