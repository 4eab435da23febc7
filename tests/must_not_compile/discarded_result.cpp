// expect: nodiscard
// A result that nobody looks at is a warning in every compiler; here it is an error.
#include <dytq/integer.hpp>

void f() { dytq::add_int32(1, 2); }
