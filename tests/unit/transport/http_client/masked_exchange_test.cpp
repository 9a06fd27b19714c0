// Exchanges of signing in, made safe to show.
#include "transport/http_client/masked_exchange.hpp"

#include <gtest/gtest.h>

namespace tenon {
namespace {

TEST(MaskedExchange, a_form_keeps_only_harmless_values) {
    EXPECT_EQ(masked_form("grant_type=authorization_code&code=SECRET&code_verifier=SECRET&client_id=me&x"),
              "grant_type=authorization_code&code=***&code_verifier=***&client_id=me&x=***");
    EXPECT_EQ(masked_form(""), "");
}

TEST(MaskedExchange, no_secret_of_a_token_request_is_left) {
    auth::Exchange e = masked_request(
        "POST", "https://as.example/token?state=SECRET", {{"Authorization", "Basic SECRET"}, {"DPoP", "SECRET"}},
        "grant_type=refresh_token&refresh_token=SECRET&client_secret=SECRET&client_assertion=SECRET");
    add_masked_response(e, 200, {{"Set-Cookie", "SECRET"}, {"Content-Type", "application/json"}},
                        R"({"access_token":"SECRET","refresh_token":"SECRET","id_token":"SECRET","scope":"a"})");
    std::string all = e.url + e.request_body + e.response_body;
    for (const auto& headers : {e.request_headers, e.response_headers})
        for (const auto& header : headers) all += header.second;
    EXPECT_EQ(all.find("SECRET"), std::string::npos) << all;
    EXPECT_NE(all.find("grant_type=refresh_token"), std::string::npos);
    EXPECT_NE(all.find("application/json"), std::string::npos);
}

TEST(MaskedExchange, a_registration_hides_its_secret) {
    auth::Exchange e = masked_request("POST", "https://as.example/register", {}, R"({"client_name":"tenon"})");
    add_masked_response(e, 201, {},
                        R"({"client_id":"me","client_secret":"SECRET","registration_access_token":"SECRET"})");
    EXPECT_EQ(e.request_body, R"({"client_name":"tenon"})");
    EXPECT_EQ(e.response_body.find("SECRET"), std::string::npos);
    EXPECT_NE(e.response_body.find("\"me\""), std::string::npos);
}

}  // namespace
}  // namespace tenon
