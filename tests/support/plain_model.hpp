// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second, slow statement of the chain and of convolutions, and the building blocks of small sites. It shares no
// arithmetic with the library: divisions in place of shifts, positions one by one in place of classes.
#ifndef DYTQ_TESTS_SUPPORT_PLAIN_MODEL_HPP
#define DYTQ_TESTS_SUPPORT_PLAIN_MODEL_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <dytq/check_fold.hpp>
#include <dytq/conv.hpp>
#include <dytq/rescale.hpp>
#include <dytq/site.hpp>

namespace dytq_tests {

constexpr std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

/// A number, or none.
struct maybe {
  bool ok = false;
  std::int64_t v = 0;
};

/// RESCALE of one step; none where TOSA calls it unpredictable.
constexpr maybe plain_rescale(const dytq::rescale& r, std::int64_t value) {
  const std::int64_t unit = std::int64_t{1} << r.shift;
  const std::int64_t centered = value - r.input_zp;
  if (centered < -(unit / 2) || centered >= unit / 2 || centered < INT32_MIN || centered > INT32_MAX) {
    return {};
  }
  std::int64_t rounding = unit / 2;
  if (r.rounding == dytq::rounding_mode::double_round && r.shift > 31) {
    rounding += centered >= 0 ? (std::int64_t{1} << 30) : -(std::int64_t{1} << 30);
  }
  const std::int64_t sum = floor_quotient(centered * r.multiplier + rounding, unit) + r.output_zp;
  if (sum < INT32_MIN || sum > INT32_MAX) {
    return {};
  }
  return {true, sum < r.out.lo ? r.out.lo : sum > r.out.hi ? r.out.hi : sum};
}

/// What the gamma half makes of a code of the TABLE, in channel c.
constexpr maybe plain_gamma(const dytq::affine_site& s, std::int64_t c, std::int64_t x) {
  if (!s.has_gamma()) {
    return {true, x};
  }
  const maybe a = plain_rescale(s.steps.table, x);
  const maybe g = plain_rescale(s.steps.gamma, s.gamma(c));
  if (!a.ok || !g.ok) {
    return {};
  }
  std::int64_t product = a.v * g.v % (std::int64_t{1} << 32);  // the low 32 bits, as a signed number
  product += product > INT32_MAX ? -(std::int64_t{1} << 32) : product < INT32_MIN ? std::int64_t{1} << 32 : 0;
  return plain_rescale(s.steps.gamma_out, product);
}

/// What the beta half makes of gamma's result.
constexpr maybe plain_beta(const dytq::affine_site& s, std::int64_t c, std::int64_t m) {
  if (!s.has_beta()) {
    return {true, m};
  }
  const maybe a = plain_rescale(s.steps.add_in, m);
  const maybe b = plain_rescale(s.steps.beta, s.beta(c));
  if (!a.ok || !b.ok || a.v + b.v < INT32_MIN || a.v + b.v > INT32_MAX) {
    return {};
  }
  return plain_rescale(s.steps.add_out, a.v + b.v);
}

constexpr maybe plain_chain(const dytq::affine_site& s, std::int64_t c, std::int64_t x) {
  const maybe m = plain_gamma(s, c, x);
  return m.ok ? plain_beta(s, c, m.v) : maybe{};
}

/// The number of outputs of one axis, and what tap t reads at output position o: an input position, or -1.
constexpr std::int64_t plain_outputs(dytq::conv_kind kind, const dytq::conv_axis& a, std::int64_t kernel) {
  return kind == dytq::conv_kind::transposed
             ? (a.input - 1) * a.stride + a.before + a.after + kernel
             : floor_quotient(a.input - 1 + a.before + a.after - (kernel - 1) * a.dilation, a.stride) + 1;
}
constexpr std::int64_t plain_read(dytq::conv_kind kind, const dytq::conv_axis& a, std::int64_t o, std::int64_t t) {
  for (std::int64_t i = 0; i < a.input; ++i) {
    const bool reads = kind == dytq::conv_kind::transposed ? i * a.stride + t + a.before == o
                                                           : o * a.stride - a.before + t * a.dilation == i;
    if (reads) {
      return i;
    }
  }
  return -1;
}

/// f(position, depth tap, row tap, column tap) -> bool for every tap that is inside at each of the output positions of
/// a convolution whose input extents are given; `at_position(position)` before the taps of each.
template <class AtPosition, class F>
constexpr bool plain_walk(const dytq::convolution& conv, AtPosition at_position, F f) {
  const std::array<std::int64_t, 3> k{conv.weight.extents[1], conv.weight.extents[2], conv.weight.extents[3]};
  std::array<std::int64_t, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) {
    n[a] = plain_outputs(conv.kind, conv.axes[a], k[a]);
  }
  std::array<std::int64_t, 3> p{};
  for (p[0] = 0; p[0] < n[0]; ++p[0]) {
    for (p[1] = 0; p[1] < n[1]; ++p[1]) {
      for (p[2] = 0; p[2] < n[2]; ++p[2]) {
        if (!at_position(p)) {
          return false;
        }
        for (std::int64_t d = 0; d < k[0]; ++d) {
          for (std::int64_t y = 0; y < k[1]; ++y) {
            for (std::int64_t x = 0; x < k[2]; ++x) {
              if (plain_read(conv.kind, conv.axes[0], p[0], d) >= 0 &&
                  plain_read(conv.kind, conv.axes[1], p[1], y) >= 0 &&
                  plain_read(conv.kind, conv.axes[2], p[2], x) >= 0 && !f(p, d, y, x)) {
                return false;
              }
            }
          }
        }
      }
    }
  }
  return true;
}

/// Is the claim exact at every output position, for every input? The accumulators are sums of one term for each tap and
/// channel, so it is enough that they agree where all codes are the first, and where one code at a time is another.
/// The input extents of the convolution must be given. `needs`: the bias that the first position of the last output
/// channel asks for.
constexpr bool plain_exact(const dytq::affine_site& s, const dytq::convolution& conv, const dytq::claimed_fold& claim,
                           std::int64_t* needs = nullptr) {
  std::array<std::int64_t, 256> q{};
  std::size_t count = 0;
  for (std::int64_t i = 0; i < 256; ++i) {
    bool fresh = s.reachable.contains(static_cast<std::int8_t>(i - 128));
    for (std::size_t j = 0; j < count && fresh; ++j) {  // entries that nothing tells apart are one
      fresh = s.table(q[j]) != s.table(i) || (!claim.table.absent() && claim.table(q[j]) != claim.table(i));
    }
    if (fresh) {
      q[count++] = i;
    }
  }
  const std::int64_t inputs = conv.weight.extents[4];
  const std::int64_t outputs = conv.weight.extents[0];
  for (std::int64_t o = 0; o < outputs; ++o) {
    const std::int64_t w_zp = conv.weight_zp.absent() ? 0 : conv.weight_zp(conv.weight_zp.extents[0] == 1 ? 0 : o);
    const std::int64_t bias = conv.bias.absent() ? 0 : conv.bias(conv.bias.extents[0] == 1 ? 0 : o);
    std::int64_t difference = 0;
    const bool alike = plain_walk(
        conv,
        [&](const auto& p) {
          const bool first = p[0] == 0 && p[1] == 0 && p[2] == 0;
          const bool zero = first || difference == 0;
          if (!first && needs != nullptr && p[0] == 0 && p[1] == 0 && p[2] == 1) {
            *needs = claim.bias(o) + difference;
          }
          difference = bias - claim.bias(o);
          return zero;
        },
        [&](const auto&, std::int64_t d, std::int64_t y, std::int64_t x) {
          for (std::int64_t i = 0; i < inputs; ++i) {
            const std::int64_t c = o / (outputs / conv.groups) * inputs + i;
            const std::int64_t w = conv.weight(o, d, y, x, i) - w_zp;
            const std::int64_t n = claim.weight(o, d, y, x, i) - w_zp;
            std::int64_t at_first = 0;
            for (std::size_t j = 0; j < count; ++j) {
              const std::int64_t code = s.table(q[j]);
              const std::int64_t reads = claim.keeps_gamma      ? plain_gamma(s, c, code).v
                                         : claim.table.absent() ? code
                                                                : claim.table(q[j]);
              const std::int64_t term = w * (plain_chain(s, c, code).v - conv.input_zp) - n * (reads - claim.input_zp);
              at_first = j == 0 ? term : at_first;
              if (term != at_first) {
                return false;
              }
            }
            difference += at_first;
          }
          return true;
        });
    if (!alike || difference != 0) {
      return false;
    }
  }
  return true;
}

/// A TABLE that emits these codes, in turn.
template <std::size_t N>
constexpr std::array<std::int8_t, 256> table_of(const std::array<int, N>& codes) {
  std::array<std::int8_t, 256> table{};
  for (std::size_t i = 0; i < 256; ++i) {
    table[i] = static_cast<std::int8_t>(codes[i % N]);
  }
  return table;
}
constexpr std::array<std::int8_t, 256> identity_table() {
  std::array<std::int8_t, 256> table{};
  for (int i = 0; i < 256; ++i) {
    table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
  }
  return table;
}

/// value -> (value - input_zp) / 2^halvings + output_zp, rounded half up.
constexpr dytq::rescale halved(int halvings, std::int32_t input_zp = 0, std::int32_t output_zp = 0,
                               dytq::code_range out = dytq::int32_range) {
  return {.multiplier = std::int32_t{1} << 30,
          .shift = 30 + halvings,
          .input_zp = input_zp,
          .output_zp = output_zp,
          .out = out};
}

/// A site with memory of its own: y_c(x) = (x - table_zp) * gamma[c] / 2^halvings + beta[c] + output_zp, before clamps.
template <std::size_t C>
struct site_data {
  std::array<std::int8_t, 256> table{};
  std::array<std::int8_t, C> gamma{};
  std::array<std::int8_t, C> beta{};
  std::int32_t table_zp = 0;
  dytq::affine_site::rescales steps{.table = halved(0),
                                    .gamma = halved(0),
                                    .gamma_out = halved(0, 0, 0, dytq::int8_range),
                                    .add_in = halved(0),
                                    .beta = halved(0),
                                    .add_out = halved(0, 0, 0, dytq::int8_range)};
  bool has_gamma = true;
  bool has_beta = true;

  constexpr dytq::affine_site site() const {
    dytq::affine_site s{.table = table, .table_zp = table_zp, .steps = steps};
    s.steps.table.input_zp = table_zp;
    if (has_gamma) {
      s.gamma = gamma;
    }
    if (has_beta) {
      s.beta = beta;
    }
    return s;
  }
};

/// The outputs of a fold with memory of its own, filled with what no fold writes.
template <std::size_t Weights, std::size_t O, std::size_t C>
struct fold_memory {
  std::array<std::int8_t, Weights> weight{};
  std::array<std::int32_t, O> bias{};
  std::array<std::int16_t, 4 * C> lines{};

  constexpr fold_memory() {
    weight.fill(99);
    bias.fill(-99);
  }
  constexpr bool untouched() const { return weight == fold_memory().weight && bias == fold_memory().bias; }
  constexpr dytq::fold_outputs views(const std::array<std::int64_t, 5>& shape) {
    return {.weight = {weight.data(), shape}, .bias = bias, .workspace = lines};
  }
};

}  // namespace dytq_tests

#endif
