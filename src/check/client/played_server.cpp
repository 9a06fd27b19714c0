#include "check/client/played_server.hpp"

#include <algorithm>

#include "check/client/dialogue.hpp"
#include "check/wire/reading.hpp"
#include "jsonrpc/id.hpp"
#include "protocol/meta_keys.hpp"
#include "protocol/versions.hpp"

namespace tenon::check::client {
namespace {

// The delay before the response to `initialize`. It shows whether a client waits for the response.
constexpr Duration pause_before_introduction = std::chrono::milliseconds(100);

bool says_its_revision(const json::object& params) {
    return object_member(params, "_meta").contains(protocol::meta_key::version);
}

json::object message(json::object members) {
    members.emplace("jsonrpc", "2.0");
    return members;
}

std::string_view newest_legacy() { return protocol::Rules(protocol::legacy_revisions().front()).name(); }

bool is_legacy(std::string_view name) {
    const auto revision = protocol::revision(name);
    return revision && protocol::Rules(*revision).is_legacy();
}

bool may_need_input(std::string_view method) {
    return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

json::object sampling_question() {
    return {{"messages", json::array{json::object{
                             {"role", "user"}, {"content", json::object{{"type", "text"}, {"text", "Say hello."}}}}}},
            {"maxTokens", 10}};
}

json::object unbalanced_question() {
    const json::object use{{"type", "tool_use"}, {"id", "a"}, {"name", "add"}, {"input", json::object()}};
    const json::object text{{"type", "text"}, {"text", "Go on."}};
    return {{"messages", json::array{json::object{{"role", "assistant"}, {"content", json::array{use}}},
                                     json::object{{"role", "user"}, {"content", text}}}},
            {"maxTokens", 10}};
}

json::object url_question() {
    return {{"mode", "url"},
            {"message", "Please sign in."},
            {"url", "https://example.com/tenon-check"},
            {"elicitationId", "tenon-check-1"}};
}

json::object elicitation_question() {
    json::object name{{"type", "string"}, {"title", "Your name"}, {"default", "Ada"}};
    return {{"message", "What is your name?"},
            {"requestedSchema", json::object{{"type", "object"},
                                             {"properties", json::object{{"name", std::move(name)}}},
                                             {"required", json::array{"name"}}}}};
}

}  // namespace

std::string answered_revision(Scene scene, std::string_view asked) {
    const auto known = protocol::legacy_revisions();
    if (scene == Scene::no_common_version) return "1999-12-31";
    if (scene == Scene::newest_version) return std::string(newest_legacy());
    if (scene == Scene::other_version)
        return std::string(protocol::Rules(asked == newest_legacy() ? known[1] : known[0]).name());
    return std::string(is_legacy(asked) ? asked : newest_legacy());
}

std::vector<Say> PlayedServer::take(std::size_t number, std::string_view text, TimePoint now) {
    now_ = now;
    const Reading read = read_patiently(text);
    if (read.value) {
        release(true);  // the client did not wait, or need not wait
        const json::array* batch = read.value->if_array();
        if (const json::object* one = read.value->if_object()) take_message(number, *one);
        if (batch)
            for (const json::value& item : *batch)
                if (const json::object* one = item.if_object()) take_message(number, *one);
    }
    return spelled();
}

std::vector<Say> PlayedServer::tick(TimePoint now) {
    now_ = now;
    for (auto held = held_.begin(); held != held_.end();) {
        if (held->until > now) {
            ++held;
            continue;
        }
        says_.push_back(std::move(held->say));
        held = held_.erase(held);
    }
    return spelled();
}

std::vector<Say> PlayedServer::spelled() {
    if (scene_ == Scene::odd_spelling)
        for (Say& say : says_) say.text = oddly_spelled(say.text);
    return std::exchange(says_, {});
}

std::optional<TimePoint> PlayedServer::deadline() const {
    std::optional<TimePoint> out;
    for (const Held& held : held_) out = out ? std::min(*out, held.until) : held.until;
    return out;
}

void PlayedServer::release(bool introduction_only) {
    for (auto held = held_.begin(); held != held_.end();) {
        if (held->is_introduction != introduction_only) {
            ++held;
            continue;
        }
        says_.push_back(std::move(held->say));
        held = held_.erase(held);
    }
}

void PlayedServer::take_message(std::size_t number, const json::object& m) {
    const std::string method = string_member(m, "method");
    if (method.empty()) return take_response(m);
    if (m.contains("id") && !method.starts_with("notifications/")) take_request(number, m, method);
}

// A response with an unknown id is most likely the answer to the first open question.
void PlayedServer::take_response(const json::object& response) {
    const json::value* id = response.if_contains("id");
    const auto asked = id ? std::ranges::find(waiting_, *id) : waiting_.end();
    if (!waiting_.empty()) waiting_.erase(asked == waiting_.end() ? waiting_.begin() : asked);
    if (waiting_.empty()) release(false);
}

void PlayedServer::take_request(std::size_t number, const json::object& request, std::string_view method) {
    const json::value& id = request.at("id");
    const json::object& params = object_member(request, "params");
    const bool modern = says_its_revision(params);
    if (is_modern(scene_)) {
        if (modern || method == "server/discover") return serve_modern(number, id, method, params);
        const json::array supported = {protocol::Rules(protocol::modern_revision()).name()};
        return refuse(number, id, code::unsupported_version, "this server supports 2026-07-28",
                      json::object{{"supported", supported}, {"requested", nullptr}});
    }
    if (modern) return refuse(number, id, code::invalid_request, "not initialized");
    if (method == "initialize") return introduce(number, id, params);
    serve(number, id, method, params);
}

void PlayedServer::introduce(std::size_t number, const json::value& id, const json::object& params) {
    capabilities_ = object_member(params, "capabilities");
    introduced_ = true;
    revision_ = answered_revision(scene_, string_member(params, "protocolVersion"));
    answer(number, id,
           {{"protocolVersion", revision_}, {"capabilities", capabilities_of(scene_)}, {"serverInfo", server_info()}});
    if (scene_ != Scene::plain && scene_ != Scene::no_common_version) return;
    held_.push_back({std::move(says_.back()), now_ + pause_before_introduction, true});
    says_.pop_back();
}

void PlayedServer::serve(std::size_t number, const json::value& id, std::string_view method,
                         const json::object& params) {
    if (method != "ping") disturb(number);
    if (serve_task(number, id, method, params)) return;
    auto result = result_of(method, params, false);
    if (result && method == "tools/list") change_tools(scene_, false, *result);
    if (!result) return refuse(number, id, code::method_not_found, "there is no such method");
    answer(number, id, *std::move(result));
    if (method == "ping" || scene_ != Scene::questions || std::exchange(asked_, true)) return;
    Say last = std::move(says_.back());
    says_.pop_back();
    ask(number);
    held_.push_back({std::move(last), later(now_, patience_)});
}

void PlayedServer::serve_modern(std::size_t number, const json::value& id, std::string_view method,
                                const json::object& params) {
    introduced_ = true;
    capabilities_ = object_member(object_member(params, "_meta"), protocol::meta_key::client_capabilities);
    if (method == "server/discover")
        return answer(number, id,
                      {{"resultType", "complete"},
                       {"supportedVersions", json::array{protocol::Rules(protocol::modern_revision()).name()}},
                       {"capabilities", capabilities_of(scene_)},
                       {"ttlMs", 0},
                       {"cacheScope", "private"},
                       {"_meta", json::object{{protocol::meta_key::server_info, server_info()}}}});
    if (ask_first(number, method, params, id) || refuse_headers(number, id, method, params)) return;
    auto result = result_of(method, params, true);
    if (result && method == "tools/list") change_tools(scene_, refused_headers_, *result);
    if (!result) return refuse(number, id, code::method_not_found, "there is no such method");
    answer(number, id, *std::move(result));
}

bool PlayedServer::ask_first(std::size_t number, std::string_view method, const json::object& params,
                             const json::value& id) {
    if (scene_ != Scene::modern_questions || !may_need_input(method)) return false;
    if (params.contains("requestState") || params.contains("inputResponses") || std::exchange(asked_, true))
        return false;
    json::object questions;
    const auto add = [&questions](std::string_view key, std::string_view asked, json::object with) {
        questions.emplace(key, json::object{{"method", asked}, {"params", std::move(with)}});
    };
    if (capabilities_.contains("roots")) add("roots", "roots/list", {});
    if (capabilities_.contains("sampling")) add("model", "sampling/createMessage", sampling_question());
    if (capabilities_.contains("elicitation")) add("user \xC3\xBC", "elicitation/create", elicitation_question());
    json::object result{{"resultType", "input_required"}, {"requestState", request_state}};
    if (!questions.empty()) result.emplace("inputRequests", std::move(questions));
    answer(number, id, std::move(result));
    return true;
}

bool PlayedServer::serve_task(std::size_t number, const json::value& id, std::string_view method,
                              const json::object& params) {
    if (scene_ != Scene::tasks) return false;
    const bool calls = method == "tools/call" && string_member(params, "name") == "greet";
    if (calls && !params.contains("task")) {
        refuse(number, id, code::method_not_found, "this tool must be called as a task");
        return true;
    }
    auto result = task_result_of(method, params);
    if (result) answer(number, id, *std::move(result));
    return result.has_value();
}

// Refuses the first call with an argument that a header repeats: from then on, the schema names another header.
bool PlayedServer::refuse_headers(std::size_t number, const json::value& id, std::string_view method,
                                  const json::object& params) {
    const json::value* whom = object_member(params, "arguments").if_contains("whom");
    const bool repeats = method == "tools/call" && string_member(params, "name") == "greet" && whom && !whom->is_null();
    if (scene_ != Scene::changed_headers || !repeats || std::exchange(refused_headers_, true)) return false;
    refuse(number, id, code::header_mismatch, "the header " + std::string(changed_header) + " is missing");
    return true;
}

// Runs once, before the first ordinary response, when the client is certainly listening.
void PlayedServer::disturb(std::size_t number) {
    if (std::exchange(disturbed_, true)) return;
    if (scene_ == Scene::stray_response) {
        say(number, json::write(message({{"id", "nobody-asked"}, {"result", json::object()}})));
        say(number, json::write(message({{"id", 987654321}, {"result", json::object()}})));
    }
    if (scene_ != Scene::unknown_notification) return;
    say(number, json::write(message({{"method", "notifications/tenon/unknown"}, {"params", json::object{{"a", 1}}}})));
    say(number, json::write(message(
                    {{"method", "notifications/cancelled"}, {"params", json::object{{"requestId", "nobody-asked"}}}})));
    say(number, json::write(message({{"method", "notifications/tools/list_changed"}})));
    say(number, json::write(message({{"method", "notifications/elicitation/complete"},
                                     {"params", json::object{{"elicitationId", "nobody-asked"}}}})));
}

// Asks questions with different kinds of ids.
void PlayedServer::ask(std::size_t number) {
    question(number, "ping \"\xC3\xBC\" 1", "ping", {});
    question(number, 0, "tenon/unknown", {});
    if (capabilities_.contains("roots")) question(number, std::int64_t{9007199254740991}, "roots/list", {});
    if (capabilities_.contains("sampling")) question(number, "s", "sampling/createMessage", sampling_question());
    if (capabilities_.contains("elicitation")) question(number, 7, "elicitation/create", elicitation_question());
    ask_what_must_be_refused(number);
}

void PlayedServer::ask_what_must_be_refused(std::size_t number) {
    const auto revision = protocol::revision(revision_);
    const auto has = [&](protocol::Trait trait) { return revision && protocol::Rules(*revision).has(trait); };
    if (has(protocol::Trait::url_elicitation) && capabilities_.contains("elicitation") &&
        !object_member(capabilities_, "elicitation").contains("url"))
        question(number, json::value(undeclared_mode), "elicitation/create", url_question());
    if (has(protocol::Trait::sampling_tools) && object_member(capabilities_, "sampling").contains("tools"))
        question(number, json::value(unbalanced_turns), "sampling/createMessage", unbalanced_question());
}

void PlayedServer::question(std::size_t number, json::value id, std::string_view method, json::object params) {
    waiting_.push_back(id);
    json::object out = message({{"id", std::move(id)}, {"method", method}});
    if (!params.empty()) out.emplace("params", std::move(params));
    say(number, json::write(out));
}

void PlayedServer::answer(std::size_t number, const json::value& id, json::object result) {
    says_.push_back({json::write(message({{"id", id}, {"result", std::move(result)}})), number, true});
}

void PlayedServer::refuse(std::size_t number, const json::value& id, int code, std::string_view why, json::value data) {
    json::object error{{"code", code}, {"message", why}};
    if (!data.is_null()) error.emplace("data", std::move(data));
    says_.push_back({json::write(message({{"id", id}, {"error", std::move(error)}})), number, true});
}

}  // namespace tenon::check::client
