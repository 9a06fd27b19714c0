// rules: TOOL-10, RES-10
#include "core/server/uses.hpp"

#include <gtest/gtest.h>

#include "core/server/engine.hpp"

namespace tenon::core {
namespace {

struct Uses : testing::Test {
    Uses() {
        for (const char* name : {"read", "write", "wipe"})
            EXPECT_TRUE(registry.add(ToolEntry{.definition = {name, "A tool"}, .handler = {}}));
        EXPECT_TRUE(registry.add(ResourceEntry{.definition = {"note://a", "a"}, .handler = {}}));
        EXPECT_TRUE(registry.add(TemplateEntry{.definition = {"note://{id}", "notes"}, .handler = {}}));
        EXPECT_TRUE(registry.add(PromptEntry{.definition = {"plan"}, .handler = {}}));
    }
    std::string of(std::string_view method, std::string_view params) {
        const auto features = registry.snapshot();
        std::string out;
        for (const Use& use : uses_of(method, json::parse(params).value().as_object(), *features))
            out += (out.empty() ? "" : ", ") + std::string(1, "trp"[static_cast<int>(use.kind)]) + ":" +
                   std::string(use.key);
        return out;
    }
    Registry registry;
};

TEST_F(Uses, are_found_in_every_request_that_names_a_feature) {
    EXPECT_EQ(of("tools/call", R"({"name":"write"})"), "t:write");
    EXPECT_EQ(of("prompts/get", R"({"name":"plan"})"), "p:plan");
    EXPECT_EQ(of("resources/read", R"({"uri":"note://a"})"), "r:note://a");
    EXPECT_EQ(of("resources/read", R"({"uri":"note://b"})"), "r:note://{id}");
    EXPECT_EQ(of("resources/subscribe", R"({"uri":"note://b"})"), "r:note://{id}");
    EXPECT_EQ(of("completion/complete", R"({"ref":{"type":"ref/prompt","name":"plan"}})"), "p:plan");
    EXPECT_EQ(of("completion/complete", R"({"ref":{"type":"ref/resource","uri":"note://{id}"}})"), "r:note://{id}");
    EXPECT_EQ(of("subscriptions/listen", R"({"notifications":{"resourceSubscriptions":["note://a","note://b"]}})"),
              "r:note://a, r:note://{id}");
}

TEST_F(Uses, are_empty_for_requests_without_a_known_feature) {
    EXPECT_EQ(of("tools/list", R"({})"), "");
    EXPECT_EQ(of("tools/call", R"({"name":"nobody"})"), "");
    EXPECT_EQ(of("tools/call", R"({"name":1})"), "");
    EXPECT_EQ(of("tools/call", R"({})"), "");
    EXPECT_EQ(of("completion/complete", R"({"ref":1})"), "");
    EXPECT_EQ(of("subscriptions/listen", R"({"notifications":{"resourceSubscriptions":1}})"), "");
}

// ---- the engine

struct Allowed : Uses {
    Allowed() {
        auto settings = std::make_shared<Settings>();
        settings->info = protocol::Spellings(Implementation{"engine", "1"});
        settings->limits.page_size = 1;
        settings->features = [this] { return registry.snapshot(); };
        engine.emplace(settings);
        send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
                 "capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
        send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
    /// Returns the response to a sender that may not use features whose names begin with "w" or "note://{".
    std::string send(std::string_view message, bool everything = false) {
        const MayUse some = [](const Use& use) {
            return !use.key.starts_with("w") && !use.key.starts_with("note://{");
        };
        engine->receive(jsonrpc::decode(message, engine->decode_limits()), TimePoint(),
                        {.may_use = everything ? MayUse() : some});
        std::string out;
        for (Action& action : engine->take_actions()) {
            if (auto* said = std::get_if<Send>(&action)) out += said->message.json;
            if (std::holds_alternative<core::Run>(action)) out += "run";
        }
        return out;
    }
    std::string names(const std::string& method, bool everything = false) {
        std::string out, cursor;
        do {
            const std::string answer = send(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" +
                                                (cursor.empty() ? "" : R"("cursor":")" + cursor + '"') + "}}",
                                            everything);
            const json::value parsed = json::parse(answer).value();
            const json::object& result = parsed.at("result").as_object();
            for (const auto& member : result)
                if (member.value().is_array())
                    for (const json::value& one : member.value().as_array())
                        out += std::string(one.at("name").as_string()) + " ";
            cursor = result.contains("nextCursor") ? std::string(result.at("nextCursor").as_string()) : "";
        } while (!cursor.empty());
        return out;
    }
    std::optional<ServerEngine> engine;
};

TEST_F(Allowed, lists_contain_only_what_the_caller_may_use) {
    EXPECT_EQ(names("tools/list"), "read ");
    EXPECT_EQ(names("tools/list", true), "read write wipe ");
    EXPECT_EQ(names("resources/list"), "a ");
    EXPECT_EQ(names("resources/templates/list"), "");
    EXPECT_EQ(names("prompts/list"), "plan ");
}

TEST_F(Allowed, a_call_without_permission_does_not_run) {
    const std::string write = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}})";
    EXPECT_NE(send(write).find("You may not use `write`"), std::string::npos);
    EXPECT_NE(
        send(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"note://b"}})").find("You may not"),
        std::string::npos);
    EXPECT_EQ(send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}})"), "run");
    EXPECT_EQ(send(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write"}})", true), "run")
        << "the permission of one message must not affect the next";
}

}  // namespace
}  // namespace tenon::core
