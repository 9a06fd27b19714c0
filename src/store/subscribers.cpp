#include "store/subscribers.hpp"

#include <algorithm>
#include <atomic>

namespace tenon::store {

struct Subscribers::Entry {
    explicit Entry(Listener functions) : listener(std::move(functions)) {}
    const Listener listener;
    std::atomic<bool> ended = false;
    std::mutex mutex;
    bool running = false, gap = false, begun = false;  // guarded by mutex, like the rest
    std::deque<std::string> waiting;
};

Subscription Subscribers::add(std::string topic, Listener listener, bool announce) {
    const auto entry = std::make_shared<Entry>(std::move(listener));
    Changed tell_first;
    {
        const std::lock_guard lock(mutex_);
        if (count_ >= max_subscriptions_) {
            announce = true;  // the caller reads once, but gets no messages
        } else {
            ++count_;
            auto& list = entries_[topic];
            list.push_back(entry);
            if (list.size() == 1) tell_first = changed_;
        }
    }
    std::shared_ptr<void> ends(nullptr, [weak = weak_from_this(), entry, topic](void*) {
        entry->ended = true;
        if (const auto self = weak.lock()) self->remove(topic, entry.get());
    });
    if (tell_first) tell_first(topic);
    if (announce) tell(entry, nullptr);
    return Subscription(std::move(ends));
}

void Subscribers::remove(const std::string& topic, const Entry* entry) {
    Changed tell_last;
    {
        const std::lock_guard lock(mutex_);
        const auto it = entries_.find(topic);
        if (it == entries_.end()) return;
        count_ -= std::erase_if(it->second, [&](const EntryPtr& e) { return e.get() == entry; });
        if (!it->second.empty()) return;
        entries_.erase(it);
        tell_last = changed_;
    }
    if (tell_last) tell_last(topic);
}

bool Subscribers::has(std::string_view topic) const {
    const std::lock_guard lock(mutex_);
    return entries_.contains(topic);
}

bool Subscribers::empty() const {
    const std::lock_guard lock(mutex_);
    return entries_.empty();
}

std::vector<std::string> Subscribers::topics() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (const auto& [topic, list] : entries_) out.push_back(topic);
    return out;
}

std::vector<Subscribers::EntryPtr> Subscribers::entries_of(std::string_view topic) const {
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(topic);
    return it == entries_.end() ? std::vector<EntryPtr>{} : it->second;
}

void Subscribers::publish(std::string_view topic, std::string_view bytes) {
    const auto entries = entries_of(topic);
    if (entries.empty()) return;
    const std::string message(bytes);
    for (const auto& entry : entries) tell(entry, &message);
}

void Subscribers::gap(std::string_view topic) {
    for (const auto& entry : entries_of(topic)) tell(entry, nullptr);
}

void Subscribers::begin(std::string_view topic) {
    for (const auto& entry : entries_of(topic)) {
        {
            const std::lock_guard lock(entry->mutex);
            if (entry->begun) continue;
        }
        tell(entry, nullptr);
    }
}

void Subscribers::gap_all() {
    for (const auto& topic : topics()) gap(topic);
}

void Subscribers::close() {
    const std::lock_guard lock(mutex_);
    for (const auto& [topic, list] : entries_)
        for (const auto& entry : list) entry->ended = true;
    entries_.clear();
    count_ = 0;
    changed_ = nullptr;
}

void Subscribers::tell(const EntryPtr& entry, const std::string* message) const {
    {
        const std::lock_guard lock(entry->mutex);
        if (!message) {
            entry->gap = entry->begun = true;
        } else if (entry->waiting.size() >= max_waiting_) {
            entry->waiting.clear();  // the listener is too slow: it must read again anyway
            entry->gap = true;
        } else {
            entry->waiting.push_back(*message);
        }
        if (std::exchange(entry->running, true)) return;
    }
    for (;;) {
        std::string next;
        bool gap = false;
        {
            const std::lock_guard lock(entry->mutex);
            gap = std::exchange(entry->gap, false);
            if (!gap && entry->waiting.empty()) {
                entry->running = false;
                return;
            }
            if (!gap) {
                next = std::move(entry->waiting.front());
                entry->waiting.pop_front();
            }
        }
        if (entry->ended) continue;
        if (!gap)
            entry->listener.on_message(next);
        else if (entry->listener.on_gap)
            entry->listener.on_gap();
    }
}

}  // namespace tenon::store
