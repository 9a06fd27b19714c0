// expect: tenon: the handler of a resource template takes (Context?, const ResourceRequest&), or the variables
// at most: 6000 bytes
#include <tenon/server.hpp>

struct Ticket {
    int id;
};
#ifdef OK
using Type = std::string;
#else
using Type = Ticket;
#endif

void add(tenon::Server& server) {
    server.resource_template("ticket://{id}", "ticket", [](const Type&) { return "a ticket"; });
}
