// expect: rejected[^'"]*add_overflow
#include <cstdint>

#include <dytq/codes.hpp>

constexpr std::int32_t answer = *dytq::add_int32(2147483647, 1);
