// One client of a server in the same thread, for tests of both eras.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <sstream>

#include <tenon/client_options.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>

namespace tenon {

/// Sends requests through a Session and returns the server's messages. A legacy client introduces itself first.
class OneClient {
 public:
    OneClient(Server& server, Era era, SessionOptions options = {}, json::object capabilities = {},
              std::string_view revision = "2025-11-25")
        : era_(era), capabilities_(std::move(capabilities)), session_(server, std::move(options)) {
        if (era_ == Era::modern) return;
        send("initialize", {{"protocolVersion", revision},
                            {"capabilities", capabilities_},
                            {"clientInfo", json::object{{"name", "c"}, {"version", "1"}}}});
        session_.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        take();
    }

    /// Sends a request and returns all messages that come at once.
    std::vector<json::value> send(std::string_view method, json::object params = {}) {
        if (era_ == Era::modern) {
            json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                              {"io.modelcontextprotocol/clientCapabilities", capabilities_}};
            if (auto* own = params.if_contains("_meta"))
                for (const auto& [key, value] : own->as_object()) meta[key] = value;
            params["_meta"] = std::move(meta);
        }
        session_.receive(json::write(
            json::object{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}}));
        return take();
    }
    /// Sends a request and returns its response: `result` or `error`.
    json::object ask(std::string_view method, json::object params = {}) {
        auto messages = send(method, std::move(params));
        if (messages.empty()) return {};
        json::object& last = messages.back().as_object();
        return last.contains("result") ? last["result"].as_object() : json::object{{"error", last["error"]}};
    }
    json::object call(std::string_view tool, json::object arguments = {}, json::object extra = {}) {
        extra["name"] = tool;
        extra["arguments"] = std::move(arguments);
        return ask("tools/call", std::move(extra));
    }
    std::vector<json::value> take() {
        std::vector<json::value> out;
        std::istringstream lines(session_.take_output());
        for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line).value());
        return out;
    }
    Session& session() { return session_; }
    std::int64_t last_id() const { return last_id_; }

    static int code_of(const json::object& answer) {
        const json::value* error = answer.if_contains("error");
        return error ? static_cast<int>(error->at("code").as_int64()) : 0;
    }
    static std::string message_of(const json::object& answer) {
        const json::value* error = answer.if_contains("error");
        return error ? std::string(error->at("message").as_string()) : std::string();
    }
    static std::string text_of(const json::object& result) {
        return result.contains("content") ? std::string(result.at("content").at(0).at("text").as_string())
                                          : json::write(result);
    }

 private:
    Era era_;
    json::object capabilities_;
    Session session_;
    std::int64_t last_id_ = 0;
};

}  // namespace tenon
