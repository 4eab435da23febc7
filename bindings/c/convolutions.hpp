// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions from C: layouts, geometry, and where folds write.
#ifndef DYTQ_BINDINGS_C_CONVOLUTIONS_HPP
#define DYTQ_BINDINGS_C_CONVOLUTIONS_HPP

#include <dytq/conv.hpp>
#include <dytq/fold.hpp>

#include "convert.hpp"

namespace dytq_c {

/// Weights of any layout as the library has them. T is const for those that are read.
template <class T, class V>
dytq::weight_view<T> weight_of(call& c, const V& v, std::int32_t layout) {
  using code = std::remove_const_t<T>;
  constexpr dytq::place at = dytq::place::weight;
  if (v.data == nullptr && v.rank == 0) {
    return {};
  }
  switch (layout) {
    case DYTQ_LAYOUT_ODHWI: return c.view<code, 5>(v, at);
    case DYTQ_LAYOUT_OHWI: return dytq::from_ohwi(c.view<code, 4>(v, at));
    case DYTQ_LAYOUT_OIHW: return dytq::from_oihw(c.view<code, 4>(v, at));
    case DYTQ_LAYOUT_HWIO: return dytq::from_ohwi(dytq::permute(c.view<code, 4>(v, at), {3, 0, 1, 2}));
    case DYTQ_LAYOUT_HWIM: {
      const auto joined = dytq::from_hwim(c.view<code, 4>(v, at));
      if (!joined) {
        c.answer(joined);
        return {};
      }
      return *joined;
    }
    case DYTQ_LAYOUT_IOHW: return dytq::from_ohwi(dytq::permute(c.view<code, 4>(v, at), {1, 2, 3, 0}));
    case DYTQ_LAYOUT_OI: return dytq::from_oi(c.view<code, 2>(v, at));
    case DYTQ_LAYOUT_OWI: return dytq::from_owi(c.view<code, 3>(v, at));
    case DYTQ_LAYOUT_OIW: return dytq::from_owi(dytq::permute(c.view<code, 3>(v, at), {0, 2, 1}));
    case DYTQ_LAYOUT_OIDHW: return dytq::permute(c.view<code, 5>(v, at), {0, 2, 3, 4, 1});
    default: c.refuse(DYTQ_BAD_VIEW, {.at = at, .expected = DYTQ_LAYOUT_OIDHW, .got = layout}); return {};
  }
}

inline dytq::convolution conv_of(call& c, const dytq_conv& given) {
  dytq::convolution conv{.weight = weight_of<const std::int8_t>(c, given.weight, given.layout),
                         .weight_zp = c.view<std::int8_t, 1>(given.weight_zp, dytq::place::weight_zp),
                         .bias = c.view<std::int32_t, 1>(given.bias, dytq::place::bias),
                         .groups = given.groups,
                         .input_zp = given.input_zp,
                         .weight_range = range(given.weight_range, dytq::int8_range),
                         .kind = given.transposed != 0 ? dytq::conv_kind::transposed : dytq::conv_kind::forward};
  for (std::size_t a = 0; a < 3; ++a) {
    const dytq_axis& axis = given.axes[a];
    if (axis.input != 0 || axis.stride != 0 || axis.dilation != 0 || axis.before != 0 || axis.after != 0) {
      conv.axes[a] = {axis.input, axis.stride, axis.dilation, axis.before, axis.after};
    }
  }
  return conv;
}

inline dytq::fold_outputs outputs_of(call& c, const dytq_fold_outputs& given, std::int32_t layout) {
  return {.weight = weight_of<std::int8_t>(c, given.weight, layout),
          .bias = c.view<std::int32_t, 1>(given.bias, dytq::place::bias),
          .workspace = c.view<std::int16_t, 1>(given.workspace, dytq::place::workspace)};
}

inline dytq_fold fold_to_c(const dytq::affine_fold& fold) {
  return {.size = 0,
          .weights_changed = fold.weights_changed,
          .bias_changed = fold.bias_changed ? 1 : 0,
          .input_zp = fold.input_zp,
          .first_code = fold.first_code,
          .reserved = 0};
}

}  // namespace dytq_c

#endif
