#include <dytq/fold.hpp>
