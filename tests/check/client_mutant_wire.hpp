// The transports of the small client: a process that it starts, or HTTP. Plain sockets and pipes, one thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenon::mutant {

using Fields = std::vector<std::pair<std::string, std::string>>;

class Wire {
 public:
    virtual ~Wire() = default;
    /// Sends one message. Over HTTP, `answered` says whether an answer is expected.
    virtual void send(const std::string& text, bool answered, const Fields& fields) = 0;
    /// Returns the next message, or nothing when the server has gone or no message is expected.
    virtual std::optional<std::string> receive() = 0;
    virtual void raw(const std::string& bytes) = 0;  ///< stdio: sends bytes without a newline
    virtual void close() = 0;                        ///< stdio: closes the input and waits for the exit
    virtual void kill() = 0;                         ///< stdio: kills the server
    virtual void listen(const Fields& fields) = 0;   ///< HTTP: opens the GET stream
    virtual void end_session(const Fields& fields) = 0;
    virtual bool is_http() const = 0;
    /// HTTP: returns the session id of the last response.
    virtual std::string session() const { return {}; }
    virtual bool lost_session() { return false; }
    virtual bool refused_get() const { return false; }
    virtual bool saw_stream() const { return false; }
    bool resumes = true, waits_for_retry = true;
    Fields resume_fields = {};
};

std::unique_ptr<Wire> start(const std::string& program);
std::unique_ptr<Wire> reach(const std::string& url);

}  // namespace tenon::mutant
