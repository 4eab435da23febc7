// expect: rejected[^'"]*shape_mismatch
// An order that names an axis twice would reach beyond the elements.
#include <dytq/view.hpp>

constexpr signed char data[6] = {};
constexpr auto v = dytq::permute(dytq::view<const signed char, 2>(data, {2, 3}), {1, 1});
