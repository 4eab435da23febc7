// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which exact rewrites does a site have, what does each save, and which one is best for a target?
#ifndef DYTQ_SITE_PLAN_HPP
#define DYTQ_SITE_PLAN_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "conv.hpp"
#include "fold.hpp"
#include "layer.hpp"
#include "result.hpp"
#include "site.hpp"
#include "text.hpp"

namespace dytq {
inline namespace v0 {

/// The exact forms that gamma and beta can take. The first of equals is preferred.
enum class rewrite : std::uint8_t {
  identity,         ///< drop both halves
  into_conv,        ///< both into the convolution
  uniform_table,    ///< both into the TABLE
  retabled,         ///< both into the TABLE and the convolution
  channel_tables,   ///< the TABLE and both halves become one table for each channel
  gamma_identity,   ///< drop the gamma half
  beta_into_conv,   ///< the beta half into the convolution; gamma stays
  gamma_rescale,    ///< the gamma half becomes one RESCALE per channel
  gamma_depthwise,  ///< RESCALE and MUL of the gamma half become a depthwise 1x1
  count_
};

/// The number of rewrites.
inline constexpr int rewrite_count = static_cast<int>(rewrite::count_);

/// The rewrite's name, as in `rewrite`; "none" for count_.
constexpr const char* name(rewrite r) {
  switch (r) {
    case rewrite::identity: return "identity";
    case rewrite::into_conv: return "into_conv";
    case rewrite::uniform_table: return "uniform_table";
    case rewrite::retabled: return "retabled";
    case rewrite::channel_tables: return "channel_tables";
    case rewrite::gamma_identity: return "gamma_identity";
    case rewrite::beta_into_conv: return "beta_into_conv";
    case rewrite::gamma_rescale: return "gamma_rescale";
    case rewrite::gamma_depthwise: return "gamma_depthwise";
    case rewrite::count_: break;
  }
  return "none";
}

/// What a backend offers, and what it may touch.
struct site_target {
  bool channel_table = true;    ///< a TABLE with an entry set for each channel
  bool channel_rescale = true;  ///< RESCALE with a multiplier and shift for each channel
  bool depthwise = true;        ///< DEPTHWISE_CONV2D
  bool table_exclusive = true;  ///< nothing but this site reads the TABLE's result, so that it can be replaced
  bool conv_exclusive = true;   ///< the convolution alone reads the site, and its constants can be rewritten
  bool moves_input_zp = true;   ///< padding follows the input zero point, so that a padded convolution's can move
};

/// Intermediate codes that somebody else sees: graph outputs, state, other users.
struct observed_codes {
  bool table = false;      ///< the TABLE's result
  bool gamma_out = false;  ///< the gamma half's result
  bool add_out = false;    ///< the chain's result, which the convolution reads
};

/// One rewrite: whether it exists, and its bill. Operators are counted per element of the layer, RESCALE, MUL, ADD and
/// TABLE alike; bytes are those of constants: codes 1, table entries 1, multipliers 4, shifts 1, biases and indices 4.
struct rewrite_offer {
  rejection why = {};                  ///< reason::none: it exists
  std::int32_t operators_removed = 0;  ///< per element of the layer
  std::int32_t operators_added = 0;    ///< per element of the layer
  std::int64_t bytes_removed = 0;      ///< of constants
  std::int64_t bytes_added = 0;        ///< of constants

  /// Is it there to be taken?
  constexpr bool exists() const { return why.why == reason::none; }
  /// Operators that an element no longer costs.
  constexpr std::int32_t operators_saved() const { return operators_removed - operators_added; }
  /// Bytes of constants that are no longer stored; negative if there are more.
  constexpr std::int64_t bytes_saved() const { return bytes_removed - bytes_added; }
};

/// Everything that is known of a site.
struct site_plan {
  /// Spelled out for g++ 12, as in `conv_geometry`.
  std::array<rewrite_offer, rewrite_count> offers = {rewrite_offer{}, rewrite_offer{}, rewrite_offer{},
                                                     rewrite_offer{}, rewrite_offer{}, rewrite_offer{},
                                                     rewrite_offer{}, rewrite_offer{}, rewrite_offer{}};
  rewrite best = rewrite::count_;       ///< count_: none exists
  rewrite companion = rewrite::count_;  ///< beta_into_conv beside a rewrite of gamma alone
  std::int32_t operators = 0;           ///< of the chain behind the TABLE, per element
  std::int64_t tables = 0;              ///< distinct per-channel tables
  bool assumes_reachable = false;       ///< holds only for the reachable codes that the caller named

  /// What is known of one rewrite; count_ is none.
  constexpr const rewrite_offer& operator[](rewrite r) const { return offers[static_cast<std::size_t>(r)]; }
  /// The same, to be changed.
  constexpr rewrite_offer& operator[](rewrite r) { return offers[static_cast<std::size_t>(r)]; }
};

namespace detail {

// Bytes of one RESCALE's multiplier and shift.
inline constexpr std::int64_t rescale_bytes = 5;

class planner {
 public:
  constexpr planner(const affine_site& site, const convolution& conv, const site_target& backend,
                    const observed_codes& observed, const view<std::int16_t>& workspace)
      : site_(site), conv_(conv), target_(backend), observed_(observed), workspace_(workspace) {}

  constexpr result<site_plan> run() {
    // The channels are known from the weights even where the geometry is refused.
    const result<conv_geometry> geometry = validate(conv_);
    const bool counts = validate(conv_.weight) && !conv_.weight.empty() && conv_.groups >= 1 &&
                        conv_.output_channels() % conv_.groups == 0;
    const std::int64_t channels = site_.channels() != 0 ? site_.channels() : counts ? conv_.input_channels() : 0;
    // A site that is contradictory, or unpredictable in any channel, has no rewrite at all. `is_identity` would stop at
    // the first channel that is not the identity.
    const result<site_maps> maps = site_maps::make(site_);
    if (!maps) {
      return maps.error();
    }
    for (std::int64_t c = 0; c < site_.channels(); ++c) {
      if (const auto k = maps->channel(c); !k) {
        return k.error();
      }
    }
    if (geometry && channels == conv_.input_channels() &&
        workspace_.extent(0) != detail::channel_lines::numbers_of(channels)) {
      return rejection{.why = reason::size_mismatch,
                       .at = place::workspace,
                       .expected = detail::channel_lines::numbers_of(channels),
                       .got = workspace_.extent(0)};
    }
    if (channels > int32_max) {
      return rejection{.why = reason::extent_overflow, .expected = int32_max, .got = channels};
    }
    if (channels < 1) {
      return rejection{.why = reason::channel_count, .expected = 1, .got = channels};
    }
    const std::int32_t gamma_half = site_.has_gamma() ? 3 : 0;
    const std::int32_t beta_half = site_.has_beta() ? 3 : 0;
    const std::int64_t gamma_bytes = site_.has_gamma() ? channels + 3 * rescale_bytes : 0;
    const std::int64_t beta_bytes = site_.has_beta() ? channels + 3 * rescale_bytes : 0;
    const std::int64_t biases = geometry ? conv_.output_channels() - conv_.bias.extent(0) : 0;
    pads_ = geometry && pads(*geometry);
    plan_.operators = gamma_half + beta_half;
    plan_.assumes_reachable = !(site_.reachable == code_set::all());

    const layer_site layer{.affine = site_, .channels = channels};
    const result<std::int64_t> tables = count_channel_tables(layer);
    plan_.tables = tables.value_or(0);

    const auto folded = prove_affine_fold(site_, conv_, workspace_);
    const auto with_table = prove_table_and_conv_fold(site_, conv_, workspace_);
    const auto beta = prove_beta_fold(site_, conv_, workspace_);
    const rewrite_offer whole{.operators_removed = gamma_half + beta_half, .bytes_removed = gamma_bytes + beta_bytes};

    offer(rewrite::identity, whole, is_identity(site_).error());
    offer(rewrite::into_conv, whole, folded.error(), biases * 4);
    require(rewrite::into_conv, moves(folded ? folded->input_zp : conv_.input_zp));
    offer(rewrite::uniform_table, whole, fold_affine_into_table(site_).error());
    offer(rewrite::retabled, whole, with_table.error(), biases * 4);
    require(rewrite::retabled, moves(with_table ? with_table->input_zp : conv_.input_zp));
    offer(rewrite::channel_tables,
          {.operators_removed = gamma_half + beta_half + 1,
           .operators_added = 1,
           .bytes_removed = gamma_bytes + beta_bytes + 256},
          tables.error(), plan_.tables * 256 + channels * 4);
    const rewrite_offer gamma{.operators_removed = gamma_half, .bytes_removed = gamma_bytes};
    offer(rewrite::gamma_identity, gamma, is_identity(site_, affine_half::gamma).error());
    offer(rewrite::beta_into_conv, {.operators_removed = beta_half, .bytes_removed = beta_bytes}, beta.error(),
          biases * 4);
    require(rewrite::beta_into_conv, moves(beta ? beta->input_zp : conv_.input_zp));
    offer(rewrite::gamma_rescale, {.operators_removed = 3, .operators_added = 1, .bytes_removed = gamma_bytes},
          gamma_as_rescale(site_).error(), channels * rescale_bytes);
    offer(rewrite::gamma_depthwise,
          {.operators_removed = 2, .operators_added = 1, .bytes_removed = channels + 2 * rescale_bytes},
          gamma_as_depthwise(site_).error(), channels);

    require(rewrite::channel_tables, target_.channel_table);
    require(rewrite::gamma_rescale, target_.channel_rescale);
    require(rewrite::gamma_depthwise, target_.depthwise);
    for (const rewrite r : {rewrite::uniform_table, rewrite::retabled, rewrite::channel_tables}) {
      require(r, target_.table_exclusive);
    }
    for (const rewrite r : {rewrite::into_conv, rewrite::retabled, rewrite::beta_into_conv}) {
      require(r, target_.conv_exclusive);
    }
    // Codes that a rewrite takes away or changes. What the identities drop is still there under another name, but for
    // gamma's result where beta undoes what gamma does.
    forbid(rewrite::identity, place::gamma_out, observed_.gamma_out && !plan_[rewrite::gamma_identity].exists());
    const bool changes_codes = plan_.operators != 0;  // else the TABLE's codes are the chain's, and stay
    for (const rewrite r : {rewrite::uniform_table, rewrite::channel_tables}) {
      forbid(r, place::table, observed_.table && changes_codes);
      // Without beta, gamma_out is the chain's result, which these keep.
      forbid(r, place::gamma_out, observed_.gamma_out && site_.has_gamma() && site_.has_beta());
    }
    for (const rewrite r : {rewrite::into_conv, rewrite::beta_into_conv}) {
      forbid(r, place::gamma_out, observed_.gamma_out && site_.has_gamma() && r == rewrite::into_conv);
      forbid(r, place::add_out, observed_.add_out && changes_codes);
    }
    // A new TABLE may emit other codes even where there is no chain.
    forbid(rewrite::retabled, place::table, observed_.table);
    forbid(rewrite::retabled, place::gamma_out, observed_.gamma_out && site_.has_gamma());
    forbid(rewrite::retabled, place::add_out, observed_.add_out);
    choose();
    return plan_;
  }

 private:
  constexpr void offer(rewrite r, const rewrite_offer& bill, const rejection& why, std::int64_t bytes_added = 0) {
    plan_[r] = bill;
    plan_[r].why = why;
    plan_[r].bytes_added = bytes_added;
  }
  constexpr void require(rewrite r, bool offered) {
    if (!offered && plan_[r].exists()) {
      plan_[r].why = {.why = reason::target_lacks};
    }
  }
  constexpr void forbid(rewrite r, place at, bool seen) {
    if (seen && plan_[r].exists()) {
      plan_[r].why = {.why = reason::observable_code, .at = at};
    }
  }
  /// May the convolution's input zero point be this one?
  constexpr bool moves(std::int32_t input_zp) const {
    return target_.moves_input_zp || !pads_ || input_zp == conv_.input_zp;
  }
  /// Does a tap fall outside the input somewhere? A transposed convolution's do at the borders and between the strides.
  constexpr bool pads(const conv_geometry& geometry) const {
    bool padded = conv_.kind == conv_kind::transposed && !geometry.single_class();
    for (const conv_axis& a : conv_.axes) {
      padded = padded || a.before != 0 || a.after != 0;
    }
    return padded;
  }

  // Most operators saved; then most bytes saved; then the order of the enumeration.
  constexpr void choose() {
    for (int i = 0; i < rewrite_count; ++i) {
      const auto r = static_cast<rewrite>(i);
      const bool saves = plan_[r].exists() && (plan_[r].operators_saved() > 0 || plan_.operators == 0);
      if (saves && (plan_.best == rewrite::count_ || plan_[r].operators_saved() > plan_[plan_.best].operators_saved() ||
                    (plan_[r].operators_saved() == plan_[plan_.best].operators_saved() &&
                     plan_[r].bytes_saved() > plan_[plan_.best].bytes_saved()))) {
        plan_.best = r;
      }
    }
    // beta_into_conv and a rewrite of gamma alone go together: they touch different operators.
    const rewrite_offer& beta = plan_[rewrite::beta_into_conv];
    if (!beta.exists()) {
      return;
    }
    for (const rewrite r : {rewrite::gamma_identity, rewrite::gamma_rescale, rewrite::gamma_depthwise}) {
      const std::int32_t together = plan_[r].operators_saved() + beta.operators_saved();
      if (plan_[r].exists() && plan_[r].operators_saved() > 0 && together > plan_[plan_.best].operators_saved()) {
        plan_.best = r;
        plan_.companion = rewrite::beta_into_conv;
        return;
      }
    }
  }

  const affine_site& site_;
  const convolution& conv_;
  const site_target& target_;
  const observed_codes& observed_;
  view<std::int16_t> workspace_;
  bool pads_ = false;
  site_plan plan_;
};

}  // namespace detail

/// Lists every exact rewrite of a site and the convolution behind it, and picks the best.
///
/// Order: most operators saved per element; then most constant bytes saved; then the order of `rewrite`. A rewrite of
///   gamma alone is joined by beta_into_conv where that exists and the two save more than any other.
/// Shape: workspace [4 * C]. A convolution without weights stands for none: its folds are refused as `empty`.
/// Errors: those of `site_maps`; channel_count: no channel. What a single rewrite lacks is in its offer: the reasons of
///   the function that makes it, target_lacks, or observable_code with the step.
/// Exactness: each offer that exists is exact; nothing is written but the workspace.
constexpr result<site_plan> plan(const affine_site& site, const convolution& conv, const view<std::int16_t>& workspace,
                                 const site_target& backend = {}, const observed_codes& observed = {}) {
  return detail::planner(site, conv, backend, observed, workspace).run();
}

/// Plans as short tables: one line for each rewrite, the best marked.
constexpr text_buffer<4096> to_text(const site_plan& p) {
  text_buffer<4096> out;
  out.add("  rewrite          operators   bytes  \n");
  for (int i = 0; i < rewrite_count; ++i) {
    const auto r = static_cast<rewrite>(i);
    const std::size_t line = out.size();
    out.add(r == p.best || r == p.companion ? "* " : "  ").add(name(r)).pad_to(line, 19);
    if (p[r].exists()) {
      out.add_right(p.operators, 3).add(" ->").add_right(p.operators - p[r].operators_saved(), 3);
      out.add_right(-p[r].bytes_saved(), 8).pad_to(line, 37);
      if (r == rewrite::channel_tables) {
        out.add(" ").add(p.tables).add(p.tables == 1 ? " table" : " tables");
      }
    } else {
      out.add(" -").pad_to(line, 38).add(to_text(p[r].why).c_str());
    }
    out.add('\n');
  }
  if (p.assumes_reachable) {
    out.add("  assumes that only the codes named as reachable occur\n");
  }
  return out;
}

}  // namespace v0
}  // namespace dytq

#endif
