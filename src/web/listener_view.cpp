#include "web/listener_view.hpp"

#include <utility>

namespace tenon::web {

// A client that names an event has got it on this stream. So the messages after it, up to the next mark, are the
// stream's own, even if the mark of the stream itself is no longer kept.
ListenerView::ListenerView(Start start)
    : start_(std::move(start)), owner_(start_.after > 0 ? Owner::mine : Owner::unknown) {}

ListenerView::Step ListenerView::take(std::uint64_t id, const StoredEvent& event) {
    if (!event.listens.empty() || !event.resumes.empty()) return take_mark(id, event);
    if (!is_new(event.once) || id <= start_.after) return Step::skip;
    skipped_ |= owner_ == Owner::unknown;
    return owner_ == Owner::mine ? Step::show : Step::skip;
}

ListenerView::Step ListenerView::take_mark(std::uint64_t id, const StoredEvent& mark) {
    const bool opens = !mark.listens.empty();
    const bool mine = (opens ? mark.listens : mark.resumes) == start_.stream;
    if (id > start_.mark) return opens || mine ? Step::end : Step::skip;
    if (opens) {
        const bool first = owner_ == Owner::unknown;
        owner_ = mine ? Owner::mine : Owner::other;
        if (first && mine && (!trimmed_ || start_.first) && std::exchange(skipped_, false)) {
            keys_.clear();
            key_order_.clear();
            return Step::again;
        }
    }
    if (id < start_.mark) return Step::skip;
    return owner_ == Owner::mine ? Step::live : Step::end;
}

// Remembers the key. All readers see the events of a log in the same order, so they agree which message is the first.
bool ListenerView::is_new(std::optional<std::uint64_t> key) {
    if (!key) return true;
    if (!keys_.insert(*key).second) return false;
    key_order_.push_back(*key);
    if (key_order_.size() > max_keys) {
        keys_.erase(key_order_.front());
        key_order_.pop_front();
    }
    return true;
}

}  // namespace tenon::web
