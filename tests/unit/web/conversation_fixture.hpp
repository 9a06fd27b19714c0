// Drives web::ClientConversation with events and shows its actions as lines of text.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "web/client_conversation.hpp"

namespace tenon::test {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;
namespace step = web::conversation;

inline const std::string json_head = "200 OK\r\nContent-Type: application/json";
inline const std::string sse_head = "200 OK\r\nContent-Type: text/event-stream";

inline std::string response_to(int id) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})"; }
inline const std::string news = R"({"jsonrpc":"2.0","method":"notifications/message"})";
inline std::string sse(const std::string& data, const std::string& fields = "") {
    return fields + "data: " + data + "\n\n";
}

/// A conversation with http://h/mcp. Each function feeds one event and returns the actions, one line for each:
/// "start 1 POST /mcp", "cancel 1", "deliver {}", "fail 7: why", "timer 1000" (milliseconds since the beginning).
class ConversationTest : public testing::Test {
 protected:
    using CallId = step::CallId;

    ConversationTest() { options.reconnect = {1s, 4s, 3, 50ms}; }

    Lines feed(step::Event event) {
        if (!machine) machine.emplace(web::Url{false, "h", 80, "/mcp", {}}, options);
        Lines out;
        for (auto& action : machine->resume(std::move(event), now))
            out.push_back(std::visit([this](auto& a) { return this->show(a); }, action));
        return out;
    }

    static OutgoingMessage message(OutgoingMessage::Kind kind, int id, std::string method) {
        OutgoingMessage m;
        m.kind = kind;
        m.id = id;
        m.body = method + " " + std::to_string(id);
        m.method = std::move(method);
        return m;
    }
    Lines send(OutgoingMessage m) { return feed(step::Send{std::move(m)}); }
    Lines request(int id, std::string method = "tools/call") {
        auto m = message(OutgoingMessage::Kind::request, id, std::move(method));
        m.revision = m.method == "initialize" ? "" : "2025-11-25";
        return send(std::move(m));
    }
    Lines stateless_request(int id, std::string method = "tools/call") {
        auto m = message(OutgoingMessage::Kind::request, id, std::move(method));
        m.revision = "2026-07-28";
        m.stateless = true;
        return send(std::move(m));
    }
    Lines notify(std::string method = "notifications/progress") {
        auto m = message(OutgoingMessage::Kind::notification, 0, std::move(method));
        m.revision = "2025-11-25";
        return send(std::move(m));
    }
    Lines cancel(int id, bool stateless = false) {
        auto m = message(OutgoingMessage::Kind::cancellation, id, "notifications/cancelled");
        m.stateless = stateless;
        return send(std::move(m));
    }

    Lines sent(CallId call) { return feed(step::Sent{call}); }
    Lines head(CallId call, const std::string& lines, bool sign_in_may_help = false) {
        const std::string all = "HTTP/1.1 " + lines + "\r\n\r\n";
        std::string_view input = all;
        framing::HttpResponseParser parser;
        parser.expect(framing::HttpResponseParser::To::get_or_post);
        parser.next(input);
        return feed(step::Head{call, parser.response(), sign_in_may_help});
    }
    Lines piece(CallId call, const std::string& bytes) { return feed(step::Piece{call, bytes}); }
    Lines end(CallId call) { return feed(step::End{call}); }
    Lines failed(CallId call, int code = code::connection_closed) { return feed(step::Failed{call, {code, "broke"}}); }
    /// Lets time pass and reports that the timer is due.
    Lines after(Duration time) {
        now += time;
        return feed(step::TimerDue{});
    }

    /// Feeds a whole response and returns all its actions.
    Lines respond(CallId call, const std::string& lines, const std::string& body = "") {
        Lines out = head(call, lines);
        for (const auto& line : piece(call, body)) out.push_back(line);
        for (const auto& line : end(call)) out.push_back(line);
        return out;
    }
    Lines respond_json(CallId call, int id) { return respond(call, json_head, response_to(id)); }

    /// Opens a session with calls 1 (initialize), 2 (initialized) and 3 (the GET stream, which gets no response yet).
    void open_session(const std::string& id = "s") {
        request(1, "initialize");
        respond(1, json_head + "\r\nMcp-Session-Id: " + id, response_to(1));
        notify("notifications/initialized");
        respond(2, "202 Accepted");
        sent(3);
    }

    /// Returns the field of a started request, or "none".
    std::string field(CallId call, const std::string& name) const {
        for (const auto& [n, value] : started.at(call).request.fields)
            if (n == name) return value;
        return "none";
    }

    web::ConversationOptions options;
    TimePoint now = TimePoint() + 1h;
    std::map<CallId, step::Start> started;  // the last Start of each call
    std::map<int, Error> errors;            // the last FailRequest of each request

 private:
    std::string show(step::Start& a) {
        const std::string text =
            "start " + std::to_string(a.call) + " " + std::string(a.request.method) + " " + a.request.url.target;
        started.insert_or_assign(a.call, std::move(a));
        return text;
    }
    static std::string show(const step::Cancel& a) { return "cancel " + std::to_string(a.call); }
    static std::string show(const step::GetTokens& a) { return "sign in " + std::to_string(a.call); }
    static std::string show(const step::Deliver& a) { return "deliver " + a.message; }
    std::string show(const step::FailRequest& a) {
        errors.insert_or_assign(static_cast<int>(a.request), a.why);
        return "fail " + std::to_string(a.request) + ": " + a.why.message;
    }
    static std::string show(const step::SessionLost& a) { return "session lost " + std::to_string(a.request); }
    static std::string show(const step::ConnectionLost& a) { return "connection lost: " + a.why.message; }
    std::string show(const step::SetTimer& a) const {
        return "timer " + std::to_string((a.at - (TimePoint() + 1h)) / 1ms);
    }
    static std::string show(const step::Finished&) { return "finished"; }
    static std::string show(const step::Log& a) { return "log " + std::string(to_string(a.level)) + ": " + a.text; }

    std::optional<web::ClientConversation> machine;
};

}  // namespace tenon::test
