// Invariant: a signed token verifies; a token with a changed byte and random texts do not.
// Input: one byte. If it is odd, a token follows; otherwise two bytes (place and change) and a payload.
#include "jose/jws.hpp"

#include "support.hpp"

namespace tenon::fuzz::jws_target {
namespace {

using namespace jose;

const PrivateKey& key() {
    static const PrivateKey one = PrivateKey::generate(Algorithm::eddsa);
    return one;
}

Result<std::string> payload_of(std::string_view token) {
    const auto parsed = UnverifiedJws::parse(token);
    if (!parsed) return parsed.error();
    must(token.size() <= max_jws_bytes, "a token is within its limit");
    (void)parsed->text("kid");
    return verify(key().public_key(), *parsed);
}

void check_garbage(std::string_view token) {
    must(!payload_of(token).has_value(), "a token that was not signed here does not verify");
}

void check_signed(std::size_t at, char change, std::string_view payload) {
    std::string token = sign(key(), {{"typ", "x"}}, payload);
    if (token.size() > max_jws_bytes) return;
    const auto back = payload_of(token);
    must(back.has_value() && *back == payload, "a signed text verifies");
    if (change == 0) return;
    token[at % token.size()] = static_cast<char>(token[at % token.size()] ^ change);
    must(!payload_of(token).has_value(), "a changed token does not verify");
}

void run(std::string_view input) {
    Feed feed(input);
    if (feed.byte() % 2 == 1) return check_garbage(feed.rest());
    const std::size_t at = feed.byte() * 3U;
    const auto change = static_cast<char>(feed.byte());
    check_signed(at, change, feed.rest());
}

const Target target{"jws", run};

}  // namespace
}  // namespace tenon::fuzz::jws_target
