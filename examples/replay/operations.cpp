// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include "answer.hpp"

namespace replay {
namespace {

void run(const value& line, std::string& out) {
  if (!line.is_object()) {
    line.fail("a line must be an object {\"in\": {\"op\": ...}}");
  }
  const value in = line["in"];
  const std::string_view name = in["op"].string();
  const auto* const found =
      std::find_if(std::begin(operations), std::end(operations), [&](const auto& o) { return o.name == name; });
  if (found == std::end(operations)) {
    in["op"].fail(quoted(name) + " is not an operation of this program");
  }
  found->run(in, out);
}

}  // namespace

void replayer::answer(std::string_view line, std::string& out) {
  const std::size_t start = out.size();
  std::string problem;
  try {
    document_.parse(line);
    out += '{';
    if (const auto id = document_.salvaged("id")) {
      out += "\"id\":";
      id->write(out);
    }
    run(document_.root(), out);
    out += '}';
    return;
  } catch (const bad_input& e) {
    problem = e.text;
  } catch (const std::bad_alloc&) {
    problem = "not enough memory for this line";
  } catch (const std::exception& e) {
    problem = e.what();
  }
  out.resize(start);
  out += '{';
  if (const auto id = document_.salvaged("id")) {
    out += "\"id\":";
    id->write(out);
  }
  append_bad_input(out, problem);
  out += '}';
}

}  // namespace replay
