// Servers that are unusual but correct, like servers that tests/check/real runs.
#include <mutex>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view latest = "2025-11-25";

// Refuses a call without a name like any other bad argument.
Change refuses_in_a_result() {
    const auto has_no_name = [](const Passing& p) { return asks("tools/call")(p) && !p.params.contains("name"); };
    return instead(has_no_name, giving({{"content", array{object{{"type", "text"}, {"text", "there is no name"}}}},
                                        {"isError", true}}));
}

// The schema allows more members, so contents may be text for people and bytes for programs.
void has_text_and_blob(object& result) {
    for (value& contents : result["contents"].as_array()) {
        object& o = contents.as_object();
        if (o.contains("text")) o["blob"] = "YQ==";
    }
}

// Its patterns are for JavaScript, which is what JSON Schema says.
void has_patterns_of_javascript(object& result) {
    object& schema = result["tools"].as_array().front().as_object()["inputSchema"].as_object();
    schema["properties"].as_object()["tenon"] =
        object{{"type", "string"}, {"pattern", "^(?!secret)(?=.*[a-z])(\\p{L}+)-\\1(?<!x)$"}};
}

// It has sessions, but does not require their ids: without one, it takes the oldest session.
class Sessions {
 public:
    static void add_to(Web& web, Memory&) {
        const std::lock_guard lock(mutex);
        const bool is_ping = web.body.find("\"ping\"") != web.body.npos;  // other requests need a handshake
        if (web.method == "DELETE") std::erase(ids, web.field("mcp-session-id"));
        if (is_ping && web.field("mcp-session-id").empty() && !ids.empty()) web.set("mcp-session-id", ids.front());
    }
    static void keep(Web& web, Memory&) {
        const std::lock_guard lock(mutex);
        const bool is_first = web.body.find("\"initialize\"") != web.body.npos;
        const auto it = web.answer_fields.find("mcp-session-id");
        if (is_first && it != web.answer_fields.end()) ids.push_back(it->second);
    }

 private:
    static inline std::mutex mutex;  // each connection has a thread
    static inline std::vector<std::string> ids;
};

}  // namespace

std::vector<Mutant> odd_real_servers() {
    return {
        {.rule = "odd.session-ids-are-optional", .request = Sessions::add_to, .answer = Sessions::keep},
        {"odd.no-name-is-a-result", latest, refuses_in_a_result()},
        {"odd.text-and-blob", latest, {}, result("resources/read", has_text_and_blob)},
        {"odd.patterns-of-javascript", latest, {}, result("tools/list", has_patterns_of_javascript)},
    };
}

}  // namespace tenon::check::mutant
