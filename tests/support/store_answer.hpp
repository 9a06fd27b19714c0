// Waits for the answer of a store.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include <tenon/store.hpp>

namespace tenon::test {

/// Starts an operation and waits for its answer. A test that never gets one is ended by ctest.
template <class T>
Result<T> answer_of(const std::function<void(Reply<T>)>& start) {
    struct Slot {
        std::mutex mutex;
        std::condition_variable changed;
        std::optional<Result<T>> result;
    };
    const auto slot = std::make_shared<Slot>();
    start(make_reply<T>([slot](Result<T>&& result) {
        const std::lock_guard lock(slot->mutex);
        slot->result.emplace(std::move(result));
        slot->changed.notify_all();
    }));
    std::unique_lock lock(slot->mutex);
    slot->changed.wait(lock, [&] { return slot->result.has_value(); });
    return std::move(*slot->result);
}

inline Result<StoreStatus> check(Store& store) {
    return answer_of<StoreStatus>([&](auto reply) { store.check(std::move(reply)); });
}

}  // namespace tenon::test
