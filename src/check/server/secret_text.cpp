#include "check/server/secret_text.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.hpp"

namespace tenon::check {
namespace {

struct Format {
    std::string_view beginning;
    std::size_t least;    // characters after the beginning
    bool dashes = false;  // a key may also have - and _
};
// The formats of GitHub, GitLab, Anthropic, OpenAI, Stripe, Slack, AWS, Google and npm.
constexpr std::array<Format, 16> formats = {
    Format{"ghp_", 36},         Format{"gho_", 36},          Format{"ghs_", 36},        Format{"ghu_", 36},
    Format{"glpat-", 20, true}, Format{"sk-ant-", 40, true}, Format{"AKIA", 16},        Format{"github_pat_", 40, true},
    Format{"sk_live_", 24},     Format{"rk_live_", 24},      Format{"AIza", 35, true},  Format{"sk-proj-", 40, true},
    Format{"xoxb-", 30, true},  Format{"xoxp-", 30, true},   Format{"xapp-", 30, true}, Format{"npm_", 36}};
constexpr std::size_t least_kinds = 10;  // different characters of a random key
constexpr std::size_t shown_of_key = 4;  // characters after the beginning
constexpr std::string_view key_file = "-----BEGIN ", key_file_end = "PRIVATE KEY-----";
constexpr std::size_t key_file_bytes = 64;  // of base64, at least

bool is_base64(char c) { return base::is_alnum(c) || c == '+' || c == '/' || c == '='; }

// Keys in documentation are often examples that give no access.
bool is_example(std::string_view key) {
    std::string low(key);
    std::ranges::transform(low, low.begin(), base::lower);
    for (const std::string_view sign : {"example", "xxx", "your", "1234", "abcd", "test", "dummy", "sample", "here",
                                        "placeholder", "redacted", "secret", "token", "fake"})
        if (low.find(sign) != low.npos) return true;
    return std::set<char>(low.begin(), low.end()).size() < least_kinds;
}

// Returns whether a key of this format begins here.
bool begins_key(std::string_view text, const Format& format) {
    if (!text.starts_with(format.beginning)) return false;
    text.remove_prefix(format.beginning.size());
    const auto is_of_key = [&](char c) { return base::is_alnum(c) || (format.dashes && (c == '_' || c == '-')); };
    const auto end = std::ranges::find_if_not(text, is_of_key);
    const std::string_view key(text.begin(), end);
    return key.size() >= format.least && std::ranges::any_of(key, base::is_digit) && !is_example(key);
}

bool has_key_file(std::string_view text) {
    const std::size_t begin = text.find(key_file);
    const std::size_t end = begin == text.npos ? begin : text.find(key_file_end, begin);
    if (end == text.npos || end - begin > 2 * key_file.size() + 20) return false;
    std::size_t bytes = 0;
    std::string body;
    for (const char c : text.substr(end + key_file_end.size())) {
        if (is_base64(c)) body += c;
        if (!is_base64(c) && c != '\n' && c != '\r') break;
        bytes = body.size();
    }
    return bytes >= key_file_bytes && !is_example(body.substr(0, key_file_bytes));
}

}  // namespace

std::string secret_in(std::string_view text) {
    if (has_key_file(text)) return std::string(key_file) + "..." + std::string(key_file_end);
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at > 0 && base::is_alnum(text[at - 1])) continue;  // inside a word
        for (const Format& format : formats)
            if (begins_key(text.substr(at), format))
                return std::string(text.substr(at, format.beginning.size() + shown_of_key)) + "...";
    }
    return {};
}

}  // namespace tenon::check
