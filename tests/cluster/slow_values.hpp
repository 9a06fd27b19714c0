// A store of one node whose small values answer later, or not at all. Everything else is passed on.
#pragma once

#include "cluster/slow_store.hpp"

namespace tenon::test {

class SlowValues final : public store::Values {
 public:
    SlowValues(store::Values& to, Gate& gate) : to_(to), gate_(gate) {}
    using Ms = std::chrono::milliseconds;
    void get(std::string key, Reply<std::optional<std::string>> reply) override {
        gate_.pass<std::optional<std::string>>(std::move(reply), [this, key](auto r) { to_.get(key, std::move(r)); });
    }
    void set(std::string key, std::string value, Ms ttl, Reply<void> reply) override {
        gate_.pass<void>(std::move(reply), [this, key, value, ttl](auto r) { to_.set(key, value, ttl, std::move(r)); });
    }
    void set_if_absent(std::string key, std::string value, Ms ttl, Reply<bool> reply) override {
        gate_.pass<bool>(std::move(reply),
                         [this, key, value, ttl](auto r) { to_.set_if_absent(key, value, ttl, std::move(r)); });
    }
    void replace(std::string key, std::optional<std::string> expected, std::string value, Ms ttl,
                 Reply<bool> reply) override {
        gate_.pass<bool>(std::move(reply), [this, key, expected, value, ttl](auto r) {
            to_.replace(key, expected, value, ttl, std::move(r));
        });
    }
    void remove(std::string key, Reply<bool> reply) override {
        gate_.pass<bool>(std::move(reply), [this, key](auto r) { to_.remove(key, std::move(r)); });
    }
    void add(std::string key, std::int64_t amount, Ms ttl, Reply<std::int64_t> reply) override {
        gate_.pass<std::int64_t>(std::move(reply),
                                 [this, key, amount, ttl](auto r) { to_.add(key, amount, ttl, std::move(r)); });
    }
    void acquire(std::string key, std::string holder, Ms ttl, Reply<store::Lease> reply) override {
        to_.acquire(std::move(key), std::move(holder), ttl, std::move(reply));
    }
    void extend(std::string key, store::Token token, Ms ttl, Reply<void> reply) override {
        to_.extend(std::move(key), token, ttl, std::move(reply));
    }
    void look_up(std::string key, Reply<store::Lease> reply) override { to_.look_up(std::move(key), std::move(reply)); }

 private:
    store::Values& to_;
    Gate& gate_;
};

/// The connection of one node to a store: `gate` holds back or breaks its values.
class NodeStore final : public Store {
 public:
    explicit NodeStore(std::shared_ptr<Store> to) : to_(std::move(to)) {}
    store::Sessions& sessions() override { return to_->sessions(); }
    store::EventLog& events() override { return to_->events(); }
    store::Tasks& tasks() override { return to_->tasks(); }
    store::Bus& bus() override { return to_->bus(); }
    store::Values& values() override { return values_; }
    void check(Reply<StoreStatus> reply) override {
        gate.broken ? std::move(reply).send(store::unavailable("the test has broken it"))
                    : to_->check(std::move(reply));
    }
    bool is_shared() const override { return true; }
    void close() override { to_->close(); }

    Gate gate;

 private:
    const std::shared_ptr<Store> to_;
    SlowValues values_{to_->values(), gate};
};

}  // namespace tenon::test
