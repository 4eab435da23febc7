// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The case in which there is nothing to fold: the chain, or one half of it, returns what it reads.
#ifndef DYTQ_REWRITES_IDENTITY_HPP
#define DYTQ_REWRITES_IDENTITY_HPP

#include <cstdint>

#include "../result.hpp"
#include "../site.hpp"

namespace dytq {
inline namespace v0 {

/// Which half of the chain an identity is asked of.
enum class affine_half : std::uint8_t { both, gamma, beta };

/// Does the chain, or one half of it, return every code that it can meet, in every channel? It then can be dropped,
/// under any padding and beside other users.
///
/// Formula: both: y_c(x) = x; gamma: m_c(x) = x, for x in X; beta: y_c = m for every m = m_c(x).
/// Errors: not_identity: channel, code, `expected` (the code) and `got`; no_chain: a half of other steps; those of
/// `site_maps`. An absent half is the identity.
constexpr verdict is_identity(const affine_site& site, affine_half half = affine_half::both) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  if (site.has_chain() && half != affine_half::both) {
    return reason::no_chain;
  }
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const result<site_maps::channel_constants> k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    for (int i = 0; i < maps->count(); ++i) {
      const int before = half == affine_half::beta ? maps->gamma_map(*k, i) : maps->code(i);
      const int after = half == affine_half::gamma ? maps->gamma_map(*k, i) : maps->map(*k, i);
      if (before != after) {
        return rejection{.why = reason::not_identity, .channel = c, .code = before, .expected = before, .got = after};
      }
    }
  }
  return accepted{};
}

}  // namespace v0
}  // namespace dytq

#endif
