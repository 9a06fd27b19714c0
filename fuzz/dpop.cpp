// Invariant: an accepted proof is recent, signed by the bound key, and about this request and this token.
// Input: a proof; or the claims as a JSON object, signed by the bound key; or '!' and claims, signed by another key.
#include "auth/resource_server/dpop_verify.hpp"
#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"
#include "support.hpp"

namespace tenon::fuzz::dpop_target {
namespace {

constexpr std::int64_t now = 1'800'000'000;
constexpr std::string_view url = "https://mcp.example/mcp", token = "token";

const jose::PrivateKey& key(bool right) {
    static const jose::PrivateKey bound = jose::PrivateKey::generate(jose::Algorithm::eddsa);
    static const jose::PrivateKey other = jose::PrivateKey::generate(jose::Algorithm::eddsa);
    return right ? bound : other;
}

json::object header(bool right) {
    static const json::object bound = key(true).public_key().jwk(), other = key(false).public_key().jwk();
    return {{"typ", "dpop+jwt"}, {"jwk", right ? bound : other}};
}

Result<auth::Proof> read(std::string_view proof) {
    static const std::string thumbprint = key(true).public_key().thumbprint();
    const auth::Proven proven{.method = "POST", .urls = {std::string(url)}, .token = token, .key = thumbprint};
    const auto out = auth::read_proof(proof, proven, WallTime(std::chrono::seconds(now)));
    if (!out) {
        const std::string& why = out.error().message;
        must(all_between(why, 0x20, 0x7E), "a reason is visible ASCII");
        must(why.find_first_of("\"\\") == why.npos, "a reason can be quoted in a header");
    }
    return out;
}

bool says(const json::object& claims, std::string_view name, std::string_view text) {
    const json::value* claim = claims.if_contains(name);
    return claim && claim->is_string() && claim->get_string() == text;
}

void check_signed(bool right, std::string_view text) {
    const auto claims = json::parse(text);
    if (!claims || !claims->is_object()) return;
    const auto proof = read(jose::sign(key(right), header(right), text));
    if (!proof) return;
    must(right, "a proof of another key is refused");
    const json::object& said = claims->get_object();
    must(says(said, "htm", "POST"), "an accepted proof is about this method");
    must(says(said, "ath", base::base64url_encode(jose::sha256(token))), "an accepted proof is about this token");
    must(proof->issued <= now + 60 && proof->issued >= now - 120, "an accepted proof is recent");
    must(!proof->id.empty(), "an accepted proof has an id");
}

void run(std::string_view input) {
    if (input.starts_with('{')) return check_signed(true, input);
    if (input.starts_with('!')) return check_signed(false, input.substr(1));
    must(!read(input).has_value(), "a proof that the key did not sign is refused");
}

const Target target{"dpop", run};

}  // namespace
}  // namespace tenon::fuzz::dpop_target
