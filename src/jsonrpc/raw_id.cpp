#include "jsonrpc/raw_id.hpp"

namespace tenon::jsonrpc {

bool JsonWalker::take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

std::string_view JsonWalker::take_value() {
    skip_space();
    const std::size_t start = at_;
    int depth = 0;
    do {
        if (at_ >= text_.size()) break;
        const char c = text_[at_];
        if (c == '"') {
            skip_string();
        } else {
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
            ++at_;
            if (depth == 0 && c != '}' && c != ']') skip_scalar();
        }
    } while (depth > 0);
    return text_.substr(start, at_ - start);
}

void JsonWalker::skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
        ++at_;
}

void JsonWalker::skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
    ++at_;
}

void JsonWalker::skip_scalar() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,]}").find(text_[at_]) == std::string_view::npos) ++at_;
}

namespace {

bool is_id_key(std::string_view key) {
    // Any letter may also be written as an escape.
    for (const char letter : {'i', 'd'}) {
        if (key.size() == 0) return false;
        key.remove_prefix(letter == 'i' ? 1 : 0);  // the opening quote
        const std::string_view escaped = letter == 'i' ? "\\u0069" : "\\u0064";
        if (key.substr(0, 1) == std::string_view(&letter, 1)) {
            key.remove_prefix(1);
        } else if (key.substr(0, escaped.size()) == escaped) {
            key.remove_prefix(escaped.size());
        } else {
            return false;
        }
    }
    return key == "\"";
}

}  // namespace

std::string_view RawIds::at(std::size_t index) {
    for (; next_ < index; ++next_) {
        walker_.take_value();
        walker_.take(',');
    }
    JsonWalker message = walker_;
    if (!message.take('{')) return {};
    do {
        const std::string_view key = message.take_value();
        if (!message.take(':')) return {};
        const std::string_view value = message.take_value();
        if (is_id_key(key)) return value;
    } while (message.take(','));
    return {};
}

}  // namespace tenon::jsonrpc
