// Percent-encoded slashes and ".." segments.
#include "attack/clients.hpp"

namespace attack {

void encoded_paths(Field& field) {
    Wire wire = field.connect();
    const std::string session = field.begin(wire);
    for (const std::string uri :
         {"note://docs/%2Fetc%2Fpasswd", "note://docs/..%2F..%2Fetc%2Fpasswd", "note://docs/%5C%5Chost%5Cshare",
          "files://docs//etc/passwd", "files://docs/%2Fetc%2Fpasswd", "files://docs/a/%2e%2e/%2e%2e/etc/passwd"}) {
        const Answer answer =
            wire.ask(field.post_in(session, message("resources/read", "\"uri\":\"" + uri + "\"")), field.until);
        field.count();
        for (const char* reached : {"name=/", "name=..", "name=\\\\", "path=/", "path=.."})
            if (answer.body.find(reached) != std::string::npos) field.report("a handler gets " + uri);
    }
}

}  // namespace attack
