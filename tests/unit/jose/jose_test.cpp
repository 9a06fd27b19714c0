#include <gtest/gtest.h>
#include <openssl/err.h>
#include <rapidcheck.h>

#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"
#include "jose/key.hpp"
#include "unit/jose/rfc_examples.hpp"

namespace tenon::jose {
namespace {

PublicKey public_key(const json::object& jwk) { return PublicKey::from_jwk(public_part(jwk)).value(); }
PrivateKey private_key(const json::object& jwk) { return PrivateKey::from_jwk(jwk).value(); }
PrivateKey ps256_key() {
    json::object jwk = rfc7515_rsa;
    jwk["alg"] = "PS256";
    return private_key(jwk);
}

Result<std::string> verified(const PublicKey& key, std::string_view token) {
    const auto parsed = UnverifiedJws::parse(token);
    if (!parsed) return parsed.error();
    return verify(key, *parsed);
}

std::string token_with_header(std::string_view header, std::string_view rest_of = rfc7515_es256) {
    return base::base64url_encode(header) + std::string(rest_of.substr(rest_of.find('.')));
}

// Makes a valid signature under a header that the attacker chose.
std::string signed_under(std::string_view header, const PrivateKey& key) {
    const std::string head = base::base64url_encode(header) + ".eA";
    return head + "." + base::base64url_encode(key.sign(head));
}

TEST(Jose, verifies_the_examples_of_the_rfcs) {
    EXPECT_EQ(verified(public_key(rfc7515_rsa), rfc7515_rs256).value(), rfc7515_payload);
    EXPECT_EQ(verified(public_key(rfc7515_ec), rfc7515_es256).value(), rfc7515_payload);
    EXPECT_EQ(verified(public_key(rfc8037_key), rfc8037_eddsa).value(), rfc8037_payload);
}

TEST(Jose, signs_the_rfc_examples_of_deterministic_algorithms) {
    EXPECT_EQ(sign(private_key(rfc7515_rsa), {}, rfc7515_payload), rfc7515_rs256);
    EXPECT_EQ(sign(private_key(rfc8037_key), {}, rfc8037_payload), rfc8037_eddsa);
}

TEST(Jose, computes_the_thumbprints_of_the_rfcs) {
    EXPECT_EQ(public_key(rfc7638_rsa).thumbprint(), rfc7638_thumbprint);
    EXPECT_EQ(public_key(rfc8037_key).thumbprint(), rfc8037_thumbprint);
}

TEST(Jose, reads_and_writes_the_keys_of_rfc_7517) {
    const PublicKey rsa = public_key(rfc7638_rsa);
    EXPECT_EQ(rsa.algorithm(), Algorithm::rs256);
    EXPECT_EQ(rsa.id(), "2011-04-29");
    EXPECT_EQ(rsa.jwk(), rfc7638_rsa);
    json::object ec = without(rfc7517_ec, {"use"});
    ec["alg"] = "ES256";
    EXPECT_EQ(private_key(ec).jwk(), ec);
    EXPECT_EQ(private_key(ec).public_key().jwk(), public_part(ec));
}

TEST(Jose, a_key_for_another_use_is_refused) {
    EXPECT_FALSE(PublicKey::from_jwk(public_part(rfc7517_ec)));
    EXPECT_FALSE(PrivateKey::from_jwk(rfc7517_ec));
    json::object jwk = public_part(rfc7515_ec);
    jwk["key_ops"] = json::array{"sign"};
    EXPECT_FALSE(PublicKey::from_jwk(jwk));
    jwk["key_ops"] = json::array{"verify"};
    EXPECT_TRUE(PublicKey::from_jwk(jwk));
}

TEST(Jose, each_algorithm_verifies_only_its_own_signatures) {
    const std::vector<PrivateKey> keys = {private_key(rfc7515_rsa), ps256_key(), PrivateKey::generate(Algorithm::es256),
                                          PrivateKey::generate(Algorithm::eddsa)};
    for (const PrivateKey& signer : keys) {
        const std::string token = sign(signer, {{"typ", "JWT"}}, "{}");
        for (const PrivateKey& other : keys)
            EXPECT_EQ(verified(other.public_key(), token).has_value(), other.algorithm() == signer.algorithm());
        EXPECT_EQ(UnverifiedJws::parse(token)->text("typ"), "JWT");
    }
}

TEST(Jose, keys_survive_writing_and_reading_a_jwk) {
    for (const Algorithm algorithm : {Algorithm::es256, Algorithm::eddsa}) {
        const PrivateKey key = PrivateKey::generate(algorithm);
        const PrivateKey same = private_key(key.jwk());
        EXPECT_EQ(same.jwk(), key.jwk());
        EXPECT_EQ(same.public_key().thumbprint(), key.public_key().thumbprint());
        EXPECT_EQ(verified(PublicKey::from_jwk(key.public_key().jwk()).value(), sign(same, {}, "x")).value(), "x");
        EXPECT_FALSE(key.public_key().jwk().contains("d"));
    }
    EXPECT_EQ(without(private_key(rfc7515_rsa).jwk(), {"alg"}), rfc7515_rsa);
    EXPECT_THROW(PrivateKey::generate(Algorithm::rs256), std::invalid_argument);
}

// ---- attacks

TEST(Jose, missing_and_none_algorithms_are_refused) {
    for (const auto& key : {rfc7515_rsa, rfc7515_ec, rfc8037_key})
        for (const std::string& token :
             {rfc7515_none, token_with_header(R"({"alg":"none"})"), token_with_header(R"({"alg":"nOnE"})"),
              token_with_header(R"({"alg":""})"), token_with_header(R"({})"), token_with_header(R"({"alg":null})"),
              token_with_header(R"({"alg":["ES256"]})")})
            EXPECT_FALSE(verified(public_key(key), token)) << token;
}

TEST(Jose, symmetric_keys_and_hs256_are_refused) {
    EXPECT_FALSE(PublicKey::from_jwk(object_of(R"({"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"})")));
    EXPECT_FALSE(verified(public_key(rfc7515_rsa), rfc7515_hs256));
    EXPECT_FALSE(algorithm_named("HS256"));
}

TEST(Jose, the_header_does_not_choose_the_algorithm) {
    EXPECT_FALSE(verified(ps256_key().public_key(), rfc7515_rs256));
    EXPECT_FALSE(verified(public_key(rfc7515_rsa), sign(ps256_key(), {}, "x")));
    const PrivateKey key = private_key(rfc7515_ec);
    EXPECT_TRUE(verified(key.public_key(), signed_under(R"({"alg":"ES256"})", key)));
    for (const char* lie :
         {R"({"alg":"RS256"})", R"({"alg":"none"})", R"({"alg":"HS256"})", R"({"alg":"es256"})", "{}"})
        EXPECT_FALSE(verified(key.public_key(), signed_under(lie, key))) << lie;
}

TEST(Jose, keys_in_the_header_are_not_used) {
    const PrivateKey attacker = PrivateKey::generate(Algorithm::es256);
    const std::string token = sign(attacker, {{"jwk", attacker.public_key().jwk()}, {"jku", "https://evil"}}, "x");
    EXPECT_FALSE(verified(public_key(rfc7515_ec), token));
}

TEST(Jose, critical_extensions_are_refused) {
    const PrivateKey key = PrivateKey::generate(Algorithm::eddsa);
    EXPECT_FALSE(verified(key.public_key(), sign(key, {{"crit", json::array{"b64"}}, {"b64", false}}, "x")));
}

TEST(Jose, a_signature_of_zeros_is_refused) {  // CVE-2022-21449
    const std::string head = rfc7515_es256.substr(0, rfc7515_es256.rfind('.') + 1);
    EXPECT_FALSE(verified(public_key(rfc7515_ec), head + base::base64url_encode(std::string(64, '\0'))));
    EXPECT_FALSE(verified(public_key(rfc7515_ec), head));
    EXPECT_FALSE(verified(public_key(rfc7515_ec), head + base::base64url_encode(std::string(63, '\1'))));
}

TEST(Jose, non_canonical_or_malformed_tokens_are_refused) {
    for (const std::string& token :
         {std::string(), std::string("."), std::string(".."), "a." + rfc7515_es256, rfc7515_es256 + ".",
          rfc7515_es256 + "=", rfc7515_es256 + "\n", token_with_header(R"({"alg":"ES256","alg":"ES256"})"),
          token_with_header("[]"), token_with_header("x"), std::string(max_jws_bytes + 1, 'a')})
        EXPECT_FALSE(UnverifiedJws::parse(token)) << token;
}

TEST(Jose, any_changed_byte_invalidates_the_token) {
    const PublicKey key = public_key(rfc8037_key);
    EXPECT_TRUE(rc::check("flip", [&] {
        std::string token = rfc8037_eddsa;
        char& byte = token[*rc::gen::inRange<std::size_t>(0, token.size())];
        const char other = *rc::gen::arbitrary<char>();
        RC_PRE(byte != other);
        byte = other;
        RC_ASSERT(!verified(key, token));
    }));
}

TEST(Jose, malformed_keys_are_refused) {
    const auto changed = [](json::object jwk, const char* member, auto v) {
        jwk[member] = std::move(v);
        return jwk;
    };
    const json::object rsa = public_part(rfc7515_rsa), ec = public_part(rfc7515_ec), ed = public_part(rfc8037_key);
    const std::string zeros = base::base64url_encode(std::string(32, '\0'));
    for (const json::object& jwk : {json::object{},
                                    changed(rsa, "kty", "EC"),
                                    changed(rsa, "kty", 1),
                                    without(rsa, {"n"}),
                                    changed(rsa, "e", ""),
                                    changed(rsa, "e", "AQ"),
                                    changed(rsa, "e", "AQAA"),
                                    changed(rsa, "e", rsa.at("n")),
                                    changed(rsa, "n", "AQAB"),
                                    changed(rsa, "n", "a+b"),
                                    changed(rsa, "alg", "ES256"),
                                    changed(rsa, "alg", "RS1"),
                                    changed(rsa, "alg", 1),
                                    changed(rsa, "n", base::base64url_encode(std::string(2000, '\xff'))),
                                    changed(ec, "crv", "P-384"),
                                    changed(ec, "crv", "secp256k1"),
                                    changed(ec, "y", ec.at("x")),
                                    changed(ec, "x", zeros),
                                    changed(ec, "x", "AA" + std::string(ec.at("x").as_string())),
                                    changed(ed, "crv", "X25519"),
                                    changed(ed, "x", "AAAA"),
                                    changed(ed, "alg", "ES256")})
        EXPECT_FALSE(PublicKey::from_jwk(jwk)) << json::write(jwk);
}

TEST(Jose, a_public_key_with_private_parts_is_refused) {
    for (const auto& jwk : {rfc7515_rsa, rfc7515_ec, rfc8037_key}) EXPECT_FALSE(PublicKey::from_jwk(jwk));
}

TEST(Jose, a_private_key_with_mismatched_parts_is_refused) {
    json::object ec = rfc7515_ec, ed = rfc8037_key, rsa = rfc7515_rsa;
    ec["d"] = rfc7517_ec.at("d");
    ed["x"] = PrivateKey::generate(Algorithm::eddsa).jwk().at("x");
    rsa["d"] = rsa["p"];
    EXPECT_FALSE(PrivateKey::from_jwk(ec));
    EXPECT_FALSE(PrivateKey::from_jwk(ed));
    EXPECT_FALSE(PrivateKey::from_jwk(rsa));
    EXPECT_FALSE(PrivateKey::from_jwk(public_part(rfc7515_ec)));
}

TEST(Jose, error_messages_contain_no_key) {
    json::object ec = rfc7515_ec;
    ec["d"] = rfc7517_ec.at("d");
    const auto failed = PrivateKey::from_jwk(ec);
    EXPECT_EQ(failed.error().message.find(std::string(ec.at("d").as_string())), std::string::npos);
}

TEST(Jose, failures_leave_no_error_in_the_openssl_queue) {
    ERR_clear_error();
    verified(public_key(rfc7515_rsa), rfc7515_rs256.substr(0, rfc7515_rs256.size() - 4) + "AAAA").has_value();
    PrivateKey::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").has_value();
    json::object ec = public_part(rfc7515_ec);
    ec["y"] = ec["x"];
    PublicKey::from_jwk(ec).has_value();
    EXPECT_EQ(ERR_peek_error(), 0U);
}

TEST(Jose, ed25519_is_accepted_as_a_name_of_eddsa) {
    const PrivateKey key = private_key(rfc8037_key);
    EXPECT_EQ(verified(key.public_key(), signed_under(R"({"alg":"Ed25519"})", key)).value(), "x");
}

// ---- PEM: made with `openssl genpkey`, `genrsa -traditional` and `ecparam -genkey`

constexpr std::string_view pkcs8_ec = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguAmeBGkAHeBrIFaV
YmdmsBuhUmKsmy5q0VNGzeVkH2+hRANCAAQtgI7NfIQitYBzHcZOmQQoDPvMbchP
WRLjaYJvf00sMt3+OdRYLSFvHCNNu2pIP6UER4e6aGK3DCt+Z4ap2vHH
-----END PRIVATE KEY-----
)";
constexpr std::string_view sec1_ec = R"(-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIAOR7SGdlLM02whvPj8l2Bcl/NRujE2/Uy2GhurN+M5loAoGCCqGSM49
AwEHoUQDQgAEmOJWVqhJGzbiQ4kJKWVGbRVu9TuVm+9zPdYQLiltu9fDbIhTwb8r
rIf7b0bf02Bl5bg6uz50lt10Mm5LzrJyEw==
-----END EC PRIVATE KEY-----
)";
constexpr std::string_view p384_ec = R"(-----BEGIN EC PRIVATE KEY-----
MIGkAgEBBDBglFLX65V0Rcn+6bmIWP7t3bW44I+Is55Bk9zMdZ02L67DV7jIqLqQ
yGoPKo1KFkagBwYFK4EEACKhZANiAARyYCmeD32eil528z/I/Ak81IBNDrRhamBt
p1gW06q+FV2zAE/kISdfs/rpb1f58lqhhre+LWVb9jp8FhvQc45PyRmTZPniuDk8
Y0JJCJthTVSQblLC4kEBuYeLzF4J+II=
-----END EC PRIVATE KEY-----
)";
constexpr std::string_view encrypted_ec = R"(-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi/2eccTN7uzAICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELN7GzOZTkWP8kRWDwG0AqQEgZCA
5IMxcUYRAoBNGZYVsYdBOM6EcQraDWkmXb6G5Lv0jYfM8SMv9DhJWrRl+SOWr5L5
JqgKA+h9uBy4KQm2Q0qz1b8U7SOLE4vDty6NUkJu80mZ04RCyh3PQxVmbfoXK+PJ
jDReGLel8CY3CQKp0Gvt6JZo74k8nTln5gmHbMOCqtbRXIFzcs+1hXhvluMlOtA=
-----END ENCRYPTED PRIVATE KEY-----
)";
constexpr std::string_view pkcs8_ed25519 = R"(-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAVyT+B7u0nLUu1GPH1wbvQyCvQ+3kxrEGM9RMFgkRFJ
-----END PRIVATE KEY-----
)";
constexpr std::string_view pkcs1_rsa = R"(-----BEGIN RSA PRIVATE KEY-----
MIIEogIBAAKCAQEAxxB5eGK4PXU1vJkrqFqK/U+ft1+W390IDAb30fJcefyJTByP
LmiEBMWBLtG7Jci8TRxm2sICXgY596na2ALcCzWAVj6XZlImr4jfM76IKCPDOpgD
CLRm9RJ3WiVfQwRSZMr8nssX3mj7ifv9OXgJtrPcKXI0UIU/P3YJJB4ZJcRMjIbv
1svfzSxV7TjY+72T5wNyhn5f/eTklgvlasM5LwblUKiWwCoaFeC+u5QRCm8ymICv
a+a1kY+0tyXSnibL8Zq+AI4WVY6CE/Bl9sQmxIVwFA/Od5ppkyqhnsbanFNYbbsQ
jKnZm5swbpyjdgfqKpFhr18eE8noWg7r2O91ZwIDAQABAoIBAFavcuYcvzRsJTFy
1hMjEqGKmfellbL4srdiFWsEiobIlRVi3msMMmlNhJrZ1BB5IJ7HvnaGw7ckKPwT
qGwmmqH6818bNJznK1eHWANVdj9ci3ipl7Cjtq4EE5ta6OfrKuIfjvCrakJ9HwSQ
ik4LWteH7VjTFbr2u3ssMIDc5oCN/B2HZap1NVfmHKd1hcF3CQY7oj9FO4nrWxfE
bCzO8tv1kCB31mcUt3xwrocT2r7RXBGCVepK7itjvNJJ4hAItI1nUeEACidrsxVw
p5ku+XdmUbibjm7GfIgMLRAuTHt1sL/Cnficn6xEV0+2Sm7zV6cNcl2nogXCrtkt
vfWkDnECgYEA/GjiU6QCqPDw3ceHb1NIjG6oKYVOsewAuoOk0UxiiI9KtUQeRtLP
FELDmrgBtVTI49g0NT919Rw0quzwP+8WlAMZL8FedeqiYsBE0SE4i9Ax4aM3cN29
Lzi9Y10fozqH1kX7UHHxc3eRJGQiPHm3YZKTjIfwGlZmSuvKoX5Q7tkCgYEAyeVX
Kzhib40FgjvLQP8OoVMETAmT+i42CPrTC1Ecp3LDiJNPAKZBv6iTYsoYqVBEiJ51
p9E0w5hZYHo72VVvdWdBPKaz4bCF9yXstqmDuUCXwW/bIMoI5qgaJsKmbhNLnBWC
ZZND5pOp/4Sg79dsF/FQ0izOinyAYHrGXaU5Xj8CgYBaMTg+Xuq8Z2wKM5QHiaDw
3VGllIbsOMKB4yxvxXWoClvNrcuLzyRDvx+aF4o0u1kVYVo2dLi3nx6KvSOUFODi
fsDvOY+BXxgrZTyx5ccI3poUYHgdEn7ZctLpwIrfjrifLl6A/lYixmTMtiMtrOiE
KxYiLyjyoFDpEJxVXIea8QKBgBWlAq1dhCAVbEvEAUxci8L71XAZbsXZgm2ABnQm
I/5HrXLM6CFXsaDMf9CNfgtY0aAb7N0q7o8xnBNdx2DLagGaKkJIVOyTMimG5VPH
5JlNtXdFeKaRQlcIGpWhNJqEcwyuuaYOHa9wkT8VhvNvkuUWN+Xwa8wpANJXF0Ee
34GdAoGATXKaYzf0bXy9n7th1HKAWB6+uddK8gCoVQ75tllys5tDyqm05rua6fCq
Dykp4i4BdD9bGwUJ3QXC65t5ELcCGFZIjDH+ZIU6cdXZ6R6rwADHTPpNDtxdSyi1
IWZdR5xaL9XmlTNm9Bf3b7KhH7KrvHMtfU1EMo/72ctppiFbT7I=
-----END RSA PRIVATE KEY-----
)";

TEST(Jose, reads_private_keys_in_pem) {
    const auto round_trip = [](std::string_view pem, std::optional<Algorithm> asked, Algorithm expected) {
        const auto key = PrivateKey::from_pem(pem, asked, "k1");
        ASSERT_TRUE(key) << key.error().message;
        EXPECT_EQ(key->algorithm(), expected);
        const std::string token = sign(*key, {}, "x");
        EXPECT_EQ(UnverifiedJws::parse(token)->text("kid"), "k1");
        EXPECT_EQ(verified(PublicKey::from_jwk(key->public_key().jwk()).value(), token).value(), "x");
    };
    round_trip(pkcs8_ec, std::nullopt, Algorithm::es256);
    round_trip(sec1_ec, Algorithm::es256, Algorithm::es256);
    round_trip(pkcs8_ed25519, std::nullopt, Algorithm::eddsa);
    round_trip(pkcs1_rsa, std::nullopt, Algorithm::rs256);
    round_trip(pkcs1_rsa, Algorithm::ps256, Algorithm::ps256);
}

TEST(Jose, refuses_encrypted_unsupported_or_mismatched_pem) {
    for (const std::string_view pem : {encrypted_ec, p384_ec, std::string_view("x"), std::string_view()})
        EXPECT_FALSE(PrivateKey::from_pem(pem));
    EXPECT_FALSE(PrivateKey::from_pem(pkcs8_ec, Algorithm::rs256));
    EXPECT_FALSE(PrivateKey::from_pem(pkcs8_ed25519, Algorithm::es256));
}

// ---- digests

TEST(Jose, sha256_matches_the_fips_180_examples) {
    EXPECT_EQ(base::base64url_encode(sha256("abc")), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    EXPECT_EQ(base::base64url_encode(sha256("")), "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
}

TEST(Jose, secrets_are_compared_by_value_and_length) {
    EXPECT_TRUE(same_secret("", ""));
    EXPECT_TRUE(same_secret("abc", "abc"));
    EXPECT_FALSE(same_secret("abc", "abd"));
    EXPECT_FALSE(same_secret("abc", "ab"));
}

}  // namespace
}  // namespace tenon::jose
