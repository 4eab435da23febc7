// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a certified table of a function: dytq_table --help
#include <cstdio>
#include <string>

#include <dytq/text.hpp>

#include "options.hpp"
#include "picture.hpp"
#include "print.hpp"

namespace {

bool write(std::FILE* file, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

int failed(int status, const std::string& what) {
  std::fprintf(stderr, "dytq_table: %s\n", what.c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace table_tool;
  const auto read = read_options(argc, argv);
  if (const auto* wrong = std::get_if<std::string>(&read)) {
    return failed(2, *wrong + " (--help says more)");
  }
  const options& asked = std::get<options>(read);
  if (asked.help) {
    return write(stdout, usage) ? 0 : 2;
  }
  if (asked.list) {
    std::string names;
    for (const std::string_view name : function_names()) {
      names += std::string(name) + "\n";
    }
    return write(stdout, names) ? 0 : 2;
  }
  const auto made = make(asked.table);
  if (!made) {
    return failed(2, "there is no function '" + asked.table.function + "' (--list prints all)");
  }
  if (made->takes_no_parameter) {
    return failed(2, asked.table.function + " has no parameter");
  }
  if (made->refused.exists()) {
    return failed(1, "refused: " + std::string(dytq::to_text(made->refused).c_str()));
  }
  const std::string text = print(asked, *made);
  if (!asked.svg.empty()) {
    std::FILE* const file = std::fopen(asked.svg.c_str(), "wb");
    if (file == nullptr) {
      return failed(2, "cannot write " + asked.svg);
    }
    const bool written = write(file, picture(asked, *made));
    if (std::fclose(file) != 0 || !written) {
      return failed(2, "cannot write " + asked.svg);
    }
  }
  if (asked.as == format::bin) {  // the comment has no place in it
    for (const std::string& line : comment(asked, *made)) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }
  return write(stdout, text) ? 0 : failed(2, "cannot write");
}
