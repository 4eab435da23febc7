// expect: rejected[^'"]*value_exceeds_shift
// A fold that is refused at one of its steps.
#include <dytq/fold.hpp>

constexpr dytq::table8 table{};
constexpr dytq::folded_table folded =
    dytq::fold_alpha_into_lut({.alpha = 100, .steps = {.mul_out = {.shift = 4, .out = dytq::int8_range}}}, table)
        .value();
