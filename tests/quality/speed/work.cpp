// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work to be counted: work KIND[,TIMES[,OUTPUTS[,INPUTS]]]... Instructions are counted within `counted`, and reported
// after `measured`; allocations between its two lines on the error stream.
//
// KIND is <who>_<layout>_<lines>: `fold` or `naive`, the loop that a reader would write first, over OUTPUTS x 3 x 3 x
// INPUTS weights; layouts ohwi, oihw, hwim (depthwise, OUTPUTS channels); lines integers (slopes 1 and -1), halves
// (slopes of 1/2), offset (integers, and the bias changes) or zps (integers, and each output channel has a zero point
// of its own). Or channel_<map>: one channel of a site, where the map is a line, leaves it in the middle or at an end;
// or channel_walk: all its codes, with no exit. Or fit_<map>: fit_line of 256 codes that are a line, within two codes
// of one (near), or neither (bent). Or plan_<target>: the plan of a layer of OUTPUTS channels and ten operators, for
// plain TOSA (tosa), within one code (near), for CMSIS-NN (tables), and that within one code (near_tables). Or bounded:
// the fold with a bound of such a layer into OUTPUTS x 3 x 3 x INPUTS weights.
#include <dytq/fit_line.hpp>
#include <dytq/fold.hpp>
#include <dytq/fold_bounded.hpp>
#include <dytq/plan.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using dytq::view;

[[gnu::noinline]] int counted(const std::function<int()>& work) {
  volatile int status = work();  // volatile, so that it is a call and no jump
  return status;
}

[[gnu::noinline]] int measured(const std::function<int()>& work) {
  std::fputs("begin\n", stderr);
  const int status = counted(work);
  std::fputs("end\n", stderr);
  return status;
}

struct problem {
  bool depthwise = false, oihw = false;
  std::int64_t outputs = 0, inputs = 0, channels = 0;
  std::vector<std::int8_t> weight = {}, out = {}, zero_points = {};
  std::vector<std::int16_t> numerator = {}, denominator = {}, value = {};  // of the channels' lines
  std::vector<std::int32_t> bias = {};
};

template <class T>
dytq::weight_view<T> view_of(const problem& p, T* data) {
  if (p.depthwise) {
    return *dytq::from_hwim(view<T, 4>(data, {3, 3, p.outputs, 1}));
  }
  return p.oihw ? dytq::from_oihw(view<T, 4>(data, {p.outputs, p.inputs, 3, 3}))
                : dytq::from_ohwi(view<T, 4>(data, {p.outputs, 3, 3, p.inputs}));
}

// Weight by weight in the order of the memory, with a check of each weight and no blocks. The order of three nested
// loops, slowest first: OHWI o, tap, i; OIHW o, i, tap; HWIM tap, o.
bool fold_naively(problem& p) {
  const std::int64_t loops[3] = {p.depthwise ? 9 : p.outputs,
                                 p.depthwise ? 1
                                 : p.oihw    ? p.inputs
                                             : 9,
                                 p.depthwise ? p.outputs
                                 : p.oihw    ? 9
                                             : p.inputs};
  std::vector<std::int64_t> added(p.bias.size()), magnitude(p.bias.size());
  std::size_t at = 0;
  for (std::int64_t a = 0; a < loops[0]; ++a) {
    for (std::int64_t b = 0; b < loops[1]; ++b) {
      for (std::int64_t c = 0; c < loops[2]; ++c, ++at) {
        const auto i = static_cast<std::size_t>(p.oihw ? b : c);
        const auto o = static_cast<std::size_t>(p.depthwise ? c : a);
        const int zp = p.zero_points.empty() ? 0 : p.zero_points[o];
        const std::int64_t w = p.weight[at] - zp;
        std::int64_t n = w * p.numerator[i];
        if (p.denominator[i] != 1) {
          if (n % p.denominator[i] != 0) {
            return false;
          }
          n /= p.denominator[i];
        }
        if (n + zp < -128 || n + zp > 127) {
          return false;
        }
        p.out[at] = static_cast<std::int8_t>(n + zp);
        added[o] += w * p.value[i];
        magnitude[o] += n < 0 ? -n : n;
      }
    }
  }
  for (std::size_t o = 0; o < p.bias.size(); ++o) {
    p.bias[o] = static_cast<std::int32_t>(added[o] + (magnitude[o] > INT32_MAX ? 1 : 0));
  }
  return true;
}

int fold(const std::string& kind, std::int64_t outputs, std::int64_t inputs) {
  const auto has = [&](const char* word) { return kind.find(word) != std::string::npos; };
  problem p{.depthwise = has("hwim"), .oihw = has("oihw"), .outputs = outputs};
  p.inputs = p.depthwise ? 1 : inputs;
  p.channels = p.depthwise ? outputs : inputs;
  p.weight.resize(static_cast<std::size_t>(p.outputs * 9 * p.inputs));
  p.out.resize(p.weight.size());
  p.bias.resize(static_cast<std::size_t>(outputs));
  p.zero_points.resize(has("zps") ? p.bias.size() : 0);
  unsigned random = 7;
  const auto draw = [&] { return static_cast<int>((random = random * 1664525u + 1013904223u) >> 24); };
  for (std::size_t o = 0; o < p.zero_points.size(); ++o) {
    p.zero_points[o] = static_cast<std::int8_t>(draw() % 8 * 2 - 8);
  }
  for (std::int8_t& w : p.weight) {
    w = static_cast<std::int8_t>((draw() % 81 - 40) * (has("halves") ? 2 : 1));
  }
  for (std::int64_t c = 0; c < p.channels; ++c) {
    p.numerator.push_back(c % 2 == 0 || has("halves") ? 1 : -1);
    p.denominator.push_back(has("halves") ? 2 : 1);
    p.value.push_back(has("offset") ? 3 : 0);
  }
  std::vector<std::int16_t> workspace(4 * static_cast<std::size_t>(p.channels));
  for (std::size_t c = 0; c < p.numerator.size(); ++c) {
    dytq::detail::channel_lines{workspace}.set(
        static_cast<std::int64_t>(c),
        {.numerator = p.numerator[c], .denominator = p.denominator[c], .first_value = p.value[c]});
  }
  dytq::convolution conv{.weight = view_of<const std::int8_t>(p, p.weight.data()), .axes = dytq::unpadded};
  conv.groups = p.depthwise ? p.channels : 1;
  conv.weight_zp = p.zero_points;
  const dytq::detail::weight_fold folding(conv, *dytq::validate(conv), {workspace});
  return measured([&] {
    if (has("naive")) {
      return fold_naively(p) ? 0 : 1;
    }
    const auto r = folding.solve({.deltas = {0, 255}, .offsets = {-255, 0}, .preferred = 0});
    if (!r) {
      return 1;
    }
    (void)folding.write(*r, view_of<std::int8_t>(p, p.out.data()), p.bias);
    return 0;
  });
}

int channel(const std::string& kind, int times) {
  std::vector<std::int8_t> table(256);
  for (int i = 0; i < 256; ++i) {
    table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
  }
  // x, in steps that scale by powers of two; or 0.9 x, off its line at once; or x, but for its smallest code.
  const std::int8_t gamma[] = {64};
  const std::int8_t beta[] = {0};
  dytq::affine_site site{.table = table, .gamma = gamma, .beta = beta};
  site.steps.gamma_out = {.shift = 36, .out = dytq::int8_range};
  site.steps.add_in = {.shift = 11};
  site.steps.beta = {.shift = 11};
  site.steps.add_out = {.shift = 49, .out = dytq::int8_range};
  if (kind == "channel_middle") {
    site.steps.gamma_out.multiplier = 966367642;
  }
  if (kind == "channel_end") {
    site.steps.gamma_out.out = {-127, 127};
  }
  const auto maps = dytq::site_maps::make(site);
  const bool walks = kind == "channel_walk";
  int off = 0;
  const bool line = kind == "channel_line" || kind == "channel_walk";
  return measured([&] {
    for (int t = 0; t < times; ++t) {
      const auto k = *maps->channel(t & 0);
      if (walks) {
        for (int i = 0; i < maps->count(); ++i) {
          off |= maps->map(k, i) - maps->code(i);
        }
      } else {
        off |= dytq::detail::fit_channel(*maps, k).exit + 1;
      }
    }
    return (off == 0) == line ? 0 : 1;
  });
}

// Two roundings, or one.
int fit(const std::string& kind, int times) {
  std::vector<std::int8_t> codes, values;
  for (int code = -128; code < 128; ++code) {
    codes.push_back(static_cast<std::int8_t>(code));
  }
  for (int t = 0; t < times; ++t) {  // maps with other constants each
    for (int code = -128; code < 128; ++code) {
      const int gain = 9000 + 397 * t;
      const int rounded = (code * gain + 8192) >> 14;
      const int last = kind == "fit_bent" ? 16 * code * code : kind == "fit_near" ? 15000 * (rounded + t) : code * gain;
      const int value = (last + 8192) >> 14;
      values.push_back(static_cast<std::int8_t>(value < -128 ? -128 : value > 127 ? 127 : value));
    }
  }
  return measured([&] {
    int wrong = 0;
    for (std::int64_t t = 0; t < times; ++t) {
      const auto line = dytq::fit_line(dytq::view<const std::int8_t>(codes),
                                       dytq::view<const std::int8_t>(values.data() + 256 * t, {256}),
                                       {.tolerance = kind == "fit_near" ? 2 : 0});
      wrong += line.has_value() == (kind == "fit_bent") ? 1 : 0;
    }
    return wrong;
  });
}

// A layer like those of trained networks: alpha, a TABLE, gamma and beta.
struct trained_layer {
  explicit trained_layer(std::int64_t channels) {
    for (int x = -128; x < 128; ++x) {
      table.push_back(static_cast<std::int8_t>(127 * x / (30 + (x < 0 ? -x : x))));
    }
    unsigned random = 11;
    const auto draw = [&] { return static_cast<int>((random = random * 1664525u + 1013904223u) >> 24); };
    for (std::int64_t c = 0; c < channels; ++c) {
      gamma_codes.push_back(static_cast<std::int8_t>(40 + draw() % 88));
      beta_codes.push_back(static_cast<std::int8_t>(draw() % 60 - 30));
      gamma.push_back(gamma_codes.back());
      beta.push_back(beta_codes.back() * (1 << 19));
    }
  }
  std::vector<std::int8_t> table, gamma_codes, beta_codes;
  std::vector<std::int32_t> gamma, beta;
};
constexpr dytq::rescale gamma_out{1234567890, 37, 0, 4, dytq::int8_range};
constexpr dytq::rescale add_in{1 << 30, 11, 4};
constexpr dytq::rescale add_out{1900000000, 50, 0, -7, dytq::int8_range};

int plan(const std::string& kind, std::int64_t channels) {
  using dytq::operation;
  const trained_layer layer(channels);
  const dytq::chain_step steps[] = {
      {.scale = {.input_zp = 3}, .wide = true},
      {.op = operation::mul, .constant = 113},
      {.scale = {1600000000, 38, 0, -2, dytq::int8_range}},
      {.op = operation::table, .table = layer.table},
      {.wide = true},
      {.op = operation::mul, .constants = layer.gamma},
      {.scale = gamma_out},
      {.scale = add_in, .wide = true},
      {.op = operation::add, .constants = layer.beta},
      {.scale = add_out},
  };
  const dytq::chain chain{.steps = steps, .channels = channels};
  const auto sizes = dytq::plan_workspace_sizes(chain);
  std::vector<std::int8_t> codes(static_cast<std::size_t>(sizes->codes));
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(sizes->numbers));
  const bool tables = kind.find("tables") != std::string::npos;
  return measured([&] {
    const auto p =
        dytq::plan(chain, {.codes = codes, .numbers = numbers}, tables ? dytq::targets::cmsis_nn : dytq::targets::tosa,
                   {.tolerance = kind.find("near") != std::string::npos ? 1 : 0});
    return p && p->operators <= (tables ? 1 : 4) ? 0 : 1;
  });
}

int bounded(std::int64_t outputs, std::int64_t inputs) {
  const trained_layer layer(inputs);
  dytq::affine_site site{.table = layer.table, .gamma = layer.gamma_codes, .beta = layer.beta_codes};
  site.steps.gamma_out = gamma_out;
  site.steps.add_in = add_in;
  site.steps.beta.shift = 11;
  site.steps.add_out = add_out;
  problem p{.outputs = outputs, .inputs = inputs, .channels = inputs};
  p.weight.resize(static_cast<std::size_t>(outputs * 9 * inputs));
  p.out.resize(p.weight.size());
  unsigned random = 7;
  for (std::int8_t& w : p.weight) {
    w = static_cast<std::int8_t>(static_cast<int>((random = random * 1664525u + 1013904223u) >> 24) % 255 - 127);
  }
  std::vector<std::int32_t> multiplier(static_cast<std::size_t>(outputs), 1500000000), shift(multiplier.size(), 42);
  std::vector<std::int32_t> new_multiplier(multiplier.size()), new_shift(multiplier.size());
  p.bias.resize(multiplier.size());
  const dytq::convolution conv{
      .weight = view_of<const std::int8_t>(p, p.weight.data()), .input_zp = -7, .axes = dytq::unpadded};
  std::vector<std::int64_t> workspace(static_cast<std::size_t>(dytq::bounded_workspace(conv)));
  return measured([&] {
    const bool folded = dytq::fold_bounded(site, conv, {multiplier, shift}, INT64_MAX,
                                           {.weight = view_of<std::int8_t>(p, p.out.data()),
                                            .bias = p.bias,
                                            .multiplier = new_multiplier,
                                            .shift = new_shift,
                                            .workspace = workspace})
                            .has_value();
    return folded ? 0 : 1;
  });
}

int work(const std::string& kind, int times, std::int64_t outputs, std::int64_t inputs) {
  const auto starts = [&](const char* word) { return kind.rfind(word, 0) == 0; };
  return starts("channel_")  ? channel(kind, times)
         : starts("fit_")    ? fit(kind, times)
         : starts("plan_")   ? plan(kind, outputs)
         : starts("bounded") ? bounded(outputs, inputs)
                             : fold(kind, outputs, inputs);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::istringstream words(argv[i]);
    std::string kind, number;
    std::getline(words, kind, ',');
    std::vector<std::int64_t> of;
    while (std::getline(words, number, ',')) {
      of.push_back(std::atol(number.c_str()));
    }
    of.resize(3);
    if (work(kind, static_cast<int>(of[0]), of[1], of[2]) != 0) {
      std::fprintf(stderr, "%s fails\n", argv[i]);
      return 1;
    }
  }
}
