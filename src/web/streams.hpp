// The streams of one session (2025-11-25 and before). Sends each message to the right stream, and stores events for
// clients that lost their connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "base/memory_budget.hpp"
#include "core/server/action.hpp"
#include "web/reply_stream.hpp"

namespace tenon::web {

/// Every message goes to exactly one stream: messages of a request go to the stream of its POST, all others to a stream
/// of a GET. A stream survives the loss of its connection, and is kept for a while after its end. Not thread-safe.
class Streams {
 public:
    struct Options {
        std::string session_id = {};
        std::size_t max_streams = 64;                ///< open streams
        std::size_t max_ended_streams = 64;          ///< ended streams that are kept, in case the client lost the end
        std::size_t max_stored_bytes = 1024 * 1024;  ///< size of the stored events
        bool keep_events = true;                     ///< store events, so that clients can resume streams
        base::MemoryAccountPtr memory = {};          ///< counts the memory of the stored events
        /// Stores an event of a stream in a log that other nodes can read, and calls stored() later, in order. nullopt:
        /// only finishes the log. `last`: the log is finished after it. Must not call this object. Empty (default): the
        /// events are stored here.
        std::function<void(core::ReplyTo stream, std::optional<std::string> payload, bool last)> append = {};
        std::string node = {};  ///< with `append`: begins the names of streams
    };
    using WriterPtr = ReplyStream::WriterPtr;
    using Number = core::ReplyTo;

    explicit Streams(Options options) : options_(std::move(options)), charge_(options_.memory) {}

    /// Sets whether streams begin with an empty event. Its id lets a client resume a stream before the first message.
    void set_priming(bool on) { priming_ = on; }
    void set_session_id(std::string id) { options_.session_id = std::move(id); }

    /// Opens a stream for a POST. The response is plain JSON unless another message comes first. With `wants_answer` =
    /// false there is no response to wait for, and finish() answers 202.
    Result<Number> open(WriterPtr writer, bool wants_answer = true);
    using Append = std::function<void(Number stream, std::optional<std::string> payload, bool last)>;
    /// Sets Options::append and Options::node. The numbers of streams are above `base`. Call it before the first
    /// stream.
    void share(std::string node, Number base, Append append) {
        last_number_ = base;
        options_.node = std::move(node);
        options_.append = std::move(append);
    }
    /// With Options::append: sets the ids of the stream's requests, a JSON array. The log begins with them.
    void set_requests(Number number, std::string ids);
    /// Returns what set_requests() has set, or nothing for a stream that is over.
    std::string_view requests_of(Number number) {
        const Stream* stream = find(number);
        return stream ? std::string_view(stream->requests) : std::string_view();
    }
    /// With Options::append: begins the stream with an empty event, if clients understand that: see set_priming().
    void prime(Number number) {
        if (Stream* stream = find(number); stream && priming_) begin(*stream);
    }
    /// With Options::append: forgets a stream whose log another node has ended, and closes its connection without a
    /// response. The client finds the rest in the log.
    void give_up(Number number);
    /// Opens a stream for a GET.
    Result<Number> listen(WriterPtr writer);
    /// Continues a stream after a GET with Last-Event-ID. Answers 204 when the stream has ended and has no more events.
    Result<Number> resume(WriterPtr writer, std::string_view last_event_id);

    void send(core::Send&& message);
    /// Ends a stream whose request will get no response.
    void finish(Number number);
    /// Reports that a connection was lost. Its stream waits until the client reconnects.
    void detach(const ResponseWriter* writer);
    /// Ends the connection but not the stream: the client reconnects after `retry_ms`.
    void let_poll(Number number, long long retry_ms);
    /// Writes a comment to every connected stream.
    void keep_alive();
    /// Writes a comment to one stream.
    void probe(const ResponseWriter* writer);
    /// With Options::append: writes the oldest event that is not written yet to its client. `id` is its number in the
    /// log, or nullopt when it could not be stored: then the client gets it without an id.
    void stored(Number number, std::optional<std::uint64_t> id);
    /// The same for an event that the store could not take just now. An answer is kept as well: see store_again().
    void keep_unstored(Number number);
    /// Calls Options::append again for the answers that keep_unstored() has kept. Each ends its log, so the store
    /// refuses one that it has already. Returns whether the store lacks any.
    bool store_again();
    /// Closes the connection of a stream, if it has one: the client resumed it on another connection.
    void release(Number number);
    /// With Options::append: returns the name of a stream's log.
    std::string log_name(Number number) const { return options_.node + "." + std::to_string(number); }
    /// 2024-11-05: tells the listener the path for its messages.
    void announce(std::string_view path);
    /// Closes all connections, without an end of their responses.
    void fail_all() noexcept;
    /// Ends all streams. No stream can be opened afterwards.
    void end_all();

    /// Returns the writer to which messages for this request go, or null without a connection. 0: for no request.
    WriterPtr writer_of(Number number);
    /// Returns the number of streams with a connection.
    std::size_t attached() const;
    std::size_t stored_bytes() const { return stored_bytes_; }

 private:
    struct Event {
        std::uint64_t number;
        std::string bytes;
    };
    /// With Options::append: where the answer of a stream is.
    enum class Answer : std::uint8_t { none, on_its_way, unstored };
    struct Stream {
        Number number;
        ReplyStream reply = {};
        bool listens = false;      // opened by a GET, or by listener()
        bool over = false;         // ended
        bool heard = false;        // a client was connected at the end
        bool wants_answer = true;  // see open()
        Answer answer = Answer::none;
        std::uint64_t next_event = 0;
        std::uint64_t forgotten = 0;   // events before this number are no longer stored
        std::string requests = {};     // see set_requests(); the first event has them
        std::list<Event> events = {};  // a list, because an empty list needs no memory, and most are empty
    };

    Result<Number> add(WriterPtr writer, bool listens);
    Stream* find(Number number);
    Stream* find(const ResponseWriter* writer);
    void keep_lost_listener(Stream& stream);
    Stream& listener();
    void begin(Stream& stream);
    void tell(Stream& stream, std::string_view data, std::optional<long long> retry_ms = {}, bool last = false);
    void append(Stream& stream, std::string_view data, std::optional<long long> retry_ms, bool last);
    void limit_unstored();
    void end_stored(Stream& stream);
    void end_all_stored();
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
    base::MemoryCharge charge_;  // memory of the stored events
};

}  // namespace tenon::web
