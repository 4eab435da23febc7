// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every line of every golden file is met. README.md and PLAN.md beside this file say where the vectors come from.
#include <fstream>
#include <string>

#include "replay/check.hpp"
#include "support/catch.hpp"

namespace {

void check_file(const std::string& name) {
  std::ifstream file(std::string(DYTQ_GOLDEN_DIR) + "/" + name);
  REQUIRE(file);
  const replay::check_summary summary = replay::check(file, nullptr);
  std::string differences;
  for (const std::string& text : summary.first) {
    differences += name + ", " + text + "\n";
  }
  INFO(differences);
  CHECK(!summary.operations.empty());
  CHECK(summary.differences == 0);
}

}  // namespace

TEST_CASE("golden: multiplier") { check_file("multiplier.jsonl"); }
TEST_CASE("golden: multiplier, special values") { check_file("multiplier_special.jsonl"); }
TEST_CASE("golden: multiplier, the dialects of other toolchains") { check_file("multiplier_dialects.jsonl"); }
TEST_CASE("golden: requantization of other toolchains") { check_file("requantize.jsonl"); }
TEST_CASE("golden: rescale, 32 bits, single rounding") { check_file("rescale32_single.jsonl"); }
TEST_CASE("golden: rescale, 32 bits, double rounding") { check_file("rescale32_double.jsonl"); }
TEST_CASE("golden: rescale, 16 bits and int48") { check_file("rescale16_int48.jsonl"); }
TEST_CASE("golden: rescale per channel") { check_file("rescale_per_channel.jsonl"); }
TEST_CASE("golden: mul") { check_file("mul_i32.jsonl"); }
TEST_CASE("golden: add") { check_file("add_i32.jsonl"); }
TEST_CASE("golden: table, int8") { check_file("table_i8.jsonl"); }
TEST_CASE("golden: table, int16") { check_file("table_i16.jsonl"); }
TEST_CASE("golden: convolution") { check_file("conv2d_i8.jsonl"); }
TEST_CASE("golden: depthwise convolution") { check_file("depthwise_i8.jsonl"); }
TEST_CASE("golden: transposed convolution") { check_file("transpose_conv2d.jsonl"); }
TEST_CASE("golden: fold of gamma and beta") { check_file("fold_affine.jsonl"); }
// Weight zero points outside the weight range, taps that no position touches, and others. By the same model.
TEST_CASE("golden: fold of gamma and beta, more") { check_file("fold_affine_more.jsonl"); }
TEST_CASE("golden: fold of alpha") { check_file("fold_alpha.jsonl"); }
TEST_CASE("golden: tables of functions") { check_file("lut.jsonl"); }
TEST_CASE("golden: tables of more functions, and of ties") { check_file("lut_catalogue.jsonl"); }
TEST_CASE("golden: fold of gamma and beta, and every other rewrite") { check_file("plan_affine.jsonl"); }
TEST_CASE("golden: per-channel tables") { check_file("channel_tables.jsonl"); }
// Steps that are unpredictable only at codes that no alpha lets through. From the same model as the file before.
TEST_CASE("golden: per-channel tables, behind alpha") { check_file("channel_tables_entered.jsonl"); }
TEST_CASE("golden: fit of a rescale") { check_file("fit_rescale.jsonl"); }
