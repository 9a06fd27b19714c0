// A progress token of 1 MiB, which every report repeats, and ids of 15 MiB that wait with their calls.
#include "attack/clients.hpp"

namespace attack {

void long_progress_tokens(Field& field) {
    const std::string token = ",\"progressToken\":\"" + std::string(1 << 20, 't') + "\"";
    field.in_parallel([&](int) {
        Wire wire = field.connect(4096);
        if (wire.send(modern_call("flood", R"({"times":100000})", field.credentials, token), field.until))
            field.count();
        field.keep(std::move(wire));
    });
}

// Closing the connection does not cancel a call of this revision, so one connection after the other is enough.
void long_ids(Field& field) {
    field.in_parallel([&](int number) {
        Wire wire = field.connect();
        const std::string session = field.begin(wire);
        for (int i = 0; i < 60 && !session.empty() && !field.is_over(); ++i) {
            const std::string id = '"' + std::to_string(number * 1000 + i) + std::string(15 << 20, 'i') + '"';
            if (!wire.is_open()) wire = field.connect();
            if (wire.send(field.post_in(session, call_message("sleep", R"({"ms":60000})", "", id)), field.until))
                field.count();
            if (i % 2 == 0) wire.read(Clock::now() + milliseconds(50));
            wire.close();
        }
    });
}

}  // namespace attack
