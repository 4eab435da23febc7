// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second, plain implementation of the mathematics that dytq promises, used as a test oracle.
//
// It shares no code and no arithmetic with the library. It prefers brute force and 128-bit integers to cleverness, it
// is slow on purpose, and it is allowed everything that the library is not (vectors, strings, maps, optionals).
//
// Words are those of the library: a code is a quantized integer, X is the sorted set of distinct codes that a TABLE can
// emit, x0 is the smallest of them, a shift is positive to the right. A refusal is a word ("error", "unpredictable",
// "padding", ...), never an exception.
#ifndef DYTQ_TESTS_ORACLE_ORACLE_HPP
#define DYTQ_TESTS_ORACLE_ORACLE_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

using integer = std::int64_t;
__extension__ typedef __int128 wide;
using integers = std::vector<integer>;

inline constexpr integer i32_min = -2147483648LL;
inline constexpr integer i32_max = 2147483647LL;

// ------------------------------------------------------------------------------------------------ answers
struct refusal {
  std::string why;
  std::string detail = {};
};

// A value, or the word that says why there is none.
template <class T>
struct outcome {
  std::optional<T> value = {};
  std::string why = {};
  std::string detail = {};

  outcome() = default;
  outcome(T v) : value(std::move(v)) {}                                       // NOLINT: implicit on purpose
  outcome(refusal r) : why(std::move(r.why)), detail(std::move(r.detail)) {}  // NOLINT
  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
  refusal rejection() const { return {why, detail}; }
};

// ------------------------------------------------------------------------------------------------ integers, rationals
wide floor_div(wide a, wide b);                // b != 0
wide greatest_common_divisor(wide a, wide b);  // >= 0
integer wrap32(wide v);
bool fits(wide v, integer lo, integer hi);
bool fits_i32(wide v);
bool fits_i8(wide v);
std::string text(wide v);

// An exact fraction in lowest terms, denominator > 0.
struct rational {
  wide num = 0;
  wide den = 1;

  rational() = default;
  rational(wide n) : num(n) {}  // NOLINT: implicit on purpose
  rational(wide n, wide d);
  bool whole() const { return den == 1; }
  friend bool operator==(const rational& a, const rational& b) { return a.num == b.num && a.den == b.den; }
  friend bool operator!=(const rational& a, const rational& b) { return !(a == b); }
};
rational operator+(const rational& a, const rational& b);
rational operator-(const rational& a, const rational& b);
rational operator*(const rational& a, const rational& b);
rational operator/(const rational& a, const rational& b);

// ------------------------------------------------------------------------------------------------ scalar operators
struct multiplier_and_shift {
  integer multiplier = 0;
  integer shift = 0;
  friend bool operator==(const multiplier_and_shift& a, const multiplier_and_shift& b) {
    return a.multiplier == b.multiplier && a.shift == b.shift;
  }
};

// The (multiplier, shift) of a scale in ExecuTorch's convention, decided from the 64 bits of the double. width: 32
// or 16.
outcome<multiplier_and_shift> multiplier_shift(double scale, int width);

outcome<integer> apply_scale_32(integer value, integer multiplier, integer shift, bool double_round);
outcome<integer> apply_scale_16(integer value, integer multiplier, integer shift);

// TOSA RESCALE. Unsigned tensors hold unsigned numbers.
struct rescale_op {
  std::string in_t = "i8";
  std::string out_t = "i8";
  bool input_unsigned = false;
  bool output_unsigned = false;
  integer input_zp = 0;
  integer output_zp = 0;
  integers multiplier = {1073741824};
  integers shift = {30};
  bool scale32 = true;
  std::string rounding_mode = "SINGLE_ROUND";
  bool per_channel = false;
  integers shape = {1};
};
// "" if the operator's attributes are legal, otherwise "error".
std::string rescale_error(const rescale_op& op);
outcome<integers> rescale(const rescale_op& op, const integers& values);

outcome<integer> mul(const std::string& in_t, integer a, integer b, integer shift);
outcome<integer> add(integer a, integer b);
outcome<integers> table_8(const integers& table, const integers& values);
outcome<integers> table_16(const integers& table, const integers& values);

// ------------------------------------------------------------------------------------------------ affine maps, fits
// value = value0 + slope * (code - code0) for every given pair.
struct line {
  rational slope;
  integer code0 = 0;
  integer value0 = 0;
};
// Refused: "error" (no pair, lists of different length), "contradiction", "not_affine".
outcome<line> fit_affine(const integers& codes, const integers& values);

// A RESCALE question: which (multiplier, shift) maps codes[i] to values[i]? The attributes are those of `op`.
// Refused: "error", "contradiction", "no_rescale".
outcome<multiplier_and_shift> fit_rescale(const rescale_op& op, const integers& codes, const integers& values);
// The same by trying every multiplier in [0, multiplier_max] at every shift (for small multiplier_max).
outcome<multiplier_and_shift> fit_rescale_by_trial(const rescale_op& op, const integers& codes, const integers& values,
                                                   integer multiplier_max);
// The multipliers in [0, multiplier_max] that agree with all pairs at one shift, by bisection per pair.
std::optional<std::pair<integer, integer>> fit_interval(const rescale_op& op, const integers& codes,
                                                        const integers& values, integer shift, integer multiplier_max);

// ------------------------------------------------------------------------------------------------ convolutions
// Channels last; spatial rank 1, 2 or 3. weight is [out channels][kernel ...][in channels per group].
struct conv_args {
  integers input_shape;   // N, spatial ..., C
  integers weight_shape;  // O, kernel ..., C per group
  integers output_shape;  // N, spatial ..., O
  integers input;
  integers weight;
  integers bias;  // 1 or O
  integers pad;   // before, after per axis
  integers stride;
  integers dilation;
  integer input_zp = 0;
  integers weight_zp = {0};  // 1 or O
  integer groups = 1;
};
outcome<integers> convolve(const conv_args& a);
// weight is [kernel y][kernel x][C][M], output channel c * M + m; groups is not read.
outcome<integers> depthwise(const conv_args& a);
// pad is out_pad; dilation and groups are not read. By scattering inputs, not by gathering.
outcome<integers> transposed(const conv_args& a);

// ------------------------------------------------------------------------------------------------ sites
// One RESCALE of a Dynamic Tanh graph.
struct stage {
  integer multiplier = 1073741824;
  integer shift = 30;
  integer input_zp = 0;
  integer output_zp = 0;
  bool to_i8 = false;
  bool double_round = false;
};
outcome<integer> apply(const stage& s, integer value);

struct site_conv {
  std::string kind = "conv2d";  // conv2d, transpose_conv2d, linear
  integer out_channels = 1;
  std::array<integer, 2> kernel = {1, 1};
  integer in_channels_per_group = 1;
  integer groups = 1;
  integers weight;  // [O][H][W][I per group]
  integers weight_zp = {0};
  integer weight_min = -128;
  integer weight_max = 127;
  std::optional<integers> bias = {};
  integer input_zp = 0;
  std::array<integer, 4> pad = {0, 0, 0, 0};      // top, bottom, left, right
  std::array<integer, 4> out_pad = {0, 0, 0, 0};  // transpose_conv2d
  std::array<integer, 2> stride = {1, 1};
  std::array<integer, 2> dilation = {1, 1};
  std::optional<std::array<integer, 2>> input_hw = {};
  // The taps inside the input for each output position, in place of a geometry: for shapes of other ranks, whose kernel
  // is then {all axes but the last, the last}. An empty list is a geometry that TOSA calls an error.
  std::optional<std::vector<std::vector<std::size_t>>> listed_positions = {};
};

struct site {
  integers table;  // 256
  integer table_zp = 0;
  std::optional<integers> gamma = {};
  std::optional<integers> beta = {};
  stage r_table, r_gamma, r_gamma_out, r_add_in, r_beta, r_add_out;
  std::optional<integers> alpha = {};  // one code, or one per channel
  stage r_activation, r_alpha, r_mul_out;
  site_conv conv;
};
std::string to_json(const site& s, const std::string& op = "FOLD_AFFINE");

// y_c and its gamma half on X. full[c][j] is y_c(codes[j]).
struct site_maps {
  integers codes;  // X, sorted
  std::vector<integers> gamma_half;
  std::vector<integers> full;
};
// Number of channels: of gamma or beta, else of the weights. 0: gamma and beta disagree, or nothing says it.
integer channel_count(const site& s);
outcome<site_maps> maps_of(const site& s);
// The whole chain for one code in one channel.
outcome<integer> gamma_step(const site& s, std::size_t channel, integer code);
outcome<integer> full_step(const site& s, std::size_t channel, integer code);

// The table with alpha inside it; entry i is for code i - 128.
struct alpha_site {
  integers table;
  integer alpha = 0;
  stage r_activation, r_alpha, r_mul_out;
  integer function_min = -128;
  integer function_max = 127;
  std::array<integer, 2> domain = {-128, 127};
};
outcome<integers> fold_alpha(const alpha_site& a);

// ------------------------------------------------------------------------------------------------ folds
// The taps (ky * kernel width + kx) inside the input, for every output position, listed one by one.
outcome<std::vector<std::vector<std::size_t>>> positions_of(const site_conv& c);

struct folded {
  integers weight;
  integers bias;
  integer input_zp = 0;
  friend bool operator==(const folded& a, const folded& b) {
    return a.weight == b.weight && a.bias == b.bias && a.input_zp == b.input_zp;
  }
};
struct fold_answer {
  std::optional<folded> value = {};
  std::string why = {};                // the first condition that fails
  std::set<std::string> reasons = {};  // every condition that fails, as far as each can be judged on its own
  bool zero_point_free = false;        // the input zero point was not determined by the border
};
fold_answer fold(const site& s);
// Beta alone; gamma stays. Refused also: "no_beta".
fold_answer fold_beta(const site& s);
std::string check_fold_beta(const site& s, const folded& f);
// "" if the constants reproduce every accumulator of the site at every output position for every code, else what
// differs.
std::string check_fold(const site& s, const folded& f);
// The same claim by running both graphs on given table codes, one per input element (NHWC, batch 1).
std::string run_both(const site& s, const integers& new_table, const folded& f, const integers& table_indices);
// Input extents that run_both needs for this site.
std::array<integer, 2> input_extents(const site_conv& c);

struct channel_tables_result {
  integers index;
  std::vector<integers> tables;
};
struct gamma_rescale_result {
  integers multiplier;
  integers shift;
  integer input_zp = 0;
  integer output_zp = 0;
  bool double_round = false;
};
struct gamma_depthwise_result {
  integers weight;
  integer weight_zp = 0;
  integer input_zp = 0;
};
struct retabled_result {
  integers table;
  folded constants;
};
outcome<bool> identity(const site& s);
outcome<bool> gamma_identity(const site& s);
outcome<integers> uniform_table(const site& s);
outcome<channel_tables_result> channel_tables(const site& s);  // with alpha if the site has it
outcome<gamma_rescale_result> gamma_rescale(const site& s);
outcome<gamma_depthwise_result> gamma_depthwise(const site& s);
outcome<retabled_result> retabled(const site& s);
std::string check_retabled(const site& s, const retabled_result& r);

}  // namespace oracle

#endif  // DYTQ_TESTS_ORACLE_ORACLE_HPP
