#include "check/server/probe.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "check/server/arguments.hpp"
#include "check/server/change_watch.hpp"
#include "check/server/shapes.hpp"
#include "core/mirrored_parameters.hpp"
#include "web/header_value.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t max_pages = 100, most_calls = 8;
constexpr Duration exit_patience = std::chrono::seconds(5);  // for the exit at the end of input
constexpr int share_of_calls = 10;                           // calls of tools may use a tenth of the whole time

bool says_read_only(const json::object& tool) {
    const json::object* annotations = object_in(tool, "annotations");
    const json::value* hint = annotations ? annotations->if_contains("readOnlyHint") : nullptr;
    return hint && hint->is_bool() && hint->get_bool();
}

bool names(const std::vector<std::string>& names, const json::object& entry) {
    const auto* own = string_in(entry, "name");
    return own && std::ranges::find(names, std::string_view(*own)) != names.end();
}

json::object initialize_params(std::string_view version) {
    return {{"protocolVersion", version},
            {"capabilities", json::object()},
            {"clientInfo", {{"name", "tenon-check"}, {"version", "1"}}}};
}

json::object initialize_request(std::string_view version) {
    return {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}, {"params", initialize_params(version)}};
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
        remember("introduction", [&] { talk_ = fresh(); });
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
    if (introduction_.empty()) talk();
    use("introduction");
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
    const Options& options = subject_.options;
    std::vector<const json::object*> out = probed_tools();
    std::erase_if(out, [&](const json::object* tool) {
        return !options.allow_writes && !names(options.call, *tool) && !(options.trust_hints && says_read_only(*tool));
    });
    return out;
}

bool Probe::is_skipped(const json::object& entry) const { return names(subject_.options.skip, entry); }

std::vector<const json::object*> Probe::probed_tools() {
    std::vector<const json::object*> out;
    for (const json::object& tool : tools().entries)
        if (string_in(tool, "name") && !is_skipped(tool)) out.push_back(&tool);
    return out;
}

std::vector<const json::object*> Probe::runnable_prompts() {
    const Options& options = subject_.options;
    std::vector<const json::object*> out;
    for (const json::object& prompt : prompts().entries)
        if (string_in(prompt, "name") && !is_skipped(prompt) && (options.allow_writes || names(options.call, prompt)))
            out.push_back(&prompt);
    return out;
}

json::object Probe::with_payload(Conversation& talk, std::string_view payload) {
    return talk.request(harmless(), {{"_meta", {{"com.example/payload", payload}}}});
}

Answer Probe::negotiate(std::string_view version) {
    const std::string key = "initialize " + std::string(version);
    const auto known = subject_.initialize_answers.find(version);
    if (known != subject_.initialize_answers.end()) {
        if (!remembered_.contains(key))  // it was asked before this probe existed
            remembered_[key] = {{Evidence::Direction::sent, json::write(initialize_request(version))},
                                {Evidence::Direction::received, json::write(known->second)}};
        use(key);
        return {.message = known->second};
    }
    Answer answer;
    remember(key, [&] { answer = silent()->ask("initialize", initialize_params(version)); });
    use(key);
    if (answer.came()) subject_.initialize_answers.emplace(version, answer.message);
    return answer;
}

json::object Probe::meta() {
    if (!talk_) talk();
    return talk_->meta();
}

Conversation& Probe::uninitialized() {
    if (!uninitialized_ || uninitialized_->gone()) uninitialized_ = silent();
    return *uninitialized_;
}

const Probe::Farewell& Probe::farewell() {
    if (!farewell_) remember("farewell", [this] { say_farewell(); });
    use("farewell");
    return *farewell_;
}

void Probe::say_farewell() {
    farewell_.emplace();
    const auto talk = fresh();
    if (talk->gone() || !talk->process()) {
        farewell_->why = talk->why();
        return;
    }
    const std::size_t number = talk->send(talk->request(harmless(), {{"_meta", {{"com.example/last", true}}}}));
    talk->end_input();
    farewell_->answer = talk->answer(number);
    const TimePoint until = std::min(subject_.patience(), Clock::now() + exit_patience);
    talk->wait_until(until, [&] { return talk->gone(); });
    farewell_->exited = talk->process()->wait_for_end(until);
    farewell_->with_0 = talk->process()->exited_with_0();
    farewell_->cut_output = talk->cut_output();
    farewell_->how = talk->process()->how();
}

const Probe::Early& Probe::early() {
    if (!early_) remember("early", [this] { be_early(); });
    use("early");
    return *early_;
}

// The early requests and `initialize` are sent at once: a server that ignores them would otherwise cost much time.
void Probe::be_early() {
    early_.emplace();
    auto talk = silent();
    const std::size_t ping = http() ? 0 : talk->send(talk->request("ping"));
    const std::size_t list = talk->send(talk->request("tools/list"));
    if (http()) early_->list = talk->answer(list);
    early_->initialize = talk->ask("initialize", initialize_params(rules_.name()));
    if (!http()) {
        early_->ping = talk->answer_soon(ping);
        early_->list = talk->answer_soon(list);
    }
    if (!early_->initialize.is_result()) {  // the early requests were too much for it
        talk = silent();
        early_->initialize = talk->ask("initialize", initialize_params(rules_.name()));
        if (!http()) subject_.note_start(early_->initialize.came(), early_->initialize.why);
    }
    const Judge::Instead instead(judge_, "LIFE-10.server-requests", "LIFE-5.before-initialized");
    talk->ask("ping");
    talk->tell("notifications/initialized");
    early_->second = talk->ask("initialize", initialize_params(rules_.name()));
}

void Probe::use(std::string what) {
    if (std::ranges::find(used_, what) == used_.end()) used_.push_back(std::move(what));
}

std::vector<Evidence> Probe::used() const {
    std::vector<Evidence> out;
    for (const std::string& what : used_)
        if (const auto it = remembered_.find(what); it != remembered_.end())
            out.insert(out.end(), it->second.begin(), it->second.end());
    return out;
}

// Ends at the first call without a response: a tool may take any time, and the server may do nothing else meanwhile.
std::vector<Call> Probe::call_all(Conversation& talk) {
    std::vector<Call> out;
    const TimePoint until = later(Clock::now(), subject_.options.time / share_of_calls);
    for (const json::object* tool : callable_tools()) {
        const auto arguments = valid_arguments(*tool);
        if (!arguments || out.size() == most_calls || (!out.empty() && Clock::now() >= until)) continue;
        const std::string token = "tenon-check-" + std::to_string(out.size());
        json::object params{{"name", tool->at("name")}, {"arguments", *arguments}};
        params["_meta"] = {{"progressToken", token}};
        const std::size_t mark = subject_.transcript.mark();
        out.push_back({tool, talk.answer_by(talk.send(talk.request("tools/call", params)), until)});
        out.back().evidence = subject_.transcript.since(mark);
        if (!out.back().answer.came()) break;
        if (out.back().answer.code() == code::missing_capability) {
            params.erase("_meta");
            call_with_capabilities(talk, params);
        }
    }
    return out;
}

// Calls a tool again that needs the client's help, with everything declared. The Judge sees the questions.
void Probe::call_with_capabilities(Conversation& talk, const json::object& params) {
    talk.capabilities = {{"elicitation", {{"form", json::object()}, {"url", json::object()}}},
                         {"sampling", {{"tools", json::object()}}},
                         {"roots", json::object()}};
    talk.ask("tools/call", params);
    talk.capabilities.clear();
}

// Over HTTP the calls have a session of their own: a second GET stream in the shared one could be refused.
const std::vector<Call>& Probe::calls() {
    if (calls_) return *calls_;
    calls_.emplace();
    if (callable_tools().empty()) return *calls_;
    const std::unique_ptr<Conversation> own = http() ? fresh() : nullptr;
    Conversation& talk = own ? *own : this->talk();
    ChangeWatch watch(*this, talk);
    *calls_ = call_all(talk);
    if (!calls_->empty() && !calls_->back().answer.came()) {
        changes_.why = "a call has no response yet, so changes were not watched";
        if (!own) talk_.reset();  // the tool may still run
        return *calls_;
    }
    changes_ = watch.finish();
    talk.settle();
    return *calls_;
}

const ServerChanges& Probe::changes() {
    calls();
    return changes_;
}

const Listing& Probe::list(std::optional<Listing>& where, std::string_view capability, std::string_view method,
                           std::string_view member) {
    if (!where) remember(std::string(method), [&] { where = fetch(talk(), capability, method, member); });
    use(std::string(method));
    return *where;
}

Listing Probe::fetch(Conversation& talk, std::string_view capability, std::string_view method,
                     std::string_view member) {
    Listing out;
    if (!declares(capability)) {
        out.why = "the server does not declare " + std::string(capability);
        return out;
    }
    std::set<std::string> pages;  // a cursor may come twice, but not with the same page
    json::object params;
    for (;;) {
        const Answer answer = talk.ask(method, params);
        const json::array* entries = array_in(answer.result(), member);
        if (!entries) {
            out.why = answer.is_error() ? "it cannot be listed: " + answer.error_text()
                      : answer.came()   ? "its answer has no list"
                                        : answer.why;
            return out;
        }
        ++out.pages;
        for (const json::value& entry : *entries)
            if (entry.is_object()) out.entries.push_back(entry.get_object());
        const auto* cursor = string_in(answer.result(), "nextCursor");
        if (!cursor || out.pages >= max_pages) return out;  // a long list is not an endless one
        out.endless = !pages.insert(std::string(*cursor) + json::write(*entries)).second;
        if (out.endless) return out;
        params = {{"cursor", *cursor}};
    }
}

std::string names_of(const std::vector<int>& codes) {
    std::string out;
    for (const int code : codes) out += (out.empty() ? "" : " or ") + std::to_string(code);
    return out;
}

bool is_upstream_failure(const Answer& answer) {
    static constexpr std::array<std::string_view, 14> signs = {
        "fetch failed", "econnrefused", "enotfound", "econnreset",   "etimedout", "eai_again",          "getaddrinfo",
        "socket hang",  "network",      "timed out", "unauthorized", "api key",   "connection refused", "unreachable"};
    std::string text = answer.message.empty() ? std::string() : json::write(answer.message);
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return std::ranges::any_of(signs, [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

Verdict expect_implemented(const Answer& answer, std::string_view method) {
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (!answer.came()) return fail(std::string(method) + ": " + answer.why);
    if (answer.is_result()) return pass();
    if (answer.code() == code::method_not_found)
        return with_evidence(fail(std::string(method) + " is not implemented"), answer.evidence);
    return not_applicable(std::string(method) + " fails with an error of its own: " + answer.error_text());
}

// A response that breaks another rule is not judged by this one.
Verdict expect_error(const Answer& answer, std::vector<int> codes) {
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (!answer.came()) return fail(answer.why);
    if (!answer.is_error()) return with_evidence(fail("the answer is a result, not an error"), answer.evidence);
    const auto code = answer.code();
    if (!codes.empty() && is_upstream_failure(answer))
        return not_applicable("a service that the server needs fails: " + answer.error_text());
    if (codes.empty() || (code && std::ranges::find(codes, *code) != codes.end())) return pass(answer.error_text());
    return with_evidence(fail("the answer is the error " + answer.error_text() + ", not " + names_of(codes)),
                         answer.evidence);
}

Verdict expect_result(const Answer& answer) {
    if (!answer.broken.empty()) return not_applicable("its answer breaks " + answer.broken);
    if (!answer.came()) return fail(answer.why);
    return answer.is_result() ? pass()
                              : with_evidence(fail("the answer is the error " + answer.error_text()), answer.evidence);
}

Verdict expect_alive(Conversation& talk, std::string_view after) {
    if (talk.settle()) return pass();
    const Answer again = talk.answer_promptly(talk.send(talk.request(talk.harmless())));
    return again.came() ? pass() : fail("after " + std::string(after) + " the server does not answer: " + again.why);
}

Verdict first_bad(std::initializer_list<Verdict> verdicts) {
    for (const Verdict& verdict : verdicts)
        if (verdict.kind != Verdict::Kind::pass) return verdict;
    return pass();
}

}  // namespace tenon::check
