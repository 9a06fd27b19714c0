#include "observe/mask.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/printable.hpp"

namespace tenon::observe {
namespace {

constexpr std::array<std::string_view, 17> secret_words = {
    "token",       "secret",    "password",   "passwd",     "passphrase", "authorization",
    "credential",  "cookie",    "apikey",     "api_key",    "api-key",    "privatekey",
    "private_key", "accesskey", "access_key", "access-key", "assertion"};
// Names that contain such a word, or end like a key, but whose value is not a secret.
constexpr std::array<std::string_view, 2> harmless_names = {"progresstoken", "token_type"};
constexpr std::array<std::string_view, 3> schemes = {"bearer ", "basic ", "dpop "};
constexpr std::size_t longest_name = 128;    // longer names are not secrets: they are data
constexpr std::size_t least_credential = 4;  // fewer characters after a scheme are words of a sentence
constexpr std::string_view ends_value = " \t\r\n\"'<>`&#";
constexpr std::string_view ends_authority = " \t\r\n\"'<>`/?#";
constexpr std::string_view ends_parameter_name = " \t\r\n\"'<>`&#?=";

// Without the other characters there is nothing to mask or to escape, also in JSON.
constexpr auto safe_characters = [] {
    std::array<bool, 256> out{};
    for (std::size_t c = 0x21; c < 0x7f; ++c)
        out[c] = std::string_view("?&#=\"\\@:").find(static_cast<char>(c)) == std::string_view::npos;
    return out;
}();

// All these functions compare with a text in lower case.
bool same_letters(std::string_view text, std::string_view lower_case) {
    return std::ranges::equal(text, lower_case, {}, [](char c) { return base::lower(c); });
}
bool begins_with(std::string_view text, std::string_view lower_case) {
    return text.size() >= lower_case.size() && same_letters(text.substr(0, lower_case.size()), lower_case);
}
bool contains(std::string_view text, std::string_view lower_case) {
    for (; text.size() >= lower_case.size(); text.remove_prefix(1))
        if (begins_with(text, lower_case)) return true;
    return false;
}
bool ends_with(std::string_view text, std::string_view lower_case) {
    return text.size() >= lower_case.size() && same_letters(text.substr(text.size() - lower_case.size()), lower_case);
}

// The name of a key: key, sshKey, ssh_key, SSH-KEY. Not monkey.
bool names_a_key(std::string_view name) {
    if (!ends_with(name, "key")) return false;
    if (name.size() == 3) return true;
    const char first = name[name.size() - 3], before = name[name.size() - 4];
    return !base::is_alpha(before) || (first == 'K' && base::lower(before) == before);
}

bool in_name(char c) { return base::is_alnum(c) || c == '_' || c == '-' || c == '.'; }
bool in_credential(char c) { return in_name(c) || c == '~' || c == '+' || c == '/' || c == '='; }

/// Copies a text and leaves its secrets out. Looks at each character a fixed number of times.
class TextMask {
 public:
    explicit TextMask(std::string_view text) : rest_(text) {}

    std::string run() && {
        out_.reserve(rest_.size());
        while (!rest_.empty()) {
            const char c = rest_.front();
            if (in_name(c)) {
                if (!scheme()) word();
            } else if (c == '?' || c == '&' || c == '#') {
                parameter();
            } else if (rest_.starts_with("//")) {
                user();
            } else {
                copy(1);
            }
        }
        return std::move(out_);
    }

 private:
    void copy(std::size_t n) {
        n = std::min(n, rest_.size());
        out_ += rest_.substr(0, n);
        rest_.remove_prefix(n);
    }
    void hide(std::size_t n) {
        out_ += mask_mark;
        rest_.remove_prefix(std::min(n, rest_.size()));
    }
    // Bearer TOKEN
    bool scheme() {
        for (const std::string_view name : schemes) {
            if (!begins_with(rest_, name)) continue;
            const std::string_view after = rest_.substr(name.size());
            const auto end = static_cast<std::size_t>(std::ranges::find_if_not(after, in_credential) - after.begin());
            if (end < least_credential) return false;
            copy(name.size());
            hide(end);
            return true;
        }
        return false;
    }
    // A word. Masks the value after the name of a secret: password=VALUE, "password":"VALUE", Cookie: VALUE.
    void word() {
        const auto end = static_cast<std::size_t>(std::ranges::find_if_not(rest_, in_name) - rest_.begin());
        const std::string_view name = rest_.substr(0, end);
        const bool quoted = !out_.empty() && out_.back() == '"';
        copy(end);
        if (rest_.empty() || !is_secret_name(name)) return;
        if (rest_.front() == '=') {
            copy(1);
            value();
        } else if (quoted && rest_.front() == '"') {
            copy(1);
            spaces();
            if (!rest_.starts_with(':')) return;
            copy(1);
            spaces();
            value();
        } else if (rest_.front() == ':' && is_header(name)) {
            copy(1);
            hide(rest_.find_first_of("\r\n"));
        }
    }
    static bool is_header(std::string_view name) {
        return same_letters(name, "authorization") || ends_with(name, "-authorization") || ends_with(name, "cookie") ||
               ends_with(name, "api-key");
    }
    void spaces() {
        const std::size_t end = rest_.find_first_not_of(" \t\r\n");
        copy(std::min(end, rest_.size()));
    }
    // A quoted value ends at its quotation mark. An array or object is not read, so all that follows is masked.
    void value() {
        if (rest_.starts_with('"')) {
            copy(1);
            std::size_t end = rest_.find('"');
            while (end != std::string_view::npos && end > 0 && rest_[end - 1] == '\\') end = rest_.find('"', end + 1);
            hide(end);
        } else if (rest_.starts_with('[') || rest_.starts_with('{')) {
            hide(rest_.size());
        } else {
            hide(rest_.find_first_of(ends_value));
        }
    }
    // ?name=VALUE
    void parameter() {
        copy(1);
        const std::size_t end = rest_.find_first_of(ends_parameter_name);
        if (end == std::string_view::npos || rest_[end] != '=' || end == 0) return;
        copy(end + 1);
        hide(rest_.find_first_of(ends_value));
    }
    // //USER:PASSWORD@host
    void user() {
        copy(2);
        const std::string_view authority = rest_.substr(0, rest_.find_first_of(ends_authority));
        if (const auto at = authority.rfind('@'); at != std::string_view::npos) hide(at);
    }

    std::string_view rest_;
    std::string out_;
};

// The properties of a schema have names like those of secrets, but are no secrets.
bool is_schema_member(std::string_view name) {
    return name == "properties" || name == "inputSchema" || name == "outputSchema" || name == "requestedSchema";
}

void mask_value(json::value& value, bool in_schema) {
    if (auto* text = value.if_string()) {
        if (const std::string safe = mask_text(*text); safe.size() != text->size() || safe != *text) *text = safe;
    } else if (auto* array = value.if_array()) {
        for (json::value& element : *array) mask_value(element, in_schema);
    } else if (auto* object = value.if_object()) {
        for (auto& member : *object) {
            if (is_secret(member.key(), member.value()) && !(in_schema && member.value().is_object())) {
                member.value() = mask_mark;
            } else {
                mask_value(member.value(), in_schema || is_schema_member(member.key()));
            }
        }
    }
}

}  // namespace

bool is_secret_name(std::string_view name) {
    if (name.size() > longest_name) return false;
    if (same_letters(name, "pwd") || names_a_key(name)) return true;
    if (!std::ranges::any_of(secret_words, [name](std::string_view word) { return contains(name, word); }))
        return false;
    return std::ranges::none_of(harmless_names, [name](std::string_view word) { return same_letters(name, word); });
}

bool is_secret(std::string_view name, const json::value& value) {
    if (value.is_null() || !is_secret_name(name)) return false;
    return !(value.is_number() && ends_with(name, "tokens"));
}

std::string mask_text(std::string_view text) {
    const bool plain = text.find_first_of("?&#=\"@: ") == std::string_view::npos;  // as most names are
    return plain ? std::string(text) : TextMask(text).run();
}

void mask_secrets_in(json::value& value) { mask_value(value, false); }

std::string safe_text(std::string_view text, std::size_t max_bytes) {
    // Masks before it cuts, so that a cut cannot separate a credential from the name that shows what it is.
    return base::printable(mask_text(text.substr(0, 4 * max_bytes)), max_bytes);
}

bool is_safe(std::string_view text, std::size_t max_bytes) {
    return text.size() <= max_bytes &&
           std::ranges::all_of(text, [](char c) { return safe_characters[static_cast<unsigned char>(c)]; });
}

// One loop without branches, because it runs for each text of each audit record, and nearly all of them are safe.
bool copy_if_safe(char* to, std::string_view text, std::size_t max_bytes) {
    if (text.size() > max_bytes) return false;
    bool safe = true;
    for (const char c : text) {
        *to++ = c;
        safe &= safe_characters[static_cast<unsigned char>(c)];
    }
    return safe;
}

}  // namespace tenon::observe
