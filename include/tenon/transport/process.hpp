// Runs a server as a child process and talks to it over stdin and stdout.
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

/// What to do with the child's stderr. Output there does not mean failure.
enum class ChildStderr {
    capture,  ///< keep the last part: ProcessTransport::stderr_tail()
    forward,  ///< to this process's stderr
    ignore,
};

struct ProcessOptions {
    std::vector<std::string> command = {};  ///< the program, searched in PATH, and its arguments; no shell
    std::string directory = {};             ///< working directory; this process's when empty
    std::map<std::string, std::string> environment = {};  ///< added to the inherited variables
    /// The only variables that the child inherits, so that secrets of this process do not reach it.
    std::vector<std::string> inherit = {"HOME",  "LANG", "LC_ALL", "LOGNAME", "PATH",
                                        "SHELL", "TERM", "TMPDIR", "TZ",      "USER"};
    ChildStderr stderr_to = ChildStderr::capture;
    std::size_t max_stderr_bytes = 64 * 1024;  ///< kept by `capture`
    /// Receives each line of stderr, which is then not forwarded. Runs on the transport's thread: it must be quick and
    /// must not call the client.
    std::function<void(std::string_view)> on_stderr = {};
    Duration exit_time = std::chrono::seconds(2);  ///< from closing its stdin to SIGTERM
    Duration term_time = std::chrono::seconds(2);  ///< from SIGTERM to SIGKILL
};

/// Owns the child process and its process group, which ends with it. The child is killed when this process dies. Lines
/// on its stdout that are not messages are logged and ignored. Thread-safe.
class ProcessTransport final : public ClientTransport {
 public:
    explicit ProcessTransport(ProcessOptions options);
    ~ProcessTransport() override;  ///< close() without patience

    void start(Events events, Bounds bounds) override;
    Result<void> send(OutgoingMessage message) override;
    bool reopen() override;
    void close(TimePoint deadline) override;

    /// Returns the child's process id, or 0 when no child runs.
    int pid() const;
    std::string stderr_tail() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

std::shared_ptr<ProcessTransport> process(ProcessOptions options);

}  // namespace tenon
