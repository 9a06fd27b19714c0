// The protocol between relay and checker. The relay sends frames; the checker sends the bytes for the relay's stdout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::check::client {

enum class Signal : char {
    data = 'd',        ///< bytes from its stdin
    end = 'e',         ///< end of its stdin
    terminated = 't',  ///< the relay got SIGTERM
};

struct Frame {
    Signal signal = Signal::data;
    std::string bytes = {};
};

std::string write_frame(Signal signal, std::string_view bytes = {});
/// Takes one frame from the front of `buffer`, or returns nothing when it is incomplete.
std::optional<Frame> take_frame(std::string& buffer);

}  // namespace tenon::check::client
