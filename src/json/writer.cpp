#include <tenon/json_writer.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/utf8.hpp"
#include "json/plain.hpp"

namespace tenon::json {
namespace {

void escape(std::string& out, unsigned char c) {
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        default: break;
    }
    constexpr char hex[] = "0123456789abcdef";
    out += "\\u00";
    out += hex[c >> 4];
    out += hex[c & 15];
}

// Collects short text, to append it in one step: appending one character costs as much as appending many.
class Piece {
 public:
    static constexpr std::size_t most = 64;

    void add(char c) { bytes_[size_++] = c; }
    void add(std::string_view s) {
        std::copy_n(s.data(), s.size(), bytes_.data() + size_);
        size_ += s.size();
    }
    void append_to(std::string& out) const { out.append(bytes_.data(), size_); }

 private:
    std::array<char, most + 8> bytes_;
    std::size_t size_ = 0;
};

// Appends the visible symbol of the control character at the start of `s`. Returns its bytes, or 0 when there is none,
// or when it is harmless: tab, newline, and CR before LF.
std::size_t append_symbol(std::string& out, std::string_view s) {
    const auto c = static_cast<unsigned char>(s[0]);
    if (c == 0xC2 && s.size() > 1 && static_cast<unsigned char>(s[1]) >= 0x80 &&
        static_cast<unsigned char>(s[1]) < 0xA0)
        return out += "\uFFFD", 2;
    if (c >= 0x20 || c == '\n' || c == '\t' || s.starts_with("\r\n")) return 0;
    out += {'\xE2', '\x90', static_cast<char>(0x80 + c)};
    return 1;
}

constexpr char del = 0x7f;

// Appends printable characters. DEL is one of them for JSON, but not for a terminal.
void append_plain(std::string& out, std::string_view s, bool neutral) {
    for (std::size_t at; neutral && (at = s.find(del)) != std::string_view::npos; s.remove_prefix(at + 1))
        out.append(s, 0, at) += "\u2421";
    out += s;
}

void append_text(std::string& out, std::string_view s, bool neutral) {
    if (out.capacity() - out.size() < s.size() + 2)
        out.reserve(std::max(out.size() + s.size() + 2, 2 * out.capacity()));
    out += '"';
    while (!s.empty()) {
        const char* const run = plain_end(s.data(), s.data() + s.size());
        if (run != s.data()) {
            const auto size = static_cast<std::size_t>(run - s.data());
            append_plain(out, s.substr(0, size), neutral);
            s.remove_prefix(size);
            continue;
        }
        if (const std::size_t n = neutral ? append_symbol(out, s) : 0) {
            s.remove_prefix(n);
            continue;
        }
        const auto c = static_cast<unsigned char>(s[0]);
        if (c < 0x80) {
            escape(out, c);
            s.remove_prefix(1);
        } else if (const std::size_t n = base::utf8_sequence(s)) {
            out.append(s.data(), n);
            s.remove_prefix(n);
        } else {
            out += "\xEF\xBF\xBD";
            s.remove_prefix(base::utf8_broken(s));
        }
    }
    out += '"';
}

// Returns whether `s` is short and needs no escapes.
bool short_and_plain(std::string_view s, bool neutral) {
    return s.size() <= Piece::most && plain_end(s.data(), s.data() + s.size()) == s.data() + s.size() &&
           !(neutral && s.find(del) != std::string_view::npos);
}

template <class Number>
void append_number(std::string& out, Number n) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), n).ptr;
    out.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
}

}  // namespace

void Writer::key(Key name) {
    const std::string_view text = name.text();
    if (text.size() <= Piece::most && (name.plain() || short_and_plain(text, neutral_))) {
        Piece piece;
        if (comma_) piece.add(',');
        piece.add('"');
        piece.add(text);
        piece.add('"');
        piece.add(':');
        piece.append_to(out_);
    } else {
        separate();
        append_text(out_, text, neutral_);
        out_ += ':';
    }
    comma_ = false;
}

void Writer::null() {
    separate();
    out_ += "null";
}

void Writer::boolean(bool b) {
    separate();
    out_ += b ? "true" : "false";
}

void Writer::number(std::int64_t n) {
    separate();
    append_number(out_, n);
}

void Writer::number(std::uint64_t n) {
    separate();
    append_number(out_, n);
}

void Writer::number(double d) {
    if (!std::isfinite(d)) return null();
    separate();
    append_number(out_, d);
}

void Writer::string(std::string_view s) {
    if (short_and_plain(s, neutral_)) {
        Piece piece;
        if (comma_) piece.add(',');
        piece.add('"');
        piece.add(s);
        piece.add('"');
        piece.append_to(out_);
        comma_ = true;
    } else {
        separate();
        append_text(out_, s, neutral_);
    }
}

void Writer::raw(std::string_view json) {
    separate();
    out_ += json;
}

void Writer::members(std::string_view object) {
    if (object.size() > 2) raw(object.substr(1, object.size() - 2));
}

void Writer::value(const json::object& o) {
    begin_object();
    for (const auto& member : o) {
        key(member.key());
        value(member.value());
    }
    end_object();
}

void Writer::value(const json::array& a) {
    begin_array();
    for (const auto& element : a) value(element);
    end_array();
}

void Writer::value(const json::value& v) {
    switch (v.kind()) {
        case kind::null: return null();
        case kind::bool_: return boolean(v.get_bool());
        case kind::int64: return number(v.get_int64());
        case kind::uint64: return number(v.get_uint64());
        case kind::double_: return number(v.get_double());
        case kind::string: return string(v.get_string());
        case kind::array: return value(v.get_array());
        case kind::object: return value(v.get_object());
    }
}

std::string write(const value& v) {
    std::string out;
    Writer(out).value(v);
    return out;
}

}  // namespace tenon::json
