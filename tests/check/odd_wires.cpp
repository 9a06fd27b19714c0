// Servers that are correct, but write their messages in an unusual way: odd JSON, odd event streams, odd HTTP.
#include <array>
#include <atomic>
#include <cstdio>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// ---- JSON

// Writes each letter in a string as \u00XX, and each slash as \/.
void escapes_letters(Passing& p, Memory&) {
    std::string out;
    bool in_string = false;
    for (std::size_t i = 0; i < p.line.size(); ++i) {
        const char c = p.line[i];
        if (c == '"') in_string = !in_string;
        std::array<char, 8> code{};
        if (in_string && c == '\\') {
            const std::size_t size = p.line[i + 1] == 'u' ? 6 : 2;
            out += p.line.substr(i, size);
            i += size - 1;
        } else if (in_string && is_letter(c)) {
            std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
            out += code.data();
        } else {
            out += in_string && c == '/' ? "\\/" : std::string(1, c);
        }
    }
    p.line = out;
}
void is_padded(Passing& p, Memory&) { p.line = "\t  " + p.line + std::string(50'000, ' ') + "\t\r"; }

// Numbers that no integer type holds, where any value is allowed.
Change has_large_numbers() {
    return text("tools/list", [](std::string& line) {
        replaced("\"result\":{",
                 "\"result\":{\"com.example/n\":[123456789012345678901234567890,-0,1E-400,0.1e+1],")(line);
    });
}
// A cursor is any string.
constexpr std::string_view odd_prefix = "\xC3\xA9\xF0\x9F\x98\x80\"\\\n{\"page\":";
void writes_odd_cursor(object& r) {
    if (value* next = r.if_contains("nextCursor"); next && next->is_string())
        *next = std::string(odd_prefix) + std::string(next->get_string());
}
void reads_odd_cursor(object& params) {
    value* cursor = params.if_contains("cursor");
    if (!cursor || !cursor->is_string()) return;
    const std::string_view text = cursor->get_string();
    if (text.starts_with(odd_prefix)) *cursor = std::string(text.substr(odd_prefix.size()));
}
// Tells something before each response after the handshake.
void talks_before(Passing& p, Memory& memory) {
    if (!p.is_answer() || !memory.initialized) return;
    for (const char* method : {"notifications/message", "notifications/com.example/thinking"})
        p.before.push_back(R"({"method":")" + std::string(method) +
                           R"(","params":{"level":"info","data":null,"_meta":{"a.b/c":[]}},"jsonrpc":"2.0"})");
}
void complains_at_length() {
    const std::string bytes = "\xFF\xFE not text \x1b[2J " + std::string(2000, '#');
    for (int i = 0; i < 500; ++i) std::fwrite(bytes.data(), 1, bytes.size(), stderr);
}
void details_errors(object& e) {
    if (!e.contains("data")) e["data"] = array{nullptr, object{{"stack", array()}}, 1.5};
    e["com.example/trace"] = "4bf92f3577b34da6";
}
Change has_bare_schemas() {
    return result("tools/list", [](object& r) {
        if (r.contains("nextCursor")) return;
        const object draft{{"$schema", "http://json-schema.org/draft-07/schema#"},
                           {"type", "object"},
                           {"properties", object()},
                           {"required", array()}};
        for (const auto& [name, schema] :
             {std::pair("bare", object{{"type", "object"}}), std::pair("draft", draft),
              std::pair("closed", object{{"type", "object"}, {"additionalProperties", false}})})
            r["tools"].as_array().push_back(
                object{{"name", name}, {"description", "Does nothing"}, {"inputSchema", schema}});
    });
}
// Offers every URI: it is a proxy for other servers.
Change offers_every_uri() {
    return [](Passing& p, Memory&) {
        if (asks("resources/templates/list")(p) && !p.params.contains("cursor")) {
            const object all{{"uriTemplate", "{+uri}"}, {"name", "anything"}};
            p.before.push_back(result_line(p, {{"resourceTemplates", array{all}}}));
            p.line.clear();
        } else if (asks("resources/read")(p) && names(p, "tenon-check://nowhere/no-such-resource")) {
            const object contents{{"uri", p.params.at("uri")}, {"mimeType", "text/plain"}, {"text", "far away"}};
            p.before.push_back(result_line(p, {{"contents", array{contents}}}));
            p.line.clear();
        }
    };
}
// Its arguments decide how long a tool takes. Here it takes for ever, except in the first call.
bool is_long_call(const Passing& p) {
    const value* arguments = p.params.if_contains("arguments");
    const object* given = arguments ? arguments->if_object() : nullptr;
    const value *a = given ? given->if_contains("a") : nullptr, *b = given ? given->if_contains("b") : nullptr;
    return asks("tools/call")(p) && names(p, "add") && a && b && a->is_number() && b->is_number() &&
           (a->to_number<double>() != 0 || b->to_number<double>() != 0);
}

std::vector<Mutant> odd_spellings() {
    return {
        {"odd.escaped-letters", latest, {}, escapes_letters},
        {"odd.padded-lines", latest, {}, is_padded},
        {"odd.large-numbers", latest, {}, has_large_numbers()},
        {"odd.cursor-characters", latest, request("tools/list", reads_odd_cursor),
         result("tools/list", writes_odd_cursor)},
        {"odd.talks-before-responses", latest, {}, talks_before},
        {.rule = "odd.binary-stderr", .at_start = complains_at_length},
        {"odd.error-details", latest, {}, error("", details_errors)},
        {"odd.error-details-of-2026", modern, {}, error("", details_errors)},
        {"odd.bare-schemas", latest, {}, has_bare_schemas()},
        {"odd.every-uri", latest, offers_every_uri()},
        {"odd.slow-arguments", latest, deaf_to(is_long_call)},
    };
}

// ---- HTTP

bool is_json_answer(const Web& web) {
    const auto type = web.answer_fields.find("content-type");
    return web.method == "POST" && web.status == 200 && !web.answer.empty() && type != web.answer_fields.end() &&
           type->second.starts_with("application/json");
}
std::string head_of(const Web& web, std::string_view first_line, std::string_view more) {
    std::string out(first_line);
    for (const auto& [name, value] : web.answer_fields)
        if (name != "content-length" && name != "transfer-encoding" && name != "content-type")
            out += name + ": " + value + "\r\n";
    return out + std::string(more) + "\r\n";
}
std::string event_id() {
    static std::atomic<int> last = 0;  // each connection has a thread
    return std::to_string(++last);
}

// Comments, unknown fields, all three line ends, and data on several lines.
void writes_odd_events(Web& web, Memory&) {
    if (!is_json_answer(web)) return;
    const std::size_t comma = web.answer.find(',') + 1;
    const std::string events = "\xEF\xBB\xBF: hello\r\r\nretry:10\nid: " + event_id() + "\rdata\r\n\r\n:\n\n" +
                               "x-unknown: 1\rEvent: no\nevent:message\r\ndata:" + web.answer.substr(0, comma) +
                               "\rdata: " + web.answer.substr(comma) + "\nid:" + event_id() +
                               "\r\n\r\n: bye\ndata: cut";
    web.raw = head_of(web, "HTTP/1.1 200 OK\r\n",
                      "Content-Type: Text/Event-Stream; charset=\"utf-8\"\r\nContent-Length: " +
                          std::to_string(events.size()) + "\r\n") +
              events;
}
// Chunks of a few bytes, with extensions and trailers.
void writes_odd_chunks(Web& web, Memory&) {
    if (!is_json_answer(web)) return;
    std::string chunks;
    for (std::size_t at = 0; at < web.answer.size(); at += 11) {
        const std::string piece = web.answer.substr(at, 11);
        std::array<char, 8> size{};
        std::snprintf(size.data(), size.size(), "%03X", static_cast<unsigned>(piece.size()));
        chunks += size.data() + std::string(";note=\"a b\";x\r\n") + piece + "\r\n";
    }
    web.raw = head_of(web, "HTTP/1.1 200 OK\r\n",
                      "Content-Type: application/json;charset=utf-8;x=y\r\nTransfer-Encoding: Chunked\r\n") +
              chunks + "0\r\nX-Checksum: 1\r\n\r\n";
}
// Two interim responses, no reason phrase, no space after a colon, and the end of the connection as the end of the
// body.
void writes_odd_heads(Web& web, Memory&) {
    if (!is_json_answer(web)) return;
    web.raw =
        head_of(web, "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\nHTTP/1.1 102 \r\n\r\nHTTP/1.1 200 \r\n",
                "CONTENT-TYPE:application/json \t\r\nConnection: Close\r\n") +
        web.answer;
    web.closes = true;
}
// All visible ASCII characters may occur in the id of a session.
constexpr std::string_view visible = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
void reads_odd_session(Web& web, Memory&) {
    const std::string id = web.field("mcp-session-id");
    if (id.starts_with(visible)) web.set("mcp-session-id", id.substr(visible.size()));
}
void writes_odd_session(Web& web, Memory&) {
    const auto id = web.answer_fields.find("mcp-session-id");
    if (id != web.answer_fields.end() && !id->second.starts_with(visible)) id->second.insert(0, visible);
}

}  // namespace

std::vector<Mutant> odd_wires() {
    std::vector<Mutant> out = odd_spellings();
    for (const std::string_view revision : {latest, modern}) {
        const bool is_latest = revision == latest;
        out.push_back({.rule = is_latest ? "odd.events" : "odd.events-of-2026",
                       .revision = revision,
                       .answer = writes_odd_events});
        out.push_back({.rule = is_latest ? "odd.chunks" : "odd.chunks-of-2026",
                       .revision = revision,
                       .answer = writes_odd_chunks});
        out.push_back(
            {.rule = is_latest ? "odd.heads" : "odd.heads-of-2026", .revision = revision, .answer = writes_odd_heads});
    }
    out.push_back({.rule = "odd.session-characters", .request = reads_odd_session, .answer = writes_odd_session});
    return out;
}

}  // namespace tenon::check::mutant
