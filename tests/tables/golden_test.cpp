// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// golden/lut.jsonl and golden/fold_alpha.jsonl: tables, and tables behind the fold of alpha.
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include <dytq/fold.hpp>
#include <dytq/lut16.hpp>

#include "support/catch.hpp"

namespace {

using nlohmann::json;

double from_bits(const json& text) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(text.get<std::string>(), nullptr, 16)));
}

dytq::qparams quantization(const json& q) {
  return {.scale = from_bits(q.at("scale_bits")), .zero_point = q.at("zp"), .qmin = q.at("qmin"), .qmax = q.at("qmax")};
}

template <class Call>
auto with_function(const std::string& name, Call call) {
  namespace f = dytq::functions;
  if (name == "tanh")
    return call(f::tanh);
  if (name == "logistic")
    return call(f::logistic);
  if (name == "erf")
    return call(f::erf);
  if (name == "exp")
    return call(f::exp);
  if (name == "gelu")
    return call(f::gelu);
  if (name == "silu")
    return call(f::silu);
  if (name == "isru")
    return call(f::isru);
  REQUIRE(name == "arctan");
  return call(f::arctan);
}

dytq::numerics numerics_of(const json& in) {
  return in.at("numerics") == "float32" ? dytq::numerics::float32 : dytq::numerics::exact;
}

json lut(const json& in) {
  const dytq::lut_options how{
      .alpha = from_bits(in.at("alpha_bits")), .shift = from_bits(in.at("shift_bits")), .arithmetic = numerics_of(in)};
  const dytq::qparams from = quantization(in.at("function_in")), to = quantization(in.at("function_out"));
  return with_function(in.at("function"), [&](auto f) -> json {
    if (in.at("bits") == 8) {
      const auto t = dytq::make_lut8(f, from, to, how);
      return t ? json(*t) : json(dytq::describe(t.error().why).name);
    }
    const auto t = dytq::make_lut16(f, from, to, how);
    return t ? json(t->table) : json(dytq::describe(t.error().why).name);
  });
}

dytq::rescale rescale_of(const json& r) {
  dytq::rescale s;
  s.multiplier = r.at("multiplier");
  s.shift = r.at("shift");
  s.input_zp = r.at("input_zp");
  s.output_zp = r.at("output_zp");
  s.out = r.at("out") == "i8" ? dytq::int8_range : dytq::int32_range;
  s.rounding = r.value("double", false) ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round;
  return s;
}

json fold(const json& in) {
  const dytq::qparams from = quantization(in.at("function_in")), to = quantization(in.at("function_out"));
  const auto table = with_function(
      in.at("function"), [&](auto f) { return dytq::make_lut8(f, from, to, {.arithmetic = numerics_of(in)}); });
  if (!table) {
    return dytq::name(dytq::describe(table.error().why).kind);
  }
  dytq::alpha_site site;
  site.alpha = in.at("alpha");
  site.domain = {in.at("domain").at(0), in.at("domain").at(1)};
  site.function_in = {from.qmin, from.qmax};
  site.steps = {rescale_of(in.at("rescale").at("activation")), rescale_of(in.at("rescale").at("alpha")),
                rescale_of(in.at("rescale").at("mul_out"))};
  const auto folded = dytq::fold_alpha_into_lut(site, dytq::view<const std::int8_t>(*table));
  return folded ? json(folded->table) : json(dytq::name(dytq::describe(folded.error().why).kind));
}

}  // namespace

TEST_CASE("golden: lut") {
  std::ifstream file(DYTQ_GOLDEN_DIR "/lut.jsonl");
  REQUIRE(file);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const json j = json::parse(line);
    INFO(line.substr(0, 400));
    CHECK(lut(j.at("in")) == j.at("out"));
  }
  CHECK(lines >= 120);
}

TEST_CASE("golden: fold_alpha with a function") {
  std::ifstream file(DYTQ_GOLDEN_DIR "/fold_alpha.jsonl");
  REQUIRE(file);
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    const json j = json::parse(line);
    if (!j.at("in").contains("numerics")) {
      continue;  // a finished table: fold_alpha's own tests have it
    }
    ++lines;
    INFO(line.substr(0, 400));
    CHECK(fold(j.at("in")) == (j.contains("out") ? j.at("out") : j.at("reject")));
  }
  CHECK(lines >= 198);
}
