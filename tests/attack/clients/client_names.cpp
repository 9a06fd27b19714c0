// Sessions that keep a client name of 15 MiB each.
#include "attack/clients.hpp"

namespace attack {

void client_names(Field& field) {
    const std::string bytes =
        post(initialize_message("2025-11-25", "{}", std::string(15 << 20, 'n')), field.credentials);
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        for (int i = 0; i < 100 && wire.ask(bytes, field.until).status == 200; ++i) field.count();
        field.keep(std::move(wire));
    });
}

}  // namespace attack
