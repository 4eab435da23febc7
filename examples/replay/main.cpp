// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dytq_replay: answers lines of the replay format, or checks answers.
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "check.hpp"
#include "lines.hpp"

namespace {

constexpr std::string_view help = R"(usage: dytq_replay [FILE]
       dytq_replay --check EXPECTED [FILE]

Answers JSON Lines: {"in": {"op": ...}} with {"out": ...}, or with {"reject": ...}, where and why. One answer a line, in
the order of the input. Without FILE, or with -, the input is standard input. A top-level "id" is copied.

--check  compares with the answers in EXPECTED and prints a summary and the first differences. FILE holds either lines to
         answer or finished answers (lines without "in"); without FILE, the lines of EXPECTED themselves are answered.

Exit status: 0, whatever is refused; with --check, 1 if there are differences; 2 if a file cannot be read or the
arguments are wrong.
)";

int fail(const std::string& what) {
  std::cerr << "dytq_replay: " << what << "\n";
  return 2;
}

// Standard input, or a file that is opened into `file`.
std::istream* open(const std::string& name, std::ifstream& file) {
  if (name == "-") {
    return &std::cin;
  }
  file.open(name, std::ios::binary);
  // A directory opens on some systems, and then cannot be read.
  return file && (file.peek(), !file.bad()) ? (file.clear(), &file) : nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::string files[2];  // input, expected
  bool given[2] = {false, false};
  bool expect_file = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::cout << help;
      return 0;
    }
    if (argument == "--check" && !given[1] && !expect_file) {
      expect_file = true;
      continue;
    }
    if (argument.size() > 1 && argument[0] == '-') {
      return fail("unknown option " + std::string(argument) + "; see --help");
    }
    const std::size_t which = expect_file ? 1 : 0;
    if (given[which]) {
      return fail("more than one file; see --help");
    }
    files[which] = argument;
    given[which] = true;
    expect_file = false;
  }
  if (expect_file) {
    return fail("--check needs a file; see --help");
  }
  std::ifstream input_file;
  std::istream* input = nullptr;
  if (!given[1] || given[0]) {
    input = open(given[0] ? files[0] : "-", input_file);
    if (input == nullptr) {
      return fail("cannot read " + files[0]);
    }
  }
  if (!given[1]) {
    replay::answer_stream(*input, std::cout);
    return std::cout ? 0 : fail("standard output cannot be written");
  }
  std::ifstream expected_file;
  std::istream* const expected = open(files[1], expected_file);
  if (expected == nullptr) {
    return fail("cannot read " + files[1]);
  }
  if (expected == input) {
    return fail("standard input cannot be both the input and the expected answers");
  }
  const replay::check_summary summary = replay::check(*expected, input);
  summary.print(std::cout);
  return summary.differences == 0 ? 0 : 1;
}
