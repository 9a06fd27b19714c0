// The URL of the authorisation page, and which redirects back from it are accepted. rules: HTTP-14
#include "auth/client/authorisation_request.hpp"

#include <gtest/gtest.h>

#include "auth/form.hpp"

namespace tenon::auth::client {
namespace {

const AuthorisationRequest request{"https://as.example", true, "http://127.0.0.1:7/callback", "st&te", "verifier"};

std::string why(const std::string& url, const AuthorisationRequest& r = request) {
    const auto code = code_of(url, r);
    return code ? "code " + *code : code.error().message;
}
const std::string back = "http://127.0.0.1:7/callback?";
const std::string good = back + "code=c%20d&state=st%26te&iss=https%3A%2F%2Fas.example";

// RFC 7636, appendix B.
TEST(AuthorisationRequest, the_challenge_is_the_hash_of_the_verifier) {
    EXPECT_EQ(code_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
              "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

TEST(AuthorisationRequest, the_authorisation_url_has_all_parameters_but_not_the_verifier) {
    Issuer issuer;
    issuer.authorization_endpoint = "https://as.example/authorize?tenant=1";
    const std::string url =
        authorisation_url(issuer, request, {"me", "https://h.example/mcp", {"a", "b:c", "offline_access"}});
    ASSERT_TRUE(url.starts_with("https://as.example/authorize?tenant=1&"));
    const auto fields = parse_form(url.substr(url.find('?') + 1));
    ASSERT_TRUE(fields);
    const std::vector<std::pair<std::string, std::string>> expected = {{"tenant", "1"},
                                                                       {"response_type", "code"},
                                                                       {"client_id", "me"},
                                                                       {"redirect_uri", "http://127.0.0.1:7/callback"},
                                                                       {"state", "st&te"},
                                                                       {"code_challenge", code_challenge("verifier")},
                                                                       {"code_challenge_method", "S256"},
                                                                       {"resource", "https://h.example/mcp"},
                                                                       {"scope", "a b:c offline_access"},
                                                                       {"prompt", "consent"}};
    EXPECT_EQ(*fields, expected);
    EXPECT_EQ(url.find("verifier"), std::string::npos);
}

TEST(AuthorisationRequest, empty_scopes_and_resource_are_left_out) {
    Issuer issuer;
    issuer.authorization_endpoint = "https://as.example/a";
    const std::string url = authorisation_url(issuer, request, {"me", "", {}});
    EXPECT_EQ(url.find("scope"), std::string::npos);
    EXPECT_EQ(url.find("resource"), std::string::npos);
    EXPECT_EQ(url.find("prompt"), std::string::npos);
}

TEST(AuthorisationRequest, the_code_is_read_from_the_redirect) { EXPECT_EQ(why(good), "code c d"); }

TEST(AuthorisationRequest, a_redirect_with_a_wrong_state_is_refused) {
    for (const char* state : {"", "state=", "state=other", "state=st%26t", "state=st%26te&state=st%26te"})
        EXPECT_FALSE(code_of(back + "code=c&iss=https://as.example&" + state, request)) << state;
    AuthorisationRequest used_up = request;
    used_up.state.clear();
    EXPECT_FALSE(code_of(back + "code=c&iss=https://as.example&state=", used_up));
}

// RFC 9207, mix-up attack: the issuer is compared byte by byte, without normalisation.
TEST(AuthorisationRequest, a_redirect_with_a_wrong_issuer_is_refused) {
    const std::string begin = back + "code=c&state=st%26te";
    for (const char* iss :
         {"https://evil.example", "https://as.example/", "https://AS.example", "https://as.example:443"}) {
        EXPECT_FALSE(code_of(begin + "&iss=" + iss, request)) << iss;
        AuthorisationRequest unadvertised = request;
        unadvertised.says_iss = false;
        EXPECT_FALSE(code_of(begin + "&iss=" + iss, unadvertised)) << iss;
    }
}

TEST(AuthorisationRequest, a_missing_issuer_is_refused_if_the_metadata_promised_it) {
    EXPECT_FALSE(code_of(back + "code=c&state=st%26te", request));
    AuthorisationRequest unadvertised = request;
    unadvertised.says_iss = false;
    EXPECT_TRUE(code_of(back + "code=c&state=st%26te", unadvertised));
}

TEST(AuthorisationRequest, only_an_error_of_the_right_issuer_is_shown) {
    const std::string error = "error=access_denied&error_description=go%20away%0D%0Anow&state=st%26te";
    EXPECT_EQ(why(back + error + "&iss=https://as.example"),
              "the authorisation server refused: access_denied (go away  now)");
    EXPECT_EQ(why(back + error + "&iss=https://evil.example").find("go away"), std::string::npos);
    EXPECT_EQ(why(back + error).find("go away"), std::string::npos);
}

TEST(AuthorisationRequest, a_redirect_to_another_url_is_refused) {
    const std::string query = good.substr(good.find('?'));
    for (const char* place : {"http://127.0.0.1:8/callback", "http://127.0.0.1:7/callback/", "http://127.0.0.1:7/",
                              "http://evil.example/callback", "https://127.0.0.1:7/callback", ""})
        EXPECT_FALSE(code_of(place + query, request)) << place;
}

TEST(AuthorisationRequest, a_malformed_redirect_query_is_refused) {
    for (const char* query :
         {"code=c&code=d&state=st%26te&iss=https://as.example", "state=st%26te&iss=https://as.example",
          "code=&state=st%26te&iss=https://as.example", "code=%zz&state=st%26te&iss=https://as.example"})
        EXPECT_FALSE(code_of(back + query, request)) << query;
    EXPECT_FALSE(code_of(good.substr(0, good.find('?')), request));
}

}  // namespace
}  // namespace tenon::auth::client
