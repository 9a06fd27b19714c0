#include "check/client/played_http_server.hpp"

#include "check/wire/reading.hpp"

namespace tenon::check::client {
namespace {

std::string_view reason(int status) {
    switch (status) {
        case 200: return "OK";
        case 202: return "Accepted";
        case 400: return "Bad Request";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
    }
    return "";
}

std::string chunk(std::string_view bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string size;
    for (std::size_t n = bytes.size(); n > 0; n /= 16) size.insert(size.begin(), digits[n % 16]);
    return size + "\r\n" + std::string(bytes) + "\r\n";
}

std::string json_head(std::size_t length) {
    return "Content-Type: application/json\r\nContent-Length: " + std::to_string(length) + "\r\n";
}

// Returns whether the body contains a request, which needs a response.
bool wants_answer(std::string_view body) {
    const Reading read = read_patiently(body);
    const json::object* one = read.value ? read.value->if_object() : nullptr;
    const json::array* batch = read.value ? read.value->if_array() : nullptr;
    const auto is_request = [](const json::object& o) {
        const json::value* method = o.if_contains("method");
        return o.contains("id") && method && method->is_string() &&
               !std::string_view(method->get_string()).starts_with("notifications/");
    };
    if (one) return is_request(*one);
    if (!batch) return false;
    for (const json::value& item : *batch)
        if (item.is_object() && is_request(item.get_object())) return true;
    return false;
}

bool says(const Event& request, std::string_view method) {
    const Reading read = read_patiently(request.text);
    const json::object* one = read.value ? read.value->if_object() : nullptr;
    const json::value* its = one ? one->if_contains("method") : nullptr;
    return its && its->is_string() && its->get_string() == method;
}

}  // namespace

std::vector<Write> PlayedHttpServer::take(std::size_t connection, const Event& request, TimePoint now) {
    if (!request.is_to(endpoint_path)) {
        not_here(connection);
        return std::exchange(writes_, {});
    }
    if (request.method == "POST")
        post(connection, request, now);
    else if (request.method == "GET")
        get(connection, request);
    else
        head(connection, request.method == "DELETE" && gives_sessions() ? 200 : 405, "Content-Length: 0\r\n");
    return std::exchange(writes_, {});
}

// Leaves out the status, so the response is not part of the record.
void PlayedHttpServer::not_here(std::size_t connection) {
    writes_.push_back({.connection = connection, .bytes = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"});
}

std::vector<Write> PlayedHttpServer::tick(TimePoint now) {
    for (const Say& it : server_.tick(now)) say(it);
    return std::exchange(writes_, {});
}

bool PlayedHttpServer::gives_sessions() const { return !is_modern(scene_) && scene_ != Scene::other_version; }

// Forgets the first session at its first ordinary request. All later requests of that session are refused too.
bool PlayedHttpServer::is_forgotten(const Event& request) {
    if (scene_ != Scene::lost_session || sessions_ == 0 || request.field("Mcp-Session-Id") != "session-1") return false;
    forgot_ = forgot_ || wants_answer(request.text);
    return forgot_;
}

void PlayedHttpServer::post(std::size_t connection, const Event& request, TimePoint now) {
    if (is_forgotten(request)) return head(connection, 404, "Content-Length: 0\r\n");
    const bool introduces = says(request, "initialize");
    if (introduces && scene_ == Scene::lost_session && forgot_) server_ = PlayedServer(scene_, patience_);
    const std::size_t number = ++requests_;
    const bool answered = wants_answer(request.text);
    if (answered) open_[number] = {connection, false, introduces};
    for (const Say& it : server_.take(number, request.text, now)) say(it);
    if (!answered) head(connection, 202, "Content-Length: 0\r\n");
}

void PlayedHttpServer::get(std::size_t connection, const Event& request) {
    if (scene_ == Scene::polling && kept_ && request.field("Last-Event-ID")) {
        Open open{connection};
        stream_head(open);
        event(connection, kept_->text);
        kept_.reset();
        return end_stream(connection);
    }
    if (scene_ != Scene::event_streams) return head(connection, 405, "Allow: POST, DELETE\r\nContent-Length: 0\r\n");
    Open open{connection};
    stream_head(open);
    event(connection, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
}

void PlayedHttpServer::say(const Say& it) {
    const auto found = open_.find(it.about);
    if (found == open_.end()) return;  // the request was answered already
    Open& open = found->second;
    const bool ordinary = !open.is_introduction && server_.introduced();
    if (it.answer && scene_ == Scene::polling && ordinary && !std::exchange(broke_off_, true)) {
        break_off(open, it);
    } else if (it.answer && !open.streaming && !(scene_ == Scene::event_streams && ordinary)) {
        answer_at_once(open, it);
    } else {
        if (!std::exchange(open.streaming, true)) stream_head(open);
        event(open.connection, it.text);
        if (it.answer) end_stream(open.connection);
    }
    if (it.answer) open_.erase(found);
}

// With a session, an error has the status 200 like other responses. Without a session, the status shows the error too.
int PlayedHttpServer::status_of(std::string_view answer) const {
    if (server_.introduced() && !is_modern(scene_)) return 200;
    const auto parsed = json::parse(answer);
    const json::value* error = parsed ? parsed->get_object().if_contains("error") : nullptr;
    if (!error) return 200;
    return error->at("code") == code::method_not_found ? 404 : 400;
}

void PlayedHttpServer::answer_at_once(const Open& open, const Say& it) {
    std::string fields = json_head(it.text.size());
    if (open.is_introduction && gives_sessions())
        fields += "Mcp-Session-Id: session-" + std::to_string(++sessions_) + "\r\n";
    head(open.connection, status_of(it.text), std::move(fields), it.text, it.text);
}

// Begins a stream, sends an event with a retry time, and closes the stream before the response.
void PlayedHttpServer::break_off(const Open& open, const Say& it) {
    kept_ = it;
    Open stream = open;
    stream_head(stream);
    const std::string event =
        std::string(broken_event) + "\nretry: " + std::to_string(retry_after.count()) + "\ndata:\n\n";
    writes_.push_back(
        {.connection = open.connection, .bytes = chunk(event) + "0\r\n\r\n", .close = true, .message = event});
}

void PlayedHttpServer::head(std::size_t connection, int status, std::string fields, std::string body,
                            std::string message) {
    writes_.push_back({.connection = connection,
                       .bytes = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason(status)) + "\r\n" +
                                fields + "\r\n" + body,
                       .status = status,
                       .message = std::move(message)});
}

void PlayedHttpServer::stream_head(Open& open) {
    head(open.connection, 200,
         "Content-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n");
    open.streaming = true;
}

// Uses unusual but valid parts of the format: comments, ids, CR LF, and data in two lines.
void PlayedHttpServer::event(std::size_t connection, std::string_view text) {
    std::string out;
    const std::size_t half = text.find("\",\"");
    if (scene_ == Scene::event_streams && half != std::string_view::npos) {
        out = ": a comment\r\nid: event-" + std::to_string(++events_) +
              "\r\nevent: message\r\ndata: " + std::string(text.substr(0, half + 2)) +
              "\r\ndata:" + std::string(text.substr(half + 2)) + "\r\n\r\n";
    } else {
        out = "data: " + std::string(text) + "\n\n";
    }
    writes_.push_back({.connection = connection, .bytes = chunk(out), .message = std::string(text)});
}

void PlayedHttpServer::end_stream(std::size_t connection) {
    writes_.push_back({.connection = connection, .bytes = "0\r\n\r\n"});
}

}  // namespace tenon::check::client
