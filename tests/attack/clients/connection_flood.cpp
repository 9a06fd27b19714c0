// More connections than the server accepts, each with a running call, so that none can be closed for another client.
#include "attack/clients.hpp"

namespace attack {

void connection_flood(Field& field) {
    const std::string call = modern_call("park", "{}", field.credentials);
    for (int i = 0; i < field.connections && !field.is_over(); ++i) {
        Wire wire = field.connect();
        if (wire.send(call, field.until)) field.count();
        field.keep(std::move(wire));
    }
}

}  // namespace attack
