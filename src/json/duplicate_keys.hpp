// Finds and refuses objects that have the same key twice.
#pragma once

#include <cstring>
#include <optional>
#include <string>

#include "json/scan.hpp"

namespace tenon::json {

/// The check for objects of any size. Sorts the keys, because no choice of keys can make sorting slow.
bool has_duplicate_key_among_many(const Node& object);

/// Returns whether an object has the same key twice. Inline, because most objects are small and each one is checked.
inline bool has_duplicate_key(const Node& object) {
    constexpr std::size_t few = 16;
    if (object.size > few) return has_duplicate_key_among_many(object);
    for (const Node* key = object.inside(); key != object.next(); key = key[1].next())
        for (const Node* other = object.inside(); other != key; other = other[1].next())
            if (other->size == key->size && std::memcmp(other->data, key->data, key->size) == 0) return true;
    return false;
}

/// Returns the reason why a text with a duplicate key is refused, or nullopt if the reader takes such texts.
std::optional<std::string> refuse_duplicate_keys(DuplicateKeys policy);

}  // namespace tenon::json
