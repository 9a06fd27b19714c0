#include <tenon/transport/stdio.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "io/output.hpp"
#include "io/reader_pair.hpp"
#include "io/standard_streams.hpp"
#include "io/stoppable_wait.hpp"
#include "io/wake_pipe.hpp"
#include "io/worker_pool.hpp"
#include "runtime/session_impl.hpp"
#include "transport/last_resort.hpp"
#include "transport/log_to_stderr.hpp"

namespace tenon {
namespace {

using std::chrono::milliseconds;

// Queues the session's messages, and writes them to the pipe. Any thread may flush. Usually the thread that produced
// the output does; the loop writes the rest later when the pipe is full.
class StdioOutlet final : public SessionOutlet {
 public:
    StdioOutlet(int fd, const Limits& limits, const base::MemoryAccountPtr& account, std::size_t budget)
        : output_(fd),
          max_queued_(limits.max_queued_output_bytes),
          max_while_reading_(std::min(max_queued_, budget / 4)),
          charge_(account) {}

    void deliver(core::Action&& action) override {
        auto* const send = std::get_if<core::Send>(&action);
        if (!send) return;  // there is one stream for all messages
        std::string line = std::move(send->message.json);
        line += '\n';
        const std::lock_guard lock(queue_mutex_);
        queue_.empty() ? queue_ = std::move(line) : queue_ += line;
        charge_.cover(queue_.size());  // after a refusal handlers wait
    }
    void wait_for_reader(core::ReplyTo, base::LateStop& stop) override { wait_before_call(stop); }
    void wait_before_call(base::LateStop& stop) override {
        io::wait_or_stop(queue_mutex_, room_, stop,
                         [this] { return queue_.size() <= max_queued_ && queue_.size() <= charge_.bytes(); });
    }

    enum class State { done, waiting, closed };
    State flush() {
        const std::lock_guard lock(write_mutex_);
        for (;;) {
            if (closed_) return State::closed;
            if (sent_ == pending_.size() && !take_queue()) return State::done;
            const auto written = output_.write(std::string_view(pending_).substr(sent_));
            sent_ += written.bytes;
            if (written.status == io::Output::Status::closed) closed_ = true;
            if (written.status == io::Output::Status::would_block) return State::waiting;
        }
    }
    /// Returns whether reading input should pause, because the client does not read the output fast enough.
    bool full() const {
        const std::lock_guard lock(write_mutex_);
        const std::lock_guard queue_lock(queue_mutex_);
        return pending_.size() - sent_ + queue_.size() > max_while_reading_;
    }
    std::size_t queued() const {
        const std::lock_guard lock(queue_mutex_);
        return queue_.size();
    }
    int fd() const { return output_.fd(); }

 private:
    bool take_queue() {
        constexpr std::size_t kept = 64 * 1024;  // of the charge, for the next output
        const std::lock_guard lock(queue_mutex_);
        room_.notify_all();
        charge_.keep_at_most(kept);
        pending_ = std::exchange(queue_, {});
        sent_ = 0;
        return !pending_.empty();
    }

    mutable std::mutex write_mutex_;  // guards the members up to closed_, and keeps the bytes on the pipe in order
    io::Output output_;
    std::string pending_;
    std::size_t sent_ = 0;
    bool closed_ = false;
    const std::size_t max_queued_, max_while_reading_;
    mutable std::mutex queue_mutex_;  // guards the members below; lock order: after write_mutex_
    std::condition_variable room_;
    std::string queue_;
    base::MemoryCharge charge_;
};

// Reads requests and starts their calls. Calls run on the thread that read them, while a second thread stands by to
// read on, and to give the calls that wait to the pool (io::ReaderPair). This is cheaper than waking a worker. Calls
// that are not quick go to the pool at once. Members without a comment belong to the thread that leads.
class StdioLoop {
 public:
    StdioLoop(Server& server, int input, int output)
        : server_(server),
          limits_(server.limits()),
          input_(input),
          account_(
              std::make_shared<base::MemoryAccount>(server.impl()->budget(), base::MemoryAccount::Kind::the_only_one)),
          outlet_(std::make_shared<StdioOutlet>(output, limits_, account_, server.impl()->budget()->total())),
          pool_(limits_.max_workers),
          session_(std::make_shared<Session::Impl>(
              server.impl(), SessionOptions{.post = pool_.poster(), .wake = [this] { on_wake(); }}, outlet_,
              account_)) {
        session_->join();
        if (const auto& metrics = server.impl()->metrics())
            in_metrics_ = metrics->watch([this](ServerState& state) { report(state); });
    }
    ~StdioLoop() {
        in_metrics_.reset();
        session_->close();
    }
    StdioLoop(const StdioLoop&) = delete;
    StdioLoop& operator=(const StdioLoop&) = delete;

    const io::WakePipe& wake_pipe() const { return wake_; }

    /// Serves until the end. `signals` may be null. Ends the process if a handler does not return.
    void run(const io::Signals* signals) {
        signals_ = signals;
        guarded([this] { serve(); });
        if (second_.joinable()) second_.join();
        if (failure_) std::rethrow_exception(failure_);
    }

 private:
    enum class State { serving, draining, flushing, over };
    static constexpr auto quick = std::chrono::microseconds(100);      // longer calls should run at the same time
    static constexpr auto time_here = std::chrono::microseconds(400);  // of calls in a row; the rest go to the pool
    static constexpr std::size_t calls_for_the_pool = 100;             // after calls that were not quick

    // Keeps an exception for the thread that called run(). The second thread must end before it is thrown.
    template <class Work>
    void guarded(Work work) noexcept {
        try {
            work();
        } catch (...) {
            failure_ = std::current_exception();
            pairing_.finish();
        }
    }

    // The work of both threads: leads, and stands by after it has lost the lead.
    void serve() {
        do {
            if (lead()) return conclude();
        } while (take_over());
    }

    // Waits until the leader runs a call that is not quick. Returns false at the end.
    bool take_over() {
        if (!pairing_.stand_by()) return false;
        for_the_pool_ = calls_for_the_pool;
        pool_.wake();  // for the calls that wait behind the one that is not quick
        return true;
    }

    // Returns true at the end, and false when the other thread has become the leader.
    bool lead() {
        io::WorkBatch batch{pool_};  // the calls of one read()
        loop_thread_.store(std::this_thread::get_id());
        while (state_ != State::over)
            if (!try_turn(batch)) return false;
        return true;
    }

    void conclude() {
        pairing_.finish();
        session_->shut_down("the connection has ended");  // also stops tasks, before the pool waits for their handlers
        if (pool_.stop(end_.value_or(later(Clock::now(), limits_.drain_time)) - Clock::now())) return;
        // The handler's thread cannot be stopped, and must not outlive the objects that it uses: so the process exits.
        server_.impl()->note(LogLevel::error,
                             "a handler ignores its stop token; exiting the process without waiting for it");
        server_.impl()->flush_audit();
        std::_Exit(0);
    }

    // Starts the calls of this turn. Returns false when the other thread has become the leader meanwhile.
    bool start_calls(io::WorkBatch& batch) {
        if (!may_run_here(batch)) {
            batch.hand_over();
            return true;
        }
        // A call that runs alone may send its messages at once. Those of several are sent together.
        if (batch.size() == 1) loop_thread_.store({});
        io::WorkerPool::Item first = batch.take_first();
        if (first && !run_here(batch, std::move(first))) return false;
        loop_thread_.store(std::this_thread::get_id());
        return true;
    }

    bool may_run_here(const io::WorkBatch& batch) {
        if (batch.empty() || state_ != State::serving) return false;
        if (for_the_pool_ > 0) {
            for_the_pool_ -= std::min(for_the_pool_, batch.size());
            return false;
        }
        if (!second_.joinable()) start_second();
        return pairing_.has_standby();
    }

    // Runs calls until all have run, or time_here is over. A call that blocks takes longer than that, so a thread that
    // has lost the lead takes no further call.
    bool run_here(io::WorkBatch& batch, io::WorkerPool::Item call) {
        const TimePoint begin = Clock::now();
        bool all_quick = true;
        const bool leads = pairing_.run([&] {
            for (TimePoint last = begin; call;) {
                batch.run(call);
                const TimePoint now = Clock::now();
                all_quick &= now - std::exchange(last, now) <= quick;
                call = batch.next(std::move(call), all_quick && now - begin <= time_here);
            }
        });
        if (!leads) return false;
        // Once may be an accident, for example because the machine is busy.
        slow_turns_ = all_quick ? 0 : slow_turns_ + 1;
        if (slow_turns_ > 1) for_the_pool_ = calls_for_the_pool;
        return true;
    }

    void start_second() noexcept {
        try {
            second_ = std::thread([this] {
                guarded([this] {
                    if (take_over()) serve();
                });
            });
        } catch (const std::exception&) {  // no memory, or too many threads: the pool has one at least
            for_the_pool_ = calls_for_the_pool;
        }
    }

    // Runs on another thread.
    void report(ServerState& state) const {
        const auto workers = pool_.usage();
        state.connections += 1;
        state.sessions += 1;
        state.queued_bytes += outlet_->queued();
        state.busy_workers += workers.busy;
        state.waiting_calls += workers.waiting;
        state.draining |= draining_.load();
    }

    // No exception should get here. If one does, it is logged, and the loop continues. It ends only after 100 failed
    // turns in a row. Returns false when the other thread has become the leader.
    bool try_turn(io::WorkBatch& batch) {
        constexpr int max_failures = 100;
        try {
            if (!turn(batch)) return false;
            failures_ = 0;
        } catch (...) {
            const auto note = [this](LogLevel level, std::string_view text) { server_.impl()->note(level, text); };
            log_current_exception(note, "an exception while serving stdio");
            if (++failures_ == max_failures) state_ = State::over;
            batch.hand_over();  // the turn did not come that far
        }
        return true;
    }

    // Called after every change of the session: from the loop's thread, from workers and from the user's threads. Not
    // called after the session has ended.
    void on_wake() {
        if (std::this_thread::get_id() == loop_thread_.load()) return;  // the loop flushes itself
        const bool all_sent = outlet_->flush() == StdioOutlet::State::done;
        const auto next = session_->next_deadline();
        if (!all_sent || session_->broken() || needs_wake_.load() || (next && *next < waits_until_.load()))
            wake_.wake();
    }

    bool turn(io::WorkBatch& batch) {
        const auto sent = outlet_->flush();
        if (sent == StdioOutlet::State::closed) return reader_is_gone(), true;
        if (signals_ && signals_->received() != 0 && state_ == State::serving) {
            drain("the server was asked to stop");
            tell_end(LogLevel::info, "the server was asked to stop");
        }
        if (session_->broken() && (state_ == State::serving || state_ == State::draining)) end_broken();
        if (state_ == State::draining && session_->idle()) state_ = State::flushing;
        if (state_ == State::flushing && outlet_->flush() == StdioOutlet::State::done) state_ = State::over;
        if (state_ == State::over) return true;

        // Set before full() is checked: a worker that makes room after that check then wakes the loop.
        needs_wake_.store(true);
        const bool reading = state_ == State::serving && !outlet_->full();
        if (reading) needs_wake_.store(false);
        wait(reading, sent == StdioOutlet::State::waiting);
        session_->tick();
        if (!start_calls(batch)) return false;
        if (const auto limit = deadline(); limit && Clock::now() >= *limit) give_up();
        return true;
    }

    void wait(bool reading, bool writing) {
        std::array<pollfd, 3> fds = {pollfd{wake_.fd(), POLLIN, 0}, pollfd{reading ? input_ : -1, POLLIN, 0},
                                     pollfd{writing ? outlet_->fd() : -1, POLLOUT, 0}};
        if (::poll(fds.data(), fds.size(), timeout()) < 0) return;  // EINTR: the next turn polls again
        if (fds[0].revents != 0) wake_.clear();
        if (fds[1].revents != 0) read();
    }

    void read() {
        const ssize_t n = ::read(input_, buffer_.data(), buffer_.size());
        if (n > 0) return feed(std::string_view(buffer_.data(), static_cast<std::size_t>(n)));
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
        const int error = n < 0 ? errno : 0;
        drain("the input ended and the request took too long");
        if (error == 0) return tell_end(LogLevel::info, "the client closed the input");
        tell_end(LogLevel::error, "the input cannot be read: " + std::generic_category().message(error));
    }

    void feed(std::string_view bytes) {
        try {
            session_->feed(bytes);
        } catch (...) {
            session_->break_off();  // a part of the input is lost
            throw;
        }
    }

    // A message was lost because memory is short. Answers the calls that still run, and ends the connection.
    void end_broken() {
        if (!end_) end_ = later(Clock::now(), limits_.drain_time);
        session_->shut_down("a message was lost because memory is short; the connection is closed");
        server_.impl()->note(LogLevel::error, "memory is short, and a message was lost; ending the connection");
        state_ = State::flushing;
    }

    // Stops reading and lets running calls finish. Calls that do not finish in time get the error `why`.
    void drain(const char* why) {
        draining_.store(true);
        session_->end_of_input();
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

    // Called after the change of the state, because the log may throw.
    void tell_end(LogLevel level, const std::string& why) const {
        server_.impl()->note(level, "the connection ends: " + why);
    }

    void give_up() {
        if (state_ == State::draining) {
            session_->shut_down(why_given_up_);
            state_ = State::flushing;
            return;
        }
        server_.impl()->note(LogLevel::warning, "the client did not read all answers before the end");
        state_ = State::over;
    }

    void reader_is_gone() {
        server_.impl()->note(LogLevel::warning, "the client closed the server's output; stopping");
        session_->shut_down("the client is gone");
        state_ = State::over;
    }

    int timeout() {
        waits_until_.store(TimePoint::max());  // from here on, every new deadline wakes the loop
        std::optional<TimePoint> next = session_->next_deadline();
        if (const auto limit = deadline(); limit && (!next || *limit < *next)) next = limit;
        if (!next) return -1;
        waits_until_.store(*next);
        const auto left = std::chrono::ceil<milliseconds>(*next - Clock::now()).count();
        return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
    }

    Server& server_;
    const Limits limits_;
    const int input_;
    const io::Signals* signals_ = nullptr;
    State state_ = State::serving;
    int failures_ = 0;              // turns in a row that threw
    std::optional<TimePoint> end_;  // end of draining and flushing together
    const char* why_given_up_ = "";
    std::atomic<bool> draining_{false};    // for the metrics
    std::atomic<bool> needs_wake_{false};  // the loop waits for handlers to finish, or for room in the output
    std::atomic<TimePoint> waits_until_{TimePoint::max()};
    std::array<char, 64 * 1024> buffer_;
    io::WakePipe wake_;
    const base::MemoryAccountPtr account_;
    const std::shared_ptr<StdioOutlet> outlet_;
    io::WorkerPool pool_;
    std::thread second_;
    std::exception_ptr failure_;                  // of one of the threads
    std::size_t for_the_pool_ = 0;                // calls that do not run on the reading thread
    int slow_turns_ = 0;                          // turns in a row with a call that was not quick
    io::ReaderPair pairing_;                      // used by both threads
    std::atomic<std::thread::id> loop_thread_{};  // flushes itself; none while the leader runs one call
    const std::shared_ptr<Session::Impl> session_;
    std::shared_ptr<void> in_metrics_;
};

}  // namespace

int serve_stdio(Server& server, const StdioOptions& options) {
    std::optional<io::StandardStreams> streams;
    try {
        server.impl()->check_extensions();
        if (options.protect_streams && options.input == 0 && options.output == 1) streams.emplace();
    } catch (const std::runtime_error& e) {
        server.impl()->default_log(log_to_stderr(), least_stderr_level);
        server.impl()->note(LogLevel::error, std::string("cannot serve: ") + e.what());
        return 1;
    }
    server.impl()->default_log(log_to_stderr(), least_stderr_level);
    auto loop = std::make_unique<StdioLoop>(server, streams ? streams->input() : options.input,
                                            streams ? streams->output() : options.output);
    std::optional<io::Signals> signals;
    if (options.handle_signals) signals.emplace(loop->wake_pipe());
    loop->run(signals ? &*signals : nullptr);
    return 0;
}

}  // namespace tenon
