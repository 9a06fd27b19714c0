// The client over TLS. The server's certificate is always verified, and verification cannot be disabled.
#include <future>

#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>

#include "integration/http_fixture.hpp"
#include "support/certificates.hpp"
#include "support/scripted_server.hpp"

namespace tenon::test {
namespace {

class HttpsClient : public HttpIntegration {
 protected:
    void start_with(const Certificates::Files& files) {
        HttpOptions options;
        options.tls = TlsOptions{files.certificate, files.key};
        start({}, std::move(options));
    }
    std::string url(const std::string& host) const {
        return "https://" + host + ":" + std::to_string(http->port()) + "/mcp";
    }
    std::string outcome(const std::string& host, const std::string& ca_file, const std::string& proxy = "") {
        try {
            Client c(tenon::http({.url = url(host), .ca_file = ca_file, .proxy = proxy}), {.era = Era::modern});
            return std::get<TextContent>(c.call_tool("echo", {{"message", "safe"}}).content.at(0)).text;
        } catch (const Exception& e) {
            return e.error().message;
        }
    }
    static bool is_refused(const std::string& outcome) {
        return outcome.find("the TLS handshake failed") != std::string::npos;
    }
    Certificates certificates;
};

TEST_F(HttpsClient, a_server_with_a_valid_certificate_is_accepted) {
    start_with(certificates.sign("DNS:localhost,IP:127.0.0.1"));
    EXPECT_EQ(outcome("localhost", certificates.ca_file), "safe");
    EXPECT_EQ(outcome("127.0.0.1", certificates.ca_file), "safe");
}

TEST_F(HttpsClient, a_port_without_tls_is_recognised_at_once) {
    start();
    const std::string said = outcome("localhost", certificates.ca_file);
    EXPECT_NE(said.find("does not speak TLS on this port; use http://"), std::string::npos) << said;
}

TEST_F(HttpsClient, a_certificate_of_an_unknown_authority_is_refused) {
    start_with(certificates.sign("DNS:localhost"));
    EXPECT_TRUE(is_refused(outcome("localhost", "")));  // checked against the system's certificates
    const Certificates others;
    EXPECT_TRUE(is_refused(outcome("localhost", others.ca_file)));
}

TEST_F(HttpsClient, a_certificate_for_another_name_is_refused) {
    start_with(certificates.sign("DNS:example.com,IP:127.0.0.2"));
    EXPECT_TRUE(is_refused(outcome("localhost", certificates.ca_file)));
    EXPECT_TRUE(is_refused(outcome("127.0.0.1", certificates.ca_file)));
}

TEST_F(HttpsClient, an_expired_certificate_is_refused) {
    start_with(certificates.sign("DNS:localhost", -100'000));
    EXPECT_TRUE(is_refused(outcome("localhost", certificates.ca_file)));
}

TEST_F(HttpsClient, a_server_without_tls_is_refused) {
    const ScriptedServer plain([](ScriptedConnection& c, int) { c.empty("400 Bad Request"); });
    Client c(tenon::http(
        {.url = "https://127.0.0.1:" + std::to_string(plain.port()), .ca_file = certificates.ca_file, .proxy = ""}));
    EXPECT_THROW(c.connect(), Exception);
}

TEST_F(HttpsClient, a_proxy_only_tunnels_and_the_certificate_is_still_verified) {
    start_with(certificates.sign("DNS:mcp.example"));
    std::promise<std::string> asked;
    const ScriptedServer proxy([&](ScriptedConnection& c, int number) {
        const std::string head = c.read_head();
        if (number == 1) asked.set_value(head);
        c.send("HTTP/1.1 200 Connection established\r\n\r\n");
        c.tunnel_to(http->port());
    });
    const std::string at = "127.0.0.1:" + std::to_string(proxy.port());
    // The server answers 4xx because it only accepts the host localhost. The test only needs to see that the request
    // arrives.
    EXPECT_NE(outcome("mcp.example", certificates.ca_file, at).find("HTTP 4"), std::string::npos);
    const std::string head = asked.get_future().get();
    EXPECT_TRUE(head.starts_with("CONNECT mcp.example:" + std::to_string(http->port()) + " HTTP/1.1\r\n")) << head;
    EXPECT_EQ(head.find("mcp-"), std::string::npos);
    EXPECT_TRUE(is_refused(outcome("other.example", certificates.ca_file, at)));
}

TEST_F(HttpsClient, large_messages_and_cancellation_work_over_tls) {
    start_with(certificates.sign("DNS:localhost"));
    Client c(tenon::http({.url = url("localhost"), .ca_file = certificates.ca_file, .proxy = ""}));
    const std::string large(3 * 1024 * 1024, 'x');
    EXPECT_EQ(std::get<TextContent>(c.call_tool("echo", {{"message", large}}).content.at(0)).text, large);
    std::stop_source stop;
    auto call = std::async(std::launch::async, [&] {
        CallOptions options;
        options.stop = stop.get_token();
        EXPECT_THROW(c.call_tool("talk_and_wait", {}, options), Exception);
    });
    ASSERT_TRUE(seen.wait_for("waiting"));
    stop.request_stop();
    call.get();
    EXPECT_TRUE(seen.wait_for("stopped"));
}

}  // namespace
}  // namespace tenon::test
