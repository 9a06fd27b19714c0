// The handshake, versions, capabilities, cancellation and progress: LIFE-4 to LIFE-17.
#include <algorithm>

#include "check/server/checks.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::lifecycle {
namespace {

constexpr std::string_view unknown = "1999-01-01";

// Requests a version on a new connection and returns the version in the server's response.
std::optional<std::string> negotiated(Probe& probe, std::string_view asked) {
    const Answer answer = probe.negotiate(asked);
    const auto* version = string_in(answer.result(), "protocolVersion");
    return version ? std::optional<std::string>(*version) : std::nullopt;
}

// Other rules judge the contents of the result.
Verdict implemented(Probe& probe, std::string_view method, json::object params) {
    return expect_implemented(probe.ask(method, std::move(params)), method);
}

// Returns parameters for completion/complete, with the first argument of any prompt. It does not matter which one.
std::optional<json::object> completion_params(Probe& probe) {
    for (const json::object& prompt : probe.prompts().entries) {
        const json::array* arguments = array_in(prompt, "arguments");
        if (!arguments || arguments->empty() || !arguments->front().is_object() || !string_in(prompt, "name")) continue;
        if (const auto* name = string_in(arguments->front().get_object(), "name"))
            return json::object{{"ref", {{"type", "ref/prompt"}, {"name", *string_in(prompt, "name")}}},
                                {"argument", {{"name", *name}, {"value", ""}}}};
    }
    return std::nullopt;
}

}  // namespace

Verdict same_version(Probe& probe) {
    const auto offered = negotiated(probe, unknown);
    if (!offered || *offered == unknown) return not_applicable("it does not offer a version");
    const auto version = negotiated(probe, *offered);
    if (!version) return not_applicable("initialize has no answer with a version");
    return version == offered ? pass()
                              : fail("it offers " + *offered + "; asked for that version, it answers " + *version);
}

Verdict unknown_version(Probe& probe) {
    const Answer answer = probe.negotiate(unknown);
    if (answer.is_error()) return pass("it refuses: " + answer.error_text());
    if (!answer.came()) return probe.fresh()->why().empty() ? fail(answer.why) : not_applicable(answer.why);
    const auto version = negotiated(probe, unknown);
    if (!version) return not_applicable("its answer has no version");
    return *version != unknown ? pass("it answers " + *version)
                               : fail("it accepted 1999-01-01, which is not a revision");
}

Verdict newest_version(Probe& probe) {
    const auto version = negotiated(probe, unknown);
    if (!version || *version == unknown || negotiated(probe, *version) != version)
        return not_applicable("it does not offer a version that it supports");
    for (const auto revision : protocol::legacy_revisions()) {
        const std::string name(protocol::Rules(revision).name());
        if (negotiated(probe, name) != name) continue;
        return name == *version ? pass() : fail("it offers " + *version + ", but supports " + name);
    }
    return pass();
}

Verdict silent_before_initialized(Probe& probe) {
    probe.early();
    return judged();
}

Verdict before_initialize(Probe& probe) {
    const Answer& answer = probe.early().list;
    if (!answer.came() && answer.status >= 400) return pass("HTTP " + std::to_string(answer.status));
    return answer.came() ? expect_error(answer) : pass("it does not answer");
}

Verdict second_initialize(Probe& probe) {
    const Answer& answer = probe.early().second;
    if (!probe.early().initialize.is_result()) return not_applicable("the first initialize fails");
    if (!answer.came() && answer.status >= 400) return pass("HTTP " + std::to_string(answer.status));
    return expect_error(answer);
}

Verdict ping(Probe& probe) {
    const Verdict verdict = expect_result(probe.ask("ping"));
    return verdict.kind == Verdict::Kind::pass ? judged() : verdict;
}

Verdict ping_first(Probe& probe) {
    if (probe.has_failed("LIFE-14")) return not_applicable("ping fails later too");
    if (!probe.early().initialize.came()) return not_applicable("the server does not answer initialize any more");
    return expect_result(probe.early().ping);
}

// ---- capabilities

Verdict undeclared(Probe& probe) {
    if (!object_in(probe.introduction(), "capabilities")) return not_applicable("its answer has no capabilities");
    for (const auto& [capability, method] : {std::pair("tools", "tools/list"), std::pair("resources", "resources/list"),
                                             std::pair("prompts", "prompts/list")}) {
        if (probe.declares(capability)) continue;
        const Answer answer = probe.ask(method);
        return answer.came() ? expect_error(answer) : not_applicable("it has no answer");
    }
    return not_applicable("the server declares tools, resources and prompts");
}

Verdict tools_work(Probe& probe) { return implemented(probe, "tools/list", {}); }
Verdict resources_work(Probe& probe) { return implemented(probe, "resources/list", {}); }
Verdict prompts_work(Probe& probe) { return implemented(probe, "prompts/list", {}); }
Verdict logging_works(Probe& probe) { return implemented(probe, "logging/setLevel", {{"level", "error"}}); }

Verdict bad_log_level(Probe& probe) {
    const Answer answer = probe.ask("logging/setLevel", {{"level", "tenon-check"}});
    if (!answer.came() || answer.code() == code::method_not_found) return not_applicable("levels cannot be set");
    return expect_error(answer, {code::invalid_params});
}

Verdict completions_work(Probe& probe) {
    const auto params = completion_params(probe);
    if (!params) return not_applicable("no prompt has an argument to complete");
    const Answer answer = probe.ask("completion/complete", *params);
    if (!answer.came()) return fail(answer.why);
    return answer.code() == code::method_not_found ? fail("completion/complete is not implemented") : pass();
}

// ---- cancellation and progress

Verdict cancel_unknown(Probe& probe) {
    Conversation& talk = probe.talk();
    talk.expect_no_more_refusals();
    const Judge::Instead instead(probe.judge(), "RPC-4.unasked", "LIFE-16.unknown-id");
    talk.tell("notifications/cancelled", {{"requestId", 987654321}, {"reason", "tenon check"}});
    talk.tell("notifications/cancelled", {{"requestId", "never-asked"}});
    const Verdict alive = expect_alive(talk, "the cancellation of an unknown request");
    return alive.kind == Verdict::Kind::pass ? judged() : alive;
}

Verdict cancel_malformed(Probe& probe) {
    Conversation& talk = probe.talk();
    talk.expect_no_more_refusals();
    const Judge::Instead instead(probe.judge(), "RPC-4.unasked", "LIFE-16.malformed");
    talk.tell("notifications/cancelled", {{"requestId", json::object{{"x", 1}}}});
    talk.tell("notifications/cancelled");
    const Verdict alive = expect_alive(talk, "a cancellation that names no request");
    return alive.kind == Verdict::Kind::pass ? judged() : alive;
}

Verdict call_with_progress(Probe& probe) {
    const std::size_t calls = probe.calls().size();
    probe.talk().settle();
    return calls > 0 ? judged() : not_applicable("no tool may be called");
}

}  // namespace tenon::check::checks::lifecycle
