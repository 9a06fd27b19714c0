// A server as a child process, spoken to in lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/bench.hpp>

#include "io/child_process.hpp"
#include "load/line_buffer.hpp"
#include "load/prepared_call.hpp"

namespace tenon::load {

/// For one thread.
class Child {
 public:
    explicit Child(std::size_t max_message_bytes) : lines_(max_message_bytes) {}
    ~Child();  ///< ends its input, and it if that does not help
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    Result<void> start(const bench::Target& target);
    /// The handshake, or where the revision has none, the question who it is: the first answer. Gives the revision.
    Result<std::string> introduce(const protocol::Rules& rules, TimePoint deadline);

    /// Leaves with the next pump().
    void say(std::string_view message) { (unsent_ += message) += '\n'; }
    /// So much has been said that more would only wait here.
    bool is_full() const { return unsent_.size() >= most_unsent; }
    /// Sends and receives what can be, waiting no longer than until then; calls `use(line)` for each line.
    template <class Use>
    Result<void> pump(TimePoint until, Use&& use);

    int pid() const { return child_ ? child_->pid() : 0; }

 private:
    static constexpr std::size_t most_unsent = 64 * 1024;  // as much as a pipe takes

    Result<bool> wait(TimePoint until);  // whether there is something to read
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
    if (!lines_.take(*bytes, use)) return Error{code::invalid_answer, "an answer is longer than the limit"};
    return {};
}

}  // namespace tenon::load
