// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gamma and beta half of a Dynamic Tanh layer as integer operators and as a map of codes.
#ifndef DYTQ_SITE_HPP
#define DYTQ_SITE_HPP

#include <array>
#include <cstdint>

#include "chain.hpp"
#include "codes.hpp"
#include "rescale.hpp"
#include "result.hpp"
#include "table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The chain that follows the TABLE, for each channel c:
///   m = gamma_out(wrap32(table(x) * gamma(gamma[c]))),  y = add_out(add_in(m) + beta(beta[c])).
/// The RESCALEs carry the names of the operands and results that they belong to. An absent gamma or beta (a default
/// view) means that its half, RESCALEs included, does not exist.
struct affine_site {
  view<const std::int8_t> table = {};  ///< the 256 entries before the chain
  std::int32_t table_zp = 0;           ///< zero point of the table's output
  view<const std::int8_t> gamma = {};  ///< [C] codes, or absent
  view<const std::int8_t> beta = {};   ///< [C] codes, or absent
  /// The RESCALEs of the chain, by the name of the operand or result that each belongs to.
  struct rescales {
    rescale table = {};                    ///< of the TABLE's code, to MUL
    rescale gamma = {};                    ///< of gamma's codes, to MUL
    rescale gamma_out{.out = int8_range};  ///< of the product, to int8
    rescale add_in = {};                   ///< of the gamma half's code, to ADD
    rescale beta = {};                     ///< of beta's codes, to ADD
    rescale add_out{.out = int8_range};    ///< of the sum, to int8
  } steps = {};                            ///< the chain's RESCALEs
  code_set reachable = code_set::all();    ///< the codes that can occur at the TABLE's input
  /// Steps after the TABLE instead of gamma and beta, with constants for `chain_channels` channels. Maps given as
  /// tables, int8 [C, 256], are one step, `channel_tables`.
  view<const chain_step> chain = {};
  std::int64_t chain_channels = 0;  ///< C, with `chain`

  /// Does the gamma half exist?
  constexpr bool has_gamma() const { return !gamma.absent(); }
  /// Does the beta half exist?
  constexpr bool has_beta() const { return !beta.absent(); }
  /// Are there other steps in place of gamma and beta?
  constexpr bool has_chain() const { return !chain.absent(); }
  /// C, or 0 if unknown.
  constexpr std::int64_t channels() const {
    return has_chain() ? chain_channels : has_gamma() ? gamma.extent(0) : has_beta() ? beta.extent(0) : 0;
  }
  /// Zero point of the code that the chain ends with.
  constexpr std::int32_t last_zero_point() const {
    if (has_chain()) {
      std::int32_t last = table_zp;
      for (std::int64_t s = 0; chain.data != nullptr && s < chain.extent(0); ++s) {
        last = chain.data[chain.offset({s})].zero_point_after(last);
      }
      return last;
    }
    return has_beta() ? steps.add_out.output_zp : has_gamma() ? steps.gamma_out.output_zp : table_zp;
  }
};

namespace detail {

/// The steps of a site as those of a chain. They name the parts of the site in rejections.
class affine_steps {
 public:
  constexpr explicit affine_steps(const affine_site& site) : given_(site.chain) {
    const auto& s = site.steps;
    if (site.has_gamma()) {
      add({.scale = s.table, .wide = true, .at = place::table});
      add({.op = operation::mul, .scale = s.gamma, .codes = site.gamma, .at = place::gamma});
      add({.scale = s.gamma_out, .at = place::gamma_out});
    }
    if (site.has_beta()) {
      add({.scale = s.add_in, .wide = true, .at = place::add_in});
      add({.op = operation::add, .scale = s.beta, .codes = site.beta, .at = place::beta});
      add({.scale = s.add_out, .at = place::add_out});
    }
  }
  constexpr view<const chain_step> steps() const {
    return given_.absent() ? view<const chain_step>{steps_.data(), {count_}} : given_;
  }

 private:
  constexpr void add(const chain_step& step) { steps_[static_cast<std::size_t>(count_++)] = step; }

  view<const chain_step> given_;
  std::array<chain_step, 6> steps_{};
  std::int64_t count_ = 0;
};

}  // namespace detail

/// A site as a chain for `plan`: the TABLE and the steps after it. Refers to the site's constants.
///
/// Range: at most max_chain_steps - 1 steps in `affine_site::chain`; a longer chain is refused as such.
class site_chain {
 public:
  /// Of a site, whose constants it refers to.
  constexpr explicit site_chain(const affine_site& site) {
    const detail::affine_steps after(site);
    const view<const chain_step> steps = after.steps();
    const std::int64_t count = steps.data == nullptr ? 0 : steps.extent(0);
    steps_[0] = {.op = operation::table, .table = site.table, .output_zp = site.table_zp, .at = place::table};
    for (std::int64_t s = 0; s < count && s + 1 < max_chain_steps; ++s) {
      steps_[static_cast<std::size_t>(s + 1)] = steps.data[steps.offset({s})];
    }
    chain_ = {.channels = site.channels() != 0 ? site.channels() : 1, .domain = site.reachable};
    count_ = count + 1;
    gamma_cut_ = site.has_gamma() ? 4 : 1;
  }
  constexpr site_chain(const site_chain&) = delete;
  constexpr site_chain& operator=(const site_chain&) = delete;

  /// The chain; its steps are this object's.
  constexpr chain get() const {
    chain c = chain_;
    c.steps = view<const chain_step>(steps_.data(), {count_});
    return c;
  }
  /// The number of the cut after the TABLE.
  static constexpr int table_cut() { return 1; }
  /// The number of the cut after the gamma half, or after the TABLE if there is none.
  constexpr int gamma_cut() const { return gamma_cut_; }
  /// The number of the cut at the end.
  constexpr int end() const { return static_cast<int>(count_); }

 private:
  std::array<chain_step, max_chain_steps> steps_{};
  chain chain_;
  std::int64_t count_ = 1;
  int gamma_cut_ = 1;
};

/// A site as the chain that follows its TABLE: the codes at the entrance are those that the TABLE can emit. It knows
/// the code between the gamma half and the beta half as well.
class site_maps : public chain_maps {
 public:
  constexpr site_maps() = default;

  /// Errors: table_size; empty: no code is reachable; channel_count: gamma and beta differ in length, or are empty;
  ///   contradiction: gamma or beta beside other steps; those of `chain_maps`;
  ///   range_inverted: gamma_out or add_out does not end in int8; shift and multiplier errors of any step;
  ///   value_exceeds_shift, value_exceeds_int32: the first RESCALE, with the code; those of the views.
  static constexpr result<site_maps> make(const affine_site& site) {
    if (const verdict v = validate(site); !v) {
      return v.error();
    }
    code_set emitted;
    for (int q = -128; q < 128; ++q) {
      if (site.reachable.contains(static_cast<std::int8_t>(q))) {
        emitted.insert(site.table.data[site.table.offset({q + 128})]);
      }
    }
    const detail::affine_steps steps(site);
    site_maps maps(emitted, site);  // read in place: there is one on the stack
    if (const verdict v =
            maps.read({.steps = steps.steps(),
                       .channels = site.has_chain() || site.has_gamma() || site.has_beta() ? site.channels() : 1,
                       .domain = emitted,
                       .zero_point = site.table_zp});
        !v) {
      return v.error();
    }
    return maps;
  }

  /// The cut after the gamma half, or the entrance if there is none.
  constexpr int gamma_cut() const { return has_gamma_ ? 3 : 0; }
  /// m_c at the i-th code: the result of gamma_out.
  constexpr int gamma_map(const channel_constants& k, int i) const { return has_gamma_ ? map_to(k, i, 3) : code(i); }
  /// The beta half alone, for a code that channel `k` has proven.
  constexpr int beta_map(const channel_constants& k, int m) const { return map_from(k, has_gamma_ ? 3 : 0, m); }
  /// m_c at a code of the table. One that is not in X cannot occur; it reads as the smallest of X.
  constexpr int gamma_map_of_code(const channel_constants& k, std::int8_t code_or_not) const {
    return through(k, has_gamma_ ? 3 : 0, code_or_not);
  }
  /// The code after so many steps, at a code of the table, as `gamma_map_of_code`.
  constexpr int code_after(const channel_constants& k, int cut, std::int8_t code_or_not) const {
    return through(k, cut, code_or_not);
  }
  /// y_c at a code of the table, as `gamma_map_of_code`.
  constexpr int map_of_code(const channel_constants& k, std::int8_t code_or_not) const {
    return through(k, steps(), code_or_not);
  }
  /// Does the gamma half exist?
  constexpr bool has_gamma() const { return has_gamma_; }
  /// Does the beta half exist?
  constexpr bool has_beta() const { return has_beta_; }
  /// The result of gamma's RESCALE, where there is a gamma half.
  constexpr std::int32_t gamma(const channel_constants& k) const { return k.constant[1]; }
  /// The result of the table's RESCALE at the i-th code.
  constexpr std::int32_t operand(int i) const { return shared_value(i, has_gamma_ ? 1 : 0); }

 private:
  constexpr site_maps(const code_set& emitted, const affine_site& site)
      : emitted_(emitted), has_gamma_(site.has_gamma()), has_beta_(site.has_beta()) {}

  constexpr int through(const channel_constants& k, int cut, std::int8_t code_or_not) const {
    return map_between(k, 0, cut, emitted_.contains(code_or_not) ? code_or_not : code(0));
  }
  // Checks of a site that its chain does not make.
  static constexpr verdict validate(const affine_site& site) {
    if (const verdict v = detail::validate_table(site.table, 256); !v) {
      return v;
    }
    for (const verdict& v : {dytq::validate(site.gamma, place::gamma), dytq::validate(site.beta, place::beta)}) {
      if (!v) {
        return v;
      }
    }
    if (site.has_gamma() && site.has_beta() && site.gamma.extent(0) != site.beta.extent(0)) {
      return rejection{.why = reason::channel_count,
                       .at = place::beta,
                       .expected = site.gamma.extent(0),
                       .got = site.beta.extent(0)};
    }
    if ((site.has_gamma() || site.has_beta()) && site.channels() == 0) {
      return rejection{.why = reason::channel_count, .expected = 1, .got = 0};
    }
    if (site.has_chain() && (site.has_gamma() || site.has_beta())) {
      return rejection{.why = reason::contradiction, .at = site.has_gamma() ? place::gamma : place::beta};
    }
    if (site.has_gamma()) {
      if (const verdict v = validate_ending(site.steps.gamma_out, place::gamma_out); !v) {
        return v;
      }
    }
    return site.has_beta() ? validate_ending(site.steps.add_out, place::add_out) : verdict(accepted{});
  }
  static constexpr verdict validate_ending(const rescale& r, place at) {
    if (const verdict v = dytq::validate(r, at); !v) {
      return v;
    }
    return detail::validate_range(r.out, int8_range, at);
  }

  code_set emitted_;
  bool has_gamma_ = false;
  bool has_beta_ = false;
};

/// The chain before the TABLE: code -> mul_out(wrap32(activation(code) * alpha(alpha_code))), clamped to function_in.
struct alpha_site {
  std::int32_t alpha = 0;  ///< the code of alpha, int8
  /// The RESCALEs of the chain, by the name of the operand or result that each belongs to.
  struct rescales {
    rescale activation = {};             ///< of the code that enters
    rescale alpha = {};                  ///< of alpha's code
    rescale mul_out{.out = int8_range};  ///< of the product, to int8
  } steps = {};                          ///< the chain's RESCALEs
  code_range domain = int8_range;        ///< activation codes outside read as the nearest inside
  code_range function_in = int8_range;   ///< range of the TABLE's input codes
};

/// A folded table.
struct folded_table {
  table8 table{};        ///< the folded entries
  int changed = 0;       ///< entries that differ from the original table's
  bool wrapped = false;  ///< some product left 32 bits, as MUL defines it
};

}  // namespace v0
}  // namespace dytq

#endif
