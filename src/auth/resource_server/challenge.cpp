#include "auth/resource_server/challenge.hpp"

namespace tenon::auth {
namespace {

void add(std::string& out, std::string_view name, std::string_view text) {
    if (text.empty()) return;
    out += out.find(' ') == std::string::npos ? " " : ", ";
    ((out += name) += "=\"") += text;
    out += '"';
}

std::string www_authenticate(const ResourceChallenge& c) {
    std::string out = c.dpop ? "DPoP" : "Bearer";
    add(out, "error", c.error);
    if (!c.error.empty()) add(out, "error_description", c.why);
    add(out, "scope", c.scope);
    add(out, "resource_metadata", c.metadata_url);
    if (c.dpop) add(out, "algs", "ES256 EdDSA RS256 PS256");
    return out;
}

}  // namespace

void add_challenge(web::Fields& fields, const ResourceChallenge& challenge) {
    fields.emplace_back("WWW-Authenticate", www_authenticate(challenge));
}

}  // namespace tenon::auth
