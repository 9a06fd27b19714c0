// The client's side of a scripted conversation: handshake, list, call, progress, question, cancel. It tolerates that
// the server closes the connection at any time, but not that a request stays without a response.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <boost/json/serialize.hpp>
#include <tenon/tenon.hpp>

namespace tenon::test {

/// Limits for a server that ends soon although a call still runs.
inline Limits quick_end() {
    Limits limits;
    limits.drain_time = std::chrono::milliseconds(400);
    return limits;
}

/// Tools for the conversation.
inline void add_tools(Server& server) {
    server.tool("echo", "Returns its argument", args(arg<std::string>("message", "Anything")),
                [](std::string m) { return m; });
    server.tool("inline", "The same, in place", args(arg<std::string>("message", "Anything")),
                [](std::string m) { return m; }, {.placement = Placement::inline_});
    server.tool("drop", "Destroys its reply", [](Context&, Reply<std::string>) {});
    server.tool("ask", "Reports progress and asks", [](Context& ctx) {
        ctx.progress(1, 2, "half of it");
        const auto answer = ctx.elicit(
            "Well?",
            json::object{{"type", "object"}, {"properties", json::object{{"name", json::object{{"type", "string"}}}}}});
        return std::string(answer.action == ElicitAction::accept ? "yes" : "no");
    });
    server.tool("wait", "Reports that it has begun, and waits until it is stopped", [](Context& ctx) {
        ctx.progress(1, 2);
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait(lock, ctx.stop_token(), [] { return false; });
        return std::string("stopped");
    });
}

/// One connection to a server: a pipe, or HTTP requests.
class Link {
 public:
    virtual ~Link() = default;
    /// Returns false when the connection was closed.
    virtual bool send(const json::object& message) = 0;
    /// Returns the next message of the server; nothing: the connection of the last request was closed.
    virtual std::optional<json::object> next() = 0;
    /// Cancels the last request, a call of "wait".
    virtual void cancel(std::int64_t id) = 0;
    /// Returns whether another request can be sent after a connection was closed.
    virtual bool can_reconnect() const { return false; }
};

class Conversation {
 public:
    Conversation(Link& link, bool modern) : link_(link), modern_(modern) {}

    /// Returns whether every request had the right result. After a fault only hang, crash and a second response are
    /// errors.
    bool run() {
        bool right = true;
        if (!modern_) {
            right &= succeeds(ask("initialize", {{"protocolVersion", "2025-11-25"},
                                                 {"capabilities", json::object{{"elicitation", json::object()}}},
                                                 {"clientInfo", json::object{{"name", "t"}, {"version", "1"}}}}));
            right &= link_.send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
        }
        right &= succeeds(ask("tools/list", {}));
        right &= text_of(call("echo", {{"message", "a"}})) == "a";
        right &= text_of(call("inline", {{"message", "b"}})) == "b";
        right &= ask_user();
        right &= call("drop", {}).has_value();
        cancel();
        right &= succeeds(ask(modern_ ? "tools/list" : "ping", {}));
        return right;
    }

 private:
    using Answer = std::optional<json::object>;

    static bool succeeds(const Answer& answer) { return answer && answer->contains("result"); }
    static std::string text_of(const Answer& answer) {
        if (!succeeds(answer) || !answer->at("result").as_object().contains("content")) return "";
        return std::string(answer->at("result").at("content").at(0).at("text").as_string());
    }

    json::object request(std::string_view method, json::object params) {
        if (modern_) {
            json::object& meta =
                params["_meta"].is_object() ? params["_meta"].as_object() : params["_meta"].emplace_object();
            meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
            meta["io.modelcontextprotocol/clientCapabilities"] = json::object{{"elicitation", json::object()}};
        }
        return {{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}};
    }

    Answer ask(std::string_view method, json::object params) {
        if (closed_) return {};
        const bool sent = link_.send(request(method, std::move(params)));
        const Answer answer = sent ? wait_for(last_id_) : std::nullopt;
        closed_ = !answer && !link_.can_reconnect();
        return answer;
    }
    Answer call(std::string_view tool, json::object arguments) {
        return ask(
            "tools/call",
            {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", json::object{{"progressToken", "p"}}}});
    }

    // Reads until the response with this id.
    Answer wait_for(std::int64_t id) {
        while (auto message = link_.next()) {
            if (!message->contains("method")) {
                const json::value* const its = message->if_contains("id");
                if (!its || !its->is_int64()) continue;  // an error without an id
                EXPECT_EQ(++responses_[its->as_int64()], 1) << "two responses to request " << its->as_int64();
                if (its->as_int64() == id) return message;
            } else if (message->contains("id")) {
                const bool sent =
                    link_.send({{"jsonrpc", "2.0"},
                                {"id", message->at("id")},
                                {"result", json::object{{"action", "accept"}, {"content", json::object()}}}});
                if (!sent) break;  // the server would wait for the answer until Limits::ask_time
            }
        }
        return {};
    }

    bool ask_user() {
        Answer answer = call("ask", {});
        if (modern_ && succeeds(answer) && answer->at("result").as_object().contains("inputRequests")) {
            const json::object& result = answer->at("result").as_object();
            json::object answers;
            for (const auto& [key, question] : result.at("inputRequests").as_object())
                answers[key] = json::object{{"action", "accept"}, {"content", json::object()}};
            answer = ask("tools/call", {{"name", "ask"},
                                        {"arguments", json::object()},
                                        {"inputResponses", answers},
                                        {"requestState", result.at("requestState")}});
        }
        return text_of(answer) == "yes";
    }

    void cancel() {
        if (closed_) return;
        closed_ = !link_.send(request("tools/call", {{"name", "wait"},
                                                     {"arguments", json::object()},
                                                     {"_meta", json::object{{"progressToken", "p"}}}})) &&
                  !link_.can_reconnect();
        if (!closed_) link_.cancel(last_id_);
    }

    Link& link_;
    const bool modern_;
    bool closed_ = false;
    std::int64_t last_id_ = 0;
    std::map<std::int64_t, int> responses_;
};

}  // namespace tenon::test
