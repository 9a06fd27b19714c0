// The streams of one session (2025-11-25 and before): which message goes where, and what a client that lost its
// connection may have again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "base/memory_budget.hpp"
#include "core/server/action.hpp"
#include "web/response_writer.hpp"

namespace tenon::web {

/// Every message goes to exactly one stream: what belongs to a request to the stream of its POST, the rest to a stream
/// of a GET. A stream outlives its connection until it is told to the end, and a while longer. Not thread-safe.
class Streams {
 public:
    struct Options {
        std::string session_id = {};
        std::size_t max_streams = 64;                ///< that are open at once
        std::size_t max_ended_streams = 64;          ///< that are kept for a client that has lost their end
        std::size_t max_stored_bytes = 1024 * 1024;  ///< of events that a client may ask for again
        bool keep_events = true;
        base::MemoryAccountPtr memory = {};  ///< is charged for those events
    };
    using WriterPtr = std::shared_ptr<ResponseWriter>;
    using Number = core::ReplyTo;

    explicit Streams(Options options) : options_(std::move(options)), charge_(options_.memory) {}

    /// Whether streams begin with an empty event, so that a client can come back before it has seen a message.
    void set_priming(bool on) { priming_ = on; }
    void set_session_id(std::string id) { options_.session_id = std::move(id); }

    /// For a POST: its answer is JSON, unless something has to be said before it.
    /// Where nothing wants an answer, finish() says that it was accepted.
    Result<Number> open(WriterPtr writer, bool wants_answer = true);
    /// For a GET.
    Result<Number> listen(WriterPtr writer);
    /// For a GET that goes on where another connection ended; 204 when there will be nothing more.
    Result<Number> resume(WriterPtr writer, std::string_view last_event_id);

    void send(core::Send&& message);
    /// The request of this stream will never be answered.
    void finish(Number number);
    /// The connection is gone; the stream waits for the client to come back.
    void detach(const ResponseWriter* writer);
    /// Ends the connection and not the stream: the client comes back after `retry_ms`.
    void let_poll(Number number, long long retry_ms);
    void keep_alive();
    /// 2024-11-05: tells the listener where its messages are to be sent.
    void announce(std::string_view path);
    /// For good: nothing can be opened any more.
    void end_all();

    std::size_t attached() const;
    std::size_t stored_bytes() const { return stored_bytes_; }

 private:
    struct Event {
        std::uint64_t number;
        std::string bytes;
    };
    struct Stream {
        Number number;
        WriterPtr writer = {};  // nobody is connected when empty
        bool begun = false;     // something was said
        bool listens = false;
        bool over = false;
        bool heard = false;     // to its end, as far as can be known here
        int silent_rounds = 0;  // of keep_alive(), since the request came
        bool wants_answer = true;
        std::uint64_t next_event = 0;
        std::uint64_t forgotten = 0;   // events before this one are no longer stored
        std::list<Event> events = {};  // costs nothing while it is empty, as nearly all are
    };

    Result<Number> add(WriterPtr writer, bool listens);
    Stream* find(Number number);
    void keep_lost_listener(Stream& stream);
    Stream& listener();
    void begin(Stream& stream);
    void tell(Stream& stream, std::string_view data, std::optional<long long> retry_ms = {});
    void store(Stream& stream, std::uint64_t number, std::string bytes);
    void end(Stream& stream);
    void forget(Number number);
    void make_room(const Stream& newest);
    bool full();
    void forget_oldest_event(Stream& stream);
    Fields fields() const;
    std::string event_id(const Stream& stream, std::uint64_t event) const;

    Options options_;
    bool priming_ = false;
    bool ended_ = false;
    Number last_number_ = 0;
    std::map<Number, Stream> streams_;
    std::size_t stored_bytes_ = 0;
    base::MemoryCharge charge_;  // for them
};

}  // namespace tenon::web
