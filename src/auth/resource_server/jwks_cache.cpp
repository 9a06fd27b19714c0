#include "auth/resource_server/jwks_cache.hpp"

#include <algorithm>

#include "auth/metadata.hpp"
#include "auth/parse_object.hpp"
#include "json/reader.hpp"
#include "web/url.hpp"

namespace tenon::auth {
namespace {

Error bad_key_set(std::string what) { return {code::invalid_answer, std::move(what)}; }

bool of_same_origin(const std::string& a, const std::string& b) {
    const auto first = web::parse_url(a), second = web::parse_url(b);
    return first && second && web::same_origin(*first, *second);
}

// The metadata must name this issuer: metadata of another issuer would lead to the keys of that issuer.
Result<std::string> read_jwks_uri(std::string_view text, const std::string& issuer) {
    const auto metadata = client::parse_object(text, "the metadata of the issuer");
    if (!metadata) return metadata.error();
    if (json::text_member(*metadata, "issuer") != issuer) return bad_key_set("the metadata belongs to another issuer");
    std::string uri(json::text_member(*metadata, "jwks_uri"));
    if (uri.empty()) return bad_key_set("the metadata of the issuer has no `jwks_uri`");
    return uri;
}

}  // namespace

Result<std::vector<jose::PublicKey>> read_jwks(std::string_view text, std::size_t max_keys) {
    const auto parsed = client::parse_object(text, "the keys of the issuer");
    if (!parsed) return parsed.error();
    json::Reader r(*parsed, "");
    const json::array& list = r.array("keys");
    if (!r.ok()) return bad_key_set("the keys of the issuer are not a JWK Set");
    std::vector<jose::PublicKey> keys;
    for (const json::value& one : list) {
        if (keys.size() >= max_keys) break;
        if (!one.is_object()) continue;
        if (auto key = jose::PublicKey::from_jwk(one.get_object())) keys.push_back(*std::move(key));
    }
    return keys;
}

JwksCache::JwksCache(std::string issuer, std::string jwks_uri, ResourceLimits limits)
    : issuer_(std::move(issuer)), jwks_uri_(std::move(jwks_uri)), limits_(limits) {}

std::vector<jose::PublicKey> JwksCache::candidates(std::string_view key_id, jose::Algorithm algorithm) const {
    std::vector<jose::PublicKey> out;
    std::ranges::copy_if(keys_, std::back_inserter(out), [&](const jose::PublicKey& key) {
        return key.algorithm() == algorithm && (key_id.empty() || key.id() == key_id);
    });
    return out;
}

JwksCache::Found JwksCache::find(std::string_view key_id, jose::Algorithm algorithm, const Now& now) {
    const auto age = fetched_ ? now.steady - *fetched_ : Duration::max();
    const bool usable = age < limits_.stale_key_time;
    Found found;
    if (usable) found.keys = candidates(key_id, algorithm);
    if (found.keys.empty() || age >= limits_.key_time) begin(now);
    if (!found.keys.empty()) return found;
    found.wait = stage_ != Stage::idle;
    found.unavailable = !usable;
    return found;
}

// ---- fetching

void JwksCache::begin(const Now& now) {
    if (stage_ != Stage::idle || (tried_ && now.steady - *tried_ < limits_.key_retry_time)) return;
    tried_ = now.steady;
    if (!jwks_uri_.empty()) return ask_keys(jwks_uri_, false);
    metadata_urls_ = client::issuer_urls(web::parse_url(issuer_).value());
    ask_metadata();
}

void JwksCache::ask_metadata() {
    stage_ = Stage::metadata;
    orders_.push_back(
        {.what = std::string(what), .url = metadata_urls_.front(), .fields = {{"Accept", "application/json"}}});
    metadata_urls_.erase(metadata_urls_.begin());
}

void JwksCache::ask_keys(std::string url, bool named_by_issuer) {
    stage_ = Stage::keys;
    const bool elsewhere = named_by_issuer && !of_same_origin(url, issuer_);
    orders_.push_back({.what = std::string(what),
                       .url = std::move(url),
                       .fields = {{"Accept", "application/jwk-set+json, application/json"}},
                       .public_only = elsewhere});
}

void JwksCache::fetched(Result<std::string> body, const Now& now) {
    if (stage_ == Stage::metadata) return on_metadata(body, now);
    if (stage_ == Stage::keys) return on_keys(body, now);
}

void JwksCache::on_metadata(const Result<std::string>& body, const Now&) {
    auto uri = body ? read_jwks_uri(*body, issuer_) : Result<std::string>(body.error());
    if (uri) return ask_keys(*std::move(uri), true);
    if (metadata_urls_.empty()) return fail(uri.error().message);
    ask_metadata();
}

void JwksCache::on_keys(const Result<std::string>& body, const Now& now) {
    auto keys = body ? read_jwks(*body, limits_.max_keys) : Result<std::vector<jose::PublicKey>>(body.error());
    if (!keys) return fail(keys.error().message);
    stage_ = Stage::idle;
    keys_ = *std::move(keys);
    fetched_ = now.steady;
    trouble_.clear();
    ++generation_;
}

void JwksCache::fail(std::string why) {
    stage_ = Stage::idle;
    trouble_ = std::move(why);
}

}  // namespace tenon::auth
