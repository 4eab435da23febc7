// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the property tests share: how often, how a refusal of the library compares with one of the oracle, and the
// oracle's inputs in the library's types.
#ifndef DYTQ_TESTS_PROPERTY_PROPERTY_HPP
#define DYTQ_TESTS_PROPERTY_PROPERTY_HPP

#include <cstdlib>
#include <dytq/conv.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <dytq/result.hpp>
#include <dytq/site.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generators.hpp"
#include "oracle.hpp"
#include "rc_generators.hpp"
#include "support/catch.hpp"

namespace property {

using oracle::integer;
using oracle::integers;

// How often each property is tried: rapidcheck reads RC_PARAMS at the first check. An RC_PARAMS of the caller's wins.
inline const int configured = setenv("RC_PARAMS", "max_success=1000", 0);

// How many random sets an exhaustive test walks: DYTQ_SETS of the environment, or the default.
inline int sets(int by_default) {
  const char* const asked = std::getenv("DYTQ_SETS");
  return asked == nullptr ? by_default : std::atoi(asked);
}

// ------------------------------------------------------------------------------------------------ refusals
// The oracle's word for a rejection: a reason's own name where a fold has it, else the class of the reason.
inline std::string word(const dytq::rejection& r) {
  static const std::set<std::string> own = {
      "channel_count",        "zero_point_mismatch", "not_affine",  "weight_overflow", "padding",    "bias_overflow",
      "accumulator_overflow", "not_identity",        "not_uniform", "not_parallel",    "no_rescale", "no_gamma",
      "not_scale_one",        "contradiction"};
  const std::string name = dytq::name(r.why);
  if (name == "bias_count" || name == "group_count")
    return "channel_count";
  if (name == "empty" || name == "size_mismatch")
    return "error";
  return own.count(name) != 0 ? name : dytq::name(dytq::describe(r.why).kind);
}

template <class T>
std::string text(const dytq::result<T>& r) {
  return r ? "a value" : std::string(dytq::name(r.error().why));
}

// ------------------------------------------------------------------------------------------------ element types
template <class T>
std::vector<T> narrowed(const integers& v) {
  std::vector<T> r;
  for (const integer e : v)
    r.push_back(static_cast<T>(e));
  return r;
}
template <class T>
integers widened(const T& v) {
  return integers(v.begin(), v.end());
}
inline std::size_t at(integer i) { return static_cast<std::size_t>(i); }

inline dytq::rescale step_of(const oracle::stage& s) {
  return {.multiplier = static_cast<std::int32_t>(s.multiplier),
          .shift = static_cast<std::int32_t>(s.shift),
          .input_zp = static_cast<std::int32_t>(s.input_zp),
          .output_zp = static_cast<std::int32_t>(s.output_zp),
          .out = s.to_i8 ? dytq::int8_range : dytq::int32_range,
          .rounding = s.double_round ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round};
}

inline dytq::rounding_mode rounding_of(const std::string& name) {
  return name == "SINGLE_ROUND"    ? dytq::rounding_mode::single_round
         : name == "DOUBLE_ROUND"  ? dytq::rounding_mode::double_round
         : name == "INEXACT_ROUND" ? dytq::rounding_mode::inexact_round
                                   : static_cast<dytq::rounding_mode>(77);
}

// The library's types say int8 or uint8 where the oracle has a flag; an unsigned int32 or int48 cannot be said.
inline std::optional<dytq::code_type> type_of(const std::string& name, bool is_unsigned) {
  using dytq::code_type;
  if (name == "i8")
    return is_unsigned ? code_type::u8 : code_type::i8;
  if (name == "i16")
    return is_unsigned ? code_type::u16 : code_type::i16;
  if (is_unsigned)
    return std::nullopt;
  return name == "i32" ? code_type::i32 : code_type::i48;
}
inline std::optional<dytq::rescale_operator> operator_of(const oracle::rescale_op& op) {
  const auto in = type_of(op.in_t, op.input_unsigned);
  const auto out = type_of(op.out_t, op.output_unsigned);
  if (!in || !out)
    return std::nullopt;
  return dytq::rescale_operator{.in = *in,
                                .out = *out,
                                .input_zp = op.input_zp,
                                .output_zp = op.output_zp,
                                .scale32 = op.scale32,
                                .rounding = rounding_of(op.rounding_mode),
                                .per_channel = op.per_channel};
}

// ------------------------------------------------------------------------------------------------ sites
// How the weights lie in memory.
enum class layout { ohwi, oihw, hwim, padded };

// A site in the library's types, with the memory that its views point to. Not movable: the views would dangle.
struct library_site {
  std::vector<std::int8_t> table, gamma, beta, weight, weight_zp;
  std::vector<std::int32_t> bias;
  layout order = layout::ohwi;
  dytq::affine_site site;
  dytq::convolution conv;

  explicit library_site(const oracle::site& s, layout how = layout::ohwi) : order(how) {
    const oracle::site_conv& c = s.conv;
    table = narrowed<std::int8_t>(s.table);
    site.table = table;
    site.table_zp = static_cast<std::int32_t>(s.table_zp);
    if (s.gamma) {
      gamma = narrowed<std::int8_t>(*s.gamma);
      site.gamma = gamma;
    }
    if (s.beta) {
      beta = narrowed<std::int8_t>(*s.beta);
      site.beta = beta;
    }
    site.steps = {.table = step_of(s.r_table),
                  .gamma = step_of(s.r_gamma),
                  .gamma_out = step_of(s.r_gamma_out),
                  .add_in = step_of(s.r_add_in),
                  .beta = step_of(s.r_beta),
                  .add_out = step_of(s.r_add_out)};
    // A half that does not exist may have any RESCALEs; the oracle's are int32 there, which no chain could end with.
    weight.assign(room(c), std::int8_t{77});
    conv.weight = view_of(c, weight.data());
    put(c, c.weight, weight);
    weight_zp = narrowed<std::int8_t>(c.weight_zp);
    if (weight_zp.size() != 1 || weight_zp[0] != 0)
      conv.weight_zp = weight_zp;
    if (c.bias) {
      bias = narrowed<std::int32_t>(*c.bias);
      conv.bias = bias;
    }
    conv.groups = c.groups;
    conv.input_zp = static_cast<std::int32_t>(c.input_zp);
    conv.weight_range = {c.weight_min, c.weight_max};
    const bool up = c.kind == "transpose_conv2d";
    conv.kind = up ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
    if (up)
      conv.axes[0].input = 1;  // a transposed axis must know its input
    for (std::size_t d = 0; d < 2 && c.kind != "linear"; ++d) {
      const auto& pad = up ? c.out_pad : c.pad;
      conv.axes[d + 1] = {.input = c.input_hw ? (*c.input_hw)[d] : dytq::conv_axis::any_input,
                          .stride = c.stride[d],
                          .dilation = up ? 1 : c.dilation[d],
                          .before = pad[2 * d],
                          .after = pad[2 * d + 1]};
    }
  }
  library_site(const library_site&) = delete;
  library_site& operator=(const library_site&) = delete;

  // Can the library be asked this at all? A list of weights of the wrong length has no view.
  static bool expressible(const oracle::site& s) {
    const oracle::site_conv& c = s.conv;
    return static_cast<integer>(c.weight.size()) ==
           c.out_channels * c.kernel[0] * c.kernel[1] * c.in_channels_per_group;
  }

  std::size_t room(const oracle::site_conv& c) const {
    const integer n = c.out_channels * c.kernel[0] * c.kernel[1] * c.in_channels_per_group;
    return at(order == layout::padded ? 2 * n + 16 * c.out_channels : n);
  }
  template <class T>
  dytq::weight_view<T> view_of(const oracle::site_conv& c, T* data) const {
    const integer o = c.out_channels, h = c.kernel[0], w = c.kernel[1], i = c.in_channels_per_group;
    switch (order) {
      case layout::oihw: return dytq::from_oihw(dytq::view<T, 4>(data, {o, i, h, w}));
      case layout::hwim: return *dytq::from_hwim(dytq::view<T, 4>(data, {h, w, c.groups, o / c.groups}));
      case layout::padded:
        return dytq::from_ohwi(dytq::view<T, 4>(data, {o, h, w, i}, {2 * h * w * i + 16, 2 * w * i, 2 * i, 2}));
      case layout::ohwi: break;
    }
    return dytq::from_ohwi(dytq::view<T, 4>(data, {o, h, w, i}));
  }
  // Between the oracle's [O][H][W][I] list and the memory behind a weight view.
  void put(const oracle::site_conv& c, const integers& list, std::vector<std::int8_t>& memory) const {
    const auto v = view_of(c, memory.data());
    std::size_t k = 0;
    for (integer o = 0; o < c.out_channels; ++o) {
      for (integer y = 0; y < c.kernel[0]; ++y) {
        for (integer x = 0; x < c.kernel[1]; ++x) {
          for (integer i = 0; i < c.in_channels_per_group; ++i)
            v(o, 0, y, x, i) = static_cast<std::int8_t>(list[k++]);
        }
      }
    }
  }
  integers get(const oracle::site_conv& c, std::vector<std::int8_t>& memory) const {
    const auto v = view_of(c, memory.data());
    integers list;
    for (integer o = 0; o < c.out_channels; ++o) {
      for (integer y = 0; y < c.kernel[0]; ++y) {
        for (integer x = 0; x < c.kernel[1]; ++x) {
          for (integer i = 0; i < c.in_channels_per_group; ++i)
            list.push_back(v(o, 0, y, x, i));
        }
      }
    }
    return list;
  }
};

inline layout any_layout(oracle::source& s, const oracle::site_conv& c) {
  const bool depthwise = c.in_channels_per_group == 1 && c.groups >= 1 && c.out_channels % c.groups == 0;
  return depthwise && s.chance(50) ? layout::hwim : s.pick({layout::ohwi, layout::oihw, layout::padded});
}

}  // namespace property

#endif  // DYTQ_TESTS_PROPERTY_PROPERTY_HPP
