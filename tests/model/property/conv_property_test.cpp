// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference evaluation of convolutions of 1 to 3 dimensions, grouped, depthwise and transposed, against the oracle.
#include <dytq/conv.hpp>

#include "property.hpp"

namespace {

using namespace property;
using oracle::source;

// A random convolution of `rank` spatial dimensions, now and then illegal. Depthwise has its weights as [H, W, C, M].
oracle::conv_args any_conv(source& s, std::size_t rank, bool up, bool depthwise) {
  oracle::conv_args a;
  a.groups = up ? 1 : s.chance(70) ? 1 : s.range(2, 3);
  const integer per_group = s.range(1, 3), multiple = s.range(1, 2);
  const integer channels = depthwise ? s.range(1, 3) : per_group * a.groups;
  const integer outputs = depthwise ? channels * multiple : a.groups * multiple;
  a.input_shape = {s.range(1, 2)};
  a.output_shape = {a.input_shape[0]};
  integers kernel;
  for (std::size_t d = 0; d < rank; ++d) {
    const integer k = s.range(1, 3), stride = s.range(1, 3), dilation = up ? 1 : s.range(1, 2);
    integer before = up ? s.range(-(k - 1), 2) : s.below(3), after = up ? s.range(-(k - 1), 2) : s.below(3);
    integer n = s.range(1, rank == 3 ? 3 : 5), out = 0;
    if (up) {
      out = (n - 1) * stride + before + after + k;
      if (out < 1) {
        before = after = 0;
        out = (n - 1) * stride + k;
      }
    } else {
      while (n + before + after < (k - 1) * dilation + 1)
        n += 1;
      while ((n - 1 + before + after - (k - 1) * dilation) % stride != 0)
        n += 1;
      out = (n - 1 + before + after - (k - 1) * dilation) / stride + 1;
    }
    a.input_shape.push_back(n);
    a.output_shape.push_back(out);
    kernel.push_back(k);
    a.stride.push_back(stride);
    a.dilation.push_back(dilation);
    a.pad.push_back(before);
    a.pad.push_back(after);
  }
  a.input_shape.push_back(channels);
  a.output_shape.push_back(outputs);
  if (depthwise) {
    a.weight_shape = {kernel[0], kernel[1], channels, multiple};
  } else {
    a.weight_shape = {outputs};
    a.weight_shape.insert(a.weight_shape.end(), kernel.begin(), kernel.end());
    a.weight_shape.push_back(per_group);
  }
  if (s.chance(12)) {  // an error
    switch (s.below(5)) {
      case 0: a.stride[0] = s.range(-1, 0); break;
      case 1: a.pad[1] = up ? -kernel[0] : -1; break;
      case 2: a.output_shape[1] += 1; break;
      case 3: a.input_shape[1] += 1; break;
      default: a.bias = integers(at(outputs + 1), 0); break;
    }
  }
  const auto fill = [&](integers& v, const integers& shape) {
    integer n = 1;
    for (const integer e : shape)
      n *= e;
    for (integer i = 0; i < n; ++i)
      v.push_back(int8_value(s));
  };
  fill(a.input, a.input_shape);
  fill(a.weight, a.weight_shape);
  a.input_zp = int8_value(s);
  a.weight_zp.clear();
  const bool per_channel = s.chance(40);
  for (integer o = 0; o < (per_channel ? outputs : 1); ++o)
    a.weight_zp.push_back(s.chance(40) ? 0 : int8_value(s));
  if (a.bias.empty()) {
    const integer n = s.chance(60) ? outputs : 1;
    for (integer o = 0; o < n; ++o)
      a.bias.push_back(s.chance(60) ? s.range(-90000, 90000) : int32_value(s));
  }
  return a;
}

void compare(const oracle::conv_args& a, bool up, bool depthwise) {
  const std::size_t rank = a.input_shape.size() - 2;
  const auto wanted = up ? oracle::transposed(a) : depthwise ? oracle::depthwise(a) : oracle::convolve(a);
  const auto input = narrowed<std::int8_t>(a.input), weight = narrowed<std::int8_t>(a.weight),
             weight_zp = narrowed<std::int8_t>(a.weight_zp);
  const auto bias = narrowed<std::int32_t>(a.bias);
  // [N, spatial ..., C] as [N, D, H, W, C]
  const auto shape5 = [&](const integers& shape) {
    std::array<std::int64_t, 5> e{shape.front(), 1, 1, 1, shape.back()};
    for (std::size_t d = 0; d < rank; ++d)
      e[4 - rank + d] = shape[d + 1];
    return e;
  };
  integer count = 1;
  for (const integer e : a.output_shape)
    count *= e;
  std::vector<std::int32_t> output(at(count), 4242);
  dytq::convolution conv;
  if (depthwise) {
    conv.weight = *dytq::from_hwim(dytq::view<const std::int8_t, 4>(
        weight.data(), {a.weight_shape[0], a.weight_shape[1], a.weight_shape[2], a.weight_shape[3]}));
  } else {
    conv.weight = dytq::weight_view<const std::int8_t>(weight.data(), shape5(a.weight_shape));
  }
  conv.weight_zp = weight_zp;
  conv.bias = bias;
  conv.groups = depthwise ? a.input_shape.back() : a.groups;
  conv.input_zp = static_cast<std::int32_t>(a.input_zp);
  conv.kind = up ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
  for (std::size_t d = 0; d < rank; ++d) {
    conv.axes[3 - rank + d] = {.input = a.input_shape[d + 1],
                               .stride = a.stride[d],
                               .dilation = a.dilation[d],
                               .before = a.pad[2 * d],
                               .after = a.pad[2 * d + 1]};
  }
  const auto got = dytq::evaluate(conv, dytq::activation_view<const std::int8_t>(input.data(), shape5(a.input_shape)),
                                  dytq::activation_view<std::int32_t>(output.data(), shape5(a.output_shape)));
  RC_LOG() << "the library: " << text(got) << ", the oracle: " << (wanted ? "a value" : wanted.why) << "\n";
  RC_CLASSIFY(got.has_value(), "evaluated");
  RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
  if (got) {
    RC_ASSERT(widened(output) == *wanted);
  } else {
    const std::string w = word(got.error());
    RC_ASSERT((wanted.why == "unpredictable" ? w == "accumulator_overflow" : w == "error" || w == "channel_count"));
    RC_ASSERT(output == std::vector<std::int32_t>(output.size(), 4242));
  }
}

}  // namespace

TEST_CASE("convolutions of one, two and three dimensions, grouped or not") {
  CHECK(rc::check("evaluate", [] {
    source s(*oracle::any_seed());
    compare(any_conv(s, static_cast<std::size_t>(s.range(1, 3)), false, false), false, false);
  }));
}

TEST_CASE("depthwise convolutions") {
  CHECK(rc::check("evaluate, depthwise", [] {
    source s(*oracle::any_seed());
    compare(any_conv(s, 2, false, true), false, true);
  }));
}

TEST_CASE("transposed convolutions") {
  CHECK(rc::check("evaluate, transposed", [] {
    source s(*oracle::any_seed());
    compare(any_conv(s, 2, true, false), true, false);
  }));
}
