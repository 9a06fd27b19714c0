// Writes a call as text that a user can paste elsewhere: a command line, C++ or curl. Secrets are masked. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tenon/inspect.hpp>

namespace tenon::inspect {

/// A request of the client.
struct CopiedCall {
    Target target = {};
    std::string method = {};  ///< "tools/call"
    json::object params = {};
    std::string revision = {};  ///< of the connection
    bool modern = false;
    /// Quotes words so that a shell splits the line into the same words.
    std::function<std::string(const std::vector<std::string>&)> shell_line = {};
};

/// Writes `tenon call ...`, `tenon read ...` or `tenon prompt ...`. Empty for other methods.
std::string as_command(const CopiedCall& call);
/// Writes a whole C++ program.
std::string as_cpp(const CopiedCall& call);
/// Writes a curl command. The target must have a URL. A server with sessions (legacy) needs `initialize` first: the
/// text says so in a comment.
std::string as_curl(const CopiedCall& call);

/// Writes text as a C++ string literal.
std::string cpp_literal(std::string_view text);

}  // namespace tenon::inspect
