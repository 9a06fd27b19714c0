// Requests with tokens that the server has never seen. It has to ask the authorisation server about each.
#include <algorithm>

#include "attack/clients.hpp"

namespace attack {

void unknown_tokens(Field& field) {
    std::vector<Wire> wires;
    std::size_t number = 0;
    const auto next = [&] {
        return modern_call("add", R"({"a":1,"b":2})",
                           "Authorization: Bearer unknown" + std::to_string(++number) + "\r\n");
    };
    for (int i = 0; i < field.connections && !field.is_over(); ++i) {
        wires.push_back(field.connect());
        if (wires.back().send(next(), field.until)) field.count();
    }
    while (!field.is_over()) {
        for (Wire& wire : wires) {
            if (wire.discard() || field.is_over()) continue;  // the server closes a connection after a refusal
            wire = field.connect();
            if (wire.send(next(), field.until)) field.count();
        }
        Wire::wait_for_bytes(wires, std::min(field.until, Clock::now() + milliseconds(100)));  // not all may be open
    }
    for (Wire& wire : wires) field.keep(std::move(wire));
}

}  // namespace attack
