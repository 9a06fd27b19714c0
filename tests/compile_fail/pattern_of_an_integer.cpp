// expect: tenon: pattern() is for strings only
#include <tenon/typed.hpp>

#ifdef OK
using Type = std::optional<std::string>;
#else
using Type = std::optional<int>;
#endif

auto argument() { return tenon::arg<Type>("name", "A name").pattern("^a"); }
