// Tool calls and tool results in the messages of a sampling request.
#include "protocol/sampling_rules.hpp"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

SamplingMessage said(Role role, std::vector<SamplingContent> content) { return {role, std::move(content)}; }
SamplingMessage asks(std::vector<std::string> ids) {
    SamplingMessage out{Role::assistant, {}};
    for (std::string& id : ids) out.content.push_back(ToolUse{std::move(id), "weather", {}});
    return out;
}
SamplingMessage gives(std::vector<std::string> ids) {
    SamplingMessage out{Role::user, {}};
    for (std::string& id : ids) out.content.push_back(ToolUseResult{std::move(id)});
    return out;
}
const SamplingMessage question = said(Role::user, {TextContent{"Paris and London?"}});
const SamplingMessage reply = said(Role::assistant, {TextContent{"Sunny."}});

std::string fault(std::vector<SamplingMessage> messages) {
    const auto ok = check_tool_turns(messages);
    if (ok) return "";
    EXPECT_EQ(ok.error().code, code::invalid_params);
    return ok.error().message;
}

// rules: SEC-3
TEST(SamplingToolTurns, balanced_turns_are_accepted) {
    EXPECT_EQ(fault({}), "");
    EXPECT_EQ(fault({question}), "");
    EXPECT_EQ(fault({question, asks({"a", "b"}), gives({"b", "a"}), reply}), "");
    EXPECT_EQ(fault({question, asks({"a"}), gives({"a"}), asks({"a"}), gives({"a"})}), "");
    EXPECT_EQ(fault({said(Role::assistant, {TextContent{"Let me see."}, ToolUse{"a", "weather", {}}}), gives({"a"})}),
              "");
}

// rules: SEC-3
TEST(SamplingToolTurns, every_tool_use_needs_its_result_in_the_next_message) {
    EXPECT_EQ(fault({asks({"a"})}), "Invalid params: `params.messages[1]` must have the tool_result of `a`");
    EXPECT_EQ(fault({asks({"a"}), question, gives({"a"})}),
              "Invalid params: `params.messages[1]` must have the tool_result of `a`");
    EXPECT_EQ(fault({asks({"a", "b"}), gives({"a"})}),
              "Invalid params: `params.messages[1]` must have the tool_result of `b`");
    EXPECT_EQ(fault({asks({"a", "a"}), gives({"a"})}),
              "Invalid params: `params.messages[0]` has two tool_use blocks with the id `a`");
}

// rules: SEC-3
TEST(SamplingToolTurns, every_result_belongs_to_a_tool_use_of_the_message_before) {
    EXPECT_EQ(fault({question, gives({"a"})}),
              "Invalid params: `params.messages[1]` has a tool_result for `a`, which is not an open tool_use of the "
              "message before");
    EXPECT_NE(fault({asks({"a"}), gives({"a", "a"})}), "");
    EXPECT_NE(fault({asks({"a"}), gives({"a"}), gives({"a"})}), "");
}

// rules: SEC-3
TEST(SamplingToolTurns, results_are_not_mixed_with_other_content) {
    SamplingMessage mixed = gives({"a"});
    mixed.content.push_back(TextContent{"Here it is."});
    EXPECT_EQ(fault({asks({"a"}), mixed}), "Invalid params: `params.messages[1]` mixes tool_result with other content");
    SamplingMessage swapped = gives({"a"});
    swapped.role = Role::assistant;
    EXPECT_NE(fault({asks({"a"}), swapped}), "");
    SamplingMessage users = asks({"a"});
    users.role = Role::user;
    EXPECT_NE(fault({users, gives({"a"})}), "");
}

}  // namespace
}  // namespace tenon::protocol
