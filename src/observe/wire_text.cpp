// Writes messages of a WireTap as text for people, or as JSON.

#include <algorithm>

#include <tenon/json_writer.hpp>
#include <tenon/wire_tap.hpp>

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "observe/mask.hpp"

namespace tenon {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_malformed_bytes = 1024;  // of a message that is not JSON

void append_digits(std::string& out, long long number, int width) {
    std::string digits = std::to_string(number);
    if (digits.size() < static_cast<std::size_t>(width))
        out.append(static_cast<std::size_t>(width) - digits.size(), '0');
    out += digits;
}

std::string time_of_day(const WireMessage& message) {
    const auto since = std::chrono::floor<milliseconds>(message.time.time_since_epoch());
    const auto day = std::chrono::floor<std::chrono::days>(since);
    const std::chrono::hh_mm_ss clock(since - day);
    std::string out;
    append_digits(out, clock.hours().count(), 2);
    append_digits(out += ':', clock.minutes().count(), 2);
    append_digits(out += ':', clock.seconds().count(), 2);
    append_digits(out += '.', clock.subseconds().count(), 3);
    return out;
}

std::string date(const WireMessage& message) {
    const auto days = std::chrono::floor<std::chrono::days>(message.time);
    const std::chrono::year_month_day day(days);
    std::string out;
    append_digits(out, static_cast<int>(day.year()), 4);
    append_digits(out += '-', static_cast<unsigned>(day.month()), 2);
    append_digits(out += '-', static_cast<unsigned>(day.day()), 2);
    return out;
}

void append_unit(std::string& out, unsigned unit) {
    static constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u";
    for (unsigned shift = 16; shift != 0; shift -= 4) out += digits[(unit >> (shift - 4)) & 15];
}

// Returns a JSON text with escapes instead of hidden characters, which are only in its strings.
std::string with_escapes(std::string text) {
    const auto plain = [](char c) { return c >= 0x20 && c < 0x7F; };
    if (std::ranges::all_of(text, plain)) return text;
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t n = std::max<std::size_t>(base::utf8_sequence(rest), 1);
        const char32_t c = base::decode_utf8(rest.substr(0, n));
        if (!base::is_hidden(c)) {
            out += rest.substr(0, n);
        } else if (c < 0x10000) {
            append_unit(out, c);
        } else {  // a surrogate pair
            append_unit(out, 0xD800 + ((c - 0x10000) >> 10));
            append_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
        }
        rest.remove_prefix(n);
    }
    return out;
}

}  // namespace

std::string mask_secrets(std::string_view text) {
    Result<json::value> parsed = json::parse(text);
    if (!parsed) return observe::mask_text(text.substr(0, most_malformed_bytes));
    observe::mask_secrets_in(*parsed);
    return json::write(*parsed);
}

std::string wire_line(const WireMessage& message, std::size_t max_bytes) {
    std::string out = time_of_day(message);
    out += message.direction == WireMessage::Direction::received ? " <- #" : " -> #";
    out += std::to_string(message.connection) + ' ' + std::to_string(message.text.size()) + ' ';
    if (message.http_status != 0) out += "HTTP " + std::to_string(message.http_status) + ' ';
    return out + base::printable(mask_secrets(message.text), max_bytes);
}

std::string wire_json(const WireMessage& message) {
    std::string out;
    json::Writer w(out);
    w.begin_object();
    w.field("time", date(message) + 'T' + time_of_day(message) + 'Z');
    w.field("side", message.side == WireMessage::Side::server ? "server" : "client");
    w.field("direction", message.direction == WireMessage::Direction::received ? "received" : "sent");
    w.field("connection", message.connection);
    w.field("bytes", message.text.size());
    if (message.http_status != 0) w.field("status", message.http_status);
    if (Result<json::value> parsed = json::parse(message.text)) {
        observe::mask_secrets_in(*parsed);
        w.field("message", *parsed);
    } else {
        w.field("malformed", observe::mask_text(message.text.substr(0, most_malformed_bytes)));
    }
    w.end_object();
    return with_escapes(std::move(out));
}

}  // namespace tenon
