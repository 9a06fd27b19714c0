#include <tenon/transport/stdio.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "io/output.hpp"
#include "io/standard_streams.hpp"
#include "io/wake_pipe.hpp"
#include "io/worker_pool.hpp"
#include "runtime/server_impl.hpp"
#include "transport/last_resort.hpp"
#include "transport/log_to_stderr.hpp"

namespace tenon {
namespace {

using std::chrono::milliseconds;

// Writes the session's output to the pipe. Any thread may flush. Usually the thread that produced the output does; the
// loop writes the rest later when the pipe is full.
class Outlet {
 public:
    Outlet(int fd, std::size_t max_queued) : output_(fd), max_queued_(max_queued) {}

    enum class State { done, waiting, closed };
    State flush(Session& session) {
        const std::lock_guard lock(mutex_);
        for (;;) {
            if (closed_) return State::closed;
            if (sent_ == pending_.size()) {
                pending_ = session.take_output();
                sent_ = 0;
                if (pending_.empty()) return State::done;
            }
            const auto written = output_.write(std::string_view(pending_).substr(sent_));
            sent_ += written.bytes;
            if (written.status == io::Output::Status::closed) closed_ = true;
            if (written.status == io::Output::Status::would_block) return State::waiting;
        }
    }
    /// Returns whether reading input should pause, because the client does not read the output fast enough.
    bool full(const Session& session) const {
        const std::lock_guard lock(mutex_);
        return pending_.size() - sent_ + session.queued_output() > max_queued_;
    }
    int fd() const { return output_.fd(); }

 private:
    mutable std::mutex mutex_;  // guards all members, and keeps the bytes on the pipe in order
    io::Output output_;
    std::size_t max_queued_;
    std::string pending_;
    std::size_t sent_ = 0;
    bool closed_ = false;
};

class StdioLoop {
 public:
    StdioLoop(Server& server, int input, int output)
        : server_(server),
          limits_(server.limits()),
          input_(input),
          outlet_(output, std::min(limits_.max_queued_output_bytes, server.impl()->budget()->total() / 4)),
          pool_(limits_.max_workers),
          session_(server, {.post = pool_.poster(), .wake = [this] { on_wake(); }, .only_peer = true}) {}

    const io::WakePipe& wake_pipe() const { return wake_; }

    /// Serves until the end. Returns whether every handler has ended.
    bool run(const io::Signals* signals) {
        while (state_ != State::over) try_turn(signals);
        session_.shut_down("the connection has ended");  // also stops tasks, before the pool waits for their handlers
        return pool_.stop(end_.value_or(later(Clock::now(), limits_.drain_time)) - Clock::now());
    }

 private:
    enum class State { serving, draining, flushing, over };

    // No exception should get here. If one does, it is logged, and the loop continues. It ends only after 100 failed
    // turns in a row.
    void try_turn(const io::Signals* signals) {
        constexpr int max_failures = 100;
        try {
            turn(signals);
            failures_ = 0;
        } catch (...) {
            const auto note = [this](LogLevel level, std::string_view text) { server_.impl()->note(level, text); };
            log_current_exception(note, "an exception while serving stdio");
            if (++failures_ == max_failures) state_ = State::over;
        }
    }

    // Called after every change of the session: from the loop's thread, from workers and from the user's threads. Not
    // called after the session has ended.
    void on_wake() {
        if (std::this_thread::get_id() == thread_) return;  // the loop flushes itself
        const bool all_sent = outlet_.flush(session_) == Outlet::State::done;
        const auto next = session_.next_deadline();
        if (!all_sent || needs_wake_.load() || (next && *next < waits_until_.load())) wake_.wake();
    }

    void turn(const io::Signals* signals) {
        const auto sent = outlet_.flush(session_);
        if (sent == Outlet::State::closed) return reader_is_gone();
        if (signals && signals->received() != 0 && state_ == State::serving) drain("the server was asked to stop");
        if (state_ == State::draining && session_.idle()) state_ = State::flushing;
        if (state_ == State::flushing && outlet_.flush(session_) == Outlet::State::done) state_ = State::over;
        if (state_ == State::over) return;

        // Set before full() is checked: a worker that makes room after that check then wakes the loop.
        needs_wake_.store(true);
        const bool reading = state_ == State::serving && !outlet_.full(session_);
        if (reading) needs_wake_.store(false);
        wait(reading, sent == Outlet::State::waiting);
        session_.tick();
        batch_.hand_over();
        if (const auto limit = deadline(); limit && Clock::now() >= *limit) give_up();
    }

    void wait(bool reading, bool writing) {
        std::array<pollfd, 3> fds = {pollfd{wake_.fd(), POLLIN, 0}, pollfd{reading ? input_ : -1, POLLIN, 0},
                                     pollfd{writing ? outlet_.fd() : -1, POLLOUT, 0}};
        if (::poll(fds.data(), fds.size(), timeout()) < 0) return;  // EINTR: the next turn polls again
        if (fds[0].revents != 0) wake_.clear();
        if (fds[1].revents != 0) read();
    }

    void read() {
        const ssize_t n = ::read(input_, buffer_.data(), buffer_.size());
        if (n > 0) return session_.feed(std::string_view(buffer_.data(), static_cast<std::size_t>(n)));
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
        drain("the input ended and the request took too long");
    }

    // Stops reading and lets running calls finish. Calls that do not finish in time get the error `why`.
    void drain(const char* why) {
        session_.end_of_input();
        state_ = State::draining;
        why_given_up_ = why;
        end_ = later(Clock::now(), limits_.drain_time);
    }

    // Running calls get three quarters of drain_time. In the last quarter, the client reads the errors and handlers
    // return.
    std::optional<TimePoint> deadline() const {
        if (!end_ || state_ != State::draining) return end_;
        return *end_ - limits_.drain_time / 4;
    }

    void give_up() {
        if (state_ == State::draining) {
            session_.shut_down(why_given_up_);
            state_ = State::flushing;
            return;
        }
        server_.impl()->note(LogLevel::warning, "the client did not read all answers before the end");
        state_ = State::over;
    }

    void reader_is_gone() {
        server_.impl()->note(LogLevel::warning, "the client closed the server's output; stopping");
        session_.shut_down("the client is gone");
        state_ = State::over;
    }

    int timeout() {
        waits_until_.store(TimePoint::max());  // from here on, every new deadline wakes the loop
        std::optional<TimePoint> next = session_.next_deadline();
        if (const auto limit = deadline(); limit && (!next || *limit < *next)) next = limit;
        if (!next) return -1;
        waits_until_.store(*next);
        const auto left = std::chrono::ceil<milliseconds>(*next - Clock::now()).count();
        return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
    }

    Server& server_;
    const Limits limits_;
    const int input_;
    const std::thread::id thread_ = std::this_thread::get_id();
    State state_ = State::serving;
    int failures_ = 0;              // turns in a row that threw
    std::optional<TimePoint> end_;  // end of draining and flushing together
    const char* why_given_up_ = "";
    std::atomic<bool> needs_wake_{false};  // the loop waits for handlers to finish, or for room in the output
    std::atomic<TimePoint> waits_until_{TimePoint::max()};
    std::array<char, 64 * 1024> buffer_;
    io::WakePipe wake_;
    Outlet outlet_;
    io::WorkerPool pool_;
    io::WorkBatch batch_{pool_};  // the calls of one read(), handed to the pool at the end of the turn
    Session session_;  // the last member, so it is destroyed first: it stops running calls, which use the others
};

}  // namespace

int serve_stdio(Server& server, const StdioOptions& options) {
    std::optional<io::StandardStreams> streams;
    try {
        server.impl()->check_extensions();
        if (options.protect_streams && options.input == 0 && options.output == 1) streams.emplace();
    } catch (const std::runtime_error& e) {
        server.impl()->default_log(log_to_stderr());
        server.impl()->note(LogLevel::error, std::string("cannot serve: ") + e.what());
        return 1;
    }
    server.impl()->default_log(log_to_stderr());
    auto loop = std::make_unique<StdioLoop>(server, streams ? streams->input() : options.input,
                                            streams ? streams->output() : options.output);
    std::optional<io::Signals> signals;
    if (options.handle_signals) signals.emplace(loop->wake_pipe());
    if (!loop->run(signals ? &*signals : nullptr)) {
        // The handler's thread cannot be stopped, and must not outlive the objects that it uses: so the process exits.
        server.impl()->note(LogLevel::error,
                            "a handler ignores its stop token; exiting the process without waiting for it");
        std::_Exit(0);
    }
    return 0;
}

}  // namespace tenon
