// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of the replay format, and the answer to a line.
#ifndef DYTQ_EXAMPLES_REPLAY_OPERATIONS_HPP
#define DYTQ_EXAMPLES_REPLAY_OPERATIONS_HPP

#include <string>
#include <string_view>

#include "json_in.hpp"

namespace replay {

/// An operation appends its `out` or `reject` members. It throws bad_input if `in` is not what it takes.
using operation = void (*)(const value& in, std::string& out);

// ops_scalar.cpp
void multiplier(const value& in, std::string& out);
void rescale(const value& in, std::string& out);
void requantize(const value& in, std::string& out);
void mul(const value& in, std::string& out);
void add(const value& in, std::string& out);
// ops_tensor.cpp
void table(const value& in, std::string& out);
void conv2d(const value& in, std::string& out);
void depthwise_conv2d(const value& in, std::string& out);
void transpose_conv2d(const value& in, std::string& out);
// ops_lut.cpp
void fold_alpha(const value& in, std::string& out);
void lut(const value& in, std::string& out);
// ops_fold.cpp
void fold_affine(const value& in, std::string& out);
void fold_bounded(const value& in, std::string& out);
// ops_chain.cpp
void plan_chain(const value& in, std::string& out);
// ops_plan.cpp
void plan_affine(const value& in, std::string& out);
void channel_tables(const value& in, std::string& out);
void fit_rescale(const value& in, std::string& out);
void fit_line(const value& in, std::string& out);

struct named_operation {
  std::string_view name;
  operation run;
};

/// A new operation is a line here, and a function that it names.
inline constexpr named_operation operations[] = {
    {"MULTIPLIER", multiplier},
    {"RESCALE", rescale},
    {"REQUANTIZE", requantize},
    {"MUL", mul},
    {"ADD", add},
    {"TABLE", table},
    {"CONV2D", conv2d},
    {"DEPTHWISE_CONV2D", depthwise_conv2d},
    {"TRANSPOSE_CONV2D", transpose_conv2d},
    {"FOLD_ALPHA", fold_alpha},
    {"FOLD_AFFINE", fold_affine},
    {"FOLD_BOUNDED", fold_bounded},
    {"LUT", lut},
    {"PLAN_AFFINE", plan_affine},
    {"PLAN_CHAIN", plan_chain},
    {"CHANNEL_TABLES", channel_tables},
    {"FIT_RESCALE", fit_rescale},
    {"FIT_LINE", fit_line},
};

/// Answers lines. It keeps its memory from one line to the next.
class replayer {
 public:
  /// Appends the answer to a line, without a line end. Never throws for what the line says.
  void answer(std::string_view line, std::string& out);
  /// The line of the last answer, as far as it could be read.
  const document& line() const { return document_; }

 private:
  document document_;
};

}  // namespace replay

#endif
