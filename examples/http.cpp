// The same server over HTTP, for clients that are elsewhere: everybody needs a token, which is also who they are.
//   build/bin/http        then: http://127.0.0.1:8080/mcp, with the header Authorization: Bearer wonderland
#include <map>

#include <tenon/tenon.hpp>

int main() {
    tenon::Server server{"http", "1.0.0"};
    server.tool("whoami", "Says who the server thinks you are",
                [](tenon::Context& ctx) { return "You are " + ctx.principal() + "."; });

    const std::map<std::string, std::string, std::less<>> people = {{"Bearer wonderland", "alice"}};
    return tenon::serve_http(server,
                             {.port = 8080, .authenticate = [&](std::string_view header) -> std::optional<std::string> {
                                  const auto found = people.find(header);
                                  if (found == people.end()) return std::nullopt;
                                  return found->second;
                              }});
}
