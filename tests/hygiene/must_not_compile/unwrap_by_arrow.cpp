// expect: rejected[^'"]*range_inverted
#include <cstdint>

#include <dytq/codes.hpp>

constexpr bool answer = dytq::range_in(dytq::qparams{.qmin = 1, .qmax = 0}, dytq::int8_range)->contains(1);
