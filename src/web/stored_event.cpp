#include "web/stored_event.hpp"

#include <algorithm>

#include "framing/http_fields.hpp"
#include "framing/sse.hpp"

namespace tenon::web {
namespace {

constexpr std::string_view open_mark = "open:", retry_mark = "retry:", once_mark = "once:", listen_mark = "listen:",
                           resume_mark = "resume:", moved_mark = "moved:";
constexpr std::size_t max_log_name = 64;

// Takes the first line, if it begins with `mark`. Returns the rest of that line.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view mark) {
    if (!text.starts_with(mark)) return std::nullopt;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(mark.size(), end - mark.size());
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.'; }

}  // namespace

std::string encode_event(const StoredEvent& event) {
    std::string out;
    if (!event.requests.empty()) out.append(open_mark).append(event.requests) += '\n';
    if (event.once) out.append(once_mark).append(std::to_string(*event.once)) += '\n';
    if (!event.listens.empty()) {
        out.append(listen_mark).append(event.listens);
    } else if (!event.resumes.empty()) {
        out.append(resume_mark).append(event.resumes);
    } else if (!event.moved.empty()) {
        out.append(moved_mark).append(event.moved);
    } else if (event.retry_ms) {
        out.append(retry_mark) += std::to_string(*event.retry_ms);
    } else {
        out += event.data;
    }
    return out;
}

StoredEvent decode_event(std::string_view text) {
    StoredEvent out;
    out.requests = take_line(text, open_mark).value_or("");
    if (const auto key = take_line(text, once_mark)) out.once = framing::parse_decimal(*key);
    if (text.starts_with(listen_mark)) {
        out.listens = text.substr(listen_mark.size());
    } else if (text.starts_with(resume_mark)) {
        out.resumes = text.substr(resume_mark.size());
    } else if (text.starts_with(moved_mark)) {
        out.moved = text.substr(moved_mark.size());
    } else if (!text.starts_with(retry_mark)) {
        out.data = text;
    } else if (const auto wait = framing::parse_decimal(text.substr(retry_mark.size()))) {
        out.retry_ms = static_cast<long long>(*wait);
    }
    return out;
}

std::string to_sse(const StoredEvent& event, std::string_view log, std::uint64_t id) {
    std::string out;
    const std::string text = id == 0 ? std::string() : event_id(log, id);
    framing::append_sse(out, {.data = event.data, .id = text, .retry_ms = event.retry_ms});
    return out;
}

std::string event_id(std::string_view log, std::uint64_t event) {
    return std::string(log) + "-" + std::to_string(event);
}

std::string listener_place(std::string_view stream) { return std::string(listener_log) + "." + std::string(stream); }

std::optional<std::string> listener_of(const EventPlace& place) {
    const std::string prefix = listener_place("");
    if (!place.log.starts_with(prefix) || place.log.size() == prefix.size()) return std::nullopt;
    return place.log.substr(prefix.size());
}

std::optional<EventPlace> read_event_place(std::string_view text) {
    const std::size_t dash = text.rfind('-');
    if (dash == text.npos || dash == 0 || dash > max_log_name) return std::nullopt;
    const auto event = framing::parse_decimal(text.substr(dash + 1));
    const std::string_view log = text.substr(0, dash);
    if (!event || !std::ranges::all_of(log, is_name_character)) return std::nullopt;
    return EventPlace{std::string(log), *event};
}

}  // namespace tenon::web
