// A server for users with a token of an authorisation server. Writing needs another scope than reading.
//   build/bin/protected https://login.example https://mcp.example/mcp 8080
// The first URL is the authorisation server. The second URL is this server as its clients see it, perhaps behind a
// proxy.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include <tenon/tenon.hpp>

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s ISSUER AUDIENCE PORT\n", argv[0]);
        return 2;
    }

    std::mutex mutex;
    std::map<std::string, std::vector<std::string>> notes;  // the notes of each user

    tenon::Server server{"protected", "1.0.0"};
    server.tool("notes", "Your notes", [&](tenon::Context& ctx) {
        const std::lock_guard lock(mutex);
        return notes[ctx.principal()];
    });
    server.tool("add_note", "Keeps a note for you", tenon::args(tenon::arg<std::string>("text", "What to keep")),
                [&](tenon::Context& ctx, std::string text) {
                    const std::lock_guard lock(mutex);
                    notes[ctx.principal()].push_back(std::move(text));
                    return "kept";
                });

    tenon::auth::ResourceServer auth{.issuer = argv[1], .audience = argv[2]};
    auth.scopes = {"notes:read"};                            // every request needs this scope
    auth.needs.tools = {{"add_note", {"notes:write"}}};      // this tool needs another scope,
    auth.needs.implies = {{"notes:write", {"notes:read"}}};  // which includes the first
    return tenon::serve_http(server, {.port = static_cast<std::uint16_t>(std::atoi(argv[3])), .auth = auth});
}
