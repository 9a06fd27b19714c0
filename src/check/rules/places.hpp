// The places of the specification that the rules refer to. A page moves from revision to revision, and a text that is
// new in one revision has no page in earlier ones.
#pragma once

#include <tenon/check.hpp>

namespace tenon::check {

/// Where each revision states a rule, oldest revision first: "page#section". Empty: this revision does not state it.
using Place = std::array<std::string_view, revision_count>;

constexpr Clauses by_revision(const Place& place, const std::array<Level, revision_count>& levels) {
    Clauses out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t hash = place[i].find('#');
        out[i] = {revision_names[i], place[i].empty() ? Level::none : levels[i], place[i].substr(0, hash),
                  hash == std::string_view::npos ? std::string_view() : place[i].substr(hash + 1)};
    }
    return out;
}
constexpr Clauses in_all_revisions(const Place& place, Level level) {
    return by_revision(place, {level, level, level, level, level});
}
constexpr Clauses must(const Place& place) { return in_all_revisions(place, Level::must); }
constexpr Clauses should(const Place& place) { return in_all_revisions(place, Level::should); }
constexpr Clauses advice(const Place& place) { return in_all_revisions(place, Level::advice); }
/// A MUST that is new in 2026-07-28. Before, it is good advice only.
constexpr Clauses must_since_2026_07_28(const Place& place) {
    return by_revision(place, {Level::advice, Level::advice, Level::advice, Level::advice, Level::must});
}

namespace place {

constexpr Place everywhere(std::string_view page) { return {page, page, page, page, page}; }
constexpr Place since_2025_03_26(std::string_view page) { return {"", page, page, page, page}; }
constexpr Place since_2025_06_18(std::string_view page) { return {"", "", page, page, page}; }
constexpr Place since_2025_11_25(std::string_view page) { return {"", "", "", page, page}; }
constexpr Place modern(std::string_view page) { return {"", "", "", "", page}; }
/// For rules until 2025-11-25, and their place in 2026-07-28; empty: that revision does not state them.
constexpr Place legacy(std::string_view page, std::string_view modern_page = {}) {
    return {page, page, page, page, modern_page};
}
/// Streamable HTTP, which began with 2025-03-26.
constexpr Place http(std::string_view page, std::string_view modern_page = {}) {
    return {"", page, page, page, modern_page};
}

inline constexpr Place json_rpc_errors = everywhere("https://www.jsonrpc.org/specification#error_object");
inline constexpr Place json_rpc_responses = everywhere("https://www.jsonrpc.org/specification#response_object");
inline constexpr Place rfc8259_encoding = everywhere("https://www.rfc-editor.org/rfc/rfc8259#section-8.1");
inline constexpr Place rfc8259_names = everywhere("https://www.rfc-editor.org/rfc/rfc8259#section-4");
inline constexpr Place rfc8259_strings = everywhere("https://www.rfc-editor.org/rfc/rfc8259#section-7");
inline constexpr Place rfc8259_characters = everywhere("https://www.rfc-editor.org/rfc/rfc8259#section-8.2");
inline constexpr Place rfc9112_length = everywhere("https://www.rfc-editor.org/rfc/rfc9112#section-6.1");
inline constexpr Place messages = {"basic/messages", "basic#messages", "basic#messages", "basic#messages",
                                   "basic#messages"};
inline constexpr Place requests = {"basic/messages#requests", "basic#requests", "basic#requests", "basic#requests",
                                   "basic#requests"};
inline constexpr Place responses = {"basic/messages#responses", "basic#responses", "basic#responses", "basic#responses",
                                    "basic#responses"};
inline constexpr Place notifications = {"basic/messages#notifications", "basic#notifications", "basic#notifications",
                                        "basic#notifications", "basic#notifications"};
inline constexpr Place encoding = {"https://www.rfc-editor.org/rfc/rfc8259#section-8.1", "basic/transports",
                                   "basic/transports", "basic/transports", "basic/transports#messages"};
inline constexpr Place meta = {"basic/messages#requests", "basic#requests", "basic#_meta", "basic#_meta",
                               "basic#_meta"};
inline constexpr Place modern_meta = modern("basic#_meta");
inline constexpr Place result_type = modern("basic#resulttype");
inline constexpr Place error_codes = modern("basic#error-codes");
inline constexpr Place statelessness = modern("basic#statelessness");
inline constexpr Place batching = {"", "basic#batching", "", "", ""};
inline constexpr Place no_batches = since_2025_06_18("changelog");
inline constexpr Place stdio = legacy("basic/transports#stdio", "basic/transports/stdio");
inline constexpr Place shutdown = legacy("basic/lifecycle#shutdown", "basic/transports/stdio#shutdown");
inline constexpr Place initialization = legacy("basic/lifecycle#initialization");
inline constexpr Place introduction = legacy("basic/lifecycle#initialization", "server/discover#discoverresult");
inline constexpr Place version_negotiation = legacy("basic/lifecycle#version-negotiation");
inline constexpr Place capability_negotiation =
    legacy("basic/lifecycle#capability-negotiation", "server/discover#discoverresult");
inline constexpr Place operation = legacy("basic/lifecycle#operation");
inline constexpr Place discover = modern("server/discover#discoverresult");
inline constexpr Place versioning = modern("basic/versioning#protocol-version-negotiation");
inline constexpr Place caching = modern("server/utilities/caching#cacheable-results");
inline constexpr Place no_server_requests = modern("basic/transports/stdio#receiving-messages");
inline constexpr Place logging = everywhere("server/utilities/logging#capabilities");
inline constexpr Place logging_level = legacy("server/utilities/logging#setting-log-level");
inline constexpr Place logging_errors = legacy("server/utilities/logging#error-handling");
inline constexpr Place log_messages = everywhere("server/utilities/logging#log-message-notifications");
inline constexpr Place completion = since_2025_03_26("server/utilities/completion#capabilities");
inline constexpr Place completion_results = since_2025_03_26("server/utilities/completion#completion-results");
inline constexpr Place empty_result = {"server/resources#subscriptions", "server/resources#subscriptions",
                                       "schema#emptyresult", "schema#emptyresult", ""};
inline constexpr Place ping = legacy("basic/utilities/ping#behavior-requirements");
inline constexpr Place cancellation =
    legacy("basic/utilities/cancellation#behavior-requirements", "basic/patterns/cancellation#behavior-requirements");
inline constexpr Place cancellation_errors =
    legacy("basic/utilities/cancellation#error-handling", "basic/patterns/cancellation#error-handling");
inline constexpr Place progress =
    legacy("basic/utilities/progress#behavior-requirements", "basic/patterns/progress#behavior-requirements");
inline constexpr Place progress_flow =
    legacy("basic/utilities/progress#progress-flow", "basic/patterns/progress#progress-flow");
inline constexpr Place progress_notes =
    legacy("basic/utilities/progress#implementation-notes", "basic/patterns/progress#implementation-notes");
inline constexpr Place tools_available = everywhere("server/tools#capabilities");
inline constexpr Place resources_available = everywhere("server/resources#capabilities");
inline constexpr Place prompts_available = everywhere("server/prompts#capabilities");
inline constexpr Place tool = everywhere("server/tools#tool");
inline constexpr Place tool_names = {"server/tools#tool", "server/tools#tool", "server/tools#tool",
                                     "server/tools#tool-names", "server/tools#tool-names"};
inline constexpr Place tool_name_format = since_2025_11_25("server/tools#tool-names");
inline constexpr Place tool_schema = {"server/tools#tool", "server/tools#tool", "server/tools#tool",
                                      "basic#schema-validation", "basic#schema-validation"};
inline constexpr Place tool_title = since_2025_06_18("server/tools#tool");
inline constexpr Place tool_annotations = since_2025_03_26("server/tools#tool");
inline constexpr Place tool_headers = modern("server/tools#x-mcp-header");
inline constexpr Place tool_listing = everywhere("server/tools#listing-tools");
inline constexpr Place tool_order = legacy("server/tools#listing-tools", "server/tools#capabilities");
inline constexpr Place tool_calling = everywhere("server/tools#calling-tools");
inline constexpr Place tool_result = everywhere("server/tools#tool-result");
inline constexpr Place tool_output = since_2025_06_18("server/tools#output-schema");
inline constexpr Place tool_structured = since_2025_06_18("server/tools#structured-content");
inline constexpr Place tool_structured_object = {"", "", "server/tools#structured-content",
                                                 "server/tools#structured-content", ""};
inline constexpr Place tool_errors = everywhere("server/tools#error-handling");
inline constexpr Place tool_security = everywhere("server/tools#security-considerations");
inline constexpr Place tool_links = since_2025_06_18("server/tools#resource-links");
inline constexpr Place tool_embedded = everywhere("server/tools#embedded-resources");
inline constexpr Place annotations = {"server/resources#resource", "server/resources#resource",
                                      "server/resources#annotations", "server/resources#annotations",
                                      "server/resources#annotations"};
inline constexpr Place pagination = everywhere("server/utilities/pagination#response-format");
inline constexpr Place pagination_errors = everywhere("server/utilities/pagination#error-handling");
inline constexpr Place pagination_guide = everywhere("server/utilities/pagination#implementation-guidelines");
inline constexpr Place resource = everywhere("server/resources#resource");
inline constexpr Place resource_contents = everywhere("server/resources#resource-contents");
inline constexpr Place resource_listing = everywhere("server/resources#listing-resources");
inline constexpr Place resource_reading = everywhere("server/resources#reading-resources");
inline constexpr Place resource_templates = everywhere("server/resources#resource-templates");
inline constexpr Place resource_subscriptions = legacy("server/resources#subscriptions");
inline constexpr Place resource_updates = everywhere("server/resources#subscriptions");
inline constexpr Place acknowledgment = modern("basic/patterns/subscriptions#acknowledgment");
inline constexpr Place resource_errors = everywhere("server/resources#error-handling");
inline constexpr Place resource_security = everywhere("server/resources#security-considerations");
inline constexpr Place prompt = everywhere("server/prompts#prompt");
inline constexpr Place prompt_message = everywhere("server/prompts#promptmessage");
inline constexpr Place prompt_listing = everywhere("server/prompts#listing-prompts");
inline constexpr Place prompt_getting = everywhere("server/prompts#getting-a-prompt");
inline constexpr Place prompt_errors = everywhere("server/prompts#error-handling");
inline constexpr Place prompt_advice = everywhere("server/prompts#implementation-considerations");
inline constexpr Place sending =
    http("basic/transports#sending-messages-to-the-server", "basic/transports/streamable-http#sending-messages");
inline constexpr Place old_sending = http("basic/transports#sending-messages-to-the-server");
inline constexpr Place receiving =
    http("basic/transports#sending-messages-to-the-server", "basic/transports/streamable-http#receiving-messages");
inline constexpr Place endpoint = http("basic/transports#streamable-http", "basic/transports/streamable-http");
inline constexpr Place version_header = {"", "", "basic/transports#protocol-version-header",
                                         "basic/transports#protocol-version-header", ""};
inline constexpr Place modern_version_header = modern("basic/transports/streamable-http#protocol-version-header");
inline constexpr Place validation = modern("basic/transports/streamable-http#server-validation");
inline constexpr Place listening = http("basic/transports#listening-for-messages-from-the-server");
inline constexpr Place resumability = http("basic/transports#resumability-and-redelivery");
inline constexpr Place multiple_connections = http("basic/transports#multiple-connections");
inline constexpr Place sessions = http("basic/transports#session-management");
inline constexpr Place earlier_revisions = modern("basic/transports/streamable-http#earlier-streamable-http-revisions");
inline constexpr Place http_security =
    http("basic/transports#security-warning", "basic/transports/streamable-http#security-endpoint");
inline constexpr Place request_state = modern("basic/patterns/mrtr#server-requirements-basic-workflow");
inline constexpr Place input_required_methods = modern("basic/patterns/mrtr#supported-requests");
inline constexpr Place extension_ids = modern("basic/versioning#extension-negotiation");
inline constexpr Place elicitation_urls = since_2025_11_25("client/elicitation#url-mode-elicitation-requests");
inline constexpr Place tool_turns = since_2025_11_25("client/sampling#tool-use-and-result-balance");
inline constexpr Place tool_tasks = {"", "", "", "basic/utilities/tasks#tool-level-negotiation", ""};
inline constexpr Place tool_changes = everywhere("server/tools#list-changed-notification");
inline constexpr Place resource_changes = everywhere("server/resources#list-changed-notification");
inline constexpr Place prompt_changes = everywhere("server/prompts#list-changed-notification");
inline constexpr Place practice = everywhere("server/tools#security-considerations");
inline constexpr Place roots = legacy("client/roots#capabilities");
inline constexpr Place roots_data = legacy("client/roots#root");
inline constexpr Place sampling = legacy("client/sampling#capabilities");
inline constexpr Place sampling_messages = legacy("client/sampling#creating-messages");
inline constexpr Place elicitation = {"", "", "client/elicitation#capabilities", "client/elicitation#capabilities", ""};
inline constexpr Place elicitation_actions = {"", "", "client/elicitation#response-actions",
                                              "client/elicitation#response-actions", ""};
inline constexpr Place roots_security = everywhere("client/roots#security-considerations");
inline constexpr Place elicitation_modes = {"", "", "", "client/elicitation#error-handling", ""};
inline constexpr Place sampling_errors = {"", "", "", "client/sampling#error-handling", ""};
inline constexpr Place stale_headers = modern("basic/transports/streamable-http#client-behavior");
inline constexpr Place client_mrtr = modern("basic/patterns/mrtr#client-requirements-basic-workflow");
inline constexpr Place opaque_cursors = everywhere("server/utilities/pagination#implementation-guidelines");
inline constexpr Place stdio_sending = modern("basic/transports/stdio#sending-messages");
inline constexpr Place single_messages = {"", "", "basic/transports#sending-messages-to-the-server",
                                          "basic/transports#sending-messages-to-the-server",
                                          "basic/transports/streamable-http#sending-messages"};
inline constexpr Place standard_headers = modern("basic/transports/streamable-http#standard-request-headers");
inline constexpr Place parameter_headers =
    modern("basic/transports/streamable-http#custom-headers-from-tool-parameters");
inline constexpr Place late_responses =
    legacy("basic/utilities/cancellation#behavior-requirements", "basic/patterns/cancellation#behavior-requirements");
inline constexpr Place polling = {"", "", "", "basic/transports#sending-messages-to-the-server", ""};

}  // namespace place
}  // namespace tenon::check
