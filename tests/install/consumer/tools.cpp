#include <tenon/tenon.hpp>

void add_tools(tenon::Server& server) {
    server.tool("add", "Adds two numbers", tenon::args(tenon::arg<int>("a"), tenon::arg<int>("b")),
                [](int a, int b) { return a + b; });
}
