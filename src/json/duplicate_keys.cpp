#include "json/duplicate_keys.hpp"

#include <algorithm>
#include <vector>

namespace tenon::json {

bool has_duplicate_key_among_many(const Node& object) {
    std::vector<std::string_view> keys;
    keys.reserve(object.size);
    for (const Node* key = object.inside(); key != object.next(); key = key[1].next()) keys.push_back(key->text());
    std::ranges::sort(keys);
    return std::ranges::adjacent_find(keys) != keys.end();
}

std::optional<std::string> refuse_duplicate_keys(DuplicateKeys policy) {
    if (policy == DuplicateKeys::taken) return std::nullopt;
    return "an object has the same key twice";
}

}  // namespace tenon::json
