// The HTTP transport: HTTP-2 to HTTP-8.
#include <algorithm>

#include "check/server/checks.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::http {
namespace {

using Tweak = Conversation::Tweak;

Tweak with(std::string_view name, std::string value) {
    return [name, value = std::move(value)](web::ClientRequest& request) {
        std::erase_if(request.fields, [&](const auto& field) { return field.first == name; });
        request.fields.emplace_back(name, value);
    };
}
Tweak without(std::string_view name) {
    return [name](web::ClientRequest& request) {
        std::erase_if(request.fields, [&](const auto& field) { return field.first == name; });
    };
}

// Returns whether the server also serves revisions with sessions and streams of GET.
bool speaks_earlier_revisions(Probe& probe) {
    Conversation talk(probe.subject(), protocol::Rules(protocol::legacy_revisions().front()));
    return talk.open();
}

Verdict expect_status(const Answer& answer, std::initializer_list<int> wanted, std::string_view what) {
    if (answer.status == 0) return fail(std::string(what) + ": " + answer.why);
    if (std::ranges::find(wanted, answer.status) != wanted.end()) return pass("HTTP " + std::to_string(answer.status));
    std::string text;
    for (const int status : wanted) text += (text.empty() ? "" : " or ") + std::to_string(status);
    return fail(std::string(what) + " is answered with HTTP " + std::to_string(answer.status) + ", not " + text);
}

Verdict mismatch(Probe& probe, const Tweak& tweak, std::string_view what, std::string_view method = "server/discover",
                 json::object params = {}) {
    const Answer answer = probe.talk().ask(method, std::move(params), tweak);
    if (!answer.came() && answer.status == 400) return pass();
    if (!answer.came()) return fail(std::string(what) + ": " + answer.why);
    return expect_error(answer, {code::header_mismatch});
}

}  // namespace

// ---- notifications and responses

Verdict response_accepted(Probe& probe) {
    Conversation& talk = probe.talk();
    const std::size_t number = talk.send(json::object{{"jsonrpc", "2.0"}, {"id", 987655}, {"result", json::object()}});
    const auto exchange = talk.find(number)->exchange;
    if (!talk.wait_for(exchange)) return fail("a response has no answer");
    if (exchange->status() >= 400) return pass("HTTP " + std::to_string(exchange->status()));
    return exchange->status() == 202 && exchange->body().empty()
               ? pass()
               : fail("a response is answered with HTTP " + std::to_string(exchange->status()) +
                      (exchange->body().empty() ? "" : " and a body") + ", not 202 without a body");
}

Verdict tell_something(Probe& probe) {
    probe.talk().tell("notifications/cancelled", {{"requestId", 987656}});
    return judged();
}

// ---- the version header

Verdict bad_version(Probe& probe) {
    const Answer answer = probe.talk().ask(probe.harmless(), {}, with("MCP-Protocol-Version", "tenon-check"));
    return expect_status(answer, {400}, "an unknown MCP-Protocol-Version");
}

Verdict version_mismatch(Probe& probe) {
    return mismatch(probe, with("MCP-Protocol-Version", "2025-11-25"), "a version header that differs from the body");
}
Verdict method_mismatch(Probe& probe) {
    return mismatch(probe, with("Mcp-Method", "tools/list"), "an Mcp-Method that differs from the body");
}
Verdict method_missing(Probe& probe) { return mismatch(probe, without("Mcp-Method"), "no Mcp-Method"); }
Verdict name_mismatch(Probe& probe) {
    if (!probe.declares("tools")) return not_applicable("the server does not declare tools");
    return mismatch(probe, with("Mcp-Name", "tenon-check-other"), "an Mcp-Name that differs from the body",
                    "tools/call", {{"name", "tenon-check-no-such-tool"}, {"arguments", json::object()}});
}
Verdict mismatch_status(Probe& probe) {
    const Answer answer = probe.talk().ask("server/discover", {}, with("Mcp-Method", "tools/list"));
    if (answer.came() && answer.is_result()) return not_applicable("it is not refused");
    return expect_status(answer, {400}, "a header that differs from the body");
}
Verdict unknown_method_status(Probe& probe) {
    const Answer answer = probe.ask("tenon-check/no-such-method");
    if (!answer.is_error()) return not_applicable("an unknown method is not refused");
    return expect_status(answer, {404}, "an unknown method");
}
Verdict unsupported_status(Probe& probe) {
    Conversation& talk = probe.talk();
    json::object request = talk.request("server/discover");
    request["params"].as_object()["_meta"].as_object()["io.modelcontextprotocol/protocolVersion"] = "1999-01-01";
    const Answer answer = talk.answer(talk.send(request, with("MCP-Protocol-Version", "1999-01-01")));
    if (!answer.is_error()) return not_applicable("it is not refused");
    return expect_status(answer, {400}, "an unsupported version");
}

// ---- GET

Verdict get_stream(Probe& probe) {
    Conversation& talk = probe.talk();
    const auto exchange = talk.exchange(talk.http_request("GET"));
    if (!talk.wait_for(exchange, true)) return fail("a GET has no answer");
    const bool stream = exchange->status() == 200 && exchange->is_stream();
    const int status = exchange->status();
    probe.subject().web->abandon(exchange);
    if (stream || status == 405) return pass(stream ? "a stream" : "HTTP 405");
    return fail("a GET is answered with HTTP " + std::to_string(status) + ", neither a stream nor 405");
}

Verdict get_refused(Probe& probe) {
    if (speaks_earlier_revisions(probe))
        return not_applicable("the server also serves revisions that have this stream");
    Conversation& talk = probe.talk();
    const auto exchange = talk.exchange(talk.http_request("GET"));
    if (!talk.wait_for(exchange, true)) return fail("a GET has no answer");
    const int status = exchange->status();
    probe.subject().web->abandon(exchange);
    return status == 405 ? pass() : fail("a GET is answered with HTTP " + std::to_string(status) + ", not 405");
}

// While a GET stream is open, responses must come on the POST of their request only.
Verdict no_response_on_get(Probe& probe) {
    const auto talk = probe.fresh();
    const auto stream = talk->exchange(talk->http_request("GET"));
    if (!talk->wait_for(stream, true) || stream->status() != 200)
        return not_applicable("the server offers no stream to listen to");
    for (int i = 0; i < 3; ++i) talk->settle();
    const auto is_response = [&](const Received& received) {
        const auto has_its_id = [&](const std::unique_ptr<Sent>& a) {
            return a->id && a->id->text() == received.id_text;
        };
        return received.exchange == stream && received.object() && !received.object()->contains("method") &&
               std::ranges::any_of(talk->sent(), has_its_id);
    };
    const bool leaked = std::ranges::any_of(talk->received(), is_response);
    return leaked ? fail("a response came on the stream of a GET") : pass();
}

Verdict stream_ends(Probe& probe) {
    Conversation& talk = probe.talk();
    const std::size_t number = talk.send(talk.request(probe.harmless()));
    if (!talk.answer(number).came()) return not_applicable("there is no answer");
    const auto exchange = talk.find(number)->exchange;
    if (!exchange->is_stream()) return not_applicable("the server answers with JSON");
    return talk.wait_for(exchange) ? pass() : fail("a stream stays open after its response");
}

Verdict wrong_path_method(Probe& probe) {
    Conversation& talk = probe.talk();
    const auto exchange = talk.exchange(talk.http_request("PUT"));
    if (!talk.wait_for(exchange)) return fail("a PUT has no answer");
    return exchange->status() >= 400 ? pass()
                                     : fail("a PUT is answered with HTTP " + std::to_string(exchange->status()));
}

}  // namespace tenon::check::checks::http
