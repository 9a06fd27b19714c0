#include "inspect/event_ring.hpp"

#include <algorithm>

namespace tenon::inspect {

std::string write_event(std::string_view type, std::string_view data) {
    std::string out = "event: ";
    out.append(type).append("\ndata: ").append(data).append("\n\n");
    return out;
}

std::uint64_t EventRing::add(std::string_view type, std::string_view data) {
    const std::uint64_t number = last() + 1;
    std::string text = "id: " + std::to_string(number) + "\n" + write_event(type, data);
    bytes_ += text.size();
    events_.push_back(std::move(text));
    while (events_.size() > limits_.max_events || (bytes_ > limits_.max_bytes && events_.size() > 1)) {
        bytes_ -= events_.front().size();
        events_.pop_front();
        ++first_;
    }
    return number;
}

std::string EventRing::after(std::uint64_t& cursor, std::size_t max_bytes) const {
    std::string out;
    cursor = std::min(cursor, last());  // a number of an earlier run
    if (cursor + 1 < first_) {
        out = write_event("lost",
                          R"({"from":)" + std::to_string(cursor + 1) + R"(,"to":)" + std::to_string(first_ - 1) + "}");
        cursor = first_ - 1;
    }
    for (std::size_t i = cursor + 1 - first_; i < events_.size(); ++i) {
        if (!out.empty() && out.size() + events_[i].size() > max_bytes) break;
        out += events_[i];
        ++cursor;
    }
    return out;
}

}  // namespace tenon::inspect
