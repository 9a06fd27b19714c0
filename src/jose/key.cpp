#include "jose/key.hpp"

#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <array>

#include <tenon/json_writer.hpp>

#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/key_material.hpp"
#include "json/members.hpp"

namespace tenon::jose {
namespace {

constexpr std::array<std::pair<std::string_view, Algorithm>, 5> names{{{"RS256", Algorithm::rs256},
                                                                       {"PS256", Algorithm::ps256},
                                                                       {"ES256", Algorithm::es256},
                                                                       {"EdDSA", Algorithm::eddsa},
                                                                       {"Ed25519", Algorithm::eddsa}}};
constexpr int half = 32;  // bytes of each of the two numbers of an ES256 signature

Error invalid(std::string what) { return {code::invalid_params, std::move(what)}; }

bool contains(const json::array& list, std::string_view text) {
    for (const json::value& v : list)
        if (v.is_string() && v.get_string() == text) return true;
    return false;
}

// Returns an error if `use` or `key_ops` of a JWK do not allow this operation.
std::optional<Error> misuse(const json::object& jwk, std::string_view operation) {
    const json::value *use = jwk.if_contains("use"), *operations = jwk.if_contains("key_ops");
    if (use && *use != "sig") return invalid("This JWK is not for signatures: its `use` must be \"sig\"");
    if (operations && !(operations->is_array() && contains(operations->get_array(), operation)))
        return invalid("This JWK does not allow this operation: its `key_ops` must have \"" + std::string(operation) +
                       "\"");
    return std::nullopt;
}

Result<Algorithm> algorithm_of(const json::object& jwk, const KeyMaterial& material) {
    const json::value* said = jwk.if_contains("alg");
    const auto algorithm = !said               ? material.usual_algorithm()
                           : said->is_string() ? algorithm_named(said->get_string())
                                               : std::nullopt;
    if (algorithm && material.fits(*algorithm)) return *algorithm;
    return invalid("The `alg` of this JWK must be RS256, PS256, ES256 or EdDSA, and must match its `kty`");
}

std::string id_of(const json::object& jwk) { return std::string(json::text_member(jwk, "kid")); }

bool prepare(EVP_PKEY_CTX* context, Algorithm algorithm) {
    return algorithm != Algorithm::ps256 || (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
                                             EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1);
}

// EdDSA has its own hash function.
const EVP_MD* digest_of(Algorithm algorithm) { return algorithm == Algorithm::eddsa ? nullptr : EVP_sha256(); }

// JOSE concatenates the two numbers of an ECDSA signature; OpenSSL uses DER.
std::string to_der(std::string_view two_numbers) {
    if (two_numbers.size() != 2 * half) return {};
    const OwnedSignature signature(ECDSA_SIG_new());
    must(signature != nullptr, "ECDSA");
    must(ECDSA_SIG_set0(signature.get(), BN_bin2bn(octets(two_numbers), half, nullptr),
                        BN_bin2bn(octets(two_numbers.substr(half)), half, nullptr)) == 1,
         "ECDSA");
    std::string der(static_cast<std::size_t>(i2d_ECDSA_SIG(signature.get(), nullptr)), '\0');
    unsigned char* at = octets(der);
    i2d_ECDSA_SIG(signature.get(), &at);
    return der;
}

std::string from_der(const std::string& der) {
    const unsigned char* at = octets(der);
    const OwnedSignature signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
    std::string two_numbers(2 * half, '\0');
    must(signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), octets(two_numbers), half) == half &&
             BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), octets(two_numbers) + half, half) == half,
         "ECDSA");
    return two_numbers;
}

// Without this callback, OpenSSL would ask for a passphrase on the terminal.
int no_passphrase(char*, int, int, void*) { return -1; }

}  // namespace

std::string_view name_of(Algorithm algorithm) {
    for (const auto& [name, a] : names)
        if (a == algorithm) return name;
    return {};
}

std::optional<Algorithm> algorithm_named(std::string_view name) {
    for (const auto& [known, algorithm] : names)
        if (known == name) return algorithm;
    return std::nullopt;
}

// ---- public

Result<PublicKey> PublicKey::from_jwk(const json::object& jwk) {
    if (jwk.contains("d")) return invalid("This JWK has private parts: leave them out");
    if (auto error = misuse(jwk, "verify")) return *std::move(error);
    auto material = read_material(jwk, false);
    if (!material) return material.error();
    const auto algorithm = algorithm_of(jwk, **material);
    if (!algorithm) return algorithm.error();
    return PublicKey(*std::move(material), *algorithm, id_of(jwk));
}

json::object PublicKey::jwk() const {
    json::object out;
    material_->write_public(out);
    out["alg"] = name_of(algorithm_);
    if (!id_.empty()) out["kid"] = id_;
    return out;
}

std::string PublicKey::thumbprint() const {
    json::object members;
    material_->write_public(members);
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const char* name : {"crv", "e", "kty", "n", "x", "y"})  // in the order that RFC 7638 requires
        if (const json::value* v = members.if_contains(name)) writer.field(name, *v);
    writer.end_object();
    return base::base64url_encode(sha256(text));
}

bool PublicKey::verify(std::string_view message, std::string_view signature) const {
    const QuietErrors quiet;
    const std::string bytes = algorithm_ == Algorithm::es256 ? to_der(signature) : std::string(signature);
    const OwnedDigestContext context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* details = nullptr;
    must(context &&
             EVP_DigestVerifyInit(context.get(), &details, digest_of(algorithm_), nullptr, material_->get()) == 1 &&
             prepare(details, algorithm_),
         "signatures");
    return EVP_DigestVerify(context.get(), octets(bytes), bytes.size(), octets(message), message.size()) == 1;
}

// ---- private

PrivateKey PrivateKey::generate(Algorithm algorithm) {
    if (algorithm != Algorithm::es256 && algorithm != Algorithm::eddsa)
        throw std::invalid_argument("PrivateKey::generate makes keys for ES256 and EdDSA only");
    std::string curve = "P-256";  // OpenSSL wants a char*; its macro EVP_EC_gen would cast const away
    OwnedPkey key(algorithm == Algorithm::es256 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve.data())
                                                : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    must(key != nullptr, "new keys");
    return PrivateKey(PublicKey(std::make_shared<const KeyMaterial>(std::move(key)), algorithm, ""));
}

Result<PrivateKey> PrivateKey::from_jwk(const json::object& jwk) {
    if (auto error = misuse(jwk, "sign")) return *std::move(error);
    auto material = read_material(jwk, true);
    if (!material) return material.error();
    const auto algorithm = algorithm_of(jwk, **material);
    if (!algorithm) return algorithm.error();
    return PrivateKey(PublicKey(*std::move(material), *algorithm, id_of(jwk)));
}

Result<PrivateKey> PrivateKey::from_pem(std::string_view pem, std::optional<Algorithm> algorithm, std::string id) {
    const QuietErrors quiet;
    if (pem.empty()) return invalid("This private key is empty: it must be PEM (PKCS#8, PKCS#1 or SEC1)");
    const OwnedBio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    must(bio != nullptr, "PEM");
    OwnedPkey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
    if (!key)
        return invalid(
            "This is not a private key in PEM (PKCS#8, PKCS#1 or SEC1), or it is encrypted: decrypt it first");
    auto material = std::make_shared<const KeyMaterial>(std::move(key));
    if (!algorithm) algorithm = material->usual_algorithm();
    if (!algorithm || !material->fits(*algorithm))
        return invalid(
            "This private key does not fit: RS256 and PS256 need RSA with 2048 bits or more, ES256 needs P-256, "
            "EdDSA needs Ed25519");
    return PrivateKey(PublicKey(std::move(material), *algorithm, std::move(id)));
}

json::object PrivateKey::jwk() const {
    json::object out = public_.jwk();
    public_.material_->write_private(out);
    return out;
}

std::string PrivateKey::sign(std::string_view message) const {
    const OwnedDigestContext context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* details = nullptr;
    std::size_t size = 0;
    must(context &&
             EVP_DigestSignInit(context.get(), &details, digest_of(algorithm()), nullptr, public_.material_->get()) ==
                 1 &&
             prepare(details, algorithm()) &&
             EVP_DigestSign(context.get(), nullptr, &size, octets(message), message.size()) == 1,
         "signatures");
    std::string signature(size, '\0');
    must(EVP_DigestSign(context.get(), octets(signature), &size, octets(message), message.size()) == 1, "signatures");
    signature.resize(size);
    return algorithm() == Algorithm::es256 ? from_der(signature) : signature;
}

}  // namespace tenon::jose
