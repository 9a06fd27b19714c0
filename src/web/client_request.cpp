#include "web/client_request.hpp"

#include <algorithm>
#include <array>

#include "base/base64.hpp"
#include "framing/http_fields.hpp"
#include "protocol/methods.hpp"
#include "web/header_value.hpp"

namespace tenon::web {
namespace {

using std::string_view;

// Fields that Tenon sets itself. A repeated field would be refused, or read differently by different programs.
constexpr std::array<string_view, 14> ours = {
    "accept",   "connection",           "content-length", "content-type",    "host", "last-event-id",     "mcp-method",
    "mcp-name", "mcp-protocol-version", "mcp-session-id", "accept-encoding", "te",   "transfer-encoding", "upgrade"};

bool is_value(string_view value) {
    return std::ranges::all_of(value, [](char c) { return c == '\t' || static_cast<unsigned char>(c) >= 0x20; }) &&
           value.find('\x7f') == string_view::npos;
}

void add_context(OwnFields& fields, const ClientContext& context) {
    if (!context.session.empty()) fields.emplace_back("Mcp-Session-Id", context.session);
    if (!context.revision.empty()) fields.emplace_back("MCP-Protocol-Version", context.revision);
    fields.insert(fields.end(), context.fields.begin(), context.fields.end());
}

// Repeats the trace of `_meta`, for proxies. A field of the user comes first.
void add_trace(OwnFields& fields, const TraceContext& trace) {
    const auto same = [](const auto& field) { return framing::equal_ignoring_case(field.first, "traceparent"); };
    if (trace.traceparent.empty() || std::ranges::any_of(fields, same)) return;
    fields.emplace_back("traceparent", trace.traceparent);
    if (!trace.tracestate.empty()) fields.emplace_back("tracestate", trace.tracestate);
}

void append_field(std::string& out, string_view name, string_view value) {
    ((out += name) += ": ") += value;
    out += "\r\n";
}

void append_proxy_user(std::string& out, const Url& proxy) {
    if (!proxy.user.empty()) append_field(out, "Proxy-Authorization", "Basic " + base::base64_encode(proxy.user));
}

}  // namespace

Result<void> check_fields(const OwnFields& fields) {
    for (const auto& [name, value] : fields) {
        if (!framing::is_token(name) || !is_value(value))
            return Error{code::invalid_params,
                         "cannot send the header `" + name + "`: it has a character that headers may not have"};
        if (std::ranges::any_of(
                ours, [&field = name](string_view own) { return framing::equal_ignoring_case(own, field); }) ||
            framing::equal_ignoring_case(string_view(name).substr(0, 10), "mcp-param-"))
            return Error{code::invalid_params, "the header `" + name + "` is set by Tenon"};
    }
    return {};
}

ClientRequest post_message(const Url& url, const ClientContext& context, OutgoingMessage& message) {
    ClientRequest out{"POST", url, {}, std::move(message.body)};
    out.fields.emplace_back("Accept", "application/json, text/event-stream");
    out.fields.emplace_back("Content-Type", "application/json");
    add_context(out.fields, context);
    add_trace(out.fields, *message.trace);
    if (!message.stateless) return out;
    out.fields.emplace_back("Mcp-Method", message.method);
    if (!message.name.empty() && !protocol::name_parameter(message.method).empty())
        out.fields.emplace_back("Mcp-Name", encode_header_value(message.name));
    for (const auto& [name, value] : message.mirrored) out.fields.emplace_back(name, encode_header_scalar(value));
    return out;
}

ClientRequest get_stream(const Url& url, const ClientContext& context, const std::string& last_event_id) {
    ClientRequest out{"GET", url, {}, {}};
    out.fields.emplace_back("Accept", "text/event-stream");
    add_context(out.fields, context);
    // An event id with characters that a header cannot carry is not sent. The stream then starts from the beginning.
    if (!last_event_id.empty() && is_value(last_event_id)) out.fields.emplace_back("Last-Event-ID", last_event_id);
    return out;
}

ClientRequest delete_session(const Url& url, const ClientContext& context) {
    ClientRequest out{"DELETE", url, {}, {}};
    add_context(out.fields, context);
    return out;
}

std::string write_request(const ClientRequest& request, const Url* forwarding_proxy) {
    std::string out;
    out.reserve(request.body.size() + 512);
    (out += request.method) += ' ';
    (out += forwarding_proxy ? request.url.text() : request.url.target) += " HTTP/1.1\r\n";
    append_field(out, "Host", request.url.authority());
    for (const auto& [name, value] : request.fields) append_field(out, name, value);
    if (forwarding_proxy) append_proxy_user(out, *forwarding_proxy);
    if (request.method == "POST") append_field(out, "Content-Length", std::to_string(request.body.size()));
    out += "\r\n";
    out += request.body;
    return out;
}

std::string write_connect(const Url& to, const Url& proxy) {
    const std::string host = to.host.find(':') != std::string::npos ? "[" + to.host + "]" : to.host;
    const std::string where = host + ":" + std::to_string(to.port);
    std::string out = "CONNECT " + where + " HTTP/1.1\r\n";
    append_field(out, "Host", where);
    append_proxy_user(out, proxy);
    return out += "\r\n";
}

}  // namespace tenon::web
