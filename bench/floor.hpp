// The floor: the cheapest possible server. It does not parse JSON: it searches for a few bytes to find the id and the
// text, and sends the text back. The benchmarks show how close other servers come to its cost. Use it for benchmarks
// only, because it does not check its input.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "filler.hpp"

namespace floor_server {

using std::string_view;

inline std::size_t position(string_view text, string_view part, std::size_t from = 0) {
    if (from >= text.size()) return string_view::npos;
    const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : string_view::npos;
}

/// Returns the text after `key`, up to any character of `ends`. Returns an empty text when the key is missing.
inline string_view after(string_view text, string_view key, const char* ends) {
    const std::size_t at = position(text, key);
    if (at == string_view::npos) return {};
    const string_view rest = text.substr(at + key.size());
    return rest.substr(0, rest.find_first_of(ends));
}

/// Returns the text up to the closing quote, without decoding it. `text` begins after the opening quote.
inline string_view rest_of_string(string_view text) {
    std::size_t end = 0;
    while (true) {
        const void* quote = ::memchr(text.data() + end, '"', text.size() - end);
        if (!quote) return {};
        end = static_cast<std::size_t>(static_cast<const char*>(quote) - text.data());
        if (end == 0 || text[end - 1] != '\\') return text.substr(0, end);
        ++end;
    }
}

class Floor {
 public:
    explicit Floor(std::size_t tools) : list_(bench::tool_list(tools)) {}

    /// Calls `say(message)` for each message that answers the request. A notification has no answer.
    template <class Say>
    void answer(string_view request, Say&& say) {
        const string_view id = after(request.substr(0, 128), "\"id\":", ",}");
        if (id.empty()) return;
        out_.assign(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":)");
        constexpr string_view key = "\"text\":\"";
        if (const std::size_t at = position(request, key); at != string_view::npos) {
            const string_view text = rest_of_string(request.substr(at + key.size()));
            const string_view rest = request.substr(at + key.size() + text.size());
            if (const string_view token = after(rest, "\"progressToken\":", ",}"); !token.empty()) report(token, say);
            out_.append(R"({"content":[{"type":"text","text":")").append(text).append(R"("}]}})");
        } else if (position(request, "\"tools/list\"") != string_view::npos) {
            out_.append(list_).append("}");
        } else if (position(request, "\"server/discover\"") != string_view::npos) {
            out_.append(R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},)"
                        R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"floor","version":"1"}}}})");
        } else {
            out_.append(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                        R"("serverInfo":{"name":"floor","version":"1"}}})");
        }
        say(string_view(out_));
    }

 private:
    template <class Say>
    void report(string_view token, Say&& say) {
        for (int step = 1; step <= bench::steps; ++step) {
            note_.assign(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)")
                .append(token)
                .append(R"(,"progress":)")
                .append(std::to_string(step))
                .append("}}");
            say(string_view(note_));
        }
    }

    const std::string list_;
    std::string out_, note_;
};

}  // namespace floor_server
