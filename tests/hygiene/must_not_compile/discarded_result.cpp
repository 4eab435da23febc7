// expect: nodiscard
// A result that nobody looks at: every compiler says so, with a warning that is an error here.
#include <dytq/codes.hpp>

void f() { dytq::add_int32(1, 2); }
