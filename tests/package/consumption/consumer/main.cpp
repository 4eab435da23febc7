#include <dytq/scale.hpp>

#include <cstdio>

int main() {
  constexpr auto half = dytq::quantize_scale(0.5).value();
  static_assert(half.multiplier == 1 << 30 && half.shift == 31);
  const auto refused = dytq::quantize_scale(-1.0);
  std::printf("%s\n", dytq::name(refused.error().why));
  return refused ? 1 : 0;
}
