// Bytes that arrive in pieces, and can be read straight into place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string_view>

namespace tenon::base {

/// What a std::string cannot be: room that nobody has written zeros to before.
class ByteBuffer {
 public:
    std::string_view view() const noexcept { return {memory_.get(), size_}; }
    bool empty() const noexcept { return size_ == 0; }
    std::size_t capacity() const noexcept { return capacity_; }

    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        void* larger = std::realloc(memory_.get(), capacity);  // which need not copy much memory
        if (!larger) throw std::bad_alloc();
        static_cast<void>(memory_.release());
        memory_.reset(static_cast<char*>(larger));
        capacity_ = capacity;
    }
    /// Room after the bytes, `wanted` at most; there is twice as much as before where there was none.
    std::span<char> room(std::size_t wanted) {
        if (size_ == capacity_) reserve(capacity_ + std::min(wanted, std::max(capacity_, least_capacity)));
        return {memory_.get() + size_, std::min(wanted, capacity_ - size_)};
    }
    /// Bytes that were written into room() are there already.
    void append(std::string_view bytes) {
        const bool fits = bytes.size() <= capacity_ - size_;  // where it does not, what follows is somebody else's
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
