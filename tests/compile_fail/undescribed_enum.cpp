// expect: tenon: this enum has no JSON form; add BOOST_DESCRIBE_ENUM(E, enumerators...) next to it
#include <tenon/typed.hpp>

enum class Sky { clear, rain };
#ifdef OK
BOOST_DESCRIBE_ENUM(Sky, clear, rain)
#endif

auto arguments() { return tenon::args(tenon::arg<Sky>("sky", "How it looks").def(Sky::rain)); }
