// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// result<T>: a value, or the reason why there is none, and where.
#ifndef DYTQ_RESULT_HPP
#define DYTQ_RESULT_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace dytq {
inline namespace v0 {

/// Why an operation has no result. `describe` gives each reason's name, class and text.
enum class reason : std::uint8_t {
  none,
  // scales
  scale_not_finite,
  scale_negative,
  scale_not_positive,
  scale_too_large,
  scale_not_float32,
  scale_too_small,
  parameter_not_finite,
  // arithmetic that TOSA calls unpredictable
  multiplier_negative,
  multiplier_too_large,
  shift_out_of_range,
  left_shift_out_of_range,
  value_exceeds_shift,
  value_exceeds_int48,
  value_exceeds_int32,
  mul_overflow,
  add_overflow,
  table_slope_overflow,
  // operators that TOSA calls an error
  zero_point_not_zero,
  zero_point_out_of_range,
  scale32_with_int48,
  double_round_without_scale32,
  inexact_round,
  unknown_rounding_mode,
  unknown_type,
  both_unsigned,
  unsigned_wide_type,
  unsigned_with_int32,
  int48_to_unsigned,
  per_channel_count,
  table_size,
  pad_out_of_range,
  stride_not_positive,
  dilation_not_positive,
  stride_does_not_divide,
  shape_mismatch,
  bias_count,
  group_count,
  unknown_dialect,
  // arguments
  null_view,
  negative_extent,
  extent_overflow,
  aliased_output,
  overlapping_views,
  code_out_of_range,
  range_inverted,
  empty,
  size_mismatch,
  contradiction,
  geometry_unset,
  output_missing,
  // functions and tables
  undecided,
  outside_domain,
  estimate_wrong,
  // folds
  channel_count,
  zero_point_mismatch,
  not_affine,
  weight_overflow,
  padding,
  bias_overflow,
  accumulator_overflow,
  not_identity,
  not_uniform,
  not_parallel,
  no_rescale,
  no_line,
  no_line_weight,
  no_gamma,
  no_beta,
  no_chain,
  not_scale_one,
  observable_code,
  shared,
  target_lacks,
  fold_differs,
  beyond_tolerance,
  count_  // the number of reasons, not one of them
};

/// The class of a reason: a term of the TOSA specification where it has one, else our own.
enum class reason_class : std::uint8_t { none, bad_scale, unpredictable, error, bad_argument, undecided, no_fold };

/// The operator or argument that a rejection is about. The names are those of the graph's operators.
enum class place : std::uint8_t {
  none,
  activation,
  alpha,
  mul_out,
  table,
  gamma,
  gamma_out,
  add_in,
  beta,
  add_out,
  input,
  weight,
  weight_zp,
  bias,
  output,
  workspace,
  domain,
  function_in,
  function_out,
  index,
  count_
};

/// Marks a part of a rejection that does not apply.
inline constexpr std::int64_t unset = INT64_MIN;

/// Why, where, and the counter-example. Parts that do not apply are `unset`.
struct rejection {
  reason why = reason::none;            ///< the reason
  place at = place::none;               ///< the operator or argument
  std::int64_t step = unset;            ///< number of the chain's step
  std::int64_t convolution = unset;     ///< number of the convolution, where several read one site
  std::int64_t channel = unset;         ///< channel of the Dynamic Tanh layer (input channel of the convolution)
  std::int64_t output_channel = unset;  ///< output channel of the convolution
  std::int64_t tap = unset;             ///< kernel position, flat over depth, height, width
  std::int64_t axis = unset;            ///< of a view; of a convolution's geometry: 0 depth, 1 height, 2 width
  std::int64_t code = unset;            ///< the code (or value) at which it happens
  std::int64_t expected = unset;        ///< the value asked for, or the limit that was crossed
  std::int64_t got = unset;             ///< the value met instead
  std::int64_t least = unset;  ///< lower bound of any possible value; above `expected`, it proves that none passes

  /// Is it a rejection? Compared here only, since clang tries every pair of types on a comparison of enumerators.
  constexpr bool exists() const { return why != reason::none; }
  friend constexpr bool operator==(const rejection&, const rejection&) = default;
};

/// Description of a reason.
struct reason_info {
  const char* name;   ///< as the enumerator is spelled
  reason_class kind;  ///< whose word it is
  const char* text;   ///< one line, without a full stop
};

namespace detail {

// In the order of the reasons. A table, since compilers read it faster than a switch.
inline constexpr reason_info reason_infos[] = {
    {"none", reason_class::none, "no objection"},
    {"scale_not_finite", reason_class::bad_scale, "the scale is infinite or not a number"},
    {"scale_negative", reason_class::bad_scale, "the scale is negative"},
    {"scale_not_positive", reason_class::bad_scale, "the scale must be greater than zero"},
    {"scale_too_large", reason_class::bad_scale, "the scale needs a smaller shift than there is"},
    {"scale_not_float32", reason_class::bad_scale,
     "the scale is no float32, or in float32 it or its reciprocal is 0 or infinite"},
    {"scale_too_small", reason_class::bad_scale, "the scale needs a larger shift than there is"},
    {"parameter_not_finite", reason_class::bad_scale, "a function parameter is infinite or not a number"},
    {"multiplier_negative", reason_class::unpredictable, "the multiplier is negative"},
    {"multiplier_too_large", reason_class::unpredictable, "the multiplier does not fit its width"},
    {"shift_out_of_range", reason_class::unpredictable, "the shift is outside its legal range"},
    {"left_shift_out_of_range", reason_class::unpredictable, "the rounding takes no such left shift"},
    {"value_exceeds_shift", reason_class::unpredictable,
     "the value, less its zero point, is outside what shift and left_shift take"},
    {"value_exceeds_int48", reason_class::unpredictable, "the value does not fit 48 bits"},
    {"value_exceeds_int32", reason_class::unpredictable, "the value does not fit 32 bits"},
    {"mul_overflow", reason_class::unpredictable, "the rounded product does not fit 32 bits"},
    {"add_overflow", reason_class::unpredictable, "the sum does not fit 32 bits"},
    {"table_slope_overflow", reason_class::unpredictable, "neighbouring table entries differ by more than 16 bits"},
    {"zero_point_not_zero", reason_class::error, "this type takes no such zero point: 0 alone, and with uint16 32768"},
    {"zero_point_out_of_range", reason_class::error, "the zero point is outside its type"},
    {"scale32_with_int48", reason_class::error, "a 32-bit multiplier cannot scale int48"},
    {"double_round_without_scale32", reason_class::error, "DOUBLE_ROUND needs a 32-bit multiplier"},
    {"inexact_round", reason_class::error, "INEXACT_ROUND has no single result"},
    {"unknown_rounding_mode", reason_class::error, "the rounding mode is unknown"},
    {"unknown_type", reason_class::error, "the operator does not take this type"},
    {"both_unsigned", reason_class::error, "input and output cannot both be unsigned"},
    {"unsigned_wide_type", reason_class::error, "int32 and int48 cannot be unsigned"},
    {"unsigned_with_int32", reason_class::error, "an unsigned side cannot meet int32"},
    {"int48_to_unsigned", reason_class::error, "int48 cannot be rescaled to an unsigned type"},
    {"per_channel_count", reason_class::error,
     "multipliers or shifts are not one for all, or one for each channel, as the operator says"},
    {"table_size", reason_class::error, "the table has the wrong number of entries"},
    {"pad_out_of_range", reason_class::error, "the padding is outside its legal range"},
    {"stride_not_positive", reason_class::error, "the stride must be at least 1"},
    {"dilation_not_positive", reason_class::error, "the dilation must be at least 1"},
    {"stride_does_not_divide", reason_class::error,
     "the stride does not divide what the padded input has more than the dilated kernel"},
    {"shape_mismatch", reason_class::error, "the shapes of the tensors do not agree"},
    {"bias_count", reason_class::error, "the bias needs 1 entry, or one for each output channel"},
    {"group_count", reason_class::error, "the groups do not divide the output channels"},
    {"unknown_dialect", reason_class::error, "the dialect does not define this conversion"},
    {"null_view", reason_class::bad_argument, "the view has elements but no data"},
    {"negative_extent", reason_class::bad_argument, "the view has a negative extent"},
    {"extent_overflow", reason_class::bad_argument, "the view is larger than the address space"},
    {"aliased_output", reason_class::bad_argument, "two elements of an output share memory"},
    {"overlapping_views", reason_class::bad_argument, "an output overlaps another argument in part"},
    {"code_out_of_range", reason_class::bad_argument, "the code is outside its range"},
    {"range_inverted", reason_class::bad_argument, "the range is empty or outside its type"},
    {"empty", reason_class::bad_argument, "there is nothing to work on"},
    {"size_mismatch", reason_class::bad_argument, "the sizes of the arguments do not agree"},
    {"contradiction", reason_class::bad_argument, "the same code is mapped to two values"},
    {"geometry_unset", reason_class::bad_argument,
     "a kernel larger than 1 needs the extent of its input, or any_input if nothing is padded"},
    {"output_missing", reason_class::bad_argument, "there is no view to write to; to ask is a call of its own"},
    {"undecided", reason_class::undecided, "the widest arithmetic cannot decide the rounding"},
    {"outside_domain", reason_class::bad_argument, "the function is not defined at the argument of this code"},
    {"estimate_wrong", reason_class::bad_argument, "the function's estimate contradicts its sign"},
    {"channel_count", reason_class::no_fold,
     "gamma, beta and the convolution disagree in channels; after a flatten the weights are a kernel over its "
     "positions"},
    {"zero_point_mismatch", reason_class::no_fold,
     "the convolution's input zero point is not that of the code it reads"},
    {"not_affine", reason_class::no_fold, "map times weight is not affine"},
    {"weight_overflow", reason_class::no_fold, "a folded weight leaves the weight range"},
    {"padding", reason_class::no_fold, "no input zero point serves every border class"},
    {"bias_overflow", reason_class::no_fold, "a folded bias does not fit 32 bits"},
    {"accumulator_overflow", reason_class::unpredictable, "the accumulator may not fit 32 bits"},
    {"not_identity", reason_class::no_fold, "a channel's map is not the identity"},
    {"not_uniform", reason_class::no_fold, "two channels have different maps"},
    {"not_parallel", reason_class::no_fold, "two channels' difference vectors are not parallel"},
    {"no_rescale", reason_class::no_fold, "no multiplier and shift reproduce the map"},
    {"no_line", reason_class::no_fold, "no straight line is within half a code of the map"},
    {"no_line_weight", reason_class::no_fold, "no weight in the range makes the line, with any bias and scale"},
    {"no_gamma", reason_class::no_fold, "the site has no gamma"},
    {"no_beta", reason_class::no_fold, "the site has no beta"},
    {"no_chain", reason_class::no_fold, "this needs the steps of gamma and beta, and the site has others or none"},
    {"not_scale_one", reason_class::no_fold, "an operand RESCALE is not a plain subtraction"},
    {"observable_code", reason_class::no_fold, "the rewrite would change a code that others see"},
    {"shared", reason_class::no_fold, "others use this too, and it cannot be changed for them"},
    {"target_lacks", reason_class::no_fold, "the target does not offer the operator"},
    {"fold_differs", reason_class::no_fold, "the claimed fold changes a result"},
    {"beyond_tolerance", reason_class::no_fold, "the outputs may differ by more than the tolerance"},
    {"unknown", reason_class::error, "unknown reason"}};

}  // namespace detail

/// Name, class and one-line text of a reason.
constexpr const reason_info& describe(reason r) {
  return detail::reason_infos[static_cast<std::size_t>(r < reason::count_ ? r : reason::count_)];
}

/// Name of a reason, as the enumerator is spelled.
constexpr const char* name(reason r) { return describe(r).name; }

/// Class of a reason, in the words of the vectors: "error", "unpredictable", "bad_scale", ...
constexpr const char* name(reason_class c) {
  switch (c) {
    case reason_class::none: return "none";
    case reason_class::bad_scale: return "bad_scale";
    case reason_class::unpredictable: return "unpredictable";
    case reason_class::error: return "error";
    case reason_class::bad_argument: return "bad_argument";
    case reason_class::undecided: return "undecided";
    case reason_class::no_fold: return "no_fold";
  }
  return "unknown";
}

/// Name of a place; empty for `none`.
constexpr const char* name(place s) {
  switch (s) {
    case place::none: return "";
    case place::activation: return "activation";
    case place::alpha: return "alpha";
    case place::mul_out: return "mul_out";
    case place::table: return "table";
    case place::gamma: return "gamma";
    case place::gamma_out: return "gamma_out";
    case place::add_in: return "add_in";
    case place::beta: return "beta";
    case place::add_out: return "add_out";
    case place::input: return "input";
    case place::weight: return "weight";
    case place::weight_zp: return "weight_zp";
    case place::bias: return "bias";
    case place::output: return "output";
    case place::workspace: return "workspace";
    case place::domain: return "domain";
    case place::function_in: return "function_in";
    case place::function_out: return "function_out";
    case place::index: return "index";
    case place::count_: break;
  }
  return "unknown";
}

namespace detail {

constexpr rejection with_reason(rejection why) {
  if (why.why == reason::none || why.why > reason::count_) {
    why.why = reason::count_;
  }
  return why;
}

// Not constexpr: a constant expression that gets here fails, and the compiler prints R by name.
template <reason R>
void rejected() {
  __builtin_trap();
}

template <std::size_t... Index>
constexpr void reject_by_name(reason r, std::index_sequence<Index...>) {
  constexpr void (*by_name[])() = {rejected<static_cast<reason>(Index)>...};
  by_name[static_cast<std::size_t>(r)]();
}

// A step of its own for each place, so that the compiler's notes name it: g++ and new clangs by P, old ones by the
// text.
template <place P>
constexpr void rejected_at([[maybe_unused]] const char* at, reason r) {
  reject_by_name(r, std::make_index_sequence<static_cast<std::size_t>(reason::count_) + 1>{});
}

template <std::size_t... Index>
constexpr void refuse(const rejection& why, std::index_sequence<Index...>) {
  ((why.at == static_cast<place>(Index) ? rejected_at<static_cast<place>(Index)>(name(why.at), why.why) : void()), ...);
  reject_by_name(why.why, std::make_index_sequence<static_cast<std::size_t>(reason::count_) + 1>{});
}

constexpr void refuse(const rejection& why) {
  if (std::is_constant_evaluated()) {
    refuse(why, std::make_index_sequence<static_cast<std::size_t>(place::count_)>{});
  }
  __builtin_trap();
}

}  // namespace detail

/// A value, or a rejection. `value()` on a rejection traps; in a constant expression it is a compile error whose
/// text shows the reason (`rejected<dytq::reason::scale_negative>`) and the place (`rejected_at<dytq::place::input>`).
template <class T>
class [[nodiscard]] result {
 public:
  /// The type of the value.
  using value_type = T;

  /// A value.
  constexpr result(const T& value) : value_(value) {}
  /// A rejection for no reason, or an unknown one, is one all the same.
  constexpr result(const rejection& why) : why_(detail::with_reason(why)) {}
  /// A rejection with nothing but a reason.
  constexpr result(reason why) : result(rejection{.why = why}) {}

  /// Is there a value?
  constexpr bool has_value() const { return !why_.exists(); }
  /// Is there a value?
  constexpr explicit operator bool() const { return has_value(); }

  /// The value; traps if there is none.
  constexpr const T& value() const {
    if (!has_value()) {
      detail::refuse(why_);
    }
    return value_;
  }
  /// As `value()`.
  constexpr const T& operator*() const { return value(); }
  /// As `value()`.
  constexpr const T* operator->() const { return &value(); }
  /// The value, or `other` if there is none.
  constexpr T value_or(const T& other) const { return has_value() ? value_ : other; }

  /// The rejection; `reason::none` if there is a value.
  constexpr const rejection& error() const { return why_; }

 private:
  T value_{};
  rejection why_{};
};

/// The value of a check without another result.
struct accepted {
  friend constexpr bool operator==(accepted, accepted) = default;
};

/// Accepted, or a rejection.
using verdict = result<accepted>;

}  // namespace v0
}  // namespace dytq

#endif
