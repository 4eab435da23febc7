// expect: rejected[^'"]*scale_not_positive
// A table that is refused, far from where the scale is looked at.
#include <dytq/lut.hpp>

constexpr dytq::table8 table = dytq::make_lut8(dytq::functions::tanh, {.scale = 0.0}, {.scale = 1.0 / 127}).value();
