// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of plans: forms, costs of a target, readers of a chain, and the plan. plan.hpp exports them.
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

/// Ways to compute a stretch of a chain. Of equally good ones the first is taken.
enum class form : std::uint8_t {
  keep,                 ///< the operators as they are
  drop,                 ///< no operator: the stretch is the identity
  into_conv,            ///< no operator: folded into the weights and biases of all readers
  into_table,           ///< one TABLE: all channels have one map
  channel_rescale,      ///< one RESCALE with a multiplier and shift for each channel
  line,                 ///< DEPTHWISE_CONV2D 1x1 with a bias, and a per-channel RESCALE
  into_table_and_conv,  ///< one new TABLE, the rest folded into the readers' weights and biases
  channel_tables,       ///< a TABLE for each channel, in one operator
  sliced_tables,        ///< SLICE, a TABLE for each slice of channels, CONCAT
  count_
};

/// Does the form change the readers' constants?
constexpr bool is_fold(form f) { return f == form::into_conv || f == form::into_table_and_conv; }

/// Costs of operators on a target, and which operators it has. By default each operator is one pass over the elements
/// and costs 1.
struct target {
  /// Cost of each operation, per element.
  std::array<std::int32_t, static_cast<std::size_t>(operation::count_)> cost = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::int32_t depthwise_rescale = 2;  ///< cost of a DEPTHWISE and the RESCALE after it, per element
  std::int32_t slice = 1;              ///< cost of SLICE, and of CONCAT, per element
  /// Cost of a byte of constants; 0: bytes only break ties. The bytes of a form cost at most 2^55.
  std::int64_t byte_cost = 0;
  bool channel_tables = false;  ///< a TABLE for each channel, in one operator
  bool channel_rescale = true;  ///< RESCALE with a multiplier and shift for each channel
  bool depthwise = true;        ///< DEPTHWISE_CONV2D
  std::int64_t max_slices = 0;  ///< greatest number of slices with a TABLE each; less than 2: none
  bool moves_input_zp = true;   ///< padding uses the input zero point, so a fold may change it in a padded convolution
};

// Bytes of a step's constants: 4 per multiplier, constant, bias or index; 1 per shift, weight, code or table entry.
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
  /// Adds a cut. Cuts outside [0, max_chain_steps] are ignored.
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
  convolution conv = {};  ///< the original
  bool writable = true;   ///< its constants and input zero point may change
};

/// Readers of a chain's results.
struct chain_uses {
  view<const chain_reader> readers = {};  ///< convolutions that read the chain's result
  cut_set observed = {};                  ///< results with other readers, which must stay exact
  /// May an observed result be computed by a branch? Else the new chain passes through it.
  bool branches = true;
  /// Largest difference of the result in codes, if that costs less: by a line, or by tables that channels share, in the
  /// last stretch.
  std::int64_t tolerance = 0;
};

/// One stretch of a plan: the operators between two cuts become a form.
struct plan_stretch {
  int from = 0;                      ///< cut where it begins
  int to = 0;                        ///< cut where it ends
  form how = form::keep;             ///< its form
  bool beside = false;               ///< a branch for other readers; not part of the new chain
  bool clamps = false;               ///< a CLAMP to `range` follows the form's operators
  code_range range = int8_range;     ///< of that CLAMP
  int first = 0;                     ///< index of its first operator in `plan_outputs::steps`
  int steps = 0;                     ///< number of its operators
  std::int64_t tables = 0;           ///< distinct tables of channel_tables and sliced_tables
  std::int64_t max_difference = 0;   ///< largest difference of a result in codes; 0: exact
  std::int64_t differ = 0;           ///< codes, over all channels, whose result differs
  code_bound root_mean_square = {};  ///< of the differences, over all codes of all channels
};

/// Cost of one form, or why it does not exist. It is of the whole chain; of a fold, of the longest end that has it.
struct form_offer {
  rejection why = {};      ///< why it does not exist; reason::none: it exists
  std::int64_t cost = 0;   ///< on the target, per element, if it exists
  std::int64_t bytes = 0;  ///< of constants, if it exists

  /// Does the form exist?
  constexpr bool exists() const { return !why.exists(); }
};

/// The cheapest exact form of a chain.
struct chain_plan {
  static constexpr int max_stretches = 2 * max_chain_steps;  ///< stretches of the chain, and branches beside it

  std::array<plan_stretch, max_stretches> stretches{};  ///< of the chain, in order; then the branches
  int count = 0;                                        ///< number of stretches
  int reads = 0;                                        ///< cut that the readers read
  int operators_before = 0;                             ///< steps of the chain
  int operators = 0;                                    ///< steps of the new chain and of its branches
  std::int64_t cost_before = 0;                         ///< of the chain on the target, per element
  std::int64_t cost = 0;                                ///< of the new operators
  std::int64_t bytes_before = 0;                        ///< of the chain's constants
  std::int64_t bytes = 0;                               ///< of the new constants
  std::int64_t numbers = 0;                             ///< int32 constants that `apply` writes
  std::int64_t codes = 0;                               ///< int8 constants that `apply` writes
  bool assumes_domain = false;                          ///< exact only for the codes of the chain's domain
  std::array<form_offer, static_cast<std::size_t>(form::count_)> offers{};  ///< by form

  /// The i-th stretch.
  constexpr const plan_stretch& stretch(int i) const { return stretches[static_cast<std::size_t>(i)]; }
  /// Is step s of the chain kept, in the new chain or in a branch?
  constexpr bool stays(int s) const {
    bool kept = false;
    for (int i = 0; i < count; ++i) {
      kept = kept || (stretch(i).how == form::keep && stretch(i).from <= s && s < stretch(i).to);
    }
    return kept;
  }
  /// The offer of one form.
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

/// Index of the stretch that is a fold, or -1.
constexpr int fold_of(const chain_plan& p) {
  for (int i = 0; i < p.count; ++i) {
    if (is_fold(p.stretch(i).how)) {
      return i;
    }
  }
  return -1;
}

/// Workspace of `plan`, `apply` and `check`, contiguous. Sizes: `plan_workspace_sizes`.
struct plan_workspace {
  view<std::int8_t> codes = {};     ///< the codes of every channel at every cut
  view<std::int32_t> numbers = {};  ///< [C]
  view<std::int16_t> lines = {};    ///< [4 * C], if there are readers
};

/// Sizes of a `plan_workspace`, in elements.
struct plan_sizes {
  std::int64_t codes = 0;    ///< of `plan_workspace::codes`
  std::int64_t numbers = 0;  ///< of `plan_workspace::numbers`
  std::int64_t lines = 0;    ///< of `plan_workspace::lines`
};

/// Outputs of `apply`. Sizes are in `chain_plan`.
struct plan_outputs {
  view<chain_step> steps = {};            ///< [operators]: those of the chain, then those of branches
  view<std::int32_t> numbers = {};        ///< [numbers], contiguous
  view<std::int8_t> codes = {};           ///< [codes], contiguous
  view<const fold_outputs> readers = {};  ///< one for each reader; their workspace is not used
  view<affine_fold> folds = {};           ///< one for each reader: its new input zero point, and what changed
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
