// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a graph over all images and holds every result against the network's expectation.
#ifndef DYTQ_DEMO_VERIFY_HPP
#define DYTQ_DEMO_VERIFY_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "network.hpp"
#include "run_graph.hpp"

namespace demo {

/// What a graph did with the images.
struct verification {
  std::int64_t logits = 0;     ///< compared
  std::int64_t identical = 0;  ///< of those
  std::int64_t tensors = 0;    ///< checksums compared
  std::int64_t tensors_identical = 0;
  accuracy train{0, 0};
  accuracy test{0, 0};
  std::vector<std::string> differences;  ///< the first few, in words
  std::int64_t difference_count = 0;

  bool ok() const { return difference_count == 0; }
  void differs(std::string text) {
    if (++difference_count <= 5) {
      differences.push_back(std::move(text));
    }
  }
};

/// How many images are run at once.
inline constexpr std::int64_t batch_size = 32;

/// The codes of so many images, or of those that are left, from the first on.
codes load(const network& net, std::int64_t first);

/// Runs all images; `with_tensors` also compares the tensors on the way, which a rewritten graph no longer has.
verification verify(const network& net, const graph& g, bool with_tensors);

}  // namespace demo

#endif
