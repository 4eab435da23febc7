// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program around the operations: files and standard input, order and ids, line ends, --check.
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "replay/check.hpp"
#include "replay/lines.hpp"
#include "support/catch.hpp"

namespace {

// One text of several. (operator+ makes g++ 12 warn of overlaps that are not there.)
template <class... Part>
std::string joined(const Part&... parts) {
  std::string text;
  (text.append(parts), ...);
  return text;
}

std::string file_name(const std::string& name) { return joined(DYTQ_REPLAY_WORK, "/", name); }
std::string quoted(const std::string& name) { return joined("'", name, "'"); }

std::string write_file(const std::string& name, const std::string& text) {
  std::ofstream(file_name(name), std::ios::binary) << text;
  return quoted(file_name(name));
}

struct run_result {
  int status = -1;
  std::string out;
  std::string err;
};

std::string read_file(const std::string& name) {
  std::ifstream file(file_name(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The program with these arguments; a redirection may be one of them.
run_result run(const std::string& arguments) {
  const std::string command =
      joined(quoted(DYTQ_REPLAY), " ", arguments, " > ", quoted(file_name("out")), " 2> ", quoted(file_name("err")));
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file("out"), read_file("err")};
}

std::string answered(const std::string& text) {
  std::istringstream input(text);
  std::ostringstream output;
  replay::answer_stream(input, output);
  return output.str();
}

const std::string add = R"("in":{"op":"ADD","a":1,"b":2})";

const std::string vectors =
    "{\"in\":{\"op\":\"ADD\",\"a\":1,\"b\":2},\"out\":3}\n"
    "{\"in\":{\"op\":\"ADD\",\"a\":2147483647,\"b\":2},\"reject\":\"unpredictable\"}\n"
    "{\"in\":{\"op\":\"MUL\",\"in_t\":\"i32\",\"a\":6,\"b\":7,\"shift\":0},\"out\":42}\n";

}  // namespace

TEST_CASE("replay: any id is copied, and the order is kept") {
  for (const char* id : {"7", "-1", "0", "1.50", "1e400000", "123456789012345678901234567890", "\"a\\\"b\\u00e9\"",
                         "null", "true", "[]", "{}", "[1,[2,{\"x\":null}]]", "{\"b\":1,\"a\":2}", "\"\""}) {
    INFO(id);
    const std::string text = id;
    const std::string out = answered(joined("{\"id\":", text, ",", add, "}\n{", add, ",\"id\":", text, "}\n"));
    const std::string expected = text == "\"a\\\"b\\u00e9\"" ? "\"a\\\"b\xc3\xa9\"" : text;
    if (text == "1e400000") {  // valid JSON, but no double: refused as a whole
      CHECK(out.find("bad_input") != std::string::npos);
    } else {
      const std::string one = joined("{\"id\":", expected, ",\"out\":3}\n");
      CHECK(out == joined(one, one));
    }
  }
  std::string in;
  std::string out;
  for (int i = 0; i < 10000; ++i) {
    const std::string id = joined("{\"id\":", std::to_string(i), ",");
    const std::string n = std::to_string(i * 7 % 10000);
    in += joined(id, "\"in\":{\"op\":\"ADD\",\"a\":", n, ",\"b\":0}}\n");
    out += joined(id, "\"out\":", n, "}\n");
  }
  CHECK(answered(in) == out);
}

TEST_CASE("replay: a refusal keeps the id, even of a line that ends too early") {
  CHECK(answered(R"({"id":5,"in":{"op":"ADD"}})").starts_with(R"({"id":5,"reject":"bad_input","text":)"));
  CHECK(answered(R"({"id":[5],"in":{"op":"ADD","a":1e999)").starts_with(R"({"id":[5],"reject":"bad_input","text":)"));
  CHECK(answered(R"({"id":[5,)").starts_with(R"({"reject":"bad_input","text":)"));
  CHECK(answered(R"({"in":{"op":"ADD","id":5}})").starts_with(R"({"reject":"bad_input","text":)"));
}

TEST_CASE("replay: a refusal says why and where") {
  CHECK(answered(R"({"in":{"op":"ADD","a":2147483647,"b":1}})") ==
        R"({"reject":"unpredictable","reason":"add_overflow","text":"the sum does not fit 32 bits",)"
        R"("code":2147483647,"expected":2147483647,"got":2147483648})"
        "\n");
}

TEST_CASE("replay: line ends, and the last line without one") {
  const std::string line = joined("{", add, "}");
  const std::string two = "{\"out\":3}\n{\"out\":3}\n";
  CHECK(answered(line + "\n" + line + "\n") == two);
  CHECK(answered(line + "\r\n" + line + "\r\n") == two);
  CHECK(answered(line + "\n" + line) == two);
  CHECK(answered(joined("\n\r\n", line, "\n\n  \n", line, "\n\n")) == two);
  CHECK(answered("").empty());
  CHECK(answered("\n \n").empty());
}

TEST_CASE("replay: a line that is too long is refused, and the next one answered") {
  const std::string line = joined("{", add, "}");
  const std::string longest = line + std::string(replay::line_reader::longest_line - line.size(), ' ');
  const std::string out = answered(longest + "\n" + longest + " \n" + line + "\n");
  CHECK(out.starts_with("{\"out\":3}\n{\"reject\":\"bad_input\",\"text\":\"the line is longer"));
  CHECK(out.ends_with("}\n{\"out\":3}\n"));
}

TEST_CASE("replay: from a file, from standard input, and with exit status 0 whatever is refused") {
  const std::string file = write_file("in.jsonl", joined("{", add, "}\nnonsense\n{", add, ",\"id\":2}\n"));
  const run_result from_file = run(file);
  CHECK(from_file.status == 0);
  CHECK(from_file.err.empty());
  CHECK(from_file.out.starts_with("{\"out\":3}\n{\"reject\":\"bad_input\""));
  CHECK(from_file.out.ends_with("}\n{\"id\":2,\"out\":3}\n"));
  for (const std::string& arguments : {joined("< ", file), joined("- < ", file)}) {
    const run_result from_stdin = run(arguments);
    CHECK(from_stdin.status == 0);
    CHECK(from_stdin.out == from_file.out);
  }
}

TEST_CASE("replay: answers go out before more input is waited for") {
  // A script writes a line, reads the answer, and only then writes the next line, with the answer as its id.
  const std::string script =
      write_file("ask.sh", joined("rm -f pipe && mkfifo pipe && { echo '{", add,
                                  "}'; read -r answer < pipe; echo \"{\\\"id\\\":$answer,\"'", add,
                                  "}'; } | \"$1\" | { read -r answer; echo \"$answer\" > pipe; cat > told; }\n"));
  const std::string command =
      joined("cd ", quoted(DYTQ_REPLAY_WORK), " && timeout 20 sh ", script, " ", quoted(DYTQ_REPLAY));
  CHECK(std::system(command.c_str()) == 0);
  CHECK(read_file("told") == "{\"id\":{\"out\":3},\"out\":3}\n");
}

TEST_CASE("replay: arguments") {
  const run_result help = run("--help");
  CHECK(help.status == 0);
  CHECK(help.out.starts_with("usage: dytq_replay"));
  CHECK(run("--nonsense").status == 2);
  CHECK(run("--check").status == 2);
  CHECK(run("one two").status == 2);
  CHECK(run(quoted(file_name("no such file"))).status == 2);
  CHECK(run(joined("--check ", quoted(file_name("no such file")))).status == 2);
  CHECK(run(quoted(DYTQ_REPLAY_WORK)).status == 2);  // a directory
}

TEST_CASE("replay: --check finds what differs") {
  const std::string right = write_file("right.jsonl", vectors);
  const run_result met = run(joined("--check ", right));
  CHECK(met.status == 0);
  CHECK(met.out.find("3 of        3 lines met") != std::string::npos);

  std::string text = vectors;
  text.replace(text.find("\"out\":42"), 8, "\"out\":43");
  text.replace(text.find("\"out\":3}"), 8, "\"reject\":\"error\"}");
  const run_result differs = run(joined("--check ", write_file("wrong.jsonl", text)));
  CHECK(differs.status == 1);
  CHECK(differs.out.find("line 1, ADD: expected reject \"error\"\n  got out 3") != std::string::npos);
  CHECK(differs.out.find("line 3, MUL: out: expected 43, got 42") != std::string::npos);
  CHECK(differs.out.find("1 of        3 lines met") != std::string::npos);
}

TEST_CASE("replay: --check compares answers that were made elsewhere") {
  const std::string right = write_file("right.jsonl", vectors);
  const std::string answers = write_file("answers.jsonl", "{\"out\":3}\n{\"reject\":\"any\"}\n{\"out\":42,\"ns\":7}\n");
  CHECK(run(joined("--check ", right, " ", answers)).status == 0);
  CHECK(run(joined(answers, " --check ", right)).status == 0);
  CHECK(run(joined("--check ", right, " - < ", answers)).status == 0);
  CHECK(run(joined("--check ", right, " ", right)).status == 0);
  const run_result fewer = run(joined("--check ", right, " ", write_file("few.jsonl", "{\"out\":3}\n")));
  CHECK(fewer.status == 1);
  CHECK(fewer.out.find("line 2, ADD: no answer") != std::string::npos);
  const run_result more =
      run(joined("--check ", write_file("one.jsonl", vectors.substr(0, vectors.find('\n') + 1)), " ", answers));
  CHECK(more.status == 1);
  CHECK(more.out.find("more lines than there are expected answers: 2") != std::string::npos);
  const run_result nonsense =
      run(joined("--check ", right, " ", write_file("bad.jsonl", "{\"out\":3}\n?\n{\"out\":42}\n")));
  CHECK(nonsense.status == 1);
}

TEST_CASE("replay: what meets what") {
  const auto met = [](const std::string& expected, const std::string& answer) {
    replay::document e;
    replay::document a;
    e.parse(expected);
    a.parse(answer);
    return replay::line_met(e.root(), a.root());
  };
  CHECK(met(R"({"out":1})", R"({"out":1,"id":2})"));
  CHECK(!met(R"({"out":1})", R"({"out":1.0})"));
  CHECK(!met(R"({"out":1})", R"({"out":true})"));
  CHECK(!met(R"({"out":1})", R"({"out":1,"reject":"x"})"));
  CHECK(!met(R"({"out":1})", R"({"id":1})"));
  CHECK(met(R"({"reject":"a"})", R"({"reject":"b"})"));
  CHECK(!met(R"({"reject":"a"})", R"({"out":1})"));
  CHECK(!met(R"({"in":1})", R"({"out":1})"));
  CHECK(met(R"({"out":[1,2]})", R"({"out":[1,2]})"));
  CHECK(!met(R"({"out":[1,2]})", R"({"out":[1,2,3]})"));
  CHECK(!met(R"({"out":[1,2]})", R"({"out":[2,1]})"));
  CHECK(met(R"({"out":{"a":1,"b":[2]}})", R"({"out":{"c":0,"b":[2],"a":1}})"));
  CHECK(!met(R"({"out":{"a":1,"b":[2]}})", R"({"out":{"a":1}})"));
  CHECK(!met(R"({"out":{"a":1}})", R"({"out":{"a":1,"reject":"x"}})"));
  CHECK(met(R"({"out":{"a":{"reject":"x"}}})", R"({"out":{"a":{"reject":"y","channel":1}}})"));
  CHECK(met(R"({"out":{"a":{"reject":"x"}}})", R"({"out":{"a":null}})"));
  CHECK(met(R"({"out":{"a":{"reject":"x"}}})", R"({"out":{"a":false}})"));
  CHECK(!met(R"({"out":{"a":{"reject":"x"}}})", R"({"out":{"a":true}})"));
  CHECK(!met(R"({"out":{"a":{"reject":"x"}}})", R"({"out":{"a":{"b":1}}})"));
  CHECK(met(R"({"out":{"a":{"reject":"x"}}})", R"({"out":{}})"));
}
