// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a line says, it is answered in kind, and the next one is answered as if nothing had happened.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "replay/lines.hpp"
#include "support/catch.hpp"

namespace {

using nlohmann::json;

struct hostile_line {
  std::string name;
  std::string answer;
  std::string text;
  std::string line;
};

// \xHH and <<text*N>>.
std::string expanded(const std::string& written) {
  std::string line;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written.compare(i, 2, "\\x") == 0) {
      line += static_cast<char>(std::stoi(written.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else if (written.compare(i, 2, "<<") == 0) {
      const std::size_t end = written.find(">>", i);
      const std::size_t times = written.rfind('*', end);
      const std::string text = written.substr(i + 2, times - i - 2);
      for (int n = std::stoi(written.substr(times + 1)); n > 0; --n) {
        line += text;
      }
      i = end + 1;
    } else {
      line += written[i];
    }
  }
  return line;
}

std::vector<hostile_line> hostile_lines() {
  std::ifstream file(DYTQ_HOSTILE);
  std::vector<hostile_line> lines;
  std::string row;
  while (std::getline(file, row)) {
    if (row.empty() || row[0] == '#') {
      continue;
    }
    std::string parts[3];
    for (std::string& part : parts) {
      const std::size_t bar = row.find('|');
      part = row.substr(0, bar);
      part.erase(part.find_last_not_of(' ') + 1);
      row.erase(0, bar + 1);
      row.erase(0, row.empty() ? 0 : 1);
    }
    lines.push_back({parts[0], parts[1], parts[2], expanded(row)});
  }
  return lines;
}

std::vector<std::string> answers_to(const std::string& text) {
  std::istringstream input(text);
  std::ostringstream output;
  replay::answer_stream(input, output);
  std::vector<std::string> answers;
  std::istringstream written(output.str());
  for (std::string line; std::getline(written, line);) {
    answers.push_back(line);
  }
  return answers;
}

const std::string good = R"({"id":"next","in":{"op":"ADD","a":40,"b":2}})";
const std::string good_answer = R"({"id":"next","out":42})";

// One answer, in JSON; then the good line's.
json answer_to(const std::string& line) {
  const std::vector<std::string> answers = answers_to(line + "\n" + good + "\n");
  REQUIRE(answers.size() == 2);
  CHECK(answers[1] == good_answer);
  json answer = json::parse(answers[0], nullptr, false);
  REQUIRE(answer.is_object());
  CHECK(answer.contains("out") != answer.contains("reject"));
  return answer;
}

// A right line for each operation.
const char* const right_lines[] = {
    R"({"op":"MULTIPLIER","dialect":"executorch","width":32,"scale_bits":"0x3ff0000000000000"})",
    R"({"op":"RESCALE","in_t":"i8","out_t":"i8","value":5,"input_zp":0,"output_zp":0,"multiplier":1073741824,
        "shift":30,"scale32":true,"per_channel":false,"input_unsigned":false,"output_unsigned":false})",
    R"({"op":"RESCALE","in_t":"i8","out_t":"i8","value":[5,6],"shape":[1,2],"input_zp":0,"output_zp":0,
        "multiplier":[1073741824,1073741824],"shift":[30,30],"scale32":true,"per_channel":true,"input_unsigned":false,
        "output_unsigned":false})",
    R"({"op":"MUL","in_t":"i32","a":6,"b":7,"shift":0})",
    R"({"op":"ADD","a":40,"b":2})",
    R"({"op":"TABLE","in_t":"i8","table":"256","value":[1,2]})",
    R"({"op":"CONV2D","input_shape":[1,2,2,1],"weight_shape":[1,2,2,1],"output_shape":[1,1,1,1],"pad":[0,0,0,0],
        "stride":[1,1],"dilation":[1,1],"input_zp":0,"weight_zp":0,"input":[1,2,3,4],"weight":[1,2,3,4],"bias":[5]})",
    R"({"op":"DEPTHWISE_CONV2D","input_shape":[1,2,2,1],"weight_shape":[2,2,1,1],"output_shape":[1,1,1,1],
        "pad":[0,0,0,0],"stride":[1,1],"dilation":[1,1],"input_zp":0,"weight_zp":0,"input":[1,2,3,4],
        "weight":[1,2,3,4],"bias":[5]})",
    R"({"op":"TRANSPOSE_CONV2D","input_shape":[1,2,2,1],"weight_shape":[1,2,2,1],"output_shape":[1,3,3,1],
        "out_pad":[0,0,0,0],"stride":[1,1],"input_zp":0,"weight_zp":0,"input":[1,2,3,4],"weight":[1,2,3,4],
        "bias":[5]})",
    R"({"op":"FOLD_ALPHA","table":"256","alpha":1,"rescale":"steps"})",
    R"({"op":"FOLD_ALPHA","function":"tanh","alpha":1,"rescale":"steps","function_in":{"scale_bits":
        "0x3f94de40a0000000","zp":0,"qmin":-128,"qmax":127},"function_out":{"scale_bits":"0x3f80000000000000","zp":0,
        "qmin":-128,"qmax":127}})",
    R"({"op":"LUT","function":"exp","numerics":"exact","bits":16,"alpha_bits":"0x3ff0000000000000","shift_bits":
        "0x0000000000000000","function_in":{"scale_bits":"0x3f14de40a0000000","zp":0,"qmin":-32768,"qmax":32767},
        "function_out":{"scale_bits":"0x3f00000000000000","zp":0,"qmin":-32768,"qmax":32767}})",
    R"({"op":"FOLD_AFFINE","table":"256","table_zp":0,"gamma":[1],"beta":[0],"rescale":"steps","conv":"conv"})",
    R"({"op":"PLAN_AFFINE","table":"256","table_zp":0,"gamma":[1],"beta":[0],"rescale":"steps","conv":"conv"})",
    R"({"op":"CHANNEL_TABLES","table":"256","gamma":[1],"beta":[0],"rescale":"steps"})",
    R"({"op":"FIT_RESCALE","in_t":"i8","out_t":"i8","input_unsigned":false,"output_unsigned":false,"input_zp":0,
        "output_zp":0,"rounding_mode":"SINGLE_ROUND","codes":[1,2],"values":[1,2]})",
};

json right_line(const char* text) {
  json in = json::parse(text);
  if (in.contains("table")) {
    in["table"] = json::array();
    for (int code = -128; code < 128; ++code) {
      in["table"].push_back(code);
    }
  }
  if (in.contains("rescale")) {
    in["rescale"] = json::object();
    for (const char* name :
         {"activation", "alpha", "mul_out", "table", "gamma", "gamma_out", "add_in", "beta", "add_out"}) {
      const std::string step = name;
      in["rescale"][step] = {{"multiplier", 1 << 30},
                             {"shift", 30},
                             {"input_zp", 0},
                             {"output_zp", 0},
                             {"out", step.ends_with("_out") ? "i8" : "i32"}};
    }
    const bool has_alpha = in["op"] == "FOLD_ALPHA";
    for (const char* name : {"table", "gamma", "gamma_out", "add_in", "beta", "add_out"}) {
      if (has_alpha) {
        in["rescale"].erase(name);
      }
    }
    for (const char* name : {"activation", "alpha", "mul_out"}) {
      if (!has_alpha) {
        in["rescale"].erase(name);
      }
    }
  }
  if (in.contains("conv")) {
    in["conv"] = json::parse(R"({"weight":[1],"weight_shape":[1,1,1,1],"weight_zp":[0],"weight_range":[-127,127],
        "bias":null,"groups":1,"input_zp":0,"pad":[0,0,0,0],"stride":[1,1],"dilation":[1,1],"input_hw":[1,1]})");
  }
  return in;
}

bool is_rejected(const json& in) { return answer_to(json{{"in", in}}.dump()).contains("reject"); }

// Every place of a line: the members of `at` and of all that it contains, but only the first elements of a list.
template <class F>
void for_each_place(const json::json_pointer& at, const json& v, F f) {
  if (v.is_object()) {
    for (const auto& [key, member] : v.items()) {
      f(at / key);
      for_each_place(at / key, member, f);
    }
  } else if (v.is_array() && !v.empty()) {
    f(at / 0);
    for_each_place(at / 0, v[0], f);
  }
}

}  // namespace

TEST_CASE("replay: hostile lines are answered in kind") {
  const std::vector<hostile_line> lines = hostile_lines();
  REQUIRE(lines.size() >= 60);
  for (const hostile_line& h : lines) {
    INFO(h.name);
    if (h.answer == "nothing") {
      CHECK(answers_to(h.line + "\n" + good + "\n") == std::vector{good_answer});
      continue;
    }
    const json answer = answer_to(h.line);
    INFO(answer.dump().substr(0, 500));
    if (h.answer == "out") {
      CHECK(answer.contains("out"));
    } else {
      CHECK(answer.value("reject", "") == h.answer);
      CHECK(answer.value("text", "").find(h.text) != std::string::npos);
      CHECK(answer.value("text", "").size() < 400);
    }
  }
}

TEST_CASE("replay: the hostile lines as one stream, each with the next one's answer in its place") {
  std::string stream;
  std::size_t expected = 0;
  for (const hostile_line& h : hostile_lines()) {
    stream += h.line + "\n" + good + "\n";
    expected += h.answer == "nothing" ? 1u : 2u;
  }
  const std::vector<std::string> answers = answers_to(stream);
  CHECK(answers.size() == expected);
  CHECK(static_cast<std::size_t>(std::count(answers.begin(), answers.end(), good_answer)) >= hostile_lines().size());
}

TEST_CASE("replay: a right line without one of its keys is refused, and the key is named") {
  for (const char* text : right_lines) {
    const json in = right_line(text);
    INFO(in.dump().substr(0, 200));
    REQUIRE(!is_rejected(in));
    for_each_place(json::json_pointer(), in, [&](const json::json_pointer& place) {
      json changed = in;
      if (changed[place.parent_pointer()].is_object()) {
        changed[place.parent_pointer()].erase(place.back());
        const json answer = answer_to(json{{"in", changed}}.dump());
        INFO(place.to_string());
        CHECK(answer.value("reject", "") == "bad_input");
        CHECK(answer.value("text", "").find("'" + place.back() + "'") != std::string::npos);
      }
    });
  }
}

TEST_CASE("replay: a right line with a value of another kind in one place is answered, mostly by a refusal") {
  const json others = json::parse(R"([null, true, 0.5, "text", [], {}, [[1]], -9223372036854775808, 9223372036854775807,
      18446744073709551615, -1, 0, 1, 128, 65536, 2147483647, -2147483648])");
  int refused = 0;
  int answered = 0;
  for (const char* text : right_lines) {
    const json in = right_line(text);
    for_each_place(json::json_pointer(), in, [&](const json::json_pointer& place) {
      for (const json& other : others) {
        json changed = in;
        changed[place] = other;
        INFO(place.to_string() << " = " << other.dump());
        (is_rejected(changed) ? refused : answered) += 1;
        // A number is no text, a list is no number: only these kinds may meet.
        if (other.is_string() || other.is_object() || other.is_number_float()) {
          CHECK(is_rejected(changed));
        }
      }
    });
  }
  CHECK(refused > 4 * answered);
}
