// A buffer for bytes that arrive in pieces. A reader can write directly into its free space.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string_view>

namespace tenon::base {

/// A growing buffer. Unlike std::string it does not fill new space with zeros.
class ByteBuffer {
 public:
    std::string_view view() const noexcept { return {memory_.get(), size_}; }
    bool empty() const noexcept { return size_ == 0; }
    std::size_t capacity() const noexcept { return capacity_; }

    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        void* larger = std::realloc(memory_.get(), capacity);  // often avoids copying large blocks
        if (!larger) throw std::bad_alloc();
        static_cast<void>(memory_.release());
        memory_.reset(static_cast<char*>(larger));
        capacity_ = capacity;
    }
    /// Returns free space after the bytes: at least one byte, at most `wanted`. Grows a full buffer by at most its
    /// capacity or 4 KiB.
    std::span<char> room(std::size_t wanted) {
        if (size_ == capacity_) reserve(capacity_ + std::min(wanted, std::max(capacity_, least_capacity)));
        return {memory_.get() + size_, std::min(wanted, capacity_ - size_)};
    }
    /// Appends bytes. Does not copy bytes that were written into room().
    void append(std::string_view bytes) {
        const bool fits = bytes.size() <= capacity_ - size_;  // if not, `bytes` cannot be in room()
        if (!fits || bytes.data() != memory_.get() + size_) {
            if (!fits) reserve(std::max(size_ + bytes.size(), 2 * capacity_));
            std::copy_n(bytes.data(), bytes.size(), memory_.get() + size_);
        }
        size_ += bytes.size();
    }
    void clear() noexcept { size_ = 0; }
    void give_back() noexcept {
        memory_.reset();
        size_ = capacity_ = 0;
    }

 private:
    static constexpr std::size_t least_capacity = 4 * 1024;

    struct Free {
        void operator()(char* memory) const noexcept { std::free(memory); }
    };

    std::unique_ptr<char, Free> memory_;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace tenon::base
