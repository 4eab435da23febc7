// expect: rejected_at[^ ]*function_out
// Which of two parameters is wrong: the place is shown too.
#include <dytq/lut.hpp>

constexpr dytq::table8 table =
    dytq::make_lut8(dytq::functions::tanh, {.scale = 1.0 / 32}, {.scale = 1.0 / 127, .zero_point = 1000}).value();
