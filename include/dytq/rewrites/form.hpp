// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plan of a chain is made of: forms, their costs on a target, who reads what, and the plan itself. plan.hpp
// gives these names to users.
#ifndef DYTQ_REWRITES_FORM_HPP
#define DYTQ_REWRITES_FORM_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../chain.hpp"
#include "../codes.hpp"
#include "../conv.hpp"
#include "../result.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Ways to compute a stretch of a chain. Of equals the first is taken.
enum class form : std::uint8_t {
  keep,                 ///< the operators as they are
  drop,                 ///< no operator: the stretch is the identity
  into_conv,            ///< no operator: into the weights and biases of all that read the chain's result
  into_table,           ///< one TABLE: all channels have one map
  channel_rescale,      ///< one RESCALE with a multiplier and shift for each channel
  line,                 ///< DEPTHWISE_CONV2D 1x1 with a bias, and a RESCALE per channel: a line through one rounding
  into_table_and_conv,  ///< one new TABLE, and the rest into the weights and biases
  channel_tables,       ///< a TABLE for each channel, in one operator
  sliced_tables,        ///< SLICE, a TABLE for each slice of channels, CONCAT
  count_
};

/// Do the readers' constants change with it?
constexpr bool is_fold(form f) { return f == form::into_conv || f == form::into_table_and_conv; }

/// What operators cost on a target, and which of those that TOSA does not have it offers. One operator is one pass over
/// the elements, and costs 1, unless it is said otherwise here.
struct target {
  /// Of each operation, per element.
  std::array<std::int32_t, static_cast<std::size_t>(operation::count_)> cost = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::int32_t depthwise_rescale = 2;  ///< of a DEPTHWISE and the RESCALE that follows it, per element
  std::int32_t slice = 1;              ///< of SLICE and of CONCAT, per element
  /// Of a byte of constants; 0: bytes decide among equals only. No form's bytes cost more than 2^55.
  std::int64_t byte_cost = 0;
  bool channel_tables = false;  ///< a TABLE for each channel, in one operator
  bool channel_rescale = true;  ///< RESCALE with a multiplier and shift for each channel
  bool depthwise = true;        ///< DEPTHWISE_CONV2D
  std::int64_t max_slices = 0;  ///< slices of channels with a TABLE each; less than 2: none
  bool moves_input_zp = true;   ///< padding follows the input zero point, so that a padded convolution's can move
};

// Bytes of a step's constants: 4 a multiplier, constant, bias or index, 1 a shift, weight, code or entry.
constexpr std::int64_t constant_bytes(const chain_step& step) {
  const auto entries = [](std::int64_t count) { return count > 0 ? count : 1; };
  switch (step.op) {
    case operation::rescale: return 4 * entries(step.multiplier.extent(0)) + entries(step.shift.extent(0));
    case operation::table: return 256;
    case operation::channel_tables:  // slices need no index
      return 256 * step.tables.extent(0) + (step.sliced ? 0 : 4 * step.constants.extent(0));
    case operation::depthwise: return step.codes.extent(0) + 4 * step.constants.extent(0);
    case operation::clamp:
    case operation::abs:
    case operation::negate:
    case operation::count_: return 0;
    default: break;
  }
  // Codes are stored with the RESCALE that reads them.
  return step.constants.absent() && !step.codes.absent() ? step.codes.extent(0) + 5
                                                         : 4 * entries(step.constants.extent(0));
}

/// A set of cuts of a chain; cut k is the result of step k - 1, cut 0 the entrance.
class cut_set {
 public:
  constexpr cut_set() = default;
  /// Adds a cut. Others than those of the longest chain are ignored.
  constexpr void insert(int cut) { bits_ |= cut >= 0 && cut <= max_chain_steps ? std::uint64_t{1} << cut : 0; }
  /// Is the cut in the set?
  constexpr bool contains(int cut) const {
    return cut >= 0 && cut <= max_chain_steps && (bits_ >> cut & std::uint64_t{1}) != 0;
  }

 private:
  std::uint64_t bits_ = 0;
};

/// A convolution that reads the chain's result.
struct chain_reader {
  convolution conv = {};  ///< as it is
  bool writable = true;   ///< its constants and input zero point may be changed
};

/// Who reads what of a chain, beside the chain itself.
struct chain_uses {
  view<const chain_reader> readers = {};  ///< the convolutions that read the result
  cut_set observed = {};                  ///< results that somebody else reads, which must stay as they are
  /// May an observed result be computed beside the new chain? A TABLE with other readers then stays for them alone.
  /// Else the new chain goes through it.
  bool branches = true;
  /// Codes that the result may be off, if that costs less: the chain's last stretch then is a line, or takes tables
  /// that several channels share.
  std::int64_t tolerance = 0;
};

/// One stretch of a plan: the operators between two cuts become a form.
struct plan_stretch {
  int from = 0;                      ///< steps before it
  int to = 0;                        ///< steps before its end
  form how = form::keep;             ///< what it becomes
  bool beside = false;               ///< a branch, for somebody else's sake: the chain does not go through it
  bool clamps = false;               ///< a CLAMP to `range` follows the form's operators
  code_range range = int8_range;     ///< of that CLAMP
  int first = 0;                     ///< its first operator among those of the new chain
  int steps = 0;                     ///< how many they are
  std::int64_t tables = 0;           ///< distinct tables of channel_tables and sliced_tables
  std::int64_t max_difference = 0;   ///< codes that the worst result is off; 0: it is exact
  std::int64_t differ = 0;           ///< codes of all channels whose result is off
  code_bound root_mean_square = {};  ///< of how far results are off, over all codes of all channels
};

/// What is known of one form: of the whole chain, or into_conv and into_table_and_conv of its longest end that has it.
struct form_offer {
  rejection why = {};      ///< reason::none: it exists
  std::int64_t cost = 0;   ///< of the target, per element, if it exists
  std::int64_t bytes = 0;  ///< of constants, if it exists

  /// Does the form exist?
  constexpr bool exists() const { return !why.exists(); }
};

/// The cheapest exact form of a chain.
struct chain_plan {
  static constexpr int max_stretches = 2 * max_chain_steps;  ///< stretches of the chain, and branches beside it

  std::array<plan_stretch, max_stretches> stretches{};  ///< of the chain, in order; then the branches
  int count = 0;                                        ///< how many of them
  int reads = 0;                                        ///< the cut whose codes the readers read
  int operators_before = 0;                             ///< steps of the chain
  int operators = 0;                                    ///< steps of the new one, and of what stays beside it
  std::int64_t cost_before = 0;                         ///< the target's, per element
  std::int64_t cost = 0;                                ///< the target's, per element, now
  std::int64_t bytes_before = 0;                        ///< of constants
  std::int64_t bytes = 0;                               ///< of constants, now
  std::int64_t numbers = 0;                             ///< int32 constants that `apply` writes
  std::int64_t codes = 0;                               ///< int8 constants that `apply` writes
  bool assumes_domain = false;                          ///< holds only for the codes that the caller named
  std::array<form_offer, static_cast<std::size_t>(form::count_)>
      offers{};  ///< by form: the cheapest place of it, or the reason

  /// The i-th stretch.
  constexpr const plan_stretch& stretch(int i) const { return stretches[static_cast<std::size_t>(i)]; }
  /// Does step s of the chain stay, for the chain or for somebody else?
  constexpr bool stays(int s) const {
    bool kept = false;
    for (int i = 0; i < count; ++i) {
      kept = kept || (stretch(i).how == form::keep && stretch(i).from <= s && s < stretch(i).to);
    }
    return kept;
  }
  /// What is known of one form.
  constexpr const form_offer& operator[](form f) const { return offers[static_cast<std::size_t>(f)]; }
  /// Do the readers get new constants?
  constexpr bool folds() const {
    bool all = false;
    for (int i = 0; i < count; ++i) {
      all = all || is_fold(stretch(i).how);
    }
    return all;
  }
};

/// Which is the fold at the end of the chain? -1: none.
constexpr int fold_of(const chain_plan& p) {
  for (int i = 0; i < p.count; ++i) {
    if (is_fold(p.stretch(i).how)) {
      return i;
    }
  }
  return -1;
}

/// Memory that `plan`, `apply` and `check` work in, contiguous. `plan_workspace_sizes` says how much.
struct plan_workspace {
  view<std::int8_t> codes = {};     ///< the codes of every channel at every cut
  view<std::int32_t> numbers = {};  ///< [C]
  view<std::int16_t> lines = {};    ///< [4 * C], if there are readers
};

/// Elements of a `plan_workspace`.
struct plan_sizes {
  std::int64_t codes = 0;    ///< of `plan_workspace::codes`
  std::int64_t numbers = 0;  ///< of `plan_workspace::numbers`
  std::int64_t lines = 0;    ///< of `plan_workspace::lines`
};

/// Where `apply` writes; what `chain_plan` says of the sizes.
struct plan_outputs {
  view<chain_step> steps = {};            ///< [operators]: those of the chain first, then those beside it
  view<std::int32_t> numbers = {};        ///< [numbers], contiguous
  view<std::int8_t> codes = {};           ///< [codes], contiguous
  view<const fold_outputs> readers = {};  ///< one for each reader; their workspace is not used
  view<affine_fold> folds = {};           ///< one for each reader: what it reads now
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
