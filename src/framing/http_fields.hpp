// Reads the header section of an HTTP/1.1 message (RFC 9112) strictly. Input that two readers could understand
// differently is refused, because request smuggling exploits such differences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framing/http_names.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::framing {

bool same_ignoring_case(const char* a, const char* b, std::size_t size) noexcept;
inline bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && same_ignoring_case(a.data(), b.data(), a.size());
}

struct HttpField {
    std::string_view name;
    std::string_view value;  ///< without white space around it
};

/// The fields of one message, as views into its head.
class HttpFields {
 public:
    /// Parses the lines after the first line, each ended by CRLF, without the empty last line. Returns false, and sets
    /// `why`, when a line is not a field: no colon, white space before the colon, a folded line, a bare CR or LF, or a
    /// control character. Also when there are more than `max_fields` or 65,535 fields.
    bool parse(std::string_view lines, std::size_t max_fields, std::string& why);
    void clear() {
        fields_.clear();
        seen_ = {};
    }

    /// Returns the value of the only field with this name. Returns nullopt when there are none or several. Ignores
    /// case.
    std::optional<std::string_view> only(HttpName name) const {
        const Seen seen = look_for(name);
        return seen.count == 1 ? std::optional(fields_[seen.first].value) : std::nullopt;
    }
    std::size_t count(HttpName name) const { return look_for(name).count; }
    /// Calls `use(value)` for each field with this name.
    template <class Use>
    void each(HttpName name, Use use) const {
        const Seen seen = look_for(name);
        for (std::size_t i = seen.first, left = seen.count; left > 0; ++i)
            if (left == seen.count || equal_ignoring_case(fields_[i].name, name.text())) use(fields_[i].value), --left;
    }
    const std::vector<HttpField>& all() const { return fields_; }

 private:
    struct Seen {
        std::uint16_t first = 0, count = 0;
    };
    Seen look_for(HttpName name) const { return name.number() != 0 ? seen_[name.number()] : look_through(name.text()); }
    Seen look_through(std::string_view name) const;

    std::vector<HttpField> fields_;
    std::array<Seen, HttpName::known.size()> seen_ = {};  // by the number of the name
};

/// Returns `s` without spaces and tabs at both ends.
inline std::string_view trimmed(std::string_view s) noexcept {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}
bool is_token(std::string_view s) noexcept;

/// Calls `use(element)` for each element of a comma-separated list, trimmed. Skips empty elements.
template <class Use>
void each_element(std::string_view list, Use use) {
    while (true) {
        const std::size_t comma = list.find(',');
        if (const auto element = trimmed(list.substr(0, comma)); !element.empty()) use(element);
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

/// Returns the value of a decimal number. Returns nullopt for anything except digits, and on overflow.
std::optional<std::uint64_t> parse_decimal(std::string_view digits) noexcept;

}  // namespace tenon::framing

#pragma GCC visibility pop
