#include <tenon/transport/process.hpp>

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <thread>

#include "core/client/short_memory.hpp"
#include "io/last_resort.hpp"
#include "transport/process/process_loop.hpp"

namespace tenon {
namespace {

// Blocks all signals on the transport's thread. This includes SIGPIPE: a write to a dead child then fails with an error
// code.
void block_signals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

class ProcessTransport::Impl {
 public:
    explicit Impl(ProcessOptions options) : options_(std::move(options)) {}
    ~Impl() { close(Clock::now()); }

    void start(Events events, Bounds bounds) {
        events_ = std::move(events);
        bounds_ = bounds;
        // The process may end at once, and another thread then calls close() before `thread_` is assigned.
        const std::lock_guard alone(join_mutex_);
        thread_ = std::thread([this] { run(); });
    }

    Result<void> send(OutgoingMessage message) {
        {
            const std::lock_guard lock(shared_.mutex);
            if (shared_.to_send.size() + message.body.size() > bounds_.max_queued_output_bytes)
                return Error{code::limit_reached, "the server does not read its input: too many bytes wait to be sent"};
            message.body += '\n';  // first: half a line in the queue would spoil the next one
            shared_.to_send += message.body;
        }
        shared_.wake.wake();
        return {};
    }

    bool reopen(Duration wait) {
        const std::lock_guard lock(shared_.mutex);
        again_ = !shared_.close_by;
        start_at_ = later(Clock::now(), wait);
        return again_;
    }

    void close(TimePoint deadline) {
        {
            const std::lock_guard lock(shared_.mutex);
            shared_.close_by = deadline;
        }
        shared_.wake.wake();
        const std::lock_guard lock(join_mutex_);
        if (thread_.joinable()) thread_.join();
    }

    int pid() const {
        const std::lock_guard lock(shared_.mutex);
        return shared_.pid;
    }
    std::string stderr_tail() const {
        const std::lock_guard lock(shared_.mutex);
        return shared_.stderr_tail;
    }

 private:
    void run() {
        block_signals();
        do {
            again_ = false;
            const Error why = run_child();
            io::insist([&] { events_.closed(why); }, later(Clock::now(), io::last_chance));
            if (again_) wait_to_start();
        } while (again_);
    }

    // Waits until start_at_, or until close() is called.
    void wait_to_start() {
        for (;;) {
            {
                const std::lock_guard lock(shared_.mutex);
                if (shared_.close_by) return;
            }
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(start_at_ - Clock::now()).count();
            if (left <= 0) return;
            pollfd fd{shared_.wake.fd(), POLLIN, 0};
            if (::poll(&fd, 1, static_cast<int>(std::min<long long>(left, 60'000))) > 0) shared_.wake.clear();
        }
    }

    Error run_child() {
        Error why = core::error_or_short(code::connection_closed, "the client was closed");
        io::survives(
            [&] {
                {
                    const std::lock_guard lock(shared_.mutex);
                    shared_.to_send.clear();  // it was meant for the previous child
                    if (shared_.close_by) return;
                }
                why = ProcessLoop(options_, events_, bounds_, shared_).run();
            },
            [&](const char* what) { why.message = what; });
        return why;
    }

    const ProcessOptions options_;
    Events events_;
    Bounds bounds_ = {};
    ProcessShared shared_;
    bool again_ = false;  // used only by the transport's thread, on which reopen() is called
    TimePoint start_at_ = {};
    std::mutex join_mutex_;
    std::thread thread_;
};

ProcessTransport::ProcessTransport(ProcessOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ProcessTransport::~ProcessTransport() = default;
void ProcessTransport::start(Events events, Bounds bounds) { impl_->start(std::move(events), bounds); }
Result<void> ProcessTransport::send(OutgoingMessage message) { return impl_->send(std::move(message)); }
bool ProcessTransport::reopen(Duration wait) { return impl_->reopen(wait); }
void ProcessTransport::close(TimePoint deadline) { impl_->close(deadline); }
int ProcessTransport::pid() const { return impl_->pid(); }
std::string ProcessTransport::stderr_tail() const { return impl_->stderr_tail(); }

std::shared_ptr<ProcessTransport> process(ProcessOptions options) {
    return std::make_shared<ProcessTransport>(std::move(options));
}

}  // namespace tenon
