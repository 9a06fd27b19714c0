// plan(): lists what check_server() would do, without doing it.
#include <algorithm>

#include <tenon/check.hpp>

#include "check/own_thread.hpp"
#include "check/server/arguments.hpp"
#include "check/server/probe.hpp"
#include "check/server/revisions.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check {
namespace {

std::string tool_line(Probe& probe, const json::object& tool, bool callable) {
    const std::string name = "tools/call " + std::string(*string_in(tool, "name"));
    std::string which;
    if (callable) {
        const auto arguments = valid_arguments(tool);
        return arguments ? name + " with " + json::write(*arguments) + ", and with variations of it"
                         : name + ": not called, because valid arguments cannot be guessed";
    }
    if (probe.is_skipped(tool)) return name + ": not called (--skip)";
    return no_arguments(tool, which) ? name + " with {}, if it is the first tool with a required argument"
                                     : name + ": not called; see --trust-hints, --call and --allow-writes";
}

void plan_tools(Probe& probe, std::vector<std::string>& out) {
    const auto callable = probe.callable_tools();
    for (const json::object& tool : probe.tools().entries)
        if (string_in(tool, "name"))
            out.push_back(tool_line(probe, tool, std::ranges::find(callable, &tool) != callable.end()));
    out.emplace_back("tools/call tenon-check-no-such-tool with {}");
}

void plan_rest(Probe& probe, std::vector<std::string>& out) {
    for (const json::object& resource : probe.resources().entries)
        if (const auto* uri = string_in(resource, "uri")) out.push_back("resources/read " + std::string(*uri));
    const auto runnable = probe.runnable_prompts();
    for (const json::object& prompt : probe.prompts().entries)
        if (const auto* name = string_in(prompt, "name"))
            out.push_back("prompts/get " + std::string(*name) +
                          (std::ranges::find(runnable, &prompt) != runnable.end()
                               ? ""
                               : ": only without its required arguments; see --call and --allow-writes"));
}

std::vector<std::string> plan_here(const Options& options) {
    std::vector<std::string> out;
    try {
        Subject subject(options);
        const SupportedRevisions supported = revisions_of(subject);
        if (supported.revisions.empty()) return {"nothing: " + supported.why};
        for (const auto revision : supported.revisions)
            out.push_back("speak " + std::string(protocol::Rules(revision).name()));
        const protocol::Rules rules(supported.revisions.front());
        Judge judge(subject.transcript, rules);
        Probe probe(subject, rules, judge);
        plan_tools(probe, out);
        plan_rest(probe, out);
        out.push_back("request unknown tools, resources and prompts, and send invalid messages");
        if (options.security) out.push_back("try attacks (--security)");
    } catch (const std::exception& e) {
        out.push_back(std::string("nothing: ") + e.what());
    }
    return out;
}

}  // namespace

std::vector<std::string> plan(const Options& options) {
    std::vector<std::string> out;
    on_own_thread([&] { out = plan_here(options); });
    return out;
}

}  // namespace tenon::check
