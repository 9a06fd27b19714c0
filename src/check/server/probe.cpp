#include "check/server/probe.hpp"

#include <set>

#include "check/server/arguments.hpp"
#include "check/server/shapes.hpp"
#include "core/mirrored_parameters.hpp"
#include "web/header_value.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t max_pages = 100, most_calls = 5;

bool says_read_only(const json::object& tool) {
    const json::object* annotations = object_in(tool, "annotations");
    const json::value* hint = annotations ? annotations->if_contains("readOnlyHint") : nullptr;
    return hint && hint->is_bool() && hint->get_bool();
}

}  // namespace

const json::object* Listing::find(std::string_view name) const {
    for (const json::object& entry : entries)
        if (const auto* own = string_in(entry, "name"); own && *own == name) return &entry;
    return nullptr;
}

Probe::Probe(Subject& subject, protocol::Rules rules, Judge& judge) : subject_(subject), rules_(rules), judge_(judge) {}

Conversation& Probe::talk() {
    if (!talk_ || talk_->gone()) {
        talk_ = fresh();
        if (introduction_.empty()) introduction_ = talk_->introduction();
    }
    return *talk_;
}

std::unique_ptr<Conversation> Probe::with(MessageObserver* listener) {
    auto out = std::make_unique<Conversation>(subject_, rules_, listener);
    out->mirror = [this](const json::object& call) { return mirrored(call); };
    return out;
}

std::unique_ptr<Conversation> Probe::silent() { return with(&judge_); }

std::unique_ptr<Conversation> Probe::unjudged() {
    auto out = with(nullptr);
    out->open();
    return out;
}

web::OwnFields Probe::mirrored(const json::object& call) const {
    web::OwnFields out;
    const auto* name = string_in(call, "name");
    const json::object* arguments = object_in(call, "arguments");
    const json::object* tool = name && tools_ ? tools_->find(*name) : nullptr;
    const json::object* schema = tool ? object_in(*tool, "inputSchema") : nullptr;
    const auto parameters = schema ? core::mirrored_parameters(*schema) : std::vector<core::MirroredParameter>();
    if (!parameters || !arguments) return out;
    for (const core::MirroredParameter& parameter : *parameters) {
        const json::object* at = arguments;
        for (std::size_t i = 0; at && i + 1 < parameter.path.size(); ++i) at = object_in(*at, parameter.path[i]);
        const json::value* value = at ? at->if_contains(parameter.path.back()) : nullptr;
        if (value && !value->is_null()) out.emplace_back(parameter.header, web::encode_header_scalar(*value));
    }
    return out;
}

std::unique_ptr<Conversation> Probe::fresh() {
    auto out = silent();
    out->open();
    return out;
}

const json::object& Probe::introduction() {
    talk();
    return introduction_;
}

bool Probe::declares(std::string_view capability, std::string_view flag) {
    const json::object* all = object_in(introduction(), "capabilities");
    const json::object* one = all ? object_in(*all, capability) : nullptr;
    if (flag.empty()) return one != nullptr;
    const json::value* v = one ? one->if_contains(flag) : nullptr;
    return v && v->is_bool() && v->get_bool();
}

std::vector<const json::object*> Probe::callable_tools() {
    std::vector<const json::object*> out;
    for (const json::object& tool : tools().entries)
        if (string_in(tool, "name") && (subject_.options.allow_writes || says_read_only(tool))) out.push_back(&tool);
    return out;
}

const std::vector<Call>& Probe::calls() {
    if (calls_) return *calls_;
    calls_.emplace();
    for (const json::object* tool : callable_tools()) {
        const auto arguments = valid_arguments(*tool);
        if (!arguments || calls_->size() == most_calls) continue;
        const std::string token = "tenon-check-" + std::to_string(calls_->size());
        calls_->push_back({tool, ask("tools/call", {{"name", tool->at("name")},
                                                    {"arguments", *arguments},
                                                    {"_meta", {{"progressToken", token}}}})});
    }
    return *calls_;
}

const Listing& Probe::list(std::optional<Listing>& where, std::string_view capability, std::string_view method,
                           std::string_view member) {
    if (where) return *where;
    where.emplace();
    if (!declares(capability)) {
        where->why = "the server does not declare " + std::string(capability);
        return *where;
    }
    std::set<std::string> cursors;
    json::object params;
    for (;;) {
        const Answer answer = ask(method, params);
        const json::array* entries = array_in(answer.result(), member);
        if (!entries) {
            where->why = answer.came() ? "its answer has no list" : answer.why;
            return *where;
        }
        ++where->pages;
        for (const json::value& entry : *entries)
            if (entry.is_object()) where->entries.push_back(entry.get_object());
        const auto* cursor = string_in(answer.result(), "nextCursor");
        if (!cursor) return *where;
        where->endless = where->pages >= max_pages || !cursors.insert(std::string(*cursor)).second;
        if (where->endless) return *where;
        params = {{"cursor", *cursor}};
    }
}

std::string names_of(const std::vector<int>& codes) {
    std::string out;
    for (const int code : codes) out += (out.empty() ? "" : " or ") + std::to_string(code);
    return out;
}

// A response that breaks another rule is not judged by this one.
Verdict expect_error(const Answer& answer, std::vector<int> codes) {
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (!answer.came()) return fail(answer.why);
    if (!answer.is_error()) return fail("the answer is a result, not an error");
    const auto code = answer.code();
    if (codes.empty() || (code && std::ranges::find(codes, *code) != codes.end())) return pass(answer.error_text());
    return fail("the answer is the error " + answer.error_text() + ", not " + names_of(codes));
}

Verdict expect_result(const Answer& answer) {
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (!answer.came()) return fail(answer.why);
    return answer.is_result() ? pass() : fail("the answer is the error " + answer.error_text());
}

Verdict expect_alive(Conversation& talk, std::string_view after) {
    if (talk.settle()) return pass();
    const Answer again = talk.ask(talk.rules().is_legacy() ? "ping" : "server/discover");
    return again.came() ? pass() : fail("after " + std::string(after) + " the server does not answer: " + again.why);
}

Verdict first_bad(std::initializer_list<Verdict> verdicts) {
    for (const Verdict& verdict : verdicts)
        if (verdict.kind != Verdict::Kind::pass) return verdict;
    return pass();
}

}  // namespace tenon::check
