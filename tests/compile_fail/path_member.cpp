// expect: tenon: a path has no JSON form, as its bytes need not be UTF-8; use std::string
#include <filesystem>
#include <tenon/typed.hpp>

struct File {
#ifdef OK
    std::string name;
#else
    std::filesystem::path name;
#endif
};
BOOST_DESCRIBE_STRUCT(File, (), (name))

tenon::json::object schema() { return tenon::schema_of<File>(); }
