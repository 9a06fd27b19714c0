// expect: tenon: a function has no JSON form; leave it out of BOOST_DESCRIBE_STRUCT
#include <functional>
#include <tenon/typed.hpp>

struct Button {
    std::string label;
    std::function<void()> pressed;
};
#ifdef OK
BOOST_DESCRIBE_STRUCT(Button, (), (label))
#else
BOOST_DESCRIBE_STRUCT(Button, (), (label, pressed))
#endif

tenon::json::value json(const Button& b) { return tenon::to_json(b); }
