#include "check/server/judge_questions.hpp"

#include <algorithm>
#include <set>

#include "base/uri.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check {
namespace {

using json::object;
using json::value;

bool may_need_input(std::string_view method) {
    return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

std::string_view capability_of(std::string_view method) {
    if (method == "elicitation/create") return "elicitation";
    if (method == "sampling/createMessage") return "sampling";
    return method == "roots/list" ? "roots" : "";
}

// ---- the turns of a conversation with a model

// The blocks of a message: one object, or a list of them.
std::vector<const object*> blocks_of(const object& message) {
    std::vector<const object*> out;
    const value* content = message.if_contains("content");
    if (content && content->is_object()) out.push_back(&content->get_object());
    if (content && content->is_array())
        for (const value& block : content->get_array())
            if (const object* o = block.if_object()) out.push_back(o);
    return out;
}

bool is_of_type(const object& block, std::string_view type) {
    const auto* own = string_in(block, "type");
    return own && *own == type;
}

std::set<std::string> ids_of(const std::vector<const object*>& blocks, std::string_view type, std::string_view member) {
    std::set<std::string> out;
    for (const object* block : blocks)
        if (const auto* id = is_of_type(*block, type) ? string_in(*block, member) : nullptr)
            out.insert(std::string(*id));
    return out;
}

// ---- single questions

// Browsers take characters that are not ASCII, and the text allows any scheme.
bool is_url(std::string_view text) {
    std::string ascii(text);
    for (char& c : ascii)
        if (static_cast<unsigned char>(c) >= 0x80) c = 'x';
    return base::parse_uri(ascii).has_value();
}

void judge_url(Charges& charges, const object& elicitation) {
    const auto* url = string_in(elicitation, "url");
    charges.must("LIFE-5.elicitation-url", url && is_url(*url), [&] {
        return url ? "an elicitation with the URL `" + std::string(*url).substr(0, 200) + "`"
                   : std::string("an elicitation of the mode url without a `url`");
    });
}

void judge_question(Charges& charges, const object& question, const Conversation& talk) {
    const auto* method = string_in(question, "method");
    const std::string_view capability = method ? capability_of(*method) : "";
    charges.must("LIFE-5.input-requests", !capability.empty(),
                 "an input request that is not elicitation/create, sampling/createMessage or roots/list");
    if (capability.empty()) return;
    const object* params = object_in(question, "params");
    const auto* mode = params ? string_in(*params, "mode") : nullptr;
    const bool by_url = capability == "elicitation" && mode && *mode == "url";
    const object* declared = object_in(talk.capabilities, capability);
    charges.must("LIFE-10.input-requests", declared && (!by_url || declared->contains("url")),
                 [&] { return "an input request " + std::string(*method) + ", which the client did not declare"; });
    if (by_url) judge_url(charges, *params);
    const json::array* messages = capability == "sampling" && params ? array_in(*params, "messages") : nullptr;
    const std::string wrong = messages ? unbalanced_turns(*messages) : std::string();
    if (messages) charges.must("LIFE-5.tool-turns", wrong.empty(), wrong);
}

}  // namespace

std::string unbalanced_turns(const json::array& messages) {
    std::set<std::string> open;  // the tool calls of the message before
    for (const value& entry : messages) {
        const object* message = entry.if_object();
        if (!message) return {};  // another rule's matter
        const auto blocks = blocks_of(*message);
        const auto results = ids_of(blocks, "tool_result", "toolUseId");
        const auto is_result = [](const object* block) { return is_of_type(*block, "tool_result"); };
        if (!results.empty() && !std::ranges::all_of(blocks, is_result))
            return "a message mixes tool results with other content";
        if (!std::ranges::includes(results, open)) return "a tool_use has no tool_result in the next message";
        if (results.size() > open.size()) return "a tool_result belongs to no tool_use of the message before";
        open = ids_of(blocks, "tool_use", "id");
    }
    return open.empty() ? "" : "the last message has a tool_use without a tool_result";
}

void judge_input_required(Charges& charges, const Sent& sent, const object& result, const Conversation& talk) {
    const auto* type = string_in(result, "resultType");
    if (!type || *type != "input_required" || talk.rules().is_legacy()) return;
    if (!charges.must("LIFE-5.input-required-method", may_need_input(sent.method),
                      [&] { return "input_required for " + sent.method + ", which does not allow it"; }))
        return;
    const object* questions = object_in(result, "inputRequests");
    charges.must("LIFE-5.input-required", questions || string_in(result, "requestState"),
                 "input_required without inputRequests and without requestState");
    if (!questions) return;
    for (const auto& question : *questions) {
        static const object nothing;
        const object* o = question.value().if_object();
        judge_question(charges, o ? *o : nothing, talk);
    }
}

void judge_required_urls(Charges& charges, const object& error) {
    const object* data = object_in(error, "data");
    const json::array* all = data ? array_in(*data, "elicitations") : nullptr;
    if (!all) return;
    for (const value& one : *all)
        if (const object* o = one.if_object()) judge_url(charges, *o);
}

}  // namespace tenon::check
