// Resources: RES-1 to RES-9.
#include "base/uri.hpp"
#include "check/server/checks.hpp"
#include "check/server/lists.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::resources {
namespace {

constexpr std::size_t most_reads = 5;
constexpr std::string_view nowhere = "tenon-check://nowhere/no-such-resource";

const boost::json::string* some_uri(Probe& probe) {
    for (const json::object& resource : probe.resources().entries)
        if (const auto* uri = string_in(resource, "uri")) return uri;
    return nullptr;
}

// Only these errors say that the resource does not exist. Others may come from a service that the server needs.
bool says_not_found(const Answer& answer) {
    return (answer.code() == code::resource_not_found || answer.code() == code::invalid_params ||
            answer.code() == code::method_not_found) &&
           !is_upstream_failure(answer);
}

}  // namespace

Verdict unique_uris(Probe& probe) { return unique(probe.resources(), "uri", "resources"); }
Verdict pages(Probe& probe) { return first_bad({ends(probe.resources()), ends(probe.templates())}); }
Verdict bad_cursor(Probe& probe) { return refuses_cursor(probe, probe.resources(), "resources/list"); }
Verdict templates(Probe& probe) {
    return expect_implemented(probe.ask("resources/templates/list"), "resources/templates/list");
}

Verdict readable(Probe& probe) {
    std::size_t read = 0;
    for (const json::object& resource : probe.resources().entries) {
        const auto* uri = string_in(resource, "uri");
        if (!uri || !base::parse_uri(std::string_view(*uri)) || read++ == most_reads) continue;
        const Answer answer = probe.ask("resources/read", {{"uri", *uri}});
        if (!answer.came()) return fail(std::string(*uri) + ": " + answer.why);
        if (!answer.is_result() && says_not_found(answer))
            return fail(std::string(*uri) + " is listed, but resources/read fails: " + answer.error_text());
    }
    return read > 0 ? pass() : not_applicable("no resource is listed");
}

Verdict not_found(Probe& probe) {
    const Answer answer = probe.ask("resources/read", {{"uri", nowhere}});
    if (answer.is_result() && has_template_for(probe.templates(), nowhere))
        return not_applicable("a template of the server has every URI");
    return expect_error(answer);
}

Verdict not_found_code(Probe& probe) {
    const Answer answer = probe.ask("resources/read", {{"uri", nowhere}});
    if (!answer.is_error()) return not_applicable("it is not refused");
    Verdict verdict = expect_error(answer, {probe.rules().error_code(code::resource_not_found)});
    // Another code may mean that a service of the server failed, so it is not known whether the resource exists.
    verdict.is_advice = answer.code() != code::resource_not_found;
    return verdict;
}

Verdict no_uri(Probe& probe) {
    const Answer answer = probe.ask("resources/read", {{"tenon", "check"}});
    if (!answer.came() && answer.status >= 400) return pass();
    return expect_error(answer);
}

Verdict subscribe(Probe& probe) {
    if (!probe.declares("resources", "subscribe")) return not_applicable("the server does not declare subscriptions");
    const auto* uri = some_uri(probe);
    if (!uri) return not_applicable("no resource is listed");
    return expect_implemented(probe.ask("resources/subscribe", {{"uri", *uri}}), "resources/subscribe");
}

Verdict unsubscribe(Probe& probe) {
    if (!probe.declares("resources", "subscribe")) return not_applicable("the server does not declare subscriptions");
    const auto* uri = some_uri(probe);
    if (!uri) return not_applicable("no resource is listed");
    if (!probe.ask("resources/subscribe", {{"uri", *uri}}).is_result()) return not_applicable("it cannot subscribe");
    return expect_implemented(probe.ask("resources/unsubscribe", {{"uri", *uri}}), "resources/unsubscribe");
}

}  // namespace tenon::check::checks::resources
