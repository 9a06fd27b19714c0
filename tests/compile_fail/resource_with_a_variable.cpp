// expect: tenon: a resource handler takes (Context?, const ResourceRequest&?, Reply<...>?)
// at most: 6000 bytes
#include <tenon/server.hpp>

#ifdef OK
using Type = tenon::ResourceRequest;
#else
using Type = std::string;
#endif

void add(tenon::Server& server) {
    server.resource("ticket://1", "ticket", [](const Type&) { return "a ticket"; });
}
