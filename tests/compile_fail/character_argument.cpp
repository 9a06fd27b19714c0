// expect: tenon: a character has no JSON form; use std::string, or std::int8_t for a small number
#include <tenon/typed.hpp>

#ifdef OK
using Type = std::int8_t;
#else
using Type = char;
#endif

auto argument() { return tenon::arg<Type>("letter", "Which"); }
