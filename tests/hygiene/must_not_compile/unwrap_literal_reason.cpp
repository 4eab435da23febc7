// expect: rejected[^'"]*not_affine
// A rejection that is unwrapped in a constant expression shows its reason.
#include <dytq/result.hpp>

constexpr int answer = dytq::result<int>(dytq::reason::not_affine).value();
