// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table.hpp"

namespace table_tool {

#define DYTQ_FUNCTION(name) made_table make_##name(const request& asked);
#include "functions.inc"
#undef DYTQ_FUNCTION

namespace {

struct named {
  std::string_view name;
  made_table (*make)(const request&);
};

constexpr named functions[] = {
#define DYTQ_FUNCTION(name) {#name, make_##name},
#include "functions.inc"
#undef DYTQ_FUNCTION
};

}  // namespace

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names;
  for (const named& f : functions) {
    names.push_back(f.name);
  }
  return names;
}

std::optional<made_table> make(const request& asked) {
  for (const named& f : functions) {
    if (f.name == asked.function) {
      return f.make(asked);
    }
  }
  return std::nullopt;
}

}  // namespace table_tool
