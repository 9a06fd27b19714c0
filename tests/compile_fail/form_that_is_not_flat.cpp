// expect: tenon: a form must be a described struct with only strings, booleans, numbers, enums, dates
#include <tenon/typed.hpp>

struct Login {
    std::string name;
#ifdef OK
    std::optional<bool> remember;
#else
    std::vector<std::string> groups;
#endif
};
#ifdef OK
BOOST_DESCRIBE_STRUCT(Login, (), (name, remember))
#else
BOOST_DESCRIBE_STRUCT(Login, (), (name, groups))
#endif

void ask() { tenon::require_flat_form<Login>(); }
