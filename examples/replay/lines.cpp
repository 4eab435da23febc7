// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lines.hpp"

#include "answer.hpp"
#include "operations.hpp"

namespace replay {

void answer_stream(std::istream& input, std::ostream& output) {
  constexpr std::size_t enough_to_write = std::size_t{1} << 20;
  replayer replayer;
  line_reader lines(input);
  std::string out;
  std::string_view line;
  const auto flush = [&] {
    if (!out.empty()) {
      output.write(out.data(), static_cast<std::streamsize>(out.size()));
      output.flush();
      out.clear();
    }
  };
  while (lines.next(line, flush)) {
    if (lines.too_long()) {
      out += "{";
      append_bad_input(out, "the line is longer than " + std::to_string(line_reader::longest_line) + " bytes");
      out += "}";
    } else {
      replayer.answer(line, out);
    }
    out += '\n';
    if (out.size() > enough_to_write) {
      flush();
    }
  }
  flush();
}

}  // namespace replay
