// expect: tenon: min() is for numbers; a string has min_length(), a list has min_items()
#include <tenon/typed.hpp>

#ifdef OK
using Type = int;
#else
using Type = std::string;
#endif

auto argument() { return tenon::arg<Type>("name", "A name").min(1); }
