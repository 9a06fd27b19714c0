// The smallest server: one tool.
//   echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | build/bin/hello
#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"hello", "1.0.0"};
    server.tool("greet", "Greets somebody", tenon::args(tenon::arg<std::string>("name", "Who to greet")),
                [](std::string name) { return "Hello, " + name + "!"; });
    return tenon::serve(server);
}
