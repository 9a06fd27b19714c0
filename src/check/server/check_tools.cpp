// Tools: TOOL-1 to TOOL-16.
#include <algorithm>
#include <set>

#include <tenon/schema.hpp>

#include "check/property/refusal_words.hpp"
#include "check/server/accident_words.hpp"
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

// Returns whether the text of a result says that the call failed, although `isError` does not. Such a call was not
// accepted, so no rule about accepting it is broken.
bool reads_like_refusal(const Answer& answer) {
    const json::array* content = array_in(answer.result(), "content");
    return content && check::reads_like_refusal(json::write(*content));
}

// Returns the words of an accident inside the tool; empty when the call was refused in another way.
std::string accident_of(const Answer& answer) {
    const json::array* content = array_in(answer.result(), "content");
    return accident_in(answer.is_error() ? answer.error_text() : content ? json::write(*content) : std::string());
}

struct BadCall {
    std::string tool, which;
    json::object arguments;
};

using Breaker = std::optional<json::object> (*)(const json::object&, std::string&);

std::optional<BadCall> broken(const std::vector<const json::object*>& tools, Breaker breaker) {
    for (const json::object* tool : tools) {
        BadCall out{std::string(*string_in(*tool, "name")), {}, {}};
        auto arguments = breaker(*tool, out.which);
        if (!arguments) continue;
        out.arguments = *std::move(arguments);
        return out;
    }
    return std::nullopt;
}

// Finds a call without a required argument. A tool that may not be called gets no arguments at all: a server that does
// not validate must have nothing to act on.
std::optional<BadCall> call_without_argument(Probe& probe) {
    if (auto call = broken(probe.callable_tools(), arguments_with_one_missing)) return call;
    return broken(probe.probed_tools(), no_arguments);
}

Verdict refuses(Probe& probe, const std::optional<BadCall>& call, std::string_view what) {
    if (!call) return not_applicable("there is no tool with an argument to break that may be called");
    const Answer answer = probe.ask("tools/call", {{"name", call->tool}, {"arguments", call->arguments}});
    if (!answer.came()) return answer.is_late ? advise(answer.why) : fail(answer.why);
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (!accident_of(answer).empty()) return not_applicable("it is not refused, but fails by accident");
    if (is_refusal(answer))
        return is_upstream_failure(answer) ? not_applicable("something that the server needs fails") : pass();
    if (reads_like_refusal(answer)) return pass("its text says that the call failed, but `isError` does not");
    // The tool may have refused the call in words that are not known here, and only omitted `isError`.
    return with_evidence(advise("the tool " + call->tool + " took " + std::string(what) + " `" + call->which +
                                "`, or refused it without `isError`"),
                         answer.evidence);
}

bool has_output(const Call& call) {
    return object_in(*call.tool, "outputSchema") && call.answer.broken.empty() && call.answer.is_result() &&
           !is_refusal(call.answer);
}

}  // namespace

Verdict unique_names(Probe& probe) { return unique(probe.tools(), "name", "tools"); }
Verdict pages(Probe& probe) { return ends(probe.tools()); }
Verdict bad_cursor(Probe& probe) { return refuses_cursor(probe, probe.tools(), "tools/list"); }
Verdict same_order(Probe& probe) { return same_twice(probe, probe.tools(), "tools/list", "tools", "name"); }

Verdict missing_argument(Probe& probe) { return refuses(probe, call_without_argument(probe), "a call without"); }
Verdict wrong_type(Probe& probe) {
    return refuses(probe, broken(probe.callable_tools(), arguments_of_wrong_type), "an object as");
}

Verdict where_input_errors_go(Probe& probe) {
    const auto call = call_without_argument(probe);
    if (!call) return not_applicable("there is no tool with an argument to leave out");
    const Answer answer = probe.ask("tools/call", {{"name", call->tool}, {"arguments", call->arguments}});
    if (is_upstream_failure(answer)) return not_applicable("a service that the server needs fails");
    if (!accident_of(answer).empty()) return not_applicable("it is not refused, but fails by accident");
    if (answer.came() && !is_refusal(answer) && reads_like_refusal(answer))
        return fail("an argument is missing: the result says so in its text only, without isError");
    if (!answer.came() || !is_refusal(answer)) return not_applicable("the call was not refused");
    if (probe.has(Trait::input_errors_in_result))
        return answer.is_result()
                   ? pass()
                   : fail("an argument is missing: " + answer.error_text() + " instead of a result with isError");
    return answer.is_error() ? expect_error(answer, {code::invalid_params})
                             : fail("an argument is missing: a result with isError instead of -32602");
}

Verdict no_accident(Probe& probe) {
    std::size_t tried = 0;
    for (const auto& call : {call_without_argument(probe), broken(probe.callable_tools(), arguments_of_wrong_type)}) {
        if (!call) continue;
        const Answer answer = probe.ask("tools/call", {{"name", call->tool}, {"arguments", call->arguments}});
        if (!answer.came() || !answer.broken.empty()) continue;
        ++tried;
        if (const std::string accident = accident_of(answer); !accident.empty())
            return fail("the tool " + call->tool + " does not check `" + call->which + "`: it fails with \"" +
                        accident + "\"");
    }
    return tried > 0 ? pass() : not_applicable("there is no tool with an argument to break that may be called");
}

Verdict task_required(Probe& probe) {
    const json::object* tasks = object_in(probe.introduction(), "capabilities");
    for (const std::string_view name : {"tasks", "requests", "tools", "call"})
        tasks = tasks ? object_in(*tasks, name) : nullptr;
    if (!tasks) return not_applicable("the server does not declare tasks for tools");
    for (const Call& call : probe.calls()) {
        const json::object* execution = object_in(*call.tool, "execution");
        const auto* support = execution ? string_in(*execution, "taskSupport") : nullptr;
        if (!support || *support != "required" || !call.answer.came()) continue;
        return expect_error(call.answer, {code::method_not_found});
    }
    return not_applicable("no tool that may be called requires a task");
}

Verdict unknown_tool(Probe& probe) {
    const Answer answer =
        probe.ask("tools/call", {{"name", "tenon-check-no-such-tool"}, {"arguments", json::object()}});
    if (!answer.came()) return fail(answer.why);
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (is_refusal(answer) || reads_like_refusal(answer)) return pass();
    return fail("an unknown tool returned a result");
}

Verdict unknown_tool_code(Probe& probe) {
    const Answer answer =
        probe.ask("tools/call", {{"name", "tenon-check-no-such-tool"}, {"arguments", json::object()}});
    if (!answer.came() || answer.is_error())
        return answer.came() ? expect_error(answer, {code::invalid_params}) : not_applicable("it has no answer");
    if (is_refusal(answer)) return fail("a result with isError instead of the error -32602");
    return reads_like_refusal(answer) ? fail("a result whose text says so instead of the error -32602")
                                      : not_applicable("the call was not refused");
}

Verdict no_name(Probe& probe) {
    const Answer answer = probe.ask("tools/call", {{"arguments", json::object()}});
    if (answer.status >= 400 && !answer.came()) return pass();
    return answer.broken.empty() && (is_refusal(answer) || reads_like_refusal(answer)) ? pass() : expect_error(answer);
}

// ---- results

Verdict call_some(Probe& probe) {
    if (probe.calls().empty()) return not_applicable("no tool may be called");
    for (const Call& call : probe.calls()) {
        if (call.answer.came()) continue;
        const std::string what = std::string(*string_in(*call.tool, "name")) + ": " + call.answer.why;
        // The text has no limit for the time of a call.
        return with_evidence(call.answer.is_late ? advise(what) : fail(what), call.evidence);
    }
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
        if (!structured)
            return with_evidence(fail("the tool " + name + " has an outputSchema, but returned no structuredContent"),
                                 call.evidence);
        if (const auto wrong = schema->check(*structured, 1, "structuredContent"); !wrong.empty())
            return with_evidence(fail("the tool " + name + ": " + wrong.front().message), call.evidence);
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
            return with_evidence(fail("the tool " + std::string(*string_in(*call.tool, "name")) +
                                      " does not repeat its structuredContent as JSON text"),
                                 call.evidence);
        ++seen;
    }
    return seen > 0 ? pass() : not_applicable("no tool gave structured content");
}

}  // namespace tenon::check::checks::tools
