// Tools: TOOL-1 to TOOL-16.
#include <algorithm>
#include <set>

#include <tenon/schema.hpp>

#include "check/server/arguments.hpp"
#include "check/server/checks.hpp"
#include "check/server/lists.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::tools {
namespace {

using protocol::Trait;

bool is_refusal(const Answer& answer) {
    const json::value* failed = answer.result().if_contains("isError");
    return answer.is_error() || (failed && failed->is_bool() && failed->get_bool());
}

struct BadCall {
    std::string tool, which;
    json::object arguments;
};

using Breaker = std::optional<json::object> (*)(const json::object&, std::string&);

// Finds a tool for a bad call, first among the tools that may be called. With `any_tool` it also tries the others:
// then the arguments must be such that no tool can act on them.
std::optional<BadCall> bad_call(Probe& probe, Breaker breaker, bool any_tool) {
    std::vector<const json::object*> tools = probe.callable_tools();
    if (any_tool)
        for (const json::object& tool : probe.tools().entries) tools.push_back(&tool);
    for (const json::object* tool : tools) {
        BadCall out;
        const auto* name = string_in(*tool, "name");
        auto arguments = breaker(*tool, out.which);
        if (!arguments || !name) continue;
        out.tool = *name;
        out.arguments = *std::move(arguments);
        return out;
    }
    return std::nullopt;
}

Verdict refuses(Probe& probe, const std::optional<BadCall>& call, std::string_view what) {
    if (!call) return not_applicable("there is no tool with an argument to break that may be called");
    const Answer answer = probe.ask("tools/call", {{"name", call->tool}, {"arguments", call->arguments}});
    if (!answer.came()) return fail(answer.why);
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    return is_refusal(answer)
               ? pass()
               : fail("the tool " + call->tool + " took " + std::string(what) + " `" + call->which + "`");
}

bool has_output(const Call& call) {
    return object_in(*call.tool, "outputSchema") && call.answer.broken.empty() && call.answer.is_result() &&
           !is_refusal(call.answer);
}

}  // namespace

Verdict unique_names(Probe& probe) { return unique(probe.tools(), "name", "tools"); }
Verdict pages(Probe& probe) { return ends(probe.tools()); }
Verdict bad_cursor(Probe& probe) { return refuses_cursor(probe, probe.tools(), "tools/list"); }
Verdict same_order(Probe& probe) { return same_twice(probe, probe.tools(), "tools/list", "tools"); }

Verdict missing_argument(Probe& probe) {
    return refuses(probe, bad_call(probe, arguments_with_one_missing, true), "a call without");
}
Verdict wrong_type(Probe& probe) {
    return refuses(probe, bad_call(probe, arguments_of_wrong_type, false), "an object as");
}

Verdict where_input_errors_go(Probe& probe) {
    const auto call = bad_call(probe, arguments_with_one_missing, true);
    if (!call) return not_applicable("there is no tool with an argument to leave out");
    const Answer answer = probe.ask("tools/call", {{"name", call->tool}, {"arguments", call->arguments}});
    if (!answer.came() || !is_refusal(answer)) return not_applicable("the call was not refused");
    if (probe.has(Trait::input_errors_in_result))
        return answer.is_result()
                   ? pass()
                   : fail("an argument is missing: " + answer.error_text() + " instead of a result with isError");
    return answer.is_error() ? expect_error(answer, {code::invalid_params})
                             : fail("an argument is missing: a result with isError instead of -32602");
}

Verdict unknown_tool(Probe& probe) {
    const Answer answer =
        probe.ask("tools/call", {{"name", "tenon-check-no-such-tool"}, {"arguments", json::object()}});
    if (!answer.came()) return fail(answer.why);
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    return is_refusal(answer) ? pass() : fail("an unknown tool returned a result");
}

Verdict unknown_tool_code(Probe& probe) {
    const Answer answer =
        probe.ask("tools/call", {{"name", "tenon-check-no-such-tool"}, {"arguments", json::object()}});
    if (!answer.came() || !is_refusal(answer)) return not_applicable("the call was not refused");
    return answer.is_error() ? expect_error(answer, {code::invalid_params})
                             : fail("a result with isError instead of the error -32602");
}

Verdict no_name(Probe& probe) {
    const Answer answer = probe.ask("tools/call", {{"arguments", json::object()}});
    if (answer.status >= 400 && !answer.came()) return pass();
    return expect_error(answer);
}

// ---- results

Verdict call_some(Probe& probe) {
    if (probe.calls().empty()) return not_applicable("no tool may be called");
    for (const Call& call : probe.calls())
        if (!call.answer.came()) return fail(std::string(*string_in(*call.tool, "name")) + ": " + call.answer.why);
    return pass();
}

Verdict conforms(Probe& probe) {
    if (!probe.has(Trait::structured_content)) return not_applicable("this revision has no structured content");
    std::size_t seen = 0;
    for (const Call& call : probe.calls()) {
        const auto* type = string_in(call.answer.result(), "resultType");
        if (!has_output(call) || (type && *type != "complete")) continue;
        const auto schema = schema::Schema::compile(call.tool->at("outputSchema"));
        const std::string name(*string_in(*call.tool, "name"));
        const json::value* structured = call.answer.result().if_contains("structuredContent");
        if (!schema) continue;
        if (!structured) return fail("the tool " + name + " has an outputSchema, but returned no structuredContent");
        if (const auto wrong = schema->check(*structured, 1, "structuredContent"); !wrong.empty())
            return fail("the tool " + name + ": " + wrong.front().message);
        ++seen;
    }
    return seen > 0 ? pass() : not_applicable("no tool with an outputSchema was called");
}

Verdict text_copy(Probe& probe) {
    std::size_t seen = 0;
    for (const Call& call : probe.calls()) {
        const json::value* structured = call.answer.result().if_contains("structuredContent");
        const json::array* content = array_in(call.answer.result(), "content");
        if (!structured || !content || !has_output(call)) continue;
        const auto is_text = [&](const json::value& block) {
            const json::object* o = block.if_object();
            const auto* text = o ? string_in(*o, "text") : nullptr;
            return text && json::parse(std::string_view(*text)).has_value();
        };
        if (std::ranges::none_of(*content, is_text))
            return fail("the tool " + std::string(*string_in(*call.tool, "name")) +
                        " does not repeat its structuredContent as JSON text");
        ++seen;
    }
    return seen > 0 ? pass() : not_applicable("no tool gave structured content");
}

}  // namespace tenon::check::checks::tools
