// expect: tenon: complete() is for strings and enums
#include <tenon/typed.hpp>

#ifdef OK
using Type = std::string;
#else
using Type = int;
#endif

auto argument() {
    return tenon::arg<Type>("name", "A name").complete([](std::string_view) { return std::vector<std::string>(); });
}
