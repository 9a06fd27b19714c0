#include "inspect/tap_flow.hpp"

#include <algorithm>

#include "framing/sse.hpp"

namespace tenon::inspect {
namespace {

TapFormat::Unit next_line(std::string_view input) {
    const std::size_t end = input.find('\n');
    if (end == std::string_view::npos) return {};
    std::string_view line = input.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return {end + 1, std::string(line)};
}

std::string rewrite_line(std::string_view, std::string_view message) { return std::string(message) + "\n"; }

std::string data_of(std::string_view event) {
    std::string out;
    framing::SseReader reader(event.size() + 1);
    reader.feed(event, [&](const framing::SseReader::Event& read) { out = read.data; });
    return out;
}

// An event ends with an empty line. Lines end with CR, LF or CRLF. When only the CR of the last CRLF has come, its LF
// becomes a unit without a message.
TapFormat::Unit next_event(std::string_view input) {
    bool empty = true;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (input[i] != '\n' && input[i] != '\r') {
            empty = false;
            continue;
        }
        if (input[i] == '\r' && i + 1 < input.size() && input[i + 1] == '\n') ++i;
        if (empty) return {i + 1, data_of(input.substr(0, i + 1))};
        empty = true;
    }
    return {};
}

std::string rewrite_event(std::string_view unit, std::string_view message) {
    std::string out;
    while (!unit.empty()) {
        const std::size_t end = std::min(unit.find_first_of("\r\n"), unit.size());
        const std::string_view line = unit.substr(0, end);
        if (!line.empty() && line != "data" && !line.starts_with("data:")) out.append(line).append("\n");
        unit.remove_prefix(std::min(end + 1, unit.size()));
    }
    return out.append("data: ").append(message).append("\n\n");
}

}  // namespace

const TapFormat tap_lines = {next_line, rewrite_line};
const TapFormat tap_events = {next_event, rewrite_event};

void TapFlow::feed(std::string_view bytes) {
    input_ += bytes;
    advance();
}

void TapFlow::advance() {
    std::size_t begin = 0;
    while (!waiting_) {
        const TapFormat::Unit unit = format_.next(std::string_view(input_).substr(begin));
        if (unit.bytes == 0) break;
        const std::string_view whole(input_.data() + begin, unit.bytes);
        begin += unit.bytes;
        const bool judged = !std::exchange(inside_long_unit_, false) && !unit.message.empty();
        if (judged && gate_(unit.message))
            waiting_ = whole;
        else
            output_ += whole;
    }
    input_.erase(0, begin);
    if (waiting_) return;
    if (input_.size() > max_unit_ || ended_) {
        inside_long_unit_ = !input_.empty();
        output_ += input_;
        input_.clear();
    }
}

void TapFlow::end() {
    ended_ = true;
    advance();
}

void TapFlow::release(const std::optional<std::string>& text) {
    if (!waiting_) return;
    output_ += text ? format_.rewrite(*waiting_, *text) : *waiting_;
    waiting_.reset();
    advance();
}

void TapFlow::drop() {
    waiting_.reset();
    advance();
}

}  // namespace tenon::inspect
