#include "inspect/tap_headers.hpp"

#include <algorithm>
#include <array>

#include <tenon/wire_tap.hpp>

#include "inspect/members.hpp"
#include "web/header_value.hpp"

namespace tenon::inspect {
namespace {

using framing::equal_ignoring_case;

// They belong to one connection, or say how the body is written, which this program does anew. Compressed bodies could
// not be shown, so no compression is asked for.
constexpr std::array<std::string_view, 14> not_passed_on = {"accept-encoding",
                                                            "connection",
                                                            "content-length",
                                                            "expect",
                                                            "host",
                                                            "keep-alive",
                                                            "origin",
                                                            "proxy-authenticate",
                                                            "proxy-authorization",
                                                            "proxy-connection",
                                                            "te",
                                                            "trailer",
                                                            "transfer-encoding",
                                                            "upgrade"};
constexpr std::array<std::string_view, 8> secret = {"authorization", "cookie",    "set-cookie",   "dpop",
                                                    "dpop-nonce",    "x-api-key", "x-auth-token", "api-key"};

template <class Names>
bool has_name(const Names& names, std::string_view name) {
    return std::ranges::any_of(names, [&](std::string_view known) { return equal_ignoring_case(known, name); });
}

bool has_field(const web::OwnFields& fields, std::string_view name) {
    return std::ranges::any_of(fields, [&](const auto& field) { return equal_ignoring_case(field.first, name); });
}

bool is_passed_on(std::string_view name) { return !has_name(not_passed_on, name); }

void set(web::OwnFields& fields, std::string_view name, const std::string& value) {
    for (auto& field : fields)
        if (equal_ignoring_case(field.first, name)) field.second = value;
}

}  // namespace

web::OwnFields request_fields(const framing::HttpFields& from_client, const web::OwnFields& own) {
    web::OwnFields out;
    for (const framing::HttpField& field : from_client.all())
        if (is_passed_on(field.name) && !has_field(own, field.name)) out.emplace_back(field.name, field.value);
    out.insert(out.end(), own.begin(), own.end());
    return out;
}

web::OwnFields response_fields(const framing::HttpFields& from_server) {
    web::OwnFields out;
    for (const framing::HttpField& field : from_server.all())
        if (is_passed_on(field.name)) out.emplace_back(field.name, field.value);
    return out;
}

void repeat_message(web::OwnFields& fields, const json::value& message) {
    const json::object* o = message.if_object();
    if (!o || !o->contains("method")) return;
    set(fields, "mcp-method", text_of_member(*o, "method"));
    const json::value* params = o->if_contains("params");
    if (!params || !params->is_object()) return;
    std::string name = text_of_member(params->get_object(), "name");
    if (name.empty()) name = text_of_member(params->get_object(), "uri");
    if (!name.empty()) set(fields, "mcp-name", web::encode_header_value(name));
}

std::string field_value(const web::OwnFields& fields, std::string_view name) {
    const auto found =
        std::ranges::find_if(fields, [&](const auto& field) { return equal_ignoring_case(field.first, name); });
    return found == fields.end() ? std::string() : found->second;
}

json::object shown_fields(const web::OwnFields& fields, const web::OwnFields& own) {
    json::object out;
    for (const auto& [name, value] : fields)
        out[name] = has_name(secret, name) || has_field(own, name) ? std::string("***") : mask_secrets(value);
    return out;
}

}  // namespace tenon::inspect
