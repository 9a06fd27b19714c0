// Tasks with results of 10 MiB, which are kept for an hour.
#include "attack/clients.hpp"

namespace attack {

void large_tasks(Field& field) {
    const std::string call = modern_call("large", R"({"bytes":10485760})", field.credentials, "",
                                         R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        for (int i = 0; i < 300 && wire.ask(call, field.until).status == 200; ++i) field.count();
        field.keep(std::move(wire));
    });
}

}  // namespace attack
