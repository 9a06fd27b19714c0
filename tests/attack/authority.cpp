#include "attack/authority.hpp"

#include <chrono>
#include <thread>

namespace attack {

void answer_introspection(tenon::test::ScriptedConnection& connection, int) {
    for (tenon::test::ScriptedRequest request; connection.read(request);) {
        const bool known = request.body.starts_with("token=innocent");
        if (!known) std::this_thread::sleep_for(std::chrono::seconds(2));  // a slow authority is part of the attack
        connection.json(known ? R"({"active":true,"sub":"innocent","aud":"victim","exp":99999999999})"
                              : R"({"active":false})");
    }
}

}  // namespace attack
