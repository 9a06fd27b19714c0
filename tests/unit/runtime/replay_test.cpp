// ServerOptions::replay_every_call: handlers are replayed for older clients, too, and each difference is reported.
#include <gtest/gtest.h>

#include <mutex>

#include <tenon/middleware.hpp>
#include <tenon/testing.hpp>

namespace tenon {
namespace {

const json::object no_fields{{"type", "object"}, {"properties", json::object()}};

/// A server with one tool, and a client that accepts every form.
struct ReplayWorld {
    using Handler = std::function<std::string(Context&)>;
    ReplayWorld(Handler handler, Era era, bool on = true) : era_(era) {
        ServerOptions options;
        options.replay_every_call = on;
        options.log = [this](const LogRecord& r) {
            const std::lock_guard lock(mutex);
            if (r.level == LogLevel::warning) warnings.emplace_back(r.message);
        };
        server.emplace("test", "1", std::move(options));
        server->tool("ask", "Asks", std::move(handler));
    }
    std::string call() {
        ClientOptions options;
        options.era = era_;
        options.on_elicit = [this](const ElicitRequest& request, std::stop_token) {
            const std::lock_guard lock(mutex);
            asked.push_back(request.message);
            return ElicitResult{ElicitAction::accept, json::object()};
        };
        options.on_log = [this](const LogMessage& message) {
            const std::lock_guard lock(mutex);
            logged.push_back(json::write(message.data));
        };
        Client client = test_kit::memory_client(*server, {}, options);
        if (era_ == Era::modern) client.set_log_level(LogLevel::debug);
        const ToolResult result = client.call_tool("ask");
        client.close();
        return std::get<TextContent>(result.content.at(0)).text;
    }
    Era era_;
    std::optional<Server> server;
    std::mutex mutex;  // guards the members below
    std::vector<std::string> warnings, asked, logged;
};

struct Replay : testing::TestWithParam<Era> {};
INSTANTIATE_TEST_SUITE_P(Eras, Replay, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

TEST_P(Replay, a_side_effect_outside_of_once_happens_in_each_run_and_is_reported) {
    int rows = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            const int row = ++rows;  // wrong: outside of once()
            ctx.elicit("Keep row " + std::to_string(row) + "?", no_fields, "keep");
            return "kept row " + std::to_string(row);
        },
        GetParam());
    EXPECT_EQ(world.call(), "kept row 2");
    EXPECT_EQ(rows, 2);
    EXPECT_EQ(world.asked, std::vector<std::string>{"Keep row 1?"});
    ASSERT_EQ(world.warnings.size(), 1U);
    const std::string& warning = world.warnings[0];
    for (const char* part : {"`ask` ran again", "question `keep` (elicitation/create)", "Keep row 2?", "ctx.once()"})
        EXPECT_NE(warning.find(part), std::string::npos) << part << " in " << warning;
    EXPECT_EQ(warning.find("Keep row 1?") != std::string::npos, GetParam() == Era::legacy) << warning;
}

TEST_P(Replay, is_silent_when_side_effects_are_in_once) {
    int rows = 0, runs = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            ++runs;
            const int row = ctx.once("insert", [&] { return ++rows; });
            ctx.elicit("Keep row " + std::to_string(row) + "?", no_fields);
            ctx.once("ship", [&] { ++rows; });
            ctx.elicit("Sure?", no_fields);
            return "kept row " + std::to_string(row);
        },
        GetParam());
    EXPECT_EQ(world.call(), "kept row 1");
    EXPECT_EQ(rows, 2);
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(world.asked, (std::vector<std::string>{"Keep row 1?", "Sure?"})) << "each question is asked once";
    EXPECT_TRUE(world.warnings.empty()) << world.warnings[0];
}

TEST_P(Replay, reports_another_key_of_once_and_a_run_that_ends_early) {
    int runs = 0;
    ReplayWorld other(
        [&](Context& ctx) {
            ctx.once("key " + std::to_string(++runs), [] {});
            ctx.elicit("Well?", no_fields);
            return std::string("ok");
        },
        GetParam());
    EXPECT_EQ(other.call(), "ok");
    ASSERT_EQ(other.warnings.size(), 1U);
    EXPECT_NE(other.warnings[0].find("step 1 was once(`key 1`) and is now once(`key 2`)"), std::string::npos)
        << other.warnings[0];

    bool inserted = false;
    ReplayWorld early(
        [&](Context& ctx) -> std::string {
            if (std::exchange(inserted, true)) return "duplicate row";
            ctx.elicit("Well?", no_fields, "well");
            return "ok";
        },
        GetParam());
    EXPECT_EQ(early.call(), "duplicate row");
    ASSERT_EQ(early.warnings.size(), 1U);
    EXPECT_NE(early.warnings[0].find("it ended before step 1, which was question `well`"), std::string::npos)
        << early.warnings[0];
}

TEST(LegacyReplay, reports_other_progress_and_log_messages_and_sends_repeated_ones_once) {
    int runs = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            ctx.log(LogLevel::error, "same");
            ctx.elicit("Well?", no_fields);
            ctx.error("run " + std::to_string(++runs));
            ctx.progress(runs);
            ctx.elicit("Sure?", no_fields);
            return std::string("ok");
        },
        Era::legacy);
    EXPECT_EQ(world.call(), "ok");
    EXPECT_EQ(world.logged, (std::vector<std::string>{"\"same\"", "\"run 1\"", "\"run 2\""}));
    ASSERT_EQ(world.warnings.size(), 1U);
    EXPECT_NE(world.warnings[0].find("step 3 was log error \"run 1\" and is now log error \"run 2\""),
              std::string::npos)
        << world.warnings[0];
}

TEST(LegacyReplay, a_handler_that_swallows_the_unwinding_is_reported_and_its_answer_is_dropped) {
    ReplayWorld world(
        [](Context& ctx) -> std::string {
            try {
                ctx.elicit("Well?", no_fields);
            } catch (...) {  // wrong
                return "swallowed";
            }
            return "ok";
        },
        Era::legacy);
    EXPECT_EQ(world.call(), "ok");
    ASSERT_EQ(world.warnings.size(), 1U);
    EXPECT_NE(world.warnings[0].find("catch (...)"), std::string::npos) << world.warnings[0];
}

TEST(LegacyReplay, an_error_of_the_client_is_recorded_and_not_asked_again) {
    int runs = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            ++runs;
            std::string out;
            try {
                ctx.roots("missing");
            } catch (const Exception& e) {
                out = "no roots; ";
            }
            ctx.elicit("Well?", no_fields);
            return out + "ok";
        },
        Era::legacy);
    EXPECT_EQ(world.call(), "no roots; ok");
    EXPECT_EQ(runs, 2);
    EXPECT_TRUE(world.warnings.empty()) << world.warnings[0];
}

TEST(LegacyReplay, replays_the_handler_but_not_the_middleware) {
    int rounds = 0, runs = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            ++runs;
            ctx.elicit("Well?", no_fields);
            return std::string("ok");
        },
        Era::legacy);
    world.server->use([&](Context& ctx, const Request& request, Next next) {
        if (request.method == "tools/call") {
            ++rounds;
            ctx.once("of the middleware", [] {});
        }
        std::move(next).run();
    });
    EXPECT_EQ(world.call(), "ok");
    EXPECT_EQ(rounds, 1);
    EXPECT_EQ(runs, 2);
    EXPECT_TRUE(world.warnings.empty()) << world.warnings[0];
}

TEST(LegacyReplay, stops_to_replay_a_handler_whose_questions_always_differ) {
    int runs = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            ctx.elicit("Well?", no_fields, "key " + std::to_string(++runs));
            return "ok";
        },
        Era::legacy);
    EXPECT_EQ(world.call(), "ok");
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(world.asked.size(), 2U);
    EXPECT_EQ(world.warnings.size(), 1U);
}

TEST(LegacyReplay, is_off_by_default) {
    EXPECT_FALSE(ServerOptions().replay_every_call);
    int runs = 0;
    ReplayWorld world(
        [&](Context& ctx) {
            ++runs;
            ctx.elicit("Well?", no_fields);
            return std::string("ok");
        },
        Era::legacy, false);
    EXPECT_EQ(world.call(), "ok");
    EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace tenon
