// A memory store whose sessions and events answer later, or not at all.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/store/memory.hpp>

namespace tenon::test {

/// Runs what waits, and what is added meanwhile.
inline void run_all(std::deque<std::function<void()>>& waiting) {
    while (!waiting.empty()) {
        auto next = std::move(waiting.front());
        waiting.pop_front();
        next();
    }
}

/// Keeps operations back while `held`, and fails them while `broken`.
struct Gate {
    bool held = false, broken = false;
    int lose_in = 0;  ///< above 0: that operation from now on is done, but says that it failed
    std::deque<std::function<void()>> waiting = {};
    int passed = 0;

    template <class T>
    void pass(Reply<T> reply, std::function<void(Reply<T>)> operation) {
        ++passed;
        if (broken) return std::move(reply).send(store::unavailable("the test has broken it"));
        if (lose_in > 0 && --lose_in == 0) {
            operation(make_reply<T>([](const auto&) {}));
            return std::move(reply).send(store::unavailable("the test has lost the reply"));
        }
        if (!held) return operation(std::move(reply));
        auto kept = std::make_shared<Reply<T>>(std::move(reply));
        waiting.push_back([kept, operation = std::move(operation)] { operation(std::move(*kept)); });
    }
    /// Does the operations that were kept back.
    void open() {
        held = false;
        run_all(waiting);
    }
};

class SlowSessions final : public store::Sessions {
 public:
    SlowSessions(store::Sessions& to, Gate& gate) : to_(to), gate_(gate) {}
    using Ms = std::chrono::milliseconds;
    void create(store::SessionRecord record, Ms ttl, Reply<std::uint64_t> reply) override {
        gate_.pass<std::uint64_t>(std::move(reply),
                                  [this, record, ttl](auto r) { to_.create(record, ttl, std::move(r)); });
    }
    void load(std::string id, Reply<store::StoredSession> reply) override {
        gate_.pass<store::StoredSession>(std::move(reply), [this, id](auto r) { to_.load(id, std::move(r)); });
    }
    void update(store::SessionRecord record, std::uint64_t version, Ms ttl, Reply<std::uint64_t> reply) override {
        gate_.pass<std::uint64_t>(
            std::move(reply), [this, record, version, ttl](auto r) { to_.update(record, version, ttl, std::move(r)); });
    }
    void touch(std::string id, Ms ttl, Reply<void> reply) override {
        gate_.pass<void>(std::move(reply), [this, id, ttl](auto r) { to_.touch(id, ttl, std::move(r)); });
    }
    void remove(std::string id, Reply<bool> reply) override {
        gate_.pass<bool>(std::move(reply), [this, id](auto r) { to_.remove(id, std::move(r)); });
    }

 private:
    store::Sessions& to_;
    Gate& gate_;
};

class SlowEvents final : public store::EventLog {
 public:
    SlowEvents(store::EventLog& to, Gate& gate) : to_(to), gate_(gate) {}
    void append(store::StreamName s, std::string bytes, bool last, store::Keep keep,
                Reply<store::EventId> reply) override {
        gate_.pass<store::EventId>(
            std::move(reply), [this, s, bytes, last, keep](auto r) { to_.append(s, bytes, last, keep, std::move(r)); });
    }
    void read(store::StreamName s, store::EventId after, std::size_t events, std::size_t bytes,
              Reply<store::EventBatch> reply) override {
        gate_.pass<store::EventBatch>(std::move(reply), [this, s, after, events, bytes](auto r) {
            to_.read(s, after, events, bytes, std::move(r));
        });
    }
    void finish(store::StreamName s, store::Keep keep, Reply<void> reply) override {
        gate_.pass<void>(std::move(reply), [this, s, keep](auto r) { to_.finish(s, keep, std::move(r)); });
    }
    void trim(store::StreamName s, store::Keep keep, Reply<std::size_t> reply) override {
        to_.trim(std::move(s), keep, std::move(reply));
    }
    void remove(store::StreamName s, Reply<bool> reply) override { to_.remove(std::move(s), std::move(reply)); }
    void remove_group(std::string group, Reply<std::size_t> reply) override {
        to_.remove_group(std::move(group), std::move(reply));
    }
    store::Subscription watch(store::StreamName s, std::function<void()> wake) override {
        return to_.watch(std::move(s), std::move(wake));
    }

 private:
    store::EventLog& to_;
    Gate& gate_;
};

/// Keeps the messages for its subscribers back while `held`. Refuses to publish while `broken`.
class SlowBus final : public store::Bus {
 public:
    explicit SlowBus(store::Bus& to) : to_(to) {}
    void publish(std::string topic, std::string bytes, Reply<void> reply) override {
        if (broken) return std::move(reply).send(store::unavailable("the test has broken it"));
        if (!loses_replies) return to_.publish(std::move(topic), std::move(bytes), std::move(reply));
        to_.publish(std::move(topic), std::move(bytes), make_reply<void>([](const auto&) {}));
        std::move(reply).send(store::unavailable("the test has lost the reply"));
    }
    store::Subscription subscribe(std::string topic, store::Listener listener) override {
        if (listener.on_gap) gaps_.push_back(listener.on_gap);
        auto take = [this, to = std::move(listener.on_message)](std::string_view bytes) {
            if (!held) return to(bytes);
            waiting.push_back([to, text = std::string(bytes)] { to(text); });
        };
        return to_.subscribe(std::move(topic), {std::move(take), std::move(listener.on_gap)});
    }
    void deliver(store::StreamName box, std::string bytes, std::chrono::milliseconds ttl, Reply<void> reply) override {
        to_.deliver(std::move(box), std::move(bytes), ttl, std::move(reply));
    }
    store::Subscription receive(store::StreamName box, std::function<void(std::string)> take) override {
        return to_.receive(std::move(box), std::move(take));
    }
    /// Passes the messages on that were kept back.
    void open() {
        held = false;
        run_all(waiting);
    }
    /// Tells all subscribers that messages may have been lost.
    void gap() const {
        for (const auto& one : gaps_) one();
    }

    bool held = false, broken = false;
    bool loses_replies = false;  ///< publishes, but says that it failed
    std::deque<std::function<void()>> waiting = {};

 private:
    store::Bus& to_;
    std::vector<std::function<void()>> gaps_;
};

class SlowStore final : public Store {
 public:
    explicit SlowStore(std::shared_ptr<Store> to) : to_(std::move(to)) {}
    store::Sessions& sessions() override { return sessions_; }
    store::EventLog& events() override { return events_; }
    store::Tasks& tasks() override { return to_->tasks(); }
    store::Bus& bus() override { return slow_bus; }
    store::Values& values() override { return to_->values(); }
    void check(Reply<StoreStatus> reply) override { to_->check(std::move(reply)); }
    bool is_shared() const override { return true; }
    void close() override { to_->close(); }

    Gate gate;

 private:
    const std::shared_ptr<Store> to_;

 public:
    SlowBus slow_bus{to_->bus()};

 private:
    SlowSessions sessions_{to_->sessions(), gate};
    SlowEvents events_{to_->events(), gate};
};

}  // namespace tenon::test
