// The smallest program that uses Tenon: the umbrella header and one tool.
#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"minimal", "1.0.0"};
    server.tool("greet", "Greets somebody", tenon::args(tenon::arg<std::string>("name")),
                [](std::string name) { return "Hello, " + name; });
    return tenon::serve(server);
}
