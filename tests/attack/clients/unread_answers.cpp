// Calls with an answer of 15 MiB that is never read.
#include "attack/clients.hpp"

namespace attack {

void unread_answers(Field& field) {
    const std::string call = modern_call("large", R"({"bytes":15728640})", field.credentials);
    field.in_parallel([&](int) {
        Wire wire = field.connect(4096);
        std::string bytes;
        for (int i = 0; i < 100; ++i) bytes += call;
        for (std::size_t sent = 0; sent < bytes.size() && !field.is_over();) {
            const long n = wire.send_some(std::string_view(bytes).substr(sent));
            if (n <= 0) break;
            sent += static_cast<std::size_t>(n);
        }
        field.count(100);
        field.keep(std::move(wire));
    });
}

}  // namespace attack
