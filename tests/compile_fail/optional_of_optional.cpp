// expect: tenon: an optional of something that can be null itself cannot be told apart
#include <tenon/typed.hpp>

using Maybe = std::optional<std::optional<int>>;
struct Holder {
    Maybe maybe;
};
BOOST_DESCRIBE_STRUCT(Holder, (), (maybe))
#ifdef OK
using Type = std::vector<Holder>;
#else
using Type = std::vector<Maybe>;
#endif

tenon::json::object schema() { return tenon::schema_of<Type>(); }
