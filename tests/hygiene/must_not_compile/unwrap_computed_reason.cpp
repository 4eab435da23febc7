// expect: rejected[^'"]*code_out_of_range
// The reason is shown where the source does not name it, too.
#include <cstdint>

#include <dytq/codes.hpp>

constexpr std::int8_t answer = dytq::narrow<std::int8_t>(128).value();
