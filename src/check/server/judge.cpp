#include "check/server/judge.hpp"

#include <algorithm>

#include "check/server/judge_questions.hpp"
#include "check/server/shapes.hpp"
#include "framing/line_framer.hpp"

namespace tenon::check {
namespace {

using protocol::Trait;

bool is_error_response(const json::object& o) { return o.contains("error") && !o.contains("result"); }

std::string quoted(std::string_view text) { return "`" + std::string(text.substr(0, 100)) + "`"; }

bool is_null_or_missing(const json::value* v) { return !v || v->is_null(); }

}  // namespace

Tally& Charges::at(std::string_view rule) {
    const auto it = tallies_.find(rule);
    return it != tallies_.end() ? it->second : tallies_[std::string(rule)];
}

void Charges::charge(Tally& tally, std::string_view rule, std::string detail) {
    if (tally.failures++ == 0) tally.detail = detail;
    broken_ = rule;
    detail_ = std::move(detail);
}

Judge::Judge(const Transcript& transcript, const protocol::Rules& rules) : transcript_(transcript) {
    for (const Rule& rule : catalogue())
        if (rule.clause(rules.name()).level == Level::none) absent_.insert(rule.id);
}

Judge::Instead::Instead(Judge& judge, std::string_view general, std::string_view probed)
    : judge_(judge), general_(general) {
    judge_.instead_[general_] = probed;
}
Judge::Instead::~Instead() { judge_.instead_.erase(general_); }

std::string_view Judge::rule(std::string_view general) const {
    const auto it = instead_.find(general);
    return it == instead_.end() ? general : std::string_view(it->second);
}

bool Judge::charged(std::string_view rule) const {
    const auto it = tallies_.find(rule);
    return it != tallies_.end() && it->second.failures > 0;
}

std::string Judge::received(const Received& received, const Sent* sent, const Conversation& talk) {
    sdk_signs_.see(received);
    Charges charges(tallies_, absent_);
    judge_text(charges, received, !talk.stdio());
    if (received.reading.value) judge_envelope(charges, received, sent, talk);
    judge_place(charges, received, talk);
    count(charges, received, sent);
    if (!charges.broken().empty()) keep_evidence(charges, received, sent, talk);
    return charges.broken();
}

void Judge::count(const Charges& charges, const Received& received, const Sent* sent) {
    ++audit_.messages;
    const bool known = sent && !sent->method.empty();
    if (known) asked_methods_.insert(sent->method);
    if (!charges.broken().empty()) {
        if (audit_.deviations++ == 0) {
            audit_.first_offence = transcript_.entry(Evidence::Direction::received, received.text).bytes;
            audit_.detail = charges.detail();
            if (const Rule* rule = find_rule(charges.broken())) audit_.remedy = rule->remedy;
        }
        if (known) bad_methods_.insert(sent->method);
    }
    audit_.handlers = asked_methods_.size();
    audit_.deviating_handlers = bad_methods_.size();
}

// Shows what the message answers. If it answers nothing, shows the last message before it, which may have caused it.
void Judge::keep_trigger(Tally& tally, const Sent* sent, const Exchange* exchange, const Conversation& talk) const {
    using Direction = Evidence::Direction;
    if (sent) return tally.evidence.push_back(transcript_.entry(Direction::sent, sent->bytes));
    if (exchange && !exchange->request().empty()) {
        tally.evidence.push_back(transcript_.entry(Direction::sent, exchange->request()));
        return;
    }
    if (talk.sent().empty()) {
        tally.evidence.push_back({Direction::note, "(nothing was sent before this message)"});
        return;
    }
    tally.evidence.push_back(transcript_.entry(Direction::sent, talk.sent().back()->bytes));
    tally.evidence.push_back({Direction::note, "(the last message before the next one, which does not answer it)"});
}

void Judge::keep_evidence(const Charges& charges, const Received& received, const Sent* sent,
                          const Conversation& talk) {
    Tally& tally = tallies_.find(charges.broken())->second;
    if (tally.failures != 1) return;
    keep_trigger(tally, sent, received.exchange.get(), talk);
    tally.evidence.push_back(transcript_.entry(Evidence::Direction::received, received.text));
}

// ---- the text

void Judge::judge_text(Charges& charges, const Received& received, bool http) {
    const std::string_view text = received.text;
    const TextDefect defect = received.reading.defect;
    const auto is = [&](TextDefect d) { return defect == d; };
    if (!http) {
        charges.must("STDIO-1.blank-line", !framing::is_blank(text), "an empty line on stdout");
        const std::size_t first = text.find_first_not_of(" \t\r");
        const bool like_json =
            first != text.npos && (text[first] == '{' || text[first] == '[' || text[first] == '\xEF');
        charges.must("STDIO-1.noise", !is(TextDefect::no_json) || like_json,
                     [&] { return "a line on stdout that is not a message: " + quoted(text); });
        charges.must("INT-1.one-line", !received.in_lines, "a message that is spread over several lines");
    }
    charges.must("RPC-2.utf8", !is(TextDefect::not_utf8), "a message that is not UTF-8");
    charges.must("RPC-2.byte-order-mark", !is(TextDefect::byte_order_mark), "a byte order mark before a message");
    charges.must("INT-2.control-characters", !is(TextDefect::control_character),
                 "a string with a raw control character");
    charges.must("INT-2.surrogates", !is(TextDefect::lone_surrogate), "a string with half of a surrogate pair");
    charges.must("RPC-2.repeated-members", !is(TextDefect::repeated_member), "an object with two members of one name");
    charges.must(rule("RPC-2.json"), !is(TextDefect::no_json),
                 [&] { return "a message that is not JSON: " + received.reading.why; });
}

// ---- the envelope

void Judge::judge_envelope(Charges& charges, const Received& received, const Sent* sent, const Conversation& talk) {
    // A server that refuses each part of an array may answer with an array: RPC-12.refused judges it.
    const bool answers_array = sent && sent->refusable;
    charges.must("RPC-12.no-array", !received.in_array || answers_array || talk.rules().has(Trait::batches),
                 "an array of messages, which this revision does not have");
    const json::object* o = received.object();
    if (!charges.must("RPC-1.object", o != nullptr, "a message that is not an object")) return;
    const json::value* version = o->if_contains("jsonrpc");
    charges.must("RPC-1.version", version && version->is_string() && version->get_string() == "2.0",
                 version ? "`jsonrpc` is " + json::write(*version) : std::string("there is no `jsonrpc`"));
    const bool called = o->contains("method"), answered = o->contains("result") || o->contains("error");
    if (!charges.must("RPC-3.kind", called != answered,
                      called ? "a message with a method and a result or an error"
                             : "a message with neither method, result nor error"))
        return;
    called ? judge_call(charges, received, talk) : judge_response(charges, received, sent, talk);
}

void Judge::judge_response(Charges& charges, const Received& received, const Sent* sent, const Conversation& talk) {
    const json::object& o = *received.object();
    charges.must("RPC-4.one-of", o.contains("result") != o.contains("error"), "a response with a result and an error");
    judge_id(charges, received, sent, talk);
    if (const json::value* error = o.if_contains("error")) return judge_error(charges, *error, sent, talk);
    const json::value& result = o.at("result");
    if (!charges.must("RPC-4.result-object", result.is_object(), "a result that is not an object")) return;
    if (talk.rules().has(Trait::result_type)) {
        const json::value* type = result.get_object().if_contains("resultType");
        charges.must("RPC-4.result-type", type && type->is_string(), "a result without `resultType`");
    }
    if (sent) judge_input_required(charges, *sent, result.get_object(), talk);
    if (sent) judge_result(charges, *sent, result.get_object(), talk.rules());
}

void Judge::judge_id(Charges& charges, const Received& received, const Sent* sent, const Conversation& talk) {
    const json::object& o = *received.object();
    const json::value* value = o.if_contains("id");
    const bool refused = received.exchange && received.exchange->status() >= 400;
    if (!sent && received.exchange && talk.is_raw(*received.exchange))
        return;  // the check that sent it judges the response
    if (!sent && !(refused && is_error_response(o)))
        return void(charges.must(rule("RPC-4.unasked"), false, "a response without a request"));
    charges.must(rule("RPC-4.unasked"), true, "");
    if (is_null_or_missing(value)) {
        // JSON-RPC wants null where the id could not be read. 2025-11-25 and later also let the id be left out.
        const bool may_be = is_error_response(o) && (refused || (sent && sent->refusable));
        charges.must(rule("RPC-4.same-id"), may_be || (sent && !sent->id), "a response without the id of its request");
        return;
    }
    if (!sent) return;
    const auto id = jsonrpc::Id::from(*value, received.id_text);
    if (!sent->sound && (!id || id != sent->id))
        return void(charges.must("RPC-8.made-up-id", false, "an id that no request had: " + received.id_text));
    charges.must("RPC-4.id-type", !id || value->is_string() == sent->id->text().starts_with('"'),
                 [&] { return "the id " + sent->id->text() + " came back as " + received.id_text; });
    charges.must(rule("RPC-4.same-id"), id == sent->id,
                 [&] { return "the id " + sent->id->text() + " came back as " + received.id_text; });
    charges.must("RPC-7.one-response", sent->answers <= 1, "a second response to one request");
}

void Judge::judge_error(Charges& charges, const json::value& error, const Sent* sent, const Conversation& talk) {
    if (!charges.must("RPC-6.object", error.is_object(), "an error that is not an object")) return;
    const json::value* code = error.get_object().if_contains("code");
    const json::value* message = error.get_object().if_contains("message");
    charges.must("RPC-6.code", code && (code->is_int64() || code->is_uint64()),
                 "an error without an integer as its `code`");
    charges.must("RPC-6.message", message && message->is_string(), "an error without a text as its `message`");
    if (!code || !code->is_int64()) return;
    judge_code(charges, code->get_int64(), talk.rules());
    // Only a good request of this revision shows which code the server chooses for it.
    if (sent && sent->sound && talk.rules().is_modern()) judge_legacy_code(charges, code->get_int64());
    if (code->get_int64() == code::url_elicitation_required && talk.rules().is_legacy())
        judge_required_urls(charges, error.get_object());
}

// ---- requests and notifications of the server

void Judge::judge_call(Charges& charges, const Received& received, const Conversation& talk) {
    const json::object& o = *received.object();
    const json::value* id = o.if_contains("id");
    const json::value* params = o.if_contains("params");
    charges.must("RPC-3.method", o.at("method").is_string(), "a method that is not a string");
    charges.must("RPC-3.params", !params || params->is_object(), "`params` that is not an object");
    if (!o.at("method").is_string()) return;
    const std::string method(o.at("method").get_string());
    const bool by_name = method.starts_with("notifications/");
    charges.must("RPC-5.no-id", !by_name || !id, [&] { return "the notification " + method + " has an id"; });
    if (by_name || !id) return judge_notification(charges, o, talk, received);
    charges.must("RPC-3.request-id", id->is_string() || id->is_number(),
                 "a request whose id is neither a string nor a number");
    charges.must("RPC-10.unique-ids", request_ids_[talk.serial()].insert(received.id_text).second,
                 [&] { return "the server used the id " + received.id_text + " for two requests"; });
    if (talk.rules().is_modern())
        charges.must("LIFE-5.no-requests", false, "the server sent the request " + method);
    else
        charges.must(rule("LIFE-10.server-requests"), method == "ping",
                     [&] { return "the request " + method + ", but the client did not declare that capability"; });
}

void Judge::judge_notification(Charges& charges, const json::object& message, const Conversation& talk,
                               const Received& received) {
    static const json::object nothing;
    const std::string method(message.at("method").get_string());
    const json::value* params = message.if_contains("params");
    const json::object& p = params && params->is_object() ? params->get_object() : nothing;
    if (method == "notifications/progress") judge_progress(charges, p, talk);
    judge_announcement(charges, method, p, talk, received);
}

void Judge::judge_progress(Charges& charges, const json::object& params, const Conversation& talk) {
    const json::value* token = params.if_contains("progressToken");
    const json::value* progress = params.if_contains("progress");
    charges.must("LIFE-17.shape",
                 token && (token->is_string() || token->is_number()) && progress && progress->is_number(),
                 "a progress notification without `progressToken` or a number as `progress`");
    if (!charges.broken().empty()) return;
    const std::string text = json::write(*token);
    const auto carries = [&](const std::unique_ptr<Sent>& sent) {
        const json::value* meta = sent->params.if_contains("_meta");
        const json::value* given =
            meta && meta->is_object() ? meta->get_object().if_contains("progressToken") : nullptr;
        return given && json::write(*given) == text;
    };
    const auto it = std::ranges::find_if(talk.sent(), carries);
    charges.must("LIFE-17.token", it != talk.sent().end(),
                 [&] { return "progress for the token " + text + ", which no request had"; });
    if (it == talk.sent().end()) return;
    charges.must("LIFE-17.after-response", (*it)->answers == 0, "progress after the response");
    const double value = progress->to_number<double>();
    const std::string key = std::to_string(talk.serial()) + " " + std::to_string((*it)->number) + " " + text;
    const auto last = progress_.find(key);
    charges.must("LIFE-17.increases", last == progress_.end() || value > last->second,
                 "progress that does not increase");
    progress_[key] = value;
}

}  // namespace tenon::check
