// Runs a server as a child process and exchanges lines with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/bench.hpp>

#include "io/child_process.hpp"
#include "load/line_buffer.hpp"
#include "load/prepared_call.hpp"
#include "load/trace.hpp"

namespace tenon::load {

/// One child process. Use it from one thread only.
class Child {
 public:
    explicit Child(std::size_t max_message_bytes) : lines_(max_message_bytes) {}
    ~Child();  ///< closes the child's stdin, and kills the child if it does not exit
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    Result<void> start(const bench::Target& target);
    /// Sends initialize, or server/discover in 2026-07-28, and waits for the response. Returns the revision.
    Result<std::string> introduce(const protocol::Rules& rules, TimePoint deadline);

    /// Queues a line. The next pump() sends it.
    void say(std::string_view message) {
        wire().sent(message);
        (unsent_ += message) += '\n';
    }
    /// Returns whether the output queue is full.
    bool is_full() const { return unsent_.size() >= most_unsent; }
    /// Sends the queued lines, waits for input until the deadline at most, and calls `use(line)` for each line
    /// received.
    template <class Use>
    Result<void> pump(TimePoint until, Use&& use);

    int pid() const { return child_ ? child_->pid() : 0; }

 private:
    static constexpr std::size_t most_unsent = 64 * 1024;  // the size of a pipe

    Result<bool> wait(TimePoint until);  // returns whether there is input
    Result<void> send();
    Result<std::size_t> receive();  // into lines_
    Error gone() const;

    std::optional<io::ChildProcess> child_;
    LineBuffer lines_;
    std::string unsent_;
};

template <class Use>
Result<void> Child::pump(TimePoint until, Use&& use) {
    if (auto sent = send(); !sent) return sent;
    const auto readable = wait(until);
    if (!readable) return readable.error();
    if (!*readable) return {};
    const auto bytes = receive();
    if (!bytes) return bytes.error();
    const auto show_and_use = [&use](std::string_view line) {
        wire().received(line);
        use(line);
    };
    if (!lines_.take(*bytes, show_and_use)) return Error{code::invalid_answer, "an answer is longer than the limit"};
    return {};
}

}  // namespace tenon::load
