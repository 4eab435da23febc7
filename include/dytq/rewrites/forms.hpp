// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms that a stretch of a chain can take: whether each exists, what it costs a target, and its operators.
#ifndef DYTQ_REWRITES_FORMS_HPP
#define DYTQ_REWRITES_FORMS_HPP

#include <cstddef>
#include <cstdint>

#include "../chain.hpp"
#include "../codes.hpp"
#include "../fit_line.hpp"
#include "../numbers/integer.hpp"
#include "../operators/rounding.hpp"
#include "../rescale.hpp"
#include "../result.hpp"
#include "../scale.hpp"
#include "../view.hpp"
#include "form.hpp"
#include "stretch.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The cost of some operators.
struct bill {
  std::int64_t cost = 0;     ///< on the target, per element
  std::int64_t bytes = 0;    ///< of constants
  std::int64_t nearest = 0;  ///< number of lines that are not exact; fewer win at equal cost

  constexpr bill operator+(const bill& other) const {
    return {cost + other.cost, bytes + other.bytes, nearest + other.nearest};
  }
  constexpr bool less_than(const bill& other) const {
    return cost != other.cost         ? cost < other.cost
           : nearest != other.nearest ? nearest < other.nearest
                                      : bytes < other.bytes;
  }
};

/// The bill of operators of cost `operators` with `bytes` of constants. The cost of bytes is limited to 2^55, so that
/// the sum over all stretches fits int64.
constexpr bill bill_of(const target& t, std::int64_t operators, std::int64_t bytes) {
  const std::int64_t most = (std::int64_t{1} << 55) / (bytes > 0 ? bytes : 1);
  return {operators + bytes * code_range{-most, most}.clamp(t.byte_cost), bytes};
}
constexpr std::int64_t cost_of(const target& t, operation op) { return t.cost[static_cast<std::size_t>(op)]; }

/// The bill of the steps [from, to).
constexpr bill bill_of(const target& t, const view<const chain_step>& steps, int from, int to) {
  std::int64_t operators = 0;
  std::int64_t bytes = 0;
  for (int s = from; s < to; ++s) {
    const chain_step& step = steps.data[steps.offset({s})];
    bytes += constant_bytes(step);
    if (step.op == operation::depthwise && s + 1 < to && steps.data[steps.offset({s + 1})].op == operation::rescale) {
      operators += t.depthwise_rescale - cost_of(t, operation::rescale);
    } else {
      operators += step.sliced ? cost_of(t, operation::table) + std::int64_t{2} * t.slice : cost_of(t, step.op);
    }
  }
  return bill_of(t, operators, bytes);
}

/// An interval of scales, from lo / lo_over to hi / hi_over. An open end is not included.
struct scales_between {
  std::int64_t lo = 0;
  std::int64_t lo_over = 1;
  bool lo_open = false;
  std::int64_t hi = 1;  // over 0: unbounded
  std::int64_t hi_over = 0;
  bool hi_open = false;

  constexpr void at_least(std::int64_t n, std::int64_t d, bool open) {
    const std::int64_t order = n * lo_over - lo * d;
    if (order > 0 || (order == 0 && open)) {
      lo = n;
      lo_over = d;
      lo_open = open;
    }
  }
  constexpr void at_most(std::int64_t n, std::int64_t d, bool open) {
    const std::int64_t order = n * hi_over - hi * d;
    if (hi_over == 0 || order < 0 || (order == 0 && open)) {
      hi = n;
      hi_over = d;
      hi_open = open;
    }
  }
  constexpr bool empty() const {
    const std::int64_t order = lo * hi_over - hi * lo_over;
    return order > 0 || (order == 0 && (lo_open || hi_open));
  }
};

/// The int8 to int8 RESCALE, rounding half up, that gives a map: the largest shift, then the smallest multiplier.
///
/// Each code allows an interval of scales, whatever the shift, so that one pass over the codes is enough.
/// Errors: no_rescale: no scale is right for `code` and all codes before it; or no multiplier and shift give one.
constexpr result<multiplier_shift> fit_channel_scale(const code_map& map, std::int64_t input_zp, std::int64_t output_zp,
                                                     const code_range& out) {
  scales_between scales;
  std::int64_t reach = 0;
  for (int i = 0; i < map.size; ++i) {
    const std::int64_t v = map.code[i] - input_zp;
    const std::int64_t y = map.value[i] - output_zp;
    reach = larger(reach, v < 0 ? -v - 1 : v);
    // y - 1/2 <= v * scale < y + 1/2; a clamped value bounds one side only.
    const bool below = map.value[i] > out.lo;
    const bool above = map.value[i] < out.hi;
    bool fits_none = v == 0 && ((below && y > 0) || (above && y < 0));
    if (v > 0) {
      if (below)
        scales.at_least(2 * y - 1, 2 * v, false);
      if (above)
        scales.at_most(2 * y + 1, 2 * v, true);
    } else if (v < 0) {
      if (below)
        scales.at_most(1 - 2 * y, -2 * v, false);
      if (above)
        scales.at_least(-1 - 2 * y, -2 * v, true);
    }
    fits_none = fits_none || scales.empty();
    if (fits_none) {
      return rejection{.why = reason::no_rescale, .code = map.code[i], .expected = map.value[i]};
    }
  }
  // From 2^42 a least scale of 1 / 766 needs more than 31 bits.
  for (std::int32_t shift = scales.lo == 0 ? max_shift : 42; shift >= min_shift; --shift) {
    const std::int64_t unit = std::int64_t{1} << shift;
    if (reach >= unit / 2) {
      break;
    }
    const std::int64_t least = scales.lo == 0   ? (scales.lo_open ? 1 : 0)
                               : scales.lo_open ? floor_div(scales.lo * unit, scales.lo_over) + 1
                                                : ceil_div(scales.lo * unit, scales.lo_over);
    const bool fits = scales.hi_over == 0 || scales.lo == 0
                          ? least <= int32_max
                          : least <= int32_max && (scales.hi_open ? least * scales.hi_over < scales.hi * unit
                                                                  : least * scales.hi_over <= scales.hi * unit);
    if (fits) {
      return multiplier_shift{static_cast<std::int32_t>(least), shift};
    }
  }
  return rejection{.why = reason::no_rescale, .code = map.code[map.size - 1], .expected = map.value[map.size - 1]};
}

/// accepted, or the rejection of the result.
template <class T>
constexpr verdict verdict_of(const result<T>& r) {
  return r ? verdict(accepted{}) : verdict(r.error());
}

/// A form of one stretch.
struct stretch_form {
  form how = form::keep;
  bool clamps = false;  ///< a CLAMP to `range` follows
  code_range range = int8_range;
  bill price = {};
  int steps = 0;                    ///< operators of the new chain
  std::int64_t tables = 0;          ///< distinct tables of channel_tables and sliced_tables
  std::int64_t numbers = 0;         ///< int32 constants that it stores
  std::int64_t codes = 0;           ///< int8 constants that it stores
  std::int64_t max_difference = 0;  ///< largest difference in codes
  std::int64_t differ = 0;          ///< codes, over all channels, whose result differs
};

/// The forms of a chain's stretches for a target.
class stretch_forms {
 public:
  constexpr stretch_forms(const view<const chain_step>& steps, const cut_codes& codes, const target& t,
                          std::int32_t* index, std::int64_t tolerance = 0)
      : steps_(steps), codes_(&codes), target_(t), index_(index), tolerance_(tolerance) {}

  constexpr const cut_codes& codes() const { return *codes_; }

  /// The operators as they are.
  constexpr stretch_form kept(int a, int b) const {
    const int from = codes_->cut(a);
    const int to = codes_->cut(b);
    return {.price = bill_of(target_, steps_, from, to), .steps = to - from};
  }
  /// One form, at any cost.
  /// Errors: not_identity, not_uniform, no_rescale, zero_point_out_of_range, those of `fit_line`: with the
  ///   counter-example; target_lacks; empty: a fold.
  constexpr result<stretch_form> find(form f, int a, int b) const {
    stretch_form made = lower_bound(f, a, b);
    switch (f) {
      case form::keep: return made;
      case form::drop: return with(made, is_identity(*codes_, a, b));
      case form::into_table: {
        std::int8_t table[256]{};
        return with(made, shared_table(*codes_, a, b, table));
      }
      case form::channel_rescale:
      case form::line: {
        if (f == form::line ? !target_.depthwise : !target_.channel_rescale && !alike(a, b)) {
          return reason::target_lacks;
        }
        const verdict whole = fits(f, a, b, int8_range);
        if (whole) {
          return made;
        }
        // A CLAMP after the form allows any value beyond the ends of the range.
        const code_range range = codes_->range(b);
        const verdict narrow = range == int8_range ? whole : fits(f, a, b, range);
        if (narrow) {
          return clamped(made, range);
        }
        return f == form::line && allowed(b) > 0 ? near_line(made, a, b) : result<stretch_form>(narrow.error());
      }
      case form::channel_tables:
      case form::sliced_tables: {
        const bool sliced = f == form::sliced_tables;
        if (sliced ? target_.max_slices < 2 : !target_.channel_tables) {
          return reason::target_lacks;
        }
        const table_count found = count_tables(*codes_, a, b, index_, allowed(b));
        made.max_difference = found.max_difference;
        made.differ = found.differ;
        if (sliced && found.slices > target_.max_slices) {
          return rejection{.why = reason::target_lacks, .expected = target_.max_slices, .got = found.slices};
        }
        return with_tables(made, found.tables);
      }
      case form::into_conv:
      case form::into_table_and_conv:
      case form::count_: break;
    }
    return rejection{.why = reason::empty, .expected = 1, .got = 0};
  }
  /// A form that `find` or `best` has found before, from what the planner stores of it.
  constexpr stretch_form as_found(form f, bool clamps, std::int64_t tables, int a, int b) const {
    const stretch_form made = lower_bound(f, a, b);
    return clamps ? clamped(made, codes_->range(b)) : tables != 0 ? with_tables(made, tables) : made;
  }
  /// The cheapest form, if it costs at most `limit` and less than the original steps; else `keep`.
  constexpr stretch_form best(int a, int b, const bill& limit) const {
    stretch_form best = kept(a, b);
    for (const form f :
         {form::drop, form::into_table, form::channel_rescale, form::line, form::channel_tables, form::sliced_tables}) {
      const bill least = lower_bound(f, a, b).price;
      if (!least.less_than(best.price) || limit.less_than(least)) {
        continue;
      }
      if (const result<stretch_form> made = find(f, a, b);
          made && made->price.less_than(best.price) && !limit.less_than(made->price)) {
        best = *made;
      }
      if (best.how == form::drop) {
        break;
      }
    }
    return best;
  }

  /// Root mean square of the differences of a form within the tolerance, over all codes of all channels. At most
  /// 2^-10 codes too large.
  constexpr code_bound root_mean_square(const stretch_form& made, int a, int b) const {
    const std::int64_t channels = codes_->channels(a, b);
    std::int64_t squares = 0;
    std::int64_t count = 0;
    if (made.how != form::line) {
      (void)count_tables(*codes_, a, b, index_, allowed(b));
    }
    for (std::int64_t c = 0; c < channels; ++c) {
      const code_map map(*codes_, a, b, c);
      count += map.size;
      if (made.how == form::line) {
        const std::int32_t input_zp = input_zero_point(a, b);
        const rounded_line one = *fit_one_line(a, b, c, int8_range, allowed(b));
        const rescale_kernel kernel({.multiplier = one.multiplier,
                                     .shift = one.shift,
                                     .output_zp = output_zero_point(a, b),
                                     .out = int8_range});
        for (int i = 0; i < map.size; ++i) {
          const std::int64_t off = kernel(one.bias + (map.code[i] - input_zp) * one.weight) - map.value[i];
          squares += off * off;
        }
        continue;
      }
      std::int64_t first = 0;  // the channel that made the table
      while (index_[first] != index_[c])
        ++first;
      const code_map table(*codes_, a, b, first);
      for (int i = 0; i < map.size; ++i) {
        const std::int64_t off = table.value[i] - map.value[i];
        squares += off * off;
      }
    }
    constexpr int bits = 20;  // of the mean
    const auto mean = static_cast<std::uint64_t>(((squares / count) << bits) + (squares % count << bits) / count + 1);
    const std::uint64_t root = square_root(mean);
    return {.numerator = static_cast<std::int64_t>(root) + (root * root < mean ? 1 : 0), .shift = bits / 2};
  }

  /// Outputs for the operators of a form and their constants.
  struct writer {
    chain_step* steps = nullptr;
    std::int32_t* numbers = nullptr;
    std::int8_t* codes = nullptr;

    constexpr void add(const chain_step& step) { *steps++ = step; }
    constexpr std::int32_t* take_numbers(std::int64_t count) {
      std::int32_t* const first = numbers;
      numbers += count;
      return first;
    }
    constexpr std::int8_t* take_codes(std::int64_t count) {
      std::int8_t* const first = codes;
      codes += count;
      return first;
    }
  };
  /// Writes a form that `find` has found for the stretch.
  constexpr void write(const stretch_form& made, int a, int b, writer& out) const {
    const std::int64_t channels = codes_->maps().channels();
    const std::int32_t zero_point = codes_->maps().zero_point(codes_->cut(b));
    const code_range range = made.clamps ? made.range : int8_range;
    switch (made.how) {
      case form::keep:
        for (int s = codes_->cut(a); s < codes_->cut(b); ++s)
          out.add(steps_.data[steps_.offset({s})]);
        break;
      case form::into_table: {
        std::int8_t* const table = out.take_codes(256);
        for (int i = 0; i < 256; ++i)
          table[i] = 0;
        (void)shared_table(*codes_, a, b, table);
        out.add({.op = operation::table, .table = view<const std::int8_t>(table, {256}), .output_zp = zero_point});
        break;
      }
      case form::channel_rescale: {
        chain_step step{
            .scale = {.input_zp = input_zero_point(a, b), .output_zp = output_zero_point(a, b), .out = int8_range}};
        if (alike(a, b)) {
          const multiplier_shift one = *fit_scale(a, b, 0, range);
          step.scale.multiplier = one.multiplier;
          step.scale.shift = one.shift;
        } else {
          std::int32_t* const multiplier = out.take_numbers(channels);
          std::int32_t* const shift = out.take_numbers(channels);
          for (std::int64_t c = 0; c < channels; ++c) {
            const multiplier_shift one = *fit_scale(a, b, c, range);
            multiplier[c] = one.multiplier;
            shift[c] = one.shift;
          }
          step.multiplier = view<const std::int32_t>(multiplier, {channels});
          step.shift = view<const std::int32_t>(shift, {channels});
        }
        out.add(step);
        break;
      }
      case form::line: {
        std::int8_t* const weight = out.take_codes(channels);
        std::int32_t* const bias = out.take_numbers(channels);
        std::int32_t* const multiplier = out.take_numbers(channels);
        std::int32_t* const shift = out.take_numbers(channels);
        rounded_line one;
        for (std::int64_t c = 0; c < channels; ++c) {
          if (c == 0 || !alike(a, b)) {
            one = *fit_one_line(a, b, c, range, made.max_difference != 0 ? allowed(b) : 0);
          }
          weight[c] = static_cast<std::int8_t>(one.weight);
          bias[c] = one.bias;
          multiplier[c] = one.multiplier;
          shift[c] = one.shift;
        }
        out.add({.op = operation::depthwise,
                 .constants = view<const std::int32_t>(bias, {channels}),
                 .codes = view<const std::int8_t>(weight, {channels}),
                 .input_zp = input_zero_point(a, b)});
        out.add({.scale = {.output_zp = output_zero_point(a, b), .out = int8_range},
                 .multiplier = view<const std::int32_t>(multiplier, {channels}),
                 .shift = view<const std::int32_t>(shift, {channels})});
        break;
      }
      case form::channel_tables:
      case form::sliced_tables: {
        std::int32_t* const index = out.take_numbers(channels);
        const std::int64_t count = count_tables(*codes_, a, b, index, allowed(b)).tables;
        std::int64_t filled = -1;
        std::int8_t* const tables = out.take_codes(256 * count);
        for (std::int64_t i = 0; i < 256 * count; ++i)
          tables[i] = 0;
        for (std::int64_t c = 0; c < codes_->channels(a, b); ++c) {
          if (index[c] <= filled) {
            continue;  // the first channel with the table has filled it
          }
          filled = index[c];
          const std::int8_t* const from = codes_->row(a, c);
          const std::int8_t* const to = codes_->row(b, c);
          for (int i = 0; i < codes_->count(); ++i)
            tables[256 * std::int64_t{index[c]} + from[i] + 128] = to[i];
        }
        out.add({.op = operation::channel_tables,
                 .constants = view<const std::int32_t>(index, {channels}),
                 .tables = view<const std::int8_t, 2>(tables, {count, 256}),
                 .output_zp = zero_point,
                 .sliced = made.how == form::sliced_tables});
        break;
      }
      case form::drop:
      case form::into_conv:
      case form::into_table_and_conv:
      case form::count_: break;
    }
    if (made.clamps) {
      out.add({.op = operation::clamp, .range = made.range});
    }
  }

 private:
  // Allowed difference at a cut in codes; 0 except at the end of the chain.
  constexpr std::int64_t allowed(int b) const { return b == codes_->cuts() - 1 ? tolerance_ : 0; }
  // A line within the tolerance.
  constexpr result<stretch_form> near_line(stretch_form made, int a, int b) const {
    if (const verdict v = zero_points_fit(a, b); !v) {
      return v.error();
    }
    const std::int64_t channels = codes_->channels(a, b);
    for (std::int64_t c = 0; c < channels; ++c) {
      const result<rounded_line> one = fit_one_line(a, b, c, int8_range, allowed(b));
      if (!one) {
        rejection why = one.error();
        why.channel = c;
        return why;
      }
      made.max_difference = one->max_difference > made.max_difference ? one->max_difference : made.max_difference;
      made.differ += one->differ * (codes_->maps().channels() / channels);
    }
    made.price.nearest = 1;
    return made;
  }

  constexpr bool alike(int a, int b) const { return codes_->channels(a, b) == 1; }

  static constexpr result<stretch_form> with(const stretch_form& made, const verdict& v) {
    return v ? result<stretch_form>(made) : result<stretch_form>(v.error());
  }
  constexpr stretch_form with_tables(stretch_form made, std::int64_t tables) const {
    made.tables = tables;
    made.codes = 256 * tables;
    made.price =
        made.how == form::sliced_tables
            ? bill_of(target_, cost_of(target_, operation::table) + std::int64_t{2} * target_.slice, 256 * tables)
            : bill_of(target_, cost_of(target_, operation::channel_tables),
                      256 * tables + 4 * codes_->maps().channels());
    return made;
  }
  constexpr stretch_form clamped(stretch_form made, const code_range& range) const {
    made.clamps = true;
    made.range = range;
    made.price = made.price + bill_of(target_, cost_of(target_, operation::clamp), 0);
    ++made.steps;
    return made;
  }

  // A lower bound of the form's cost; its cost if it needs no CLAMP and no tables are counted.
  constexpr stretch_form lower_bound(form f, int a, int b) const {
    const std::int64_t channels = codes_->maps().channels();
    stretch_form made{.how = f, .steps = 1};
    switch (f) {
      case form::keep: return kept(a, b);
      case form::drop: made.steps = 0; return made;
      case form::into_table:
        made.price = bill_of(target_, cost_of(target_, operation::table), 256);
        made.codes = 256;
        return made;
      case form::channel_rescale:
        made.price = bill_of(target_, cost_of(target_, operation::rescale), 5 * (alike(a, b) ? 1 : channels));
        made.numbers = alike(a, b) ? 0 : 2 * channels;
        return made;
      case form::line:
        made.price = bill_of(target_, target_.depthwise_rescale, 10 * channels);
        made.steps = 2;
        made.numbers = 3 * channels;
        made.codes = channels;
        return made;
      case form::channel_tables:
        made.price = bill_of(target_, cost_of(target_, operation::channel_tables), 256 + 4 * channels);
        made.numbers = channels;
        return made;
      case form::sliced_tables:
        made.price = bill_of(target_, cost_of(target_, operation::table) + std::int64_t{2} * target_.slice, 512);
        made.numbers = channels;
        return made;
      case form::into_conv:
      case form::into_table_and_conv:
      case form::count_: break;
    }
    return made;
  }

  // The zero points for a new operator: of the stretch's first and last RESCALE, else of its cuts.
  constexpr std::int32_t input_zero_point(int a, int b) const {
    for (int s = codes_->cut(a); s < codes_->cut(b); ++s) {
      if (const chain_step& step = steps_.data[steps_.offset({s})]; step.op == operation::rescale) {
        return step.scale.input_zp;
      }
    }
    return codes_->maps().zero_point(codes_->cut(a));
  }
  constexpr std::int32_t output_zero_point(int a, int b) const {
    for (int s = codes_->cut(b); s-- > codes_->cut(a);) {
      if (const chain_step& step = steps_.data[steps_.offset({s})]; step.op == operation::rescale) {
        return step.scale.output_zp;
      }
    }
    return codes_->maps().zero_point(codes_->cut(b));
  }
  constexpr result<multiplier_shift> fit_scale(int a, int b, std::int64_t c, const code_range& out) const {
    return fit_channel_scale(code_map(*codes_, a, b, c), input_zero_point(a, b), output_zero_point(a, b), out);
  }
  constexpr result<rounded_line> fit_one_line(int a, int b, std::int64_t c, const code_range& out,
                                              std::int64_t tolerance = 0) const {
    const code_map map(*codes_, a, b, c);
    return dytq::fit_line(
        map.codes(), map.values(),
        {.out = out, .input_zp = input_zero_point(a, b), .output_zp = output_zero_point(a, b), .tolerance = tolerance});
  }
  // DEPTHWISE and int8 RESCALE need zero points in int8.
  constexpr verdict zero_points_fit(int a, int b) const {
    for (const std::int32_t zp : {input_zero_point(a, b), output_zero_point(a, b)}) {
      if (!int8_range.contains(zp)) {
        return outside(reason::zero_point_out_of_range, place::none, int8_range, zp);
      }
    }
    return accepted{};
  }
  // Does the form exist for every channel, with results clamped to `out`?
  constexpr verdict fits(form f, int a, int b, const code_range& out) const {
    if (const verdict v = zero_points_fit(a, b); !v) {
      return v;
    }
    for (std::int64_t c = 0; c < codes_->channels(a, b); ++c) {
      const verdict one =
          f == form::line ? verdict_of(fit_one_line(a, b, c, out)) : verdict_of(fit_scale(a, b, c, out));
      if (!one) {
        rejection why = one.error();
        why.channel = c;
        return why;
      }
    }
    return accepted{};
  }

  view<const chain_step> steps_;
  const cut_codes* codes_;
  target target_;
  std::int32_t* index_;
  std::int64_t tolerance_;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
