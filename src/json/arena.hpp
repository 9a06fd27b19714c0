// The memory of one message: taken in one piece, given back in one piece.
#pragma once

#include <algorithm>
#include <array>
#include <boost/json/memory_resource.hpp>
#include <memory>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::json {
class Arena;
}  // namespace tenon::json

template <>
struct boost::json::is_deallocate_trivial<tenon::json::Arena> : std::true_type {};

namespace tenon::json {

/// Values in it must not outlive it, and copies made without naming another storage are in it too. So nothing of it is
/// handed to users: they get what was assigned to a value of their own. Not thread-safe, but for reading.
class Arena final : public boost::json::memory_resource {
 public:
    Arena() {}  // NOLINT: a defaulted one would clear the memory first
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    storage_ptr storage() { return this; }

    /// What it holds of the heap, its own first piece included.
    std::size_t bytes() const { return first_.size() + taken_; }

 private:
    void* do_allocate(std::size_t bytes, std::size_t align) override {
        const std::size_t at = (used_ + align - 1) & ~(align - 1);
        if (bytes > room_ || at > room_ - bytes) return allocate_more(bytes);
        used_ = at + bytes;
        return piece_ + at;
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    // Pieces double up to 1 MiB, so that a large message leaves little unused. What is larger than half of a piece gets
    // its own, and the rest of the current piece stays in use.
    [[gnu::noinline]] void* allocate_more(std::size_t bytes) {
        const std::size_t size = std::clamp<std::size_t>(this->bytes(), 1024, 1024 * 1024);
        if (bytes > size / 2) return take(bytes);
        piece_ = take(size);
        room_ = size;
        used_ = bytes;
        return piece_;
    }
    unsigned char* take(std::size_t bytes) {
        more_.push_back(std::make_unique_for_overwrite<unsigned char[]>(bytes));  // aligned for every value
        taken_ += bytes;
        return more_.back().get();
    }

    std::size_t used_ = 0;
    // With what surrounds it, the largest piece that malloc has at hand; most messages need no other.
    alignas(std::max_align_t) std::array<unsigned char, 944> first_;
    unsigned char* piece_ = first_.data();
    std::size_t room_ = first_.size();
    std::size_t taken_ = 0;
    std::vector<std::unique_ptr<unsigned char[]>> more_;
};

}  // namespace tenon::json
