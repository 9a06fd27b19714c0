// Compiled with optimisation and without sanitizers in every build, because it reads all output of the servers under
// test byte by byte.
#include "property/json_text.hpp"

#include <cctype>
#include <cstdint>
#include <set>

namespace tenon::test {
namespace {

class Reader {
 public:
    Reader(std::string_view text, std::size_t depth) : text_(text), depth_(depth) {}

    std::optional<Json> whole() {
        Json out;
        if (!value(out)) return std::nullopt;
        space();
        if (at_ != text_.size()) return std::nullopt;
        return out;
    }

 private:
    int peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }
    bool take(char c) {
        if (peek() != static_cast<unsigned char>(c)) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    void space() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
    }
    bool digits() {
        if (peek() < '0' || peek() > '9') return false;
        while (peek() >= '0' && peek() <= '9') ++at_;
        return true;
    }

    bool value(Json& out) {
        space();
        switch (peek()) {
            case '{': return object(out);
            case '[': return array(out);
            case '"': out.kind = Json::Kind::string; return string(out.text);
            case 't': out.kind = Json::Kind::boolean; return take(std::string_view("true"));
            case 'f': out.kind = Json::Kind::boolean; return take(std::string_view("false"));
            case 'n': return take(std::string_view("null"));
            default: return number(out);
        }
    }
    bool number(Json& out) {
        const std::size_t start = at_;
        take('-');
        if (!take('0') && !digits()) return false;
        if (take('.') && !digits()) return false;
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            if (!digits()) return false;
        }
        out.kind = Json::Kind::number;
        out.text = text_.substr(start, at_ - start);
        return true;
    }
    bool array(Json& out) {
        out.kind = Json::Kind::array;
        ++at_;
        if (depth_ == 0) return false;
        --depth_;
        space();
        if (!take(']')) {
            do {
                if (!value(out.items.emplace_back())) return false;
                space();
            } while (take(','));
            if (!take(']')) return false;
        }
        ++depth_;
        return true;
    }
    bool object(Json& out) {
        out.kind = Json::Kind::object;
        ++at_;
        if (depth_ == 0) return false;
        --depth_;
        space();
        std::set<std::string> seen;
        if (!take('}')) {
            do {
                space();
                auto& [key, member] = out.members.emplace_back();
                if (peek() != '"' || !string(key) || !seen.insert(key).second) return false;
                space();
                if (!take(':') || !value(member)) return false;
                space();
            } while (take(','));
            if (!take('}')) return false;
        }
        ++depth_;
        return true;
    }

    bool string(std::string& out) {
        ++at_;
        for (;;) {
            const int c = peek();
            if (c < 0x20) return false;  // also at the end of the text
            if (take('"')) return true;
            if (take('\\')) {
                if (!escape(out)) return false;
            } else if (c < 0x80) {
                const std::size_t start = at_;
                while (peek() >= 0x20 && peek() < 0x80 && peek() != '"' && peek() != '\\') ++at_;
                out += text_.substr(start, at_ - start);
            } else if (!sequence(out)) {
                return false;
            }
        }
    }
    bool escape(std::string& out) {
        const int c = peek();
        ++at_;
        switch (c) {
            case '"':
            case '\\':
            case '/': out += static_cast<char>(c); return true;
            case 'b': out += '\b'; return true;
            case 'f': out += '\f'; return true;
            case 'n': out += '\n'; return true;
            case 'r': out += '\r'; return true;
            case 't': out += '\t'; return true;
            case 'u': break;
            default: return false;
        }
        auto unit = hex4();
        if (!unit || (*unit >= 0xDC00 && *unit < 0xE000)) return false;
        if (*unit >= 0xD800 && *unit < 0xDC00) {
            if (!take('\\') || !take('u')) return false;
            const auto low = hex4();
            if (!low || *low < 0xDC00 || *low >= 0xE000) return false;
            unit = 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
        }
        append(out, *unit);
        return true;
    }
    std::optional<std::uint32_t> hex4() {
        std::uint32_t v = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const int c = peek();
            if (c < 0 || !std::isxdigit(c)) return std::nullopt;
            v = v * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        return v;
    }
    static void append(std::string& out, std::uint32_t c) {
        const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
        if (c < 0x80) {
            out += static_cast<char>(c);
        } else if (c < 0x800) {
            out += static_cast<char>(0xC0 | (c >> 6));
            tail(0);
        } else if (c < 0x10000) {
            out += static_cast<char>(0xE0 | (c >> 12));
            tail(6), tail(0);
        } else {
            out += static_cast<char>(0xF0 | (c >> 18));
            tail(12), tail(6), tail(0);
        }
    }
    // The table of well-formed UTF-8 sequences of the Unicode standard (table 3-7).
    bool sequence(std::string& out) {
        const int first = peek();
        int length = 0, low = 0x80, high = 0xBF;
        if (first >= 0xC2 && first <= 0xDF) length = 2;
        if (first >= 0xE0 && first <= 0xEF) length = 3;
        if (first >= 0xF0 && first <= 0xF4) length = 4;
        if (length == 0) return false;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;
        out += static_cast<char>(first);
        ++at_;
        for (int i = 1; i < length; ++i, ++at_) {
            const int c = peek();
            if (c < low || c > high) return false;
            out += static_cast<char>(c);
            low = 0x80, high = 0xBF;
        }
        return true;
    }

    std::string_view text_;
    std::size_t depth_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Json> JsonReader::read(std::string_view text, std::size_t max_depth) {
    return Reader(text, max_depth).whole();
}

}  // namespace tenon::test
