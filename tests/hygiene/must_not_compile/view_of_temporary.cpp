// expect: (could not convert|no viable conversion)
// A member that keeps a view of a vector that is gone at the end of the statement.
#include <dytq/site.hpp>

#include <vector>

const dytq::affine_site site{.table = std::vector<std::int8_t>(256, 3)};
