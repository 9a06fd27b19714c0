// Transcript: everything that was said during a check, in order, as evidence. Pure, and bounded.
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
    /// `max_bytes` of one entry are kept, and `max_entries` of them.
    explicit Transcript(std::size_t max_bytes, std::size_t max_entries = 2000)
        : max_bytes_(max_bytes), max_entries_(max_entries) {}

    void add(Evidence::Direction direction, std::string_view bytes);
    void sent(std::string_view bytes) { add(Evidence::Direction::sent, bytes); }
    void received(std::string_view bytes) { add(Evidence::Direction::received, bytes); }
    void note(std::string_view words) { add(Evidence::Direction::note, words); }

    /// A place to come back to: what is said from now on comes after it.
    std::size_t mark() const { return dropped_ + entries_.size(); }
    /// What was said since then: of very much, the beginning and the end.
    std::vector<Evidence> since(std::size_t mark) const;
    /// One entry: of its bytes at most what is kept.
    Evidence entry(Evidence::Direction direction, std::string_view bytes) const;

 private:
    std::size_t max_bytes_, max_entries_;
    std::size_t dropped_ = 0;
    std::deque<Evidence> entries_;
};

}  // namespace tenon::check
