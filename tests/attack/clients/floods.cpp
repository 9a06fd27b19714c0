// Calls whose handlers send messages as fast as possible, to a client that reads all of them.
#include "attack/clients.hpp"

namespace attack {
namespace {

void read_all(Field& field, const std::string& call) {
    field.in_parallel([&](int) {
        while (!field.is_over()) {
            Wire wire = field.connect();
            if (!wire.send(call, field.until)) continue;
            field.count();
            while (wire.wait_for_bytes(field.until) && wire.discard()) {
            }
        }
    });
}

}  // namespace

void progress_flood(Field& field) {
    read_all(field, modern_call("flood", R"({"times":1000000})", field.credentials, ",\"progressToken\":1"));
}

void log_flood(Field& field) {
    read_all(field, modern_call("chat", R"({"times":1000000})", field.credentials,
                                ",\"io.modelcontextprotocol/logLevel\":\"debug\""));
}

}  // namespace attack
