// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The replay parser: whatever a stream says, each line that is not blank gets one answer, which is an object, and the
// same one again.
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz.hpp"
#include "replay/lines.hpp"

namespace {

std::string answers_to(const std::string& text) {
  std::istringstream input(text);
  std::ostringstream output;
  replay::answer_stream(input, output);
  return output.str();
}

std::size_t lines_of(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    count += replay::is_blank(text.substr(0, end)) ? 0U : 1U;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 16384) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string answers = answers_to(text);
  fuzz::require(lines_of(answers) == lines_of(text), "one answer for each line");
  for (std::size_t begin = 0; begin < answers.size();) {
    const std::size_t end = answers.find('\n', begin);
    fuzz::require(end != std::string::npos && answers[begin] == '{' && answers[end - 1] == '}',
                  "an answer is an object");
    begin = end + 1;
  }
  fuzz::require(answers_to(text) == answers, "the same answers again");
  return 0;
}
