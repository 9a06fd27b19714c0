#include "check/server/sdk.hpp"

#include <algorithm>
#include <array>

namespace tenon::check {
namespace {

constexpr std::string_view typescript_1 = "@modelcontextprotocol/sdk 1.x";
constexpr std::string_view typescript_2 = "@modelcontextprotocol/server 2.x";
constexpr std::string_view unknown_tool_1 = "MCP error -32602: Tool tenon-check-no-such-tool not found",
                           unknown_tool_2 = "\"message\":\"Tool tenon-check-no-such-tool not found\"";

// Returns whether the text is a list of issues of the library zod about the parameters of a request.
bool is_zod_issues(std::string_view text) {
    const auto parsed = json::parse(text);
    const json::array* list = parsed ? parsed->if_array() : nullptr;
    if (!list || list->empty()) return false;
    return std::ranges::all_of(*list, [](const json::value& issue) {
        const json::object* o = issue.if_object();
        const json::value* path = o ? o->if_contains("path") : nullptr;
        return path && path->is_array() && !path->get_array().empty() && o->contains("code") &&
               o->contains("message") && path->get_array().front() == json::value("params");
    });
}

// What servers with an SDK do, however they use it. Each row was seen in servers of several authors. What an author can
// switch on, such as the check of Origin, is not here: it is the server's own.
struct Row {
    std::string_view sdk, transport, rule;  // no transport: every one
    std::string_view mark = {};             // must be in what the server sent; empty: anything
    bool of_lists = false;                  // only if the SDK answers the requests for lists
};
constexpr std::string_view bad_message = "Parse error: Invalid JSON-RPC message";
constexpr std::array rows = {
    Row{typescript_1, "", "RPC-2.refuses-invalid-utf8"},
    Row{typescript_1, "stdio", "RPC-4.large-id"},
    Row{typescript_1, "stdio", "RPC-8.parse-error"},
    Row{typescript_1, "stdio", "RPC-8.no-request"},
    Row{typescript_1, "stdio", "RPC-8.wrong-version"},
    Row{typescript_1, "stdio", "RPC-11.params-type"},
    Row{typescript_1, "http", "RPC-8.no-request", bad_message},
    Row{typescript_1, "http", "RPC-8.wrong-version", bad_message},
    Row{typescript_1, "http", "RPC-11.params-type", bad_message},
    Row{typescript_1, "stdio", "RPC-12.served"},
    Row{typescript_1, "", "RPC-12.refused"},
    Row{typescript_1, "stdio", "LIFE-6.before-initialize"},
    Row{typescript_1, "", "LIFE-11.log-level", "-32603"},
    Row{typescript_1, "stdio", "LIFE-13.second-initialize"},
    Row{typescript_1, "", "TOOL-4.bad-cursor", "", true},
    Row{typescript_1, "", "TOOL-5.kind-of-error", "MCP error -32602: Input validation error: Invalid arguments"},
    Row{typescript_1, "", "TOOL-8.kind-of-error", unknown_tool_1},
    Row{typescript_1, "", "RES-5.bad-cursor", "", true},
    Row{typescript_1, "", "RES-9.not-found-code", "MCP error -32602: Resource "},
    Row{typescript_1, "", "PROMPT-4.bad-cursor", "", true},
    Row{typescript_1, "stdio", "SEC-4.oversized"},
    Row{typescript_2, "", "RPC-2.refuses-invalid-utf8"},
    Row{typescript_2, "", "RPC-4.large-id"},
    Row{typescript_2, "stdio", "RPC-8.parse-error"},
    Row{typescript_2, "stdio", "RPC-8.no-request"},
    Row{typescript_2, "stdio", "RPC-8.wrong-version"},
    Row{typescript_2, "stdio", "RPC-11.params-type"},
    Row{typescript_2, "stdio", "RPC-12.served"},
    Row{typescript_2, "", "RPC-12.refused"},
    Row{typescript_2, "", "LIFE-11.log-level", "-32603"},
    Row{typescript_2, "", "LIFE-13.second-initialize"},
    Row{typescript_2, "", "TOOL-4.bad-cursor", "", true},
    Row{typescript_2, "", "TOOL-5.kind-of-error", "Input validation error: Invalid arguments"},
    Row{typescript_2, "", "RES-5.bad-cursor", "", true},
    Row{typescript_2, "", "RES-9.not-found-code", "Resource not found: tenon-check"},
    Row{typescript_2, "", "PROMPT-4.bad-cursor", "", true},
    Row{typescript_2, "stdio", "SEC-4.oversized"},
};

bool has_mark(const Finding& finding, std::string_view mark) {
    return mark.empty() || std::ranges::any_of(finding.evidence, [&](const Evidence& piece) {
               return piece.direction == Evidence::Direction::received && piece.bytes.find(mark) != std::string::npos;
           });
}

}  // namespace

void SdkSigns::see(const Received& received) {
    const json::object* o = received.object();
    if (!o) return;
    const std::string_view text = received.text;
    if (o->contains("result") && text.starts_with("{\"result\":") &&
        text.find(",\"jsonrpc\":\"2.0\",\"id\":") != text.npos)
        result_first_ = true;
    if (text.find(unknown_tool_1) != text.npos || text.find(unknown_tool_2) != text.npos) own_unknown_tool_ = true;
    const json::value* error = o->if_contains("error");
    const json::value* message = error && error->is_object() ? error->get_object().if_contains("message") : nullptr;
    const json::value* code = error && error->is_object() ? error->get_object().if_contains("code") : nullptr;
    if (!message || !message->is_string() || !code) return;
    const std::string_view words = message->get_string();
    if (*code == json::value(code::internal_error) && is_zod_issues(words)) bare_zod_issues_ = true;
    const std::size_t list = words.find(" request: [");
    if (*code == json::value(code::invalid_params) && words.starts_with("Invalid ") && list != words.npos &&
        is_zod_issues(words.substr(list + 10)))
        named_zod_issues_ = true;
}

// Version 2 also writes the bare issues for some methods.
Sdk SdkSigns::sdk() const {
    if (!result_first_ || !(bare_zod_issues_ || named_zod_issues_)) return {};
    return {named_zod_issues_ ? typescript_2 : typescript_1, own_unknown_tool_};
}

bool is_known_of_sdk(const Sdk& sdk, std::string_view transport, const Finding& finding) {
    return !sdk.name.empty() && std::ranges::any_of(rows, [&](const Row& row) {
        return row.sdk == sdk.name && (row.transport.empty() || row.transport == transport) &&
               row.rule == finding.rule->id && (sdk.serves_lists || !row.of_lists) && has_mark(finding, row.mark);
    });
}

}  // namespace tenon::check
