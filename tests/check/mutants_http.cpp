// Mutants of the HTTP rules, and the table of all mutants.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <mutex>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25";

bool says(const Web& web, std::string_view text) { return web.body.find(text) != web.body.npos; }
bool is_notification(const Web& web) { return says(web, "\"notifications/"); }
bool is_response(const Web& web) { return says(web, "\"result\":{}") && !says(web, "\"method\""); }

WebChange answer_when(bool (*which)(const Web&), std::function<void(Web&)> edit) {
    return [which, edit = std::move(edit)](Web& web, Memory&) {
        if (which(web)) edit(web);
    };
}
std::function<void(Web&)> with_status(int status) {
    return [status](Web& web) { web.status = status; };
}
// Accepts a request with a wrong header by correcting it first.
WebChange takes_header(std::string_view name, std::string_view wrong, std::string right) {
    return [=](Web& web, Memory&) {
        if (web.method == "POST" && web.field(name) == wrong) web.set(name, right);
    };
}
object body_of(const Web& web) {
    const auto message = json::parse(web.body);
    return message && message->is_object() ? message->get_object() : object();
}
std::string text_in(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v && v->is_string() ? std::string(v->get_string()) : "";
}
std::string method_of(const Web& web) { return text_in(body_of(web), "method"); }

WebChange session_becomes(std::string (*change)(const std::string&)) {
    return [change](Web& web, Memory&) {
        const auto it = web.answer_fields.find("mcp-session-id");
        if (it != web.answer_fields.end()) it->second = change(it->second);
    };
}

// Maps the mutant's session ids to those of the correct server.
struct Names {
    std::map<std::string, std::string> real;
    std::size_t next = 1;
};
Names& session_names() {
    static Names names;
    return names;
}
Mutant renamed_sessions(std::string_view rule, std::string (*name)(std::size_t)) {
    Mutant out{.rule = rule};
    out.request = [](Web& web, Memory&) {
        const auto it = session_names().real.find(web.field("mcp-session-id"));
        if (it != session_names().real.end()) web.set("mcp-session-id", it->second);
    };
    out.answer = [name](Web& web, Memory&) {
        const auto it = web.answer_fields.find("mcp-session-id");
        if (it == web.answer_fields.end() || method_of(web) != "initialize") return;
        const std::string given = name(session_names().next++);
        session_names().real[given] = it->second;
        it->second = given;
    };
    return out;
}

std::string as_stream(const std::string& body, std::string_view more = {}) {
    return "data: " + body + "\n\n" + std::string(more);
}
void make_stream(Web& web, std::string_view id, std::string_view more = {}) {
    web.answer_fields["content-type"] = "text/event-stream";
    web.answer = (id.empty() ? "" : "id: " + std::string(id) + "\n") + as_stream(web.answer, more);
}
bool is_ping(const Web& web) { return method_of(web) == "ping" && web.status == 200; }

// Pings are answered with streams. A GET with Last-Event-ID repeats all events from `first(last)` on, of every stream.
Mutant replaying(std::string_view rule, std::size_t (*first)(std::size_t), std::size_t (*last)(std::size_t)) {
    Mutant out{.rule = rule};
    out.request = [](Web& web, Memory&) {  // the correct server does not know these ids
        web.set("x-last", web.field("last-event-id"));
        web.remove("last-event-id");
    };
    out.answer = [=](Web& web, Memory&) {
        static std::mutex mutex;
        static std::vector<std::pair<std::string, std::string>> events;  // session and message, by id
        const std::lock_guard lock(mutex);
        const std::string session = web.field("mcp-session-id");
        if (is_ping(web)) {
            events.emplace_back(session, web.answer);
            return make_stream(web, std::to_string(events.size()));
        }
        if (web.method != "GET" || web.status != 200 || web.field("x-last").empty()) return;
        const std::size_t given = std::stoul(web.field("x-last"));
        for (std::size_t id = first(given); id <= std::min(last(given), events.size()); ++id)
            if (events[id - 1].first == session)
                web.answer += "id: " + std::to_string(id) + "\n" + as_stream(events[id - 1].second);
    };
    return out;
}

std::vector<Mutant> message_mutants() {
    return {
        {.rule = "HTTP-2.accepted", .answer = answer_when(is_notification, with_status(200))},
        {.rule = "HTTP-2.no-body",
         .answer = answer_when(is_notification,
                               [](Web& web) {
                                   web.answer = "thanks";
                                   web.answer_fields["content-type"] = "text/plain";
                               })},
        {.rule = "HTTP-2.response", .answer = answer_when(is_response, with_status(200))},
        {.rule = "HTTP-3.content-type",
         .answer = answer_when([](const Web& web) { return method_of(web) == "prompts/list"; },
                               [](Web& web) { web.answer_fields["content-type"] = "text/plain"; })},
        {.rule = "HTTP-3.method",
         .answer = answer_when([](const Web& web) { return web.method == "PUT"; },
                               [](Web& web) {
                                   web.status = 200;
                                   web.answer.clear();
                               })},
        {.rule = "HTTP-4.bad-version",
         .request = takes_header("mcp-protocol-version", "tenon-check", std::string(latest))},
        {.rule = "HTTP-4.version-mismatch",
         .revision = modern,
         .request = takes_header("mcp-protocol-version", latest, std::string(modern))},
        {.rule = "HTTP-4.method-mismatch",
         .revision = modern,
         .request =
             [](Web& web, Memory&) {
                 if (web.field("mcp-method") == "tools/list" && method_of(web) == "server/discover")
                     web.set("mcp-method", "server/discover");
             }},
        {.rule = "HTTP-4.method-missing",
         .revision = modern,
         .request =
             [](Web& web, Memory&) {
                 if (web.method == "POST" && web.field("mcp-method").empty()) web.set("mcp-method", method_of(web));
             }},
        {.rule = "HTTP-4.name-mismatch",
         .revision = modern,
         .request = takes_header("mcp-name", "tenon-check-other", "tenon-check-no-such-tool")},
        {.rule = "HTTP-4.mismatch-status",
         .revision = modern,
         .answer = answer_when([](const Web& web) { return web.answer.find("-32020") != web.answer.npos; },
                               with_status(200))},
        {.rule = "HTTP-4.unsupported-status",
         .revision = modern,
         .answer = answer_when([](const Web& web) { return web.answer.find("-32022") != web.answer.npos; },
                               with_status(200))},
        {.rule = "HTTP-4.unknown-method-status",
         .revision = modern,
         .answer = answer_when([](const Web& web) { return web.answer.find("-32601") != web.answer.npos; },
                               with_status(200))},
        {.rule = "HTTP-5.after-response",
         .answer = answer_when(
             is_ping,
             [](Web& web) {
                 make_stream(web, "",
                             "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n");
             })},
        {.rule = "HTTP-6.unique-event-ids", .answer = answer_when(is_ping, [](Web& web) { make_stream(web, "1"); })},
        replaying(
            "HTTP-6.one-stream", [](std::size_t id) { return id + 1; },
            [](std::size_t) { return std::numeric_limits<std::size_t>::max(); }),
        {.rule = "HTTP-7.get",
         .answer = answer_when([](const Web& web) { return web.method == "GET"; }, with_status(404))},
        {.rule = "HTTP-7.no-get",
         .revision = modern,
         .answer = answer_when([](const Web& web) { return web.method == "GET"; }, with_status(200))},
        {.rule = "HTTP-7.no-response",
         .answer =
             answer_when([](const Web& web) { return web.method == "GET" && web.status == 200; },
                         [](Web& web) { web.answer = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"; })},
    };
}

std::vector<Mutant> session_mutants() {
    const auto status_of = [](std::string_view rule, bool (*which)(const Web&), int status) {
        return Mutant{.rule = rule, .answer = answer_when(which, with_status(status))};
    };
    const auto is_lost = [](const Web& web) { return web.method == "POST" && web.status == 404; };
    std::vector<Mutant> out = {
        {.rule = "HTTP-9.visible-ascii", .answer = session_becomes([](const std::string& id) { return id + " x"; })},
        status_of(
            "HTTP-9.missing",
            [](const Web& web) {
                return web.method == "POST" && web.status == 400 && web.field("mcp-session-id").empty();
            },
            404),
        status_of("HTTP-9.unknown", is_lost, 400),
        status_of(
            "HTTP-9.delete", [](const Web& web) { return web.method == "DELETE"; }, 500),
        {.rule = "HTTP-9.no-session",
         .revision = modern,
         .answer = [](Web& web, Memory&) { web.answer_fields["mcp-session-id"] = "1"; }},
        renamed_sessions("HTTP-9.entropy", [](std::size_t n) { return "session-" + std::to_string(n); }),
    };
    out.front().request = [](Web& web, Memory&) {
        std::string id = web.field("mcp-session-id");
        if (id.ends_with(" x")) web.set("mcp-session-id", id.substr(0, id.size() - 2));
    };
    return out;
}

std::vector<Mutant> attack_mutants() {
    return {
        {.rule = "HTTP-9.ended",
         .request =
             [](Web& web, Memory&) {
                 if (web.method != "DELETE") return;
                 web.status = 204;  // the session is not ended
             }},
        {.rule = "HTTP-9.others-stream",
         .answer = answer_when(
             [](const Web& web) { return web.method == "GET" && web.status == 200; },
             [](Web& web) {
                 web.answer = "data: {\"jsonrpc\":\"2.0\",\"id\":\"tenon-check-of-another\",\"result\":{}}\n\n";
             })},
        {.rule = "HTTP-11.origin", .request = [](Web& web, Memory&) { web.remove("origin"); }},
        {.rule = "HTTP-11.host", .request = [](Web& web, Memory&) { web.set("host", "127.0.0.1"); }},
        {.rule = "SEC-3.two-lengths",
         .answer =
             [](Web& web, Memory&) {
                 if (web.method.empty() && web.status == 400) web.status = 200;
             }},
        {.rule = "SEC-4.long-header",
         .answer =
             [](Web& web, Memory&) {
                 if (web.method.empty() && web.status == 431) web.status = 200;
             }},
    };
}

}  // namespace

std::string Web::field(std::string_view name) const {
    for (const auto& [key, value] : fields)
        if (key == name) return value;
    return {};
}
void Web::set(std::string_view name, std::string value) {
    remove(name);
    fields.emplace_back(name, std::move(value));
}
void Web::remove(std::string_view name) {
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
}

Mutant repeats_its_stream() {
    const auto same = [](std::size_t id) { return id; };
    return replaying("odd.repeats-its-stream", same, same);
}

std::vector<Mutant> http_mutants() {
    std::vector<Mutant> out = message_mutants();
    for (auto group : {session_mutants(), attack_mutants()})
        for (Mutant& mutant : group) out.push_back(std::move(mutant));
    return out;
}

std::vector<Mutant> all_mutants() {
    std::vector<Mutant> out = rpc_mutants();
    for (auto group : {lifecycle_mutants(), feature_mutants(), definition_and_change_mutants(), http_mutants()})
        for (Mutant& mutant : group) out.push_back(std::move(mutant));
    return out;
}

bool Mutant::security() const {
    return rule.starts_with("SEC-") || rule.starts_with("HTTP-11") || rule == "HTTP-9.ended" ||
           rule == "HTTP-9.entropy" || rule == "HTTP-9.others-stream";
}

Mutant control(std::string_view revision, bool http) { return {.rule = "none", .revision = revision, .http = http}; }

const std::map<std::string_view, std::string_view>& without_mutant() {
    static const std::map<std::string_view, std::string_view> reasons = {
        {"HTTP-5.ends", "a stream that stays open can only be waited for: it is seen by time alone"},
        {"HTTP-9.unique", "two sessions with one id are one session to the server behind the mutant"},
    };
    return reasons;
}

}  // namespace tenon::check::mutant
