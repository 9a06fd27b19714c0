#include "check/wire/transcript.hpp"

#include <algorithm>

#include "runtime/wire.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t shown_first = 4, shown_last = 12;

// Shows the message to TENON_TRACE. All conversations of a check count as one connection.
void show_in_trace(Evidence::Direction direction, std::string_view bytes) {
    static const Wire wire(trace_of_environment(), WireMessage::Side::client);
    if (direction == Evidence::Direction::sent) wire.sent(bytes);
    if (direction == Evidence::Direction::received) wire.received(bytes);
}

}  // namespace

Evidence Transcript::entry(Evidence::Direction direction, std::string_view bytes) const {
    const std::size_t kept = std::min(bytes.size(), max_bytes_);
    return {direction, std::string(bytes.substr(0, kept)), bytes.size() - kept};
}

void Transcript::add(Evidence::Direction direction, std::string_view bytes) {
    show_in_trace(direction, bytes);
    entries_.push_back(entry(direction, bytes));
    if (entries_.size() <= max_entries_) return;
    entries_.pop_front();
    ++dropped_;
}

std::vector<Evidence> Transcript::since(std::size_t mark) const {
    const std::size_t first = std::min(std::max(mark, dropped_) - dropped_, entries_.size());
    const std::size_t count = entries_.size() - first;
    const auto at = [&](std::size_t i) { return entries_.begin() + static_cast<std::ptrdiff_t>(first + i); };
    if (count <= shown_first + shown_last) return {at(0), entries_.end()};
    std::vector<Evidence> out(at(0), at(shown_first));
    out.push_back({Evidence::Direction::note,
                   "(" + std::to_string(count - shown_first - shown_last) + " messages are not shown)"});
    out.insert(out.end(), at(count - shown_last), entries_.end());
    return out;
}

}  // namespace tenon::check
