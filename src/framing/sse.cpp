#include "framing/sse.hpp"

#include <algorithm>
#include <utility>

#include "framing/http_fields.hpp"

namespace tenon::framing {
namespace {

void append_line(std::string& out, std::string_view name, std::string_view value) {
    out += name;
    out += ": ";
    out += value;
    out += '\n';
}

}  // namespace

void append_sse(std::string& out, const SseEvent& event) {
    if (!event.event.empty()) append_line(out, "event", event.event);
    if (!event.id.empty()) append_line(out, "id", event.id);
    if (event.retry_ms) append_line(out, "retry", std::to_string(*event.retry_ms));
    append_line(out, "data", event.data);
    out += '\n';
}

void append_sse_comment(std::string& out) { out += ":\n\n"; }

// Reads text up to the end of the line. The limit is checked only here: a line is either stored as a whole or ignored.
bool SseReader::take_text(std::string_view& bytes) {
    if (too_long_) return false;
    const std::size_t n = std::min(bytes.find_first_of("\r\n"), bytes.size());
    if (n == 0) return true;
    after_cr_ = false;
    too_long_ = kept() + n > limits_.max_event_bytes;
    if (too_long_) return false;
    line_ += bytes.substr(0, n);
    bytes.remove_prefix(n);
    return true;
}

bool SseReader::take_line_end(char c) {
    if (std::exchange(after_cr_, c == '\r') && c == '\n') return false;  // the second half of CRLF
    return take_line();
}

bool SseReader::take_line() {
    std::string_view line = line_;
    if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    const bool blank = line.empty();
    if (!blank) {
        const std::size_t colon = line.find(':');
        std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (colon != 0) take_field(line.substr(0, colon), value);
    }
    line_.clear();
    if (!blank) return false;
    last_event_id_ = id_;
    if (next_retry_ms_) retry_ms_ = next_retry_ms_;
    if (has_data_) return true;
    type_.clear();  // an event without data is not delivered
    return false;
}

void SseReader::take_field(std::string_view name, std::string_view value) {
    if (name == "data") {
        if (std::exchange(has_data_, true)) data_ += '\n';
        data_ += value;
    } else if (name == "event") {
        type_ = value;
    } else if (name == "id") {
        if (value.find('\0') == std::string_view::npos) id_ = value.size() > limits_.max_event_id_bytes ? "" : value;
    } else if (name == "retry") {
        if (const auto ms = parse_decimal(value); ms && *ms < 1'000'000'000)
            next_retry_ms_ = static_cast<long long>(*ms);
    }
}

SseReader::Event SseReader::take_event() {
    Event event;
    event.data = std::exchange(data_, {});
    if (!type_.empty()) event.type = std::exchange(type_, {});
    event.last_event_id = last_event_id_;
    has_data_ = false;
    return event;
}

}  // namespace tenon::framing
