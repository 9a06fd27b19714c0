// The client's identity: registration, and the four methods of authentication at the token endpoint. rules: HTTP-14
#include "auth/client/registration.hpp"

#include <gtest/gtest.h>

#include "auth/client/grant.hpp"
#include "auth/client/record.hpp"
#include "base/base64.hpp"
#include "jose/jws.hpp"

namespace tenon::auth::client {
namespace {

Issuer issuer_with(std::vector<std::string> methods) {
    Issuer out;
    out.issuer = "https://as";
    out.auth_methods = std::move(methods);
    return out;
}

TEST(Identity, the_authentication_method_is_one_that_the_server_supports) {
    const auto chosen = [](const Issuer& issuer, bool secret, bool key) {
        const auto method = choose_auth_method(issuer, secret, key);
        return method ? *method : std::string("error");
    };
    EXPECT_EQ(chosen(issuer_with({"client_secret_post", "client_secret_basic"}), true, false), "client_secret_basic");
    EXPECT_EQ(chosen(issuer_with({"client_secret_post"}), true, false), "client_secret_post");
    EXPECT_EQ(chosen(issuer_with({"none"}), true, false), "none");
    EXPECT_EQ(chosen(issuer_with({"private_key_jwt"}), true, false), "error");
    EXPECT_EQ(chosen(issuer_with({"private_key_jwt", "client_secret_basic"}), true, true), "private_key_jwt");
    EXPECT_EQ(chosen(issuer_with({"client_secret_basic"}), false, true), "private_key_jwt");
    EXPECT_EQ(chosen(issuer_with({"client_secret_basic"}), false, false), "none");
    EXPECT_EQ(chosen(default_issuer(web::parse_url("https://h").value()), true, false), "client_secret_post");
    EXPECT_EQ(chosen(Issuer(), true, false), "client_secret_basic");  // RFC 8414: the default
}

TEST(Identity, basic_authentication_percent_encodes_id_and_secret) {
    Form form;
    web::OwnFields fields;
    prove_identity({"i:d", "s&cret ä", "client_secret_basic", "", 0}, {}, form, fields);
    ASSERT_EQ(fields.size(), 1u);
    EXPECT_EQ(fields[0].second, "Basic " + base::base64_encode("i%3Ad:s%26cret%20%C3%A4"));
    EXPECT_EQ(form.text(), "");
}

TEST(Identity, client_secret_post_and_none_put_the_identity_into_the_body) {
    Form post, none;
    web::OwnFields fields;
    prove_identity({"id", "s", "client_secret_post", "", 0}, {}, post, fields);
    prove_identity({"id", "s", "none", "", 0}, {}, none, fields);
    EXPECT_EQ(post.text(), "client_id=id&client_secret=s");
    EXPECT_EQ(none.text(), "client_id=id");
    EXPECT_TRUE(fields.empty());
}

TEST(Identity, private_key_jwt_signs_an_assertion_for_the_issuer) {
    const auto key = jose::PrivateKey::generate(jose::Algorithm::es256);
    Form form;
    web::OwnFields fields;
    prove_identity({"id", "", "private_key_jwt", "", 0}, {&key, "https://as", 1000, "unique"}, form, fields);
    const auto sent = parse_form(form.text());
    ASSERT_TRUE(sent);
    ASSERT_EQ(sent->size(), 3u);
    EXPECT_EQ(sent->at(1).second, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const auto token = jose::UnverifiedJws::parse(sent->at(2).second);
    ASSERT_TRUE(token);
    const auto claims = jose::verify(key.public_key(), *token);
    ASSERT_TRUE(claims);
    EXPECT_EQ(
        json::parse(*claims).value(),
        (json::object{
            {"iss", "id"}, {"sub", "id"}, {"aud", "https://as"}, {"jti", "unique"}, {"iat", 1000}, {"exp", 1300}}));
}

TEST(Registration, declares_the_application_type_and_authentication_method) {
    const auto written = [](const RegistrationParameters& parameters, const Issuer& issuer) {
        return json::parse(write_registration(parameters, issuer)).value().as_object();
    };
    const auto native = written({"my app", "https://app", "http://127.0.0.1:7/callback", true}, issuer_with({"none"}));
    EXPECT_EQ(native.at("application_type").as_string(), "native");
    EXPECT_EQ(native.at("token_endpoint_auth_method").as_string(), "none");
    EXPECT_EQ(native.at("redirect_uris"), (json::array{"http://127.0.0.1:7/callback"}));
    EXPECT_EQ(native.at("grant_types"), (json::array{"authorization_code", "refresh_token"}));
    EXPECT_FALSE(native.contains("scope"));  // a scope here would limit every later request
    EXPECT_EQ(native.at("dpop_bound_access_tokens"), true);
    const auto web = written({"my app", "", "https://app.example/back", false}, issuer_with({"client_secret_post"}));
    EXPECT_EQ(web.at("application_type").as_string(), "web");
    EXPECT_EQ(web.at("token_endpoint_auth_method").as_string(), "client_secret_post");
}

TEST(Registration, the_response_decides_the_authentication_method) {
    const RegistrationParameters parameters{"", "", "http://127.0.0.1/", false};
    const auto read = [&](const char* body, const Issuer& issuer) {
        return read_registration(201, body, parameters, issuer);
    };
    EXPECT_EQ(read(R"({"client_id":"i","client_secret":"s","token_endpoint_auth_method":"client_secret_post"})",
                   issuer_with({"client_secret_basic"}))
                  ->auth_method,
              "client_secret_post");
    EXPECT_EQ(
        read(R"({"client_id":"i","token_endpoint_auth_method":"client_secret_post"})", issuer_with({}))->auth_method,
        "none");
    EXPECT_EQ(read(R"({"client_id":"i","client_secret":"s"})", issuer_with({"client_secret_post"}))->auth_method,
              "client_secret_post");
    EXPECT_FALSE(read(R"({"client_secret":"s"})", issuer_with({})));
    const auto refused =
        read_registration(400, R"({"error":"invalid_redirect_uri","error_description":"no"})", parameters, {});
    EXPECT_EQ(refused.error().message, "the authorisation server refused to register: invalid_redirect_uri (no)");
}

TEST(Tokens, are_read_with_type_and_expiry) {
    const auto tokens = read_tokens(
        200, R"({"access_token":"a","token_type":"bearer","expires_in":60,"refresh_token":"r","scope":"x"})", 1000);
    ASSERT_TRUE(tokens);
    EXPECT_EQ(tokens->expires_at, 1060);
    EXPECT_FALSE(tokens->dpop);
    EXPECT_TRUE(read_tokens(200, R"({"access_token":"a","token_type":"DPoP"})", 0)->dpop);
}

// A token with a line break would inject a second header.
TEST(Tokens, that_would_break_a_header_or_have_an_unknown_type_are_refused) {
    for (const char* body :
         {R"({"token_type":"Bearer"})", R"({"access_token":"a\r\nX: y","token_type":"Bearer"})",
          R"({"access_token":"a b","token_type":"Bearer"})", R"({"access_token":"a"})",
          R"({"access_token":"a","token_type":"mac"})", R"({"access_token":7,"token_type":"Bearer"})", "", "{}"})
        EXPECT_FALSE(read_tokens(200, body, 0)) << body;
}

TEST(Tokens, do_not_appear_in_error_messages) {
    const auto error = read_tokens(400, R"({"error":"invalid_grant","access_token":"SECRET"})", 0);
    EXPECT_EQ(error.error().message, "the authorisation server gave no token: invalid_grant");
    EXPECT_EQ(read_tokens(502, "SECRET", 0).error().message, "the authorisation server gave no token: HTTP 502");
}

TEST(Record, survives_writing_and_reading) {
    Record record;
    record.issuer = "https://as";
    record.token_endpoint = "https://as/t";
    record.resource = "https://h";
    record.scopes = {"a", "b"};
    record.tokens = {"at", true, "rt", "a", 77};
    record.dpop_key = "{}";
    record.remember("https://as", {"id", "secret", "client_secret_basic", "http://127.0.0.1/", 5});
    const Record again = read_record(write_record(record));
    EXPECT_EQ(write_record(again), write_record(record));
    EXPECT_EQ(again.tokens.refresh_token, "rt");
    EXPECT_EQ(again.identities.at("https://as").secret_expires_at, 5);
    EXPECT_EQ(write_record(read_record("not JSON")), write_record(Record()));
}

TEST(Record, reads_a_limited_number_of_identities) {
    json::object clients;
    for (int i = 0; i < 50; ++i) clients["https://as" + std::to_string(i)] = json::object();
    const Record record = read_record(json::write(json::object{{"clients", clients}}));
    EXPECT_EQ(record.identities.size(), max_identities);
}

TEST(Record, keeps_a_limited_number_of_identities_and_always_the_newest) {
    Record record;
    for (int i = 0; i < 50; ++i) record.remember("https://as" + std::to_string(i), {});
    EXPECT_EQ(record.identities.size(), max_identities);
    EXPECT_TRUE(record.identities.contains("https://as49"));
}

}  // namespace
}  // namespace tenon::auth::client
