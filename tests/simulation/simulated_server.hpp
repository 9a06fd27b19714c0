// The server of the simulation. Its handlers wait until the running case lets them continue.
#pragma once

#include <map>
#include <set>

#include <tenon/tenon.hpp>

namespace tenon::test {

inline constexpr std::chrono::minutes handler_time{10}, ask_time{5}, idle_time{30};

inline Limits simulated_limits() {
    Limits limits;
    limits.handler_time = handler_time;
    limits.ask_time = ask_time;
    limits.session_idle_time = idle_time;
    limits.max_sessions = 6;
    limits.max_streams_per_session = 1000;  // the limit of streams has its own tests
    return limits;
}

inline const json::object form{{"type", "object"}, {"properties", json::object()}};

/// What the handlers of the running case have done.
struct Stage {
    std::map<std::string, int> ran;
    std::map<std::string, Reply<std::string>> held;
    std::set<std::string> finished;
};
inline Stage* stage = nullptr;

inline Server& simulated_server() {
    static Server& server = []() -> Server& {
        static Server s{"simulated", "1", {.limits = simulated_limits()}};
        const auto arguments = args(arg<std::string>("token", "Whose"), arg<int>("count", "How often"));
        s.tool("talk", "Says something so often, then answers", arguments,
               [](Context& ctx, std::string token, int count) {
                   ++stage->ran[token];
                   for (int i = 0; i < count; ++i) ctx.info(token + "/" + std::to_string(i));
                   stage->finished.insert(token);
                   return token;
               });
        s.tool("hold", "Says something so often, and answers when the dice say so", arguments,
               [](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                   ++stage->ran[token];
                   for (int i = 0; i < count; ++i) ctx.info(token + "/" + std::to_string(i));
                   stage->held.emplace(token, std::move(reply));
               });
        s.tool("poll", "Lets its client come back", arguments,
               [](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                   ++stage->ran[token];
                   for (int i = 0; i < count; ++i) {
                       ctx.info(token + "/" + std::to_string(i));
                       if (i == 0) ctx.let_poll();
                   }
                   stage->held.emplace(token, std::move(reply));
               });
        s.tool("ask", "Asks the user", arguments,
               [](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                   ++stage->ran[token];
                   for (int i = 0; i < count; ++i) ctx.info(token + "/" + std::to_string(i));
                   auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
                   ctx.async_elicit(token, form, make_reply<ElicitResult>([kept, token](Result<ElicitResult> answer) {
                                        stage->finished.insert(token);
                                        if (!answer) return std::move(*kept).send(answer.error());
                                        std::move(*kept).send(token);
                                    }));
               });
        return s;
    }();
    return server;
}

}  // namespace tenon::test
