// The backend of a memory store: tables behind a lock.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "store/arguments.hpp"
#include "store/front.hpp"
#include "store/memory_tables.hpp"
#include "store/subscribers.hpp"

namespace tenon::store {

/// Answers inside run(), after it has released its lock. Thread-safe.
class MemoryBackend {
 public:
    explicit MemoryBackend(const StoreOptions& options)
        : tables_(options.limits.max_memory_bytes),
          clock_(options.clock),
          subscribers_(std::make_shared<Subscribers>(options.limits, nullptr)) {}

    template <class Op>
    void run(Op op, Reply<typename Op::Answer> reply) {
        if (closed_) return std::move(reply).send(op::store_closed());
        auto result = [&] {
            const std::lock_guard lock(mutex_);
            const auto now = time();
            tables_.sweep(now, swept_entries);
            return tables_.apply(op, now);
        }();
        if constexpr (std::is_same_v<Op, op::EventAppend> || std::is_same_v<Op, op::EventFinish>)
            if (result) subscribers_->publish(stream_topic(op.stream), "");
        std::move(reply).send(std::move(result));
    }
    void run(op::Publish op, Reply<void> reply) {
        if (closed_) return std::move(reply).send(op::store_closed());
        subscribers_->publish(op.topic, op.bytes);
        std::move(reply).send({});
    }
    void run(op::Check, Reply<StoreStatus> reply) {
        if (closed_) return std::move(reply).send(op::store_closed());
        std::move(reply).send(StoreStatus{"memory of this process", time()});
    }

    Subscription subscribe(std::string topic, Listener listener) {
        return subscribers_->add(std::move(topic), std::move(listener), true);
    }
    /// Does nothing: this backend never refuses a read.
    void after(std::chrono::milliseconds, const std::function<void()>&) {}
    bool is_shared() const { return false; }
    void close() {
        closed_ = true;
        subscribers_->close();
    }

    /// For tests.
    template <class Function>
    void with_tables(Function function) {
        const std::lock_guard lock(mutex_);
        function(tables_);
    }

 private:
    static constexpr int swept_entries = 4;  // of each table in each operation, so removal keeps up with additions
    WallTime time() const { return clock_ ? clock_() : std::chrono::system_clock::now(); }

    std::atomic<bool> closed_ = false;
    std::mutex mutex_;
    MemoryTables tables_;
    const std::function<WallTime()> clock_;
    const std::shared_ptr<Subscribers> subscribers_;
};

}  // namespace tenon::store
