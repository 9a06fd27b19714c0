#include "observe/mask.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace tenon::observe {
namespace {

constexpr std::string_view mask_mark = "***";
constexpr std::array secret_words = {"token",         "secret",      "password",   "passwd",   "passphrase",
                                     "authorization", "credential",  "cookie",     "apikey",   "api_key",
                                     "api-key",       "private_key", "access_key", "assertion"};
// Members of the protocol that have such a word in their name but no secret as their value.
constexpr std::array harmless_names = {"progresstoken", "maxtokens", "inputtokens", "outputtokens", "token_type"};
constexpr std::size_t longest_name = 128;  // longer names are not secrets: they are data

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::string to_lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) { return to_lower(c); });
    return out;
}

bool ends_value(char c) { return c == '&' || c == '#' || c == '"' || c == '\'' || c == '<' || c == '>' || c <= ' '; }
bool in_parameter(char c) { return base::is_alnum(c) || c == '_' || c == '-' || c == '.'; }
bool in_credential(char c) {
    return base::is_alnum(c) || std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

bool same_word(std::string_view text, std::string_view lower_case) {
    return text.size() >= lower_case.size() &&
           std::ranges::equal(text.substr(0, lower_case.size()), lower_case, {}, [](char c) { return to_lower(c); });
}

/// Copies a text and leaves its secrets out. Looks at each character a fixed number of times.
class TextMask {
 public:
    explicit TextMask(std::string_view text) : text_(text) {}

    std::string run() && {
        while (at_ < text_.size()) {
            if (credential("bearer ") || credential("basic ") || parameter() || password()) continue;
            out_ += text_[at_++];
        }
        return std::move(out_);
    }

 private:
    bool begins_word() const { return at_ == 0 || !base::is_alnum(text_[at_ - 1]); }
    void replace_until(std::size_t end) {
        out_ += mask_mark;
        at_ = end;
    }
    bool credential(std::string_view scheme) {
        if (!begins_word() || !same_word(text_.substr(at_), scheme)) return false;
        std::size_t end = at_ + scheme.size();
        while (end < text_.size() && in_credential(text_[end])) ++end;
        if (end < at_ + scheme.size() + 4) return false;  // the words of a sentence
        out_ += text_.substr(at_, scheme.size());
        replace_until(end);
        return true;
    }
    // "?name=value" or "&name=value"
    bool parameter() {
        if (text_[at_] != '?' && text_[at_] != '&') return false;
        std::size_t name = at_ + 1, end = name;
        while (end < text_.size() && end - name <= longest_name && in_parameter(text_[end])) ++end;
        if (end == text_.size() || text_[end] != '=' || !is_secret_name(text_.substr(name, end - name))) return false;
        out_ += text_.substr(at_, end + 1 - at_);
        at_ = ++end;
        while (end < text_.size() && !ends_value(text_[end])) ++end;
        replace_until(end);
        return true;
    }
    // "//user:password@host"
    bool password() {
        if (!same_word(text_.substr(at_), "//")) return false;
        const std::string_view rest = text_.substr(at_ + 2);
        std::size_t colon = std::string_view::npos, i = 0;
        for (; i < rest.size() && rest[i] != '/' && rest[i] != '@' && rest[i] != '?' && !ends_value(rest[i]); ++i)
            if (rest[i] == ':' && colon == std::string_view::npos) colon = i;
        const bool found = i < rest.size() && rest[i] == '@' && colon != std::string_view::npos;
        out_ += text_.substr(at_, found ? colon + 3 : 2);
        found ? replace_until(at_ + 2 + i) : void(at_ += 2);
        return true;
    }

    const std::string_view text_;
    std::size_t at_ = 0;
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
            const bool secret = is_secret_name(member.key()) && !member.value().is_null();
            if (secret && !(in_schema && member.value().is_object())) {
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
    const std::string text = to_lower(name);
    if (text == "key" || text == "pwd") return true;
    if (std::ranges::find(harmless_names, text) != harmless_names.end()) return false;
    return std::ranges::any_of(secret_words,
                               [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::string mask_text(std::string_view text) { return TextMask(text).run(); }

void mask_secrets_in(json::value& value) { mask_value(value, false); }

}  // namespace tenon::observe
