// The interface for answering one HTTP request. It hides how the response gets onto the connection.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/limit_name.hpp>

#include "base/late_stop.hpp"

namespace tenon::web {

using Fields = std::vector<std::pair<std::string_view, std::string>>;

/// A complete response. Without a body and a content type, it is only a status.
struct Response {
    int status = 200;
    Fields fields = {};
    std::string_view content_type = {};
    std::string body = {};
    bool head_only = false;             ///< for HEAD: sends only the length of the body, not the body
    std::string why = {};               ///< the reason of a refusal, for logs and observers; not sent
    int error = 0;                      ///< its JSON-RPC code
    LimitName limit = LimitName::none;  ///< that refused it
};

/// Answers one request. Call either respond(), or begin_stream(), any number of write() and end(). Release the writer
/// after respond() or end(). If the client has left, calls have no effect. Thread-safe.
class ResponseWriter {
 public:
    virtual ~ResponseWriter() = default;
    virtual void respond(Response response) = 0;
    /// Begins a response with status 200 and server-sent events. write() sends the bytes of the events.
    virtual void begin_stream(Fields fields) = 0;
    virtual void write(std::string bytes) = 0;
    virtual void end() = 0;
    /// Closes the connection of a response that cannot be completed, for example because memory is short.
    virtual void fail() noexcept {}
    /// Back pressure: waits while the client is far behind with reading the stream, until `stop`. Call it only on a
    /// thread that may wait, and hold no lock.
    virtual void wait_for_reader([[maybe_unused]] base::LateStop& stop) {}
};

/// The producer of a response. Thread-safe.
class Responder {
 public:
    virtual ~Responder() = default;
    /// Called when the client of this writer has left before the end of its response.
    virtual void client_gone(const ResponseWriter& writer) = 0;
    /// Writes something with no meaning to this writer. That shows whether the client is still connected.
    virtual void probe(const ResponseWriter& writer) = 0;
};

}  // namespace tenon::web
