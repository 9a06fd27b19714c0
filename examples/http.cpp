// The same server over HTTP, for clients that are elsewhere: everybody needs a token, which is also who they are.
//   build/bin/http        then: http://127.0.0.1:8080/mcp, with the header Authorization: Bearer wonderland
// A real token is long and random, and only its hash is in the program. With an authorisation server: protected.cpp.
#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"http", "1.0.0"};
    server.tool("whoami", "Says who the server thinks you are",
                [](tenon::Context& ctx) { return "You are " + ctx.principal() + "."; });

    const tenon::auth::StaticTokens tokens{{"alice", tenon::auth::hash_token("wonderland")}};
    return tenon::serve_http(server, {.port = 8080, .auth = tokens});
}
