// What the checks of the conformance suite share.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/store_conformance.hpp>

namespace tenon::store::conformance {

using Millis = std::chrono::milliseconds;
inline constexpr Millis long_time = std::chrono::hours(1), short_time{20}, after_short_time{60};

/// Ends a check with this text.
struct Failed {
    std::string text;
};

/// Collects what callbacks of a store report. Callbacks own it: they may run after a check has failed.
struct Signal {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> messages;

    void add(std::string message) {
        const std::lock_guard lock(mutex);
        messages.push_back(std::move(message));
        changed.notify_all();
    }
    std::vector<std::string> all() {
        const std::lock_guard lock(mutex);
        return messages;
    }
    std::size_t count() { return all().size(); }
};

/// One run of one check.
class Run {
 public:
    explicit Run(const StoreConformance& subject);

    /// The two nodes: two Store objects over one state, or one object twice.
    Store& a() { return *a_; }
    Store& b() { return *b_; }
    std::shared_ptr<Store> open(StoreOptions options) const { return subject_.open(std::move(options)); }
    void advance(Millis time) const { subject_.advance(time); }
    bool can_overwrite() const { return static_cast<bool>(subject_.overwrite); }
    void overwrite(std::string_view kind, const std::string& id, const std::string& bytes) const {
        subject_.overwrite(kind, id, bytes);
    }

    /// Returns a name that no other run uses.
    std::string fresh(std::string_view name) const { return std::string(name) + unique_; }

    void expect(bool holds, const std::string& claim) const {
        if (!holds) throw Failed{claim};
    }
    template <class A, class B>
    void equal(const A& value, const B& expected, const std::string& what) const {
        expect(value == expected, what + " is not as expected");
    }

    /// Starts an operation and waits for its answer.
    template <class T>
    Result<T> result(const std::function<void(Reply<T>)>& start) const {
        struct Slot {
            std::mutex mutex;
            std::condition_variable changed;
            std::optional<Result<T>> result;
        };
        const auto slot = std::make_shared<Slot>();
        start(make_reply<T>([slot](Result<T>&& answer) {
            const std::lock_guard lock(slot->mutex);
            slot->result.emplace(std::move(answer));
            slot->changed.notify_all();
        }));
        std::unique_lock lock(slot->mutex);
        expect(slot->changed.wait_for(lock, subject_.patience, [&] { return slot->result.has_value(); }),
               "an operation was not answered");
        return std::move(*slot->result);
    }
    template <class T>
    T value(const std::string& what, const std::function<void(Reply<T>)>& start) const {
        auto out = result<T>(start);
        if (!out) throw Failed{what + " failed: " + out.error().message};
        if constexpr (!std::is_void_v<T>) return std::move(*out);
    }
    template <class T>
    void refused(int error, const std::string& what, const std::function<void(Reply<T>)>& start) const {
        const auto out = result<T>(start);
        if (out) throw Failed{what + " succeeded, but must fail with error " + std::to_string(error)};
        if (out.error().code != error)
            throw Failed{what + " must fail with error " + std::to_string(error) + ", but failed with " +
                         std::to_string(out.error().code) + ": " + out.error().message};
    }

    /// Waits until the signal has at least `count` messages.
    void wait_for(const std::string& what, const std::shared_ptr<Signal>& signal, std::size_t count) const {
        std::unique_lock lock(signal->mutex);
        expect(signal->changed.wait_for(lock, subject_.patience, [&] { return signal->messages.size() >= count; }),
               what + " did not happen");
    }

    /// Runs a function on several threads at once, with their numbers, and waits for them.
    void on_threads(int count, const std::function<void(int)>& work) const;

 private:
    const StoreConformance& subject_;
    std::string unique_;
    std::shared_ptr<Store> a_, b_;
};

struct Check {
    std::string_view name;
    void (*run)(Run&);
};
std::vector<Check> session_checks();
std::vector<Check> event_checks();
std::vector<Check> task_checks();
std::vector<Check> bus_checks();
std::vector<Check> value_checks();
std::vector<Check> common_checks();

/// Keys that could confuse a store: each is different, also where a store encodes, cuts or compares text.
std::vector<std::string> hostile_names();
/// All 256 bytes.
std::string all_bytes();

}  // namespace tenon::store::conformance
