// Runs one child process from its start to its end, and moves bytes between its pipes and the transport.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include <tenon/transport/process.hpp>

#include "framing/line_framer.hpp"
#include "io/child_process.hpp"
#include "io/wake_pipe.hpp"
#include "transport/message_lines.hpp"

namespace tenon {

/// Data that the transport's thread shares with the threads that call the transport.
struct ProcessShared {
    io::WakePipe wake;
    mutable std::mutex mutex;  // guards the members below
    std::string to_send;
    std::optional<TimePoint> close_by;  // set when close() was called
    int pid = 0;
    std::string stderr_tail;
};

/// Returns the command to start. Reads the inherited variables from the environment of this process.
io::ChildCommand child_command(const ProcessOptions& options);

/// The loop for one child. Not thread-safe: construct and run it on the transport's thread.
class ProcessLoop {
 public:
    ProcessLoop(const ProcessOptions& options, const ClientTransport::Events& events, ClientTransport::Bounds bounds,
                ProcessShared& shared);

    /// Runs until the child and its whole process group have ended. Returns the reason.
    Error run();

 private:
    enum class Stage { talking, finishing, closing, terminating };

    void turn();
    int wait_time();
    void write_some();
    void read_output();
    void read_errors();
    void take_errors(std::string_view bytes);
    Error exit_error(int status) const;

    // child_shutdown.cpp
    void advance();
    bool has_unsent();
    void step(Stage stage, Duration time);
    Duration share_of_time() const;

    const ProcessOptions& options_;
    const ClientTransport::Events& events_;
    ProcessShared& shared_;
    io::ChildProcess child_;
    MessageLines messages_;
    framing::LineFramer error_lines_;
    Stage stage_ = Stage::talking;
    std::optional<TimePoint> until_;  // end of the current stage
    std::optional<TimePoint> close_by_;
    bool may_have_ended_ = false;
    bool over_ = false;
    std::string sending_;
    std::size_t sent_ = 0;
    std::array<char, 64 * 1024> buffer_;
};

}  // namespace tenon
