// Names of header fields. Frequent names have a number: a field is compared with them once, when it is read, and not at
// each lookup.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::framing {

/// The name of a field, ignoring case. Literals get their number at compile time.
class HttpName {
 public:
    consteval HttpName(const char* literal) : text_(literal), number_(0) {
        for (std::size_t i = 1; i < known.size(); ++i)
            if (same(text_, known[i])) number_ = i;
    }
    HttpName(std::string_view text) noexcept : text_(text), number_(number_of(text)) {}

    constexpr std::string_view text() const noexcept { return text_; }
    /// Returns the number of the name, or 0 when it has none.
    constexpr std::size_t number() const noexcept { return number_; }

    /// The names with a number. Only lower-case letters and '-', at least four characters.
    static constexpr std::array<std::string_view, 17> known = {"",
                                                               "host",
                                                               "accept",
                                                               "content-type",
                                                               "content-length",
                                                               "transfer-encoding",
                                                               "connection",
                                                               "expect",
                                                               "origin",
                                                               "authorization",
                                                               "dpop",
                                                               "mcp-protocol-version",
                                                               "mcp-session-id",
                                                               "mcp-method",
                                                               "mcp-name",
                                                               "last-event-id",
                                                               "content-encoding"};

 private:
    static std::size_t number_of(std::string_view name) noexcept;
    static constexpr bool same(std::string_view name, std::string_view small) {
        if (name.size() != small.size()) return false;
        for (std::size_t i = 0; i < name.size(); ++i) {
            const char c = name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] + 32) : name[i];
            if (c != small[i]) return false;
        }
        return true;
    }

    std::string_view text_;
    std::size_t number_;
};

}  // namespace tenon::framing

#pragma GCC visibility pop
