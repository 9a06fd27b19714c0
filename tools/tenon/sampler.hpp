// The user's command that stands in for a model.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include <tenon/protocol/sampling.hpp>

namespace tenon::program {

/// The request as the protocol writes it.
json::object sample_request_json(const SampleRequest& request);

/// Runs the command with the request on its input; its output is the answer. No shell. Throws std::runtime_error when
/// it fails; a stop ends it.
SampleResult sample_by_command(const std::vector<std::string>& command, const SampleRequest& request,
                               const std::stop_token& stop);

}  // namespace tenon::program
