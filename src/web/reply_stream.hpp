// Decides whether the response to one HTTP request is JSON or a stream of server-sent events, and when it ends.
//
//     phase       event                                     action                         next phase
//     undecided   the response                              sends it as JSON               ended
//     undecided   another message, the second keep-alive,   begins the stream              streaming
//                 a probe, the end
//     streaming   a message, keep-alive or probe            writes an event or a comment   streaming
//     streaming   the end                                   ends the stream                ended
//
// A stream of a session may lose its connection in any phase, and get another one later.
#pragma once

#include <memory>
#include <string>

#include "core/server/action.hpp"
#include "web/response_writer.hpp"

namespace tenon::web {

/// The two forms of a message in an HTTP response.
enum class MessageForm { json, event };

/// The response to one request. Not thread-safe.
class ReplyStream {
 public:
    using WriterPtr = std::shared_ptr<ResponseWriter>;

    ReplyStream() = default;
    explicit ReplyStream(WriterPtr writer) : writer_(std::move(writer)) {}

    bool connected() const { return writer_ != nullptr; }
    /// Returns whether the response has begun, on this connection or an earlier one.
    bool begun() const { return phase_ != Phase::undecided; }
    /// Returns whether the response can still be JSON: it is the first message.
    bool can_be_json() const { return connected() && phase_ == Phase::undecided; }
    /// Decides the form of the next message: a response that is the first message is JSON, everything else is an event.
    MessageForm form_of(const core::Send& message) const {
        return message.answers && can_be_json() ? MessageForm::json : MessageForm::event;
    }
    bool has(const ResponseWriter* writer) const { return writer_.get() == writer; }
    /// Returns the writer of the connection, or null without one.
    const WriterPtr& writer() const { return writer_; }

    /// Sends the whole response at once. Needs can_be_json().
    void respond(Response response);
    /// Begins a stream. Needs a connection, and a phase that is undecided.
    void begin(Fields fields);
    /// Writes bytes of events to the stream. Does nothing without a connection.
    void write(std::string bytes);
    /// Ends the response. An undecided response must begin a stream first.
    void end();

    /// Counts a round of keep-alives. Returns whether an undecided response should begin a stream now: a proxy may
    /// close a silent connection.
    bool is_silent_too_long() { return can_be_json() && ++silent_rounds_ > 1; }
    /// Writes a comment, which clients ignore, if a stream has begun.
    void write_comment();

    /// The connection was lost.
    void detach() { writer_.reset(); }
    /// Closes the connection, but not the stream.
    void disconnect();
    /// Continues the stream on another connection.
    void attach(WriterPtr writer, Fields fields);

 private:
    enum class Phase { undecided, streaming, ended };

    WriterPtr writer_;
    Phase phase_ = Phase::undecided;
    int silent_rounds_ = 0;
};

}  // namespace tenon::web
