// expect: tenon: this type has no JSON form; add BOOST_DESCRIBE_STRUCT(T, (), (members...)) next to it
#include <tenon/typed.hpp>

struct Point {
    int x, y;
};
#ifdef OK
BOOST_DESCRIBE_STRUCT(Point, (), (x, y))
#endif

tenon::Result<Point> point(const tenon::json::value& v) { return tenon::from_json<Point>(v); }
