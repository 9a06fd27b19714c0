// A server that is started, and spoken to by its standard streams: any bytes out, lines in. For one thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "check/transcript.hpp"
#include "io/child_process.hpp"

namespace tenon::check {

class ProcessWire {
 public:
    /// Throws std::system_error when it cannot be started.
    ProcessWire(const Target& target, Transcript& transcript);

    /// Queues the bytes; next() writes them.
    void send(std::string_view bytes);
    /// A write of its own; waits a while until it was read, so that the server reads no two at once.
    void send_now(std::string_view bytes);
    void end_input();

    enum class Event {
        line,  ///< line() has the next line of its stdout, without "\n"
        end,   ///< it has ended, or closed its stdout; line() has what came without "\n"
        late,  ///< nothing of that by then
    };
    Event next(TimePoint until);
    const std::string& line() const { return line_; }

    bool ended() const { return ended_; }
    /// "exited with status 1". Empty while it runs.
    const std::string& how() const { return how_; }
    bool exited_with_0() const { return status_ == 0; }
    /// Waits for its end; false when it still runs by then.
    bool wait_for_end(TimePoint until);

 private:
    bool take_line();
    void turn(TimePoint until);
    void write_some();
    void read_output();
    void read_errors();
    void reap();

    Transcript& transcript_;
    io::ChildProcess child_;
    std::string sending_, received_, line_, errors_, how_;
    std::size_t searched_ = 0;  // of received_: has no newline
    bool end_input_ = false, ended_ = false;
    std::optional<int> status_;
    std::array<char, 64 * 1024> buffer_;
};

}  // namespace tenon::check
