// Shows the messages of one connection to the taps of its server or client.
#pragma once

#include <memory>
#include <string_view>

#include <tenon/wire_tap.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

using WireTapPtr = std::shared_ptr<const WireTap>;

/// Returns one tap for the tap of the options and for TENON_TRACE; null: there is neither.
WireTapPtr taps(WireTap own);
/// Returns the tap of TENON_TRACE; null: it is not set. It is read once.
const WireTapPtr& trace_of_environment();

/// One connection. Does nothing without a tap. Cheap to copy. Thread-safe.
class Wire {
 public:
    Wire() = default;
    Wire(WireTapPtr tap, WireMessage::Side side);

    explicit operator bool() const { return tap_ != nullptr; }
    void received(std::string_view text) const noexcept {
        if (tap_) show(WireMessage::Direction::received, text, 0);
    }
    void sent(std::string_view text, int http_status = 0) const noexcept {
        if (tap_) show(WireMessage::Direction::sent, text, http_status);
    }
    /// Shows the messages in server-sent events.
    void sent_events(std::string_view events) const noexcept;

 private:
    void show(WireMessage::Direction direction, std::string_view text, int http_status) const noexcept;

    WireTapPtr tap_;
    WireMessage::Side side_ = WireMessage::Side::server;
    std::uint64_t connection_ = 0;
};

}  // namespace tenon

#pragma GCC visibility pop
