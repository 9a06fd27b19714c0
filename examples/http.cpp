// A server over HTTP, for remote clients. Each user needs a token, and the token identifies the user.
//   build/bin/http        then: http://127.0.0.1:8080/mcp, with the header Authorization: Bearer wonderland
// Real tokens are long and random, and the program contains only their hashes. protected.cpp uses an authorisation
// server instead.
#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"http", "1.0.0"};
    server.tool("whoami", "Says who the server thinks you are",
                [](tenon::Context& ctx) { return "You are " + ctx.principal() + "."; });

    const tenon::auth::StaticTokens tokens{{"alice", tenon::auth::hash_token("wonderland")}};
    return tenon::serve_http(server, {.port = 8080, .auth = tokens});
}
