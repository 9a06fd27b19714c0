// Requests that end in the middle, with and without a reset of the connection.
#include "attack/clients.hpp"

namespace attack {

void cut_requests(Field& field) {
    const std::string whole = modern_call("echo", R"({"message":"hello"})", field.credentials);
    field.in_parallel([&](int number) {
        for (std::size_t i = static_cast<std::size_t>(number); !field.is_over(); i += 7) {
            Wire wire = field.connect();
            wire.send(whole.substr(0, 1 + i % (whole.size() - 1)), field.until);
            field.count();
            if (i % 2 == 0) wire.reset();
        }
    });
}

}  // namespace attack
