// expect: tenon: tenon_fields() has a field<&S::m> whose member is not in BOOST_DESCRIBE_STRUCT: add it there
// at most: 6000 bytes
#include <tenon/typed.hpp>

struct Forecast {
    std::string city;
    double celsius;
};
#ifdef OK
BOOST_DESCRIBE_STRUCT(Forecast, (), (city, celsius))
#else
BOOST_DESCRIBE_STRUCT(Forecast, (), (city))
#endif

inline auto tenon_fields(Forecast*) { return tenon::fields(tenon::field<&Forecast::celsius>("At noon")); }

tenon::json::object schema() { return tenon::schema_of<Forecast>(); }
