// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random sites of every shape. Each rewrite that the library claims is checked on every code, channel and output
// position, and whole convolutions are run; each one that it refuses is refused by the oracle too, and the
// counter-example is recomputed. Every rewrite and every reason must have been met often enough.
#include <dytq/check_fold.hpp>
#include <dytq/conv.hpp>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <functional>
#include <memory>

#include "harness.hpp"
#include "sites.hpp"
#include "support/catch.hpp"

namespace soundness {
namespace {

using dytq::place;
using dytq::reason;

// ------------------------------------------------------------------------------------------------ faults
// A fault that is put into the arguments, what must be said of it, and who reads that argument.
enum class reads { site, conv, outputs };
struct fault {
  const char* name;
  reason why;
  place at;
  reads by;
  void (*put)(library_site&);
};

std::int8_t somewhere[4] = {0, 0, 0, 0};

const fault faults[] = {
    {"table of 255", reason::table_size, place::table, reads::site,
     [](library_site& l) { l.site.table.extents[0] = 255; }},
    {"table of null", reason::null_view, place::table, reads::site,
     [](library_site& l) { l.site.table.data = nullptr; }},
    {"beta of negative extent", reason::negative_extent, place::beta, reads::site,
     [](library_site& l) {
       l.site.beta = {somewhere, {-1}, {1}};
     }},
    {"gamma beyond the address space", reason::extent_overflow, place::gamma, reads::site,
     [](library_site& l) {
       l.site.gamma = {somewhere, {INT64_MAX}, {4}};
     }},
    {"one gamma too many", reason::channel_count, place::beta, reads::site,
     [](library_site& l) {
       l.gamma.assign(l.beta.size() + 2, 1);
       l.beta.assign(l.gamma.size() - 1, 1);
       l.site.gamma = l.gamma;
       l.site.beta = l.beta;
       l.site.steps = {};
     }},
    {"nothing reachable", reason::empty, place::input, reads::site, [](library_site& l) { l.site.reachable = {}; }},
    {"gamma_out in int16", reason::range_inverted, place::gamma_out, reads::site,
     [](library_site& l) {
       if (l.gamma.empty()) {
         l.gamma.assign(l.lines.size() / 4, 1);
         l.site.gamma = l.gamma;
       }
       l.site.steps.table = l.site.steps.gamma = {};
       l.site.steps.gamma_out = {.out = dytq::int16_range};
     }},
    {"inexact rounding", reason::inexact_round, place::add_in, reads::site,
     [](library_site& l) {
       l.site.gamma = {};
       l.beta.assign(l.lines.size() / 4, 1);
       l.site.beta = l.beta;
       l.site.steps.add_in.rounding = dytq::rounding_mode::inexact_round;
       l.site.steps.add_out = {.out = dytq::int8_range};  // the one fault
     }},
    {"unknown rounding", reason::unknown_rounding_mode, place::beta, reads::site,
     [](library_site& l) {
       l.site.gamma = {};
       l.beta.assign(l.lines.size() / 4, 1);
       l.site.beta = l.beta;
       l.site.steps = {};
       l.site.steps.beta.rounding = static_cast<dytq::rounding_mode>(9);
     }},

    {"weights of null", reason::null_view, place::weight, reads::conv,
     [](library_site& l) { l.conv.weight.data = nullptr; }},
    {"no weights", reason::empty, place::weight, reads::conv, [](library_site& l) { l.conv.weight = {}; }},
    {"a group too many", reason::group_count, place::weight, reads::conv,
     [](library_site& l) { l.conv.groups = l.conv.output_channels() + 1; }},
    {"weight zero points", reason::channel_count, place::weight_zp, reads::conv,
     [](library_site& l) {
       l.weight_zp.assign(static_cast<std::size_t>(l.conv.output_channels()) + 1, 0);
       l.conv.weight_zp = l.weight_zp;
     }},
    {"biases", reason::bias_count, place::bias, reads::conv,
     [](library_site& l) {
       l.bias.assign(static_cast<std::size_t>(l.conv.output_channels()) + 1, 0);
       l.conv.bias = l.bias;
     }},
    {"a zero point of 128", reason::zero_point_out_of_range, place::input, reads::conv,
     [](library_site& l) { l.conv.input_zp = 128; }},
    {"another zero point", reason::zero_point_mismatch, place::input, reads::conv,
     [](library_site& l) { l.conv.input_zp += l.conv.input_zp > 0 ? -1 : 1; }},
    {"an inverted weight range", reason::range_inverted, place::weight, reads::conv,
     [](library_site& l) {
       l.conv.weight_range = {1, 0};
     }},
    {"padding", reason::pad_out_of_range, place::none, reads::conv,
     [](library_site& l) {
       l.conv.axes[0].before = l.conv.kind == dytq::conv_kind::forward ? -1 : -l.conv.weight.extents[1];
     }},
    {"stride", reason::stride_not_positive, place::none, reads::conv,
     [](library_site& l) { l.conv.axes[1].stride = 0; }},
    {"dilation", reason::dilation_not_positive, place::none, reads::conv,
     [](library_site& l) { l.conv.axes[0].dilation = 0; }},
    {"a stride that does not divide", reason::stride_does_not_divide, place::none, reads::conv,
     [](library_site& l) {
       l.conv.kind = dytq::conv_kind::forward;
       l.conv.axes[0] = {.input = l.conv.weight.extents[1] + 2, .stride = 3};
     }},
    {"a kernel larger than the input", reason::shape_mismatch, place::output, reads::conv,
     [](library_site& l) {
       l.conv.kind = dytq::conv_kind::forward;
       l.conv.axes[0] = {.input = l.conv.weight.extents[1], .dilation = 1};
       l.conv.axes[1] = {.input = l.conv.weight.extents[2]};
       l.conv.axes[2] = {.input = 1, .before = l.conv.weight.extents[3] / 2};
       l.conv.weight.extents[3] = 2 * (l.conv.axes[2].before + 2);
       l.conv.weight.strides[3] = 0;
     }},
    {"a vast input", reason::extent_overflow, place::input, reads::conv,
     [](library_site& l) { l.conv.axes[0].input = std::int64_t{1} << 40; }},

    {"too few lines", reason::size_mismatch, place::workspace, reads::outputs,
     [](library_site& l) { l.out.workspace.extents[0] -= 1; }},
    {"folded weights of another shape", reason::shape_mismatch, place::weight, reads::outputs,
     [](library_site& l) { l.out.weight.extents[0] -= 1; }},
    {"too few folded biases", reason::bias_count, place::bias, reads::outputs,
     [](library_site& l) { l.out.bias.extents[0] -= 1; }},
    {"folded biases in one place", reason::aliased_output, place::bias, reads::outputs,
     [](library_site& l) {
       l.out.bias = {l.bias_out.data(), {l.conv.output_channels() + 1}, {0}};
     }},
    {"folded weights beside the weights", reason::overlapping_views, place::weight, reads::outputs,
     [](library_site& l) {
       const auto& e = l.conv.weight.extents;
       l.weight.assign(static_cast<std::size_t>(e[0] * e[1] * e[2] * e[3] * e[4]) + 1, 0);
       l.conv.weight = dytq::weight_view<const std::int8_t>(l.weight.data(), e);
       l.out.weight = dytq::weight_view<std::int8_t>(l.weight.data() + 1, e);
       if (l.conv.weight.size() == 1)  // nothing can overlap in part: make it the workspace's
         l.out.weight = dytq::weight_view<std::int8_t>(reinterpret_cast<std::int8_t*>(l.lines.data()), e);
     }},
};

// Faults that the oracle knows of, put into the graph itself.
bool break_graph(source& s, oracle::site& g, int which) {
  const auto plain = [&](oracle::stage& r, bool to_i8) { r = oracle::detail::plain(0, 0, to_i8); };
  switch (which) {
    case 0: (g.gamma ? g.r_gamma : g.r_beta).multiplier = -s.range(1, 1 << 30); return true;
    case 1: (g.gamma ? g.r_gamma_out : g.r_add_in).shift = s.pick<integer>({-3, 0, 1, 63, 100}); return true;
    case 2: {  // a value too wide for its shift
      oracle::stage& r = g.gamma && s.chance(60) ? (s.chance(50) ? g.r_table : g.r_gamma_out)
                         : g.beta                ? (s.chance(50) ? g.r_add_in : g.r_add_out)
                                                 : g.r_gamma;
      r.shift = s.range(2, 7);
      r.multiplier = s.range(1, 100);
      r.input_zp += s.pick<integer>({-300, 300, 0});
      return true;
    }
    case 3: {  // a sum outside int32
      oracle::stage& r = g.gamma && s.chance(60) ? (s.chance(50) ? g.r_table : g.r_gamma)
                         : g.beta                ? (s.chance(50) ? g.r_add_in : g.r_beta)
                                                 : g.r_gamma;
      r.output_zp = s.pick<integer>({oracle::i32_max, oracle::i32_min});
      r.shift = 30;
      return true;
    }
    default:
      if (!g.beta)
        return false;
      plain(g.r_add_in, false);
      plain(g.r_beta, false);
      g.r_beta.output_zp = s.pick<integer>({oracle::i32_max - 20, oracle::i32_min + 20});
      return true;
  }
}

// ------------------------------------------------------------------------------------------------ one site
class trial {
 public:
  trial(source& s, histogram& seen) : s_(s), seen_(seen) {}

  void run_site() {
    const recipe r = any_recipe(s_);
    t_ = any_site(s_, r);
    light_ = r == recipe::heavy;  // too large for everything
    if (!light_ && s_.chance(15))
      break_graph(s_, t_.graph, static_cast<int>(s_.below(6)));
    fault_ = nullptr;
    if (!light_ && s_.chance(36))
      fault_ = &faults[s_.below(static_cast<integer>(std::size(faults)))];
    with_alpha();
    f_ = facts_of(t_);
    INFO(to_string(t_));
    INFO("fault: " << (fault_ == nullptr ? "none" : fault_->name));
    fold<dytq::affine_fold>("into_conv", fold_kind::into_conv, [](const auto&... a) {
      return dytq::fold_affine_into_conv(a...);
    });  // a template, to clang
    fold<dytq::table_and_conv_fold>("retabled", fold_kind::retabled, dytq::fold_affine_into_table_and_conv);
    fold<dytq::affine_fold>("beta_into_conv", fold_kind::beta, dytq::fold_beta_into_conv);
    if (light_)
      return;
    several_consumers();
    identities();
    uniform();
    rescale();
    depthwise();
    tables();
  }

 private:
  layout any_layout() {
    layout l;
    l.of_the_rank = s_.chance(40);
    for (std::size_t k = 4; k > 0; --k)
      std::swap(l.order[k], l.order[at(s_.below(static_cast<integer>(k) + 1))]);
    l.unused = s_.below(3);
    l.reversed = s_.chance(30);
    return l;
  }
  std::unique_ptr<library_site> library() {
    auto l = std::make_unique<library_site>(t_, any_layout(), any_layout());
    if (fault_ != nullptr)
      fault_->put(*l);
    return l;
  }

  // A refusal that the fault explains, or that holds for the site as it is without the fault. -> was it the fault?
  bool is_fault(const dytq::rejection& r, std::initializer_list<reads> by) {
    if (fault_ == nullptr || std::find(by.begin(), by.end(), fault_->by) == by.end())
      return false;
    if (r.why == fault_->why && (r.at == fault_->at || r.why == reason::overlapping_views)) {
      return true;
    }
    bool known = false;
    CHECK(examine_step(t_, r, known) == "");
    CHECK((known || r.why == reason::no_beta || r.why == reason::zero_point_mismatch || r.why == reason::no_gamma));
    return true;
  }
  bool faulty(std::initializer_list<reads> by) const {
    return fault_ != nullptr && std::find(by.begin(), by.end(), fault_->by) != by.end();
  }
  void met(const std::string& what, const dytq::rejection& r) { seen_.count(what + ": " + dytq::name(r.why)); }

  std::string shape_name() const {
    const bool depthwise = t_.graph.conv.groups > 1 && t_.graph.conv.in_channels_per_group == 1;
    const auto& k = t_.shape.kernel;
    const std::string rank = t_.shape.has_depth()                      ? "3-D"
                             : k[1] != 1 || t_.shape.axes[1].input > 1 ? "2-D"
                             : k[2] != 1 || t_.shape.axes[2].input > 1 ? "1-D"
                                                                       : "linear";
    return std::string(t_.shape.transposed        ? "transposed "
                       : depthwise                ? "depthwise "
                       : t_.graph.conv.groups > 1 ? "grouped "
                                                  : "") +
           rank;
  }
  bool padded() const {
    return std::any_of(t_.shape.axes.begin(), t_.shape.axes.end(),
                       [](const axis& a) { return a.before != 0 || a.after != 0; });
  }
  bool all_reachable() const {
    return std::find(t_.reachable.begin(), t_.reachable.end(), false) == t_.reachable.end();
  }

  // ---------------------------------------------------------------------------------------------- folds
  static integers table_of(const dytq::affine_fold&, const test_site& t) { return t.raw_table; }
  static integers table_of(const dytq::table_and_conv_fold& f, const test_site&) {
    return integers(f.table.begin(), f.table.end());
  }

  template <class Fold, class F>
  void fold(const char* what, fold_kind kind, F function) {
    INFO(what);
    const auto l = library();
    const dytq::result<Fold> r = function(l->site, l->conv, l->out);
    if (!r) {
      INFO(to_string(r.error()));
      met(what, r.error());
      CHECK(l->outputs_untouched());
      if (is_fault(r.error(), {reads::site, reads::conv, reads::outputs}))
        return;
      CHECK(examine_fold(t_, f_, r.error(), kind) == "");
      if (!light_)
        CHECK(!exists(kind));
      return;
    }
    REQUIRE(!faulty({reads::site, reads::conv, reads::outputs}));
    REQUIRE(static_cast<bool>(f_.maps));
    seen_.count(std::string(what) + ": yes");
    seen_.count(std::string(what) + ": yes, " + shape_name());
    if (padded())
      seen_.count(std::string(what) + ": yes, under padding");
    if (!all_reachable())
      seen_.count(std::string(what) + ": yes, of reachable codes");
    const integers table = table_of(*r, t_);
    const oracle::folded claim = l->folded(r->input_zp);
    const readings before = chain_readings(t_, *f_.maps);
    const readings after = kind == fold_kind::beta ? gamma_readings(t_, *f_.maps) : table_readings(t_, table);
    CHECK(compare(t_, before, after, claim) == "");
    changes_counted(*r, claim);
    if (light_)
      return;
    check_with_the_judges(kind, table, claim, before, after, *l);
    run_whole(table, claim, before, after, kind);
    in_place<Fold>(function, claim);
  }

  template <class Fold>
  void changes_counted(const Fold& r, const oracle::folded& claim) {
    integer weights = 0;
    for (std::size_t k = 0; k < claim.weight.size(); ++k)
      weights += claim.weight[k] != t_.graph.conv.weight[k] ? 1 : 0;
    bool bias = false;
    for (integer o = 0; o < t_.graph.conv.out_channels; ++o)
      bias = bias || claim.bias[at(o)] != t_.bias(o);
    CHECK(r.weights_changed == weights);
    CHECK(r.bias_changed == bias);
  }

  // Does the oracle find a fold, whatever the library says?
  bool exists(fold_kind kind) {
    if (!f_.maps || !f_.positions)
      return false;
    switch (kind) {
      case fold_kind::into_conv: return oracle::fold(t_.graph).value.has_value();
      case fold_kind::retabled: return static_cast<bool>(oracle::retabled(t_.graph));
      case fold_kind::beta: return t_.graph.beta && beta_fold_refusal(t_, f_).empty();
    }
    return false;
  }

  void check_with_the_judges(fold_kind kind, const integers& table, const oracle::folded& claim, const readings& before,
                             const readings& after, library_site& l) {
    if (kind == fold_kind::into_conv) {
      CHECK(oracle::check_fold(t_.graph, claim) == "");
      const auto o = oracle::fold(t_.graph);
      REQUIRE(o.value);
      CHECK(*o.value == claim);
    } else if (kind == fold_kind::retabled) {
      oracle::retabled_result mine{table, claim};
      for (std::size_t q = 0; q < 256; ++q) {  // what cannot occur reads as what can
        if (!t_.reachable[q])
          mine.table[q] = table[at(cases_of(t_)[0])];
      }
      CHECK(oracle::check_retabled(t_.graph, mine) == "");
      const auto o = oracle::retabled(t_.graph);
      REQUIRE(o);
      CHECK(o->constants == claim);
      CHECK(o->table == mine.table);
    } else {
      CHECK(beta_fold_refusal(t_, f_) == "");
    }
    // The library's own judge, with the claim and with a claim that has one constant changed.
    std::vector<std::int8_t> new_table;
    for (const integer e : table)
      new_table.push_back(static_cast<std::int8_t>(e));
    dytq::claimed_fold judged{.weight = l.out.weight,
                              .bias = l.out.bias,
                              .input_zp = static_cast<std::int32_t>(claim.input_zp),
                              .keeps_gamma = kind == fold_kind::beta};
    if (kind == fold_kind::retabled)
      judged.table = new_table;
    CHECK(static_cast<bool>(dytq::check_fold(l.site, l.conv, judged)));
    oracle::folded changed = claim;
    integers changed_table = table;
    switch (s_.below(kind == fold_kind::retabled ? 4 : 3)) {
      case 0: {
        const integer k = s_.below(static_cast<integer>(claim.weight.size()));
        std::int8_t* w = nullptr;
        integer left = k;
        for (integer o = 0; o < l.out.weight.extents[0]; ++o)
          for (integer d = 0; d < l.out.weight.extents[1]; ++d)
            for (integer y = 0; y < l.out.weight.extents[2]; ++y)
              for (integer x = 0; x < l.out.weight.extents[3]; ++x)
                for (integer i = 0; i < l.out.weight.extents[4]; ++i)
                  if (left-- == 0)
                    w = &l.out.weight.data[l.out.weight.offset({o, d, y, x, i})];
        *w = static_cast<std::int8_t>(oracle::int8_value(s_));
        changed.weight[at(k)] = *w;
        break;
      }
      case 1:
        if (judged.input_zp == 127 && s_.chance(30)) {
          judged.input_zp = 128;
        } else {
          judged.input_zp = static_cast<std::int32_t>(s_.chance(10) ? 128 : oracle::int8_value(s_));
        }
        changed.input_zp = judged.input_zp;
        break;
      case 2:
        l.out.bias(0) = static_cast<std::int32_t>(changed.bias[0] ^ 1);
        changed.bias[0] = l.out.bias(0);
        break;
      default:
        new_table[at(s_.below(256))] = static_cast<std::int8_t>(oracle::int8_value(s_));
        changed_table.assign(new_table.begin(), new_table.end());
        break;
    }
    // A weight that nothing reads may be anything to the library's judge.
    oracle::folded to_compare = changed;
    for (std::size_t k = 0; k < changed.weight.size(); ++k) {
      const std::size_t tap = k / at(t_.graph.conv.in_channels_per_group) % at(t_.shape.taps());
      if (f_.touched.count(tap) == 0)
        to_compare.weight[k] = t_.graph.conv.weight[k];
    }
    const readings read = kind == fold_kind::retabled ? table_readings(t_, changed_table) : after;
    const std::string wrong = compare(t_, before, read, to_compare);
    const auto verdict = dytq::check_fold(l.site, l.conv, judged);
    INFO(wrong);
    CHECK(static_cast<bool>(verdict) == wrong.empty());
    if (verdict) {
      seen_.count("check_fold: yes, of a changed claim");
      return;
    }
    const dytq::rejection& why = verdict.error();
    met("check_fold", why);
    INFO(to_string(why));
    const oracle::site_conv& c = t_.graph.conv;
    if (why.why == reason::fold_differs && why.at == place::weight) {
      const integers cases = cases_of(t_);
      const auto q = std::find(cases.begin(), cases.end(), why.code + 128);
      REQUIRE(q != cases.end());
      const integer i = why.channel - t_.group(why.output_channel) * c.in_channels_per_group;
      const integer w = t_.centered(why.output_channel, why.tap, i);
      const integer n =
          changed.weight[t_.weight_index(why.output_channel, why.tap, i)] - t_.weight_zp(why.output_channel);
      const std::size_t k = at(q - cases.begin());
      CHECK((before[at(why.channel)][k] - before[at(why.channel)][0]) * w == why.expected);
      CHECK((read[at(why.channel)][k] - read[at(why.channel)][0]) * n == why.got);
      CHECK(why.got != why.expected);
    } else if (why.why == reason::fold_differs) {
      std::set<wide> sums;
      for (const auto& set : f_.classes) {
        wide sum = wide(t_.bias(why.output_channel)) - changed.bias[at(why.output_channel)];
        for (const std::size_t tap : set) {
          for (integer i = 0; i < c.in_channels_per_group; ++i) {
            const std::size_t channel = at(t_.group(why.output_channel) * c.in_channels_per_group + i);
            const std::size_t k = t_.weight_index(why.output_channel, static_cast<integer>(tap), i);
            sum += (before[channel][0] - c.input_zp) * t_.centered(why.output_channel, static_cast<integer>(tap), i) -
                   (read[channel][0] - changed.input_zp) * (changed.weight[k] - t_.weight_zp(why.output_channel));
          }
        }
        sums.insert(sum);
      }
      CHECK(why.got == changed.bias[at(why.output_channel)]);
      CHECK(why.got != why.expected);
      CHECK(sums.count(why.expected - why.got) == 1);
    }
  }

  void run_whole(const integers& table, const oracle::folded& claim, const readings& before, const readings& after,
                 fold_kind kind) {
    const auto in = input_extents(t_.shape);
    const auto out = *output_extents(t_.shape);
    const integers cases = cases_of(t_);
    integers inputs, indices;
    for (integer k = 0; k < in[0] * in[1] * in[2] * t_.channels(); ++k) {
      inputs.push_back(s_.below(static_cast<integer>(cases.size())));
      indices.push_back(cases[at(inputs.back())]);
    }
    const integers original_bias = t_.graph.conv.bias.value_or(integers{});
    const auto a = run(t_, t_.graph.conv.weight, original_bias, t_.graph.conv.input_zp, before, inputs);
    const auto b = run(t_, claim.weight, claim.bias, claim.input_zp, after, inputs);
    CHECK(a == b);
    seen_.count("outputs of whole convolutions, by the site");
    if (kind != fold_kind::beta && !t_.graph.conv.listed_positions &&
        (!t_.shape.transposed || t_.graph.conv.groups == 1))
      CHECK(oracle::run_both(t_.graph, table, claim, indices) == "");
    // The oracle's convolution of any rank, and the library's own, on the original graph.
    integers codes;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      codes.push_back(before[k % at(t_.channels())][at(inputs[k])]);
    const bool inside = std::all_of(a.begin(), a.end(), [](wide v) { return oracle::fits_i32(v); });
    if (!t_.shape.transposed) {
      const oracle::site_conv& c = t_.graph.conv;
      oracle::conv_args args;
      args.input_shape = {1, in[0], in[1], in[2], t_.channels()};
      args.weight_shape = {c.out_channels, t_.shape.kernel[0], t_.shape.kernel[1], t_.shape.kernel[2],
                           c.in_channels_per_group};
      args.output_shape = {1, out[0], out[1], out[2], c.out_channels};
      args.input = codes;
      args.weight = c.weight;
      args.bias = c.bias.value_or(integers{0});
      for (const axis& x : t_.shape.axes) {
        args.pad.push_back(x.before);
        args.pad.push_back(x.after);
        args.stride.push_back(x.input == 0 ? 1 : x.stride);
        args.dilation.push_back(x.dilation);
      }
      args.input_zp = c.input_zp;
      args.weight_zp = c.weight_zp;
      args.groups = c.groups;
      const auto direct = oracle::convolve(args);
      if (direct) {
        CHECK(std::equal(a.begin(), a.end(), direct->begin(), direct->end()));
      } else {
        CHECK(direct.why == "unpredictable");
      }
    }
    library_site plain(t_, layout{}, layout{});
    for (dytq::conv_axis& x : plain.conv.axes) {
      if (x.input == 0)
        x.stride = 1;
    }
    std::vector<std::int8_t> input;
    for (const integer code : codes)
      input.push_back(static_cast<std::int8_t>(code));
    std::vector<std::int32_t> output(a.size());
    const auto verdict = dytq::evaluate(
        plain.conv, dytq::activation_view<const std::int8_t>(input.data(), {1, in[0], in[1], in[2], t_.channels()}),
        dytq::activation_view<std::int32_t>(output.data(), {1, out[0], out[1], out[2], t_.graph.conv.out_channels}));
    CHECK(static_cast<bool>(verdict) == inside);
    if (verdict)
      CHECK(std::equal(a.begin(), a.end(), output.begin(), output.end()));
  }

  template <class Fold, class F>
  void in_place(F function, const oracle::folded& claim) {
    library_site l(t_, any_layout(), layout{});
    l.write_in_place();
    const dytq::result<Fold> r = function(l.site, l.conv, l.out);
    REQUIRE(static_cast<bool>(r));
    CHECK(l.folded(r->input_zp) == claim);
  }

  void several_consumers() {
    INFO("into_convs");
    const test_site kept = t_;
    std::vector<test_site> sites = {t_};
    const integer more = s_.range(0, 2);
    for (integer k = 0; k < more; ++k) {
      test_site other = kept;
      if (s_.chance(60) && other.shape.taps() < 100)
        reshape(s_, other, static_cast<int>(s_.range(1, 3)), s_.chance(20), s_.chance(50));
      if (other.graph.conv.bias && s_.chance(50)) {
        for (integer& b : *other.graph.conv.bias)
          b = s_.range(-100000, 100000);
      }
      sites.push_back(other);
    }
    std::vector<std::unique_ptr<library_site>> libraries;
    std::vector<dytq::convolution> convs;
    std::vector<dytq::fold_outputs> outputs;
    for (const test_site& one : sites) {
      t_ = one;
      libraries.push_back(&one == &sites.back() ? library()
                                                : std::make_unique<library_site>(t_, any_layout(), any_layout()));
      convs.push_back(libraries.back()->conv);
      outputs.push_back(libraries.back()->out);
    }
    t_ = kept;
    const bool shared_lines = s_.chance(50) && fault_ == nullptr;
    if (shared_lines) {
      for (dytq::fold_outputs& o : outputs)
        o.workspace = libraries[0]->out.workspace;
    }
    std::vector<dytq::affine_fold> folds(sites.size(), dytq::affine_fold{.input_zp = 12345});
    const auto verdict = dytq::fold_affine_into_convs(libraries.back()->site, convs, outputs, folds);
    if (!verdict) {
      INFO(to_string(verdict.error()));
      met("into_convs", verdict.error());
      for (const auto& l : libraries)
        CHECK(l->outputs_untouched());
      for (const auto& f : folds)
        CHECK(f.input_zp == 12345);
      if (faulty({reads::site, reads::conv, reads::outputs}))
        return;
      bool all = static_cast<bool>(f_.maps);
      for (const test_site& one : sites)
        all = all && oracle::fold(one.graph).value;
      CHECK(!all);
      bool explained = false;  // by the first that does not fold
      for (const test_site& one : sites) {
        if (!explained && !oracle::fold(one.graph).value) {
          explained = true;
          dytq::rejection why = verdict.error();
          CHECK(examine_fold(one, facts_of(one), why, fold_kind::into_conv) == "");
        }
      }
      return;
    }
    REQUIRE(!faulty({reads::site, reads::conv, reads::outputs}));
    seen_.count("into_convs: yes, of " + std::to_string(sites.size()));
    for (std::size_t k = 0; k < sites.size(); ++k) {
      const auto o = oracle::fold(sites[k].graph);
      REQUIRE(o.value);
      CHECK(libraries[k]->folded(folds[k].input_zp) == *o.value);
    }
  }

  // ---------------------------------------------------------------------------------------------- maps
  // What all rewrites of the chain alone share. -> is there more to check?
  template <class R>
  bool refused(const char* what, const R& r, bool truth) {
    INFO(what);
    if (r) {
      REQUIRE(!faulty({reads::site}));
      CHECK(truth);
      seen_.count(std::string(what) + ": yes");
      if (!all_reachable())
        seen_.count(std::string(what) + ": yes, of reachable codes");
      return false;
    }
    INFO(to_string(r.error()));
    met(what, r.error());
    if (is_fault(r.error(), {reads::site}))
      return true;
    CHECK(!truth);
    if (r.error().why != reason::not_identity && r.error().why != reason::zero_point_out_of_range)
      CHECK(examine_map(t_, f_, r.error()) == "");
    return true;
  }

  void identities() {
    const auto l = library();
    const auto examine = [&](const dytq::verdict& v, bool of_beta, bool to_gamma) {
      if (v || v.error().why != reason::not_identity)
        return;
      const dytq::rejection& why = v.error();
      bool found = false;
      for (const integer x : std::set<integer>(t_.graph.table.begin(), t_.graph.table.end())) {
        const auto m = oracle::gamma_step(t_.graph, at(why.channel), x);
        const auto y = oracle::full_step(t_.graph, at(why.channel), x);
        found = found || (m && y && (of_beta ? *m : x) == why.code && (to_gamma ? *m : *y) == why.got);
      }
      CHECK(found);
      CHECK(why.expected == why.code);
      CHECK(why.got != why.code);
    };
    const bool known = static_cast<bool>(f_.maps);
    const auto both = dytq::is_identity(l->site);
    refused("identity", both, known && oracle::identity(t_.graph));
    examine(both, false, false);
    const auto gamma = dytq::is_identity(l->site, dytq::affine_half::gamma);
    refused("gamma_identity", gamma, known && oracle::gamma_identity(t_.graph));
    examine(gamma, false, true);
    const auto beta = dytq::is_identity(l->site, dytq::affine_half::beta);
    refused("beta_identity", beta, known && f_.maps->gamma_half == f_.maps->full);
    examine(beta, true, false);
  }

  void uniform() {
    const auto l = library();
    const auto r = dytq::fold_affine_into_table(l->site);
    if (refused("uniform_table", r, static_cast<bool>(oracle::uniform_table(t_.graph))))
      return;
    const readings y = chain_readings(t_, *f_.maps);
    const integers cases = cases_of(t_);
    // Without gamma and beta nothing says how many channels there are, and one is as good as all.
    for (const integers& channel : y) {
      for (std::size_t k = 0; k < cases.size(); ++k)
        CHECK((*r)[at(cases[k])] == channel[k]);
    }
  }

  void rescale() {
    const auto l = library();
    std::vector<std::int32_t> multiplier(at(t_.channels()), -7), shift(at(t_.channels()), -7);
    dytq::view<std::int32_t> m = multiplier, n = shift;
    // Faults of its own.
    const int own = fault_ != nullptr ? 0 : s_.weighted({93, 2, 2, 3});
    if (own == 1)
      m.extents[0] += 1, multiplier.push_back(-7), m.data = multiplier.data();
    if (own == 2)
      n = m;
    if (own == 3)
      m = {multiplier.data(), {2}, {0}};
    const auto r = dytq::gamma_as_rescale(l->site, m, n);
    if (own != 0 && !r && (r.error().why == reason::size_mismatch || r.error().why == reason::aliased_output)) {
      met("gamma_rescale", r.error());
      CHECK((own == 3 ? r.error().why == reason::aliased_output : own == 1 && r.error().why == reason::size_mismatch));
      return;
    }
    if (own == 2)
      return;  // one view for both is taken for an exchange in place; only that it stays inside is asked
    const bool asked = f_.maps && t_.graph.gamma;
    // The oracle bisects: only small questions, or now and then.
    const bool small = asked && (f_.maps->codes.size() <= 12 || s_.chance(4));
    std::optional<oracle::outcome<oracle::gamma_rescale_result>> o;
    if (small)
      o = oracle::gamma_rescale(t_.graph);
    if (refused("gamma_rescale", r, asked && (o ? static_cast<bool>(*o) : static_cast<bool>(r)))) {
      CHECK(std::all_of(multiplier.begin(), multiplier.end(), [](std::int32_t v) { return v == -7; }));
      return;
    }
    for (std::size_t c = 0; c < multiplier.size(); ++c) {
      for (std::size_t k = 0; k < f_.maps->codes.size(); ++k) {
        const oracle::stage one{multiplier[c], shift[c], r->input_zp,
                                r->output_zp,  true,     r->rounding == dytq::rounding_mode::double_round};
        const auto got = oracle::apply(one, f_.maps->codes[k]);
        REQUIRE(static_cast<bool>(got));
        CHECK(*got == f_.maps->gamma_half[c][k]);
      }
      if (o && *o) {
        CHECK((*o)->multiplier[c] == multiplier[c]);
        CHECK((*o)->shift[c] == shift[c]);
      }
    }
  }

  void depthwise() {
    const auto l = library();
    std::vector<std::int8_t> weight(at(t_.channels()), -77);
    dytq::view<std::int8_t> w = weight;
    const int own = fault_ != nullptr ? 0 : s_.weighted({95, 2, 3});
    if (own == 1)
      w.extents[0] -= 1;
    if (own == 2)
      w = {l->gamma.data() + 1, {t_.channels()}, {1}};
    if (own == 2 && l->gamma.size() < 2)
      return;
    const auto r = dytq::gamma_as_depthwise(l->site, w);
    if (own != 0) {
      if (!r)
        met("gamma_depthwise", r.error());
      if (own == 1 && w.extents[0] > 0 && t_.graph.gamma && f_.maps)
        CHECK((!r && r.error().why == reason::size_mismatch));
      if (own == 2 && f_.maps)
        CHECK((!r && r.error().why == reason::overlapping_views));
      return;
    }
    const auto o = oracle::gamma_depthwise(t_.graph);
    const bool representable = o && oracle::fits_i8(o->input_zp) && oracle::fits_i8(o->weight_zp);
    if (refused("gamma_depthwise", r, representable)) {
      if (r.error().why == reason::zero_point_out_of_range && !fault_)
        CHECK((o && !oracle::fits_i8(r.error().got)));
      CHECK(std::all_of(weight.begin(), weight.end(), [](std::int8_t v) { return v == -77; }));
      return;
    }
    CHECK(integers(weight.begin(), weight.end()) == o->weight);
    CHECK(r->weight_zp == o->weight_zp);
    CHECK(r->input_zp == o->input_zp);
    // As the operator it is: every code of X a pixel.
    oracle::conv_args a;
    const integer pixels = static_cast<integer>(f_.maps->codes.size());
    a.input_shape = {1, pixels, 1, t_.channels()};
    a.weight_shape = {1, 1, t_.channels(), 1};
    a.output_shape = a.input_shape;
    for (const integer x : f_.maps->codes)
      a.input.insert(a.input.end(), at(t_.channels()), x);
    a.weight.assign(weight.begin(), weight.end());
    a.bias = {0};
    a.pad = {0, 0, 0, 0};
    a.stride = a.dilation = {1, 1};
    a.input_zp = r->input_zp;
    a.weight_zp = {r->weight_zp};
    const auto product = oracle::depthwise(a);
    REQUIRE(static_cast<bool>(product));
    for (std::size_t k = 0; k < f_.maps->codes.size(); ++k) {
      for (std::size_t c = 0; c < at(t_.channels()); ++c) {
        const auto m = oracle::apply(t_.graph.r_gamma_out, (*product)[k * at(t_.channels()) + c]);
        CHECK((m && *m == f_.maps->gamma_half[c][k]));
      }
    }
  }

  // ---------------------------------------------------------------------------------------------- tables
  void with_alpha() {
    t_.graph.alpha.reset();
    if (light_ || !all_reachable() || !s_.chance(30))
      return;
    const oracle::alpha_site a = oracle::alpha_value(s_);
    t_.graph.r_activation = a.r_activation;
    t_.graph.r_alpha = a.r_alpha;
    t_.graph.r_mul_out = a.r_mul_out;
    t_.graph.alpha = integers{a.alpha};
    if (s_.chance(60)) {
      for (integer c = 1; c < t_.channels(); ++c)
        t_.graph.alpha->push_back(s_.chance(40) ? a.alpha : oracle::int8_value(s_));
    }
    if (s_.chance(8) && (t_.graph.gamma || t_.graph.beta))
      t_.graph.alpha->resize(at(t_.channels()) + 2, 1);
  }

  void tables() {
    const auto l = library();
    std::vector<std::int8_t> alpha;
    dytq::layer_site layer{.affine = l->site, .channels = t_.channels()};
    if (t_.graph.alpha) {
      for (const integer a : *t_.graph.alpha)
        alpha.push_back(static_cast<std::int8_t>(a));
      layer.alpha = alpha;
      layer.alpha_steps = {.activation = step_of(t_.graph.r_activation),
                           .alpha = step_of(t_.graph.r_alpha),
                           .mul_out = step_of(t_.graph.r_mul_out)};
    }
    const auto count = dytq::count_channel_tables(layer);
    const integer room = count.value_or(1);
    std::vector<std::int32_t> index(at(t_.channels()), -7);
    std::vector<std::int8_t> memory(at(room) * 256 + 256, -77);
    dytq::view<std::int32_t> index_view = index;
    dytq::view<std::int8_t, 2> table_view(memory.data(), {room, 256});
    const int own = fault_ != nullptr || !count ? 0 : s_.weighted({94, 2, 2, 2});
    if (own == 1)
      table_view.extents[0] -= 1;
    if (own == 2)
      table_view = {memory.data(), {room + 1, 256}, {255, 1}};
    if (own == 3)
      table_view = {l->table.data() + 1, {room, 256}, {256, 1}};
    if (own == 3 && room != 1)
      table_view.extents[0] = 1;
    const auto r = dytq::make_channel_tables(layer, index_view, table_view);
    if (own != 0) {
      REQUIRE(!r);
      met("channel_tables", r.error());
      CHECK(r.error().why == (own == 1   ? reason::size_mismatch
                              : own == 2 ? reason::aliased_output
                                         : reason::overlapping_views));
      CHECK(index[0] == -7);
      return;
    }
    CHECK(static_cast<bool>(count) == static_cast<bool>(r));
    const char* what = t_.graph.alpha ? "channel_tables with alpha" : "channel_tables";
    INFO(what);
    const auto o = oracle::channel_tables(t_.graph);
    if (!r) {
      INFO(to_string(r.error()));
      met(what, r.error());
      CHECK(index[0] == -7);
      CHECK(memory[0] == -77);
      if (is_fault(r.error(), {reads::site}))
        return;
      CHECK(!o);
      if (r.error().why == reason::channel_count) {
        CHECK(o.why == "channel_count");
        return;
      }
      bool known = false;
      CHECK(examine_step(t_, r.error(), known) == "");
      CHECK(known);
      return;
    }
    REQUIRE(!faulty({reads::site}));
    REQUIRE(static_cast<bool>(o));
    seen_.count(std::string(what) + ": yes");
    CHECK(*r == *count);
    CHECK(integers(index.begin(), index.end()) == o->index);
    REQUIRE(*r == static_cast<integer>(o->tables.size()));
    for (std::size_t k = 0; k < o->tables.size(); ++k) {
      for (const integer q : cases_of(t_))
        CHECK(memory[k * 256 + at(q)] == o->tables[k][at(q)]);
    }
    // The loops over a tensor, of any length, also in place.
    const integer pixels = s_.below(11), batch = s_.range(1, 2), channels = t_.channels();
    const integers cases = cases_of(t_);
    std::vector<std::int8_t> in(at(batch * pixels * channels)), out(in.size() + 1, -77);
    for (std::int8_t& e : in)
      e = static_cast<std::int8_t>(cases[at(s_.below(static_cast<integer>(cases.size())))] - 128);
    const auto wanted = [&](integer c, std::int8_t code) { return o->tables[at(o->index[at(c)])][at(code + 128)]; };
    bool same = true;
    dytq::lookup_channels_nhwc(in.data(), out.data(), batch * pixels, channels, index.data(), memory.data());
    for (std::size_t k = 0; k < in.size(); ++k)
      same = same && out[k] == wanted(static_cast<integer>(k) % channels, in[k]);
    std::vector<std::int8_t> inside = in;
    dytq::lookup_channels_nchw(inside.data(), inside.data(), batch, channels, pixels, index.data(), memory.data());
    for (std::size_t k = 0; k < in.size(); ++k)
      same = same && inside[k] == wanted(static_cast<integer>(k) / pixels % channels, in[k]);
    CHECK(same);
    CHECK(out.back() == -77);
  }

  source& s_;
  histogram& seen_;
  test_site t_;
  facts f_;
  const fault* fault_ = nullptr;
  bool light_ = false;
};

// ------------------------------------------------------------------------------------------------ what must be met
std::vector<std::string> buckets() {
  const std::vector<std::string> site = {"table_size",          "null_view",          "negative_extent",
                                         "extent_overflow",     "channel_count",      "empty",
                                         "range_inverted",      "inexact_round",      "unknown_rounding_mode",
                                         "multiplier_negative", "shift_out_of_range", "value_exceeds_shift",
                                         "value_exceeds_int32", "add_overflow"};
  const std::vector<std::string> conv = {
      "zero_point_mismatch",    "pad_out_of_range", "stride_not_positive", "dilation_not_positive",
      "stride_does_not_divide", "shape_mismatch",   "group_count",         "bias_count",
      "zero_point_out_of_range"};
  const std::vector<std::string> outputs = {"size_mismatch", "aliased_output", "overlapping_views"};
  const std::vector<std::string> algebra = {"weight_overflow", "padding", "bias_overflow", "accumulator_overflow"};
  const std::vector<std::string> shapes = {"linear",         "1-D",           "2-D", "3-D", "transposed 1-D",
                                           "transposed 2-D", "transposed 3-D"};
  std::vector<std::string> all;
  const auto add = [&](const std::string& what, const std::vector<std::string>& words) {
    for (const std::string& w : words)
      all.push_back(what + ": " + w);
  };
  for (const std::string what : {"into_conv", "retabled", "beta_into_conv"}) {
    for (const auto& words : {site, conv, outputs, algebra})
      add(what, words);
    add(what, {"yes", "yes, under padding", "yes, of reachable codes"});
    for (const std::string& shape : shapes)
      all.push_back(what + ": yes, " + shape);
  }
  for (const std::string what : {"into_conv", "retabled"})
    add(what, {"yes, grouped 2-D", "yes, depthwise 2-D"});
  add("into_conv", {"not_affine"});
  add("beta_into_conv", {"not_affine", "no_beta"});
  add("retabled", {"not_parallel"});
  for (const auto& words : {site, conv, outputs})
    add("into_convs", words);
  add("into_convs",
      {"not_affine", "weight_overflow", "padding", "bias_overflow", "yes, of 1", "yes, of 2", "yes, of 3"});
  for (const std::string what :
       {"identity", "gamma_identity", "beta_identity", "uniform_table", "gamma_rescale", "gamma_depthwise"}) {
    add(what, site);
    add(what, {"yes", "yes, of reachable codes"});
  }
  for (const std::string what : {"identity", "gamma_identity", "beta_identity"})
    add(what, {"not_identity"});
  add("uniform_table", {"not_uniform"});
  add("gamma_rescale", {"no_gamma", "no_rescale", "size_mismatch", "aliased_output"});
  add("gamma_depthwise",
      {"no_gamma", "not_scale_one", "zero_point_out_of_range", "size_mismatch", "overlapping_views"});
  add("channel_tables", site);
  add("channel_tables", {"yes", "size_mismatch", "aliased_output", "overlapping_views"});
  add("channel_tables with alpha", {"yes", "channel_count", "shift_out_of_range"});
  add("check_fold", {"fold_differs", "weight_overflow", "zero_point_out_of_range"});
  return all;
}

TEST_CASE("every rewrite is exact, every refusal is true") {
  const integer sites = from_environment("DYTQ_SITES", 5000);
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  const integer only = from_environment("DYTQ_SITE", -1);
  histogram seen;
  for (integer k = 0; k < sites; ++k) {
    if (only >= 0 && k != only)
      continue;
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k));
    INFO("DYTQ_SEED=" << seed << " DYTQ_SITE=" << k);
    trial(s, seen).run_site();
  }
  WARN(sites << " sites" << seen.text());
  if (only >= 0)
    return;
  const integer quota = 500 * sites / 100000;
  for (const std::string& bucket : buckets()) {
    INFO(bucket << ", wanted " << quota);
    CHECK(seen.of(bucket) >= quota);
  }
}

}  // namespace
}  // namespace soundness
