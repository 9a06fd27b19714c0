// expect: tenon: the keys of a JSON object are strings; use a map from std::string
#include <map>
#include <tenon/typed.hpp>

#ifdef OK
using Key = std::string;
#else
using Key = int;
#endif

tenon::json::object schema() { return tenon::schema_of<std::map<Key, bool>>(); }
