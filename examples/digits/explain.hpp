// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rejection in a few words.
#ifndef DYTQ_DEMO_EXPLAIN_HPP
#define DYTQ_DEMO_EXPLAIN_HPP

#include <dytq/result.hpp>
#include <dytq/text.hpp>
#include <string>

namespace demo {

/// "not_affine at weight, channel 3, code -12: expected 5, got 6": the library's text up to what the reason means.
inline std::string explain(const dytq::rejection& why) {
  const std::string text = dytq::to_text(why).c_str();
  return text.substr(0, text.find(" ("));
}

}  // namespace demo

#endif
