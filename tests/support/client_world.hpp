// A client engine whose server the test plays. The clock is a number, and messages are JSON.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/client/engine.hpp"

namespace tenon::test {

using namespace std::chrono_literals;

class ClientWorld {
 public:
    core::ClientSettings settings{{{"test", "1"}}};
    TimePoint now = TimePoint() + 1h;

    core::ClientEngine& engine() {
        if (!engine_) engine_.emplace(std::make_shared<const core::ClientSettings>(settings));
        return *engine_;
    }

    /// The actions of the engine so far, sorted by kind.
    std::vector<json::value> sent;
    std::vector<OutgoingMessage> outgoing;
    std::map<core::CallId, Result<json::value>> answers;
    std::vector<core::Ask> asks;
    std::vector<std::stop_source> stopped;
    std::vector<core::Announce> announced;
    std::vector<std::string> notes;
    int reopens = 0, hangups = 0;
    std::vector<Duration> reopen_waits;

    void take() {
        for (core::ClientAction& action : engine().take_actions()) {
            if (auto* t = std::get_if<core::Transmit>(&action)) {
                sent.push_back(json::parse(t->message.body).value());
                outgoing.push_back(std::move(t->message));
            } else if (auto* h = std::get_if<core::HandOver>(&action)) {
                std::move(h->reply).send(std::move(h->answer));
            } else if (auto* p = std::get_if<core::ReportProgress>(&action)) {
                (*p->sink)(p->progress);
            } else if (auto* a = std::get_if<core::Ask>(&action)) {
                asks.push_back(std::move(*a));
            } else if (auto* s = std::get_if<core::StopAsk>(&action)) {
                s->stop.request_stop();
            } else if (auto* n = std::get_if<core::Announce>(&action)) {
                announced.push_back(std::move(*n));
            } else if (auto* note = std::get_if<core::ClientNote>(&action)) {
                notes.push_back(note->text);
            } else if (auto* reopen = std::get_if<core::Reopen>(&action)) {
                ++reopens;
                reopen_waits.push_back(reopen->wait);
            } else {
                ++hangups;
            }
        }
    }

    void open() { engine().opened(now), take(); }
    void receive(std::string_view text) { engine().receive(text, now), take(); }
    void pass(Duration time) { now += time, engine().tick(now), take(); }
    void lose_session(std::int64_t request = 0) { engine().session_lost(request, now), take(); }
    void close(std::string why = "gone") { engine().closed({code::connection_closed, std::move(why)}, now), take(); }

    json::value last() const { return sent.empty() ? json::value() : sent.back(); }
    std::string last_method() const {
        const json::value v = last();
        return v.is_object() && v.as_object().contains("method") ? std::string(v.at("method").as_string()) : "";
    }
    std::string last_id() const { return json::write(last().at("id")); }

    /// Answers the last sent request.
    void answer(std::string_view result) { answer_id(last_id(), result); }
    void answer_id(const std::string& id, std::string_view result) {
        receive(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + std::string(result) + "}");
    }
    void refuse(int code, std::string_view data = "null") {
        receive(R"({"jsonrpc":"2.0","id":)" + last_id() + R"(,"error":{"code":)" + std::to_string(code) +
                R"(,"message":"no","data":)" + std::string(data) + "}}");
    }

    core::CallId call(core::ClientCall c) {
        const auto next = std::make_shared<core::CallId>(0);
        c.reply = make_reply<json::value>([this, next](Result<json::value> r) {
            EXPECT_FALSE(answers.contains(*next)) << "a call was answered twice";
            answers.emplace(*next, std::move(r));
        });
        *next = engine().call(std::move(c), now);
        take();
        return *next;
    }
    core::CallId call(std::string method, json::object params = {}) {
        core::ClientCall c;
        c.method = std::move(method);
        c.params = std::move(params);
        return call(std::move(c));
    }
    core::CallId call(core::ClientCall::Kind kind, json::object params = {}) {
        core::ClientCall c;
        c.kind = kind;
        c.params = std::move(params);
        return call(std::move(c));
    }
    /// Returns the error code of a call, 0 when it succeeded, or 1 when it has not ended.
    int error_of(core::CallId id) const {
        const auto it = answers.find(id);
        return it == answers.end() ? 1 : it->second ? 0 : it->second.error().code;
    }
    std::string why(core::CallId id) const {
        return error_of(id) != 0 && answers.contains(id) ? answers.at(id).error().message : "";
    }

    static constexpr std::string_view everything =
        R"("capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},)"
        R"("prompts":{"listChanged":true},"completions":{},"logging":{}})";

    void connect_legacy(std::string_view revision = "2025-11-25") {
        settings.era = Era::legacy;
        open();
        answer(R"({"protocolVersion":")" + std::string(revision) + R"(","serverInfo":{"name":"s","version":"1"},)" +
               std::string(everything) + "}");
    }
    void connect_modern() {
        open();
        answer(R"({"resultType":"complete","supportedVersions":["2026-07-28"],)" + std::string(everything) + "}");
    }

 private:
    std::optional<core::ClientEngine> engine_;
};

}  // namespace tenon::test
