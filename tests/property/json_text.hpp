// A strict JSON reader (RFC 8259) for the tests. An oracle must not share code with the code that it judges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::test {

struct JsonMember;

struct Json {
    enum class Kind { null, boolean, number, string, array, object };
    Kind kind = Kind::null;
    std::string text;  // of a string: decoded; of a number: as written
    std::vector<Json> items;
    std::vector<JsonMember> members;

    bool is(Kind k) const { return kind == k; }
    bool is_string(std::string_view s) const { return kind == Kind::string && text == s; }
    const Json* find(std::string_view name) const;
};

struct JsonMember {
    std::string key;
    Json value;
};

inline const Json* Json::find(std::string_view name) const {
    for (const JsonMember& member : members)
        if (member.key == name) return &member.value;
    return nullptr;
}

/// Reads one JSON text. Refuses everything that a strict reader must refuse: invalid UTF-8, lone surrogates, raw
/// control characters, duplicate keys, more nesting than `max_depth`, and bytes after the end.
struct JsonReader {
    static std::optional<Json> read(std::string_view text, std::size_t max_depth);
};

}  // namespace tenon::test
