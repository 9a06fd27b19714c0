// Servers that are unusual but correct. Each stands for real servers on which the checker once reported a false
// defect.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25", oldest = "2024-11-05";

Change both(Change one, Change other) {
    return [one = std::move(one), other = std::move(other)](Passing& p, Memory& memory) {
        one(p, memory);
        if (!p.line.empty()) other(p, memory);
    };
}

// ---- ids that could not be read

bool is_error_without_id(const Passing& p) {
    const value* id = p.message.if_contains("id");
    return p.message.contains("error") && (!id || id->is_null());
}
void null_id(Passing& p, Memory&) {
    if (!is_error_without_id(p)) return;
    p.message["id"] = nullptr;
    p.write();
}
void no_id(Passing& p, Memory&) {
    if (!is_error_without_id(p)) return;
    p.message.erase("id");
    p.write();
}
void refuses_blank_lines(Passing& p, Memory&) {
    if (p.line.find_first_not_of(" \t\r") != p.line.npos) return;
    p.before.push_back(error_line(nullptr, -32700));
    p.line.clear();
}
void refuses_responses(Passing& p, Memory&) {
    if (!p.method.empty() || !p.is_answer()) return;
    p.before.push_back(error_line(nullptr, -32600, "not a request"));
    p.line.clear();
}
// Does not use the id of an invalid request, although it could be read.
void null_for_invalid(Passing& p, Memory&) {
    const value* version = p.message.if_contains("jsonrpc");
    if (p.message.empty() || (version && *version == value("2.0"))) return;
    p.before.push_back(error_line(nullptr, -32600, "jsonrpc must be 2.0"));
    p.line.clear();
}
void array_for_array(Passing& p, Memory&) {
    const auto list = json::parse(p.line);
    if (!list || !list->is_array() || list->get_array().empty()) return;
    array out;
    for (std::size_t i = 0; i < list->get_array().size(); ++i)
        out.push_back(*json::parse(error_line(nullptr, -32600, "no batches")));
    p.before.push_back(json::write(out));
    p.line.clear();
}

std::vector<Mutant> odd_ids() {
    return {
        {"odd.null-id", latest, {}, null_id},
        {"odd.null-id-of-2024", oldest, {}, null_id},
        {"odd.null-id-of-2025-06", "2025-06-18", {}, null_id},
        {"odd.null-id-of-2026", modern, {}, null_id},
        {"odd.no-id", latest, {}, no_id},
        {"odd.no-id-of-2024", oldest, {}, no_id},
        {"odd.refuses-blank-lines", latest, refuses_blank_lines},
        {"odd.refuses-responses", latest, refuses_responses},
        {"odd.null-for-invalid", latest, null_for_invalid},
        {"odd.array-for-array", latest, array_for_array},
    };
}

// ---- processes

// Each test gives its own file, so that tests may run at the same time.
std::string own_file() {
    const char* path = std::getenv("TENON_ODD_FILE");
    return path ? path : "/dev/null";
}
int locked() {
    const int file = ::open(own_file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return ::flock(file, LOCK_EX | LOCK_NB);
}
// Like a server that listens on a fixed port, which only one copy can have.
void hangs_if_not_alone() {
    if (locked() != 0)
        for (;;) ::pause();
}
void exits_if_not_alone() {
    if (locked() == 0) return;
    std::fprintf(stderr, "the port is in use\n");
    ::_exit(1);
}
// Ends the copy that ran before, so that the newest copy has the port.
void ends_the_other_copy() {
    pid_t other = 0;
    if (std::ifstream(own_file()) >> other && other > 1 && other != ::getpid()) ::kill(other, SIGKILL);
    std::ofstream(own_file()) << ::getpid();
    ::signal(SIGTERM, SIG_DFL);
}
void leaves_no_pid() { std::ofstream(own_file(), std::ios::trunc).flush(); }

void is_noisy() {
    for (int i = 0; i < 2000; ++i) std::fprintf(stderr, "{\"level\":\"debug\",\"line\":%d}\n", i);
}
void starts_slowly() { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }

void note(std::string_view line) { std::ofstream(own_file(), std::ios::app) << line << "\n"; }
// Answers in its first starts only.
void starts_five_times() {
    note("start");
    std::ifstream file(own_file());
    std::string line;
    int starts = 0;
    while (std::getline(file, line)) ++starts;
    if (starts > 5) ::_exit(1);
}

std::vector<Mutant> odd_processes() {
    return {
        {.rule = "odd.records",
         .in =
             [](Passing& p, Memory&) {
                 if (p.method == "tools/call" || p.method == "prompts/get") note(p.line);
             },
         .at_end = [](Passing&, Memory&) { note("end"); },
         .at_start = [] { note("start"); }},
        {.rule = "odd.hangs-if-not-alone", .at_start = hangs_if_not_alone},
        {.rule = "odd.exits-if-not-alone", .at_start = exits_if_not_alone},
        {.rule = "odd.ends-the-other-copy",
         .at_end = [](Passing&, Memory&) { leaves_no_pid(); },
         .at_start = ends_the_other_copy},
        {.rule = "odd.noisy-stderr", .at_start = is_noisy},
        {.rule = "odd.slow-start", .at_start = starts_slowly},
        {.rule = "odd.slow-exit", .at_end = [](Passing&, Memory&) { starts_slowly(); }},
    };
}

// ---- services that the server needs

Change upstream_fails(std::string_view method, std::string_view text, int code = -32603) {
    return instead(asks(method), [=](const Passing& p) { return error_line(p.message.at("id"), code, text); });
}
Change unknown_resource_is_upstream() {
    return [](Passing& p, Memory& memory) {
        if (names(p, "tenon-check://nowhere/no-such-resource"))
            upstream_fails("resources/read", "getaddrinfo ENOTFOUND api.example.com")(p, memory);
    };
}

std::vector<Mutant> odd_upstreams() {
    return {
        {"odd.upstream-tools", latest, upstream_fails("tools/list", "fetch failed")},
        {"odd.upstream-tools-of-2026", modern, upstream_fails("tools/list", "fetch failed")},
        {"odd.upstream-resources", latest, upstream_fails("resources/list", "connect ECONNREFUSED 127.0.0.1:5432")},
        {"odd.upstream-templates", latest, upstream_fails("resources/templates/list", "fetch failed")},
        {"odd.upstream-read", latest, upstream_fails("resources/read", "fetch failed")},
        {"odd.upstream-prompts", latest, upstream_fails("prompts/list", "401 Unauthorized", -32000)},
        {"odd.upstream-unknown-resource", latest, unknown_resource_is_upstream()},
        {"odd.upstream-completion", latest, upstream_fails("completion/complete", "fetch failed")},
    };
}

// ---- messages

// The members in the reverse order: result, id, jsonrpc.
void reverses_members(Passing& p, Memory&) {
    if (p.message.empty() || !json::parse(p.line)) return;
    std::string out = "{";
    const auto names = {"result", "error", "params", "method", "id", "jsonrpc"};
    for (const char* name : names)
        if (const value* v = p.message.if_contains(name))
            out += (out.size() > 1 ? "," : "") + json::write(value(name)) + ":" + json::write(*v);
    if (p.line.find("9007199254740993") == p.line.npos) p.line = out + "}";
}
void adds_spaces(Passing& p, Memory&) { replaced("{\"jsonrpc\":\"2.0\",", "{ \"jsonrpc\" : \"2.0\" ,\t")(p.line); }
void ends_with_cr(Passing& p, Memory&) { p.line += "\r"; }
Change adds_unknown_members() {
    return [](Passing& p, Memory&) {
        if (!p.is_answer() || p.line.find("900719925474099") != p.line.npos) return;
        if (value* r = p.message.if_contains("result");
            r && r->is_object() && p.method.find("/list") != p.method.npos) {
            r->get_object()["com.example"] = object{{"x", array{1, nullptr}}};
            r->get_object()["_meta"].is_object() ? void() : void(r->get_object()["_meta"] = object{{"a.b/c", 1}});
        }
        p.message["x-trace"] = "abc";
        p.write();
    };
}
Change pings_the_client() {
    return [](Passing& p, Memory& memory) {
        if (!answers(p, "tools/list")) return;
        p.after.push_back(R"({"jsonrpc":"2.0","id":"ping-)" + std::to_string(++memory.count) + R"(","method":"ping"})");
    };
}
Change announces_changes() {
    return [](Passing& p, Memory&) {
        if (answers(p, "ping")) p.after.push_back(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    };
}
Change logs_much() {
    return [](Passing& p, Memory&) {
        if (!p.is_answer() || p.method == "initialize") return;
        p.before.push_back(
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"x","data":{"a":1}}})");
    };
}
Change declares(std::function<void(object&)> edit) {
    return result("initialize", [edit = std::move(edit)](object& r) { edit(r["capabilities"].as_object()); });
}

std::vector<Mutant> odd_messages() {
    return {
        {"odd.member-order", latest, {}, reverses_members},
        {"odd.spaces", latest, {}, adds_spaces},
        {"odd.carriage-returns", latest, {}, ends_with_cr},
        {"odd.unknown-members", latest, {}, adds_unknown_members()},
        {"odd.pings", latest, deaf_to([](const Passing& p) { return p.method.empty() && p.is_answer(); }),
         pings_the_client()},
        {"odd.announces-changes",
         latest,
         {},
         both(declares([](object& c) {
                  c["tools"] = object{{"listChanged", true}};
              }),
              announces_changes())},
        {"odd.logs", latest, {}, logs_much()},
        {"odd.ping-with-meta",
         latest,
         {},
         result("ping",
                [](object& r) {
                    r["_meta"] = object{{"a/b", true}};
                })},
        {"odd.unknown-capabilities", latest, {}, declares([](object& c) {
             c["experimental"] = object{{"com.example/x", object()}}, c["com.example"] = true;
         })},
        {"odd.server-info",
         latest,
         {},
         result("initialize",
                [](object& r) {
                    r["serverInfo"].as_object()["title"] = "Good";
                    r["serverInfo"].as_object()["websiteUrl"] = "https://example.com";
                    r["instructions"] = "";
                })},
    };
}

// ---- features

// Answers a list itself, after the handshake and for valid parameters.
Change lists(std::string_view method, std::function<std::string(const Passing&)> say) {
    return [=](Passing& p, Memory& memory) {
        const value* params = p.message.if_contains("params");
        if (memory.initialized && (!params || params->is_object())) instead(asks(method), say)(p, memory);
    };
}
object tool_named(std::string name) {
    return {{"name", std::move(name)}, {"description", "Does nothing"}, {"inputSchema", {{"type", "object"}}}};
}
Change many_tools() {
    return lists("tools/list", [](const Passing& p) {
        array tools;
        const value* cursor = p.params.if_contains("cursor");
        if (cursor && *cursor != value("x")) return error_line(p.message.at("id"), -32602, "no such cursor");
        for (int i = 0; i < 400; ++i) tools.push_back(tool_named("tool_" + std::to_string(i)));
        return result_line(p, {{"tools", std::move(tools)}});
    });
}
// A list of 150 pages with one tool each.
Change many_pages() {
    return lists("tools/list", [](const Passing& p) {
        const value* cursor = p.params.if_contains("cursor");
        const std::string text = cursor && cursor->is_string() ? std::string(cursor->get_string()) : "0";
        if (text.find_first_not_of("0123456789") != text.npos)
            return error_line(p.message.at("id"), -32602, "no such cursor");
        const int page = std::atoi(text.c_str());
        object out{{"tools", array{tool_named("tool_" + text)}}};
        if (page < 149) out["nextCursor"] = std::to_string(page + 1);
        return result_line(p, std::move(out));
    });
}
// The cursor is always "more": the session knows which page is next.
Change one_cursor() {
    return [](Passing& p, Memory& memory) {
        if (!asks("tools/list")(p)) return;
        const value* cursor = p.params.if_contains("cursor");
        if (cursor && *cursor != value("more")) return instead(asks("tools/list"), refusal(-32602))(p, memory);
        memory.count = cursor ? memory.count + 1 : 0;
        object out{{"tools", array{tool_named("tool_" + std::to_string(memory.count))}}};
        if (memory.count < 3) out["nextCursor"] = "more";
        lists("tools/list", giving(out))(p, memory);
    };
}
Change has_only_tools() {
    Change refuses = instead(
        [](const Passing& p) {
            return p.message.contains("id") && (p.method.starts_with("resources/") || p.method.starts_with("prompts/"));
        },
        refusal(-32601));
    return refuses;
}
Change lists_nothing() {
    return both(both(lists("tools/list", giving({{"tools", array()}})),
                     lists("resources/list", giving({{"resources", array()}}))),
                lists("prompts/list", giving({{"prompts", array()}})));
}
Change ignores_cursors(std::string_view method) {
    return instead([method](const Passing& p) { return asks(method)(p) && p.params.contains("cursor"); },
                   refusal(-32602));
}
Change every_call_fails() {
    return instead(asks("tools/call"), [](const Passing& p) {
        if (names(p, "tenon-check-no-such-tool") || !p.params.contains("name") || !p.params.at("name").is_string())
            return error_line(p.message.at("id"), -32602, "Unknown tool");
        return result_line(p,
                           {{"content", array{object{{"type", "text"}, {"text", "no network"}}}}, {"isError", true}});
    });
}

std::vector<Mutant> odd_features() {
    const auto without = [](std::initializer_list<const char*> names) {
        const std::vector<std::string> gone(names.begin(), names.end());
        return declares([gone](object& c) {
            for (const std::string& name : gone) c.erase(name);
        });
    };
    return {
        {"odd.many-tools", latest, many_tools()},
        {"odd.many-pages", latest, many_pages()},
        {"odd.one-cursor", latest, one_cursor()},
        {"odd.only-tools", latest, has_only_tools(), without({"resources", "prompts", "completions"})},
        {"odd.empty-lists", latest,
         both(ignores_cursors("tools/list"),
              both(ignores_cursors("resources/list"), both(ignores_cursors("prompts/list"), lists_nothing())))},
        {"odd.every-call-fails", latest, every_call_fails()},
        {"odd.refuses-unknown-versions", latest,
         instead(
             [](const Passing& p) {
                 const value* version = p.params.if_contains("protocolVersion");
                 return p.method == "initialize" && version && *version == value("1999-01-01");
             },
             refusal(-32602))},
        {"odd.no-templates", latest,
         instead(asks("resources/templates/list"), giving({{"resourceTemplates", array()}}))},
    };
}

// ---- HTTP

WebChange on(std::string_view method, std::function<void(Web&)> edit) {
    return [method, edit = std::move(edit)](Web& web, Memory&) {
        if (web.method == method) edit(web);
    };
}
std::function<void(Web&)> gives(int status, std::string type, std::string body) {
    return [=](Web& web) {
        web.status = status;
        web.answer_fields = {{"content-type", type}};
        web.answer = body;
    };
}
constexpr const char* sdk_405 =
    R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null})";
bool is_notification(const Web& web) { return web.body.find("\"notifications/") != web.body.npos; }

void is_behind_a_proxy(Web& web, Memory&) {
    web.answer_fields["via"] = "1.1 proxy";
    web.answer_fields["x-powered-by"] = "Express";
    web.answer_fields["cache-control"] = "no-cache, no-transform";
    if (web.answer_fields["content-type"] == "application/json")
        web.answer_fields["content-type"] = "Application/JSON; charset=utf-8";
}
// A proxy that replaces the bodies of errors with its own page.
void has_error_pages(Web& web, Memory&) {
    if (web.status < 400) return;
    web.answer_fields["content-type"] = "application/json";
    web.answer = R"({"error":"gateway","status":)" + std::to_string(web.status) + "}";
}

std::vector<Mutant> odd_web() {
    std::vector<Mutant> out = {
        {.rule = "odd.get-405-json",
         .request = on("GET", gives(405, "application/json", R"({"error":"no GET here"})"))},
        {.rule = "odd.get-405-message", .request = on("GET", gives(405, "application/json", sdk_405))},
        {.rule = "odd.get-405-html", .request = on("GET", gives(405, "text/html", "<h1>405</h1>"))},
        {.rule = "odd.put-404-json", .request = on("PUT", gives(404, "application/json", R"(["not found"])"))},
        {.rule = "odd.delete-405", .request = on("DELETE", gives(405, "application/json", sdk_405))},
        {.rule = "odd.proxy", .answer = is_behind_a_proxy},
        {.rule = "odd.error-pages", .answer = has_error_pages},
        // The endpoint is Streamable HTTP, but the client wants 2024-11-05, which has other rules for HTTP.
        {.rule = "odd.http-of-2024",
         .revision = oldest,
         .request = on("GET", gives(404, "text/plain", "not found")),
         .answer =
             [](Web& web, Memory&) {
                 if (!is_notification(web)) return;
                 gives(200, "text/plain", "ok")(web);
             }},
        // It answers server/discover, but does not list the revision of the request.
        {.rule = "odd.unlisted-revision",
         .request =
             [](Web& web, Memory&) {
                 if (web.body.find("server/discover") == web.body.npos) return;
                 const auto message = json::parse(web.body);
                 gives(200, "application/json",
                       json::write(object{
                           {"jsonrpc", "2.0"},
                           {"id", message->at("id")},
                           {"result", {{"supportedVersions", array{latest}}, {"capabilities", object()}}}}))(web);
             }},
    };
    return out;
}

// ---- for single tests

// Like the TypeScript SDK: only valid messages get an answer.
void drops_what_is_invalid(Passing& p, Memory&) {
    const value *version = p.message.if_contains("jsonrpc"), *params = p.message.if_contains("params");
    const bool is_message = p.message.contains("method") || p.is_answer();
    const bool is_valid = json::parse(p.line).has_value() && version && *version == value("2.0") && is_message &&
                          (!params || params->is_object());
    if (!is_valid) p.line.clear();
}

void limits_requests(Web& web, Memory&) {
    static std::atomic<std::size_t> requests = 0;  // each connection has a thread
    if (++requests > 20) gives(429, "application/json", R"({"jsonrpc":"2.0","error":{"code":-32029},"id":null})")(web);
}

// Sends notifications without end, and answers nothing any more.
void floods(Passing& p, Memory&) {
    if (!answers(p, "tools/list")) return;
    const std::string line = R"({"jsonrpc":"2.0","method":"notifications/com.example/tick"})"
                             "\n";
    while (std::fputs(line.c_str(), stdout) >= 0) continue;
    ::_exit(1);
}

object says(std::string_view text) { return {{"content", array{object{{"type", "text"}, {"text", text}}}}}; }

}  // namespace

std::vector<Mutant> special_servers() {
    const auto lacks_message = [](const Passing& p) {
        const value* arguments = p.params.if_contains("arguments");
        return asks("tools/call")(p) && names(p, "echo") && arguments && arguments->is_object() &&
               !arguments->get_object().contains("message");
    };
    return {
        {.rule = "special.starts-five-times", .at_start = starts_five_times},
        // One of its later requests, a tools/list, has the id of the dropped ping.
        {"special.drops-other-versions", latest, deaf_to([](const Passing& p) {
             const value* version = p.message.if_contains("jsonrpc");
             return version && *version != value("2.0");
         })},
        {"special.drops-what-is-invalid", latest, drops_what_is_invalid},
        {.rule = "special.limits-requests", .request = limits_requests},
        {"special.refuses-in-words", latest, instead(lacks_message, giving(says("Error: message is required")))},
        // No list of words has these.
        {"special.refuses-in-other-words", latest, instead(lacks_message, giving(says("Nichts da.")))},
        {"special.never-answers-a-call", latest,
         deaf_to([](const Passing& p) { return asks("tools/call")(p) && names(p, "echo"); })},
        {"special.floods", latest, {}, floods},
        {"special.is-not-ready", latest,
         instead(lacks_message, giving(says("No project is loaded for this session.")))},
    };
}

std::vector<Mutant> odd_servers() {
    std::vector<Mutant> out;
    for (auto group : {odd_ids(), odd_processes(), odd_upstreams(), odd_messages(), odd_features(), odd_web(),
                       odd_definitions(), odd_real_servers(), odd_wires()})
        for (Mutant& odd : group) out.push_back(std::move(odd));
    return out;
}

}  // namespace tenon::check::mutant
