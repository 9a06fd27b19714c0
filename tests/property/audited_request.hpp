// Tells the audit records of requests from those of tasks and questions.
#pragma once

#include <string_view>

namespace tenon::test {

/// Returns whether an audit record is of a request that the server received: not of the end of a task, and not of a
/// question to the client. Quotes in the texts of a record are escaped, so no text can look like these members.
inline bool is_of_received_request(std::string_view line) {
    return line.find(R"("side":"server")") != line.npos && line.find(R"("kind":"task")") == line.npos;
}

}  // namespace tenon::test
