// Stateless requests, each from a client with a new name. If the server remembers clients, its memory grows.
#include "attack/clients.hpp"

namespace attack {

void distinct_clients(Field& field) {
    const std::string tail(10'000, 'c');
    field.in_parallel([&](int number) {
        Wire wire = field.connect();
        for (int i = 0; !field.is_over() && wire.is_open(); ++i) {
            const std::string meta = ",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"" + std::to_string(number) +
                                     "-" + std::to_string(i) + tail + "\",\"version\":\"1\"}";
            if (wire.ask(modern_call("echo", R"({"message":"hello"})", field.credentials, meta), field.until).status)
                field.count();
        }
    });
}

}  // namespace attack
