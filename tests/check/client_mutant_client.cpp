#include "client_mutant_client.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace tenon::mutant {
namespace {

constexpr std::string_view modern_revision = "2026-07-28", newest_legacy = "2025-11-25";

std::string text_of(const json::object& o, std::string_view name) {
    const json::value* member = o.if_contains(name);
    return member && member->is_string() ? std::string(member->get_string()) : std::string();
}

const json::object& object_of(const json::object& o, std::string_view name) {
    static const json::object none;
    const json::value* member = o.if_contains(name);
    return member && member->is_object() ? member->get_object() : none;
}

bool is_known(const std::string& revision) {
    return revision == newest_legacy || revision == "2025-06-18" || revision == "2025-03-26";
}

json::object capabilities() {
    return {{"roots", json::object()},
            {"sampling", json::object{{"tools", json::object()}}},
            {"elicitation", json::object()}};
}

bool is_header_mismatch(const json::object& answer) {
    const json::value* code = object_of(answer, "error").if_contains("code");
    return code && *code == json::value(-32020);
}

json::object identity() { return {{"name", "mutant"}, {"version", "1.0"}}; }

}  // namespace

Client::Client(Wire& wire, Bend bend) : wire_(wire), bend_(std::move(bend)) {
    wire_.resumes = !bend_.no_resume;
    wire_.waits_for_retry = !bend_.hurries;
}

json::object Client::introduction() {
    return {{"protocolVersion", newest_legacy}, {"capabilities", capabilities()}, {"clientInfo", identity()}};
}

void Client::run() {
    modern_ = find_era();
    if (modern_ || shake_hands()) work();
    end();
}

bool Client::find_era() {
    modern_ = true;
    const auto answer = ask("server/discover", {});
    modern_ = false;
    if (!answer || !answer->contains("result")) return false;
    server_ = object_of(object_of(*answer, "result"), "capabilities");
    return true;
}

bool Client::shake_hands() {
    if (bend_.before_initialize) bend_.before_initialize(*this);
    const std::int64_t id = send_request("initialize", introduction());
    const std::int64_t early = bend_.does_not_wait ? send_request("tools/list", {}) : 0;
    const auto answer = wait_for(id);
    if (!answer || !answer->contains("result")) return false;
    const json::object& result = object_of(*answer, "result");
    revision_ = text_of(result, "protocolVersion");
    if (!is_known(revision_) && !bend_.speaks_anything) return false;
    agreed_ = true;
    server_ = object_of(result, "capabilities");
    session_ = wire_.session();
    if (bend_.old_header) revision_ = newest_legacy;
    wire_.resume_fields = fields("GET", {});
    if (early != 0) wait_for(early);
    if (bend_.late_initialized) ask("tools/list", {});
    if (!bend_.no_initialized) send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}, false);
    if (bend_.after_initialized) bend_.after_initialized(*this);
    if (wire_.is_http() && std::exchange(wants_stream_, false)) wire_.listen(fields("GET", {}));
    return !(bend_.dies_of_405 && wire_.refused_get());
}

void Client::work() {
    if (modern_ && bend_.in_modern) bend_.in_modern(*this);
    const auto first =
        ask("tools/list", modern_ ? json::object() : json::object{{"_meta", json::object{{"progressToken", 1}}}});
    if (!first) return;
    const std::string next = text_of(object_of(*first, "result"), "nextCursor");
    if (bend_.same_ids) --next_id_;
    if (!next.empty() && !ask("tools/list", {{"cursor", next}})) return;
    if ((server_.contains("prompts") || bend_.ignores_capabilities) && !ask("prompts/list", {})) return;
    call_tool();
}

void Client::call_tool() {
    json::object params{{"name", "greet"}, {"arguments", json::object{{"whom", "Ada"}}}};
    const bool as_task = server_.contains("tasks") ? !bend_.never_tasks : bend_.always_tasks;
    if (as_task && !modern_) params["task"] = json::object{{"ttl", 60000}};
    auto answer = ask("tools/call", params);
    if (answer && is_header_mismatch(*answer) && !bend_.keeps_headers && learn_header())
        answer = ask("tools/call", params);
    const json::object& result = answer ? object_of(*answer, "result") : json::object();
    if (result.contains("task")) ask("tasks/result", {{"taskId", text_of(object_of(result, "task"), "taskId")}});
    if (!answer || text_of(result, "resultType") != "input_required") return;
    asked_id = next_id_ - 1;
    json::object again = params;
    if (result.contains("requestState")) again["requestState"] = result.at("requestState");
    json::object answers;
    for (const auto& question : object_of(result, "inputRequests"))
        answers[question.key()] = object_of(answer_to(text_of(question.value().get_object(), "method")), "result");
    if (!answers.empty()) again["inputResponses"] = answers;
    ask("tools/call", again);
}

// Lists the tools again, to learn which header repeats the argument.
bool Client::learn_header() {
    const auto list = ask("tools/list", {});
    const json::object& result = list ? object_of(*list, "result") : json::object();
    if (!result.contains("tools")) return false;
    const json::object& tool = result.at("tools").get_array().at(0).get_object();
    const json::object& whom = object_of(object_of(object_of(tool, "inputSchema"), "properties"), "whom");
    header_ = "Mcp-Param-" + text_of(whom, "x-mcp-header");
    return true;
}

void Client::end() {
    if (wire_.is_http() && agreed_ && !session_.empty() && !bend_.no_delete) wire_.end_session(fields("DELETE", {}));
    if (bend_.kills) return wire_.kill();
    if (bend_.at_the_end) bend_.at_the_end(*this);
    wire_.close();
}

json::object Client::meta() const {
    return {{"io.modelcontextprotocol/protocolVersion", modern_revision},
            {"io.modelcontextprotocol/clientCapabilities", capabilities()},
            {"io.modelcontextprotocol/clientInfo", identity()}};
}

std::int64_t Client::send_request(const std::string& method, json::object params) {
    if (modern_) params["_meta"] = meta();
    const std::int64_t id = next_id_++;
    json::object message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
    if (bend_.message) bend_.message(message, modern_);
    waiting_.push_back(message.at("id"));
    send_text(json::write(message), true);
    return id;
}

std::optional<json::object> Client::ask(const std::string& method, json::object params) {
    send_request(method, params);
    auto answer = wait_for(waiting_.back());
    if (answer || !wire_.lost_session()) return answer;
    return begin_again(method, params);
}

std::optional<json::object> Client::begin_again(const std::string& method, const json::object& params) {
    if (bend_.dies_of_404) return std::nullopt;
    agreed_ = false;
    session_.clear();
    if (!shake_hands()) return std::nullopt;
    return ask(method, params);
}

std::optional<json::object> Client::wait_for(const json::value& id) {
    while (auto text = wire_.receive()) {
        if (bend_.dies_of_streams && wire_.saw_stream()) return std::nullopt;
        if (bend_.dies_of_spelling && !text->starts_with('{')) return std::nullopt;
        const auto parsed = json::parse(*text);
        if (!parsed || !parsed->is_object()) std::exit(3);
        const json::object& message = parsed->get_object();
        const std::string method = text_of(message, "method");
        if (!method.empty() && message.contains("id")) {
            take_question(message);
        } else if (!method.empty()) {
            if (method.find("unknown") != std::string::npos) {
                take_notification(method);
                if (bend_.dies_of_notifications) return std::nullopt;
            }
        } else if (message.contains("id") && message.at("id") == id) {
            return message;
        } else if (bend_.dies_of_strays && std::ranges::find(waiting_, message.at("id")) == waiting_.end()) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

void Client::take_notification(const std::string&) {
    if (bend_.answers_notifications)
        send({{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", json::object{{"code", -32601}, {"message", "what?"}}}},
             false);
}

json::object Client::answer_to(const std::string& method) const {
    json::object result;
    if (method == "roots/list") result["roots"] = json::array{json::object{{"uri", "file:///home"}}};
    if (method == "sampling/createMessage")
        result = {
            {"role", "assistant"}, {"content", json::object{{"type", "text"}, {"text", "hello"}}}, {"model", "little"}};
    if (method == "elicitation/create") result = {{"action", "accept"}, {"content", json::object{{"name", "Ada"}}}};
    json::object out{{"jsonrpc", "2.0"}};
    if (method == "ping" || !result.empty())
        out["result"] = result;
    else
        out["error"] = json::object{{"code", -32601}, {"message", "no such method"}};
    return out;
}

void Client::take_question(const json::object& question) {
    const std::string method = text_of(question, "method");
    json::object answer = answer_to(method);
    const json::value& id = question.at("id");
    const bool must_refuse = id == json::value("undeclared mode") || id == json::value("unbalanced turns");
    if (must_refuse) {
        answer.erase("result");
        answer["error"] = json::object{{"code", -32602}, {"message", "I cannot do that"}};
    }
    answer["id"] = id;
    if (bend_.answer) bend_.answer(answer, must_refuse ? "" : method);
    send(answer, false);
    if (bend_.twice && method == "ping") send(answer, false);
}

void Client::send(json::object message, bool answered) {
    if (bend_.message) bend_.message(message, modern_);
    send_text(json::write(message), answered);
}

void Client::send_text(std::string text, bool answered) {
    const auto parsed = json::parse(text);
    const Fields head = fields("POST", parsed && parsed->is_object() ? parsed->get_object() : json::object());
    if (bend_.text) bend_.text(text, modern_);
    wire_.send(text, answered, head);
}

Fields Client::fields(const std::string& http_method, const json::object& message) {
    Fields out{{"Accept", http_method == "GET" ? "text/event-stream" : "application/json, text/event-stream"}};
    const std::string method = text_of(message, "method");
    if (http_method == "POST") out.emplace_back("Content-Type", "application/json");
    if (modern_) {
        out.emplace_back("MCP-Protocol-Version", modern_revision);
        out.emplace_back("Mcp-Method", method);
        if (method == "tools/call") {
            out.emplace_back("Mcp-Name", "greet");
            out.emplace_back(header_, "Ada");
        }
    } else if (agreed_) {
        out.emplace_back("MCP-Protocol-Version", revision_);
        if (!session_.empty()) out.emplace_back("Mcp-Session-Id", session_);
    }
    if (bend_.head) bend_.head(out, method.empty() ? http_method : http_method + " " + method, modern_);
    return out;
}

}  // namespace tenon::mutant
