// Streams whose events are stored in a log that other nodes read, before their clients get them.
#include <algorithm>

#include "web/response.hpp"
#include "web/stored_event.hpp"
#include "web/streams.hpp"

namespace tenon::web {

void Streams::set_requests(Number number, std::string ids) {
    if (Stream* stream = find(number)) stream->requests = std::move(ids);
}

void Streams::append(Stream& stream, std::string_view data, std::optional<long long> retry_ms, bool last) {
    const std::string_view requests = stream.next_event == 0 ? std::string_view(stream.requests) : std::string_view();
    std::string kept = encode_event({.data = data, .retry_ms = retry_ms});
    stored_bytes_ += kept.size();
    charge_.cover(stored_bytes_);  // the queue of the store limits these events, so the charge only counts them
    stream.events.push_back({stream.next_event++, std::move(kept)});
    if (last) stream.answer = Answer::on_its_way;
    options_.append(stream.number, encode_event({requests, data, retry_ms}), last);
}

void Streams::stored(Number number, std::optional<std::uint64_t> id) {
    Stream* stream = find(number);
    if (!stream || stream->events.empty()) return;
    const std::string kept = std::move(stream->events.front().bytes);
    stream->events.pop_front();
    stored_bytes_ -= kept.size();
    charge_.keep_at_most(stored_bytes_);
    const StoredEvent event = decode_event(kept);
    stream->reply.write(to_sse(event, log_name(number), id.value_or(0)));
    if (event.retry_ms) stream->reply.disconnect();
    if (stream->over) end_stored(*stream);
}

// A client that is connected here gets the answer now. One that will resume the stream on any node finds it in the log
// later.
void Streams::keep_unstored(Number number) {
    Stream* stream = find(number);
    const bool is_answer = stream && stream->answer == Answer::on_its_way && stream->events.size() == 1;
    if (!is_answer) return stored(number, std::nullopt);
    stream->answer = Answer::unstored;
    stream->reply.write(to_sse(decode_event(stream->events.front().bytes), log_name(number), 0));
    stream->reply.end();
    limit_unstored();
}

// Drops the oldest answers above the limit.
void Streams::limit_unstored() {
    std::size_t unstored = 0;
    for (auto it = streams_.rbegin(); it != streams_.rend(); ++it)
        if (it->second.answer == Answer::unstored && ++unstored > options_.max_ended_streams) return forget(it->first);
}

bool Streams::store_again() {
    bool any = false;
    for (auto& [number, stream] : streams_) {
        if (stream.answer != Answer::unstored) continue;
        any = true;
        stream.answer = Answer::on_its_way;
        const StoredEvent event = decode_event(stream.events.front().bytes);
        const bool first = stream.events.front().number == 0;
        const std::string_view requests = first ? std::string_view(stream.requests) : std::string_view();
        options_.append(number, encode_event({requests, event.data, event.retry_ms}), true);
    }
    return any;
}

// Waits for the events that are not stored yet. Afterwards the log has everything that a client may ask for.
void Streams::end_stored(Stream& stream) {
    if (!stream.events.empty()) return;
    stream.reply.end();
    forget(stream.number);
}

void Streams::give_up(Number number) {
    Stream* stream = find(number);
    if (!stream) return;
    if (stream->reply.begun()) stream->reply.disconnect();
    forget(number);
    charge_.keep_at_most(stored_bytes_);
}

void Streams::release(Number number) {
    if (Stream* stream = find(number); stream && stream->reply.begun()) stream->reply.disconnect();
}

void Streams::end_all_stored() {
    for (auto it = streams_.begin(); it != streams_.end();) {
        Stream& stream = (it++)->second;
        if (stream.reply.can_be_json())
            stream.reply.respond(refusal(404, Error{code::invalid_request, "Invalid request: the session has ended"}));
        stream.over = true;
        end_stored(stream);
    }
}

}  // namespace tenon::web
