// URIs of 64 KiB that almost match a template, in many ways.
#include "attack/clients.hpp"

namespace attack {

void long_uris(Field& field) {
    std::string slashes, escapes;
    while (slashes.size() < 64'000) slashes += "a/", escapes += "%2E%2e";
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire);
        for (int i = 0; !session.empty() && !field.is_over(); ++i) {
            const std::string uri = i % 2 == 0 ? "files://docs/" + slashes : "note://" + escapes.substr(0, 64'000);
            if (wire.ask(field.post_in(session, message("resources/read", "\"uri\":\"" + uri + "\"")), field.until)
                    .status == 0)
                break;
            field.count();
        }
    });
}

}  // namespace attack
