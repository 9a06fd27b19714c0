// Prompts: PROMPT-1 to PROMPT-5.
#include <algorithm>

#include "check/server/checks.hpp"
#include "check/server/lists.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::prompts {
namespace {

constexpr std::size_t most_prompts = 5;

// Returns a simple value for each required argument.
json::object arguments_of(const json::object& prompt) {
    json::object out;
    const json::array* arguments = array_in(prompt, "arguments");
    if (!arguments) return out;
    for (const json::value& argument : *arguments) {
        const json::object* a = argument.if_object();
        const auto* name = a ? string_in(*a, "name") : nullptr;
        const json::value* required = a ? a->if_contains("required") : nullptr;
        if (name && required && required->is_bool() && required->get_bool()) out[*name] = "1";
    }
    return out;
}

Answer without_arguments(Probe& probe, bool& there_is_one) {
    for (const json::object& prompt : probe.prompts().entries)
        if (string_in(prompt, "name") && !arguments_of(prompt).empty() && !probe.is_skipped(prompt)) {
            there_is_one = true;
            return probe.ask("prompts/get", {{"name", prompt.at("name")}, {"arguments", json::object()}});
        }
    return {};
}

}  // namespace

Verdict unique_names(Probe& probe) { return unique(probe.prompts(), "name", "prompts"); }
Verdict pages(Probe& probe) { return ends(probe.prompts()); }
Verdict bad_cursor(Probe& probe) { return refuses_cursor(probe, probe.prompts(), "prompts/list"); }

// Gets some prompts. A server may refuse our values for the arguments, and a prompt may fail for its own reasons, but a
// listed prompt must be known.
Verdict gettable(Probe& probe) {
    const auto prompts = probe.runnable_prompts();
    for (std::size_t i = 0; i < std::min(prompts.size(), most_prompts); ++i) {
        const std::string name(*string_in(*prompts[i], "name"));
        const json::object arguments = arguments_of(*prompts[i]);
        const Answer answer = probe.ask("prompts/get", {{"name", name}, {"arguments", arguments}});
        if (!answer.came()) return fail("the prompt " + name + ": " + answer.why);
        const bool unknown = answer.code() == code::invalid_params || answer.code() == code::method_not_found;
        if (!prompts[i]->contains("arguments") && unknown)
            return fail("the prompt " + name + " is listed, but prompts/get fails: " + answer.error_text());
    }
    return prompts.empty() ? not_applicable("no prompt may be run (--allow-writes, --call)") : pass();
}

Verdict unknown_prompt(Probe& probe) {
    return expect_error(probe.ask("prompts/get", {{"name", "tenon-check-no-such-prompt"}}));
}

Verdict unknown_prompt_code(Probe& probe) {
    const Answer answer = probe.ask("prompts/get", {{"name", "tenon-check-no-such-prompt"}});
    return answer.is_error() ? expect_error(answer, {code::invalid_params}) : not_applicable("it is not refused");
}

Verdict missing_argument(Probe& probe) {
    bool there_is_one = false;
    const Answer answer = without_arguments(probe, there_is_one);
    return there_is_one ? expect_error(answer) : not_applicable("no prompt has a required argument");
}

Verdict missing_argument_code(Probe& probe) {
    bool there_is_one = false;
    const Answer answer = without_arguments(probe, there_is_one);
    if (!there_is_one) return not_applicable("no prompt has a required argument");
    return answer.is_error() ? expect_error(answer, {code::invalid_params}) : not_applicable("it is not refused");
}

}  // namespace tenon::check::checks::prompts
