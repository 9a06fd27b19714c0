// Requests with tokens that the server has never seen. It has to ask the authorisation server about each.
#include <thread>

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
    for (; !field.is_over(); std::this_thread::sleep_for(milliseconds(5)))
        for (Wire& wire : wires) {
            if (wire.discard() || field.is_over()) continue;  // the server closes a connection after a refusal
            wire = field.connect();
            if (wire.send(next(), field.until)) field.count();
        }
    for (Wire& wire : wires) field.keep(std::move(wire));
}

}  // namespace attack
