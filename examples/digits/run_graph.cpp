// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/codes.hpp>
#include <dytq/conv.hpp>
#include <dytq/rescale.hpp>
#include <dytq/table.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace demo {
namespace {

// A function of (channel, value) -> result for each operator on single elements.
auto element_function(const rescale_step& op) {
  return [at = op.at, kernels = per_channel<dytq::rescale_kernel>(op.scale.begin(), op.scale.end())](
             std::size_t channel, std::int32_t v) -> dytq::result<std::int32_t> {
    const dytq::rescale_kernel& kernel = of_channel(kernels, channel);
    if (!kernel.legal(v)) {
      return kernel.reject(v, at);
    }
    return kernel(v);
  };
}
auto element_function(const mul_step& op) {
  return [&op](std::size_t channel, std::int32_t v) { return dytq::mul_int32(v, of_channel(op.factor, channel)); };
}
auto element_function(const add_step& op) {
  return [&op](std::size_t channel, std::int32_t v) { return dytq::add_int32(v, of_channel(op.term, channel)); };
}
auto element_function(const clamp_step& op) {
  return [&op](std::size_t, std::int32_t v) {
    return dytq::result<std::int32_t>(static_cast<std::int32_t>(op.range.clamp(v)));
  };
}
auto element_function(const table_step& op) {
  return [&op](std::size_t channel, std::int32_t v) -> dytq::result<std::int32_t> {
    const dytq::result<std::int8_t> code = dytq::narrow<std::int8_t>(v);
    if (!code) {
      return code.error();
    }
    return *dytq::lookup(op.tables[of_channel(op.index, channel)], *code);
  };
}

// Runs one operator of a chain over the values of [N, H, W, C], in place. `element` is where it stopped.
template <class Step>
dytq::verdict run(const Step& op, std::vector<std::int32_t>& values, std::size_t channels, std::size_t& element) {
  if constexpr (std::is_same_v<Step, rescale_step>) {
    for (const dytq::rescale& scale : op.scale) {
      if (const dytq::verdict v = dytq::validate(scale, op.at); !v) {
        return v;
      }
    }
  }
  const auto f = element_function(op);
  for (std::size_t e = 0, c = 0; e < values.size(); ++e, c = c + 1 == channels ? 0 : c + 1) {
    const dytq::result<std::int32_t> y = f(c, values[e]);
    if (!y) {
      dytq::rejection why = y.error();
      why.channel = static_cast<std::int64_t>(c);
      element = e;
      return why;
    }
    values[e] = *y;
  }
  return dytq::accepted{};
}
dytq::verdict run(const depthwise_step& op, std::vector<std::int32_t>& values, std::size_t channels, std::size_t&) {
  const auto c = static_cast<std::int64_t>(channels);
  const std::vector<std::int8_t> input(values.begin(), values.end());
  const std::array<std::int64_t, 5> shape{1, 1, static_cast<std::int64_t>(values.size()) / c, 1, c};
  const std::int8_t weight_zp[] = {op.weight_zp};
  return dytq::evaluate(
      {.weight = *dytq::from_hwim(dytq::view<const std::int8_t, 4>(op.weight.data(), {1, 1, c, 1})),
       .weight_zp = weight_zp,
       .bias = op.bias.empty() ? dytq::view<const std::int32_t>() : dytq::view<const std::int32_t>(op.bias),
       .groups = c,
       .input_zp = op.input_zp},
      {input.data(), shape}, {values.data(), shape});
}

// The tensor that an operator makes, as the expectation names it.
dytq::place tensor_of(const element_operator& op) {
  const auto* rescale = std::get_if<rescale_step>(&op);
  return rescale != nullptr                       ? rescale->at
         : std::holds_alternative<table_step>(op) ? dytq::place::table
                                                  : dytq::place::none;
}

// Runs the chain of a site, in place. `seen(name, first image, images, values)` is shown every tensor.
dytq::verdict run(const site_node& site, codes& x, const tensor_observer& seen, failure& at) {
  std::vector<std::int32_t> values(x.data.begin(), x.data.end());
  std::size_t element = 0;
  for (const element_operator& op : site.chain) {
    const dytq::verdict done = std::visit(
        [&](const auto& step) { return run(step, values, static_cast<std::size_t>(x.shape[2]), element); }, op);
    if (!done) {
      at.image = x.first_image + static_cast<std::int64_t>(element) / size_of(x.shape);
      return done;
    }
    seen(std::string(site.layer->name) + '.' + dytq::name(tensor_of(op)), x.first_image, x.images, values);
  }
  for (std::size_t e = 0; e < values.size(); ++e) {
    const dytq::result<std::int8_t> code = dytq::narrow<std::int8_t>(values[e]);
    if (!code) {
      return code.error();
    }
    x.data[e] = *code;
  }
  return dytq::accepted{};
}

template <class T>
dytq::activation_view<T> view_of(const codes& shape, T* data) {
  return {data, {shape.images, 1, shape.shape[0], shape.shape[1], shape.shape[2]}};
}

// Runs a convolution and the RESCALE behind it.
dytq::verdict run(const conv_node& conv, codes& x) {
  codes y{x.first_image, x.images, conv.layer->output_shape, {}};
  std::vector<std::int32_t> accumulators(static_cast<std::size_t>(y.images * size_of(y.shape)));
  y.data.resize(accumulators.size());
  const dytq::verdict done =
      dytq::evaluate(conv.conv(), view_of(x, std::as_const(x.data).data()), view_of(y, accumulators.data()));
  if (!done) {
    return done;
  }
  dytq::rescale_operator to_codes = conv.layer->to_codes;
  to_codes.per_channel = to_codes.per_channel || conv.multiplier.size() > 1;
  const dytq::verdict scaled = dytq::apply(to_codes, view_of(y, std::as_const(accumulators).data()), conv.multiplier,
                                           conv.shift, view_of(y, y.data.data()));
  x = std::move(y);
  return scaled;
}

}  // namespace

dytq::verdict run(const graph& g, codes& x, const tensor_observer& seen, failure& at) {
  const auto show = [&](const char* name) {
    seen(std::string(name), x.first_image, x.images, std::vector<std::int32_t>(x.data.begin(), x.data.end()));
  };
  show("input");
  for (const node& n : g) {
    const auto* conv = std::get_if<conv_node>(&n);
    at = {conv != nullptr ? conv->layer->name : std::get<site_node>(n).layer->name, x.first_image, {}};
    const dytq::verdict done = conv != nullptr ? run(*conv, x) : run(std::get<site_node>(n), x, seen, at);
    if (!done) {
      at.why = done.error();
      return done;
    }
    show(at.where.c_str());
  }
  return dytq::accepted{};
}

}  // namespace demo
