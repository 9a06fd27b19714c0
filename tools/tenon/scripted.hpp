// Answers forms of a server from the command line: --answer KEY=VALUE.
#pragma once

#include <string>
#include <vector>

#include <tenon/protocol/elicitation.hpp>

namespace tenon::program {

/// Fills in the form with the answers that belong to it. The values get the types of the form. Throws Failure when an
/// answer does not fit, or when a required field has no answer.
ElicitResult scripted_answer(const std::vector<std::string>& answers, const ElicitRequest& request);

}  // namespace tenon::program
