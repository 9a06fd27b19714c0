// The example examples/tickets.cpp over HTTP, without sockets, and its users. Include it in one file of a program only,
// because the example is a program.
#pragma once

#define main tickets_main  // NOLINT: the example is a program
#include "examples/tickets.cpp"
#undef main

#include <gtest/gtest.h>

#include "framing/sse.hpp"
#include "protocol/methods.hpp"

namespace tenon::test {

constexpr const char* secret = "only alice knows this";

struct Tracker {
    Database db{":memory:"};
    Server server;
    std::optional<HttpMount> mount;

    explicit Tracker(Limits limits = {}) : server("tickets", "1", {.limits = limits}) {
        add_tickets(server, db);
        mount.emplace(server, HttpOptions{.auth = auth::StaticTokens{{"alice", auth::hash_token("token-of-alice")},
                                                                     {"bob", auth::hash_token("token-of-bob")}}});
    }
    std::size_t count(const char* sql) { return static_cast<std::size_t>(std::stoul(db.run(sql).at(0).at(0))); }
};

// One principal with a client of one era. Writes everything that it receives into `seen`.
class Person {
 public:
    Person(Tracker& tracker, std::string name, Era era)
        : name_(std::move(name)), era_(era), connection_(tracker.mount->connect("127.0.0.1")) {
        if (modern()) return;
        const auto opened = ask("initialize", {{"protocolVersion", "2025-11-25"},
                                               {"capabilities", {{"elicitation", json::object()}}},
                                               {"clientInfo", {{"name", "t"}, {"version", "1"}}}});
        EXPECT_TRUE(opened.contains("result"));
        notify("notifications/initialized");
    }
    bool modern() const { return era_ == Era::modern; }

    /// Opens the stream of notifications, about tickets of both.
    void listen() {
        const json::array uris{"ticket://alice/1", "ticket://alice/2", "ticket://bob/1", "ticket://bob/2"};
        if (!modern()) {
            stream_.emplace(begin("GET", {}, {}));
            for (const json::value& uri : uris) ask("resources/subscribe", {{"uri", uri}});
        } else {
            const json::object wanted{{"toolsListChanged", true},
                                      {"resourcesListChanged", true},
                                      {"promptsListChanged", true},
                                      {"resourceSubscriptions", uris}};
            stream_.emplace(begin("POST", "subscriptions/listen", {{"notifications", wanted}}));
        }
        hear();
    }
    /// Listens to a task, too (2026-07-28).
    void listen_to(const std::string& task) {
        if (!modern()) return;
        const json::object wanted{{"taskIds", json::array{task}}};
        task_stream_.emplace(begin("POST", "subscriptions/listen", {{"notifications", wanted}}));
        hear();
    }
    /// Takes the notifications that have come.
    void hear() {
        if (stream_) drain(*stream_);
        if (task_stream_) drain(*task_stream_);
    }

    /// Sends a request, answers the questions of the server, and returns the response.
    json::object ask(std::string_view method, json::object params = {}) {
        Exchange exchange = begin("POST", method, params);
        finish(exchange);
        const json::object response = exchange.last;
        const json::value* result = response.if_contains("result");
        const json::object* questions = result && result->is_object() && result->as_object().contains("inputRequests")
                                            ? &result->at("inputRequests").as_object()
                                            : nullptr;
        if (!questions) return response;
        json::object answers;
        for (const auto& [key, question] : *questions) answers[key] = yes();
        params["inputResponses"] = std::move(answers);
        params["requestState"] = result->at("requestState");
        return ask(method, std::move(params));
    }
    json::object call(std::string_view tool, json::object arguments = {}, json::object extra = {}) {
        extra["name"] = tool;
        extra["arguments"] = std::move(arguments);
        return ask("tools/call", std::move(extra));
    }
    void notify(std::string_view method, json::object params = {}) {
        Exchange exchange = begin("POST", method, std::move(params), false);
        for (int patience = 600; patience > 0 && exchange.state == HttpOutput::State::open; --patience) drain(exchange);
    }
    const std::string& seen() const { return seen_; }
    const std::string& session() const { return session_; }
    /// Called for each question with a handshake. Returns whether it is answered with yes at once.
    std::function<bool(const json::value& id)> answers_now = [](const json::value&) { return true; };

    struct Exchange {
        HttpMount::Exchange inner;
        framing::SseReader reader{64 * 1024 * 1024};
        std::optional<HttpResponseHead> head = {};
        std::string body = {};
        HttpOutput::State state = HttpOutput::State::open;
        json::object last = {};
        bool blocks = true;
    };
    static json::object yes() { return {{"action", "accept"}, {"content", {{"really", true}}}}; }

    Exchange begin(const char* how, std::string_view method, json::object params, bool is_request = true) {
        HttpRequestHead head{how, "/mcp", {{"Host", "localhost"}, {"Authorization", "Bearer token-of-" + name_}}};
        head.headers.emplace_back("Accept", "application/json, text/event-stream");
        if (!session_.empty()) head.headers.emplace_back("Mcp-Session-Id", session_);
        json::object message{{"jsonrpc", "2.0"}, {"method", method}};
        if (is_request) message["id"] = ++id_;
        if (modern()) {
            const json::object capabilities{
                {"elicitation", json::object()},
                {"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}};
            json::object meta = params.contains("_meta") ? params["_meta"].as_object() : json::object();
            meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
            meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
            params["_meta"] = std::move(meta);
            head.headers.emplace_back("MCP-Protocol-Version", "2026-07-28");
            head.headers.emplace_back("Mcp-Method", std::string(method));
            const std::string_view parameter = protocol::name_parameter(method);
            const json::value* name = parameter.empty() ? nullptr : params.if_contains(parameter);
            if (name && name->is_string()) head.headers.emplace_back("Mcp-Name", std::string(name->as_string()));
        }
        message["params"] = std::move(params);
        const bool post = head.method == "POST";
        if (post) head.headers.emplace_back("Content-Type", "application/json");
        Exchange exchange{connection_.request(head)};
        if (post) exchange.inner.body(json::write(message));
        if (exchange.inner.wants_body()) exchange.inner.end_of_body();
        exchange.blocks = post && method != "subscriptions/listen";
        return exchange;
    }

    void drain(Exchange& exchange) {
        HttpOutput out =
            exchange.blocks ? exchange.inner.wait_and_take(std::chrono::milliseconds(100)) : exchange.inner.take();
        exchange.state = out.state;
        if (out.head) {
            exchange.head = std::move(out.head);
            note_head(*exchange.head);
        }
        if (!exchange.head) return;
        if (!exchange.head->content_length) {
            exchange.reader.feed(out.body, [&](const auto& event) {
                if (!event.last_event_id.empty()) seen_ += "id " + event.last_event_id + " ";
                if (!event.data.empty()) take(exchange, event.data);
            });
            return;
        }
        exchange.body += out.body;
        if (out.state == HttpOutput::State::complete && !exchange.body.empty()) take(exchange, exchange.body);
    }
    /// Waits until the response is complete.
    void finish(Exchange& exchange) {
        for (int patience = 600; patience > 0 && exchange.state == HttpOutput::State::open; --patience) drain(exchange);
        EXPECT_EQ(exchange.state, HttpOutput::State::complete);
    }
    /// Answers a question with yes (a handshake).
    void answer(const json::value& id) {
        HttpRequestHead head{"POST",
                             "/mcp",
                             {{"Host", "localhost"},
                              {"Authorization", "Bearer token-of-" + name_},
                              {"Accept", "application/json, text/event-stream"},
                              {"Content-Type", "application/json"},
                              {"Mcp-Session-Id", session_}}};
        auto exchange = connection_.request(head);
        exchange.body(json::write(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", yes()}}));
        exchange.end_of_body();
        EXPECT_EQ(exchange.take().head.value().status, 202);
    }

 private:
    void take(Exchange& exchange, const std::string& text) {
        json::object message = json::parse(text).value().as_object();
        if (!message.contains("method")) {
            exchange.last = message;
        } else if (message.contains("id")) {  // a question, with a handshake
            if (answers_now(message.at("id"))) answer(message.at("id"));
        }
        json::value shown = std::move(message);
        normalise(shown);
        seen_ += json::write(shown) + "\n";
    }
    void note_head(const HttpResponseHead& head) {
        seen_ += std::to_string(head.status);
        for (const auto& [name, value] : head.headers) {
            if (name == "Mcp-Session-Id") session_ = value;
            seen_ += " " + name + ": " + (name == "Mcp-Session-Id" ? "*" : value);
        }
        seen_ += "\n";
    }
    // Replaces values that are random or times.
    static void normalise(json::value& v) {
        if (auto* array = v.if_array()) {
            for (json::value& element : *array) normalise(element);
        } else if (auto* object = v.if_object()) {
            for (auto& [key, value] : *object) {
                const bool random = key == "requestState" || key == "nextCursor" || key == "createdAt" ||
                                    key == "lastUpdatedAt" || key == "taskId";
                random ? static_cast<void>(value = "*") : normalise(value);
            }
        }
    }

    std::string name_;
    Era era_;
    HttpMount::Connection connection_;
    std::string session_, seen_;
    std::optional<Exchange> stream_, task_stream_;
    int id_ = 0;
};

}  // namespace tenon::test
