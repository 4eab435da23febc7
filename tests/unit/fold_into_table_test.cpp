// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fold.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::reason;
using dytq::rejection;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::plain_chain;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

constexpr site_data<2> subject() {
  site_data<2> data{.table = table_of<4>({-50, -3, 1, 77}), .gamma = {25, 37}, .beta = {3, -1}, .table_zp = 2};
  data.steps.gamma_out = halved(4, 0, -7, dytq::int8_range);
  return data;
}

}  // namespace

TEST_BOTH("one map for all channels, saturation included", {
  auto data = subject();
  data.gamma = {37, 37};
  data.beta = {-1, opaque<std::int8_t>(-1)};
  const auto site = data.site();
  const auto table = dytq::fold_affine_into_table(site).value();
  for (std::int64_t q = 0; q < 256; ++q) {
    if (table[static_cast<std::size_t>(q)] != plain_chain(site, 1, site.table(q)).v) {
      return false;
    }
  }
  data.beta = {-1, 0};
  const rejection why = dytq::fold_affine_into_table(data.site()).error();
  data.has_gamma = data.has_beta = false;
  return why == rejection{.why = reason::not_uniform,
                          .channel = 1,
                          .code = -50,
                          .expected = plain_chain(site, 0, -50).v,
                          .got = plain_chain(site, 0, -50).v + 1} &&
         dytq::fold_affine_into_table(data.site()).value() == data.table;
})
