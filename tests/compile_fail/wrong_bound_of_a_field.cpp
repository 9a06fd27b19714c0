// expect: tenon: max_length() is for strings; a number has max(), a list has max_items()
#include <tenon/typed.hpp>

struct Forecast {
    std::string city;
    double celsius;
};
BOOST_DESCRIBE_STRUCT(Forecast, (), (city, celsius))

inline auto tenon_fields(Forecast*) {
#ifdef OK
    return tenon::fields(tenon::field<&Forecast::city>("City name").max_length(80));
#else
    return tenon::fields(tenon::field<&Forecast::celsius>("At noon").max_length(80));
#endif
}

tenon::json::object schema() { return tenon::schema_of<Forecast>(); }
