// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Angles modulo a turn: 2/pi to 3,584 bits, enough for every product that doubles make.
// Folder numbers: integers of several limbs, reals with an error bound, estimates, float32, hulls. Not here: anything
// that knows a tensor or an operator.
#ifndef DYTQ_NUMBERS_ANGLE_HPP
#define DYTQ_NUMBERS_ANGLE_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "fixed.hpp"
#include "real.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// pi / 4 as a fraction.
inline constexpr limbs<6> quarter_pi_limbs = {0xef9519b3cd3a431b, 0x514a08798e3404dd, 0x020bbea63b139b22,
                                              0x29024e088a67cc74, 0xc4c6628b80dc1cd1, 0xc90fdaa22168c234};

/// 2 / pi as a fraction, the most significant limb first.
inline constexpr std::array<std::uint64_t, 56> two_over_pi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
    0xa9e391615ee61b08, 0x6599855f14a06840, 0x8dffd8804d732731, 0x06061556ca73a8c9, 0x60e27bc08c6b47c4,
    0x19c367cddce8092a, 0x8359c4768b961ca6, 0xddaf44d15719053e, 0xa5ff07053f7e33e8, 0x32c2de4f98327dbb,
    0xc33d26ef6b1e5ef8, 0x9f3a1f35caf27f1d, 0x87f121907c7c246a, 0xfa6ed5772d30433b, 0x15c614b59d19c3c2,
    0xc4ad414d2c5d000c, 0x467d862d71e39ac6, 0x9b0062337cd2b497, 0xa7b4d55537f63ed7, 0x1810a3fc764d2a9d,
    0x64abd770f87c6357, 0xb07ae715175649c0, 0xd9d63b3884a7cb23, 0x24778ad623545ab9, 0x1f001b0af1dfce19,
    0xff319f6a1e666157, 0x9947fbacd87f7eb7, 0x652289e83260bfe6, 0xcdc4ef09366cd43f, 0x5dd7de16de3b5892,
    0x9bde2822d2e88628, 0x4d58e232cac616e3, 0x08cb7de050c017a7, 0x1df35be01834132e, 0x6212830148835b8e,
    0xf57fb0adf2e91e43};

/// x * 2 / pi modulo 2^64 for an exact x: an integer limb above N + 3 fraction limbs.
template <std::size_t N>
struct quarter_turns {
  static constexpr std::size_t fraction = N + 3;   ///< limbs
  static constexpr std::uint64_t error_units = 2;  ///< of the last limb

  limbs<fraction + 1> value{};
  bool known = true;

  constexpr quarter_turns() = default;
  constexpr explicit quarter_turns(const real<N>& x) {
    if (x.is_zero()) {
      return;
    }
    // x = M * 2^e. Limbs of 2/pi that make whole multiples of 4 are left out; what is cut below the window is below
    // one unit.
    constexpr std::size_t window = 2 * N + 5;
    const std::int32_t e = x.exponent - static_cast<std::int32_t>(64 * N);
    const std::size_t first = e > 2 ? static_cast<std::size_t>(e - 2) / 64 : 0;
    if (first + window > two_over_pi.size() || x.error != 0) {
      known = false;
      return;
    }
    limbs<N + window> product{};
    for (std::size_t i = 0; i < N; ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < window; ++j) {
        const wide64 w = multiply_wide(x.m[i], two_over_pi[first + window - 1 - j]);
        const std::uint64_t lo = w.lo + carry, sum = product[i + j] + lo;
        carry = w.hi + (lo < carry ? 1 : 0) + (sum < lo ? 1 : 0);
        product[i + j] = sum;
      }
      product[i + window] = carry;
    }
    const std::int32_t down = static_cast<std::int32_t>(64 * (N + 2 + first)) - e;
    if (down >= static_cast<std::int32_t>(64 * (N + window))) {
      return;
    }
    bool lost = false;
    product = shift_right<N + window>(product, down, lost);
    for (std::size_t i = 0; i <= fraction; ++i) {
      value[i] = product[i];
    }
    if (x.negative) {
      negate<fraction + 1>(value);
    }
  }
};

/// x = quadrant * pi / 2 + rest, |rest| <= pi / 4, of an x that may be given as two exact terms.
template <std::size_t N>
struct reduced_angle {
  unsigned quadrant = 0;  ///< modulo 4
  real<N> rest;           ///< unknown if x is nearer to a multiple of pi / 2 than can be told

  constexpr reduced_angle(const real<N>& x, const exact_sum<N>& terms) : rest(x) {
    if (x.exponent < 0) {
      return;
    }
    quarter_turns<N> turns(terms.a);
    if (!terms.b.is_zero()) {
      const quarter_turns<N> more(terms.b);
      add_to<N + 4>(turns.value, more.value);
      turns.known = turns.known && more.known;
    }
    constexpr std::size_t fraction = quarter_turns<N>::fraction;
    quadrant = static_cast<unsigned>(turns.value[fraction] & 3);
    limbs<fraction> part{};
    for (std::size_t i = 0; i < fraction; ++i) {
      part[i] = turns.value[i];
    }
    const bool beyond_half = (part[fraction - 1] >> 63) != 0;
    if (beyond_half) {
      negate<fraction>(part);
      quadrant = (quadrant + 1) & 3;
    }
    const int by = leading_zeros<fraction>(part);
    part = shift_left<fraction>(part, by);
    rest = {};
    for (std::size_t i = 0; i < N; ++i) {
      rest.m[i] = part[i + fraction - N];
    }
    rest.exponent = -by;
    rest.negative = beyond_half;
    // Two units for cutting, two for what error_units are after the shift.
    rest.error = turns.known && by < 64 * 3 - 4 ? 4 : real<N>::unknown_error;
    rest = rest * real<N>(leading<N>(quarter_pi_limbs), 1, 1, false);
  }
};

/// The fraction of a turn of 2 pi that an exact x makes, in 2^-128, within 1.
constexpr wide64 fraction_of_turn(const real<2>& x) {
  const quarter_turns<2> turns(x);
  return {turns.value[5] << 62 | turns.value[4] >> 2, turns.value[4] << 62 | turns.value[3] >> 2};
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
