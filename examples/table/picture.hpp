// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table and its error as a picture.
#ifndef DYTQ_TABLE_PICTURE_HPP
#define DYTQ_TABLE_PICTURE_HPP

#include <string>

#include "options.hpp"

namespace table_tool {

std::string picture(const options& asked, const made_table& made);

}  // namespace table_tool

#endif
