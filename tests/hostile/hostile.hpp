// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a hostile case is: a name, an input that no friend would give, and the reason that it must be refused for. The
// outputs that it could write are full of a pattern, which a refusal leaves alone.
#ifndef DYTQ_TESTS_HOSTILE_HOSTILE_HPP
#define DYTQ_TESTS_HOSTILE_HOSTILE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/lut16.hpp>

#include "support/plain_model.hpp"

namespace hostile {

using dytq::reason;
using dytq::view;

inline constexpr std::int64_t huge = std::int64_t{1} << 40;  // huge * huge is beyond size_t
inline constexpr std::int64_t least = INT64_MIN;
inline constexpr std::int64_t most = INT64_MAX;
inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double denormal = std::numeric_limits<double>::denorm_min();
inline constexpr double greatest = std::numeric_limits<double>::max();

/// Memory that cases hand out as outputs.
struct outputs {
  static constexpr std::int8_t byte = 0x5a;
  static constexpr std::int32_t word = 0x5a5a5a5a;

  std::array<std::int8_t, 1024> bytes{};
  std::array<std::int32_t, 64> words{};
  std::array<dytq::affine_fit, 4> fits{};
  std::array<dytq::affine_fold, 4> folds{};
  std::array<std::int16_t, 64> lines{};  // a workspace, which may be scribbled on

  constexpr outputs() {
    bytes.fill(byte);
    words.fill(word);
    fits.fill({.numerator = word});
    folds.fill({.input_zp = word});
  }
  constexpr bool untouched() const {
    bool same = true;
    for (const auto b : bytes) {
      same = same && b == byte;
    }
    for (const auto w : words) {
      same = same && w == word;
    }
    for (const auto& f : fits) {
      same = same && f == dytq::affine_fit{.numerator = word};
    }
    for (const auto& f : folds) {
      same = same && f.input_zp == word && f.weights_changed == 0 && !f.bias_changed && f.first_code == 0;
    }
    return same;
  }

  constexpr view<std::int8_t> bytes_of(std::int64_t n) { return {bytes.data(), {n}}; }
  constexpr view<std::int8_t, 2> matrix(std::int64_t rows, std::int64_t columns) {
    return {bytes.data(), {rows, columns}};
  }
  constexpr view<std::int32_t> words_of(std::int64_t n) { return {words.data(), {n}}; }
};

/// reason::none where the answer to a hostile question is the right one.
constexpr reason right(bool is_right) { return is_right ? reason::none : reason::count_; }
template <class T>
constexpr reason why(const dytq::result<T>& r) {
  return r.error().why;
}

/// `why` none: not refused, but answered rightly.
struct hostile_case {
  const char* on;
  const char* what;
  reason why;
  reason (*run)(outputs& to, int a, int b);
  int a = 0;
  int b = 0;

  constexpr bool holds() const {
    outputs to;
    return run(to, a, b) == why && (why == reason::none || to.untouched());
  }
};

/// One test case of run-time checks, by name. -> how many there are
std::size_t check(const hostile_case* cases, std::size_t count);

template <std::size_t N>
std::size_t check(const std::array<hostile_case, N>& cases) {
  return check(cases.data(), N);
}

/// Of the cases, or of some of them: a constant expression has a limit of steps.
template <std::size_t N>
constexpr bool all_hold(const std::array<hostile_case, N>& cases, std::size_t begin = 0, std::size_t end = N) {
  for (std::size_t i = begin; i < end; ++i) {
    if (!cases[i].holds()) {
      return false;
    }
  }
  return true;
}

// g++ 12 with -fsanitize=undefined does not take the comparison of a static object's address with null for a constant.
// The preset has both sanitizers, and only the other one has a macro.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool at_compile_time = false;
#else
inline constexpr bool at_compile_time = true;
#endif

// A site of two channels that change nothing, and a 1x1 convolution of two outputs behind it: what cases spoil.
inline constexpr std::array<std::int8_t, 256> codes = dytq_tests::identity_table();
inline constexpr std::array<std::int8_t, 2> ones{1, 1};
inline constexpr std::array<std::int8_t, 2> zeros{0, 0};
inline constexpr std::array<std::int8_t, 4> weights{1, 2, 3, 4};
inline constexpr std::array<std::int32_t, 2> biases{5, 6};
inline constexpr std::array<std::int64_t, 5> shape_5{2, 1, 1, 1, 2};

constexpr dytq::affine_site good_site() {
  using dytq_tests::halved;
  return {.table = codes,
          .gamma = ones,
          .beta = zeros,
          .steps = {.table = halved(0),
                    .gamma = halved(0),
                    .gamma_out = halved(0, 0, 0, dytq::int8_range),
                    .add_in = halved(0),
                    .beta = halved(0),
                    .add_out = halved(0, 0, 0, dytq::int8_range)}};
}
constexpr dytq::convolution good_conv() {
  return {.weight = {weights.data(), shape_5}, .bias = biases, .axes = dytq::unpadded};
}
constexpr dytq::fold_outputs good_outputs(outputs& to) {
  return {.weight = {to.bytes.data(), shape_5}, .bias = to.words_of(2), .workspace = {to.lines.data(), {8}}};
}

/// The six RESCALEs of a site, by number.
constexpr dytq::rescale& step_of(dytq::affine_site& s, int n) {
  return n == 0   ? s.steps.table
         : n == 1 ? s.steps.gamma
         : n == 2 ? s.steps.gamma_out
         : n == 3 ? s.steps.add_in
         : n == 4 ? s.steps.beta
                  : s.steps.add_out;
}

/// What can be wrong with a RESCALE, by number.
struct rescale_fault {
  const char* what;
  reason why;
};
inline constexpr std::array<rescale_fault, 8> rescale_faults{{
    {"multiplier -1", reason::multiplier_negative},
    {"multiplier INT32_MIN", reason::multiplier_negative},
    {"shift 1", reason::shift_out_of_range},
    {"shift 63", reason::shift_out_of_range},
    {"shift INT32_MIN", reason::shift_out_of_range},
    {"inverted output range", reason::range_inverted},
    {"INEXACT_ROUND", reason::inexact_round},
    {"a rounding mode without a name", reason::unknown_rounding_mode},
}};
constexpr dytq::rescale spoiled(dytq::rescale r, int fault) {
  switch (fault) {
    case 0: r.multiplier = -1; break;
    case 1: r.multiplier = INT32_MIN; break;
    case 2: r.shift = 1; break;
    case 3: r.shift = 63; break;
    case 4: r.shift = INT32_MIN; break;
    case 5: r.out = {1, 0}; break;
    case 6: r.rounding = dytq::rounding_mode::inexact_round; break;
    default: r.rounding = static_cast<dytq::rounding_mode>(99);
  }
  return r;
}

// Each file's cases; those that a constant expression can ask are checked there as well.
std::size_t check_scalars();
std::size_t check_views();
std::size_t check_tables();
std::size_t check_convolutions();
std::size_t check_folds();
std::size_t check_bounded_folds();
std::size_t check_layers();
std::size_t check_functions();

}  // namespace hostile

#endif
