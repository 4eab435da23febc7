// expect: nodiscard
// A result that nobody looks at: every compiler says so, with a warning that is an error here.
#include <dytq/numbers/integer.hpp>

void f() { dytq::add_int32(1, 2); }
