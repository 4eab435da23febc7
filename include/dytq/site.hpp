// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gamma and beta half of a Dynamic Tanh layer as integer operators, and what it makes of each code.
#ifndef DYTQ_SITE_HPP
#define DYTQ_SITE_HPP

#include <array>
#include <cstdint>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/value_band.hpp"
#include "rescale_step.hpp"
#include "result.hpp"
#include "tables/make_table.hpp"
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

  /// Does the gamma half exist?
  constexpr bool has_gamma() const { return !gamma.absent(); }
  /// Does the beta half exist?
  constexpr bool has_beta() const { return !beta.absent(); }
  /// C, or 0 if neither gamma nor beta says it.
  constexpr std::int64_t channels() const { return has_gamma() ? gamma.extent(0) : has_beta() ? beta.extent(0) : 0; }
  /// Zero point of the code that the chain ends with.
  constexpr std::int32_t last_zero_point() const {
    return has_beta() ? steps.add_out.output_zp : has_gamma() ? steps.gamma_out.output_zp : table_zp;
  }
};

/// Everything about a site that its channels share, validated: the codes that the TABLE can emit and their first
/// RESCALE.
class site_maps {
 public:
  /// The constants of one channel; made by `channel`, which proves that every step is defined on every code.
  struct channel_constants {
    std::int32_t gamma = 1;  ///< RESCALE of the gamma code
    std::int32_t beta = 0;   ///< RESCALE of the beta code
    std::int32_t first = 0;  ///< y_c at the smallest code
    std::int32_t last = 0;   ///< y_c at the largest one
    bool wraps = false;      ///< some product leaves 32 bits
  };
  constexpr site_maps() = default;

  /// Errors: table_size; empty: no code is reachable; channel_count: gamma and beta differ in length, or are empty;
  ///   range_inverted: gamma_out or add_out does not end in int8; shift and multiplier errors of any step;
  ///   value_exceeds_shift, value_exceeds_int32: the first RESCALE, with the code; those of the views.
  static constexpr result<site_maps> make(const affine_site& site) {
    if (const verdict v = detail::validate_table(site.table, 256); !v) {
      return v.error();
    }
    for (const verdict& v : {validate(site.gamma, place::gamma), validate(site.beta, place::beta)}) {
      if (!v) {
        return v.error();
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
    if (const verdict v = validate_steps(site); !v) {
      return v.error();
    }
    site_maps maps(site);
    if (maps.count_ == 0) {
      return rejection{.why = reason::empty, .at = place::input};
    }
    if (site.has_gamma()) {
      for (const int end : {0, maps.count_ - 1}) {
        if (!maps.to_operand_.legal(maps.code(end))) {
          rejection why = maps.to_operand_.reject(maps.code(end), place::table);
          why.code = maps.code(end);
          return why;
        }
      }
    }
    for (int i = 0; i < maps.count_; ++i) {
      maps.operand_[i] = site.has_gamma() ? maps.to_operand_(maps.code_[i]) : maps.code_[i];
    }
    maps.always_defined_ = maps.is_always_defined();
    return maps;
  }

  /// |X|, the number of distinct codes that the TABLE can emit.
  constexpr int count() const { return count_; }
  /// The i-th smallest of them.
  constexpr int code(int i) const { return code_[i]; }

  /// Errors: value_exceeds_shift, value_exceeds_int32, add_overflow: the first step and code at which the chain of
  ///   channel c is unpredictable.
  constexpr result<channel_constants> channel(std::int64_t c) const {
    channel_constants k;
    if (has_gamma_) {
      const std::int8_t g = gamma_(c);
      if (!always_defined_ && !gamma_in_.legal(g)) {
        return located(gamma_in_.reject(g, place::gamma), c, g);
      }
      k.gamma = gamma_in_(g);
    }
    if (has_beta_) {
      const std::int8_t b = beta_(c);
      if (!always_defined_ && !beta_in_.legal(b)) {
        return located(beta_in_.reject(b, place::beta), c, b);
      }
      k.beta = beta_in_(b);
    }
    // The products at both ends fit int32: then none wraps, every step is monotone, and the ends speak for all codes.
    const std::int64_t low = std::int64_t{operand_[0]} * k.gamma;
    const std::int64_t high = std::int64_t{operand_[count_ - 1]} * k.gamma;
    if (always_defined_) {
      k.first = chain(k, low);
      k.last = chain(k, high);
      return k;
    }
    k.wraps = !fits<std::int32_t>(low) || !fits<std::int32_t>(high);
    if (k.wraps || !end(k, low, k.first) || !end(k, high, k.last)) {
      const int stride = k.wraps || count_ < 2 ? 1 : count_ - 1;
      for (int i = 0; i < count_; i += stride) {
        if (const rejection why = legality(k, i); why.exists()) {
          return located(why, c, code(i));
        }
      }
      k.first = map(k, 0);
      k.last = map(k, count_ - 1);
    }
    return k;
  }

  /// m_c at the i-th code: the result of gamma_out.
  constexpr int gamma_map(const channel_constants& k, int i) const {
    return has_gamma_ ? gamma_out_(wrap_int32(product(k, i))) : code(i);
  }
  /// y_c at the i-th code: the code that the convolution reads. Written out, since a constant expression pays for every
  /// call.
  constexpr int map(const channel_constants& k, int i) const {
    const int m = linear_gamma_ ? gamma_out_.linear(static_cast<std::int32_t>(
                                      static_cast<std::uint32_t>(std::int64_t{operand_[i]} * k.gamma)))
                                : gamma_map(k, i);
    return linear_beta_ ? add_out_.linear(add_in_.linear(m) + std::int64_t{k.beta}) : beta_map(k, m);
  }
  /// Do the ends of X prove that channel k is on a line with an integer slope? Nearly every such channel is proven so.
  template <class Band = detail::value_band<>>
  constexpr bool is_line(const channel_constants& k) const {
    if (k.wraps || count_ < 2) {
      return false;
    }
    Band band = Band::of_codes(code_[0], code_[count_ - 1]);
    if (has_gamma_) {
      if (!band.pass(to_operand_)) {
        return false;
      }
      band.multiply(k.gamma);
      if (!band.pass(gamma_out_)) {
        return false;
      }
    }
    if (has_beta_) {
      if (!band.pass(add_in_)) {
        return false;
      }
      band.add(k.beta);
      if (!band.pass(add_out_)) {
        return false;
      }
    }
    return band.is_line();
  }
  /// The beta half alone, for a code that channel `k` has proven.
  constexpr int beta_map(const channel_constants& k, int m) const {
    return has_beta_ ? add_out_(add_in_(m) + k.beta) : m;
  }
  /// m_c at a code of the table. One that is not in X cannot occur; it reads as the smallest of X.
  constexpr int gamma_map_of_code(const channel_constants& k, std::int8_t code_or_not) const {
    const int x = emitted_.contains(code_or_not) ? code_or_not : code(0);
    return has_gamma_ ? gamma_out_(wrap_int32(std::int64_t{to_operand_(x)} * k.gamma)) : x;
  }
  /// y_c at a code of the table, as `gamma_map_of_code`.
  constexpr int map_of_code(const channel_constants& k, std::int8_t code_or_not) const {
    return beta_map(k, gamma_map_of_code(k, code_or_not));
  }
  /// Does the gamma half exist?
  constexpr bool has_gamma() const { return has_gamma_; }
  /// Does the beta half exist?
  constexpr bool has_beta() const { return has_beta_; }
  /// The result of the table's RESCALE at the i-th code.
  constexpr std::int32_t operand(int i) const { return operand_[i]; }

 private:
  constexpr explicit site_maps(const affine_site& site)
      : gamma_(site.gamma),
        beta_(site.beta),
        to_operand_(kernel(site.has_gamma(), site.steps.table)),
        gamma_in_(kernel(site.has_gamma(), site.steps.gamma)),
        gamma_out_(kernel(site.has_gamma(), site.steps.gamma_out)),
        add_in_(kernel(site.has_beta(), site.steps.add_in)),
        beta_in_(kernel(site.has_beta(), site.steps.beta)),
        add_out_(kernel(site.has_beta(), site.steps.add_out)),
        has_gamma_(site.has_gamma()),
        has_beta_(site.has_beta()),
        linear_gamma_(has_gamma_ && gamma_out_.is_linear()),
        linear_beta_(has_beta_ && add_in_.is_linear() && add_out_.is_linear()) {
    for (int q = -128; q < 128; ++q) {
      if (site.reachable.contains(static_cast<std::int8_t>(q))) {
        emitted_.insert(site.table.data[site.table.offset({q + 128})]);
      }
    }
    for (int q = -128; q < 128; ++q) {
      if (emitted_.contains(static_cast<std::int8_t>(q))) {
        code_[count_++] = q;
      }
    }
  }

  // The steps of an absent half were not validated.
  static constexpr rescale_kernel kernel(bool exists, const rescale& r) {
    return exists ? rescale_kernel(r) : rescale_kernel();
  }
  static constexpr verdict validate_steps(const affine_site& site) {
    const auto& s = site.steps;
    if (site.has_gamma()) {
      for (const verdict& v : {validate(s.table, place::table), validate(s.gamma, place::gamma),
                               validate_ending(s.gamma_out, place::gamma_out)}) {
        if (!v) {
          return v;
        }
      }
    }
    if (site.has_beta()) {
      for (const verdict& v : {validate(s.add_in, place::add_in), validate(s.beta, place::beta),
                               validate_ending(s.add_out, place::add_out)}) {
        if (!v) {
          return v;
        }
      }
    }
    return accepted{};
  }
  static constexpr verdict validate_ending(const rescale& r, place at) {
    if (const verdict v = validate(r, at); !v) {
      return v;
    }
    if (!int8_range.contains(r.out)) {
      return rejection{.why = reason::range_inverted, .at = at, .expected = r.out.lo, .got = r.out.hi};
    }
    return accepted{};
  }
  static constexpr rejection located(rejection why, std::int64_t channel, std::int64_t code) {
    why.channel = channel;
    why.code = code;
    return why;
  }

  // The chain at a product that does not wrap.
  constexpr std::int32_t chain(const channel_constants& k, std::int64_t product) const {
    const std::int32_t m = gamma_out_(product);
    return has_beta_ ? add_out_(add_in_(m) + std::int64_t{k.beta}) : m;
  }
  // Is every step defined, and does no product wrap, for every code of gamma and beta? Each step is monotone, and a
  // product is the smallest or largest where both factors are.
  constexpr bool is_always_defined() const {
    code_range products{0, 0};
    for (const int end : {0, count_ - 1}) {
      for (const int g : {-128, 127}) {
        if (has_gamma_ && !gamma_in_.legal(g)) {
          return false;
        }
        const std::int64_t p = std::int64_t{operand_[end]} * (has_gamma_ ? gamma_in_(g) : 1);
        products = {p < products.lo ? p : products.lo, p > products.hi ? p : products.hi};
      }
    }
    if (!int32_range.contains(products) || !gamma_out_.legal(products.lo) || !gamma_out_.legal(products.hi)) {
      return false;
    }
    for (const int end : {-128, 127}) {
      if (has_beta_ && (!add_in_.legal(end) || !beta_in_.legal(end))) {
        return false;
      }
      const std::int64_t sum = has_beta_ ? std::int64_t{add_in_(end)} + beta_in_(end) : 0;
      if (!fits<std::int32_t>(sum) || !add_out_.legal(sum)) {
        return false;
      }
    }
    return true;
  }
  // The chain at a product that does not wrap. -> is every step defined?
  constexpr bool end(const channel_constants& k, std::int64_t product, std::int32_t& y) const {
    if (!gamma_out_.legal(product)) {
      return false;
    }
    y = gamma_out_(product);
    if (has_beta_) {
      if (!add_in_.legal(y)) {
        return false;
      }
      const std::int64_t sum = std::int64_t{add_in_(y)} + k.beta;
      if (!fits<std::int32_t>(sum) || !add_out_.legal(sum)) {
        return false;
      }
      y = add_out_(sum);
    }
    return true;
  }
  constexpr std::int64_t product(const channel_constants& k, int i) const { return std::int64_t{operand(i)} * k.gamma; }

  constexpr rejection legality(const channel_constants& k, int i) const {
    if (has_gamma_ && !gamma_out_.legal(wrap_int32(product(k, i)))) {
      return gamma_out_.reject(wrap_int32(product(k, i)), place::gamma_out);
    }
    if (!has_beta_) {
      return {};
    }
    const int m = gamma_map(k, i);
    if (!add_in_.legal(m)) {
      return add_in_.reject(m, place::add_in);
    }
    const std::int64_t sum = std::int64_t{add_in_(m)} + k.beta;
    if (!fits<std::int32_t>(sum)) {
      return {.why = reason::add_overflow, .at = place::beta, .expected = int32_range.clamp(sum), .got = sum};
    }
    return add_out_.legal(sum) ? rejection{} : add_out_.reject(sum, place::add_out);
  }

  code_set emitted_;
  std::int32_t code_[256]{};
  std::int32_t operand_[256]{};
  int count_ = 0;
  view<const std::int8_t> gamma_;
  view<const std::int8_t> beta_;
  rescale_kernel to_operand_;
  rescale_kernel gamma_in_;
  rescale_kernel gamma_out_;
  rescale_kernel add_in_;
  rescale_kernel beta_in_;
  rescale_kernel add_out_;
  bool has_gamma_ = false;
  bool has_beta_ = false;
  bool always_defined_ = false;
  bool linear_gamma_ = false;  // it is there, and `linear` gives it
  bool linear_beta_ = false;
};

}  // namespace v0
}  // namespace dytq

#endif
