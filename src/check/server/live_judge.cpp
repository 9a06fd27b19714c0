#include "check/server/live_judge.hpp"

#include "check/server/judge_questions.hpp"
#include "check/server/shapes.hpp"
#include "framing/line_framer.hpp"

namespace tenon::check {

void LiveJudge::judge_text(Charges& charges, std::string_view text, const Reading& reading) const {
    const auto is = [&](TextDefect d) { return reading.defect == d; };
    if (stdio_) {
        charges.must("STDIO-1.blank-line", !framing::is_blank(text), "an empty line on stdout");
        const std::size_t first = text.find_first_not_of(" \t\r");
        const bool like_json = first != text.npos && (text[first] == '{' || text[first] == '[');
        charges.must("STDIO-1.noise", !is(TextDefect::no_json) || like_json, "a line on stdout that is not a message");
    }
    charges.must("RPC-2.utf8", !is(TextDefect::not_utf8), "a message that is not UTF-8");
    charges.must("RPC-2.byte-order-mark", !is(TextDefect::byte_order_mark), "a byte order mark before a message");
    charges.must("INT-2.control-characters", !is(TextDefect::control_character),
                 "a string with a raw control character");
    charges.must("INT-2.surrogates", !is(TextDefect::lone_surrogate), "a string with half of a surrogate pair");
    charges.must("RPC-2.repeated-members", !is(TextDefect::repeated_member), "an object with two members of one name");
    charges.must("RPC-2.json", !is(TextDefect::no_json), [&] { return "a message that is not JSON: " + reading.why; });
}

void LiveJudge::judge_call(Charges& charges, const json::object& message) {
    const json::value* id = message.if_contains("id");
    const json::value* params = message.if_contains("params");
    const auto* method = string_in(message, "method");
    charges.must("RPC-3.method", method != nullptr, "a method that is not a string");
    charges.must("RPC-3.params", !params || params->is_object(), "`params` that is not an object");
    if (!method) return;
    const bool by_name = method->starts_with("notifications/");
    charges.must("RPC-5.no-id", !by_name || !id,
                 [&] { return "the notification " + std::string(*method) + " has an id"; });
    if (by_name || !id) return;
    charges.must("RPC-3.request-id", id->is_string() || id->is_number(),
                 "a request whose id is neither a string nor a number");
    if (request_ids_.size() < max_ids)
        charges.must("RPC-10.unique-ids", request_ids_.insert(json::write(*id)).second,
                     [&] { return "the server used the id " + json::write(*id) + " for two requests"; });
    if (rules_ && rules_->is_modern())
        charges.must("LIFE-5.no-requests", false, "the server sent the request " + std::string(*method));
}

void LiveJudge::judge_error(Charges& charges, const json::value& error) const {
    if (!charges.must("RPC-6.object", error.is_object(), "an error that is not an object")) return;
    const json::value* code = error.get_object().if_contains("code");
    charges.must("RPC-6.code", code && (code->is_int64() || code->is_uint64()),
                 "an error without an integer as its `code`");
    charges.must("RPC-6.message", string_in(error.get_object(), "message"), "an error without a text as its `message`");
    if (!code || !code->is_int64() || !rules_) return;
    judge_code(charges, code->get_int64(), *rules_);
    if (code->get_int64() == code::url_elicitation_required && rules_->is_legacy())
        judge_required_urls(charges, error.get_object());
}

void LiveJudge::judge_response(Charges& charges, const json::object& message, const Request* request) {
    charges.must("RPC-4.one-of", message.contains("result") != message.contains("error"),
                 "a response with a result and an error");
    const json::value* id = message.if_contains("id");
    const bool has_id = id && !id->is_null();
    charges.must("RPC-4.unasked", request || !has_id, "a response without a request");
    charges.must("RPC-4.same-id", has_id || message.contains("error"), "a response without the id of its request");
    if (request) charges.must("RPC-7.one-response", request->answers <= 1, "a second response to one request");
    if (const json::value* error = message.if_contains("error")) return judge_error(charges, *error);
    const json::value& result = message.at("result");
    if (!charges.must("RPC-4.result-object", result.is_object(), "a result that is not an object") || !request) return;
    learn(result.get_object(), request->method);
    if (!rules_) return;
    if (rules_->has(protocol::Trait::result_type))
        charges.must("RPC-4.result-type", string_in(result.get_object(), "resultType"),
                     "a result without `resultType`");
    Sent sent;
    sent.method = request->method;
    sent.params = request->params;
    judge_result(charges, sent, result.get_object(), *rules_);
}

// The introduction names the revision, which decides about the rules.
void LiveJudge::learn(const json::object& result, std::string_view method) {
    std::optional<protocol::Revision> revision;
    if (const auto* name = method == "initialize" ? string_in(result, "protocolVersion") : nullptr)
        revision = protocol::revision(std::string_view(*name));
    if (method == "server/discover" && array_in(result, "supportedVersions")) revision = protocol::modern_revision();
    if (!revision) return;
    rules_.emplace(*revision);
    absent_.clear();
    for (const Rule& rule : catalogue())
        if (rule.clause(rules_->name()).level == Level::none) absent_.insert(rule.id);
}

void LiveJudge::judge_message(Charges& charges, const json::value& value, const Request* request) {
    const bool is_array = value.is_array();
    charges.must("RPC-12.no-array", !is_array || !rules_ || rules_->has(protocol::Trait::batches),
                 "an array of messages, which this revision does not have");
    if (is_array) return;
    const json::object* o = value.if_object();
    if (!charges.must("RPC-1.object", o != nullptr, "a message that is not an object")) return;
    const auto* version = string_in(*o, "jsonrpc");
    charges.must("RPC-1.version", version && *version == "2.0", "`jsonrpc` is not \"2.0\"");
    const bool called = o->contains("method"), answered = o->contains("result") || o->contains("error");
    if (!charges.must("RPC-3.kind", called != answered,
                      called ? "a message with a method and a result or an error"
                             : "a message with neither method, result nor error"))
        return;
    called ? judge_call(charges, *o) : judge_response(charges, *o, request);
}

const LiveVerdict* LiveJudge::judge(std::string_view text, const Reading& reading, const Request* request) {
    tallies_.clear();
    Charges charges(tallies_, absent_);
    judge_text(charges, text, reading);
    if (reading.value) judge_message(charges, *reading.value, request);
    if (charges.broken().empty()) return nullptr;
    verdict_ = {find_rule(charges.broken()), charges.detail()};
    return verdict_.rule ? &verdict_ : nullptr;
}

}  // namespace tenon::check
