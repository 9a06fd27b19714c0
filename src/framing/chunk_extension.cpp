#include "framing/chunk_extension.hpp"

#include "framing/http_fields.hpp"

namespace tenon::framing {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_in_token(char c) { return is_token({&c, 1}); }
bool is_quotable(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\t' || (byte >= 0x20 && byte != 0x7f);
}

}  // namespace

bool ChunkExtension::go(State next) {
    state_ = next;
    return true;
}

// Between two extensions there is a ';', with or without spaces around it.
bool ChunkExtension::go_to_next(char c) {
    if (c == ';') return go(State::name_start);
    return is_blank(c) && go(State::space);
}

bool ChunkExtension::take_name(char c) {
    if (c == '=') return go(State::value_start);
    if (c == ';') return go(State::name_start);
    if (is_blank(c)) return go(State::name_end);
    return state_ == State::name && is_in_token(c);
}

bool ChunkExtension::take_value_start(char c) {
    if (c == '"') return go(State::quoted);
    return is_blank(c) || (is_in_token(c) && go(State::token));
}

bool ChunkExtension::take_quoted(char c) {
    if (c == '"') return go(State::value_end);
    if (c == '\\') return go(State::escaped);
    return is_quotable(c);
}

bool ChunkExtension::take(char c) {
    switch (state_) {
        case State::space: return go_to_next(c);
        case State::name_start: return is_blank(c) || (is_in_token(c) && go(State::name));
        case State::name:
        case State::name_end: return take_name(c);
        case State::value_start: return take_value_start(c);
        case State::token: return is_in_token(c) || go_to_next(c);
        case State::quoted: return take_quoted(c);
        case State::escaped: return is_quotable(c) && go(State::quoted);
        case State::value_end: return go_to_next(c);
    }
    return false;
}

bool ChunkExtension::may_end() const {
    return state_ == State::name || state_ == State::token || state_ == State::value_end;
}

}  // namespace tenon::framing
