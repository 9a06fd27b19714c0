#include "transport/http_server/restarts.hpp"

#include <tenon/json_writer.hpp>

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "jsonrpc/codec.hpp"

namespace tenon {
namespace {

std::string member_text(const json::object& o, std::string_view name) {
    const json::value* v = o.if_contains(name);
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

// Returns the name of the tool that a request calls.
std::string called_tool(std::string_view request) {
    const auto parsed = json::parse(request);
    const json::object* message = parsed ? parsed->if_object() : nullptr;
    const json::value* params = message ? message->if_contains("params") : nullptr;
    return params && params->is_object() ? member_text(params->get_object(), "name") : std::string();
}

}  // namespace

std::string encode(const StoredCall& call) {
    return json::write(json::object{
        {"runs", call.runs}, {"tool", call.tool}, {"principal", call.principal}, {"request", call.request}});
}

std::optional<StoredCall> decode_stored_call(std::string_view bytes) {
    const auto parsed = json::parse(bytes);
    const json::object* o = parsed ? parsed->if_object() : nullptr;
    const json::value* runs = o ? o->if_contains("runs") : nullptr;
    if (!runs || !runs->is_int64()) return std::nullopt;
    const std::int64_t count = runs->get_int64();
    if (count < 1 || count > StoredCall::max_runs) return std::nullopt;
    return StoredCall{static_cast<int>(count), member_text(*o, "tool"), member_text(*o, "principal"),
                      member_text(*o, "request")};
}

StoredCall stored_call(const core::Call& call) {
    jsonrpc::Encoded request = jsonrpc::encode_request(call.id, "tools/call", {json::write(call.params)});
    return {1, tool_digest(*call.tool), call.principal(), std::move(request.json)};
}

std::string tool_digest(const core::ToolEntry& tool) {
    constexpr std::size_t enough = 12;  // bytes: tools differ by accident, not on purpose
    const protocol::Rules rules(protocol::modern_revision());
    const base::Sha256Digest digest = base::sha256(tool.spelled.of(rules));
    return base::base64_encode({digest.data(), enough});
}

std::optional<std::string> why_not_again(const StoredCall& call, const core::Features& features,
                                         std::string_view principal) {
    if (call.principal != principal) return "the node that ran the request is gone, and its caller is another one";
    if (call.runs >= StoredCall::max_runs)
        return "the node that ran the request is gone; the request was started " + std::to_string(call.runs) +
               " times, and is not run again";
    const auto tool = features.tools.find(called_tool(call.request));
    if (!tool || !tool->restartable || tool_digest(*tool) != call.tool)
        return "the node that ran the request is gone, and this node has another version of the tool; send the request "
               "again";
    return std::nullopt;
}

}  // namespace tenon
