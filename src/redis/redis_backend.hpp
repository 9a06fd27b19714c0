// The backend of a Redis store: two connections on one thread. One carries commands, pipelined; the other one carries
// the messages of channels.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "redis/commands.hpp"
#include "redis/link.hpp"
#include "store/delayed_work.hpp"
#include "store/subscribers.hpp"

namespace tenon::redis {

/// See store/front.hpp. Thread-safe.
class RedisBackend : public std::enable_shared_from_this<RedisBackend> {
 public:
    static std::shared_ptr<RedisBackend> open(Address address, const StoreOptions& options);

    template <class Op>
    void run(Op op, Reply<typename Op::Answer> reply) {
        const auto size = op.size() + store::op::bytes_of_operation;
        if (auto refused = admit(size)) return std::move(reply).send(std::move(*refused));
        auto command = commands_.make(op);
        enqueue({std::move(command), size, later(Clock::now(), operation_time_),
                 [this, op = without_values(std::move(op)),
                  reply = std::make_shared<Reply<typename Op::Answer>>(std::move(reply))](Result<RespValue>&& value) {
                     if (!value) return std::move(*reply).send(std::move(value).error());
                     auto result = answer(op, std::move(*value));
                     if constexpr (std::is_same_v<Op, store::op::Check>)
                         if (result) result->description = description();
                     std::move(*reply).send(std::move(result));
                 }});
    }
    store::Subscription subscribe(std::string topic, store::Listener listener);
    void after(std::chrono::milliseconds wait, std::function<void()> work);
    bool is_shared() const { return true; }
    void close();

    /// For tests: sends any command.
    void raw(std::vector<std::string> parts, std::function<void(Result<RespValue>&&)> done);
    const Commands& commands() const { return commands_; }

 private:
    struct Pending {
        Command command;
        std::size_t size = 0;
        TimePoint deadline;
        std::function<void(Result<RespValue>&&)> done;
        bool whole = false;  // sent with the text of its script
    };
    struct Token {};  // only open() makes backends

 public:
    RedisBackend(Token, Address address, const StoreOptions& options);

 private:
    // What an answer needs of its operation: the large values were sent, so they are freed.
    template <class Op>
    static Op without_values(Op op) {
        if constexpr (requires { op.bytes; }) op.bytes = {};
        if constexpr (requires { op.value; }) op.value = {};
        return op;
    }
    /// Runs `f` in the loop. Drops it after close(): a loop that has ended would keep it for ever.
    template <class F>
    void post(F f) {
        const std::lock_guard lock(mutex_);
        if (!closed_) boost::asio::post(*loop_, std::move(f));
    }
    std::optional<Error> admit(std::size_t size);
    void enqueue(Pending pending);
    void start();
    std::string description() const;

    // On the thread of the loop.
    void drain();
    void add(Pending pending, std::string& commands);
    void on_reply(RespValue&& value);
    void on_commands_down(const Error& why);
    void finish(Pending pending, Result<RespValue>&& result);
    void fail_all(std::deque<Pending>& list, const Error& why);
    void watch_deadlines();
    void on_deadline();
    void on_topic_changed(const std::string& topic);
    void on_channels_ready();
    void on_message(RespValue&& value);
    void keep_alive();
    void watch_delayed();
    void shut_down();
    void note(LogLevel level, const std::string& text) const;

    const Address address_;
    const StoreLimits limits_;
    const LogNote log_;
    const Duration operation_time_;
    const Commands commands_;
    const std::shared_ptr<boost::asio::io_context> loop_ = std::make_shared<boost::asio::io_context>(1);
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_->get_executor()};
    std::shared_ptr<Link> link_, channels_;
    std::shared_ptr<store::Subscribers> subscribers_;
    std::thread thread_;

    std::atomic<std::size_t> operations_ = 0, bytes_ = 0;
    std::mutex mutex_;  // guards inbox_ and closed_
    std::vector<Pending> inbox_;
    bool closed_ = false;

    // Only on the thread of the loop.
    std::deque<Pending> waiting_, sent_;
    std::optional<Error> down_;  // why the last attempt to connect failed
    bool commands_up_ = false;
    boost::asio::steady_timer deadline_timer_{*loop_}, ping_timer_{*loop_}, delay_timer_{*loop_};
    store::DelayedWork delayed_;
    bool deadline_set_ = false, pinged_ = false;
    std::set<std::string, std::less<>> requested_, confirmed_;  // topics
};

}  // namespace tenon::redis
