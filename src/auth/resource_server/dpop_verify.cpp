#include "auth/resource_server/dpop_verify.hpp"

#include <algorithm>

#include "auth/parse_object.hpp"
#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"
#include "web/url.hpp"

namespace tenon::auth {

namespace {

constexpr std::size_t max_id_bytes = 256;  // length of `jti`

Error bad_proof(std::string what) { return {code::invalid_request, std::move(what)}; }

// Normalises a URL for comparison: different spellings of host and port become equal, and the query is dropped.
std::string comparable(std::string_view url) {
    const auto parsed = web::parse_url(url.substr(0, url.find_first_of("?#")));
    return parsed ? parsed->text() : "";
}

// Reads the key that the proof contains. The caller compares it with the thumbprint in the token. If the key has no
// `alg` of its own, the `alg` of the proof's header is used.
Result<jose::PublicKey> key_of(const jose::UnverifiedJws& jws) {
    const json::value* jwk = jws.header().if_contains("jwk");
    if (!jwk || !jwk->is_object()) return bad_proof("the DPoP proof has no key");
    json::object members = jwk->get_object();
    if (!members.contains("alg")) members["alg"] = jws.text("alg");
    auto key = jose::PublicKey::from_jwk(members);
    if (!key) return bad_proof("the key of the DPoP proof is not of a supported kind");
    return key;
}

bool is_of_now(double issued, const Proven& proven, WallTime now) {
    const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
    const auto leeway = static_cast<double>(proven.leeway.count());
    const auto age = static_cast<double>(proven.max_age.count());
    return issued <= seconds + leeway && issued >= seconds - age - leeway;
}

}  // namespace

Result<Proof> read_proof(std::string_view proof, const Proven& proven, WallTime now) {
    const auto jws = jose::UnverifiedJws::parse(proof);
    if (!jws || jws->text("typ") != "dpop+jwt") return bad_proof("the DPoP header is not a DPoP proof");
    const auto key = key_of(*jws);
    if (!key) return key.error();
    if (!jose::same_secret(key->thumbprint(), proven.key)) return bad_proof("the token is bound to another key");
    const auto payload = jose::verify(*key, *jws);
    if (!payload) return bad_proof("the DPoP proof was not signed with its key");
    const auto claims = client::parse_object(*payload, "the DPoP proof");
    if (!claims) return bad_proof("the DPoP proof has no claims");

    if (json::text_member(*claims, "htm") != proven.method) return bad_proof("the DPoP proof is for another method");
    const std::string url = comparable(json::text_member(*claims, "htu"));
    if (url.empty() || std::ranges::none_of(proven.urls, [&](const auto& one) { return comparable(one) == url; }))
        return bad_proof("the DPoP proof is for another URL");
    if (json::text_member(*claims, "ath") != base::base64url_encode(jose::sha256(proven.token)))
        return bad_proof("the DPoP proof is for another token");
    const json::value* issued = claims->if_contains("iat");
    if (!issued || !issued->is_number()) return bad_proof("the DPoP proof has no time");
    Proof out{"", issued->to_number<double>(), std::string(json::text_member(*claims, "nonce"))};
    if (!is_of_now(out.issued, proven, now)) return bad_proof("the DPoP proof is too old, or not valid yet");
    const std::string id(json::text_member(*claims, "jti"));
    if (id.empty() || id.size() > max_id_bytes) return bad_proof("the DPoP proof has no identifier");
    out.id = jose::sha256(std::string(proven.key) + " " + id);
    return out;
}

void ReplayCache::forget_until(double seconds) {
    while (!ends_.empty() && ends_.begin()->at < seconds) {
        const End end = *ends_.begin();
        ends_.erase(ends_.begin());
        proofs_.erase(end.proof);
        if (const auto share = shares_.find(end.owner); --share->second == 0) shares_.erase(share);
    }
}

ReplayCache::Seen ReplayCache::see(const Proof& proof, double until, WallTime now) {
    forget_until(std::chrono::duration<double>(now.time_since_epoch()).count());
    const Hash id = base::siphash(key_, proof.id), owner = base::siphash(key_, proof.owner);
    if (proofs_.contains(id)) return Seen::before;
    const auto share = shares_.find(owner);
    if (share != shares_.end() && share->second >= limits_.max_per_owner) return Seen::no_share;
    if (proofs_.size() >= limits_.max) return Seen::no_room;
    proofs_.insert(id);
    ++shares_[owner];
    ends_.insert({until, id, owner});
    return Seen::never;
}

std::int64_t DpopNonces::period(WallTime now) const {
    return std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count() /
           std::max<std::int64_t>(time_.count(), 1);
}

std::string DpopNonces::make(const Secret& secret, std::int64_t period) {
    std::string in(reinterpret_cast<const char*>(secret.data()), secret.size());
    in += std::to_string(period);
    return base::base64url_encode(jose::sha256(in).substr(0, 16));  // cut, to prevent length extension attacks
}

bool DpopNonces::accepts(std::string_view nonce, WallTime now) const {
    const std::int64_t at = period(now);
    bool out = false;
    for (const Secret& secret : secrets_())
        for (const std::int64_t one : {at, at - 1}) out = jose::same_secret(nonce, make(secret, one)) || out;
    return out;
}

}  // namespace tenon::auth
