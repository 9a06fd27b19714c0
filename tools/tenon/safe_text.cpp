#include "safe_text.hpp"

#include <algorithm>
#include <array>

#include "unicode.hpp"

namespace tenon::program {
namespace {

constexpr char32_t first_symbol = 0x203C;  // smaller code points have no emoji form worth keeping

std::string visible_byte(char32_t byte) {
    return {'<', "0123456789ABCDEF"[(byte >> 4) & 15], "0123456789ABCDEF"[byte & 15], '>'};
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string json_unit(std::uint32_t unit) {
    std::string out = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += "0123456789abcdef"[(unit >> shift) & 15];
    return out;
}

std::string json_escape(char32_t c) {
    if (c < 0x10000) return json_unit(c);
    const std::uint32_t rest = c - 0x10000;
    return json_unit(0xD800 + (rest >> 10)) + json_unit(0xDC00 + (rest & 0x3FF));
}

}  // namespace

std::size_t SafeText::width() const { return columns(text_); }

SafeText SafeText::slice(std::size_t at, std::size_t bytes) const {
    const auto align = [this](std::size_t i) {
        i = std::min(i, text_.size());
        while (i > 0 && i < text_.size() && is_continuation(text_[i])) --i;
        return i;
    };
    const std::size_t begin = align(at);
    const std::size_t end = bytes > text_.size() - begin ? text_.size() : align(begin + bytes);
    return SafeText(SafeText::Checked{text_.substr(begin, end - begin)});
}

SafeText& SafeText::operator+=(const SafeText& more) {
    text_ += more.text_;
    return *this;
}

SafeText safe_text(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    char32_t before = 0;
    while (!bytes.empty()) {
        const CodePoint c = first_code_point(bytes);
        const std::string_view raw = bytes.substr(0, c.bytes);
        bytes.remove_prefix(c.bytes);
        if (c.value == '\r' && bytes.starts_with('\n')) continue;
        const bool styles_a_symbol = is_emoji_style(c.value) && before >= first_symbol && !is_dangerous(before);
        if (!c.valid) {
            out += visible_byte(c.value);
        } else if (c.value == '\n' || c.value == '\t' || !is_dangerous(c.value) || styles_a_symbol) {
            out += raw;
        } else {
            out += visible_name(c.value);
        }
        before = c.value;
    }
    return SafeText(SafeText::Checked{std::move(out)});
}

SafeText safe_line(std::string_view bytes) {
    const SafeText safe = safe_text(bytes);
    std::string out;
    for (const char c : safe.view()) {
        const bool space = c == ' ' || c == '\n' || c == '\t';
        if (!space) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    if (out.ends_with(' ')) out.pop_back();
    return SafeText(SafeText::Checked{std::move(out)});
}

SafeText safe_json(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    while (!json.empty()) {
        const CodePoint c = first_code_point(json);
        if (!c.valid) {
            out += "\\ufffd";
        } else if (c.value != '\n' && is_dangerous(c.value)) {
            out += json_escape(c.value);
        } else {
            out += json.substr(0, c.bytes);
        }
        json.remove_prefix(c.bytes);
    }
    return SafeText(SafeText::Checked{std::move(out)});
}

SafeText spaces(std::size_t n) { return SafeText(SafeText::Checked{std::string(n, ' ')}); }

SafeText repeated(Literal text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text.view();
    return SafeText(SafeText::Checked{std::move(out)});
}

SafeText number(std::int64_t n) { return SafeText(SafeText::Checked{std::to_string(n)}); }

}  // namespace tenon::program
