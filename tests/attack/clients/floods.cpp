// Calls whose handlers send messages as fast as possible, to a client that reads all of them.
#include <thread>

#include "attack/clients.hpp"

namespace attack {
namespace {

void read_all(Field& field, const std::string& call) {
    field.in_parallel([&](int) {
        while (!field.is_over()) {
            Wire wire = field.connect();
            if (!wire.send(call, field.until)) continue;
            field.count();
            while (!field.is_over() && wire.discard()) std::this_thread::sleep_for(milliseconds(1));
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
