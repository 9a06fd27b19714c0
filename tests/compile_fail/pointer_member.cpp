// expect: tenon: a pointer has no JSON form; hold the value itself, std::optional or std::unique_ptr
#include <tenon/typed.hpp>

struct Link {
    int value = 0;
#ifdef OK
    std::unique_ptr<Link> next;
#else
    Link* next = nullptr;
#endif
};
BOOST_DESCRIBE_STRUCT(Link, (), (value, next))

tenon::json::object schema() { return tenon::schema_of<Link>(); }
