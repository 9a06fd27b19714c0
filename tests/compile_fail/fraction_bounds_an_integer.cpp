// expect: tenon: the bound of an integer is an integer
#include <tenon/typed.hpp>

#ifdef OK
using Type = double;
#else
using Type = int;
#endif

auto argument() { return tenon::arg<Type>("days", "How many").max(6.5); }
