// One child from its start to its end: a loop that moves bytes, on one thread.
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

/// What the transport's owner and its thread share.
struct ProcessShared {
    io::WakePipe wake;
    mutable std::mutex mutex;  // guards what follows
    std::string to_send;
    std::optional<TimePoint> close_by;  // close() was called
    int pid = 0;
    std::string stderr_tail;
};

/// What is started: the variables that are inherited are those of this process.
io::ChildCommand child_command(const ProcessOptions& options);

class ProcessLoop {
 public:
    ProcessLoop(const ProcessOptions& options, const ClientTransport::Events& events, ClientTransport::Bounds bounds,
                ProcessShared& shared);

    /// Runs until the child is gone, with all of its group; says why.
    Error run();

 private:
    enum class Stage { talking, finishing, closing, terminating };

    void turn();
    int wait_time();
    void advance();
    bool has_unsent();
    void step(Stage stage, Duration time);
    Duration share_of_time() const;
    void write_some();
    void read_output();
    void read_errors();
    void take_errors(std::string_view bytes);
    Error last_words(int status) const;

    const ProcessOptions& options_;
    const ClientTransport::Events& events_;
    ProcessShared& shared_;
    io::ChildProcess child_;
    MessageLines messages_;
    framing::LineFramer error_lines_;
    Stage stage_ = Stage::talking;
    std::optional<TimePoint> until_;  // of the stage
    std::optional<TimePoint> close_by_;
    bool may_have_ended_ = false;
    bool over_ = false;
    std::string sending_;
    std::size_t sent_ = 0;
    std::array<char, 64 * 1024> buffer_;
};

}  // namespace tenon
