// expect: tenon: a duration or this time point has no JSON form; use an integer with the unit in its name
#include <tenon/typed.hpp>

#ifdef OK
using Type = int;
#else
using Type = std::chrono::milliseconds;
#endif

auto argument() { return tenon::arg<Type>("timeout_ms", "How long"); }
