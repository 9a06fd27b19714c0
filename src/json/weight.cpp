#include "json/weight.hpp"

namespace tenon::json {

std::size_t weight(const object& o) {
    std::size_t sum = sizeof(value);
    for (const auto& member : o) sum += sizeof(member) - sizeof(value) + member.key().size() + weight(member.value());
    return sum;
}

std::size_t weight(const value& v) {
    if (const auto* o = v.if_object()) return weight(*o);
    if (const auto* s = v.if_string()) return sizeof(value) + s->size();
    std::size_t sum = sizeof(value);
    if (const auto* a = v.if_array())
        for (const value& entry : *a) sum += weight(entry);
    return sum;
}

}  // namespace tenon::json
