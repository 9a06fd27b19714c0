// The tasks of any store, for tests without threads: each operation waits for its answer. Operations can also be kept
// back, or fail.
#pragma once

#include <memory>
#include <utility>

#include "cluster/slow_store.hpp"
#include "support/store_answer.hpp"

namespace tenon::test {

class SlowTasks final : public store::Tasks {
 public:
    using Ms = std::chrono::milliseconds;
    using Stored = store::StoredTask;
    SlowTasks(std::shared_ptr<Store> to, Gate& gate) : to_(std::move(to)), gate_(gate) {}
    /// Keeps tasks in another store from now on.
    void use(std::shared_ptr<Store> to) { to_ = std::move(to); }

    void create(TaskRecord task, std::string holder, Ms lease, Reply<Stored> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.create(task, holder, lease, std::move(r)); });
    }
    void load(std::string id, Reply<Stored> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.load(id, std::move(r)); });
    }
    void update(TaskRecord task, store::Token token, Reply<void> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.update(task, token, std::move(r)); });
    }
    void extend(std::string id, store::Token token, Ms lease, Reply<void> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.extend(id, token, lease, std::move(r)); });
    }
    void take_over(std::string id, std::string holder, Ms lease, Reply<Stored> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.take_over(id, holder, lease, std::move(r)); });
    }
    void remove(std::string id, Reply<bool> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.remove(id, std::move(r)); });
    }
    void list(std::string owner, std::uint64_t after, std::size_t max, Reply<std::vector<Stored>> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.list(owner, after, max, std::move(r)); });
    }
    void count(std::string owner, Reply<std::size_t> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.count(owner, std::move(r)); });
    }
    void size(Reply<std::size_t> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.size(std::move(r)); });
    }
    void orphans(std::size_t max, Reply<std::vector<std::string>> reply) override {
        pass(std::move(reply), [=](auto& to, auto r) { to.orphans(max, std::move(r)); });
    }

 private:
    template <class T, class F>
    void pass(Reply<T> reply, F operation) {
        gate_.pass<T>(std::move(reply), [this, operation](Reply<T> to_answer) {
            auto answer = answer_of<T>([&](Reply<T> inner) { operation(to_->tasks(), std::move(inner)); });
            std::move(to_answer).send(std::move(answer));
        });
    }
    std::shared_ptr<Store> to_;
    Gate& gate_;
};

/// A store whose tasks can be in another store than the rest.
class TaskTestStore final : public Store {
 public:
    explicit TaskTestStore(std::shared_ptr<Store> to) : to_(std::move(to)), tasks_(to_, gate) {}
    store::Sessions& sessions() override { return to_->sessions(); }
    store::EventLog& events() override { return to_->events(); }
    store::Tasks& tasks() override { return tasks_; }
    store::Bus& bus() override { return to_->bus(); }
    store::Values& values() override { return to_->values(); }
    void check(Reply<StoreStatus> reply) override { to_->check(std::move(reply)); }
    bool is_shared() const override { return true; }
    void close() override { to_->close(); }
    void keep_tasks_in(std::shared_ptr<Store> other) { tasks_.use(std::move(other)); }

    Gate gate;  // of the tasks only

 private:
    const std::shared_ptr<Store> to_;
    SlowTasks tasks_;
};

}  // namespace tenon::test
