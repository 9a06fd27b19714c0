#include "auth/scopes.hpp"

#include <algorithm>

namespace tenon::auth::client {
namespace {

// RFC 6749, appendix A.4: visible ASCII characters, except the quote and the backslash.
bool is_scope(std::string_view s) {
    return !s.empty() && std::ranges::all_of(s, [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

}  // namespace

Scopes parse_scopes(std::string_view text) {
    Scopes out;
    while (!text.empty()) {
        const std::string_view scope = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(scope.size() + 1, text.size()));
        if (is_scope(scope) && !contains(out, scope)) out.emplace_back(scope);
    }
    return out;
}

std::string write_scopes(const Scopes& scopes) {
    std::string out;
    for (const std::string& scope : scopes) (out += out.empty() ? "" : " ") += scope;
    return out;
}

Scopes joined(Scopes a, const Scopes& b) {
    for (const std::string& scope : b)
        if (is_scope(scope) && !contains(a, scope)) a.push_back(scope);
    return a;
}

bool contains(const Scopes& scopes, std::string_view scope) { return std::ranges::find(scopes, scope) != scopes.end(); }

bool contains_all(const Scopes& scopes, const Scopes& wanted) {
    return std::ranges::all_of(wanted, [&](const std::string& scope) { return contains(scopes, scope); });
}

}  // namespace tenon::auth::client
