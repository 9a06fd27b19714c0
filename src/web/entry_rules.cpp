#include "web/entry_rules.hpp"

#include <algorithm>

#include "web/response.hpp"

namespace tenon::web {
namespace {

using framing::equal_ignoring_case;
using framing::HttpRequest;

// Returns whether the parameters of a media range contain "q=0", which refuses the type. Other parameters do not
// matter.
bool is_refused(std::string_view parameters) {
    while (!parameters.empty()) {
        parameters.remove_prefix(1);  // the semicolon
        const std::size_t end = std::min(parameters.find(';'), parameters.size());
        const std::string_view one = framing::trimmed(parameters.substr(0, end));
        parameters.remove_prefix(end);
        if (one.size() < 3 || !equal_ignoring_case(one.substr(0, 2), "q=")) continue;
        return one[2] == '0' && one.find_first_not_of("0.", 2) == one.npos;
    }
    return false;
}

// Returns how exactly a media range of Accept matches a type: 0 not at all, 1 "*/*", 2 "application/*", 3 the type
// itself.
int how_exactly(std::string_view range, std::string_view type) {
    if (equal_ignoring_case(range, type)) return 3;
    const std::string_view kind = type.substr(0, type.find('/') + 1);
    if (range.ends_with("/*") && equal_ignoring_case(range.substr(0, range.size() - 1), kind)) return 2;
    return range == "*/*" ? 1 : 0;
}

// The most exact media range decides. `type` is one of the two response types of MCP.
bool accepts(const HttpRequest& request, std::string_view type) {
    if (request.fields.count("accept") == 0) return true;
    int most = 0;
    bool accepted = false;
    request.fields.each("accept", [&](std::string_view ranges) {
        framing::each_element(ranges, [&](std::string_view element) {
            const std::size_t semicolon = std::min(element.find(';'), element.size());
            const int says = how_exactly(framing::trimmed(element.substr(0, semicolon)), type);
            if (says == 0 || says < most) return;
            const bool wanted = !is_refused(element.substr(semicolon));
            accepted = wanted || (says == most && accepted);
            most = says;
        });
    });
    return accepted;
}

bool accepts_both(const HttpRequest& request) {
    if (request.fields.only("accept") == "application/json, text/event-stream") return true;  // fast path: most clients
    return accepts(request, "application/json") && accepts(request, "text/event-stream");
}

bool is_json(const HttpRequest& request) {
    const auto type = request.fields.only("content-type");
    if (type == "application/json") return true;  // fast path: most clients
    return type && equal_ignoring_case(framing::trimmed(type->substr(0, type->find(';'))), "application/json");
}

Response refuse(int status, std::string why, const HttpRequest& request, Fields fields = {}) {
    for (auto& field : cors_fields(request)) fields.push_back(std::move(field));
    return refusal(status, std::move(why), std::move(fields));
}

bool is_known_header(std::string_view name) {
    static constexpr std::string_view known[] = {"content-type", "accept",   "authorization",  "mcp-protocol-version",
                                                 "mcp-method",   "mcp-name", "mcp-session-id", "last-event-id"};
    constexpr std::string_view prefix = "mcp-param-";
    return std::ranges::any_of(known, [name](auto k) { return equal_ignoring_case(name, k); }) ||
           (name.size() > prefix.size() && equal_ignoring_case(name.substr(0, prefix.size()), prefix) &&
            framing::is_token(name));
}

// Answers the preflight request of a browser. Allows only the header fields of MCP.
Response preflight(const HttpRequest& request, std::string_view methods) {
    Fields fields = cors_fields(request);
    fields.emplace_back("Allow", std::string(methods));
    if (request.fields.count("origin") == 0) return {204, std::move(fields)};
    fields.emplace_back("Access-Control-Allow-Methods", std::string(methods));
    std::string headers;
    if (const auto asked = request.fields.only("access-control-request-headers")) {
        framing::each_element(*asked, [&headers](std::string_view name) {
            if (is_known_header(name)) headers += (headers.empty() ? "" : ", ") + std::string(name);
        });
    }
    if (!headers.empty()) fields.emplace_back("Access-Control-Allow-Headers", std::move(headers));
    fields.emplace_back("Access-Control-Max-Age", "600");
    return {204, std::move(fields)};
}

// Returns whether the body is not compressed.
bool is_identity(const HttpRequest& request) {
    if (request.fields.count("content-encoding") == 0) return true;
    bool identity = true;
    request.fields.each("content-encoding", [&](std::string_view codings) {
        framing::each_element(
            codings, [&](std::string_view coding) { identity = identity && equal_ignoring_case(coding, "identity"); });
    });
    return identity;
}

std::variant<RequestPurpose, Response> as_message(const HttpRequest& request, RequestPurpose entry) {
    if (!is_identity(request))
        return refuse(415, "this server does not accept compressed bodies: send the message without Content-Encoding",
                      request, {{"Accept-Encoding", "identity"}});
    if (!is_json(request)) return refuse(415, "the Content-Type of a message must be application/json", request);
    if (!request.content_length && !request.chunked)
        return refuse(400, "the POST has no body: send a message", request);
    if (entry == RequestPurpose::message && !accepts_both(request))
        return refuse(406, "Accept must allow both application/json and text/event-stream", request);
    return entry;
}

std::variant<RequestPurpose, Response> as_listener(const HttpRequest& request, RequestPurpose entry) {
    if (!accepts(request, "text/event-stream"))
        return refuse(406, "Accept must allow text/event-stream: a GET is answered by a stream of events", request);
    return entry;
}

Response as_document(const HttpRequest& request, const std::string& document) {
    if (request.method == "OPTIONS") return preflight(request, "GET, HEAD, OPTIONS");
    if (request.method != "GET" && request.method != "HEAD")
        return refuse(405, "this path allows GET, HEAD, OPTIONS", request, {{"Allow", "GET, HEAD, OPTIONS"}});
    Fields fields = cors_fields(request);
    fields.emplace_back("Cache-Control", "max-age=300");
    return json_response(200, document, std::move(fields));
}

}  // namespace

Fields cors_fields(const HttpRequest& request) {
    const auto origin = request.fields.only("origin");
    if (!origin) return {};
    return {{"Access-Control-Allow-Origin", std::string(*origin)},
            {"Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, DPoP-Nonce"},
            {"Vary", "Origin"}};
}

std::variant<RequestPurpose, Response> enter(const HttpRequest& request, const EntryPolicy& policy) {
    if (auto refused = refuse_origin(request, policy.origins)) return *std::move(refused);

    if (request.path == "*") return {Response{204, {{"Allow", "GET, HEAD, POST, DELETE, OPTIONS"}}}};

    const auto document = policy.documents.find(request.path);
    if (document != policy.documents.end()) return as_document(request, document->second);

    struct Route {
        std::string_view path, method;
        RequestPurpose entry;
    };
    const Route routes[] = {{policy.path, "POST", RequestPurpose::message},
                            {policy.path, "GET", RequestPurpose::listen},
                            {policy.path, "DELETE", RequestPurpose::end_session},
                            {policy.old_stream_path, "GET", RequestPurpose::old_listen},
                            {policy.old_message_path, "POST", RequestPurpose::old_message}};
    std::string methods;
    for (const Route& route : routes) {
        if (route.path.empty() || route.path != request.path) continue;
        if (route.method == request.method) {
            if (route.method == "POST") return as_message(request, route.entry);
            if (route.method == "GET") return as_listener(request, route.entry);
            return route.entry;
        }
        methods += std::string(route.method) + ", ";
    }
    if (methods.empty()) return refuse(404, "there is nothing here; the MCP endpoint is " + policy.path, request);
    methods += "OPTIONS";
    if (request.method == "OPTIONS") return preflight(request, methods);
    return refuse(405, "this path allows " + methods, request, {{"Allow", methods}});
}

}  // namespace tenon::web
