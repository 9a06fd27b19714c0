#include "protocol/sampling_rules.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/printable.hpp"

namespace tenon::protocol {
namespace {

constexpr std::size_t max_quoted_id = 100;

using ToolCallIds = std::set<std::string_view>;

Error bad_turn(std::size_t message, std::string_view what) {
    return {code::invalid_params,
            "Invalid params: `params.messages[" + std::to_string(message) + "]` " + std::string(what)};
}

std::string quoted(std::string_view id) { return "`" + base::printable(id, max_quoted_id) + "`"; }

/// Checks one message after the other. Between two messages it knows the tool calls that need a result.
class ToolTurns {
 public:
    Result<void> next(const SamplingMessage& message) {
        const bool answers = std::ranges::any_of(message.content, is<ToolUseResult>);
        auto ok = answers ? take_results(message) : no_open_calls();
        if (ok) ok = take_calls(message);
        ++at_;
        return ok;
    }
    Result<void> end() const { return no_open_calls(); }

 private:
    template <class T>
    static bool is(const SamplingContent& block) {
        return std::holds_alternative<T>(block);
    }

    Result<void> no_open_calls() const {
        if (open_.empty()) return {};
        return bad_turn(at_, "must have the tool_result of " + quoted(*open_.begin()));
    }

    Result<void> take_results(const SamplingMessage& message) {
        if (message.role != Role::user) return bad_turn(at_, "has a tool_result, but its role is not user");
        if (!std::ranges::all_of(message.content, is<ToolUseResult>))
            return bad_turn(at_, "mixes tool_result with other content");
        for (const SamplingContent& block : message.content) {
            const std::string& id = std::get<ToolUseResult>(block).toolUseId;
            if (open_.erase(id) == 0)
                return bad_turn(at_, "has a tool_result for " + quoted(id) +
                                         ", which is not an open tool_use of the message before");
        }
        return no_open_calls();
    }

    Result<void> take_calls(const SamplingMessage& message) {
        for (const SamplingContent& block : message.content) {
            const auto* use = std::get_if<ToolUse>(&block);
            if (use && message.role != Role::assistant)
                return bad_turn(at_, "has a tool_use, but its role is not assistant");
            if (use && !open_.insert(use->id).second)
                return bad_turn(at_, "has two tool_use blocks with the id " + quoted(use->id));
        }
        return {};
    }

    std::size_t at_ = 0;
    ToolCallIds open_;  // the tool calls of the message before
};

}  // namespace

Result<void> check_tool_turns(std::span<const SamplingMessage> messages) {
    ToolTurns turns;
    for (const SamplingMessage& message : messages)
        if (auto ok = turns.next(message); !ok) return ok;
    return turns.end();
}

}  // namespace tenon::protocol
