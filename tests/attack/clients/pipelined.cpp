// Many small requests in a row, whose responses are never read.
#include "attack/clients.hpp"

namespace attack {

void pipelined_unread(Field& field) {
    std::string bytes;
    for (int i = 0; i < 1000; ++i) bytes += modern_call("echo", R"({"message":"hello"})", field.credentials);
    field.in_parallel([&](int) {
        Wire wire = field.connect(4096);
        while (!field.is_over() && wire.is_open())
            if (wire.send(bytes, field.until)) field.count(1000);
        field.keep(std::move(wire));
    });
}

}  // namespace attack
