// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the lines of the golden vectors into the oracle's own types.
#ifndef DYTQ_TESTS_ORACLE_JSON_HPP
#define DYTQ_TESTS_ORACLE_JSON_HPP

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "oracle.hpp"

namespace oracle {

using json = nlohmann::json;

inline integers ints(const json& j) { return j.get<integers>(); }
inline integers one_or_many(const json& j) { return j.is_array() ? ints(j) : integers{j.get<integer>()}; }

template <std::size_t N>
std::array<integer, N> int_array(const json& j) {
  return j.get<std::array<integer, N>>();
}

inline double double_of(const json& j) {
  const std::uint64_t bits = std::stoull(j.get<std::string>(), nullptr, 16);
  double d = 0;
  static_assert(sizeof d == sizeof bits);
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

inline stage stage_of(const json& j) {
  stage s;
  s.multiplier = j.at("multiplier");
  s.shift = j.at("shift");
  s.input_zp = j.at("input_zp");
  s.output_zp = j.at("output_zp");
  s.to_i8 = j.at("out") == "i8";
  s.double_round = j.value("double", false);
  return s;
}

inline rescale_op rescale_of(const json& j) {
  rescale_op op;
  op.in_t = j.at("in_t");
  op.out_t = j.at("out_t");
  op.input_unsigned = j.value("input_unsigned", false);
  op.output_unsigned = j.value("output_unsigned", false);
  op.input_zp = j.at("input_zp");
  op.output_zp = j.at("output_zp");
  op.rounding_mode = j.value("rounding_mode", "SINGLE_ROUND");
  if (j.contains("multiplier")) {
    op.multiplier = one_or_many(j.at("multiplier"));
    op.shift = one_or_many(j.at("shift"));
    op.scale32 = j.at("scale32");
    op.per_channel = j.value("per_channel", false);
  }
  if (j.contains("shape"))
    op.shape = ints(j.at("shape"));
  return op;
}

inline conv_args conv_args_of(const json& j) {
  conv_args a;
  a.input_shape = ints(j.at("input_shape"));
  a.weight_shape = ints(j.at("weight_shape"));
  a.output_shape = ints(j.at("output_shape"));
  a.input = ints(j.at("input"));
  a.weight = ints(j.at("weight"));
  a.bias = ints(j.at("bias"));
  a.pad = ints(j.contains("out_pad") ? j.at("out_pad") : j.at("pad"));
  a.stride = ints(j.at("stride"));
  if (j.contains("dilation"))
    a.dilation = ints(j.at("dilation"));
  a.input_zp = j.at("input_zp");
  a.weight_zp = one_or_many(j.at("weight_zp"));
  return a;
}

inline std::optional<integers> optional_ints(const json& j, const char* name) {
  if (!j.contains(name) || j.at(name).is_null())
    return std::nullopt;
  return one_or_many(j.at(name));
}

inline site site_of(const json& j) {
  site s;
  s.table = ints(j.at("table"));
  s.table_zp = j.value("table_zp", 0);
  s.gamma = optional_ints(j, "gamma");
  s.beta = optional_ints(j, "beta");
  s.alpha = optional_ints(j, "alpha");
  const std::pair<const char*, stage*> stages[] = {
      {"table", &s.r_table},           {"gamma", &s.r_gamma}, {"gamma_out", &s.r_gamma_out},
      {"add_in", &s.r_add_in},         {"beta", &s.r_beta},   {"add_out", &s.r_add_out},
      {"activation", &s.r_activation}, {"alpha", &s.r_alpha}, {"mul_out", &s.r_mul_out}};
  for (const auto& [name, target] : stages) {
    if (j.at("rescale").contains(name))
      *target = stage_of(j.at("rescale").at(name));
  }
  if (!j.contains("conv")) {
    // Only channel tables are asked; without gamma and beta nothing says the number of channels.
    s.conv.groups = 0;
    return s;
  }
  const json& c = j.at("conv");
  s.conv.kind = c.value("kind", "conv2d");
  const integers shape = ints(c.at("weight_shape"));
  s.conv.out_channels = shape.front();
  s.conv.in_channels_per_group = shape.back();
  if (shape.size() == 4)
    s.conv.kernel = {shape[1], shape[2]};
  s.conv.groups = c.value("groups", 1);
  s.conv.weight = ints(c.at("weight"));
  if (auto z = optional_ints(c, "weight_zp"); z && !z->empty())
    s.conv.weight_zp = *z;
  if (c.contains("weight_range")) {
    s.conv.weight_min = c.at("weight_range")[0];
    s.conv.weight_max = c.at("weight_range")[1];
  }
  s.conv.bias = optional_ints(c, "bias");
  s.conv.input_zp = c.at("input_zp");
  if (c.contains("pad"))
    s.conv.pad = int_array<4>(c.at("pad"));
  if (c.contains("out_pad"))
    s.conv.out_pad = int_array<4>(c.at("out_pad"));
  if (c.contains("stride"))
    s.conv.stride = int_array<2>(c.at("stride"));
  if (c.contains("dilation"))
    s.conv.dilation = int_array<2>(c.at("dilation"));
  if (c.contains("input_hw"))
    s.conv.input_hw = int_array<2>(c.at("input_hw"));
  return s;
}

}  // namespace oracle

#endif  // DYTQ_TESTS_ORACLE_JSON_HPP
