// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.hpp"

#include <algorithm>
#include <iomanip>

#include "lines.hpp"
#include "operations.hpp"

namespace replay {
namespace {

std::string beginning(std::string_view text) {
  constexpr std::size_t longest = 300;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

// The members that say what is asked for or answered, without the rest of the line.
std::string essence(const value& line) {
  std::string text;
  for (const char* key : {"out", "reject", "reason", "text", "step", "channel", "output_channel", "tap", "axis", "code",
                          "expected", "got"}) {
    if (const auto member = line.find(key)) {
      text += text.empty() ? "" : " ";
      text += key + std::string(" ");
      member->write(text);
    }
  }
  return beginning(text.empty() ? "neither out nor reject" : text);
}

std::string operation_name(const value& line) {
  const auto in = line.find("in");
  const auto op = in && in->is_object() ? in->find("op") : std::nullopt;
  return op && op->is_string() ? shortened(op->string()) : "?";
}

std::string text_of(const value& v) {
  std::string text;
  v.write(text);
  return beginning(text);
}

// Where an answer first leaves what is expected, down to the element of a list.
std::string first_difference(const value& expected, const value& got, std::string path) {
  std::string deeper;
  if (expected.is_object() && got.is_object() && !expected.find("reject") && !got.find("reject")) {
    expected.for_each([&](const value& member) {
      const auto other = got.find(member.key());
      const std::string inside = path + "." + std::string(member.key());
      if (deeper.empty() && other && !meets(member, *other)) {
        deeper = first_difference(member, *other, inside);
      } else if (deeper.empty() && !other && !(member.is_object() && member.find("reject"))) {
        deeper = inside + " is missing";
      }
    });
  } else if (expected.is_array() && got.is_array()) {
    if (expected.size() != got.size()) {
      return path + ": expected " + std::to_string(expected.size()) + " entries, got " + std::to_string(got.size());
    }
    std::vector<value> others;
    got.for_each([&](const value& v) { others.push_back(v); });
    std::size_t i = 0;
    expected.for_each([&](const value& v) {
      if (deeper.empty() && !meets(v, others[i])) {
        deeper = first_difference(v, others[i], path + "[" + std::to_string(i) + "]");
      }
      ++i;
    });
  }
  return deeper.empty() ? path + ": expected " + text_of(expected) + ", got " + text_of(got) : deeper;
}

// What is wrong with an answer to an expected line; empty: nothing.
std::string difference(const value& expected, const value& answer) {
  const auto expected_id = expected.find("id");
  const auto id = answer.find("id");
  if (expected_id && id && !(*expected_id == *id)) {
    return "id: expected " + text_of(*expected_id) + ", got " + text_of(*id);
  }
  if (line_met(expected, answer)) {
    return "";
  }
  const auto out = expected.find("out");
  const auto got = answer.find("out");
  if (out && got) {
    return first_difference(*out, *got, "out");
  }
  return "expected " + essence(expected) + "\n  got " + essence(answer);
}

}  // namespace

bool meets(const value& expected, const value& got) {
  if (!expected.is_object()) {
    return expected == got;
  }
  if (expected.find("reject")) {
    return got.is_null() || got.is_false() || (got.is_object() && got.find("reject"));
  }
  if (!got.is_object() || got.find("reject")) {
    return false;
  }
  bool met = true;
  expected.for_each([&](const value& member) {
    const auto other = got.find(member.key());
    met = met && (other ? meets(member, *other) : member.is_object() && member.find("reject"));
  });
  return met;
}

bool line_met(const value& expected, const value& answer) {
  if (expected.find("reject")) {
    return answer.find("reject").has_value();
  }
  const auto out = expected.find("out");
  const auto got = answer.find("out");
  return out && got && !answer.find("reject") && meets(*out, *got);
}

void check_summary::print(std::ostream& out) const {
  std::size_t lines = 0;
  for (const auto& [name, lines_of] : operations) {
    out << std::left << std::setw(20) << name << std::right << std::setw(8) << lines_of.met << " of " << std::setw(8)
        << lines_of.lines << " lines met\n";
    lines += lines_of.lines;
  }
  out << std::left << std::setw(20) << "all" << std::right << std::setw(8) << lines - std::min(lines, differences)
      << " of " << std::setw(8) << lines << " lines met\n";
  for (const std::string& text : first) {
    out << text << "\n";
  }
  if (differences > first.size()) {
    out << "and " << differences - first.size() << " more differences\n";
  }
}

check_summary check(std::istream& expected, std::istream* input) {
  check_summary summary;
  line_reader expected_lines(expected);
  line_reader input_lines(input == nullptr ? expected : *input);
  replayer replayer;
  document asked;
  document wanted;
  document answered;
  std::string answer;
  std::string_view expected_line;
  std::string_view input_line;
  while (expected_lines.next(expected_line)) {
    std::string what;
    std::string name = "?";
    try {
      const bool has_answer = input == nullptr || input_lines.next(input_line);
      wanted.parse(expected_line);
      name = operation_name(wanted.root());
      if (!has_answer) {
        throw bad_input("no answer: the input has ended");
      }
      const std::string_view line = input == nullptr ? expected_line : input_line;
      asked.parse(line);
      if (!asked.root().find("in") && input != nullptr) {
        answer = line;
      } else {
        name = operation_name(asked.root());
        answer.clear();
        replayer.answer(line, answer);
      }
      answered.parse(answer);
      what = difference(wanted.root(), answered.root());
    } catch (const bad_input& e) {
      what = e.text;
    }
    check_summary::tally& tally = summary.operations[name];
    ++tally.lines;
    tally.met += what.empty() ? 1u : 0u;
    if (!what.empty() && ++summary.differences <= check_summary::reported) {
      summary.first.push_back("line " + std::to_string(expected_lines.number()) + ", " + name + ": " + what);
    }
  }
  if (input != nullptr) {
    std::size_t more = 0;
    while (input_lines.next(input_line)) {
      ++more;
    }
    if (more != 0) {
      ++summary.differences;
      summary.first.push_back("the input has more lines than there are expected answers: " + std::to_string(more));
    }
  }
  return summary;
}

}  // namespace replay
