#include "auth/resource_server/metadata.hpp"

#include <tenon/json_writer.hpp>

#include "auth/metadata.hpp"
#include "jose/key.hpp"
#include "web/url.hpp"

namespace tenon::auth {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
    throw Exception({code::invalid_params, "ResourceServer::" + option + " " + why});
}

web::Url checked_url(const std::string& option, const std::string& text) {
    auto url = web::parse_url(text);
    if (!url || text.find('#') != text.npos || !url->user.empty())
        refuse(option, "must be an http or https URL without a fragment and a user: " + text);
    return *std::move(url);
}

// Requires https: a fetched document must not be changed on its way.
void check_secure(const std::string& option, const std::string& text) {
    if (!client::is_safe(checked_url(option, text))) refuse(option, "must be https, or on this machine: " + text);
}

void check(const ResourceServer& options) {
    check_secure("issuer", options.issuer);
    if (options.issuer.find('?') != options.issuer.npos) refuse("issuer", "must not have a query: " + options.issuer);
    if (options.audience.empty()) refuse("audience", "is missing: it is the URL of this server, as clients know it");
    if (!options.jwks_uri.empty()) check_secure("jwks_uri", options.jwks_uri);
    if (options.introspection) check_secure("introspection", options.introspection->endpoint);
    if (options.leeway < std::chrono::seconds(0)) refuse("leeway", "must not be negative");
}

void write_texts(json::Writer& w, const char* member, const Scopes& texts) {
    w.key(member);
    w.begin_array();
    for (const std::string& text : texts) w.string(text);
    w.end_array();
}

std::string write_document(const ResourceServer& options) {
    std::string out;
    json::Writer w(out);
    w.begin_object();
    w.field("resource", resource_of(options));
    write_texts(w, "authorization_servers", {options.issuer});
    if (!options.scopes.empty()) write_texts(w, "scopes_supported", options.scopes);
    write_texts(w, "bearer_methods_supported", {"header"});
    if (!options.name.empty()) w.field("resource_name", options.name);
    if (!options.documentation.empty()) w.field("resource_documentation", options.documentation);
    write_texts(w, "dpop_signing_alg_values_supported", {"ES256", "EdDSA", "RS256", "PS256"});
    if (options.dpop == ResourceServer::Dpop::required) w.field("dpop_bound_access_tokens_required", true);
    w.end_object();
    return out;
}

}  // namespace

const std::string& resource_of(const ResourceServer& options) {
    return options.resource.empty() ? options.audience : options.resource;
}

ResourceMetadata describe(const ResourceServer& options) {
    check(options);
    const web::Url url = checked_url(options.resource.empty() ? "audience" : "resource", resource_of(options));
    ResourceMetadata out;
    out.path = std::string(metadata_root) + (url.target == "/" ? "" : url.target.substr(0, url.target.find('?')));
    out.url = client::origin_of(url) + std::string(metadata_root) + (url.target == "/" ? "" : url.target);
    out.host = url.authority();
    out.document = write_document(options);
    return out;
}

}  // namespace tenon::auth
