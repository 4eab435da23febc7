// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FOLD_ALPHA, of a table or of a function, and LUT.
#include <algorithm>
#include <dytq/fold.hpp>
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>
#include <iterator>
#include <string_view>
#include <vector>

#include "answer.hpp"
#include "graph.hpp"
#include "operations.hpp"

namespace replay {
namespace {

// f(function) for the function that a line names, with its parameter.
template <class F, class... Functions>
void with_named(std::string_view name, F f, const char* const* names, Functions... functions) {
  // The fold stops at the name.
  static_cast<void>(((name == *names++ && (f(functions), true)) || ...));
}

constexpr const char* function_names[] = {
    "tanh",      "logistic",    "erf",       "exp",   "gelu",       "silu",  "isru",  "arctan", "log",      "log1p",
    "log2",      "log10",       "sqrt",      "rsqrt", "reciprocal", "expm1", "exp2",  "sin",    "cos",      "tan",
    "sinh",      "cosh",        "asin",      "acos",  "atanh",      "asinh", "acosh", "erfinv", "softplus", "mish",
    "gelu_tanh", "hardsigmoid", "hardswish", "relu",  "ceil",       "floor", "round"};

template <class F>
void with_function(const value& in, F f) {
  namespace functions = dytq::functions;
  const value name = in["function"];
  const std::string_view text = name.string();
  if (text == "elu") {
    f(functions::elu_function{in["parameter_bits"].from_bits()});
    return;
  }
  if (text == "leaky_relu") {
    f(functions::leaky_relu_function{in["parameter_bits"].from_bits()});
    return;
  }
  if (std::find(std::begin(function_names), std::end(function_names), text) == std::end(function_names)) {
    name.fail(quoted(text) + " is not a function of this program");
  }
  with_named(text, f, function_names, functions::tanh, functions::logistic, functions::erf, functions::exp,
             functions::gelu, functions::silu, functions::isru, functions::arctan, functions::log, functions::log1p,
             functions::log2, functions::log10, functions::sqrt, functions::rsqrt, functions::reciprocal,
             functions::expm1, functions::exp2, functions::sin, functions::cos, functions::tan, functions::sinh,
             functions::cosh, functions::asin, functions::acos, functions::atanh, functions::asinh, functions::acosh,
             functions::erfinv, functions::softplus, functions::mish, functions::gelu_tanh, functions::hardsigmoid,
             functions::hardswish, functions::relu, functions::ceil, functions::floor, functions::round);
}

dytq::numerics read_numerics(const value& name) {
  const std::string_view text = name.string();
  if (text != "exact" && text != "float32") {
    name.fail("expected \"exact\" or \"float32\", got " + quoted(text));
  }
  return text == "exact" ? dytq::numerics::exact : dytq::numerics::float32;
}

// Which way halves go; to even where the line does not say.
dytq::tie_rule read_ties(const value& in) {
  const auto ties = in.find("ties");
  const std::string_view text = ties ? ties->string() : "even";
  if (text != "even" && text != "away") {
    ties->fail("expected \"even\" or \"away\", got " + quoted(text));
  }
  return text == "even" ? dytq::tie_rule::to_even : dytq::tie_rule::away_from_zero;
}

// A bound that the library would take for an unset one is no bound of a type of 8 or 16 bits anyway.
dytq::qparams read_qparams(const value& q, const dytq::code_range& type) {
  const dytq::qparams read{.scale = q["scale_bits"].from_bits(),
                           .zero_point = q["zp"].as<std::int32_t>(),
                           .qmin = static_cast<std::int32_t>(q["qmin"].integer(type)),
                           .qmax = static_cast<std::int32_t>(q["qmax"].integer(type))};
  return read;
}

dytq::alpha_site read_alpha_site(const value& in) {
  const value steps = in["rescale"];
  dytq::alpha_site site{.alpha = in["alpha"].as<std::int32_t>(),
                        .steps = {.activation = read_step(steps["activation"]),
                                  .alpha = read_step(steps["alpha"]),
                                  .mul_out = read_step(steps["mul_out"])}};
  if (const auto domain = in.find("domain")) {
    site.domain = read_range(*domain);
  }
  return site;
}

void append_folded(std::string& out, const dytq::result<dytq::folded_table>& folded) {
  if (!folded) {
    append_rejection(out, folded.error(), naming::by_reason);
    return;
  }
  append_out(out, folded->table);
  append_member(out, "changed", folded->changed);
  append_member(out, "wrapped", folded->wrapped);
}

}  // namespace

void fold_alpha(const value& in, std::string& out) {
  dytq::alpha_site site = read_alpha_site(in);
  if (const auto given = in.find("table")) {
    if (const auto function_in = in.find("function_in")) {
      if (const auto qmin = function_in->find("qmin")) {
        site.function_in.lo = qmin->integer();
      }
      if (const auto qmax = function_in->find("qmax")) {
        site.function_in.hi = qmax->integer();
      }
    }
    const std::vector<std::int8_t> table = given->list<std::int8_t>();
    append_folded(out, dytq::fold_alpha_into_lut(site, table));
    return;
  }
  const auto function = in.find("function");
  if (!function) {
    in.fail("key 'table' or 'function' is missing");
  }
  const auto numerics = in.find("numerics");
  const dytq::lut_options how{.arithmetic = numerics ? read_numerics(*numerics) : dytq::numerics::exact,
                              .ties = read_ties(in)};
  const dytq::qparams from = read_qparams(in["function_in"], dytq::int8_range);
  const dytq::qparams to = read_qparams(in["function_out"], dytq::int8_range);
  with_function(in, [&](auto f) { append_folded(out, dytq::fold_alpha_into_lut(site, f, from, to, how)); });
}

void lut(const value& in, std::string& out) {
  const dytq::lut_options how{.alpha = in["alpha_bits"].from_bits(),
                              .shift = in["shift_bits"].from_bits(),
                              .arithmetic = read_numerics(in["numerics"]),
                              .ties = read_ties(in)};
  const std::int64_t bits = in["bits"].integer();
  if (bits != 8 && bits != 16) {
    in["bits"].fail("expected 8 or 16, got " + std::to_string(bits));
  }
  const dytq::code_range type = bits == 8 ? dytq::int8_range : dytq::int16_range;
  const dytq::qparams from = read_qparams(in["function_in"], type);
  const dytq::qparams to = read_qparams(in["function_out"], type);
  with_function(in, [&](auto f) {
    if (bits == 8) {
      if (const auto table = dytq::make_lut8(f, from, to, how)) {
        append_out(out, *table);
      } else {
        append_rejection(out, table.error());
      }
    } else if (const auto table = dytq::make_lut16(f, from, to, how)) {
      append_out(out, table->table);
    } else {
      append_rejection(out, table.error());
    }
  });
}

}  // namespace replay
