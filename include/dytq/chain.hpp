// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of elementwise operators with constants, int8 in and int8 out, as TOSA 1.0 defines them.
#ifndef DYTQ_CHAIN_HPP
#define DYTQ_CHAIN_HPP

#include <cstdint>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/chain_visitors.hpp"
#include "rescale.hpp"
#include "result.hpp"
#include "table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The operators of a chain. Source: TOSA 1.0, the operators of these names.
enum class operation : std::uint8_t {
  rescale,                 ///< RESCALE, its multiplier and shift per tensor or per channel
  mul,                     ///< MUL, int32, shift 0: the low 32 bits
  add,                     ///< ADD, int32
  sub,                     ///< SUB, int32: the value minus the constant
  table,                   ///< TABLE, int8
  clamp,                   ///< CLAMP, int8 or int32
  maximum,                 ///< MAXIMUM, int8 or int32
  minimum,                 ///< MINIMUM, int8 or int32
  abs,                     ///< ABS, int32
  negate,                  ///< NEGATE, int8: clamp(-(value - input_zp) + output_zp)
  arithmetic_right_shift,  ///< ARITHMETIC_RIGHT_SHIFT, int32, by 0 to 31
  depthwise,               ///< DEPTHWISE_CONV2D 1x1, int8 to int32: (value - input_zp) * weight + bias
  channel_tables,          ///< a TABLE for each channel; not in TOSA, but on many targets
  count_
};

/// Its name in TOSA; "CHANNEL_TABLE" for channel_tables.
constexpr const char* name(operation op) {
  switch (op) {
    case operation::rescale: return "RESCALE";
    case operation::mul: return "MUL";
    case operation::add: return "ADD";
    case operation::sub: return "SUB";
    case operation::table: return "TABLE";
    case operation::clamp: return "CLAMP";
    case operation::maximum: return "MAXIMUM";
    case operation::minimum: return "MINIMUM";
    case operation::abs: return "ABS";
    case operation::negate: return "NEGATE";
    case operation::arithmetic_right_shift: return "ARITHMETIC_RIGHT_SHIFT";
    case operation::depthwise: return "DEPTHWISE";
    case operation::channel_tables: return "CHANNEL_TABLE";
    case operation::count_: break;
  }
  return "unknown";
}

/// One operator of a chain. Fields that its operation does not use are ignored.
///
/// The constant of MUL, ADD, SUB, MAXIMUM, MINIMUM and ARITHMETIC_RIGHT_SHIFT is `constants` per channel if present;
/// else `codes` per channel through the RESCALE `scale`, as graphs store gamma and beta; else `constant`. A list with a
/// stride of 0 is one constant for all channels.
struct chain_step {
  operation op = operation::rescale;         ///< which operator
  rescale scale = {};                        ///< RESCALE: the operator; else converts `codes` to int32
  bool wide = false;                         ///< RESCALE: the result is int32, even if its range fits int8
  view<const std::int32_t> multiplier = {};  ///< RESCALE: [C], in place of scale.multiplier
  view<const std::int32_t> shift = {};       ///< RESCALE: [C], in place of scale.shift
  std::int32_t constant = 0;                 ///< the constant of all channels
  view<const std::int32_t> constants = {};   ///< [C]; DEPTHWISE: the biases; channel tables: the row of each channel
  view<const std::int8_t> codes = {};        ///< [C]; DEPTHWISE: the weights
  view<const std::int8_t> table = {};        ///< TABLE: the 256 entries
  view<const std::int8_t, 2> tables = {};    ///< channel tables: [K, 256]; without `constants` K is C
  code_range range = int8_range;             ///< CLAMP
  std::int32_t input_zp = 0;                 ///< NEGATE, DEPTHWISE
  std::int32_t output_zp = 0;                ///< NEGATE; TABLE and channel tables: zero point of the entries, if known
  bool round = false;                        ///< ARITHMETIC_RIGHT_SHIFT: half up instead of down
  bool sliced = false;                       ///< channel tables: by SLICE, TABLE and CONCAT
  place at = place::none;                    ///< names the step in rejections; none: by its number

  /// Zero point of the result, if that of the input is `before`.
  constexpr std::int32_t zero_point_after(std::int32_t before) const {
    switch (op) {
      case operation::rescale: return scale.output_zp;
      case operation::table:
      case operation::channel_tables:
      case operation::negate: return output_zp;
      case operation::depthwise: return 0;
      default: return before;
    }
  }
  /// Do all channels have the same constants?
  constexpr bool per_tensor() const {
    switch (op) {
      case operation::rescale: return multiplier.absent() && shift.absent();
      case operation::mul:
      case operation::add:
      case operation::sub:
      case operation::maximum:
      case operation::minimum:
      case operation::arithmetic_right_shift:
        return constants.absent() ? codes.absent() || codes.strides[0] == 0 : constants.strides[0] == 0;
      case operation::depthwise:
      case operation::channel_tables: return false;
      default: return true;
    }
  }
};

/// A chain: the operators, how many channels their constants are for, and the codes that occur at the entrance.
struct chain {
  view<const chain_step> steps = {};  ///< in the order of the graph
  std::int64_t channels = 1;          ///< C
  code_set domain = code_set::all();  ///< the codes that can occur at the entrance
  std::int32_t zero_point = 0;        ///< of the codes at the entrance
};

/// The greatest number of steps of a chain.
inline constexpr int max_chain_steps = 32;

namespace detail {

// Pointer and stride of a one-dimensional view.
template <class T>
struct strided {
  const T* first = nullptr;
  std::int64_t stride = 0;

  constexpr strided() = default;
  constexpr strided(const view<const T>& v) : first(v.data), stride(v.strides[0]) {}
  constexpr bool absent() const { return first == nullptr; }
  constexpr T operator[](std::int64_t i) const { return first[i * stride]; }
};

}  // namespace detail

/// A chain as a map of codes for each channel, validated once.
///
/// A *cut* is a place between two steps: cut 0 is the entrance, cut s is after s steps. The chain's constants are not
/// copied and must outlive this.
class chain_maps {
 public:
  /// The constants of one channel; made by `channel`, which proves that every step is defined on every code.
  struct channel_constants {
    std::int64_t channel = 0;                  ///< c
    std::int32_t constant[max_chain_steps]{};  ///< of each step that has one for each channel
    std::int32_t first = 0;                    ///< y_c at the smallest code
    std::int32_t last = 0;                     ///< y_c at the largest one
  };

 private:
  // At the top, since clang must have read a template before it meets a use of it in a constant expression.

  // Where a step's constant for each channel comes from. `shared`: all channels have one.
  enum class constants_of : std::uint8_t { shared, codes, numbers, scale, row };
  // A validated step, with its RESCALE as a kernel.
  struct compiled {
    operation op = operation::rescale;
    constants_of own = constants_of::shared;
    bool round = false;
    place at = place::none;
    std::int32_t constant = 0;
    std::int32_t input_zp = 0;
    std::int32_t output_zp = 0;
    code_range range = int8_range;
    rescale scale = {};
    rescale_kernel kernel = {};
    detail::strided<std::int8_t> codes = {};  // also the weights
    detail::strided<std::int32_t> numbers = {};
    detail::strided<std::int32_t> others = {};  // the shifts of RESCALE, the biases
    detail::table_entries table = {};           // the first, where there are several
    std::int64_t table_stride = 0;
  };

  constexpr rejection located(rejection why, int s, std::int64_t channel, std::int64_t code) const {
    why = at_step(why, s);
    why.channel = channel;
    why.code = code;
    return why;
  }

  static constexpr rescale_kernel kernel(const compiled& step, std::int64_t channel) {
    rescale r = step.scale;
    r.multiplier = step.numbers.absent() ? r.multiplier : step.numbers[channel];
    r.shift = step.others.absent() ? r.shift : step.others[channel];
    return rescale_kernel(r);
  }

  template <class Visitor>
  constexpr bool visit(const channel_constants& k, int s, Visitor& v) const {
    const compiled& step = step_[s];
    const std::int32_t c = step.own == constants_of::shared ? step.constant : k.constant[s];
    switch (step.op) {
      case operation::rescale:
        return step.own == constants_of::scale ? v.rescale(kernel(step, k.channel)) : v.rescale(step.kernel);
      case operation::mul: return v.multiply(c);
      case operation::add: return v.add(c);
      case operation::sub: return v.add(-std::int64_t{c});
      case operation::table: return v.lookup(step.table);
      case operation::clamp: return v.clamp(step.range);
      case operation::maximum: return v.clamp({c, int32_range.hi});
      case operation::minimum: return v.clamp({int32_range.lo, c});
      case operation::abs: return v.absolute();
      case operation::negate: return v.multiply(-1) && v.add(step.input_zp + step.output_zp) && v.clamp(int8_range);
      case operation::arithmetic_right_shift: return v.shift(c, step.round);
      case operation::depthwise:
        return v.add(-std::int64_t{step.input_zp}) && v.multiply(c) &&
               v.add(step.others.absent() ? 0 : step.others[k.channel]);
      case operation::channel_tables: return v.lookup({step.table.first + c * step.table_stride, step.table.stride});
      case operation::count_: break;
    }
    return false;
  }
  // Visits the steps [from, to). -> `to`, or the step at which the visitor stopped.
  template <class Visitor>
  constexpr int walk_until(const channel_constants& k, int from, int to, Visitor& v) const {
    for (int s = from; s < to; ++s) {
      if (!visit(k, s, v)) {
        return s;
      }
    }
    return to;
  }
  template <class Visitor>
  constexpr bool walk(const channel_constants& k, int from, int to, Visitor& v) const {
    return walk_until(k, from, to, v) == to;
  }

 public:
  constexpr chain_maps() = default;

  /// Errors: extent_overflow: more than `max_chain_steps` steps; channel_count: no channel, or a list of constants
  ///   whose length is not C; empty: no code occurs; table_size; those of the views; unknown_type: an unknown
  ///   operation, a step that does not take the type before it, or a chain that does not end in int8;
  ///   code_out_of_range: a constant outside its type; range_inverted; zero_point_out_of_range; shift_out_of_range;
  ///   those of `validate` of a RESCALE; and, in the shared steps, value_exceeds_shift, value_exceeds_int32,
  ///   add_overflow, with the code.
  static constexpr result<chain_maps> make(const chain& c) {
    chain_maps maps;
    if (const verdict v = maps.read(c); !v) {
      return v.error();
    }
    return maps;
  }

  /// Number of steps.
  constexpr int steps() const { return steps_; }
  /// The rejection with the place of step s, or with its number if it has no place.
  constexpr rejection at_step(rejection why, int s) const {
    why.at = step_[s].at;
    why.step = why.at == place::none ? s : unset;
    return why;
  }
  /// C.
  constexpr std::int64_t channels() const { return channels_; }
  /// |X|, the number of codes that can occur at the entrance.
  constexpr int count() const { return count_; }
  /// The i-th smallest code of X.
  constexpr int code(int i) const { return code_[i]; }
  /// Is the value at a cut int8?
  constexpr bool is_int8(int cut) const { return is_int8_[cut]; }
  /// Zero point of the codes at a cut. RESCALE, NEGATE and TABLE set it, DEPTHWISE sets 0; others keep it.
  constexpr std::int32_t zero_point(int cut) const { return zero_point_[cut]; }
  /// Zero point of the chain's result.
  constexpr std::int32_t last_zero_point() const { return zero_point_[steps_]; }
  /// Number of steps before the first with constants per channel.
  constexpr int shared_steps() const { return shared_; }

  /// Errors: value_exceeds_shift, value_exceeds_int32, add_overflow: the first step and code at which the chain of
  ///   channel c is unpredictable.
  constexpr result<channel_constants> channel(std::int64_t c) const {
    channel_constants k{.channel = c};
    for (int s = shared_; s < steps_; ++s) {
      const compiled& step = step_[s];
      if (step.own == constants_of::codes) {
        const std::int8_t code = step.codes[c];
        if (!always_defined_ && !step.kernel.legal(code)) {
          return located(step.kernel.reject(code, place::none), s, c, code);
        }
        k.constant[s] = step.kernel(code);
      } else if (step.own == constants_of::numbers) {
        k.constant[s] = step.numbers[c];
      } else if (step.own == constants_of::row) {
        k.constant[s] = static_cast<std::int32_t>(c);
      }
    }
    // Cheap sufficient test: no step is undefined on the whole range of values. Else every code is tested.
    if (detail::chain_range range{enters_}; !always_defined_ && !walk(k, shared_, steps_, range)) {
      for (int i = 0; i < count_; ++i) {
        detail::checked_value one{shared_value_[i]};
        if (const int s = walk_until(k, shared_, steps_, one); s < steps_) {
          return located(one.why, s, c, code(i));
        }
      }
    }
    k.first = map(k, 0);
    k.last = map(k, count_ - 1);
    return k;
  }

  /// y_c at the i-th code.
  constexpr int map(const channel_constants& k, int i) const { return map_to(k, i, steps_); }
  /// The value at a cut for the i-th code. Range: cut >= shared_steps().
  constexpr int map_to(const channel_constants& k, int i, int cut) const {
    detail::chain_value v{shared_value_[i]};
    (void)walk(k, shared_, cut, v);
    return v.value;
  }
  /// The result for a value at a cut. Range: a value that occurs in channel `k`.
  constexpr int map_from(const channel_constants& k, int cut, std::int32_t value) const {
    return map_between(k, cut, steps_, value);
  }
  /// The value at the cut `to` for a value at the cut `from`.
  constexpr int map_between(const channel_constants& k, int from, int to, std::int32_t value) const {
    detail::chain_value v{value};
    (void)walk(k, from, to, v);
    return v.value;
  }
  /// y_c at all codes, into an array of `count()` numbers. Applies each step to all codes.
  constexpr void values(const channel_constants& k, std::int32_t* all) const {
    start(all);
    advance(k, shared_, steps_, all);
  }
  /// The values at the cut `shared_steps()` for all codes; `advance` starts there.
  constexpr void start(std::int32_t* all) const {
    for (int i = 0; i < count_; ++i)
      all[i] = shared_value_[i];
  }
  /// Maps the values at one cut to those at another, for all codes. Range: shared_steps() <= from <= to.
  constexpr void advance(const channel_constants& k, int from, int to, std::int32_t* all) const {
    detail::chain_values v{all, count_};
    (void)walk(k, from, to, v);
  }
  /// The value at the i-th code at a cut that all channels share. Range: cut <= shared_steps().
  constexpr std::int32_t shared_value(int i, int cut) const {
    detail::chain_value v{code_[i]};
    (void)walk({}, 0, cut, v);
    return v.value;
  }
  /// Cheap sufficient test, by the ends of X: channel k is a line with an integer slope. Few such channels fail it.
  constexpr bool is_line(const channel_constants& k) const {
    if (count_ < 2) {
      return false;
    }
    detail::value_band band = detail::value_band::of_codes(code_[0], code_[count_ - 1]);
    return walk(k, 0, steps_, band) && band.is_line();
  }

 protected:
  /// Validates and stores a chain.
  constexpr verdict read(const chain& c) {
    if (const verdict v = validate(c.steps, place::input); !v) {
      return v;
    }
    if (c.steps.extent(0) > max_chain_steps) {
      return rejection{
          .why = reason::extent_overflow, .at = place::input, .expected = max_chain_steps, .got = c.steps.extent(0)};
    }
    if (c.channels < 1) {
      return rejection{.why = reason::channel_count, .expected = 1, .got = c.channels};
    }
    channels_ = c.channels;
    zero_point_[0] = c.zero_point;
    is_int8_[0] = true;
    shared_ = static_cast<int>(c.steps.extent(0));
    for (int s = 0; s < static_cast<int>(c.steps.extent(0)); ++s) {
      const chain_step& step = c.steps.data[c.steps.offset({s})];
      if (const verdict v = read(step, s); !v) {
        rejection why = v.error();
        why.step = step.at == place::none ? s : unset;
        return why;
      }
      shared_ = shared_ > s && !step.per_tensor() ? s : shared_;
      ++steps_;
    }
    if (!is_int8_[steps_]) {
      return rejection{.why = reason::unknown_type, .at = place::output, .step = steps_ - 1, .got = 32};
    }
    for (int q = -128; q < 128; ++q) {
      if (c.domain.contains(static_cast<std::int8_t>(q))) {
        code_[count_++] = q;
      }
    }
    if (count_ == 0) {
      return rejection{.why = reason::empty, .at = place::input, .expected = 1, .got = 0};
    }
    return read_shared();
  }

 private:
  // Values at the cut `shared_`, their range, and whether every step is defined for all constants.
  constexpr verdict read_shared() {
    const channel_constants none;
    detail::chain_range range{{code_[0], code_[count_ - 1]}};
    if (!walk(none, 0, shared_, range)) {
      for (int i = 0; i < count_; ++i) {
        detail::checked_value one{code_[i]};
        if (const int s = walk_until(none, 0, shared_, one); s < shared_) {
          return located(one.why, s, unset, code_[i]);
        }
      }
    }
    for (int i = 0; i < count_; ++i) {
      shared_value_[i] = code_[i];
    }
    detail::chain_values all{shared_value_, count_};
    (void)walk(none, 0, shared_, all);
    enters_ = {shared_value_[0], shared_value_[0]};
    for (int i = 1; i < count_; ++i) {
      enters_ = enters_.extended_to(shared_value_[i]);
    }
    always_defined_ = is_always_defined();
    return accepted{};
  }
  // Is every step defined, and does no product wrap, for all constants?
  constexpr bool is_always_defined() const {
    detail::chain_range range{enters_};
    for (int s = shared_; s < steps_; ++s) {
      const compiled& step = step_[s];
      if (step.own == constants_of::shared) {
        if (!visit(channel_constants{}, s, range)) {
          return false;
        }
        continue;
      }
      // Tested on all int8 codes, so that the channels' codes need not be read.
      if (step.own != constants_of::codes || !step.kernel.legal(-128) || !step.kernel.legal(127)) {
        return false;
      }
      const code_range c{step.kernel(-128), step.kernel(127)};
      const bool defined = step.op == operation::mul   ? range.multiply(c)
                           : step.op == operation::add ? range.add(c)
                           : step.op == operation::sub ? range.add(code_range{-c.hi, -c.lo})
                                                       : false;
      if (!defined) {
        return false;
      }
    }
    return true;
  }

  // Is the list absent, or has it one entry for each channel?
  template <class T>
  constexpr verdict validate_list(const view<T>& list, place at) const {
    if (list.absent()) {
      return accepted{};
    }
    if (const verdict v = validate(list, at); !v) {
      return v;
    }
    if (list.extent(0) != channels_) {
      return rejection{.why = reason::channel_count, .at = at, .expected = channels_, .got = list.extent(0)};
    }
    return accepted{};
  }
  // Are all constants of a step in the range? Codes are tested after their RESCALE.
  constexpr verdict validate_constants(const compiled& step, const code_range& range, reason why) const {
    const bool one = step.own == constants_of::shared;
    const bool codes = step.own == constants_of::codes;
    for (std::int64_t c = 0; c < (one ? 1 : channels_); ++c) {
      const bool legal = !codes || step.kernel.legal(step.codes[c]);
      const std::int64_t v = one ? step.constant : !codes ? step.numbers[c] : legal ? step.kernel(step.codes[c]) : 0;
      if (!legal || !range.contains(v)) {
        rejection bad = legal ? outside(why, step.at, range, v) : step.kernel.reject(step.codes[c], step.at);
        bad.channel = one ? unset : c;
        bad.code = codes ? step.codes[c] : unset;
        return bad;
      }
    }
    return accepted{};
  }
  static constexpr verdict validate_code(std::int64_t zero_point, place at) {
    if (!int8_range.contains(zero_point)) {
      return outside(reason::zero_point_out_of_range, at, int8_range, zero_point);
    }
    return accepted{};
  }
  static constexpr verdict validate_range(const code_range& range, bool is_int8, place at) {
    return detail::validate_range(range, is_int8 ? int8_range : int32_range, at);
  }

  constexpr verdict read(const chain_step& in, int s) {
    compiled& step = step_[s];
    step = {.op = in.op,
            .round = in.round,
            .at = in.at,
            .constant = in.constant,
            .input_zp = in.input_zp,
            .output_zp = in.output_zp,
            .range = in.range,
            .scale = in.scale};
    const bool from_int8 = is_int8_[s];
    bool& is_int8 = is_int8_[s + 1];
    is_int8 = from_int8;
    zero_point_[s + 1] = in.zero_point_after(zero_point_[s]);
    const auto takes = [&](bool int8) {
      return from_int8 == int8 ? verdict(accepted{})
                               : rejection{.why = reason::unknown_type, .at = in.at, .got = from_int8 ? 8 : 32};
    };
    const auto first_of = [](const auto&... v) {
      rejection why;
      ((why = why.exists() ? why : v.error()), ...);
      return why.exists() ? verdict(why) : verdict(accepted{});
    };
    // Reads the constant of an operator; the kernel then rescales its codes.
    const auto read_constant = [&]() -> verdict {
      if (!in.constants.absent()) {
        step.own = constants_of::numbers;
        step.numbers = in.constants;
        if (const verdict v = validate_list(in.constants, in.at); !v) {
          return v;
        }
        if (in.per_tensor()) {
          step.own = constants_of::shared;
          step.constant = step.numbers[0];
        }
        return accepted{};
      }
      if (in.codes.absent()) {
        return accepted{};
      }
      step.own = constants_of::codes;
      step.codes = in.codes;
      if (const verdict v = first_of(validate_list(in.codes, in.at), dytq::validate(in.scale, in.at)); !v) {
        return v;
      }
      step.kernel = rescale_kernel(in.scale);
      if (in.per_tensor()) {
        if (!step.kernel.legal(step.codes[0])) {
          rejection why = step.kernel.reject(step.codes[0], in.at);
          why.code = step.codes[0];
          return why;
        }
        step.own = constants_of::shared;
        step.constant = step.kernel(step.codes[0]);
      }
      return accepted{};
    };
    switch (in.op) {
      case operation::rescale: {
        is_int8 = !in.wide && int8_range.contains(in.scale.out);
        if (in.multiplier.absent() && in.shift.absent()) {
          step.kernel = rescale_kernel();
          if (const verdict v = dytq::validate(in.scale, in.at); !v) {
            return v;
          }
          step.kernel = rescale_kernel(in.scale);
          return accepted{};
        }
        step.own = constants_of::scale;
        step.numbers = in.multiplier;
        step.others = in.shift;
        if (const verdict v = first_of(validate_list(in.multiplier, in.at), validate_list(in.shift, in.at)); !v) {
          return v;
        }
        for (std::int64_t c = 0; c < channels_; ++c) {
          rescale r = in.scale;
          r.multiplier = in.multiplier.absent() ? r.multiplier : in.multiplier.data[in.multiplier.strides[0] * c];
          r.shift = in.shift.absent() ? r.shift : in.shift.data[in.shift.strides[0] * c];
          if (const verdict v = dytq::validate(r, in.at); !v) {
            rejection why = v.error();
            why.channel = c;
            return why;
          }
        }
        return accepted{};
      }
      case operation::mul:
      case operation::add:
      case operation::sub: return first_of(takes(false), read_constant());
      case operation::maximum:
      case operation::minimum:
        if (const verdict v = read_constant(); !v || !from_int8) {
          return v;
        }
        return validate_constants(step, int8_range, reason::code_out_of_range);
      case operation::arithmetic_right_shift:
        if (const verdict v = first_of(takes(false), read_constant()); !v) {
          return v;
        }
        return validate_constants(step, {0, 31}, reason::shift_out_of_range);
      case operation::abs: return takes(false);
      case operation::clamp: return validate_range(in.range, from_int8, in.at);
      case operation::negate:
        return first_of(takes(true), validate_code(in.input_zp, in.at), validate_code(in.output_zp, in.at));
      case operation::table:
        step.table = {in.table.data, in.table.strides[0]};
        return first_of(takes(true), detail::validate_table(in.table, 256));
      case operation::depthwise:
        is_int8 = false;
        step.own = constants_of::codes;
        step.codes = in.codes;
        step.others = in.constants;
        step.scale = {};
        step.kernel = rescale_kernel(step.scale);
        if (in.codes.absent()) {
          return rejection{.why = reason::channel_count, .at = in.at, .expected = channels_, .got = 0};
        }
        return first_of(takes(true), validate_code(in.input_zp, in.at), validate_list(in.codes, in.at),
                        validate_list(in.constants, in.at));
      case operation::channel_tables: return read_tables(in, step, takes(true));
      case operation::count_: break;
    }
    return rejection{.why = reason::unknown_type, .at = in.at};
  }
  constexpr verdict read_tables(const chain_step& in, compiled& step, const verdict& type) {
    step.table = {in.tables.data, in.tables.strides[1]};
    step.table_stride = in.tables.strides[0];
    step.own = constants_of::numbers;
    step.numbers = in.constants;
    if (!type) {
      return type;
    }
    if (const verdict v = validate(in.tables, in.at); !v) {
      return v;
    }
    if (in.tables.extent(1) != 256) {
      return rejection{.why = reason::table_size, .at = in.at, .expected = 256, .got = in.tables.extent(1)};
    }
    if (in.constants.absent()) {
      step.own = constants_of::row;
      if (in.tables.extent(0) != channels_) {
        return rejection{.why = reason::channel_count, .at = in.at, .expected = channels_, .got = in.tables.extent(0)};
      }
      return accepted{};
    }
    if (const verdict v = validate_list(in.constants, in.at); !v) {
      return v;
    }
    return validate_constants(step, {0, in.tables.extent(0) - 1}, reason::code_out_of_range);
  }

  compiled step_[max_chain_steps]{};
  std::int32_t code_[256]{};
  std::int32_t shared_value_[256]{};
  std::int32_t zero_point_[max_chain_steps + 1]{};
  bool is_int8_[max_chain_steps + 1]{};
  int count_ = 0;
  int steps_ = 0;
  int shared_ = 0;
  std::int64_t channels_ = 0;
  code_range enters_{};  // of the values at `shared_`
  bool always_defined_ = false;
};

}  // namespace v0
}  // namespace dytq

#endif
