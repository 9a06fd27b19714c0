#include "web/streams.hpp"

#include <algorithm>

#include "framing/http_fields.hpp"
#include "framing/sse.hpp"
#include "web/response.hpp"

namespace tenon::web {
namespace {

struct EventId {
    core::ReplyTo stream;
    std::uint64_t event;
};

std::optional<EventId> read_event_id(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == text.npos) return std::nullopt;
    const auto stream = framing::parse_decimal(text.substr(0, dash));
    const auto event = framing::parse_decimal(text.substr(dash + 1));
    if (!stream || !event) return std::nullopt;
    return EventId{*stream, *event};
}

Error session_is_over() { return {code::resource_not_found, "the session was ended"}; }

}  // namespace

std::string Streams::event_id(const Stream& stream, std::uint64_t event) const {
    return std::to_string(stream.number) + "-" + std::to_string(event);
}

Fields Streams::fields() const {
    if (options_.session_id.empty()) return {};
    Fields one;
    one.emplace_back("Mcp-Session-Id", options_.session_id);  // an initializer list would copy it twice
    return one;
}

Result<Streams::Number> Streams::add(WriterPtr writer, bool listens) {
    if (ended_) return session_is_over();
    // Does not count listeners without a connection, because no client waits for them.
    const auto open = std::ranges::count_if(
        streams_, [](const auto& s) { return !s.second.over && (s.second.reply.connected() || !s.second.listens); });
    if (static_cast<std::size_t>(open) >= options_.max_streams)
        return Error{code::server_error,
                     "Too many streams in this session: the limit is " + std::to_string(options_.max_streams) +
                         "; wait for answers",
                     LimitName::max_streams_per_session};
    const Number number = ++last_number_;
    streams_.emplace(number, Stream{.number = number, .reply = ReplyStream(std::move(writer)), .listens = listens});
    return number;
}

Result<Streams::Number> Streams::open(WriterPtr writer, bool wants_answer) {
    const auto number = add(std::move(writer), false);
    if (number) streams_.at(*number).wants_answer = wants_answer;
    return number;
}

Result<Streams::Number> Streams::listen(WriterPtr writer) {
    // Messages from the time without a listener are stored in a stream that never had a connection.
    const auto parked = std::ranges::find_if(streams_, [](const auto& s) {
        return s.second.listens && !s.second.reply.begun() && !s.second.reply.connected();
    });
    if (parked == streams_.end()) {
        const auto number = add(std::move(writer), true);
        if (number) begin(streams_.at(*number));
        return number;
    }
    Stream& stream = parked->second;
    stream.reply.attach(std::move(writer), fields());
    for (const Event& event : stream.events) stream.reply.write(event.bytes);
    return stream.number;
}

Result<Streams::Number> Streams::resume(WriterPtr writer, std::string_view last_event_id) {
    if (ended_) return session_is_over();
    const auto id = read_event_id(last_event_id);
    Stream* stream = id ? find(id->stream) : nullptr;
    if (!stream || id->event >= stream->next_event)
        return Error{code::invalid_request,
                     "Invalid request: `Last-Event-ID` is not an event that this session keeps; listen without it"};
    if (id->event + 1 < stream->forgotten)
        return Error{code::invalid_request,
                     "Invalid request: the events after `Last-Event-ID` are no longer kept; listen without it"};
    if (stream->over && id->event + 1 == stream->next_event) {
        writer->respond({204});  // for server-sent events, 204 means "do not reconnect"
        return stream->number;
    }
    stream->reply.attach(std::move(writer),
                         fields());  // closes the old connection, which the client has evidently lost
    for (const Event& event : stream->events)
        if (event.number > id->event) stream->reply.write(event.bytes);
    if (stream->over) stream->reply.disconnect();
    return stream->number;
}

Streams::Stream* Streams::find(Number number) {
    const auto it = streams_.find(number);
    return it == streams_.end() ? nullptr : &it->second;
}

Streams::Stream* Streams::find(const ResponseWriter* writer) {
    const auto it = std::ranges::find_if(streams_, [writer](const auto& s) { return s.second.reply.has(writer); });
    return it == streams_.end() ? nullptr : &it->second;
}

// Returns the newest listener that is connected, or else the newest one. Without any listener, makes one that stores
// messages for a client that listens later.
Streams::Stream& Streams::listener() {
    Stream* best = nullptr;
    for (auto& [number, stream] : streams_)
        if (stream.listens && (!best || stream.reply.connected() || !best->reply.connected())) best = &stream;
    if (best) return *best;
    const Number number = ++last_number_;
    return streams_.emplace(number, Stream{.number = number, .listens = true}).first->second;
}

void Streams::send(core::Send&& message) {
    if (ended_) return;
    Stream* stream = message.reply_to == 0 ? &listener() : find(message.reply_to);
    if (!stream) return;  // the connection was lost before the first event, so the client cannot resume the stream
    if (stream->reply.form_of(message) == MessageForm::json) {
        Fields extra = message.error == 0 ? fields() : fields_of(message);
        stream->reply.respond(
            json_response(status_of(message, false), std::move(message.message.json), std::move(extra)));
        return forget(stream->number);
    }
    begin(*stream);
    tell(*stream, message.message.json, {}, message.answers);
    if (message.answers) end(*stream);
}

void Streams::begin(Stream& stream) {
    if (!stream.reply.can_be_json()) return;
    stream.reply.begin(fields());
    if (priming_) tell(stream, {});
}

void Streams::tell(Stream& stream, std::string_view data, std::optional<long long> retry_ms, bool last) {
    if (options_.append) return append(stream, data, retry_ms, last);
    const std::uint64_t number = stream.next_event++;
    std::string bytes;
    framing::append_sse(bytes,
                        {.data = data,
                         .id = options_.keep_events ? std::string_view(event_id(stream, number)) : std::string_view(),
                         .retry_ms = retry_ms});
    stream.reply.write(bytes);
    store(stream, number, std::move(bytes));
}

void Streams::store(Stream& stream, std::uint64_t number, std::string bytes) {
    if (!options_.keep_events && stream.reply.connected()) return;
    stored_bytes_ += bytes.size();
    stream.events.push_back({number, std::move(bytes)});
    make_room(stream);
    // make_room() always keeps the newest event. It is dropped here if it exceeds the memory share of the peer.
    while (!stream.events.empty() && charge_.cover(stored_bytes_) != base::MemoryDecision::granted)
        forget_oldest_event(stream);
    charge_.keep_at_most(stored_bytes_);
}

void Streams::forget_oldest_event(Stream& stream) {
    stored_bytes_ -= stream.events.front().bytes.size();
    stream.forgotten = stream.events.front().number + 1;
    stream.events.pop_front();
}

// Drops stored events, in this order: ended streams whose client received the end; events that a connected client has
// already received; older events. The last event of a stream without a connection is dropped last, when a newer event
// needs the memory: it may be a response that the client still waits for.
void Streams::make_room(const Stream& newest) {
    const auto forget_streams = [&](auto which) {
        for (auto it = streams_.begin(); full() && it != streams_.end();) {
            const Stream& stream = (it++)->second;
            if (stream.over && &stream != &newest && which(stream)) forget(stream.number);
        }
    };
    forget_streams([](const Stream& stream) { return stream.heard; });
    for (auto& [number, stream] : streams_)
        while (full() && stream.reply.connected() && !stream.events.empty()) forget_oldest_event(stream);
    for (auto& [number, stream] : streams_)
        while (full() && stream.events.size() > 1) forget_oldest_event(stream);
    forget_streams([](const Stream&) { return true; });
    for (auto& [number, stream] : streams_)
        while (full() && &stream != &newest && !stream.events.empty()) forget_oldest_event(stream);
}

// Returns whether the stored events exceed the limit of the session or the memory share of the peer.
bool Streams::full() {
    return stored_bytes_ > options_.max_stored_bytes || charge_.cover(stored_bytes_) != base::MemoryDecision::granted;
}

void Streams::forget(Number number) {
    const auto it = streams_.find(number);
    if (it == streams_.end()) return;
    for (const Event& event : it->second.events) stored_bytes_ -= event.bytes.size();
    streams_.erase(it);
}

void Streams::end(Stream& stream) {
    stream.over = true;
    stream.heard = stream.reply.connected();
    if (options_.append) return end_stored(stream);
    stream.reply.end();
    // Keeps a limited number of ended streams, even if the client was connected at the end: the last bytes may have
    // been lost on the way.
    std::size_t over = 0;
    for (auto it = streams_.rbegin(); it != streams_.rend(); ++it)
        if (it->second.over && ++over > options_.max_ended_streams) return forget(it->first);
}

void Streams::finish(Number number) {
    Stream* stream = find(number);
    if (!stream) return;
    if (!stream->wants_answer && stream->reply.can_be_json()) {
        stream->reply.respond({202});
        return forget(number);
    }
    begin(*stream);
    if (options_.append) options_.append(number, std::nullopt, true);
    end(*stream);
}

void Streams::detach(const ResponseWriter* writer) {
    Stream* stream = find(writer);
    if (!stream) return;
    const bool can_be_resumed = stream->reply.begun() && options_.keep_events;
    stream->reply.detach();
    if (stream->listens) return keep_lost_listener(*stream);
    if (!can_be_resumed) forget(stream->number);
}

// The client may resume with the id of an event. If it never received an event, it can only open a new stream, so the
// old one is dropped. Later messages are then stored for the next listener.
void Streams::keep_lost_listener(Stream& stream) {
    if (stream.next_event == 0) return forget(stream.number);
    const auto is_lost = [](const auto& s) { return s.second.listens && !s.second.reply.connected(); };
    if (static_cast<std::size_t>(std::ranges::count_if(streams_, is_lost)) > options_.max_streams)
        forget(std::ranges::find_if(streams_, is_lost)->first);
}

void Streams::let_poll(Number number, long long retry_ms) {
    Stream* stream = find(number);
    if (!stream || !stream->reply.connected() || !priming_) return;
    begin(*stream);
    tell(*stream, {}, retry_ms);
    if (!options_.append) stream->reply.disconnect();
}

void Streams::keep_alive() {
    for (auto& [number, stream] : streams_) {
        if (stream.reply.is_silent_too_long()) begin(stream);
        stream.reply.write_comment();
    }
}

void Streams::probe(const ResponseWriter* writer) {
    Stream* stream = find(writer);
    if (!stream) return;
    begin(*stream);
    stream->reply.write_comment();
}

void Streams::announce(std::string_view path) {
    std::string bytes;
    framing::append_sse(bytes, {.data = path, .event = "endpoint"});
    listener().reply.write(std::move(bytes));
}

void Streams::fail_all() noexcept {
    for (auto& [number, stream] : streams_)
        if (const WriterPtr& writer = stream.reply.writer()) writer->fail();
}

void Streams::end_all() {
    ended_ = true;
    if (options_.append) return end_all_stored();
    for (auto& [number, stream] : streams_) {
        if (stream.reply.can_be_json())  // the request came when the session had just ended
            stream.reply.respond(refusal(404, Error{code::invalid_request, "Invalid request: the session has ended"}));
        stream.reply.end();
    }
    streams_.clear();
    stored_bytes_ = 0;
    charge_.release();
}

Streams::WriterPtr Streams::writer_of(Number number) {
    if (ended_) return nullptr;
    const Stream* stream = number == 0 ? &listener() : find(number);
    return stream ? stream->reply.writer() : nullptr;
}

std::size_t Streams::attached() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(streams_, [](const auto& s) { return s.second.reply.connected(); }));
}

}  // namespace tenon::web
