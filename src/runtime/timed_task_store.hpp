// Measures the operations of a task store, for metrics.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include <tenon/limits.hpp>
#include <tenon/store_times.hpp>
#include <tenon/tasks.hpp>

namespace tenon {

/// Passes everything to another store. Thread-safe if the other store is.
class TimedTaskStore final : public TaskStore {
 public:
    explicit TimedTaskStore(std::shared_ptr<TaskStore> store) : store_(std::move(store)) {}

    /// Measures from now on. Call it at most once.
    void measure(std::shared_ptr<StoreTimes> times) {
        owner_ = std::move(times);
        times_.store(owner_.get(), std::memory_order_release);
    }
    static std::vector<std::string> operations() {
        return {"put", "get", "erase", "list", "size", "count", "next_to_expire"};
    }

    Result<void> put(const TaskRecord& task) override {
        Timer timer(times_, "put");
        auto out = store_->put(task);
        timer.failed = !out;
        return out;
    }
    std::optional<TaskRecord> get(std::string_view id) override {
        const Timer timer(times_, "get");
        return store_->get(id);
    }
    void erase(std::string_view id) override {
        const Timer timer(times_, "erase");
        store_->erase(id);
    }
    std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max) override {
        const Timer timer(times_, "list");
        return store_->list(owner, after, max);
    }
    std::size_t size() override {
        const Timer timer(times_, "size");
        return store_->size();
    }
    std::size_t count(std::string_view owner) override {
        const Timer timer(times_, "count");
        return store_->count(owner);
    }
    std::optional<TaskExpiry> next_to_expire() override {
        const Timer timer(times_, "next_to_expire");
        return store_->next_to_expire();
    }

 private:
    struct Timer {
        Timer(const std::atomic<StoreTimes*>& to, std::string_view what)
            : times(to.load(std::memory_order_acquire)), operation(what), start(times ? Clock::now() : TimePoint()) {}
        ~Timer() {
            if (times) times->record(operation, Clock::now() - start, failed);
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

        StoreTimes* const times;
        const std::string_view operation;
        const TimePoint start;
        bool failed = false;
    };

    const std::shared_ptr<TaskStore> store_;
    std::shared_ptr<StoreTimes> owner_;
    std::atomic<StoreTimes*> times_{nullptr};
};

}  // namespace tenon
