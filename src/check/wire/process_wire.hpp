// ProcessWire: starts a server and exchanges any bytes with it over stdio. Use it from one thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "check/wire/transcript.hpp"
#include "io/child_process.hpp"

namespace tenon::check {

class ProcessWire {
 public:
    /// Throws std::system_error when the server cannot be started.
    ProcessWire(const Target& target, Transcript& transcript);
    ProcessWire(const ProcessWire&) = delete;
    ProcessWire& operator=(const ProcessWire&) = delete;

    /// Queues the bytes. next() writes them.
    void send(std::string_view bytes);
    /// Writes the bytes in a write() of their own, and waits for a while until the server has read them.
    void send_now(std::string_view bytes);
    void end_input();

    enum class Event {
        line,  ///< line() has the next line of its stdout, without "\n"
        end,   ///< the server has exited or closed its stdout; line() has the rest without "\n"
        late,  ///< the deadline passed
    };
    Event next(TimePoint until);
    const std::string& line() const { return line_; }

    bool ended() const { return ended_; }
    /// Returns how the server ended, such as "exited with status 1"; empty while it runs.
    const std::string& how() const { return how_; }
    bool exited_with_0() const { return status_ == 0; }
    /// Waits until the server exits. Returns false when it still runs at the deadline.
    bool wait_for_end(TimePoint until);
    /// Ends the server: closes its stdin and waits; then sends SIGTERM and waits; then kills it. Returns whether it
    /// exited at the end of its input. Not in the transcript: it belongs to no check.
    bool stop(Duration patience);

 private:
    bool take_line();
    void turn(TimePoint until);
    void write_some();
    void read_output();
    void read_errors();
    void reap();
    bool has_unsent() const { return written_ < sending_.size(); }
    void forget_unsent() {
        sending_.clear();
        written_ = 0;
    }

    Transcript& transcript_;
    io::ChildProcess child_;
    std::string sending_, received_, line_, errors_, how_;
    std::size_t written_ = 0;   // bytes of sending_ that the server has got
    std::size_t searched_ = 0;  // bytes of received_ without a newline
    bool end_input_ = false, ended_ = false, stopping_ = false;
    std::optional<int> status_;
    std::array<char, 64 * 1024> buffer_;
};

}  // namespace tenon::check
