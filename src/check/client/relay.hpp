// The protocol between relay and checker. The relay sends frames; the checker sends the bytes for the relay's stdout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::check::client {

enum class Signal : char {
    data = 'd',        ///< bytes from the relay's stdin
    end = 'e',         ///< end of the relay's stdin
    terminated = 't',  ///< the relay got SIGTERM
};

struct Frame {
    Signal signal = Signal::data;
    std::string bytes = {};
};

std::string write_frame(Signal signal, std::string_view bytes = {});
/// Removes one frame from the front of `buffer` and returns it. Returns nothing when the frame is incomplete.
std::optional<Frame> take_frame(std::string& buffer);

}  // namespace tenon::check::client
