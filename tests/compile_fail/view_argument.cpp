// expect: tenon: a std::string_view can be written but not read; use std::string
#include <tenon/typed.hpp>

#ifdef OK
using Type = std::string;
#else
using Type = std::string_view;
#endif

auto argument() { return tenon::arg<Type>("name", "A name"); }
