// Attacks: SEC-3, SEC-4, HTTP-11.
#include <algorithm>

#include "check/server/arguments.hpp"
#include "check/server/checks.hpp"
#include "check/server/lists.hpp"
#include "check/server/shapes.hpp"
#include "check/server/unsafe_text.hpp"
#include "web/address_rules.hpp"

namespace tenon::check::checks::security {
namespace {

using protocol::Trait;

Verdict status_with(Probe& probe, std::string_view name, std::string_view value, std::initializer_list<int> wanted) {
    Conversation& talk = probe.talk();
    const Answer answer =
        talk.ask(probe.harmless(), {}, [&](web::ClientRequest& request) { request.fields.emplace_back(name, value); });
    if (std::ranges::find(wanted, answer.status) != wanted.end()) return pass("HTTP " + std::to_string(answer.status));
    return fail("a request with " + std::string(name) + ": " + std::string(value) + " is answered with HTTP " +
                std::to_string(answer.status));
}

Verdict every_text(Probe& probe, bool (*is_bad)(std::string_view), std::string_view what) {
    for (const Listing* listing : {&probe.tools(), &probe.resources(), &probe.templates(), &probe.prompts()})
        for (const json::object& entry : listing->entries)
            if (const auto text = text_that(entry, is_bad))
                return fail(std::string(what) + " in: " + text->substr(0, 200));
    return pass();
}

// Returns the simplest valid answers to all questions of the result.
json::object responses_to(const json::object& result) {
    json::object out;
    const json::object* questions = object_in(result, "inputRequests");
    if (!questions) return out;
    for (const auto& question : *questions) {
        const json::object* asked = question.value().if_object();
        const json::object* params = asked ? object_in(*asked, "params") : nullptr;
        const json::object* form = params ? object_in(*params, "requestedSchema") : nullptr;
        if (!form) continue;
        const auto content = valid_arguments({{"inputSchema", *form}});
        out[question.key()] = {{"action", "accept"}, {"content", content.value_or(json::object())}};
    }
    return out;
}

Verdict changed_state(Conversation& talk, json::object call, const json::object& asked) {
    std::string state(*string_in(asked, "requestState"));
    char& middle = state[state.size() / 2];
    middle = middle == 'A' ? 'B' : 'A';
    call["requestState"] = state;
    call["inputResponses"] = responses_to(asked);
    const Answer answer = talk.ask("tools/call", call);
    if (!answer.came()) return fail(answer.why);
    const auto* type = string_in(answer.result(), "resultType");
    const json::value* failed = answer.result().if_contains("isError");
    const bool done = answer.is_result() && (!type || *type == "complete") && !(failed && *failed == json::value(true));
    // A state that decides nothing needs no protection, and a refusal may have no `isError`.
    return done ? advise("a call whose requestState was changed on the way is served") : pass();
}

}  // namespace

// Only 2025-11-25 and later say which status it is. The server decides which origins are valid, and a public server may
// call all of them valid: the attack, DNS rebinding, reaches only private addresses.
Verdict origin(Probe& probe) {
    Verdict verdict = probe.has(Trait::no_null_id)
                          ? status_with(probe, "Origin", "https://tenon-check.example", {403})
                          : status_with(probe, "Origin", "https://tenon-check.example", {400, 401, 403, 404, 421});
    const std::string& host = probe.subject().web->url().host;
    verdict.is_advice = !web::is_private_host(host);
    return verdict;
}

Verdict host(Probe& probe) {
    const std::string& name = probe.subject().web->url().host;
    if (name != "127.0.0.1" && name != "localhost" && name != "::1")
        return not_applicable("the server is not on this machine");
    Conversation& talk = probe.talk();
    const std::string bytes =
        web::write_request(talk.http_request("POST", json::write(talk.request(probe.harmless()))), nullptr);
    const std::size_t at = bytes.find("Host: ") + 6;
    std::string forged = bytes;
    forged.replace(at, bytes.find("\r\n", at) - at, "tenon-check.example");
    const auto exchange = talk.exchange_raw(forged);
    if (!talk.wait_for(exchange)) return fail("a foreign Host has no answer");
    return exchange->status() >= 400 || exchange->status() == 0
               ? pass("HTTP " + std::to_string(exchange->status()))
               : fail("a request to the Host tenon-check.example is served");
}

// ---- excessive input

Verdict deep(Probe& probe) {
    Conversation& talk = probe.talk();
    std::string text = json::write(probe.with_payload(talk, "MARK"));
    const std::size_t depth = 100'000;
    text.replace(text.find("\"MARK\""), 6, std::string(depth, '[') + std::string(depth, ']'));
    const std::size_t number = talk.send(text);
    if (talk.http()) talk.wait_for(talk.find(number)->exchange);
    return expect_alive(talk, "a message with 100 000 arrays inside each other");
}

Verdict oversized(Probe& probe) {
    Conversation& talk = probe.talk();
    talk.answer_promptly(talk.send(probe.with_payload(talk, std::string(20u << 20, 'x'))));
    if (talk.gone() && talk.process())
        return fail("a message of 20 MiB ends the server, which " + talk.process()->how());
    return expect_alive(probe.http() ? *probe.fresh() : talk, "a message of 20 MiB");
}

Verdict long_header(Probe& probe) {
    Conversation& talk = probe.talk();
    web::ClientRequest request = talk.http_request("POST", json::write(talk.request(probe.harmless())));
    request.fields.emplace_back("X-Tenon-Check", std::string(1 << 20, 'x'));
    const auto exchange = talk.exchange(std::move(request));
    talk.wait_for(exchange);
    if (exchange->status() == 200) return fail("a header of a megabyte is accepted");
    return expect_alive(*probe.fresh(), "a header of a megabyte");
}

Verdict two_lengths(Probe& probe) {
    Conversation& talk = probe.talk();
    web::ClientRequest request = talk.http_request("POST", json::write(talk.request(probe.harmless())));
    request.fields.emplace_back("Transfer-Encoding", "chunked");
    const auto exchange = talk.exchange(std::move(request));
    talk.wait_for(exchange);
    probe.subject().web->abandon(exchange);
    if (exchange->status() >= 200 && exchange->status() < 300) return fail("a request with two lengths is served");
    return expect_alive(*probe.fresh(), "a request with two lengths");
}

// ---- forbidden paths

Verdict traversal(Probe& probe) {
    std::vector<std::string> uris = {"file:///etc/passwd", "file:///../../../../etc/passwd",
                                     "file:///%2e%2e/%2e%2e/etc/passwd"};
    for (const json::object& resource : probe.resources().entries) {
        const auto* uri = string_in(resource, "uri");
        if (!uri) continue;
        const std::string base(std::string_view(*uri).substr(0, std::string_view(*uri).rfind('/') + 1));
        uris.push_back(base + "../../../../../../../../etc/passwd");
        uris.push_back(base + "..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd");
        break;
    }
    for (const std::string& uri : uris) {
        const Answer answer = probe.ask("resources/read", {{"uri", uri}});
        if (!answer.came() && probe.talk().gone()) return fail(uri + ": " + answer.why);
        if (json::write(answer.message).find("root:x:0:0") == std::string::npos) continue;
        const std::string what = "the password file of the machine can be read as " + uri;
        // A template such as file:///{+path} says that the server offers every file.
        const bool is_offered = uri.starts_with("file:///") && has_template_for(probe.templates(), uri);
        return is_offered ? advise(what + ", as a template of the server says") : fail(what);
    }
    return pass();
}

Verdict escapes(Probe& probe) { return every_text(probe, has_terminal_escape, "a terminal's control characters"); }
Verdict hidden(Probe& probe) { return every_text(probe, has_hidden_text, "invisible characters"); }

Verdict secrets(Probe& probe) {
    std::vector<Answer> answers = {probe.ask("tenon-check/no-such-method"), probe.ask("resources/read", {{"uri", 7}}),
                                   probe.ask("tools/call", {{"name", json::array()}}),
                                   probe.ask("prompts/get", {{"name", json::object()}})};
    for (const Answer& answer : answers)
        if (answer.is_error() && shows_its_insides(json::write(answer.message.at("error"))))
            return fail("an error shows a stack trace or another internal detail: " +
                        json::write(answer.message.at("error")).substr(0, 300));
    return pass();
}

Verdict forged_state(Probe& probe) {
    Conversation& talk = probe.uninitialized();
    talk.capabilities = {
        {"elicitation", {{"form", json::object()}}}, {"sampling", json::object()}, {"roots", json::object()}};
    for (const json::object* tool : probe.callable_tools()) {
        const auto arguments = valid_arguments(*tool);
        if (!arguments) continue;
        const json::object call{{"name", tool->at("name")}, {"arguments", *arguments}};
        const Answer first = talk.ask("tools/call", call);
        const auto* state = string_in(first.result(), "requestState");
        if (state && !state->empty()) return changed_state(talk, call, first.result());
    }
    return not_applicable("no tool that may be called returns a requestState");
}

}  // namespace tenon::check::checks::security
