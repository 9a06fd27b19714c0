// The formats of W3C Trace Context (Level 2) and W3C Baggage.
#include <tenon/trace_context.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "protocol/meta_keys.hpp"

namespace tenon::trace_format {
namespace {

constexpr std::size_t version_00_bytes = 55;  // 00-<32>-<16>-<2>

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
// Digits, not all zero. Every observed call asks for this, so there are no branches: the compiler uses vectors.
template <std::size_t N>
bool is_id(const char* text) {
    unsigned char wrong = 0, other = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto digit = static_cast<unsigned char>(c - '0'), letter = static_cast<unsigned char>(c - 'a');
        wrong |= static_cast<unsigned char>((digit > 9) & (letter > 5));
        other |= digit;
    }
    return wrong == 0 && other != 0;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Calls `valid` with each member of a list, without the spaces around it. Returns whether all are valid.
template <class Valid>
bool all_members(std::string_view list, char separator, Valid valid) {
    while (true) {
        const auto end = list.find(separator);
        if (!valid(trimmed(list.substr(0, end)))) return false;
        if (end == std::string_view::npos) return true;
        list.remove_prefix(end + 1);
    }
}

bool is_traceparent(std::string_view text) {
    if (text.size() < version_00_bytes || text.size() > TraceContext::max_traceparent_bytes) return false;
    const std::string_view version = text.substr(0, 2);
    if (!std::ranges::all_of(version, is_hex) || version == "ff") return false;
    // A later version may have more fields after the flags.
    if (text.size() > version_00_bytes && (version == "00" || text[version_00_bytes] != '-')) return false;
    // The checks below cover all characters of version 00.
    if (text.size() > version_00_bytes &&
        text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") !=
            std::string_view::npos)
        return false;
    return text[2] == '-' && text[35] == '-' && text[52] == '-' && is_id<32>(text.data() + 3) &&
           is_id<16>(text.data() + 36) && std::ranges::all_of(text.substr(53, 2), is_hex);
}

// ---- tracestate

bool is_state_key_part(std::string_view part, std::size_t longest, bool digit_first) {
    const auto allowed = [](char c) {
        return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '*' || c == '/';
    };
    return !part.empty() && part.size() <= longest && (is_lower(part[0]) || (digit_first && is_digit(part[0]))) &&
           std::ranges::all_of(part, allowed);
}

bool is_state_key(std::string_view key) {
    const auto at = key.find('@');
    if (at == std::string_view::npos) return is_state_key_part(key, 256, true);
    return is_state_key_part(key.substr(0, at), 241, true) && is_state_key_part(key.substr(at + 1), 14, false);
}

bool is_state_value(std::string_view value) {
    const auto allowed = [](char c) { return c >= 0x20 && c <= 0x7e && c != ',' && c != '='; };
    return !value.empty() && value.size() <= 256 && value.back() != ' ' && std::ranges::all_of(value, allowed);
}

bool is_tracestate(std::string_view text) {
    if (text.empty() || text.size() > TraceContext::max_tracestate_bytes) return false;
    std::set<std::string_view> keys;
    const bool valid = all_members(text, ',', [&](std::string_view member) {
        if (member.empty()) return true;
        const auto equals = member.find('=');
        return equals != std::string_view::npos && is_state_key(member.substr(0, equals)) &&
               is_state_value(member.substr(equals + 1)) && keys.insert(member.substr(0, equals)).second &&
               keys.size() <= TraceContext::max_tracestate_members;
    });
    return valid && !keys.empty();
}

// ---- baggage

bool is_token(std::string_view text) {
    const auto allowed = [](char c) {
        return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    };
    return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_baggage_value(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\'; });
}

// Returns whether the text is "name=value". `alone`: a name without a value is valid, too.
bool is_pair(std::string_view text, bool alone) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return alone && is_token(text);
    return is_token(trimmed(text.substr(0, equals))) && is_baggage_value(trimmed(text.substr(equals + 1)));
}

bool is_baggage(std::string_view text) {
    if (text.empty() || text.size() > TraceContext::max_baggage_bytes) return false;
    std::size_t members = 0;
    return all_members(text, ',', [&](std::string_view member) {
        bool first = true;
        return ++members <= TraceContext::max_baggage_members && all_members(member, ';', [&](std::string_view part) {
            return is_pair(part, !std::exchange(first, false));
        });
    });
}

std::string text_of(const json::object& meta, std::string_view key) {
    const json::value* found = meta.if_contains(key);
    if (!found || !found->is_string() || found->get_string().size() > TraceContext::max_baggage_bytes) return {};
    return std::string(found->get_string());
}

}  // namespace
}  // namespace tenon::trace_format

namespace tenon {

TraceContext::Ids TraceContext::ids() const {
    if (!trace_format::is_traceparent(traceparent)) return {};
    const std::string_view text = traceparent;
    return {text.substr(3, 32), text.substr(36, 16)};
}

std::string_view TraceContext::trace_id() const { return ids().trace; }

std::string_view TraceContext::span_id() const { return ids().span; }

bool TraceContext::sampled() const {
    // The lowest bit of the flags. '1', '3', ..., 'b', 'd', 'f' are the odd digits.
    return trace_format::is_traceparent(traceparent) &&
           std::string_view("13579bdf").find(traceparent[54]) != std::string_view::npos;
}

TraceContext TraceContext::with_span(std::string_view id) const {
    TraceContext out = *this;
    if (trace_format::is_traceparent(traceparent) && id.size() == 16 && trace_format::is_id<16>(id.data()))
        out.traceparent.replace(36, 16, id);
    return out;
}

TraceContext TraceContext::valid() const {
    TraceContext out;
    if (trace_format::is_traceparent(traceparent)) {
        out.traceparent = traceparent;
        if (trace_format::is_tracestate(tracestate)) out.tracestate = tracestate;
    }
    if (trace_format::is_baggage(baggage)) out.baggage = baggage;
    return out;
}

TraceContext TraceContext::read(const json::object& meta) {
    if (meta.empty()) return {};
    return TraceContext{trace_format::text_of(meta, protocol::meta_key::traceparent),
                        trace_format::text_of(meta, protocol::meta_key::tracestate),
                        trace_format::text_of(meta, protocol::meta_key::baggage)}
        .valid();
}

void TraceContext::write(json::object& meta) const {
    const TraceContext checked = valid();
    if (!checked.traceparent.empty()) meta.insert_or_assign(protocol::meta_key::traceparent, checked.traceparent);
    if (!checked.tracestate.empty()) meta.insert_or_assign(protocol::meta_key::tracestate, checked.tracestate);
    if (!checked.baggage.empty()) meta.insert_or_assign(protocol::meta_key::baggage, checked.baggage);
}

}  // namespace tenon
