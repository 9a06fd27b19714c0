// application/x-www-form-urlencoded: the bodies of token requests, and the queries of redirects.
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
    /// Leaves out what is empty.
    void add_if(std::string_view name, std::string_view value) {
        if (!value.empty()) add(name, value);
    }
    const std::string& text() const { return text_; }

 private:
    std::string text_;
};

inline constexpr std::size_t max_form_fields = 64;

using FormFields = std::vector<std::pair<std::string, std::string>>;

/// Nothing when an encoding is broken, when there are too many, or when a name stands there twice: whoever reads the
/// other one would understand something else.
std::optional<FormFields> parse_form(std::string_view text);
/// Empty when it is missing.
std::string field_of(const FormFields& fields, std::string_view name);

}  // namespace tenon::auth::client
