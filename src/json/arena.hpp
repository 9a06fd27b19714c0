// The memory of one message: taken in one piece, given back in one piece.
#pragma once

#include <array>
#include <boost/json/memory_resource.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <memory>

#include <tenon/json.hpp>

#include "base/memory_budget.hpp"

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
    /// Returns the bytes that were taken from it.
    std::size_t bytes() const { return used_ + more_bytes_; }
    /// Keeps the charge for this memory until the memory is given back.
    void hold(base::MemoryCharge charge) { charge_ = std::move(charge); }

 private:
    void* do_allocate(std::size_t bytes, std::size_t align) override {
        const std::size_t at = (used_ + align - 1) & ~(align - 1);
        if (bytes > first_.size() || at > first_.size() - bytes) {
            more_bytes_ += bytes;
            return more_.allocate(bytes, align);
        }
        used_ = at + bytes;
        return first_.data() + at;
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    base::MemoryCharge charge_;
    std::size_t used_ = 0, more_bytes_ = 0;
    // With what surrounds it, the largest piece that malloc has at hand; most messages need no other.
    alignas(std::max_align_t) std::array<unsigned char, 864> first_;
    boost::json::monotonic_resource more_;
};

}  // namespace tenon::json
