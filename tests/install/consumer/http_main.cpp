// A program that needs tenon::http: it may serve HTTP, and a host could share the key with other machines.
#include <tenon/encrypt_states.hpp>
#include <tenon/transport/serve.hpp>

void add_tools(tenon::Server& server);

int main(int argc, char** argv) {
    tenon::Server server{"consumer", "1.0.0", {.state_seal = tenon::encrypt_states({tenon::StateKey{1}})}};
    add_tools(server);
    return tenon::serve(server, argc, argv);
}
