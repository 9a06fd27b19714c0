#include "check/wire/reading.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"
#include "json/scan.hpp"
#include "jsonrpc/raw_id.hpp"

namespace tenon::check {
namespace {

constexpr std::string_view mark = "\xEF\xBB\xBF", replacement = "\xEF\xBF\xBD", escaped_replacement = "\\ufffd";
constexpr std::size_t max_message_depth = 1000;

// Returns the code unit of "\uXXXX" at the beginning of `s`.
std::optional<unsigned> unit_of(std::string_view s) {
    if (s.size() < 6 || s[0] != '\\' || s[1] != 'u') return std::nullopt;
    unsigned out = 0;
    for (const char c : s.substr(2, 4)) {
        const char low = static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9')
            out = out * 16 + static_cast<unsigned>(c - '0');
        else if (low >= 'a' && low <= 'f')
            out = out * 16 + static_cast<unsigned>(low - 'a' + 10);
        else
            return std::nullopt;
    }
    return out;
}

bool is_high(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool is_low(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

// Copies JSON text and repairs defects that a parser would refuse. Remembers the first defect.
class Mender {
 public:
    explicit Mender(std::string_view text) : rest_(text) {}

    std::string mend() {
        if (rest_.starts_with(mark)) take(mark.size(), {}, TextDefect::byte_order_mark);
        while (!rest_.empty()) step();
        return std::move(out_);
    }
    TextDefect defect() const { return defect_; }

 private:
    void step() {
        const char c = rest_.front();
        if (static_cast<unsigned char>(c) >= 0x80) return take_wide();
        if (in_string_ && c == '\\') return take_escape();
        if (in_string_ && static_cast<unsigned char>(c) < 0x20)
            return take(1, escaped_replacement, TextDefect::control_character);
        if (c == '"') in_string_ = !in_string_;
        keep(1);
    }
    void take_wide() {
        if (const std::size_t n = base::utf8_sequence(rest_)) return keep(n);
        take(std::max<std::size_t>(base::utf8_broken(rest_), 1), replacement, TextDefect::not_utf8);
    }
    void take_escape() {
        const auto unit = unit_of(rest_);
        if (is_high(unit) && is_low(unit_of(rest_.substr(6)))) return keep(12);
        if (is_high(unit) || is_low(unit)) return take(6, escaped_replacement, TextDefect::lone_surrogate);
        keep(std::min<std::size_t>(2, rest_.size()));
    }
    void keep(std::size_t n) {
        out_ += rest_.substr(0, n);
        rest_.remove_prefix(n);
    }
    void take(std::size_t n, std::string_view instead, TextDefect defect) {
        out_ += instead;
        rest_.remove_prefix(n);
        if (defect_ == TextDefect::none) defect_ = defect;
    }

    std::string_view rest_;
    std::string out_;
    bool in_string_ = false;
    TextDefect defect_ = TextDefect::none;
};

}  // namespace

Reading read_patiently(std::string_view text) {
    auto strict = json::parse(text, {.max_depth = max_message_depth});
    if (strict) return {*std::move(strict)};
    Mender mender(text);
    const std::string mended = mender.mend();
    auto value = json::parse_patiently(mended, {.max_depth = max_message_depth});
    if (!value) return {std::nullopt, TextDefect::no_json, strict.error().message};
    const TextDefect defect = mender.defect() == TextDefect::none ? TextDefect::repeated_member : mender.defect();
    return {*std::move(value), defect, strict.error().message};
}

std::string spelled_id(std::string_view text, std::size_t index) {
    jsonrpc::RawIds ids(text);
    return std::string(ids.at(index));
}

}  // namespace tenon::check
