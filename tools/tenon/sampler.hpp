// Runs a command of the user in place of a model.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include <tenon/protocol/sampling.hpp>

namespace tenon::program {

/// Returns the request as JSON, as in the protocol.
json::object sample_request_json(const SampleRequest& request);

/// Runs the command, without a shell. Writes the request to its input and returns its output as the answer. Throws
/// std::runtime_error when the command fails. A stop request ends the command.
SampleResult sample_by_command(const std::vector<std::string>& command, const SampleRequest& request,
                               const std::stop_token& stop);

}  // namespace tenon::program
