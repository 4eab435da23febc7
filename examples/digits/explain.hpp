// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rejection in words.
#ifndef DYTQ_DEMO_EXPLAIN_HPP
#define DYTQ_DEMO_EXPLAIN_HPP

#include <cstdint>
#include <dytq/result.hpp>
#include <string>

namespace demo {

/// "not_affine at weight, channel 3, code -12: expected 5, got 6": the reason's name, the place, the counter-example.
inline std::string explain(const dytq::rejection& why) {
  std::string text = dytq::name(why.why);
  if (why.at != dytq::step::none) {
    text += std::string(" at ") + dytq::name(why.at);
  }
  const auto part = [&](const char* before, std::int64_t value) {
    if (value != dytq::unset) {
      text += before + std::to_string(value);
    }
  };
  part(", channel ", why.channel);
  part(", output channel ", why.output_channel);
  part(", tap ", why.tap);
  part(", code ", why.code);
  part(": expected ", why.expected);
  part(why.expected == dytq::unset ? ": got " : ", got ", why.got);
  return text;
}

}  // namespace demo

#endif
