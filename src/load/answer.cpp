#include "load/answer.hpp"

#include <algorithm>
#include <cstring>

namespace tenon::load {
namespace {

using std::string_view;
using Kind = Envelope::Kind;

constexpr string_view blanks = " \t\r\n";

void skip_blanks(string_view& s) { s.remove_prefix(std::min(s.find_first_not_of(blanks), s.size())); }

bool take(string_view& s, char c) {
    skip_blanks(s);
    if (s.empty() || s.front() != c) return false;
    s.remove_prefix(1);
    return true;
}

// Removes a JSON string from the front and returns it without its quotes. Escapes are not decoded.
std::optional<string_view> take_string(string_view& s) {
    if (!take(s, '"')) return {};
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == '\\') {
            ++i;
        } else if (s[i] == '"') {
            const string_view out = s.substr(0, i);
            s.remove_prefix(i + 1);
            return out;
        }
    }
    return {};
}

std::uint64_t take_number(string_view& s) {
    skip_blanks(s);
    std::uint64_t out = 0;
    constexpr std::size_t most_digits = 18;  // our ids are shorter, and more digits could overflow
    std::size_t n = 0;
    for (; n < s.size() && n < most_digits && s[n] >= '0' && s[n] <= '9'; ++n)
        out = out * 10 + static_cast<std::uint64_t>(s[n] - '0');
    s.remove_prefix(n);
    skip_blanks(s);
    return s.empty() || (s.front() != ',' && s.front() != '}') ? 0 : out;
}

// Returns whether the text after the id closes exactly one object. Then the id belongs to the message itself.
bool ends_message(string_view rest) {
    if (rest.empty() || rest.back() != '}') return false;
    return rest.find_first_of("{}[]") == rest.size() - 1;
}

// Reads the id from the end of the message: some servers write the id after the result.
std::uint64_t id_at_the_end(string_view message) {
    constexpr std::size_t tail = 128;
    constexpr string_view key = "\"id\"";
    const std::size_t last = message.find_last_not_of(blanks);
    message = message.substr(0, last == string_view::npos ? 0 : last + 1);
    string_view rest = message.substr(message.size() - std::min(message.size(), tail));
    const std::size_t at = rest.rfind(key);
    if (at == string_view::npos) return 0;
    rest.remove_prefix(at + key.size());
    if (!take(rest, ':')) return 0;
    const std::uint64_t out = take_number(rest);
    return ends_message(rest) ? out : 0;
}

}  // namespace

Envelope read_envelope(string_view message) {
    Envelope out;
    string_view s = message;
    if (!take(s, '{')) return out;
    do {
        const auto key = take_string(s);
        if (!key || !take(s, ':')) return {};
        if (*key == "method") return {Kind::other, 0};
        if (*key == "result" || *key == "error") {
            out.kind = *key == "result" ? Kind::result : Kind::error;
            if (out.id == 0) out.id = id_at_the_end(message);
            return out;
        }
        skip_blanks(s);
        if (*key == "id" && !s.starts_with('"')) {
            out.id = take_number(s);
            if (out.id == 0) s.remove_prefix(std::min(s.find_first_of(",}"), s.size()));
        } else if (!take_string(s)) {
            return {};
        }
    } while (take(s, ','));
    return {};
}

std::size_t position_of(string_view part, string_view text) {
    // memmem() is fast for short needles. So it searches for the beginning only, and the rest is compared.
    constexpr std::size_t enough = 24;
    const string_view beginning = part.substr(0, enough);
    for (std::size_t at = 0; at + part.size() <= text.size(); ++at) {
        const void* found = ::memmem(text.data() + at, text.size() - at, beginning.data(), beginning.size());
        if (!found) break;
        at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
        if (text.substr(at).starts_with(part)) return at;
    }
    return string_view::npos;
}

bool says_is_error(string_view message) {
    constexpr string_view key = "\"isError\"";
    for (std::size_t at = 0; (at = position_of(key, message)) != string_view::npos;) {
        message.remove_prefix(at + key.size());
        string_view rest = message;
        if (take(rest, ':') && (skip_blanks(rest), rest.starts_with("true"))) return true;
    }
    return false;
}

}  // namespace tenon::load
