// Bytes that are the same each time but for a number. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

namespace tenon::load {

/// The numbers of requests: all of the same width, so that they can be written over each other.
inline constexpr std::size_t number_width = 10;
inline constexpr std::uint64_t first_number = 1'000'000'000, last_number = 9'999'999'999;

/// Made once by something slow, then only its numbers are written anew.
class Stencil {
 public:
    using Render = std::function<std::string(std::uint64_t number)>;

    Stencil() = default;
    /// Fails when the number changes anything but its own digits.
    static Result<Stencil> of(const Render& render);

    /// The bytes for this number; valid until the next call.
    std::string_view with(std::uint64_t number);
    std::size_t size() const { return bytes_.size(); }

 private:
    std::string bytes_;
    std::vector<std::size_t> places_;
};

}  // namespace tenon::load
