// Runs a server as a child process and talks to it over stdin and stdout.
//
//     tenon::Client client(tenon::process({.command = {"npx", "-y", "some-server"},
//                                          .environment = {{"TOKEN", "..."}}}));
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/client_transport.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// What to do with the child's stderr. Output on stderr is not an error.
enum class ChildStderr {
    capture,  ///< keep the last part, for ProcessTransport::stderr_tail()
    forward,  ///< write it to the stderr of this process
    ignore,
};

/// Options of ProcessTransport and process().
struct ProcessOptions {
    std::vector<std::string> command = {};  ///< the program, searched in PATH, and its arguments; no shell is used
    std::string directory = {};             ///< working directory; empty: that of this process
    std::map<std::string, std::string> environment = {};  ///< added to the inherited variables
    /// The only variables that the child inherits. Other variables of this process may be secrets.
    std::vector<std::string> inherit = {"HOME",  "LANG", "LC_ALL", "LOGNAME", "PATH",
                                        "SHELL", "TERM", "TMPDIR", "TZ",      "USER"};
    ChildStderr stderr_to = ChildStderr::capture;
    std::size_t max_stderr_bytes = 64 * 1024;  ///< size of the part that `capture` keeps
    /// Receives each line of stderr; stderr is then captured and not forwarded. Runs on the transport's thread: it must
    /// be quick and must not call the client. Empty: not used.
    std::function<void(std::string_view)> on_stderr = {};
    Duration exit_time = std::chrono::seconds(2);  ///< from closing the child's stdin to SIGTERM
    Duration term_time = std::chrono::seconds(2);  ///< from SIGTERM to SIGKILL
};

/// Owns the child process and its process group. When the child ends, the rest of its group is killed. When this
/// process dies, the child is killed. Lines on the child's stdout that are not messages are logged and ignored.
/// Thread-safe.
class ProcessTransport final : public ClientTransport {
 public:
    explicit ProcessTransport(ProcessOptions options);
    ~ProcessTransport() override;  ///< closes at once, without waiting for the child to end itself

    void start(Events events, Bounds bounds) override;
    Result<void> send(OutgoingMessage message) override;
    bool reopen(Duration wait) override;
    bool sends_mirrored() const override { return false; }
    void close(TimePoint deadline) override;

    /// Returns the child's process id, or 0 when no child runs.
    int pid() const;
    /// Returns the last part of the child's stderr, at most max_stderr_bytes.
    std::string stderr_tail() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Makes the transport. The child starts when a Client uses the transport.
std::shared_ptr<ProcessTransport> process(ProcessOptions options);

}  // namespace tenon

#pragma GCC visibility pop
