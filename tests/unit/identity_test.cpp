// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fold.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::affine_half;
using dytq::is_identity;
using dytq::reason;
using dytq::rejection;
using dytq_tests::opaque;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

constexpr site_data<2> subject() { return {.table = table_of<3>({-100, 3, 100}), .gamma = {1, 1}, .beta = {0, 0}}; }

}  // namespace

TEST_BOTH("the whole and each half", {
  auto data = subject();
  bool ok = is_identity(data.site()) && is_identity(data.site(), affine_half::gamma) &&
            is_identity(data.site(), affine_half::beta);
  data.beta = {0, opaque<std::int8_t>(1)};
  ok = ok && is_identity(data.site(), affine_half::gamma) &&
       is_identity(data.site()).error() ==
           rejection{.why = reason::not_identity, .channel = 1, .code = -100, .expected = -100, .got = -99} &&
       is_identity(data.site(), affine_half::beta).error() ==
           rejection{.why = reason::not_identity, .channel = 1, .code = -100, .expected = -100, .got = -99};
  data.beta = {0, 0};
  data.gamma = {1, 2};
  // gamma saturates at -128, so beta meets -128, 6 and 127, and returns them.
  return ok && is_identity(data.site(), affine_half::beta) &&
         is_identity(data.site(), affine_half::gamma).error() ==
             rejection{.why = reason::not_identity, .channel = 1, .code = -100, .expected = -100, .got = -128} &&
         !is_identity(data.site());
})

TEST_BOTH("only reachable codes count, and an absent half is the identity", {
  auto data = subject();
  data.steps.add_out.out = {-90, 90};
  auto site = data.site();
  bool ok = is_identity(site).error().got == -90;
  site.reachable = {};
  site.reachable.insert(static_cast<std::int8_t>(-127 + opaque(0)));
  ok = ok && is_identity(site);
  data.has_beta = false;
  ok = ok && is_identity(data.site()) && is_identity(data.site(), affine_half::beta);
  data.has_gamma = false;
  return ok && is_identity(data.site()) && is_identity(data.site(), affine_half::gamma);
})

TEST_BOTH("halves that undo one another are an identity together only", {
  auto data = subject();
  data.table = table_of<2>({-3, 4});
  data.steps.gamma_out.output_zp = opaque(5);
  data.beta = {-5, -5};
  return is_identity(data.site()) && !is_identity(data.site(), affine_half::gamma) &&
         is_identity(data.site(), affine_half::beta).error().code == 2;
})

TEST_BOTH("a site that is none", {
  auto data = subject();
  data.steps.gamma_out.shift = opaque(4);
  return is_identity(data.site()).error().why == reason::value_exceeds_shift &&
         is_identity({}).error().why == reason::table_size;
})
