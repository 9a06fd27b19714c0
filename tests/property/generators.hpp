// Lines that a client or an attacker may send: well-formed, almost well-formed, and malformed.
//
// Plain code makes a line from one random number. check.hpp turns it into RapidCheck generators.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::test {

/// A small random number generator (splitmix64).
class Dice {
 public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class Container>
    const auto& pick(const Container& all) {
        return all[below(std::size(all))];
    }

 private:
    std::uint64_t state_;
};

// ---- JSON text

inline constexpr std::string_view good_pieces[] = {
    "a",           "Z",       "0",       " ",      "/",       "~",      "\x7f",         "<b>",
    "\\n",         "\\r\\n",  "\\t",     "\\\\",   "\\\"",    "\\/",    "\\b\\f",       "\\u0000",
    "\\u001b[31m", "\\u007F", "\\u00e9", "\u00e9", "\\u2028", "\u2028", "\u65e5\u672c", "\\ud83d\\ude00",
    "\U0001F600",  "\uFEFF",  "\uFFFD",  "\\uFFFF"};

inline constexpr std::string_view bad_pieces[] = {std::string_view("\0", 1),
                                                  "\x01",
                                                  "\t",
                                                  "\x1f",
                                                  "\\",
                                                  "\\x",
                                                  "\\u12",
                                                  "\\ud800",
                                                  "\\udc00",
                                                  "\\ud800\\ud800",
                                                  "\xff",
                                                  "\xc0\x80",
                                                  "\xed\xa0\x80",
                                                  "\xf4\x90\x80\x80",
                                                  "\xe2\x82",
                                                  "\x80",
                                                  "\xf0\x9f\x98"};

inline constexpr std::string_view numbers[] = {"0",
                                               "-0",
                                               "1",
                                               "2",
                                               "3",
                                               "-1",
                                               "1.0",
                                               "1.5",
                                               "0.1",
                                               "-0.0",
                                               "1e0",
                                               "1E5",
                                               "1e-7",
                                               "9007199254740991",
                                               "9007199254740992",
                                               "9007199254740993",
                                               "-9007199254740993",
                                               "2147483648",
                                               "4294967296",
                                               "9223372036854775807",
                                               "9223372036854775808",
                                               "-9223372036854775808",
                                               "-9223372036854775809",
                                               "18446744073709551615",
                                               "18446744073709551616",
                                               "1e22",
                                               "1e308",
                                               "1e309",
                                               "-1e400",
                                               "5e-324",
                                               "1e-400",
                                               "123456789012345678901234567890",
                                               "123456789012345678901234567891",
                                               "0.1000000000000000055511151231257827",
                                               "3.141592653589793238462643383279502884197",
                                               "100",
                                               "1e2"};

inline std::string text_of(Dice& dice, bool broken = false) {
    std::string out = "\"";
    for (std::size_t n = dice.below(6); n > 0; --n) out += dice.pick(good_pieces);
    if (broken) out += dice.pick(bad_pieces);
    if (dice.one_in(200)) out.append(dice.below(12000), 'x');
    return out + "\"";
}

inline std::string number(Dice& dice) {
    if (dice.one_in(2)) return std::string(dice.pick(numbers));
    return std::to_string(static_cast<std::int64_t>(dice.next()) >> dice.below(64));
}

inline std::string id(Dice& dice) {
    switch (dice.below(4)) {
        case 0: return text_of(dice);
        case 1: return number(dice);
        default: return std::to_string(dice.below(1000));
    }
}

inline std::string blank(Dice& dice) {
    static constexpr std::string_view some[] = {" ", "\t", "  ", "\r", " \r \t"};
    return dice.one_in(12) ? std::string(dice.pick(some)) : "";
}

inline std::string value(Dice& dice, int depth = 3) {
    static constexpr std::string_view words[] = {"null", "true", "false", "{}", "[]", "\"\""};
    switch (dice.below(depth > 0 ? 6 : 3)) {
        case 0: return std::string(dice.pick(words));
        case 1: return number(dice);
        case 2: return text_of(dice);
        case 3: {
            std::string out = "[";
            for (std::size_t n = dice.below(4); n > 0; --n) out += value(dice, depth - 1) + (n > 1 ? "," : "");
            return out + "]";
        }
        default: {
            std::string out = "{";
            for (std::size_t n = dice.below(4); n > 0; --n)
                out += "\"" + std::to_string(n) + text_of(dice).substr(1) + blank(dice) + ":" + value(dice, depth - 1) +
                       (n > 1 ? "," : "");
            return out + "}";
        }
    }
}

inline std::string deep(Dice& dice) {
    static constexpr std::size_t depths[] = {8, 30, 31, 32, 33, 34, 120, 125, 126, 127, 128, 129, 130, 1000, 5000};
    const std::size_t n = dice.pick(depths);
    std::string out;
    const bool objects = dice.one_in(2);
    for (std::size_t i = 0; i < n; ++i) out += objects ? "{\"a\":" : "[";
    if (objects) out += "1";
    out.append(dice.one_in(5) ? n / 2 : n, objects ? '}' : ']');  // sometimes not all are closed
    return out;
}

// ---- messages

inline constexpr std::string_view known_methods[] = {"tools/call",
                                                     "tools/list",
                                                     "resources/read",
                                                     "resources/list",
                                                     "resources/templates/list",
                                                     "resources/subscribe",
                                                     "resources/unsubscribe",
                                                     "prompts/get",
                                                     "prompts/list",
                                                     "completion/complete",
                                                     "logging/setLevel",
                                                     "ping",
                                                     "initialize"};

inline constexpr std::string_view other_methods[] = {"",
                                                     "Tools/call",
                                                     "tools/call ",
                                                     "tools",
                                                     "tools/",
                                                     "/",
                                                     "tools/cal",
                                                     "tools/calls",
                                                     "rpc.discover",
                                                     "notifications/initialized",
                                                     "notifications/cancelled",
                                                     "sampling/createMessage",
                                                     "elicitation/create",
                                                     "roots/list",
                                                     "\\u0000",
                                                     "\u65e5\u672c",
                                                     "tools\\/call\\u0000",
                                                     "shutdown",
                                                     "exit",
                                                     "$/cancelRequest",
                                                     "server/discover"};

inline constexpr std::string_view client_notifications[] = {"notifications/initialized",
                                                            "notifications/cancelled",
                                                            "notifications/progress",
                                                            "notifications/roots/list_changed",
                                                            "notifications/message",
                                                            "notifications/unknown",
                                                            "tools/call",
                                                            "ping",
                                                            "initialize",
                                                            ""};

inline std::string method(Dice& dice) {
    if (dice.one_in(6)) return text_of(dice);
    return "\"" + std::string(dice.one_in(4) ? dice.pick(other_methods) : dice.pick(known_methods)) + "\"";
}

/// Names that the servers under test know. Names that would change the behaviour for later messages are left out.
struct Vocabulary {
    std::vector<std::string> tools = {"echo"};
};

inline std::string member(std::string_view name, const std::string& v) { return "\"" + std::string(name) + "\":" + v; }

inline std::string tool_call(Dice& dice, const Vocabulary& words) {
    std::string out = "{" + member("name", dice.one_in(8) ? value(dice) : "\"" + dice.pick(words.tools) + "\"");
    if (!dice.one_in(6)) {
        std::string arguments = member("message", dice.one_in(8) ? value(dice) : text_of(dice));
        if (dice.one_in(8)) arguments += "," + member("extra", value(dice));
        out += "," + member("arguments", dice.one_in(12) ? value(dice) : "{" + arguments + "}");
    }
    if (dice.one_in(4))
        out += "," + member("_meta", dice.one_in(4) ? value(dice) : "{" + member("progressToken", id(dice)) + "}");
    return out + "}";
}

inline std::string params_for(Dice& dice, std::string_view method, const Vocabulary& words) {
    static constexpr std::string_view uris[] = {
        "note://welcome", "note://dot", "note://a/b", "note://a/missing",  "note://a/../b", "x:",
        "file:///etc",    "",           "note:// ",   "note://%zz/\\u0000"};
    static constexpr std::string_view levels[] = {"debug", "error", "emergency", "loud", ""};
    if (dice.one_in(8)) return value(dice);
    if (method.find("tools/call") != std::string_view::npos) return tool_call(dice, words);
    if (method.find("resources/") != std::string_view::npos)
        return "{" + member("uri", dice.one_in(6) ? value(dice) : "\"" + std::string(dice.pick(uris)) + "\"") + "}";
    if (method.find("prompts/get") != std::string_view::npos)
        return "{" + member("name", dice.one_in(2) ? "\"letter\"" : text_of(dice)) + "," +
               member("arguments", "{" + member("to", text_of(dice)) +
                                       (dice.one_in(3) ? ",\"k" + text_of(dice).substr(1) + ":" + value(dice) : "") +
                                       "}") +
               "}";
    if (method.find("logging/setLevel") != std::string_view::npos)
        return "{" + member("level", "\"" + std::string(dice.pick(levels)) + "\"") + "}";
    if (method.find("completion/complete") != std::string_view::npos)
        return "{" + member("ref", R"({"type":"ref/prompt","name":"letter"})") + "," +
               member("argument", "{" + member("name", "\"to\"") + "," + member("value", text_of(dice)) + "}") + "}";
    if (method.find("initialize") != std::string_view::npos)
        return R"({"protocolVersion":)" + text_of(dice) +
               R"(,"capabilities":{},"clientInfo":{"name":"g","version":"1"}})";
    if (method.find("cancelled") != std::string_view::npos) return "{" + member("requestId", id(dice)) + "}";
    return dice.one_in(3) ? "{" + member("cursor", text_of(dice)) + "}" : "{}";
}

/// Joins the members of a message in varying order, with blanks between them.
inline std::string assemble(Dice& dice, std::vector<std::string> members) {
    if (dice.one_in(2)) std::swap(members.front(), members.back());
    std::string out = blank(dice) + "{" + blank(dice);
    for (std::size_t i = 0; i < members.size(); ++i) out += (i ? blank(dice) + "," + blank(dice) : "") + members[i];
    return out + blank(dice) + "}" + blank(dice);
}

inline const std::string version_member = R"("jsonrpc":"2.0")";

inline std::string request(Dice& dice, const Vocabulary& words) {
    const std::string name = dice.one_in(3) ? "\"tools/call\"" : method(dice);
    std::vector<std::string> members = {version_member, member("id", id(dice)), member("method", name)};
    if (!dice.one_in(5)) members.push_back(member("params", params_for(dice, name, words)));
    return assemble(dice, std::move(members));
}

inline std::string notification(Dice& dice, const Vocabulary& words) {
    const std::string name =
        dice.one_in(5) ? text_of(dice) : "\"" + std::string(dice.pick(client_notifications)) + "\"";
    std::vector<std::string> members = {version_member, member("method", name)};
    if (!dice.one_in(4)) members.push_back(member("params", params_for(dice, name, words)));
    return assemble(dice, std::move(members));
}

inline std::string stray_response(Dice& dice) {
    std::vector<std::string> members = {version_member};
    if (!dice.one_in(6)) members.push_back(member("id", dice.one_in(4) ? value(dice) : id(dice)));
    if (dice.one_in(2)) members.push_back(member("result", value(dice)));
    if (members.size() < 3 || dice.one_in(6))
        members.push_back(member("error", dice.one_in(2) ? value(dice) : R"({"code":-1,"message":"m"})"));
    return assemble(dice, std::move(members));
}

inline std::string broken_envelope(Dice& dice, const Vocabulary& words) {
    static constexpr std::string_view versions[] = {"\"1.0\"", "\"2\"",    "2.0",       "2",
                                                    "null",    "\"2.0 \"", "[\"2.0\"]", "\"\\u0032.0\""};
    std::vector<std::string> members;
    if (!dice.one_in(4))
        members.push_back(member("jsonrpc", dice.one_in(2) ? "\"2.0\"" : std::string(dice.pick(versions))));
    if (!dice.one_in(4)) members.push_back(member("id", dice.one_in(2) ? value(dice, 1) : id(dice)));
    if (!dice.one_in(4)) members.push_back(member("method", dice.one_in(2) ? value(dice, 1) : method(dice)));
    if (dice.one_in(2))
        members.push_back(member("params", dice.one_in(2) ? value(dice) : params_for(dice, "tools/call", words)));
    if (dice.one_in(4)) members.push_back(member("result", value(dice)));
    if (dice.one_in(6)) members.push_back(member("error", value(dice)));
    if (dice.one_in(6)) members.push_back(member("ID", id(dice)));
    if (members.empty()) return "{}";
    return assemble(dice, std::move(members));
}

inline std::string single(Dice& dice, const Vocabulary& words) {
    switch (dice.below(8)) {
        case 0: return notification(dice, words);
        case 1: return stray_response(dice);
        case 2: return broken_envelope(dice, words);
        default: return request(dice, words);
    }
}

inline std::string batch(Dice& dice, const Vocabulary& words) {
    std::string out = "[";
    for (std::size_t n = dice.below(dice.one_in(10) ? 12 : 5); n > 0; --n)
        out += (dice.one_in(8) ? value(dice) : single(dice, words)) + (n > 1 ? "," : "");
    return out + "]";
}

inline std::string mutate(Dice& dice, std::string line) {
    const std::size_t at = dice.below(line.size() + 1);
    const std::size_t length = dice.below(line.size() - std::min(at, line.size()) + 1);
    switch (dice.below(9)) {
        case 0:
            if (at < line.size()) line[at] = static_cast<char>(line[at] ^ (1 << dice.below(8)));
            break;
        case 1: line.resize(at); break;
        case 2: line.insert(at, line.substr(at, length)); break;
        case 3: line.insert(at, dice.pick(bad_pieces)); break;
        case 4: line.erase(at, std::min<std::size_t>(length, 8)); break;
        case 5:
            if (const auto brace = line.find('{'); brace != line.npos) line.insert(brace + 1, version_member + ",");
            break;  // a duplicate key
        case 6:
            if (const auto brace = line.find('{'); brace != line.npos) line.insert(brace + 1, R"("i\u0064":7,)");
            break;
        case 7: line += line; break;
        default: line.insert(at, 1, static_cast<char>(dice.next())); break;
    }
    std::erase(line, '\n');
    return line;
}

inline std::string junk(Dice& dice) {
    static constexpr std::string_view some[] = {"",
                                                " ",
                                                "\t \r",
                                                "\r",
                                                "null",
                                                "true",
                                                "0",
                                                "\"\"",
                                                "\"hello\"",
                                                "[]",
                                                "[[]]",
                                                "{}",
                                                "[1,2]",
                                                "{",
                                                "}",
                                                "[",
                                                "nul",
                                                "{'a':1}",
                                                "{\"a\":1,}",
                                                "[1,]",
                                                "//",
                                                "/**/{}",
                                                "\xEF\xBB\xBF{}",
                                                "Content-Length: 52",
                                                "GET / HTTP/1.1",
                                                "NaN",
                                                "-Infinity",
                                                "01",
                                                "1.",
                                                ".5",
                                                "+1",
                                                "1e",
                                                "0x10",
                                                "\"\\",
                                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}{}"};
    if (dice.one_in(2)) return std::string(dice.pick(some));
    std::string out;
    for (std::size_t n = dice.below(40); n > 0; --n) out += static_cast<char>(dice.next());
    std::erase(out, '\n');
    return out;
}

/// Generates one line without its newline.
inline std::string any_line(Dice& dice, const Vocabulary& words) {
    switch (dice.below(16)) {
        case 0: return junk(dice);
        case 1: return batch(dice, words);
        case 2: return value(dice);
        case 3:
            return assemble(dice, {version_member, member("id", id(dice)), member("method", "\"tools/call\""),
                                   member("params", "{" + member("name", "\"echo\"") + "," +
                                                        member("arguments", deep(dice)) + "}")});
        case 4: return assemble(dice, {version_member, member("id", id(dice)), member("method", text_of(dice, true))});
        case 5:
        case 6:
        case 7: return mutate(dice, single(dice, words));
        default: return single(dice, words);
    }
}

/// Cuts `text` into pieces of random length.
inline std::vector<std::string> pieces(Dice& dice, std::string_view text) {
    std::vector<std::string> out;
    const std::size_t longest = std::size_t{1} << dice.below(10);
    while (!text.empty()) {
        const std::size_t n = std::min(text.size(), 1 + dice.below(longest));
        out.emplace_back(text.substr(0, n));
        text.remove_prefix(n);
    }
    return out;
}

}  // namespace tenon::test
