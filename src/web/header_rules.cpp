#include "web/header_rules.hpp"

#include "protocol/meta_keys.hpp"
#include "protocol/read.hpp"
#include "protocol/versions.hpp"
#include "web/header_value.hpp"

namespace tenon::web {
namespace {

using framing::HttpName;
using std::string_view;

constexpr HttpName version_header = "MCP-Protocol-Version";
constexpr std::size_t max_value_shown = 200;

json::value shown(string_view text) {
    return json::value(text.size() <= max_value_shown ? std::string(text)
                                                      : std::string(text.substr(0, max_value_shown)) + "...");
}

json::value shown(const json::value& body) {
    const auto* text = body.if_string();
    return shown(text ? string_view(*text) : string_view(json::write(body)));
}

// Operators read the message, so it has no values: a header may repeat any argument.
Error mismatch(HttpName header, const std::string& problem, json::object details = {}) {
    Error out(code::header_mismatch, "Header mismatch: " + std::string(header.text()) + " " + problem);
    if (!details.empty()) out.data = std::move(details);
    return out;
}

template <class Body>
Error absent_or_repeated(HttpName header, const framing::HttpFields& fields, const Body& body) {
    if (fields.count(header) > 1) return mismatch(header, "is repeated");
    return mismatch(header, "is missing", {{"body", shown(body)}});
}

template <class Body>
Error differs(HttpName header, const Body& body) {
    return mismatch(header, "header value does not match body value", {{"body", shown(body)}});
}

// Checks a header whose value is never encoded.
std::optional<Error> check_plain(HttpName header, const framing::HttpFields& fields, string_view body) {
    const auto said = fields.only(header);
    if (!said) return absent_or_repeated(header, fields, body);
    if (*said != body) return differs(header, body);
    return std::nullopt;
}

// Checks a header whose value may be encoded as base64.
std::optional<Error> check_encoded(HttpName header, const framing::HttpFields& fields, const json::value& body) {
    const auto said = fields.only(header);
    if (!said) return absent_or_repeated(header, fields, body);
    std::string memory;
    const auto decoded = decode_header_value(*said, memory);
    if (!decoded) return mismatch(header, "has an invalid character or malformed base64", {{"body", shown(body)}});
    if (says_the_same(*decoded, body)) return std::nullopt;
    if (body.is_number() && *decoded == json::write(body))
        return mismatch(header, "cannot be compared exactly: the number is beyond 2^53", {{"body", shown(body)}});
    return differs(header, body);
}

std::optional<string_view> version_of(const json::object& params) {
    const json::value* meta = params.if_contains("_meta");
    const json::object* o = meta ? meta->if_object() : nullptr;
    const json::value* version = o ? o->if_contains(protocol::meta_key::version) : nullptr;
    const auto* text = version ? version->if_string() : nullptr;
    return text ? std::optional(string_view(*text)) : std::nullopt;
}

std::optional<Error> check_version(const jsonrpc::Request& request, const framing::HttpFields& fields) {
    const auto version = version_of(request.params);
    if (!version) return protocol::read_request_version(request.params).error();
    if (auto wrong = check_plain(version_header, fields, *version)) return wrong;
    const auto revision = protocol::revision(*version);
    if (!revision || protocol::Rules(*revision).is_legacy()) return protocol::unsupported_version(*version);
    return std::nullopt;
}

std::optional<Error> check_name(const jsonrpc::Request& request, const framing::HttpFields& fields) {
    const string_view parameter = protocol::name_parameter(request.method);
    const json::value* name = parameter.empty() ? nullptr : request.params.if_contains(parameter);
    // If the name is missing or not a string, the method itself gives a better error.
    return name && name->is_string() ? check_encoded("Mcp-Name", fields, *name) : std::nullopt;
}

const json::value* value_at(const jsonrpc::Request& request, const std::vector<std::string>& path) {
    const json::value* v = request.params.if_contains("arguments");
    for (const std::string& key : path) {
        const json::object* o = v ? v->if_object() : nullptr;
        v = o ? o->if_contains(key) : nullptr;
    }
    return v;
}

std::optional<Error> check_parameter(const core::MirroredParameter& parameter, const jsonrpc::Request& request,
                                     const framing::HttpFields& fields) {
    const json::value* body = value_at(request, parameter.path);
    const HttpName header = string_view(parameter.header);
    if (!body || body->is_null()) {
        if (fields.count(header) == 0) return std::nullopt;
        return mismatch(header, "is present, but the body has no value for it");
    }
    // An array or an object violates the tool's schema, and that error is more helpful.
    if (body->is_structured()) return std::nullopt;
    return check_encoded(header, fields, *body);
}

}  // namespace

bool has_header_rules(const jsonrpc::Request& request, const framing::HttpFields& fields) {
    return protocol::has_request_meta(request.params) || names_modern_revision(fields);
}

bool names_modern_revision(const framing::HttpFields& fields) {
    const auto said = fields.only(version_header);
    const auto revision = said ? protocol::revision(*said) : std::nullopt;
    return revision && protocol::Rules(*revision).is_modern();
}

std::optional<Error> check_version_header(const framing::HttpFields& fields) {
    if (fields.count(version_header) == 0) return std::nullopt;
    const auto version = fields.only(version_header);
    if (version && protocol::revision(*version)) return std::nullopt;
    return protocol::unsupported_version(version ? *version : "(several)");
}

std::span<const core::MirroredParameter> mirrored_parameters(const jsonrpc::Request& request,
                                                             const core::Features& features) {
    const json::value* name = request.method == "tools/call" ? request.params.if_contains("name") : nullptr;
    const auto tool = name && name->is_string() ? features.tools.find(name->get_string()) : nullptr;
    return tool ? std::span(tool->mirrored) : std::span<const core::MirroredParameter>();
}

std::optional<Error> check_headers(const jsonrpc::Request& request, const framing::HttpFields& fields,
                                   std::span<const core::MirroredParameter> mirrored) {
    if (auto wrong = check_version(request, fields)) return wrong;
    if (auto wrong = check_plain("Mcp-Method", fields, request.method)) return wrong;
    if (auto wrong = check_name(request, fields)) return wrong;
    for (const core::MirroredParameter& parameter : mirrored)
        if (auto wrong = check_parameter(parameter, request, fields)) return wrong;
    return std::nullopt;
}

}  // namespace tenon::web
