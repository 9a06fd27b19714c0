// Sessions that begin and end as fast as the server allows.
#include "attack/clients.hpp"

namespace attack {

void session_churn(Field& field) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        while (!field.is_over() && wire.is_open()) {
            const std::string session = field.begin(wire);
            if (session.empty()) continue;
            wire.ask("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + in_session(session) + field.credentials + "\r\n",
                     field.until);
            field.count();
        }
    });
}

}  // namespace attack
