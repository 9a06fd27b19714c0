#include <tenon/tenon.hpp>

void add_tools(tenon::Server& server) {
    server.resource("note://one", "one", [] { return "1"; });
    server.tool("add", "Adds two numbers", tenon::args(tenon::arg<int>("a"), tenon::arg<int>("b")), [](int a, int b) {
        if (a < 0) throw tenon::Exception({tenon::code::invalid_params, "the first number is negative"});
        return a + b;
    });
}
