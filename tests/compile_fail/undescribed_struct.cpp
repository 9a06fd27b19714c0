// expect: tenon: this type has no JSON form; add BOOST_DESCRIBE_STRUCT(T, (), (members...)) next to it
#include <tenon/typed.hpp>

struct Point {
    int x, y;
};
#ifdef OK
BOOST_DESCRIBE_STRUCT(Point, (), (x, y))
#endif

tenon::json::object schema() { return tenon::schema_of<Point>(); }
