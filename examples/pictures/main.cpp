// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws what the library makes, as SVG:  dytq_pictures table > table.svg   dytq_pictures site > site.svg dytq_pictures
// strip > strip.svg
#include <cstdio>
#include <cstring>
#include <string>

#include "svg.hpp"

int main(int argc, char** argv) {
  const struct {
    const char* name;
    std::string (*draw)();
  } all[] = {{"table", pictures::table_picture}, {"site", pictures::site_picture}, {"strip", pictures::strip_picture}};
  for (const auto& picture : all) {
    if (argc == 2 && std::strcmp(argv[1], picture.name) == 0) {
      return std::fputs(picture.draw().c_str(), stdout) >= 0 ? 0 : 1;
    }
  }
  std::fprintf(stderr, "usage: %s table|site|strip\n", argv[0]);
  return 2;
}
