// expect: nodiscard
// A result that nobody looks at: every compiler says so. (A warning; the test asks for the words.)
#include <dytq/integer.hpp>

void f() { dytq::add_int32(1, 2); }
