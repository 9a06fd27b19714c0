// Stencil: a message that is encoded once and sent many times, each time with a new number. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

namespace tenon::load {

/// Request numbers. All have the same width, so one can overwrite another in place.
inline constexpr std::size_t number_width = 10;
inline constexpr std::uint64_t first_number = 1'000'000'000, last_number = 9'999'999'999;

/// Holds the encoded bytes and the places of the number.
class Stencil {
 public:
    using Render = std::function<std::string(std::uint64_t number)>;

    Stencil() = default;
    /// Encodes the message with `render`. Fails if a new number changes more than the digits of the number.
    static Result<Stencil> of(const Render& render);

    /// Returns the bytes for this number; valid until the next call.
    std::string_view with(std::uint64_t number);
    std::size_t size() const { return bytes_.size(); }

 private:
    std::string bytes_;
    std::vector<std::size_t> places_;
};

}  // namespace tenon::load
