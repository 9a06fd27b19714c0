#include "jose/key_material.hpp"

#include <vector>

#include "base/base64.hpp"
#include "json/reader.hpp"

namespace tenon::jose {
namespace {

constexpr std::size_t p256_size = 32, ed25519_size = 32, max_exponent_bytes = 8;
constexpr const char* group_name = "P-256";

Error unusable_key(std::string_view what) {
    return {code::invalid_params, "This JWK cannot be used: " + std::string(what)};
}

// Reads the members of a JWK. Like json::Reader, it remembers the first error.
class Members {
 public:
    explicit Members(const json::object& jwk) : reader_(jwk, "") {}

    std::string bytes(std::string_view name) {
        auto decoded = base::base64url_decode(reader_.string(name));
        if (!decoded || decoded->empty()) reader_.complain(name, "base64url");
        return std::move(decoded).value_or("");
    }
    std::string text(std::string_view name) { return reader_.string(name); }
    bool ok() const { return reader_.ok(); }
    Error error() const { return reader_.error(); }

 private:
    json::Reader reader_;
};

class Builder {
 public:
    Builder() : builder_(OSSL_PARAM_BLD_new()) { must(builder_ != nullptr, "parameters"); }

    void number(const char* name, std::string_view bytes, bool secret = false) {
        OwnedNumber n(BN_bin2bn(octets(bytes), static_cast<int>(bytes.size()), secret ? BN_secure_new() : nullptr));
        must(n && OSSL_PARAM_BLD_push_BN(builder_.get(), name, n.get()) == 1, "numbers");
        numbers_.push_back(std::move(n));  // keeps the number alive: the builder only stores a pointer
    }
    void text(const char* name, const char* s) {
        must(OSSL_PARAM_BLD_push_utf8_string(builder_.get(), name, s, 0) == 1, "strings");
    }
    void octet_string(const char* name, const std::string& s) {
        must(OSSL_PARAM_BLD_push_octet_string(builder_.get(), name, s.data(), s.size()) == 1, "octets");
    }
    /// Returns null when the parameters are not a valid key.
    OwnedPkey build(const char* type, bool whole) {
        const OwnedParameters parameters(OSSL_PARAM_BLD_to_param(builder_.get()));
        const OwnedPkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
        must(parameters && context && EVP_PKEY_fromdata_init(context.get()) == 1, type);
        EVP_PKEY* key = nullptr;
        EVP_PKEY_fromdata(context.get(), &key, whole ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters.get());
        return OwnedPkey(key);
    }

 private:
    OwnedBuilder builder_;
    std::vector<OwnedNumber> numbers_;
};

// Checks the public part and, if `whole`, that the private and the public part belong together.
bool consistent(const OwnedPkey& key, bool whole) {
    if (!key) return false;
    const OwnedPkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
    if (!context || EVP_PKEY_public_check(context.get()) != 1) return false;
    return !whole || EVP_PKEY_pairwise_check(context.get()) == 1;
}

bool is_good_exponent(std::string_view e) {
    return e.size() <= max_exponent_bytes && (static_cast<unsigned char>(e.back()) & 1) == 1 && e != "\x01";
}

Result<OwnedPkey> read_rsa(Members& members, bool whole) {
    static constexpr std::pair<std::string_view, const char*> secrets[] = {
        {"d", OSSL_PKEY_PARAM_RSA_D},          {"p", OSSL_PKEY_PARAM_RSA_FACTOR1},
        {"q", OSSL_PKEY_PARAM_RSA_FACTOR2},    {"dp", OSSL_PKEY_PARAM_RSA_EXPONENT1},
        {"dq", OSSL_PKEY_PARAM_RSA_EXPONENT2}, {"qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT1}};
    const std::string n = members.bytes("n"), e = members.bytes("e");
    if (!members.ok()) return members.error();
    if (n.size() > max_rsa_bits / 8 + 1 || !is_good_exponent(e))
        return unusable_key("its modulus or exponent is out of range");
    Builder builder;
    builder.number(OSSL_PKEY_PARAM_RSA_N, n);
    builder.number(OSSL_PKEY_PARAM_RSA_E, e);
    for (const auto& [member, parameter] : secrets) {
        if (!whole) break;
        const std::string secret = members.bytes(member);
        if (!members.ok()) return members.error();
        if (secret.size() > n.size()) return unusable_key("its private parts are too large");
        builder.number(parameter, secret, true);
    }
    OwnedPkey key = builder.build("RSA", whole);
    if (!key || EVP_PKEY_get_bits(key.get()) < min_rsa_bits || EVP_PKEY_get_bits(key.get()) > max_rsa_bits)
        return unusable_key("an RSA key has 2048 to 8192 bits");
    if (whole && !consistent(key, whole)) return unusable_key("its parts do not belong together");
    return key;  // not checked further: testing primes takes long, and an attacker could send many keys
}

Result<OwnedPkey> read_ec(Members& members, bool whole) {
    const std::string curve = members.text("crv"), x = members.bytes("x"), y = members.bytes("y");
    const std::string d = whole ? members.bytes("d") : "";
    if (!members.ok()) return members.error();
    if (curve != group_name) return unusable_key("the only supported curve of `EC` is P-256");
    if (x.size() != p256_size || y.size() != p256_size || (whole && d.size() != p256_size))
        return unusable_key("the numbers of P-256 have 32 bytes");
    Builder builder;
    builder.text(OSSL_PKEY_PARAM_GROUP_NAME, group_name);
    const std::string point = '\x04' + x + y;  // the uncompressed form
    builder.octet_string(OSSL_PKEY_PARAM_PUB_KEY, point);
    if (whole) builder.number(OSSL_PKEY_PARAM_PRIV_KEY, d, true);
    OwnedPkey key = builder.build("EC", whole);
    if (!consistent(key, whole)) return unusable_key("it is not a point of P-256, or its parts do not match");
    return key;
}

Result<OwnedPkey> read_okp(Members& members, bool whole) {
    const std::string curve = members.text("crv"), x = members.bytes("x");
    const std::string d = whole ? members.bytes("d") : "";
    if (!members.ok()) return members.error();
    if (curve != "Ed25519") return unusable_key("the only supported curve of `OKP` is Ed25519");
    if (x.size() != ed25519_size || (whole && d.size() != ed25519_size))
        return unusable_key("Ed25519 has keys of 32 bytes");
    if (!whole) return OwnedPkey(EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, octets(x), x.size()));
    OwnedPkey key(EVP_PKEY_new_raw_private_key_ex(nullptr, "ED25519", nullptr, octets(d), d.size()));
    std::string derived(ed25519_size, '\0');
    std::size_t size = derived.size();
    must(key && EVP_PKEY_get_raw_public_key(key.get(), octets(derived), &size) == 1, "Ed25519");
    if (derived != x) return unusable_key("its parts do not belong together");
    return key;
}

Result<OwnedPkey> read_pkey(const json::object& jwk, bool whole) {
    Members members(jwk);
    const std::string kind = members.text("kty");
    if (!members.ok()) return members.error();
    if (kind == "RSA") return read_rsa(members, whole);
    if (kind == "EC") return read_ec(members, whole);
    if (kind == "OKP") return read_okp(members, whole);
    return unusable_key("`kty` must be RSA, EC or OKP");
}

std::string raw_key(EVP_PKEY* key, int (*get)(const EVP_PKEY*, unsigned char*, std::size_t*)) {
    std::string bytes(ed25519_size, '\0');
    std::size_t size = bytes.size();
    must(get(key, octets(bytes), &size) == 1, "Ed25519");
    return base::base64url_encode(bytes);
}

}  // namespace

Result<std::shared_ptr<const KeyMaterial>> read_material(const json::object& jwk, bool whole) {
    const QuietErrors quiet;
    auto key = read_pkey(jwk, whole);
    if (!key) return key.error();
    if (!*key) return unusable_key("OpenSSL rejects it");
    return std::make_shared<const KeyMaterial>(*std::move(key));
}

bool KeyMaterial::is_p256() const {
    char name[32] = "";
    std::size_t size = 0;
    return EVP_PKEY_is_a(get(), "EC") == 1 && EVP_PKEY_get_group_name(get(), name, sizeof name, &size) == 1 &&
           (std::string_view(name) == "prime256v1" || std::string_view(name) == group_name);
}

std::optional<Algorithm> KeyMaterial::usual_algorithm() const {
    if (is_p256()) return Algorithm::es256;
    if (EVP_PKEY_is_a(get(), "ED25519") == 1) return Algorithm::eddsa;
    const int bits = EVP_PKEY_get_bits(get());
    if (EVP_PKEY_is_a(get(), "RSA") == 1 && bits >= min_rsa_bits && bits <= max_rsa_bits) return Algorithm::rs256;
    return std::nullopt;
}

bool KeyMaterial::fits(Algorithm algorithm) const {
    return usual_algorithm() == (algorithm == Algorithm::ps256 ? Algorithm::rs256 : algorithm);
}

void KeyMaterial::write_number(json::object& jwk, const char* member, const char* parameter, int size) const {
    BIGNUM* n = nullptr;
    must(EVP_PKEY_get_bn_param(get(), parameter, &n) == 1, parameter);
    const OwnedNumber owned(n);
    std::string bytes(static_cast<std::size_t>(size > 0 ? size : BN_num_bytes(n)), '\0');
    must(BN_bn2binpad(n, octets(bytes), static_cast<int>(bytes.size())) >= 0, parameter);
    jwk[member] = base::base64url_encode(bytes);
}

void KeyMaterial::write_public(json::object& jwk) const {
    if (EVP_PKEY_is_a(get(), "RSA") == 1) {
        jwk["kty"] = "RSA";
        write_number(jwk, "n", OSSL_PKEY_PARAM_RSA_N);
        return write_number(jwk, "e", OSSL_PKEY_PARAM_RSA_E);
    }
    if (is_p256()) {
        jwk["kty"] = "EC";
        jwk["crv"] = group_name;
        write_number(jwk, "x", OSSL_PKEY_PARAM_EC_PUB_X, p256_size);
        return write_number(jwk, "y", OSSL_PKEY_PARAM_EC_PUB_Y, p256_size);
    }
    jwk["kty"] = "OKP";
    jwk["crv"] = "Ed25519";
    jwk["x"] = raw_key(get(), EVP_PKEY_get_raw_public_key);
}

void KeyMaterial::write_private(json::object& jwk) const {
    if (EVP_PKEY_is_a(get(), "RSA") == 1) {
        write_number(jwk, "d", OSSL_PKEY_PARAM_RSA_D);
        write_number(jwk, "p", OSSL_PKEY_PARAM_RSA_FACTOR1);
        write_number(jwk, "q", OSSL_PKEY_PARAM_RSA_FACTOR2);
        write_number(jwk, "dp", OSSL_PKEY_PARAM_RSA_EXPONENT1);
        write_number(jwk, "dq", OSSL_PKEY_PARAM_RSA_EXPONENT2);
        return write_number(jwk, "qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT1);
    }
    if (is_p256()) return write_number(jwk, "d", OSSL_PKEY_PARAM_PRIV_KEY, p256_size);
    jwk["d"] = raw_key(get(), EVP_PKEY_get_raw_private_key);
}

}  // namespace tenon::jose
