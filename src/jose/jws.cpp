#include "jose/jws.hpp"

#include "base/base64.hpp"
#include "json/members.hpp"

namespace tenon::jose {
namespace {

Error bad_token(std::string_view what) { return {code::invalid_request, "The signed token " + std::string(what)}; }

}  // namespace

Result<UnverifiedJws> UnverifiedJws::parse(std::string_view token) {
    if (token.size() > max_jws_bytes) return bad_token("is longer than 16 KiB");
    const std::size_t first = token.find('.');
    const std::size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
    if (second == token.npos || token.find('.', second + 1) != token.npos)
        return bad_token("does not have three parts");
    const auto head = base::base64url_decode(token.substr(0, first));
    auto payload = base::base64url_decode(token.substr(first + 1, second - first - 1));
    auto signature = base::base64url_decode(token.substr(second + 1));
    if (!head || !payload || !signature) return bad_token("is not in base64url");
    const auto header = json::parse(*head, {.max_depth = max_jws_depth});
    if (!header || !header->is_object()) return bad_token("has a header that is not a JSON object");
    if (header->get_object().contains("crit"))
        return bad_token("has a critical extension (`crit`), which is not supported");
    UnverifiedJws out;
    out.header_ = header->get_object();
    out.signed_part_ = token.substr(0, second);
    out.payload_ = *std::move(payload);
    out.signature_ = *std::move(signature);
    return out;
}

std::string_view UnverifiedJws::text(std::string_view member) const { return json::text_member(header_, member); }

Result<std::string> verify(const PublicKey& key, const UnverifiedJws& token) {
    if (algorithm_named(token.text("alg")) != key.algorithm()) return bad_token("has another `alg` than the key");
    if (!key.verify(token.signed_part_, token.signature_))
        return bad_token("was not signed with this key, or was changed");
    return token.payload_;
}

std::string sign(const PrivateKey& key, json::object header, std::string_view payload) {
    header["alg"] = name_of(key.algorithm());
    if (!key.id().empty()) header["kid"] = key.id();
    const std::string signed_part =
        base::base64url_encode(json::write(std::move(header))) + '.' + base::base64url_encode(payload);
    return signed_part + '.' + base::base64url_encode(key.sign(signed_part));
}

}  // namespace tenon::jose
