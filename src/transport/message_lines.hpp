// Reads the messages of a server, one per line.
#pragma once

#include <optional>
#include <string_view>

#include <tenon/client_transport.hpp>

#include "framing/line_framer.hpp"
#include "jsonrpc/envelope_scan.hpp"

namespace tenon {

/// Turns a server's output into events. In a line over the limit it reads only the envelope, and fails the requests
/// that the line answers. Not thread-safe.
class MessageLines {
 public:
    MessageLines(const ClientTransport::Events& events, std::size_t max_message_bytes)
        : sink_{events, {}, 0, max_message_bytes}, framer_(max_message_bytes) {}

    void feed(std::string_view bytes) { framer_.feed(bytes, sink_); }
    framing::LineFramer::End end() { return framer_.end(); }

 private:
    struct Sink {
        void line(std::string_view text) { events.message(text); }
        void too_long(std::size_t limit);
        void dropped(std::string_view bytes);
        void dropped_all();

        const ClientTransport::Events& events;
        std::optional<jsonrpc::EnvelopeScan> scan;  // reads a line that is too long
        std::size_t told;                           // number of responses in it whose requests were failed
        std::size_t max_message_bytes;
    };
    Sink sink_;
    framing::LineFramer framer_;
};

}  // namespace tenon
