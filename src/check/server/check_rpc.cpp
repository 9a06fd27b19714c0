// JSON-RPC: RPC-1 to RPC-14.
#include "check/server/checks.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::rpc {
namespace {

Verdict ask_with_id(Probe& probe, std::string_view rule, std::string_view id_text) {
    Conversation& talk = probe.talk();
    json::object request = talk.request(probe.harmless());
    request.erase("id");
    std::string text = json::write(request);
    text.insert(1, "\"id\":" + std::string(id_text) + ",");
    const Judge::Instead instead(probe.judge(), "RPC-4.same-id", rule);
    const std::size_t number = talk.send(text);
    // A server that drops the request would cost the whole time limit. Nothing else is sent while it may answer:
    // otherwise a response with a changed id could belong to either request.
    Answer answer = talk.http() ? talk.answer(number) : talk.answer_promptly(number);
    if (!answer.came() && !talk.http()) answer = talk.settle() ? talk.answer_soon(number) : talk.answer(number);
    return answer.came() ? judged()
                         : fail("no answer to a request with the id " + std::string(id_text) + ": " + answer.why);
}

// The ids of messages that need not be answered. No conversation uses them by itself, and each is used once: otherwise
// the response to one message would be taken for the response to another.
constexpr int utf8_id = 700'001, params_id = 700'002, batch_id = 700'003;

json::object request_of_its_own(Probe& probe, std::string_view method, int id) {
    json::object out = probe.talk().request(method);
    out["id"] = id;
    return out;
}

// Sends something that is not a request. The response must be an error, or over HTTP an error status.
Verdict refused(Probe& probe, std::string_view bytes, std::vector<int> codes) {
    Conversation& talk = probe.talk();
    const std::size_t number = talk.send(bytes);
    if (!talk.http()) talk.settle();
    const Answer answer = talk.http() ? talk.answer(number) : talk.answer_soon(number);
    if (!answer.came() && answer.status >= 400) return pass("HTTP " + std::to_string(answer.status));
    // A message without a method cannot have a header that repeats the method.
    if (!codes.empty() && talk.http() && probe.is_modern()) codes.push_back(code::header_mismatch);
    return expect_error(answer, std::move(codes));
}

std::string batch(Conversation& talk) {
    json::array out;
    for (int i = 0; i < 3; ++i) out.push_back(talk.request("ping"));
    out.push_back(talk.notification("notifications/tenon-check/unknown"));
    return json::write(out);
}

}  // namespace

// ---- requests that let the Judge see all kinds of responses

Verdict ask_with_ids(Probe& probe) {
    Conversation& talk = probe.talk();
    for (const json::value& id : {json::value("700007"), json::value("a-b_c"), json::value(4711), json::value(0)}) {
        json::object request = talk.request(probe.harmless());
        request["id"] = id;
        if (const Answer answer = talk.answer(talk.send(request)); !answer.came())
            return fail("no answer to a request with the id " + json::write(id) + ": " + answer.why);
    }
    return judged();
}

Verdict unicode_id(Probe& probe) {
    return ask_with_id(probe, "RPC-4.unicode-id", R"("\u00e9\ud83d\ude00\u2028\u0000\"\\")");
}
Verdict large_id(Probe& probe) { return ask_with_id(probe, "RPC-4.large-id", "9007199254740993"); }
Verdict safe_id(Probe& probe) { return ask_with_id(probe, "RPC-4.safe-id", "9007199254740991"); }

// ---- requests

Verdict unknown_method(Probe& probe) {
    const Answer answer = probe.ask("tenon-check/no-such-method");
    return answer.came() ? expect_error(answer, {code::method_not_found}) : not_applicable("it has no answer");
}

Verdict unknown_method_answered(Probe& probe) {
    const Answer answer = probe.ask("tenon-check/no-such-method-either");
    return answer.came() ? pass() : fail(answer.why);
}

Verdict pipelined(Probe& probe) {
    Conversation& talk = probe.talk();
    std::vector<std::size_t> sent;
    for (int i = 0; i < 20; ++i) sent.push_back(talk.send(talk.request(probe.harmless())));
    for (const std::size_t number : sent)
        if (const Answer answer = talk.answer(number); !answer.came())
            return fail("of 20 requests that were sent at once, one has no answer: " + answer.why);
    return pass();
}

Verdict extra_meta(Probe& probe) {
    if (!probe.ask(probe.harmless()).is_result()) return not_applicable("it is not served without it either");
    return expect_result(
        probe.ask(probe.harmless(), {{"_meta", {{"com.example/tenon-check", json::array{1, "x", nullptr}}}}}));
}

// ---- notifications

Verdict no_answer(Probe& probe) {
    Conversation& talk = probe.talk();
    talk.expect_no_more_refusals();
    const Judge::Instead instead(probe.judge(), "RPC-4.unasked", "RPC-5.no-answer");
    talk.tell("notifications/tenon-check/unknown", {{"x", 1}});
    talk.tell("tenon-check/unknown-and-no-request");
    const Verdict alive = expect_alive(talk, "an unknown notification");
    return alive.kind == Verdict::Kind::pass ? judged() : alive;
}

Verdict stray_response(Probe& probe) {
    Conversation& talk = probe.talk();
    talk.expect_no_more_refusals();
    const Judge::Instead instead(probe.judge(), "RPC-4.unasked", "RPC-9.stray-response");
    for (const json::object& stray :
         {json::object{{"jsonrpc", "2.0"}, {"id", 987654}, {"result", json::object()}},
          json::object{
              {"jsonrpc", "2.0"}, {"id", "never-asked"}, {"error", {{"code", -32000}, {"message", "stray"}}}}}) {
        const std::size_t number = talk.send(stray);
        if (talk.http()) talk.wait_for(talk.find(number)->exchange);
    }
    const Verdict alive = expect_alive(talk, "a response without a request");
    return alive.kind == Verdict::Kind::pass ? judged() : alive;
}

Verdict parse_error(Probe& probe) {
    return refused(probe, R"({"jsonrpc":"2.0","id":700004,"method":"ping",,})", {code::parse_error});
}
Verdict no_request(Probe& probe) {
    return refused(probe, R"({"jsonrpc":"2.0","tenon":"check"})", {code::invalid_request});
}
Verdict wrong_version(Probe& probe) {
    return refused(probe, R"({"jsonrpc":"1.0","id":700005,"method":"ping"})", {code::invalid_request});
}

Verdict params_type(Probe& probe) {
    if (!probe.tools().why.empty()) return not_applicable(probe.tools().why);
    json::object request = request_of_its_own(probe, "tools/list", params_id);
    request["params"] = json::array{1, 2};
    return refused(probe, json::write(request), {code::invalid_params, code::invalid_request});
}

Verdict survives(Probe& probe) {
    Conversation& talk = probe.talk();
    for (const std::string_view bytes : {"{\"jsonrpc\":", "nonsense", "[]", "42", "\"text\"", "null", "{}", "[1,2]"}) {
        const std::size_t number = talk.send(bytes);
        if (talk.http()) talk.wait_for(talk.find(number)->exchange);
    }
    return expect_alive(talk, "input that is not a message");
}

Verdict invalid_utf8(Probe& probe) {
    json::object request = probe.with_payload(probe.talk(), "MARK");
    request["id"] = utf8_id;
    std::string text = json::write(request);
    text.replace(text.find("MARK"), 4, "\xC3\x28");
    return refused(probe, text, {code::parse_error});
}

Verdict batch_served(Probe& probe) {
    Conversation& talk = probe.talk();
    const std::size_t first = talk.send(batch(talk));
    for (std::size_t i = 0; i < 3; ++i)
        if (const Answer answer = talk.answer(first + i); !answer.came())
            return fail("a request of a batch has no answer: " + answer.why);
    return pass();
}

Verdict batch_refused(Probe& probe) {
    return refused(probe, json::write(json::array{request_of_its_own(probe, probe.harmless(), batch_id)}), {});
}

}  // namespace tenon::check::checks::rpc
