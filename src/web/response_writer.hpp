// One HTTP request being answered, as the rules see it: what they want said, without how it gets onto the wire.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::web {

using Fields = std::vector<std::pair<std::string_view, std::string>>;

/// A whole answer. No body and no content type: there is nothing more to say than the status.
struct Response {
    int status = 200;
    Fields fields = {};
    std::string_view content_type = {};
    std::string body = {};
    bool head_only = false;  ///< the body is not sent, only its length: the answer to HEAD
};

/// Either respond(), or begin_stream(), write() any number of times, and end(). Whoever was answered is let go of; what
/// is said to a client that is gone is not heard. Thread-safe.
class ResponseWriter {
 public:
    virtual ~ResponseWriter() = default;
    virtual void respond(Response response) = 0;
    /// 200 with server-sent events, of which write() sends bytes.
    virtual void begin_stream(Fields fields) = 0;
    virtual void write(std::string bytes) = 0;
    virtual void end() = 0;
};

/// Whoever answers exchanges. Thread-safe.
class Responder {
 public:
    virtual ~Responder() = default;
    /// The client of this writer is gone, and has not heard the end of its answer.
    virtual void client_gone(const ResponseWriter& writer) = 0;
};

}  // namespace tenon::web
