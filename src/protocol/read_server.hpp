// Readers of a server's messages, for a client: introduction, lists, results, questions and notifications.
// Known members must have the right type, or the error names their path. Unknown members are ignored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/notifications.hpp>
#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/sampling.hpp>
#include <tenon/protocol/server_info.hpp>
#include <tenon/protocol/tools.hpp>

namespace tenon::protocol {

Result<Page<Tool>> read_tools(const json::value& result);
Result<Page<Resource>> read_resources(const json::value& result);
Result<Page<ResourceTemplate>> read_resource_templates(const json::value& result);
Result<Page<Prompt>> read_prompts(const json::value& result);

Result<ToolResult> read_tool_result(const json::value& result);
Result<ReadResult> read_read_result(const json::value& result);
Result<PromptResult> read_prompt_result(const json::value& result);
Result<Completion> read_completion(const json::value& result);

/// Read the results of `initialize` and `server/discover`.
Result<ServerInfo> read_introduction(const json::value& result);
Result<ServerInfo> read_discovery(const json::value& result);
ServerCapabilities read_server_capabilities(const json::object& capabilities);

/// Reads how long a result may be cached: `ttlMs`, `cacheScope`.
CacheHints read_cache_hints(const json::object& result);

// Read the parameters of questions. Return the error -32602 when they are invalid.
Result<ElicitRequest> read_elicit_request(const json::object& params);
Result<ElicitUrlRequest> read_elicit_url_request(const json::object& params);
bool asks_for_page(const json::object& params);
Result<SampleRequest> read_sample_request(const json::object& params);

Result<LogMessage> read_log_message(const json::object& params);
Result<Progress> read_progress(const json::object& params);

}  // namespace tenon::protocol
