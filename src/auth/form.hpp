// Writes and reads application/x-www-form-urlencoded: the bodies of token requests, and the queries of redirects.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::auth::client {

class Form {
 public:
    void add(std::string_view name, std::string_view value);
    /// Adds the field unless its value is empty.
    void add_if(std::string_view name, std::string_view value) {
        if (!value.empty()) add(name, value);
    }
    const std::string& text() const { return text_; }

 private:
    std::string text_;
};

inline constexpr std::size_t max_form_fields = 64;

using FormFields = std::vector<std::pair<std::string, std::string>>;

/// Parses a form. Returns nullopt when an encoding is malformed, when there are too many fields, or when a name is
/// repeated. Two programs could read different values from a repeated name.
std::optional<FormFields> parse_form(std::string_view text);
/// Returns the value of a field; empty when it is missing.
std::string field_of(const FormFields& fields, std::string_view name);

}  // namespace tenon::auth::client
