#include "simulation/oracle.hpp"

#include <algorithm>
#include <cstdio>

namespace tenon::test {
namespace {

constexpr std::size_t longest_secret = 1024;

template <class Found>
void for_each(std::string_view text, std::string_view what, Found found) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) found(text.substr(at));
}

bool in_token(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.'; }

std::string on(const Link& link) {
    return " on connection " + std::to_string(link.number) + " of client " + std::to_string(link.owner) + " to " +
           link.host;
}

}  // namespace

std::string Mark::make(std::size_t owner, Dice& dice) {
    std::array<char, size + 1> text{};
    std::snprintf(text.data(), text.size(), "zq%02zuq%08xe", owner % 100, static_cast<unsigned>(dice.next()));
    return text.data();
}

// Strict, because random text such as a signature must not look like a mark.
std::optional<std::size_t> Mark::owner_of(std::string_view text) {
    if (text.size() < size || !text.starts_with(prefix) || text[4] != 'q' || text[size - 1] != 'e') return std::nullopt;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_hex = [&](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
    const std::string_view owner = text.substr(2, 2), number = text.substr(5, size - 6);
    if (!std::ranges::all_of(owner, is_digit) || !std::ranges::all_of(number, is_hex)) return std::nullopt;
    return static_cast<std::size_t>((owner[0] - '0') * 10 + (owner[1] - '0'));
}

void Oracle::issued(const std::string& token, std::size_t owner, std::string host) {
    tokens_[token] = {owner, std::move(host)};
}

void Oracle::saw(const Link& link, Side from, std::string_view bytes) {
    Watched& watched = watched_[link.number];
    if (from == Side::client) look_at_requests(link, watched, bytes);
    std::string& tail = watched.tails[static_cast<std::size_t>(from)];
    tail += bytes;
    look_for_marks(link, tail);
    look_for_sessions(link, from, tail);
    if (!tokens_.empty()) look_for_tokens(link, tail);
    if (tail.size() > longest_secret) tail.erase(0, tail.size() - longest_secret);
}

void Oracle::look_for_marks(const Link& link, std::string_view text) {
    for_each(text, Mark::prefix, [&](std::string_view found) {
        const auto owner = Mark::owner_of(found);
        if (owner && *owner != link.owner)
            fail("a secret of client " + std::to_string(*owner) + " is" + on(link) + ": " +
                 std::string(found.substr(0, Mark::size)));
    });
}

// A session belongs to the client that received its id first.
void Oracle::look_for_sessions(const Link& link, Side from, std::string_view text) {
    for_each(text, session_prefix, [&](std::string_view found) {
        if (found.size() < session_size) return;
        const std::string id(found.substr(0, session_size));
        if (from == Side::server) sessions_.emplace(id, link.owner);
        const auto it = sessions_.find(id);
        if (it != sessions_.end() && it->second != link.owner)
            fail("the session id of client " + std::to_string(it->second) + " is" + on(link));
    });
}

// All tokens with a signature begin like this: it is the beginning of a JSON object in base64.
void Oracle::look_for_tokens(const Link& link, std::string_view text) {
    for_each(text, "eyJ", [&](std::string_view found) {
        std::size_t size = 0;
        while (size < found.size() && in_token(found[size])) ++size;
        const auto token = tokens_.find(found.substr(0, size));
        if (token != tokens_.end())
            require(token->second.owner == link.owner,
                    "a token of client " + std::to_string(token->second.owner) + " is" + on(link));
    });
}

void Oracle::look_at_requests(const Link& link, Watched& watched, std::string_view bytes) {
    using Event = framing::HttpRequestParser::Event;
    for (;;) {
        const Event event = watched.requests.next(bytes);
        if (event == Event::head) look_at_head(link, watched.requests.request());
        if (event == Event::refused) return fail("a client sent an invalid request" + on(link));
        if (event == Event::more) return;
    }
}

void Oracle::look_at_head(const Link& link, const framing::HttpRequest& head) {
    require(head.host == link.host, "a request for " + std::string(head.host) + " is" + on(link));
    const auto field = head.fields.only("authorization");
    if (!field) return;
    const std::string_view credentials = *field;
    const std::string_view value = credentials.substr(std::min(credentials.find(' ') + 1, credentials.size()));
    const auto token = tokens_.find(value);
    if (token != tokens_.end())
        require(token->second.host == link.host, "a token for " + token->second.host + " was sent" + on(link));
}

}  // namespace tenon::test
