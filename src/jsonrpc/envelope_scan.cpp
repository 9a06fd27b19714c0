#include "jsonrpc/envelope_scan.hpp"

#include <charconv>
#include <utility>

namespace tenon::jsonrpc {
namespace {

constexpr std::size_t max_word = 64;  // longer than all names and numbers that matter, also with escapes

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

// Returns a name without its escapes: "\u0069d" is "id". Only \u matters: the names that we look for are ASCII letters.
std::string unescaped(std::string_view word) {
    std::string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '\\' || i + 1 == word.size()) {
            out += word[i];
            continue;
        }
        const std::string_view digits = word.substr(i + 2, 4);
        const char* const last = digits.data() + digits.size();
        unsigned code = 0;
        const bool whole = digits.size() == 4 && std::from_chars(digits.data(), last, code, 16).ptr == last;
        if (word[i + 1] == 'u' && whole && code < 0x80) {
            out += static_cast<char>(code);
            i += 5;
        } else {
            out += word.substr(i++, 2);
        }
    }
    return out;
}

}  // namespace

void EnvelopeScan::feed(std::string_view bytes) {
    for (const char c : bytes) {
        if (place_ == Place::over) return;
        in_string_ ? take_in_string(c) : take(c);
    }
}

void EnvelopeScan::take_in_string(char c) {
    keep(c);
    if (escaped_) {
        escaped_ = false;
    } else if (c == '\\') {
        escaped_ = true;
    } else if (c == '"') {
        in_string_ = false;
    }
}

void EnvelopeScan::take(char c) {
    if (is_space(c)) return;
    if (place_ == Place::start) return take_first(c);
    const bool in_message = place_ != Place::outside && depth_ == message_depth_;
    switch (c) {
        case '"':
            in_string_ = true;
            keep(c);
            break;
        case '{':
        case '[': open(c); break;
        case '}':
        case ']': close(); break;
        case ':': in_message ? end_key() : void(); break;
        case ',': in_message ? end_value() : void(); break;
        default: keep(c);
    }
}

void EnvelopeScan::take_first(char c) {
    place_ = c == '{' || c == '[' ? Place::outside : Place::over;
    if (c == '[') message_depth_ = 2;
    if (place_ == Place::outside) open(c);
}

void EnvelopeScan::open(char c) {
    if (++depth_ != message_depth_ || c != '{') return;
    place_ = Place::key;
    word_.clear(), key_.clear(), id_.reset();
    has_version_ = has_method_ = has_outcome_ = told_ = false;
}

void EnvelopeScan::close() {
    if (depth_ == message_depth_ && place_ != Place::outside) {
        end_value();
        end_message();
        place_ = Place::outside;
    }
    if (--depth_ == 0) place_ = Place::over;
}

// Stores only keys and values of the message itself, not those inside its members.
void EnvelopeScan::keep(char c) {
    if (depth_ == message_depth_ && place_ != Place::outside && word_.size() < max_word) word_ += c;
}

void EnvelopeScan::end_key() {
    if (place_ != Place::key) return;
    key_ = std::exchange(word_, {});
    if (key_.find('\\') != key_.npos) key_ = unescaped(key_);
    place_ = Place::value;
    has_version_ = has_version_ || key_ == "\"jsonrpc\"";
    has_method_ = has_method_ || key_ == "\"method\"";
    has_outcome_ = has_outcome_ || key_ == "\"result\"" || key_ == "\"error\"";
    if (has_outcome_ && id_) answered();
}

void EnvelopeScan::end_value() {
    if (place_ == Place::value && key_ == "\"id\"") id_ = integer(word_);
    place_ = Place::key;
    word_.clear(), key_.clear();
    if (has_outcome_ && id_) answered();
}

// A message with a method is a request or a notification of the peer, even if it has a result.
void EnvelopeScan::end_message() {
    has_call_ = has_call_ || has_method_;
    if (has_method_ || told_) return;
    if (id_) return answered();
    if (has_outcome_ || has_version_) unknown_answer_ = true;
}

void EnvelopeScan::answered() {
    if (has_method_ || std::exchange(told_, true)) return;
    if (answers_.size() < max_answers) return answers_.push_back(*id_);
    unknown_answer_ = true;
}

void EnvelopeScan::end() {
    if (place_ == Place::key || place_ == Place::value) end_message();
    place_ = Place::over;
}

EnvelopeScan scan_envelope(std::string_view message) {
    EnvelopeScan scan;
    scan.feed(message);
    scan.end();
    return scan;
}

bool looks_like_message(std::string_view text) { return text.find("\"jsonrpc\"") != std::string_view::npos; }

}  // namespace tenon::jsonrpc
