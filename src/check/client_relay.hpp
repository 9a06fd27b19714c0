// What the relay and the checker say to each other. From the relay: frames; to it: what it writes to its stdout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::check::client {

enum class Signal : char {
    data = 'd',        ///< from its stdin
    end = 'e',         ///< of its stdin
    terminated = 't',  ///< it got SIGTERM
};

struct Frame {
    Signal signal = Signal::data;
    std::string bytes = {};
};

std::string write_frame(Signal signal, std::string_view bytes = {});
/// Takes one from the front of `buffer`; nothing when it is not whole.
std::optional<Frame> take_frame(std::string& buffer);

}  // namespace tenon::check::client
