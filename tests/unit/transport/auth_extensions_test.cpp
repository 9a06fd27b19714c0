// The extensions that ways to sign in belong to.
#include <gtest/gtest.h>

#include <tenon/auth/client.hpp>
#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>

namespace tenon {
namespace {

json::object declared_with(std::shared_ptr<auth::Authoriser> how) {
    HttpClientOptions options{.url = "http://127.0.0.1:1/mcp"};
    options.auth = std::move(how);
    return http(std::move(options))->extensions();
}

TEST(AuthExtensions, client_credentials_and_enterprise_declare_their_ids) {
    auth::ClientCredentialsOptions machine{
        .client_id = "id", .client_secret = "secret", .issuer = "https://as.example"};
    EXPECT_EQ(json::write(declared_with(auth::client_credentials(machine))),
              R"({"io.modelcontextprotocol/oauth-client-credentials":{}})");
    auth::EnterpriseOptions company{.id_token = [] { return std::string("token"); },
                                    .idp_issuer = "https://idp.example",
                                    .issuer = "https://as.example"};
    EXPECT_EQ(json::write(declared_with(auth::enterprise(company))),
              R"({"io.modelcontextprotocol/enterprise-managed-authorization":{}})");
    EXPECT_TRUE(declared_with(nullptr).empty());
}

/// Records what a client sends to a server that never answers.
class DeclaringTransport final : public ClientTransport {
 public:
    explicit DeclaringTransport(json::object extensions) : extensions_(std::move(extensions)) {}
    void start(Events events, Bounds) override { events.opened(); }
    Result<void> send(OutgoingMessage message) override {
        if (first.empty()) first = message.body;
        return {};
    }
    void close(TimePoint) override {}
    json::object extensions() const override { return extensions_; }

    std::string first;

 private:
    json::object extensions_;
};

TEST(AuthExtensions, a_client_declares_the_extensions_of_its_transport) {
    for (const Era era : {Era::legacy, Era::modern}) {
        const auto transport = std::make_shared<DeclaringTransport>(
            json::object{{"io.modelcontextprotocol/oauth-client-credentials", json::object()}});
        ClientOptions options;
        options.era = era;
        { const Client client(transport, options); }
        EXPECT_NE(transport->first.find(R"("io.modelcontextprotocol/oauth-client-credentials":{})"), std::string::npos)
            << transport->first;
    }
}

// rules: LIFE-12
TEST(ClientExtensions, an_identifier_needs_a_prefix_before_it_reaches_the_wire) {
    const auto declare = [](const char* id) {
        const auto transport = std::make_shared<DeclaringTransport>(json::object{});
        ClientOptions options;
        options.era = Era::legacy;
        options.extensions = {{id, json::object()}};
        { const Client client(transport, options); }
        return transport->first;
    };
    EXPECT_NE(declare("com.example/search").find(R"("extensions":{"com.example/search":{}})"), std::string::npos);
    for (const char* wrong : {"search", "com.example/a/b", "/x", "1.example/x", "com.example/-x"})
        EXPECT_THROW(declare(wrong), Exception) << wrong;
}

}  // namespace
}  // namespace tenon
