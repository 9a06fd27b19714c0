// Calls that are cancelled as soon as they run, again and again with the same id.
#include "attack/clients.hpp"

namespace attack {

void cancel_storm(Field& field) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire, "2025-03-26");
        std::string batch;
        for (int i = 0; i < 200; ++i) {
            const std::string id = std::to_string(i);
            batch += (i == 0 ? "[" : ",") + call_message("sleep", R"({"ms":60000})", "", id) + "," +
                     message("notifications/cancelled", "\"requestId\":" + id, "");
        }
        batch += "]";
        while (!session.empty() && !field.is_over()) {
            if (!wire.is_open()) wire = field.connect();
            if (wire.ask(field.post_in(session, batch), std::min(field.until, Clock::now() + milliseconds(500))).status)
                field.count(200);
        }
    });
}

}  // namespace attack
