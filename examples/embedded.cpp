// MCP inside a program with its own event loop. Tenon uses no thread and no socket. Here the loop reads from std::cin.
#include <iostream>

#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"embedded", "1.0.0"};
    server.tool("add", "Adds two numbers", tenon::args(tenon::arg<double>("a"), tenon::arg<double>("b")),
                [](double a, double b) { return a + b; });

    tenon::Session session(server);  // handlers run inside feed()
    for (std::string line; std::getline(std::cin, line);) {
        session.feed(line + "\n");
        std::cout << session.take_output() << std::flush;
        if (const auto when = session.next_deadline(); when && *when <= tenon::Clock::now()) session.tick();
    }
    session.end_of_input();
    std::cout << session.take_output() << std::flush;
}
