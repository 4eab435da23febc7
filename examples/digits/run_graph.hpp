// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a graph over images with the library's reference operators. Whatever TOSA leaves undefined stops the run.
#ifndef DYTQ_DEMO_RUN_GRAPH_HPP
#define DYTQ_DEMO_RUN_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <dytq/conv_eval.hpp>
#include <dytq/integer.hpp>
#include <dytq/rescale.hpp>
#include <dytq/table.hpp>
#include <string>
#include <vector>

#include "graph.hpp"

namespace demo {

/// Codes of several images, [N, H, W, C].
struct codes {
  std::int64_t first_image = 0;
  std::int64_t images = 0;
  shape3 shape{};
  std::vector<std::int8_t> data;

  std::int64_t size() const { return images * size_of(shape); }
  template <class T>
  dytq::activation_view<T> as(T* p) const {
    return {p, {images, 1, shape[0], shape[1], shape[2]}};
  }
};

/// Where a run stopped.
struct failure {
  std::string where;
  std::int64_t image = 0;  ///< the first of the batch, if the operator does not say which
  dytq::rejection why;
};

/// Operators made ready for many elements: `op(channel, value)` is a result.
class ready_rescale {
 public:
  explicit ready_rescale(const rescale_step& op) : at_(op.at), kernels_(op.scale.begin(), op.scale.end()) {}
  dytq::result<std::int32_t> operator()(std::size_t channel, std::int32_t v) const {
    const dytq::rescale_kernel& k = of_channel(kernels_, channel);
    return k.legal(v) ? dytq::result<std::int32_t>(k(v)) : dytq::result<std::int32_t>(k.reject(v, at_));
  }

 private:
  dytq::step at_;
  per_channel<dytq::rescale_kernel> kernels_;
};
struct ready_mul {
  const mul_step& op;
  dytq::result<std::int32_t> operator()(std::size_t channel, std::int32_t v) const {
    return dytq::mul_int32(v, of_channel(op.factor, channel));
  }
};
struct ready_add {
  const add_step& op;
  dytq::result<std::int32_t> operator()(std::size_t channel, std::int32_t v) const {
    return dytq::add_int32(v, of_channel(op.term, channel));
  }
};
struct ready_table {
  const table_step& op;
  dytq::result<std::int32_t> operator()(std::size_t channel, std::int32_t v) const {
    const dytq::result<std::int8_t> code = dytq::narrow<std::int8_t>(v);
    return code ? dytq::result<std::int32_t>(*dytq::lookup(op.tables[of_channel(op.index, channel)], *code))
                : dytq::result<std::int32_t>(code.error());
  }
};

inline ready_rescale make_ready(const rescale_step& op) { return ready_rescale(op); }
inline ready_mul make_ready(const mul_step& op) { return {op}; }
inline ready_add make_ready(const add_step& op) { return {op}; }
inline ready_table make_ready(const table_step& op) { return {op}; }

/// Has the operator a meaning? RESCALEs have multipliers and shifts that TOSA does not define.
inline dytq::verdict validate(const element_operator& op) {
  if (const auto* r = std::get_if<rescale_step>(&op)) {
    for (const dytq::rescale& scale : r->scale) {
      if (const dytq::verdict v = dytq::validate(scale, r->at); !v) {
        return v;
      }
    }
  }
  return dytq::accepted{};
}

/// Runs the chain of a site, in place. `seen(name, first image, images, values)` is shown every tensor.
template <class Seen>
dytq::verdict run(const site_node& site, codes& x, Seen seen, failure& at) {
  const auto channels = static_cast<std::size_t>(x.shape[2]);
  const std::size_t image_size = static_cast<std::size_t>(size_of(x.shape));
  std::vector<std::int32_t> values(x.data.begin(), x.data.end());
  for (const element_operator& op : site.chain) {
    if (const dytq::verdict v = validate(op); !v) {
      return v;
    }
    dytq::rejection why;
    std::visit(
        [&](const auto& step) {
          const auto one = make_ready(step);
          for (std::size_t e = 0, c = 0; e < values.size(); ++e, c = c + 1 == channels ? 0 : c + 1) {
            const dytq::result<std::int32_t> y = one(c, values[e]);
            if (!y) {
              why = y.error();
              why.channel = static_cast<std::int64_t>(c);
              at.image = x.first_image + static_cast<std::int64_t>(e / image_size);
              return;
            }
            values[e] = *y;
          }
        },
        op);
    if (why.why != dytq::reason::none) {
      return why;
    }
    const auto* rescale = std::get_if<rescale_step>(&op);
    const dytq::step made = rescale != nullptr                       ? rescale->at
                            : std::holds_alternative<table_step>(op) ? dytq::step::table
                                                                     : dytq::step::none;
    seen(std::string(site.layer->name) + '.' + dytq::name(made), x.first_image, x.images, values);
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

/// Runs a convolution and the RESCALE behind it.
inline dytq::verdict run(const conv_node& conv, codes& x) {
  codes y{x.first_image, x.images, conv.layer->output_shape, {}};
  std::vector<std::int32_t> accumulators(static_cast<std::size_t>(y.size()));
  y.data.resize(accumulators.size());
  const dytq::verdict done =
      dytq::evaluate(conv.conv(), x.as<const std::int8_t>(x.data.data()), y.as(accumulators.data()));
  if (!done) {
    return done;
  }
  const dytq::verdict scaled = dytq::apply(conv.layer->to_codes, y.as<const std::int32_t>(accumulators.data()),
                                           conv.layer->multiplier, conv.layer->shift, y.as(y.data.data()));
  x = std::move(y);
  return scaled;
}

/// Runs the graph over a batch of images, from their codes to the logits.
template <class Seen>
dytq::verdict run(const graph& g, codes& x, Seen seen, failure& at) {
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

#endif
