#include <tenon/transport/http_client.hpp>

#include <signal.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "io/last_resort.hpp"
#include "transport/http_client/conversation.hpp"
#include "transport/http_client/route.hpp"
#include "transport/http_client/sign_in.hpp"

namespace tenon {
namespace {

constexpr std::size_t message_cost = 1024;  // estimated memory of a queued message, besides its body

// One thread runs everything. send() and close() post their work to it.
class HttpClientTransport final : public ClientTransport {
 public:
    explicit HttpClientTransport(HttpClientOptions options)
        : options_(std::move(options)), route_(http_route(options_, seen_public_)) {}
    ~HttpClientTransport() override { close(Clock::now()); }

    void start(Events events, Bounds bounds) override {
        events_ = std::move(events);
        bounds_ = bounds;
        auto clock = std::make_unique<SystemConversationClock>(*context_);
        conversation_.emplace(HttpConversation::Parts{context_, route_, std::move(clock), tokens()}, options_, events_,
                              bounds_);
        asio::post(*context_, [this] { events_.opened(); });
        // The connection may fail at once, and another thread then calls close() before `thread_` is assigned.
        const std::lock_guard alone(close_mutex_);
        thread_ = std::thread([this] { run(); });
    }

    std::string_view network_transport() const override { return "tcp"; }
    json::object extensions() const override { return options_.auth ? options_.auth->extensions() : json::object(); }

    Result<void> send(OutgoingMessage message) override {
        const std::size_t size = message.body.size() + message_cost;
        if (queued_->fetch_add(size) + size > bounds_.max_queued_output_bytes) {
            queued_->fetch_sub(size);
            return Error{code::limit_reached, "too many bytes wait to be sent to the server"};
        }
        std::shared_ptr<void> weight(nullptr, [queued = queued_, size](void*) { queued->fetch_sub(size); });
        const std::lock_guard lock(mutex_);
        outbox_.push_back({std::move(message), std::move(weight)});
        try {
            asio::post(*context_, [this] { send_next(); });
        } catch (...) {  // each message has one handler, so this message must not stay
            outbox_.pop_back();
            throw;
        }
        return {};
    }

    void close(TimePoint deadline) override {
        const std::lock_guard alone(close_mutex_);
        if (!thread_.joinable()) return;
        const auto finish = [this] {
            conversation_->finish([this] {
                const std::lock_guard lock(mutex_);
                finished_ = true;
                changed_.notify_one();
            });
        };
        const auto end = [this] {
            conversation_->close();
            context_->stop();
        };
        if (io::insist([&] { asio::post(*context_, finish); }, deadline)) {
            std::unique_lock lock(mutex_);
            changed_.wait_until(lock, deadline, [this] { return finished_; });
        }
        const bool posted = io::insist([&] { asio::post(*context_, end); }, deadline);
        if (!posted) context_->stop();
        thread_.join();
        if (!posted) io::survives(end, [](const char*) {});
    }

 private:
    std::unique_ptr<RequestTokens> tokens() {
        if (!options_.auth) return {};
        HttpSignIn::Setting setting{route_, seen_public_, {}, events_.note, events_.user_asked};
        setting.fetch.ca_file = options_.ca_file;
        setting.fetch.proxy = options_.proxy;
        return std::make_unique<HttpSignIn>(context_, options_.auth, std::move(setting));
    }

    // Sends the oldest message of the outbox. Asio may reorder handlers that were posted from different threads, so a
    // handler does not carry its own message.
    void send_next() {
        std::unique_lock lock(mutex_);
        QueuedMessage next = std::move(outbox_.front());
        outbox_.pop_front();
        lock.unlock();
        conversation_->send(std::move(next));
    }

    void run() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are for the program's own threads
        // No exception should get here. If one does, it is logged, and the requests that run fail.
        const auto log = [this](const char* what) {
            events_.note(LogLevel::error, std::string("in the HTTP client: ") + what);
        };
        while (!io::survives([this] { context_->run(); }, log)) conversation_->recover();
    }

    const HttpClientOptions options_;
    const std::shared_ptr<bool> seen_public_ = std::make_shared<bool>(false);  // used only by the context's thread
    const std::shared_ptr<const HttpRoute> route_;
    Events events_;
    Bounds bounds_ = {};
    const std::shared_ptr<std::atomic<std::size_t>> queued_ = std::make_shared<std::atomic<std::size_t>>(0);
    const std::shared_ptr<asio::io_context> context_ = std::make_shared<asio::io_context>(1);
    const asio::executor_work_guard<asio::io_context::executor_type> work_{context_->get_executor()};
    std::optional<HttpConversation> conversation_;
    std::mutex close_mutex_;  // held during the whole of close(), so that a second close() waits for the first
    std::thread thread_;
    std::mutex mutex_;  // guards the members below
    std::deque<QueuedMessage> outbox_;
    std::condition_variable changed_;
    bool finished_ = false;
};

}  // namespace

std::shared_ptr<ClientTransport> http(HttpClientOptions options) {
    return std::make_shared<HttpClientTransport>(std::move(options));
}

}  // namespace tenon
