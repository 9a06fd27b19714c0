// expect: tenon: JSON has one kind of number, so a variant cannot hold two; keep the wider of them
#include <tenon/typed.hpp>

#ifdef OK
using Type = std::variant<std::string, double>;
#else
using Type = std::variant<int, double>;
#endif

tenon::json::object schema() { return tenon::schema_of<Type>(); }
