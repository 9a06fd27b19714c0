// expect: tenon: a type that is read from JSON needs a default constructor
#include <tenon/typed.hpp>

struct Id {
    explicit Id(int n) : value(n) {}
#ifdef OK
    Id() = default;
#endif
    int value = 0;
};
BOOST_DESCRIBE_STRUCT(Id, (), (value))

bool reads(const tenon::json::value& v) { return tenon::from_json<Id>(v).has_value(); }
