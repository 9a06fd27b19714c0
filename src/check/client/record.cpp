#include "check/client/record.hpp"

#include <algorithm>

#include "framing/http_fields.hpp"

namespace tenon::check::client {
namespace {

std::string head_of(const Event& event) {
    std::string out = event.method + " " + event.target + "\n";
    for (const auto& [name, value] : event.fields) out += name + ": " + value + "\n";
    return out + "\n";
}

Evidence piece(Evidence::Direction direction, std::string bytes, std::size_t max_bytes) {
    const std::size_t left_out = bytes.size() > max_bytes ? bytes.size() - max_bytes : 0;
    bytes.resize(bytes.size() - left_out);
    return {direction, std::move(bytes), left_out};
}

Evidence evidence_of(const Event& event, std::size_t max_bytes) {
    using Direction = Evidence::Direction;
    switch (event.kind) {
        case Event::Kind::line:
        case Event::Kind::rest: return piece(Direction::received, event.text, max_bytes);
        case Event::Kind::request: return piece(Direction::received, head_of(event) + event.text, max_bytes);
        case Event::Kind::sent:
            return piece(Direction::sent,
                         event.status == 0 ? event.text : "HTTP " + std::to_string(event.status) + "\n" + event.text,
                         max_bytes);
        case Event::Kind::opened: return {Direction::note, "the client started the server"};
        case Event::Kind::input_closed: return {Direction::note, "the client closed the server's stdin"};
        case Event::Kind::terminated: return {Direction::note, "the client sent SIGTERM to the server"};
        case Event::Kind::vanished: return {Direction::note, "the client killed the server"};
        case Event::Kind::exited: return {Direction::note, "the client " + event.text};
    }
    return {};
}

}  // namespace

std::string_view to_string(Scene scene) {
    switch (scene) {
        case Scene::plain: return "plain";
        case Scene::bare: return "a server that has only tools";
        case Scene::questions: return "a server that asks";
        case Scene::stray_response: return "a response without a request";
        case Scene::unknown_notification: return "unknown notifications";
        case Scene::odd_spelling: return "messages in pieces";
        case Scene::no_common_version: return "an unknown revision";
        case Scene::newest_version: return "only the newest revision";
        case Scene::other_version: return "another revision";
        case Scene::tasks: return "a tool that requires a task";
        case Scene::event_streams: return "answers as streams";
        case Scene::polling: return "a stream that ends early";
        case Scene::lost_session: return "a lost session";
        case Scene::modern: return "a server of 2026-07-28";
        case Scene::modern_questions: return "a server of 2026-07-28 that asks";
        case Scene::changed_headers: return "a tool that names another header";
    }
    return {};
}

bool is_modern(Scene scene) {
    return scene == Scene::modern || scene == Scene::modern_questions || scene == Scene::changed_headers;
}

std::optional<std::string> Event::field(std::string_view name) const {
    for (const auto& [its_name, value] : fields)
        if (framing::equal_ignoring_case(its_name, name)) return value;
    return std::nullopt;
}

std::vector<Evidence> evidence(const Record& record, std::size_t event, std::size_t max_bytes, std::size_t before) {
    using Direction = Evidence::Direction;
    const std::size_t first = event > before ? event - before : 0;
    std::vector<Evidence> out;
    for (std::size_t i = first; i <= event && i < record.events.size(); ++i)
        out.push_back(evidence_of(record.events[i], max_bytes));
    const auto has = [&](Direction direction) {
        return std::ranges::find(out, direction, &Evidence::direction) != out.end();
    };
    for (std::size_t i = std::min(first, record.events.size());
         i-- > 0 && !(has(Direction::sent) && has(Direction::received));)
        if (Evidence piece = evidence_of(record.events[i], max_bytes); !has(piece.direction))
            out.insert(out.begin(), std::move(piece));
    if (!has(Direction::received)) out.push_back({Direction::note, "(the client sent nothing before this)"});
    if (!has(Direction::sent))
        out.insert(out.begin(), {Direction::note, "(nothing was sent to the client before this)"});
    return out;
}

}  // namespace tenon::check::client
