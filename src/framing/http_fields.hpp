// The header section of an HTTP/1.1 message (RFC 9112), read strictly: what two readers might understand differently
// is refused, because that difference is how requests are smuggled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framing/http_names.hpp"

namespace tenon::framing {

bool same_ignoring_case(const char* a, const char* b, std::size_t size) noexcept;
inline bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && same_ignoring_case(a.data(), b.data(), a.size());
}

struct HttpField {
    std::string_view name;
    std::string_view value;  ///< without the white space around it
};

/// The fields of one message, as views into its head.
class HttpFields {
 public:
    /// Takes the lines after the first, each ended by CRLF, without the empty one. False, with `why`, when one is not a
    /// field: no colon, white space before it, a folded line, a bare CR or LF, a control character. At most 65,535.
    bool parse(std::string_view lines, std::size_t max_fields, std::string& why);
    void clear() {
        fields_.clear();
        seen_ = {};
    }

    /// The value of the only field of this name (in any case); nothing when there is none or more than one.
    std::optional<std::string_view> only(HttpName name) const {
        const Seen seen = look_for(name);
        return seen.count == 1 ? std::optional(fields_[seen.first].value) : std::nullopt;
    }
    std::size_t count(HttpName name) const { return look_for(name).count; }
    /// Calls `use(value)` for each field of this name.
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
    std::array<Seen, HttpName::known.size()> seen_ = {};  // of the names that have a number
};

/// Without the spaces and tabs around it.
inline std::string_view trimmed(std::string_view s) noexcept {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}
bool is_token(std::string_view s) noexcept;

/// Calls `use(element)` for each element of a comma-separated list, trimmed, empty ones left out.
template <class Use>
void each_element(std::string_view list, Use use) {
    while (true) {
        const std::size_t comma = list.find(',');
        if (const auto element = trimmed(list.substr(0, comma)); !element.empty()) use(element);
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

/// Digits only, no sign, no overflow.
std::optional<std::uint64_t> parse_decimal(std::string_view digits) noexcept;

}  // namespace tenon::framing
