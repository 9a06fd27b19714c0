// A client of the faulty server, over the pipes of a real process.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "property/json_text.hpp"
#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::test {

inline std::string call(int id, const std::string& tool, const std::string& arguments = "{}") {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" + tool +
           R"(","arguments":)" + arguments + "}}";
}
inline std::string message(const std::string& text) { return R"({"message":")" + text + "\"}"; }
inline std::string ping(int id) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})"; }
inline std::string cancel(int id) {
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(id) + "}}";
}
inline const std::string initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},)"
    R"("clientInfo":{"name":"t","version":"1"}}})";
inline const std::string initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
inline const std::string handshake = initialize + "\n" + initialized + "\n";

/// A client of the faulty server.
class StdioClient {
 public:
    explicit StdioClient(std::vector<std::string> arguments = {}, Child::Options options = {})
        : child(command(std::move(arguments)), std::move(options)) {
        child.send(handshake);
    }

    void send(const std::string& line) { child.send_line(line); }

    /// Returns the response to a request, or null when none arrives.
    Json answer(int id, std::chrono::milliseconds time = patience) {
        const std::string key = std::to_string(id);
        child.pump([&] { return sort(), answers_.contains(key) || child.output_ended(); }, time);
        const auto it = answers_.find(key);
        return it == answers_.end() ? Json() : it->second;
    }
    /// Returns the text of the tool's result, "error" and the code for an error, or "nothing" when no response arrives.
    std::string said(int id, std::chrono::milliseconds time = patience) { return text(answer(id, time)); }

    bool wait_for_mark(const std::string& mark) {
        return child.pump([&] { return child.errors().find("mark:" + mark) != std::string::npos; });
    }
    /// Closes the input and expects a clean exit: status 0 and only complete lines.
    void end_well(std::chrono::milliseconds time = patience) {
        EXPECT_EQ(child.finish(time), 0) << child.errors();
        sort();
        EXPECT_EQ(child.partial(), "");
    }
    void ended_well(std::chrono::milliseconds time = patience) {
        EXPECT_EQ(child.exit_status(time), 0) << child.errors();
        sort();
        EXPECT_EQ(child.partial(), "");
    }
    void sort() {
        for (; !child.lines().empty(); child.lines().pop_front()) {
            const auto parsed = JsonReader::read(child.lines().front(), 1000);
            ASSERT_TRUE(parsed && parsed->is(Json::Kind::object))
                << "not a JSON-RPC message: " << child.lines().front().substr(0, 500);
            const Json* id = parsed->find("id");
            if (parsed->find("method") || !id || id->is(Json::Kind::null)) {
                (parsed->find("method") ? others : refusals).push_back(*parsed);
                continue;
            }
            EXPECT_TRUE(answers_.emplace(id->text, *parsed).second) << "a second response to " << id->text;
            order.push_back(id->text);
        }
    }
    static std::string text(const Json& answer) {
        if (const Json* error = answer.find("error")) return "error " + error->find("code")->text;
        const Json* result = answer.find("result");
        const Json* content = result ? result->find("content") : nullptr;
        if (!content) return result ? "result" : "nothing";
        return content->items.empty() ? "" : content->items.front().find("text")->text;
    }
    std::size_t answered() const { return answers_.size(); }

    Child child;
    std::vector<std::string> order;  // ids of the responses, in order of arrival
    std::vector<Json> others;        // notifications and requests of the server
    std::vector<Json> refusals;      // errors without an id

 private:
    static std::vector<std::string> command(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), test_folders::bin() + "/faulty_server");
        return arguments;
    }
    std::map<std::string, Json> answers_;
};

inline std::string temporary_file(const std::string& name) {
    return testing::TempDir() + "tenon_" + std::to_string(::getpid()) + "_" + name;
}

}  // namespace tenon::test
