// An HttpEndpoint without sockets, threads or a clock. The test decides what runs when, and what time it is.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tenon/server.hpp>

#include "support/http_exchange.hpp"
#include "transport/http_server/endpoint.hpp"

namespace tenon::test {

inline json::object modern_meta(json::object capabilities = {}) {
    return {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
            {"io.modelcontextprotocol/clientCapabilities", std::move(capabilities)}};
}

inline json::object request(json::value id, std::string_view method, json::object params = {}) {
    return {{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}, {"params", std::move(params)}};
}
inline json::object notification(std::string_view method, json::object params = {}) {
    return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}
inline json::object cancellation(json::value id) {
    return notification("notifications/cancelled", {{"requestId", std::move(id)}});
}
inline json::object tool_request(json::value id, std::string_view tool, json::object arguments = {},
                                 json::object meta = {}) {
    json::object params{{"name", tool}, {"arguments", std::move(arguments)}};
    if (!meta.empty()) params["_meta"] = std::move(meta);
    return request(std::move(id), "tools/call", std::move(params));
}
inline json::object initialize_request(std::string_view revision, json::object capabilities = {}) {
    return request("handshake", "initialize",
                   {{"protocolVersion", revision},
                    {"capabilities", std::move(capabilities)},
                    {"clientInfo", json::object{{"name", "t"}, {"version", "1"}}}});
}

/// One request and its response.
struct Sent {
    std::shared_ptr<NotedExchange> writer = new_exchange();
    HttpEndpoint::ResponderPtr responder = {};

    int status() const { return writer->begun ? 200 : writer->response.status; }
    bool over() const { return writer->over; }
    json::value answer() const { return writer->answer(); }
    std::string text() const {
        const json::value a = answer();
        return std::string(a.at("result").at("content").at(0).at("text").as_string());
    }
    int error() const {
        const json::value a = answer();
        const json::object* o = a.if_object();
        return o && o->contains("error") ? static_cast<int>(o->at("error").at("code").as_int64()) : 0;
    }
    /// Acts like a connection whose client disconnects before it was answered.
    void disconnect() {
        if (responder && !writer->over) std::exchange(responder, {})->client_gone(*writer);
    }
};

class HttpWorld {
 public:
    using Work = std::function<void()>;

    explicit HttpWorld(Server& server, EndpointOptions options = {}, std::string session_name = "session")
        : session_name_(std::move(session_name)), now_(Clock::time_point() + std::chrono::hours(24)) {
        options.entry.old_stream_path = "/sse";
        options.entry.old_message_path = "/messages";
        options.post = [this](const HttpPeerPtr&, Work work) {
            posted.push_back(std::move(work));
            if (when_posted) when_posted();
        };
        options.clock = [this] { return now_; };
        options.new_session_id = [this] { return session_name_ + "-" + std::to_string(++sessions_made_); };
        endpoint = std::make_shared<HttpEndpoint>(server, std::move(options));
    }
    ~HttpWorld() {
        endpoint->shut_down("the test is over");
        posted.clear();
    }
    HttpWorld(const HttpWorld&) = delete;
    HttpWorld& operator=(const HttpWorld&) = delete;

    Sent send(std::string_view method, std::string_view target, const std::string& fields, std::string_view body = {}) {
        Sent out;
        std::string all = fields;
        if (method == "POST")
            all += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        const Head head(method, target, all);
        auto admitted = endpoint->admit(head, {}, connection ? *connection : nullptr).value();
        if (auto* refused = std::get_if<web::Response>(&admitted)) {
            out.writer->respond(std::move(*refused));
            return out;
        }
        if (connection) *connection = std::get<HttpEndpoint::Admitted>(admitted).peer;
        out.responder = endpoint->handle(std::get<HttpEndpoint::Admitted>(admitted), head, body, out.writer);
        return out;
    }
    Sent post(const json::value& message, const std::string& fields = {}) {
        return send("POST", "/mcp", fields, json::write(message));
    }
    /// Posts a stateless request with the headers that repeat its body.
    Sent post_alone(const json::object& message, const std::string& fields = {}) {
        std::string all =
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(message.at("method").as_string()) +
            "\r\n" + fields;
        const json::object& params = message.at("params").as_object();
        const json::value* name = params.if_contains("name");
        if (name && name->is_string()) all += "Mcp-Name: " + std::string(name->as_string()) + "\r\n";
        return post(message, all);
    }
    static std::string in_session(const std::string& id) { return "Mcp-Session-Id: " + id + "\r\n"; }
    /// Starts a session and completes its handshake.
    std::string begin(std::string_view revision = "2025-11-25", json::object capabilities = {},
                      const std::string& fields = {}) {
        const Sent sent = post(initialize_request(revision, std::move(capabilities)), fields);
        const std::string id = sent.writer->field("Mcp-Session-Id");
        post(notification("notifications/initialized"), in_session(id) + fields);
        return id;
    }
    Sent listen(const std::string& session, const std::string& last_event_id = {}, const std::string& fields = {}) {
        return send("GET", "/mcp",
                    fields + in_session(session) + (last_event_id.empty() ? "" : "Last-Event-ID: " + last_event_id + "\r\n"));
    }
    Sent end(const std::string& session, const std::string& fields = {}) {
        return send("DELETE", "/mcp", in_session(session) + fields);
    }

    void run_all() {
        while (!posted.empty()) run_one(0);
    }
    void run_one(std::size_t which) {
        const auto at = posted.begin() + static_cast<std::ptrdiff_t>(which % posted.size());
        const Work work = std::move(*at);
        posted.erase(at);
        work();
    }
    void advance(Duration time) {
        now_ += time;
        endpoint->tick();
    }

    HttpPeerPtr* connection = nullptr;  // connection of the following requests; without it each request has its own
    std::deque<Work> posted;
    Work when_posted;  // called when work was posted
    std::shared_ptr<HttpEndpoint> endpoint;

 private:
    const std::string session_name_;
    TimePoint now_;
    int sessions_made_ = 0;
};

}  // namespace tenon::test
