#include "jsonrpc/raw_id.hpp"

namespace tenon::jsonrpc {
namespace {

// Walks over text that is known to be valid JSON, so that it only has to know where values end.
class Walker {
 public:
    explicit Walker(std::string_view text) : text_(text) {}

    bool take(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    std::string_view take_value() {
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

 private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
            ++at_;
    }
    void skip_string() {
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        ++at_;
    }
    void skip_scalar() {
        while (at_ < text_.size() && std::string_view(" \t\r\n,]}").find(text_[at_]) == std::string_view::npos) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool is_id_key(std::string_view key) {
    // Any letter may also be spelled as an escape.
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

std::string_view raw_id(std::string_view text, std::size_t index) {
    Walker walker(text);
    if (walker.take('[')) {
        for (std::size_t i = 0; i < index; ++i) {
            walker.take_value();
            walker.take(',');
        }
    }
    if (!walker.take('{')) return {};
    do {
        const std::string_view key = walker.take_value();
        if (!walker.take(':')) return {};
        const std::string_view value = walker.take_value();
        if (is_id_key(key)) return value;
    } while (walker.take(','));
    return {};
}

}  // namespace tenon::jsonrpc
