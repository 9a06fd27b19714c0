// Transcript: all messages of a check, in order, as evidence. Pure, and bounded.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/check.hpp>

namespace tenon::check {

class Transcript {
 public:
    /// Keeps at most `max_bytes` of each entry, and at most `max_entries` entries.
    explicit Transcript(std::size_t max_bytes, std::size_t max_entries = 2000)
        : max_bytes_(max_bytes), max_entries_(max_entries) {}

    void add(Evidence::Direction direction, std::string_view bytes);
    void sent(std::string_view bytes) { add(Evidence::Direction::sent, bytes); }
    void received(std::string_view bytes) { add(Evidence::Direction::received, bytes); }
    void note(std::string_view words) { add(Evidence::Direction::note, words); }

    /// Returns the current position.
    std::size_t mark() const { return dropped_ + entries_.size(); }
    /// Returns the entries since a position. If there are very many, returns only the first and the last ones.
    std::vector<Evidence> since(std::size_t mark) const;
    /// Makes an entry, with its bytes cut at the limit.
    Evidence entry(Evidence::Direction direction, std::string_view bytes) const;

 private:
    std::size_t max_bytes_, max_entries_;
    std::size_t dropped_ = 0;
    std::deque<Evidence> entries_;
};

}  // namespace tenon::check
