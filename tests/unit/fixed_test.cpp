// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limbs: carries that run through all of them, and what the last one keeps.
#include <dytq/numbers/fixed.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"

namespace {

using dytq_tests::opaque;
namespace detail = dytq::detail;
template <std::size_t N>
using limbs = std::array<std::uint64_t, N>;

constexpr std::uint64_t all = ~std::uint64_t{0};
constexpr std::uint64_t top = std::uint64_t{1} << 63;

constexpr bool is(const dytq::detail::wide64& w, std::uint64_t hi, std::uint64_t lo) {
  return w.hi == hi && w.lo == lo;
}

}  // namespace

TEST_CASE("a product of 128 bits, and its upper half") {
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(all), all), all - 1, 1));
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(all), 2), 1, all - 1) &&
                  is(dytq::detail::multiply_wide(2, all), 1, all - 1));
  // Each of the four partial products alone, and carries out of the middle.
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(std::uint64_t{3}), 5), 0, 15));
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(std::uint64_t{3} << 32), 5), 0, std::uint64_t{15} << 32));
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(std::uint64_t{3} << 32), std::uint64_t{5} << 32), 15, 0));
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(std::uint64_t{0xffffffff}), std::uint64_t{0x1ffffffff}), 1,
                     0xfffffffd00000001));
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(std::uint64_t{0x1ffffffff}), std::uint64_t{0xffffffff}), 1,
                     0xfffffffd00000001));
  DYTQ_CHECK_BOTH(is(dytq::detail::multiply_wide(opaque(std::uint64_t{0x0123456789abcdef}), 0xfedcba9876543210),
                     0x121fa00ad77d742, 0x2236d88fe5618cf0));
  DYTQ_CHECK_BOTH(dytq::detail::multiply_high(opaque(all), all) == all - 1 && dytq::detail::multiply_high(top, 2) == 1);
  DYTQ_CHECK_BOTH(dytq::detail::multiply_high(opaque(std::uint64_t{0x0123456789abcdef}), 0xfedcba9876543210) ==
                  0x121fa00ad77d742);
  DYTQ_CHECK_BOTH(dytq::detail::multiply_high(opaque(std::uint64_t{0xffffffff}), std::uint64_t{0x1ffffffff}) == 1);
  DYTQ_CHECK_BOTH(dytq::detail::multiply_high(opaque(std::uint64_t{0x1ffffffff}), std::uint64_t{0xffffffff}) == 1);
}

TEST_CASE("limbs: products, quotients, complements") {
  DYTQ_CHECK_BOTH(detail::multiply<2>({opaque(all), all}, {all, all}) == limbs<4>{1, 0, all - 1, all});
  DYTQ_CHECK_BOTH(detail::multiply<2>({opaque(all), 0}, {0, all}) == limbs<4>{0, 1, all - 1, 0});
  DYTQ_CHECK_BOTH(detail::multiply<2>({opaque(std::uint64_t{0}), top}, {2, 0}) == limbs<4>{0, 0, 1, 0});
  DYTQ_CHECK_BOTH(detail::multiply_fractions<2>({opaque(all), all}, {all, all}) == limbs<2>{all - 1, all});
  DYTQ_CHECK_BOTH(detail::multiply_fractions<2>({opaque(std::uint64_t{0}), top}, {0, top}) == limbs<2>{0, top >> 1});
  DYTQ_CHECK_BOTH(detail::divide_small<2>({opaque(std::uint64_t{7}), 5}, 3) ==
                  limbs<2>{0xaaaaaaaaaaaaaaad, 1});  // (5 * 2^64 + 7) / 3
  DYTQ_CHECK_BOTH(detail::divide_small<2>({opaque(all), all}, 0xffffffff) ==
                  limbs<2>{0x0000000100000001, 0x0000000100000001});
  DYTQ_CHECK_BOTH(detail::divide_small<2>({opaque(all), 0}, 1) == limbs<2>{all, 0});
  DYTQ_CHECK_BOTH(detail::complement<2>({opaque(std::uint64_t{1}), all}) == limbs<2>{all - 1, 0});
}

TEST_CASE("limbs: shifts, and what they lose") {
  DYTQ_CHECK_BOTH(detail::shift_left<2>({opaque(all), 1}, 0) == limbs<2>{all, 1});
  DYTQ_CHECK_BOTH(detail::shift_left<2>({opaque(all), 1}, 4) == limbs<2>{all << 4, 0x1f});
  DYTQ_CHECK_BOTH(detail::shift_left<2>({opaque(all), 1}, 64) == limbs<2>{0, all});
  DYTQ_CHECK_BOTH(detail::shift_left<3>({opaque(all), 1, 0}, 68) == limbs<3>{0, all << 4, 0x1f});
  DYTQ_CHECK_BOTH(detail::shift_left<2>({opaque(all), 1}, 127) == limbs<2>{0, top});
}

TEST_BOTH("limbs: a shift to the right tells whether a 1 left", {
  const auto shifted = [](const limbs<2>& a, int by, const limbs<2>& to, bool loses) {
    bool lost = false, stays = true;
    return detail::shift_right<2>(a, by, lost) == to && lost == loses && detail::shift_right<2>(a, by, stays) == to &&
           stays;
  };
  return shifted({opaque(std::uint64_t{2}), 3}, 0, {2, 3}, false) && shifted({2, 3}, 1, {top | 1, 1}, false) &&
         shifted({1, 3}, 1, {top, 1}, true) && shifted({0, 3}, 64, {3, 0}, false) &&
         shifted({1, 3}, 64, {3, 0}, true) && shifted({0, 2}, 65, {1, 0}, false) && shifted({0, 3}, 65, {1, 0}, true) &&
         shifted({top, 2}, 65, {1, 0}, true) && shifted({0, top}, 127, {1, 0}, false) &&
         shifted({0, top}, 128, {0, 0}, true) && shifted({0, 0}, 128, {0, 0}, false);
})

TEST_BOTH("limbs: zeros in front, carries and borrows through every limb", {
  const auto added = [](limbs<3> a, const limbs<3>& b, const limbs<3>& sum, bool carry) {
    return detail::add_to<3>(a, b) == carry && a == sum;
  };
  const auto subtracted = [](limbs<3> a, const limbs<3>& b, const limbs<3>& difference, bool borrow) {
    return detail::subtract_from<3>(a, b) == borrow && a == difference;
  };
  const auto negated = [](limbs<3> a, const limbs<3>& to) {
    detail::negate<3>(a);
    return a == to;
  };
  return detail::leading_zeros<2>({0, opaque(top)}) == 0 && detail::leading_zeros<2>({0, 1}) == 63 &&
         detail::leading_zeros<2>({top, 0}) == 64 && detail::leading_zeros<2>({1, 0}) == 127 &&
         detail::leading_zeros<2>({0, 0}) == 128 && added({1, 2, 3}, {4, 5, 6}, {5, 7, 9}, false) &&
         added({all, all, 0}, {1, 0, 0}, {0, 0, 1}, false) && added({all, all, all}, {1, 0, 0}, {0, 0, 0}, true) &&
         added({all, all, all}, {all, all, all}, {all - 1, all, all}, true) &&
         added({1, 0, 0}, {all, all, all}, {0, 0, 0}, true) && subtracted({5, 7, 9}, {4, 5, 6}, {1, 2, 3}, false) &&
         subtracted({0, 0, 1}, {1, 0, 0}, {all, all, 0}, false) &&
         subtracted({0, 0, 0}, {1, 0, 0}, {all, all, all}, true) &&
         subtracted({0, all, 0}, {1, all, 0}, {all, all, all}, true) &&
         subtracted({7, 7, 7}, {7, 7, 7}, {0, 0, 0}, false) && negated({0, 0, 0}, {0, 0, 0}) &&
         negated({1, 0, 0}, {all, all, all}) && negated({0, 1, 0}, {0, all, all}) &&
         negated({all, all, all}, {1, 0, 0}) && negated({0, 0, top}, {0, 0, top});
})
