#include "framing/resp.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tenon::framing {
namespace {

using Kind = RespValue::Kind;

void append_header(std::string& out, char type, std::size_t length) {
    out += type;
    out += std::to_string(length);
    out += "\r\n";
}

std::optional<std::int64_t> number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
}

RespValue make(Kind kind, std::string_view text) {
    RespValue out;
    out.kind = kind;
    out.text = text;
    return out;
}

RespValue make(std::int64_t n) {
    RespValue out;
    out.kind = Kind::integer;
    out.integer = n;
    return out;
}

}  // namespace

void append_resp_command(std::string& out, std::span<const std::string_view> parts) {
    append_header(out, '*', parts.size());
    for (const auto part : parts) {
        append_header(out, '$', part.size());
        out += part;
        out += "\r\n";
    }
}

bool RespReader::fail(std::string why) {
    error_ = std::move(why);
    return false;
}

bool RespReader::take(std::string_view& bytes, RespValue& out) {
    while (!bytes.empty() && error_.empty()) {
        if (bulk_type_ != 0) {
            if (!take_bulk(bytes)) return false;
            const auto kind = std::exchange(bulk_type_, '\0') == '!' ? Kind::error : Kind::text;
            if (complete(make(kind, bulk_), out)) return true;
        } else {
            if (!take_line(bytes)) return false;
            if (on_line(out)) return true;
        }
    }
    return false;
}

// Collects a line without its end. Returns whether it is complete.
bool RespReader::take_line(std::string_view& bytes) {
    const auto end = bytes.find('\n');
    const auto piece = bytes.substr(0, end);
    if (line_.size() + piece.size() > limits_.max_line_bytes) return fail("a line of the reply is too long");
    line_ += piece;
    if (end == std::string_view::npos) {
        bytes = {};
        return false;
    }
    bytes.remove_prefix(end + 1);
    if (!line_.ends_with('\r')) return fail("a line of the reply ends without CR");
    line_.pop_back();
    return true;
}

bool RespReader::take_bulk(std::string_view& bytes) {
    const auto piece = bytes.substr(0, bulk_missing_);
    bulk_ += piece;
    bulk_missing_ -= piece.size();
    bytes.remove_prefix(piece.size());
    if (bulk_missing_ > 0) return false;
    if (!bulk_.ends_with("\r\n")) return fail("a bulk string of the reply has a wrong length");
    bulk_.resize(bulk_.size() - 2);
    if (bulk_type_ == '=' && bulk_.size() >= 4) bulk_.erase(0, 4);  // "txt:"
    return true;
}

bool RespReader::on_line(RespValue& out) {
    const std::string line = std::exchange(line_, {});
    if (line.empty()) return fail("the reply has an empty line");
    bytes_ += line.size();
    if (bytes_ > limits_.max_reply_bytes) return fail("the reply is too large");
    return on_header(line[0], std::string_view(line).substr(1), out);
}

bool RespReader::on_header(char type, std::string_view rest, RespValue& out) {
    switch (type) {
        case '+':
        case ',':
        case '(': return complete(make(Kind::text, rest), out);
        case '-': return complete(make(Kind::error, rest), out);
        case '_': return rest.empty() ? complete({}, out) : fail("the reply has a wrong null");
        case '#':
            if (rest != "t" && rest != "f") return fail("the reply has a wrong boolean");
            return complete(make(rest == "t" ? 1 : 0), out);
        default: break;
    }
    if (std::string_view(":$=!*%~>").find(type) == std::string_view::npos)
        return fail("the reply has an unknown type. Is this a Redis server?");
    const auto n = number(rest);
    if (!n) return fail("the reply has a wrong number");
    return type == ':' ? complete(make(*n), out) : on_length(type, *n, out);
}

bool RespReader::on_length(char type, std::int64_t length, RespValue& out) {
    if (length == -1 && (type == '$' || type == '*')) return complete({}, out);
    if (length < 0) return fail("the reply has a negative length");
    const auto size = static_cast<std::size_t>(length);
    if (type == '$' || type == '=' || type == '!') {
        if (size > limits_.max_reply_bytes - std::min(bytes_, limits_.max_reply_bytes))
            return fail("the reply is too large");
        bytes_ += size;
        bulk_.clear();
        bulk_type_ = type;
        bulk_missing_ = size + 2;
        return false;
    }
    if (size > limits_.max_items) return fail("the reply has too many values");
    const auto items = type == '%' ? 2 * size : size;
    if (stack_.size() >= limits_.max_depth) return fail("the reply is nested too deeply");
    RespValue value;
    value.kind = type == '>' ? Kind::push : Kind::array;
    if (items == 0) return complete(std::move(value), out);
    if (items > limits_.max_items - std::min(items_, limits_.max_items)) return fail("the reply has too many values");
    stack_.push_back({std::move(value), items});
    return false;
}

// Adds a value to the innermost array. Returns whether the whole reply is complete.
bool RespReader::complete(RespValue value, RespValue& out) {
    if (++items_ > limits_.max_items) return fail("the reply has too many values");
    for (;;) {
        if (stack_.empty()) {
            out = std::move(value);
            bytes_ = items_ = 0;
            return true;
        }
        auto& frame = stack_.back();
        frame.value.items.push_back(std::move(value));
        if (--frame.missing > 0) return false;
        value = std::move(frame.value);
        stack_.pop_back();
    }
}

}  // namespace tenon::framing
