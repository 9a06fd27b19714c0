#include "auth/form.hpp"

#include <algorithm>

#include "base/uri.hpp"
#include "base/uri_encode.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

std::optional<std::string> decoded(string_view text) {
    std::string spaced(text);
    std::ranges::replace(spaced, '+', ' ');
    return base::percent_decode(spaced);
}

}  // namespace

void Form::add(string_view name, string_view value) {
    if (!text_.empty()) text_ += '&';
    ((text_ += base::encode_unreserved(name)) += '=') += base::encode_unreserved(value);
}

std::optional<FormFields> parse_form(string_view text) {
    FormFields out;
    while (!text.empty()) {
        const string_view field = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(field.size() + 1, text.size()));
        if (field.empty()) continue;
        const std::size_t equals = std::min(field.find('='), field.size());
        const auto name = decoded(field.substr(0, equals));
        const auto value = decoded(field.substr(std::min(equals + 1, field.size())));
        if (!name || !value || out.size() == max_form_fields) return std::nullopt;
        if (std::ranges::any_of(out, [&](const auto& f) { return f.first == *name; })) return std::nullopt;
        out.emplace_back(*name, *value);
    }
    return out;
}

std::string field_of(const FormFields& fields, string_view name) {
    const auto it = std::ranges::find_if(fields, [&](const auto& field) { return field.first == name; });
    return it == fields.end() ? std::string() : it->second;
}

}  // namespace tenon::auth::client
