// Two translation units include the umbrella header, so nothing in it may be defined twice.
#include <tenon/tenon.hpp>

void add_tools(tenon::Server& server);

int main() {
    tenon::Server server{"consumer", "1.0.0"};
    add_tools(server);
    return tenon::serve(server);
}
