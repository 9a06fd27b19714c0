// A server as a child process, spoken to by its standard streams.
//
//     tenon::Client client(tenon::process({.command = {"npx", "-y", "some-server"}, .environment = {{"TOKEN",
//     "..."}}}));
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/client_transport.hpp>

namespace tenon {

/// What becomes of the child's stderr. It is not a sign of failure.
enum class ChildStderr {
    capture,  ///< the last of it is kept: ProcessTransport::stderr_tail()
    forward,  ///< to this process's stderr
    ignore,
};

struct ProcessOptions {
    std::vector<std::string> command = {};                ///< the program, found by PATH, and its arguments; no shell
    std::string directory = {};                           ///< to start in; this process's when empty
    std::map<std::string, std::string> environment = {};  ///< on top of what it inherits
    /// The only variables that it inherits; secrets of this process are not the server's business.
    std::vector<std::string> inherit = {"HOME",  "LANG", "LC_ALL", "LOGNAME", "PATH",
                                        "SHELL", "TERM", "TMPDIR", "TZ",      "USER"};
    ChildStderr stderr_to = ChildStderr::capture;
    std::size_t max_stderr_bytes = 64 * 1024;  ///< that are kept
    /// Gets each line of stderr, which is not forwarded then. From the transport's thread: it must be quick, and must
    /// not call the client.
    std::function<void(std::string_view)> on_stderr = {};
    Duration exit_time = std::chrono::seconds(2);  ///< for the child to end after its input ended; then SIGTERM
    Duration term_time = std::chrono::seconds(2);  ///< for it to end after SIGTERM; then SIGKILL
};

/// The child has a process group of its own, and all of that is ended with it. It is killed when this process dies.
/// Lines of its stdout that are no messages are reported and otherwise ignored. Every function is thread-safe.
class ProcessTransport final : public ClientTransport {
 public:
    explicit ProcessTransport(ProcessOptions options);
    ~ProcessTransport() override;  ///< close() without patience

    void start(Events events, Bounds bounds) override;
    Result<void> send(OutgoingMessage message) override;
    bool reopen() override;
    void close(TimePoint deadline) override;

    /// The child's process id; 0 while there is none.
    int pid() const;
    std::string stderr_tail() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

std::shared_ptr<ProcessTransport> process(ProcessOptions options);

}  // namespace tenon
