// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the framework does without the library: it runs its nodes.
#include "graph.hpp"

#include <algorithm>
#include <cstddef>

namespace framework {

namespace {

template <class T>
std::int64_t of(const std::vector<T>& v, std::size_t c) {
  return v.empty() ? 0 : v[v.size() == 1 ? 0 : c];
}

std::int64_t element(const node& n, std::int64_t v, std::size_t c) {
  switch (n.op) {
    case kind::rescale: {
      const std::int64_t half = std::int64_t{1} << (of(n.shift, c) - 1);
      v = (((v - n.input_zp) * of(n.multiplier, c) + half) >> of(n.shift, c)) + n.output_zp;
      return n.to_int8 ? std::clamp<std::int64_t>(v, -128, 127) : v;
    }
    case kind::mul: return static_cast<std::int32_t>(v * of(n.constant, c));
    case kind::add: return v + of(n.constant, c);
    case kind::table: return n.weight[(n.weight.size() == 256 ? 0 : 256 * c) + static_cast<std::size_t>(v + 128)];
    case kind::clamp: return std::clamp<std::int64_t>(v, n.lo, n.hi);
    case kind::depthwise: return (v - n.input_zp) * of(n.weight, c) + of(n.constant, c);
    case kind::input:
    case kind::conv: break;
  }
  return v;
}

}  // namespace

std::vector<std::int64_t> run(const graph& g, int id, const std::vector<std::int64_t>& input, int channels) {
  const node& n = g.nodes[static_cast<std::size_t>(id)];
  if (n.op == kind::input) {
    return input;
  }
  std::vector<std::int64_t> x = run(g, n.input, input, channels);
  const auto count = static_cast<std::size_t>(channels);
  if (n.op != kind::conv) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = element(n, x[i], i % count);
    return x;
  }
  const std::size_t outputs = n.weight.size() / count;
  std::vector<std::int64_t> y;
  for (std::size_t i = 0; i < x.size(); i += count) {
    for (std::size_t o = 0; o < outputs; ++o) {
      y.push_back(of(n.constant, o));
      for (std::size_t c = 0; c < count; ++c)
        y.back() += (x[i + c] - n.input_zp) * n.weight[o * count + c];
    }
  }
  return y;
}

int operators(const graph& g, int id) {
  const node& n = g.nodes[static_cast<std::size_t>(id)];
  return n.op == kind::input ? 0 : 1 + operators(g, n.input);
}

}  // namespace framework
