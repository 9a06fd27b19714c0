// expect: tenon: this type has no JSON form; add BOOST_DESCRIBE_STRUCT(T, (), (members...)) next to it
// expect: Leaf
#include <map>
#include <tenon/typed.hpp>

struct Leaf {
    int x;
};
#ifdef OK
BOOST_DESCRIBE_STRUCT(Leaf, (), (x))
#endif
struct Plant {
    std::map<std::string, std::vector<std::optional<Leaf>>> leaves;
};
BOOST_DESCRIBE_STRUCT(Plant, (), (leaves))

tenon::json::object schema() { return tenon::schema_of<Plant>(); }
