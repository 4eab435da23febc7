#include <dytq/rescale_words.hpp>
