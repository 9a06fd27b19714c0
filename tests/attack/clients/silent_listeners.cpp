// Listeners that never read, and a resource with a long name that changes all the time.
#include "attack/clients.hpp"

namespace attack {

void silent_listeners(Field& field) {
    const std::string uri = "note://a/" + std::string(60'000, 'u');
    field.in_parallel([&](int) {
        Wire wire = field.connect(), listener = field.connect(4096);
        const std::string session = field.begin(wire);
        if (session.empty()) return;
        listener.send(listen(session, field.credentials), field.until);
        wire.ask(field.post_in(session, message("resources/subscribe", "\"uri\":\"" + uri + "\"")), field.until);
        const std::string touch =
            field.post_in(session, call_message("touch", "{\"uri\":\"" + uri + "\",\"times\":200}"));
        while (wire.ask(touch, field.until).status == 200) field.count(200);
        field.keep(std::move(listener));
    });
}

}  // namespace attack
