// A protected server and an issuer, over real sockets.
// rules: HTTP-12, HTTP-13, TOOL-10
#include <atomic>

#include "integration/http_fixture.hpp"
#include "support/scripted_server.hpp"
#include "unit/auth/resource_server/authority.hpp"

namespace tenon::test {
namespace {

using auth::claims;

// An issuer that publishes the URL of its keys. It sends the keys when the test allows it.
class Issuer {
 public:
    explicit Issuer(std::string jwks_uri = {}) : jwks_uri_(std::move(jwks_uri)) {}

    std::string url() const { return server_.url(""); }
    std::string token(const std::string& resource, json::object changes = {}) const {
        json::object said{{"iss", url()},
                          {"aud", resource},
                          {"sub", "ada"},
                          {"exp", std::chrono::duration_cast<std::chrono::seconds>(
                                      std::chrono::system_clock::now().time_since_epoch())
                                          .count() +
                                      300}};
        for (auto& [name, value] : changes) said[name] = value;
        return auth::token(key_, said);
    }
    void hold() { open_ = false; }
    void let_go() { open_ = true, open_.notify_all(); }
    Seen seen;

 private:
    void serve(ScriptedConnection& c) {
        ScriptedRequest request;
        while (c.read(request)) {
            seen.count(request.target);
            if (request.target == "/.well-known/oauth-authorization-server") {
                c.empty("404 Not Found");
            } else if (request.target == "/.well-known/openid-configuration") {
                const std::string keys = jwks_uri_.empty() ? server_.url("/keys") : jwks_uri_;
                c.json(json::write(json::object{{"issuer", url()}, {"jwks_uri", keys}}));
            } else if (request.target == "/keys") {
                open_.wait(false);
                c.json(auth::jwks({key_.public_key()}));
            } else {
                c.empty("404 Not Found");
            }
        }
    }
    const std::string jwks_uri_;
    const jose::PrivateKey key_ = auth::new_key();
    std::atomic<bool> open_{true};
    ScriptedServer server_{[this](ScriptedConnection& c, int) { serve(c); }};
};

struct HttpProtected : HttpIntegration {
    void protect(const Issuer& issuer, auth::ResourceLimits limits = {}) {
        HttpOptions options;
        auth::ResourceServer described{.issuer = issuer.url(), .audience = "https://mcp.example/mcp"};
        described.needs.tools = {{"echo_inline", {"loud"}}};
        described.limits = limits;
        options.auth = std::move(described);
        start({}, std::move(options));
    }
    static std::string with(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }
    static std::string echo(const std::string& fields, std::string_view tool = "echo") {
        return modern_bytes(tool, R"({"message":"x"})", "", fields);
    }
    const std::string resource = "https://mcp.example/mcp";
};

TEST_F(HttpProtected, a_request_waits_for_the_issuers_keys_without_blocking_other_requests) {
    Issuer issuer;
    issuer.hold();
    protect(issuer);
    const std::string bytes = echo(with(issuer.token(resource)));
    HttpClient waiting = connect(), ended = connect();
    waiting.send(bytes);
    ended.send(bytes);
    ended.end_output();  // the whole request was sent
    EXPECT_TRUE(issuer.seen.wait_for("/keys"));
    EXPECT_EQ(once(echo("")).status, 401) << "a request without a token is answered at once: no thread is blocked";
    EXPECT_EQ(seen.of("echo"), 0);
    issuer.let_go();
    EXPECT_EQ(text_of(waiting.reply()), "x");
    EXPECT_EQ(text_of(ended.reply()), "x");
    waiting.send(bytes);
    EXPECT_EQ(text_of(waiting.reply()), "x") << "the connection stays usable";
    EXPECT_EQ(issuer.seen.of("/keys"), 1);
    EXPECT_EQ(once(echo(with(issuer.token(resource)), "echo_inline")).status, 403);
    EXPECT_EQ(once(echo(with(issuer.token(resource, {{"scope", "loud"}})), "echo_inline")).status, 200);
    EXPECT_EQ(once(echo(with(issuer.token("https://other.example")))).status, 401);
}

TEST_F(HttpProtected, a_body_in_pieces_waits_for_the_keys_with_its_head) {
    Issuer issuer;
    issuer.hold();
    protect(issuer);
    const std::string bytes = echo(with(issuer.token(resource)));
    const std::size_t head = bytes.find("\r\n\r\n") + 4;
    HttpClient client = connect();
    client.send(bytes.substr(0, head + 10));
    EXPECT_TRUE(issuer.seen.wait_for("/keys"));
    client.send(bytes.substr(head + 10) + bytes);  // the rest of the body, and the next request
    issuer.let_go();
    EXPECT_EQ(text_of(client.reply()), "x");
    EXPECT_EQ(text_of(client.reply()), "x");
}

TEST_F(HttpProtected, a_request_waits_for_the_keys_only_for_a_limited_time) {
    Issuer issuer;
    issuer.hold();
    auth::ResourceLimits limits;
    limits.wait_time = std::chrono::seconds(1);
    protect(issuer, limits);
    EXPECT_EQ(once(echo(with(issuer.token(resource)))).status, 503);
    issuer.let_go();
}

TEST_F(HttpProtected, a_client_that_disconnects_while_waiting_for_the_keys_does_not_affect_others) {
    Issuer issuer;
    issuer.hold();
    protect(issuer);
    {
        HttpClient gone = connect();
        gone.send(echo(with(issuer.token(resource))));
        EXPECT_TRUE(issuer.seen.wait_for("/keys"));
    }
    issuer.let_go();
    EXPECT_EQ(text_of(once(echo(with(issuer.token(resource))))), "x");
}

TEST_F(HttpProtected, the_server_can_be_stopped_while_a_request_waits_for_the_keys) {
    Issuer issuer;
    issuer.hold();
    protect(issuer);
    HttpClient waiting = connect();
    waiting.send(echo(with(issuer.token(resource))));
    EXPECT_TRUE(issuer.seen.wait_for("/keys"));
    EXPECT_TRUE(http->stop());
    EXPECT_EQ(waiting.reply().status, 503);
    issuer.let_go();
}

TEST_F(HttpProtected, keys_at_a_private_address_named_by_the_issuer_are_not_fetched) {  // an attack: SSRF
    std::atomic<int> asked{0};
    ScriptedServer inside([&](ScriptedConnection& c, int) {
        ++asked;
        ScriptedRequest request;
        while (c.read(request)) c.json("{}");
    });
    const Issuer issuer(inside.url("/keys"));
    protect(issuer);
    EXPECT_EQ(once(echo(with(issuer.token(resource)))).status, 503);
    EXPECT_EQ(asked, 0);
}

TEST_F(HttpProtected, resource_metadata_is_readable_without_a_token) {
    Issuer issuer;
    protect(issuer);
    for (const char* path : {"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"}) {
        const HttpReply reply = once("GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        EXPECT_EQ(reply.status, 200);
        const json::value document = json::parse(reply.body).value();
        EXPECT_EQ(document.at("resource"), "https://mcp.example/mcp");
        EXPECT_EQ(std::string(document.at("authorization_servers").at(0).as_string()), issuer.url());
    }
    EXPECT_EQ(
        once("POST /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            .status,
        405);
    EXPECT_EQ(once("GET /.well-known/oauth-protected-resource/other HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 404);
}

TEST_F(HttpProtected, the_host_name_of_the_audience_is_accepted) {
    Issuer issuer;
    protect(issuer);
    const auto called = [&](const std::string& host) {
        return once("DELETE /mcp HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status;
    };
    EXPECT_EQ(called("mcp.example"), 401);
    EXPECT_EQ(called("localhost"), 401);
    EXPECT_EQ(called("other.example"), 403);
}

TEST_F(HttpProtected, static_tokens_work_without_an_issuer) {
    HttpOptions options;
    options.auth = auth::StaticTokens{{"alice", auth::hash_token("secret")}};
    start({}, std::move(options));
    EXPECT_EQ(text_of(once(echo(with("secret")))), "x");
    const HttpReply refused = once(echo(with("guess")));
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.field("www-authenticate"),
              "Bearer error=\"invalid_token\", error_description=\"the token is not known\"");
}

TEST_F(HttpProtected, a_public_address_is_allowed_with_tokens_and_auth_and_authenticate_are_mutually_exclusive) {
    Server open{"test", "1"};
    const auth::StaticTokens tokens{{"alice", auth::hash_token("secret")}};
    EXPECT_NO_THROW(HttpServer(open, {.address = "0.0.0.0", .port = 0, .auth = tokens}));
    EXPECT_THROW(HttpServer(open, {.port = 0, .auth = tokens, .authenticate = [](std::string_view) { return "x"; }}),
                 Exception);
    EXPECT_THROW(HttpServer(open, {.port = 0, .auth = auth::ResourceServer{.issuer = "x", .audience = "y"}}),
                 Exception);
}

}  // namespace
}  // namespace tenon::test
