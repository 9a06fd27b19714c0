// The memory of one decoded message: freed as a whole.
#pragma once

#include <algorithm>
#include <array>
#include <boost/json/memory_resource.hpp>
#include <memory>
#include <vector>

#include <tenon/json.hpp>

#include "base/memory_budget.hpp"

namespace tenon::json {
class Arena;
}  // namespace tenon::json

template <>
struct boost::json::is_deallocate_trivial<tenon::json::Arena> : std::true_type {};

namespace tenon::json {

/// Allocates from a few large pieces, and frees only as a whole. Values in the arena must not outlive it. Copies of
/// them are in the arena, too, unless another storage is named. So users never get a value in the arena: they get a
/// copy on the heap. Not thread-safe, except for reading.
class Arena final : public boost::json::memory_resource {
 public:
    Arena() {}  // NOLINT: a defaulted one would clear the memory first
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    storage_ptr storage() { return this; }
    /// Returns the bytes of all pieces, including the first one inside this object.
    std::size_t bytes() const { return first_.size() + taken_; }
    /// Keeps the charge for this memory until the arena is destroyed.
    void hold(base::MemoryCharge charge) { charge_ = std::move(charge); }

 private:
    void* do_allocate(std::size_t bytes, std::size_t align) override {
        const std::size_t at = (used_ + align - 1) & ~(align - 1);
        if (bytes > room_ || at > room_ - bytes) return allocate_more(bytes);
        used_ = at + bytes;
        return piece_ + at;
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    base::MemoryCharge charge_;
    // Pieces double in size up to 1 MiB, so a large message leaves little unused. A block larger than half a piece gets
    // a piece of its own, and the current piece stays in use.
    void* allocate_more(std::size_t bytes) {
        const std::size_t size = std::clamp<std::size_t>(this->bytes(), 1024, 1024 * 1024);
        if (bytes > size / 2) return take(bytes);
        piece_ = take(size);
        room_ = size;
        used_ = bytes;
        return piece_;
    }
    unsigned char* take(std::size_t bytes) {
        more_.push_back(std::make_unique_for_overwrite<unsigned char[]>(bytes));  // aligned for all types
        taken_ += bytes;
        return more_.back().get();
    }

    std::size_t used_ = 0;
    // Sized so that the whole object is the largest block that malloc caches. Most messages need no other piece.
    alignas(std::max_align_t) std::array<unsigned char, 912> first_;
    unsigned char* piece_ = first_.data();
    std::size_t room_ = first_.size();
    std::size_t taken_ = 0;
    std::vector<std::unique_ptr<unsigned char[]>> more_;
};

}  // namespace tenon::json
