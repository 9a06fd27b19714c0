// Collects the values that callbacks receive, so a test can wait for them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include <tenon/client.hpp>

namespace tenon::test {

template <class T>
class Gathered {
 public:
    void put(T value) {
        {
            const std::lock_guard lock(mutex_);
            values_.push_back(std::move(value));
        }
        arrived_.notify_all();
    }
    /// Returns the next value. Throws when none arrives for a long time.
    T take() {
        std::unique_lock lock(mutex_);
        if (!arrived_.wait_for(lock, std::chrono::seconds(30), [this] { return !values_.empty(); }))
            throw std::runtime_error("nothing came");
        T first = std::move(values_.front());
        values_.pop_front();
        return first;
    }
    /// Returns the next value that satisfies the predicate, and drops the values before it.
    template <class F>
    T take_until(F wanted) {
        for (;;)
            if (T value = take(); wanted(value)) return value;
    }
    bool empty() const {
        const std::lock_guard lock(mutex_);
        return values_.empty();
    }

 private:
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<T> values_;
};

/// Returns the error of a failed call. Its code is 0 when the call succeeds.
inline Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Exception& e) {
        return e.error();
    }
    return {0, "no error"};
}

inline std::string text_of(const Content& content) { return std::get<TextContent>(content).text; }
/// Returns the text of the first content block, which must be a text.
inline std::string text_of(const ToolResult& result) { return text_of(result.content.at(0)); }

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <class Range>
std::vector<std::string> names_of(const Range& entries) {
    std::vector<std::string> out;
    for (const auto& entry : entries) out.push_back(entry.name);
    return out;
}

}  // namespace tenon::test
