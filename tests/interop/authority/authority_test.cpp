// End-to-end tests: a client that signs in, a protected server, and a third-party authorisation server (oidc-provider).
// rules: HTTP-13, HTTP-14, TOOL-10
#include <map>

#include <tenon/auth/client.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/http_server.hpp>

#include "interop/servers/foreign_server.hpp"
#include "support/http_client.hpp"
#include "unit/auth/resource_server/authority.hpp"
#include "web/url.hpp"

namespace tenon::test {
namespace {

std::string host_of(const std::string& url) { return web::parse_url(url).value().authority(); }
std::string target_of(const std::string& url) { return web::parse_url(url).value().target; }
HttpReply said_to(const std::string& url, const std::string& bytes) {
    HttpClient client(web::parse_url(url).value().port);
    client.send(bytes);
    return client.reply();
}

// Follows redirects as a browser does, with one cookie jar, until a page does not redirect.
class Browser {
 public:
    void visit(std::string url) {
        for (int hops = 0; hops < 20; ++hops) {
            const std::string next = get(url);
            if (next.empty()) return;
            url = web::resolve_reference(web::parse_url(url).value(), next).value().text();
        }
        throw std::runtime_error("the browser was sent in circles");
    }

 private:
    // Returns the target of the page's redirect. Empty when the page does not redirect. Reads the response head itself
    // because there may be several `Set-Cookie` fields.
    std::string get(const std::string& url) {
        std::string cookies;
        for (const auto& [name, value] : jar_) cookies += (cookies.empty() ? "Cookie: " : "; ") + name + "=" + value;
        HttpClient client(web::parse_url(url).value().port);
        client.send("GET " + target_of(url) + " HTTP/1.1\r\nHost: " + host_of(url) + "\r\n" +
                    (cookies.empty() ? "" : cookies + "\r\n") + "Connection: close\r\n\r\n");
        client.wait_for_end();
        const std::string all = client.unread();
        for (std::size_t at = all.find("Set-Cookie: "); at != all.npos; at = all.find("Set-Cookie: ", at + 1)) {
            const std::string cookie = all.substr(at + 12, all.find_first_of(";\r", at) - at - 12);
            jar_[cookie.substr(0, cookie.find('='))] = cookie.substr(cookie.find('=') + 1);
        }
        const std::size_t at = all.find("\r\nLocation: ");
        return at == all.npos ? "" : all.substr(at + 12, all.find("\r\n", at + 12) - at - 12);
    }
    std::map<std::string, std::string> jar_;
};

class Authority : public ForeignServer {
 protected:
    void SetUp() override {
        if (!npm_packages_are_installed() || !exists(interop_folder / "node_modules" / "oidc-provider"))
            GTEST_SKIP() << "the npm packages are not installed";
        issuer = http_server({interop_folder / "authority" / "authority.mjs"}).url("");
    }
    void TearDown() override {
        http.reset();
        ForeignServer::TearDown();
    }

    /// Starts a protected server on a free port. The options contain its URL, so ports are tried one after another.
    void protect(const std::string& path = "/mcp", auth::ResourceServer options = {}) {
        server.tool("whoami", "Who calls", [](Context& ctx) { return ctx.principal(); });
        server.tool("add_note", "Needs more", [] { return "added"; });
        options.issuer = issuer;
        options.scopes = {"notes:read"};
        options.needs = {.tools = {{"add_note", {"notes:write"}}}, .implies = {{"notes:write", {"notes:read"}}}};
        for (std::uint16_t port = 21'000; !http; ++port) {
            options.audience = resource = "http://127.0.0.1:" + std::to_string(port) + path;
            try {
                http.emplace(server, HttpOptions{.port = port, .path = path, .auth = options});
            } catch (const Exception& taken) {
                if (port == 22'000) throw;
            }
        }
    }
    static auth::ResourceServer strict_about_time() {
        auth::ResourceServer out;
        out.leeway = std::chrono::seconds(0);
        return out;
    }
    Client signed_in(auth::TokenOptions tokens = {}) {
        tokens.store = auth::memory_store();
        auth::SignInOptions options{.client_name = "test", .tokens = std::move(tokens)};
        options.open_page = [this](const auth::Page& page) {
            ++pages;
            browser.visit(page.url);
        };
        return Client(tenon::http({.url = resource, .proxy = "", .auth = auth::sign_in(std::move(options))}));
    }
    static std::string text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }

    /// Requests a token for the client "robot" without using Tenon's client, as an attacker might.
    std::string token_for(const std::string& audience, const std::string& fields = "") const {
        const std::string body = "grant_type=client_credentials&scope=notes%3Aread&resource=" + audience;
        const HttpReply reply =
            said_to(issuer, "POST /token HTTP/1.1\r\nHost: " + host_of(issuer) +
                                "\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: Basic " +
                                base::base64_encode("robot:robot-secret") + "\r\n" + fields +
                                "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return std::string(json::parse(reply.body).value().at("access_token").as_string());
    }
    HttpReply whoami(const std::string& fields) const {
        const std::string body =
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","_meta":{)"
            R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
        return said_to(resource, "POST " + target_of(resource) + " HTTP/1.1\r\nHost: " + host_of(resource) +
                                     "\r\nContent-Type: application/json\r\nAccept: application/json, "
                                     "text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
                                     "tools/call\r\nMcp-Name: whoami\r\n" +
                                     fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    static std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }
    static std::int64_t seconds_now() {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        return std::chrono::duration_cast<std::chrono::seconds>(now).count();
    }
    std::string grants() const {
        return said_to(issuer, "GET /grants HTTP/1.1\r\nHost: " + host_of(issuer) + "\r\n\r\n").body;
    }

    std::string issuer, resource;
    Server server{"notes", "1"};
    std::optional<HttpServer> http;
    Browser browser;
    std::atomic<int> pages{0};
};

TEST_F(Authority, a_user_signs_in_calls_a_tool_and_steps_up) {
    protect();
    Client client = signed_in();
    EXPECT_EQ(text(client.call_tool("whoami")), issuer + "#ada");
    EXPECT_EQ(pages, 1);
    EXPECT_EQ(client.list_tools().all().size(), 1U) << "the other tool needs a scope that was not granted yet";
    EXPECT_EQ(text(client.call_tool("add_note")), "added");
    EXPECT_EQ(pages, 2) << "the user was asked for the additional scope";
    EXPECT_EQ(client.list_tools().all().size(), 2U);
    EXPECT_EQ(text(client.call_tool("whoami")), issuer + "#ada");
    EXPECT_EQ(pages, 2);
}

TEST_F(Authority, an_expired_token_is_refreshed_without_asking_the_user) {
    protect("/brief", strict_about_time());
    Client client = signed_in();
    const auto end = std::chrono::steady_clock::now() + patience;
    do {
        EXPECT_EQ(text(client.call_tool("whoami")), issuer + "#ada");
    } while (grants().find("refresh_token") == std::string::npos && std::chrono::steady_clock::now() < end);
    EXPECT_NE(grants().find("refresh_token"), std::string::npos);
    EXPECT_EQ(pages, 1);
}

TEST_F(Authority, an_expired_token_is_refused) {
    protect("/brief", strict_about_time());
    const std::string token = token_for(resource);
    const auto end = std::chrono::steady_clock::now() + patience;
    HttpReply reply = whoami(bearer(token));
    while (reply.status == 200 && std::chrono::steady_clock::now() < end) reply = whoami(bearer(token));
    EXPECT_EQ(reply.status, 401);
    EXPECT_NE(reply.field("www-authenticate").find("the token is expired"), std::string::npos);
}

TEST_F(Authority, a_token_for_another_server_is_refused) {
    protect();
    EXPECT_EQ(whoami(bearer(token_for(resource))).status, 200);
    const HttpReply reply = whoami(bearer(token_for("http://127.0.0.1:1/mcp")));
    EXPECT_EQ(reply.status, 401);
    EXPECT_NE(reply.field("www-authenticate").find("another audience"), std::string::npos);
}

TEST_F(Authority, a_stolen_dpop_token_is_refused) {
    protect();
    const jose::PrivateKey owner = jose::PrivateKey::generate(jose::Algorithm::es256);
    const jose::PrivateKey thief = jose::PrivateKey::generate(jose::Algorithm::es256);
    const auto proof = [&](const jose::PrivateKey& key, const std::string& url, const std::string& token,
                           const char* id) {
        return "DPoP: " + auth::proof(key, token, {{"htu", url}, {"iat", seconds_now()}, {"jti", id}}) + "\r\n";
    };
    const std::string token = token_for(resource, proof(owner, issuer + "/token", "", "1"));
    const std::string with_token = "Authorization: DPoP " + token + "\r\n", good = proof(owner, resource, token, "2");
    EXPECT_EQ(whoami(with_token + good).status, 200);
    EXPECT_EQ(whoami(with_token + good).status, 401) << "a DPoP proof was accepted a second time";
    EXPECT_EQ(whoami(with_token + proof(thief, resource, token, "3")).status, 401);
    EXPECT_EQ(whoami(with_token).status, 401);
    EXPECT_EQ(whoami(bearer(token)).status, 401);
    EXPECT_EQ(whoami(with_token + proof(owner, resource, token, "4")).status, 200);
}

TEST_F(Authority, a_client_signs_in_with_dpop_and_nonces) {
    auth::ResourceServer strict;
    strict.dpop = auth::ResourceServer::Dpop::required;
    strict.dpop_nonces = true;
    protect("/mcp", strict);
    Client client = signed_in();
    EXPECT_EQ(text(client.call_tool("whoami")), issuer + "#ada");
    EXPECT_EQ(text(client.call_tool("add_note")), "added");
}

TEST_F(Authority, opaque_tokens_are_verified_by_introspection) {
    auth::ResourceServer asking;
    asking.introspection = auth::Introspection{issuer + "/token/introspection", "robot", "robot-secret"};
    protect("/opaque", asking);
    EXPECT_EQ(whoami(bearer(token_for(resource))).status, 200);
    EXPECT_EQ(whoami(bearer("invented")).status, 401);
    EXPECT_EQ(whoami(bearer(token_for("http://127.0.0.1:1/opaque"))).status, 401);
}

}  // namespace
}  // namespace tenon::test
