// Readers of a client's messages, for a server: its introduction, and its answers to questions.
#pragma once

#include <string>
#include <vector>

#include <tenon/json.hpp>
#include <tenon/log.hpp>
#include <tenon/protocol/common.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::protocol {

/// The capabilities that a client declared.
struct ClientCapabilities {
    bool roots = false;
    bool sampling = false;
    bool sampling_tools = false;
    bool elicitation_form = false;
    bool elicitation_url = false;
    json::object raw = {};

    bool has_extension(std::string_view name) const;
};

struct InitializeParams {
    std::string protocolVersion;
    ClientCapabilities capabilities;
    Implementation clientInfo;
};

Result<InitializeParams> read_initialize(const json::object& params);

/// The description of the sender in the `_meta` of a modern request (2026-07-28).
struct RequestMeta {
    std::string protocolVersion;
    ClientCapabilities capabilities;
    Implementation clientInfo;
    std::optional<LogLevel> logLevel;
};

/// Returns whether the `_meta` of the parameters names a revision or the client's capabilities.
bool has_request_meta(const json::object& params);
Result<RequestMeta> read_request_meta(const json::object& params);
/// Reads only the revision.
Result<std::string> read_request_version(const json::object& params);
ClientCapabilities read_capabilities(const json::object& capabilities);
Result<std::vector<Root>> read_roots(const json::value& result);
Result<ElicitResult> read_elicit_result(const json::value& result);
Result<SampleResult> read_sample_result(const json::value& result);

}  // namespace tenon::protocol

#pragma GCC visibility pop
