#include <dytq/numbers/integer.hpp>

#include <cstdio>

int main() {
  constexpr auto product = dytq::mul_int32(3, 5, 1).value();
  static_assert(product == 8);
  const auto refused = dytq::narrow<signed char>(300);
  std::printf("%s\n", dytq::name(refused.error().why));
  return refused ? 1 : 0;
}
