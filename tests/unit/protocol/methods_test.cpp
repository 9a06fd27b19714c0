// rules: RPC-8, RPC-14
#include <gtest/gtest.h>

#include <set>

#include "protocol/versions.hpp"
#include "unit/protocol/official_schema.hpp"

namespace tenon::protocol {
namespace {

TEST(Methods, every_name_has_one_row) {
    std::set<std::string_view> names;
    for (const Method& row : methods()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(find_method(row.name), &row);
        EXPECT_EQ(&methods()[position(row)], &row);
    }
    EXPECT_EQ(find_method("tools/launch"), nullptr);
    EXPECT_EQ(find_method(""), nullptr);
}

TEST(Methods, rows_are_consistent) {
    for (const Method& row : methods()) {
        EXPECT_LE(row.first, row.last) << row.name;
        EXPECT_EQ(row.notification, row.name.starts_with("notifications/")) << row.name;
        const bool named = row.uses == Uses::tool || row.uses == Uses::prompt || row.uses == Uses::resource;
        EXPECT_TRUE(!named || !row.target.empty()) << row.name;
        const bool plain = row.target.empty() && row.uses == Uses::nothing && !row.asks && !row.cacheable;
        EXPECT_TRUE(plain || (row.sender == Sender::client && !row.notification)) << row.name;
    }
}

TEST(Methods, every_method_of_every_revision_has_a_row) {
    for (const Revision revision : revisions()) {
        const Rules rules(revision);
        const auto schema = official_schema(std::string(rules.name()));
        if (!schema) GTEST_SKIP() << "the official schemas are not installed";
        const auto has = [&](const std::string& name, Sender sender) {
            return rules.method(name, sender) || (is_task_method(name) && find_method(name));
        };
        for (const std::string& name : methods_of(*schema, "Client"))
            EXPECT_TRUE(has(name, Sender::client)) << rules.name() << " " << name;
        for (const char* side : {"Server", "Input"})  // Input: questions in a result
            for (const std::string& name : methods_of(*schema, side))
                EXPECT_TRUE(has(name, Sender::server)) << rules.name() << " " << name;
    }
}

TEST(Methods, the_results_that_may_ask_for_input_are_those_of_the_schema) {
    const auto schema = official_schema("2026-07-28");
    if (!schema) GTEST_SKIP() << "the official schemas are not installed";
    const json::object& definitions = schema->at("$defs").get_object();
    for (const auto& [name, definition] : definitions) {
        const std::string_view key = name;
        const std::string_view suffix = "ResultResponse";
        if (!key.ends_with(suffix) || key.starts_with("JSONRPC")) continue;
        const std::string request = std::string(key.substr(0, key.size() - suffix.size())) + "Request";
        if (!definitions.contains(request)) continue;
        const auto method = definitions.at(request).at("properties").at("method").at("const").get_string();
        const bool asks = json::write(definition).find("InputRequiredResult") != std::string::npos;
        EXPECT_EQ(may_ask(method), asks) << method;
    }
}

TEST(Methods, a_method_of_an_extension_may_ask_and_counts_as_a_call) {
    EXPECT_TRUE(may_ask("com.example/run"));
    EXPECT_EQ(rate_class("com.example/run"), RateClass::call);
    EXPECT_EQ(name_parameter("com.example/run"), "");
}

TEST(Methods, only_methods_of_the_newest_revision_have_a_name_header) {
    EXPECT_EQ(name_parameter("tools/call"), "name");
    EXPECT_EQ(name_parameter("resources/read"), "uri");
    EXPECT_EQ(name_parameter("tasks/update"), "taskId");
    EXPECT_EQ(name_parameter("resources/subscribe"), "");
    EXPECT_EQ(name_parameter("tasks/result"), "");
    EXPECT_EQ(name_parameter("tools/list"), "");
}

}  // namespace
}  // namespace tenon::protocol
