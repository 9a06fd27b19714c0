#include <tenon/transport/memory.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include <tenon/session.hpp>

#include "io/last_resort.hpp"
#include "io/worker_pool.hpp"

namespace tenon {
namespace {

// One thread carries the messages in both directions. So neither side ever runs inside a call of the other.
class MemoryTransport final : public ClientTransport {
 public:
    MemoryTransport(Server& server, MemoryOptions options)
        : server_(server), options_(std::move(options)), pool_(server.limits().max_workers) {}
    ~MemoryTransport() override { close(Clock::now()); }

    void start(Events events, Bounds bounds) override {
        events_ = std::move(events);
        bounds_ = bounds;
        session_.emplace(
            server_, SessionOptions{.post = pool_.poster(), .wake = [this] { wake(); }, .owner = options_.principal});
        // The first event may make another thread call close() before `thread_` is assigned.
        const std::lock_guard alone(close_mutex_);
        thread_ = std::thread([this] {
            const auto closed = [this] { events_.closed({code::connection_closed, "the connection broke"}); };
            if (!io::survives([this] { run(); }, [](const char*) {}))
                io::insist(closed, later(Clock::now(), io::last_chance));
        });
    }

    Result<void> send(OutgoingMessage message) override {
        const std::lock_guard lock(mutex_);
        if (queued_bytes_ + message.body.size() > bounds_.max_queued_output_bytes)
            return Error{code::limit_reached, "too many bytes wait to be sent to the server"};
        queued_bytes_ += message.body.size();
        to_server_.push_back(std::move(message.body));
        changed_.notify_one();
        return {};
    }

    bool sends_mirrored() const override { return false; }

    void close(TimePoint deadline) override {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
            changed_.notify_one();
        }
        const std::lock_guard lock(close_mutex_);
        if (thread_.joinable()) thread_.join();
        if (!session_) return;
        session_->shut_down("the client is gone");
        pool_.stop(std::max(deadline - Clock::now(), Duration::zero()));
        session_.reset();
    }

 private:
    void wake() {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        changed_.notify_one();
    }

    void run() {
        events_.opened();
        std::unique_lock lock(mutex_);
        while (!closing_) {
            wait(lock);
            woken_ = false;
            const auto messages = std::exchange(to_server_, {});
            queued_bytes_ = 0;
            lock.unlock();
            for (const std::string& message : messages) session_->receive(message);
            session_->tick();
            deliver(session_->take_output());
            lock.lock();
        }
    }

    void wait(std::unique_lock<std::mutex>& lock) {
        const auto ready = [this] { return closing_ || woken_ || !to_server_.empty(); };
        if (ready()) return;
        lock.unlock();
        const auto until = session_->next_deadline();
        lock.lock();
        if (until) {
            changed_.wait_until(lock, *until, ready);
        } else {
            changed_.wait(lock, ready);
        }
    }

    void deliver(std::string_view lines) {
        while (!lines.empty()) {
            const std::size_t end = lines.find('\n');
            events_.message(lines.substr(0, end));
            lines.remove_prefix(end + 1);
        }
    }

    Server& server_;
    const MemoryOptions options_;
    Events events_;
    Bounds bounds_ = {};
    io::WorkerPool pool_;
    std::optional<Session> session_;
    std::mutex close_mutex_;  // held during the whole of close(), so that a second close() waits for the first
    std::thread thread_;

    std::mutex mutex_;  // guards the members below
    std::condition_variable changed_;
    std::deque<std::string> to_server_;
    std::size_t queued_bytes_ = 0;
    bool woken_ = false;
    bool closing_ = false;
};

}  // namespace

std::shared_ptr<ClientTransport> memory_transport(Server& server, MemoryOptions options) {
    return std::make_shared<MemoryTransport>(server, std::move(options));
}

}  // namespace tenon
