// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws what the library makes, as SVG:  dytq_pictures table > table.svg   dytq_pictures site > site.svg
#include <cstdio>
#include <cstring>
#include <string>

#include "svg.hpp"

int main(int argc, char** argv) {
  const char* which = argc == 2 ? argv[1] : "";
  if (std::strcmp(which, "table") != 0 && std::strcmp(which, "site") != 0) {
    std::fprintf(stderr, "usage: %s table|site\n", argv[0]);
    return 2;
  }
  const std::string picture = std::strcmp(which, "table") == 0 ? pictures::table_picture() : pictures::site_picture();
  return std::fputs(picture.c_str(), stdout) >= 0 ? 0 : 1;
}
