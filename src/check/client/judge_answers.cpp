// Judges the client's answers to questions of the server.
#include <algorithm>

#include "base/uri.hpp"
#include "check/client/judge.hpp"
#include "check/client/played_server.hpp"

namespace tenon::check::client {
namespace {

bool is_result(const Message& m) { return m.body.contains("result"); }

std::optional<std::int64_t> code_of(const Message& m) {
    const json::value* code = object_member(m.body, "error").if_contains("code");
    return code && code->is_int64() ? std::optional(code->get_int64()) : std::nullopt;
}

const json::object& result_of(const Message& m) { return object_member(m.body, "result"); }

bool is_file_root(const json::value& root) {
    return root.is_object() && string_member(root.get_object(), "uri").starts_with("file://");
}

bool is_roots_result(const json::object& result) {
    const json::value* roots = result.if_contains("roots");
    return roots && roots->is_array() && std::ranges::all_of(roots->get_array(), is_file_root);
}

bool is_sampling_result(const json::object& result) {
    const std::string role = string_member(result, "role");
    const json::value *content = result.if_contains("content"), *model = result.if_contains("model");
    return (role == "user" || role == "assistant") && model && model->is_string() && content &&
           (content->is_object() || content->is_array());
}

// The form has one field, `name`, and it is required.
bool is_elicitation_result(const json::object& result) {
    const std::string action = string_member(result, "action");
    if (action == "decline" || action == "cancel") return true;
    return action == "accept" && object_member(result, "content").contains("name") &&
           object_member(result, "content").at("name").is_string();
}

// A feature that the client declares. `asks_somebody`: the answer may have to wait for a person.
struct Feature {
    std::string_view method, rule, result_rule;
    bool (*is_good)(const json::object&);
    bool asks_somebody;
};
constexpr Feature features[] = {
    {"roots/list", "LIFE-12.client-roots", "LIFE-12.client-roots-result", is_roots_result, false},
    {"sampling/createMessage", "LIFE-12.client-sampling", "LIFE-12.client-sampling-result", is_sampling_result, true},
    {"elicitation/create", "LIFE-12.client-elicitation", "LIFE-12.client-elicitation-result", is_elicitation_result,
     true},
};

void judge_feature(const Dialogue& dialogue, const Feature& feature, const Question& question, const Message* answer,
                   Sheet& sheet) {
    if (!answer && feature.asks_somebody)
        return sheet.skip(feature.rule, "no answer came in time; a user may have to answer");
    if (!answer)
        return sheet.fail(feature.rule, dialogue, question.event, "the client did not answer " + question.method);
    sheet.expect(code_of(*answer) != code::method_not_found, feature.rule, dialogue, answer->event,
                 "the client declares a capability that it does not have");
    if (is_result(*answer))
        sheet.expect(feature.is_good(result_of(*answer)), feature.result_rule, dialogue, answer->event,
                     "the result of " + question.method + " is not valid");
}

bool has_traversal(const json::value& root) {
    const auto path = base::percent_decode(root.is_object() ? string_member(root.get_object(), "uri") : "");
    return path && (path->find("/../") != path->npos || path->ends_with("/.."));
}

void judge_root_paths(const Dialogue& dialogue, const Message& answer, Sheet& sheet) {
    const json::value* roots = result_of(answer).if_contains("roots");
    if (!roots || !is_roots_result(result_of(answer))) return;
    sheet.expect(std::ranges::none_of(roots->get_array(), has_traversal), "LIFE-12.client-root-paths", dialogue,
                 answer.event, "a root has the segment `..`");
}

// The text names the code.
void judge_refusal(const Dialogue& dialogue, std::string_view rule, std::string_view what, const Message* answer,
                   Sheet& sheet) {
    if (!answer) return sheet.skip(rule, "no answer came in time; a user may have to answer");
    sheet.expect(code_of(*answer) == code::invalid_params, rule, dialogue, answer->event,
                 std::string(what) + " is not refused with -32602");
}

bool is_empty_result(const json::object& result) {
    return std::ranges::all_of(result, [](const auto& member) { return member.key() == "_meta"; });
}

void judge_ping(const Dialogue& dialogue, const Question& question, const Message* answer, Sheet& sheet) {
    if (!answer) return sheet.fail("LIFE-14.client-ping", dialogue, question.event, "the client did not answer a ping");
    const json::value* result = answer->body.if_contains("result");
    sheet.expect(result && result->is_object() && is_empty_result(result->get_object()), "LIFE-14.client-ping",
                 dialogue, answer->event, "the response to a ping is not an empty result");
}

void judge_unknown(const Dialogue& dialogue, const Question& question, const Message* answer, Sheet& sheet) {
    constexpr std::string_view rule = "RPC-7.client-unknown-method";
    if (!answer) return sheet.fail(rule, dialogue, question.event, "a request with an unknown method got no answer");
    sheet.expect(!is_result(*answer), rule, dialogue, answer->event, "a request with an unknown method got a result");
    const auto code = code_of(*answer);
    if (code)
        sheet.expect(code == code::method_not_found, "RPC-14.client-code", dialogue, answer->event,
                     "the error for an unknown method is not -32601");
}

void judge_question(const Dialogue& dialogue, const Question& question, const Message* answer, Sheet& sheet) {
    if (question.method == "ping") return judge_ping(dialogue, question, answer, sheet);
    if (question.id == json::value(undeclared_mode))
        return judge_refusal(dialogue, "LIFE-12.client-elicitation-mode",
                             "an elicitation of a mode that the client did not declare", answer, sheet);
    if (question.id == json::value(unbalanced_turns))
        return judge_refusal(dialogue, "LIFE-12.client-tool-turns", "sampling with a tool_use that has no tool_result",
                             answer, sheet);
    if (question.method == "roots/list" && answer && is_result(*answer)) judge_root_paths(dialogue, *answer, sheet);
    for (const Feature& feature : features)
        if (feature.method == question.method) return judge_feature(dialogue, feature, question, answer, sheet);
    judge_unknown(dialogue, question, answer, sheet);
}

}  // namespace

void judge_answers_in(const Dialogue& dialogue, Sheet& sheet) {
    std::vector<const Message*> strays;
    std::vector<std::vector<const Message*>> answers(dialogue.questions.size());
    for (const Message& m : dialogue.messages) {
        if (m.kind != Message::Kind::response) continue;
        const auto asked = std::ranges::find_if(
            dialogue.questions, [&](const Question& question) { return m.id() && question.id == *m.id(); });
        if (asked == dialogue.questions.end())
            strays.push_back(&m);
        else
            answers[static_cast<std::size_t>(asked - dialogue.questions.begin())].push_back(&m);
    }
    for (std::size_t i = 0; i < dialogue.questions.size(); ++i) {
        const Question& question = dialogue.questions[i];
        if (answers[i].size() > 1)
            sheet.fail("RPC-7.client-one-answer", dialogue, answers[i][1]->event, "a request was answered twice");
        if (!answers[i].empty()) {
            sheet.pass("RPC-7.client-one-answer", dialogue);
            sheet.pass("RPC-4.client-same-id", dialogue);
        } else if (!strays.empty()) {  // most likely the answer: judge its id and its content
            sheet.fail("RPC-4.client-same-id", dialogue, strays.front()->event,
                       "the answer to " + question.method + " has another id than " + json::write(question.id));
            answers[i].push_back(strays.front());
            strays.erase(strays.begin());
        }
        judge_question(dialogue, question, answers[i].empty() ? nullptr : answers[i].front(), sheet);
    }
    const bool modern = is_modern(dialogue.record.scene);
    for (const Message* stray : strays)
        sheet.fail(
            modern ? "RPC-4.client-no-response" : "RPC-5.client-no-answer", dialogue, stray->event,
            modern ? "clients of 2026-07-28 send no responses" : "the client answered something that is not a request");
    if (modern && !dialogue.methods.empty()) sheet.pass("RPC-4.client-no-response", dialogue);
    if (dialogue.record.scene == Scene::unknown_notification && !dialogue.methods.empty())
        sheet.pass("RPC-5.client-no-answer", dialogue);
}

// The answers in Scene::questions are judged by judge_scenes(): over HTTP, only a client that reads streams sees them.
void judge_answers(const Dialogues& dialogues, Sheet& sheet) {
    for (const auto& [scene, dialogue] : dialogues)
        if (scene != Scene::questions) judge_answers_in(dialogue, sheet);
}

}  // namespace tenon::check::client
