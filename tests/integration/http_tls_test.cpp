// rules: SEC-4
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <filesystem>

#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;

/// A key and a self-signed certificate, in files.
class OwnCertificate {
 public:
    OwnCertificate() {
        EVP_PKEY* key = ::EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256");
        X509* certificate = ::X509_new();
        ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate), 1);
        ::X509_gmtime_adj(::X509_getm_notBefore(certificate), 0);
        ::X509_gmtime_adj(::X509_getm_notAfter(certificate), 3600);
        ::X509_set_pubkey(certificate, key);
        X509_NAME* name = ::X509_get_subject_name(certificate);
        ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1,
                                     -1, 0);
        ::X509_set_issuer_name(certificate, name);
        ::X509_sign(certificate, key, ::EVP_sha256());
        std::FILE* file = std::fopen(options.certificate_file.c_str(), "w");
        ::PEM_write_X509(file, certificate);
        std::fclose(file);
        file = std::fopen(options.key_file.c_str(), "w");
        ::PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(file);
        ::X509_free(certificate);
        ::EVP_PKEY_free(key);
    }
    ~OwnCertificate() { std::filesystem::remove(options.certificate_file), std::filesystem::remove(options.key_file); }
    OwnCertificate(const OwnCertificate&) = delete;
    OwnCertificate& operator=(const OwnCertificate&) = delete;

    const std::string base = testing::TempDir() + "tenon_tls_" + std::to_string(::getpid());
    const TlsOptions options{base + ".crt", base + ".key"};
};

class HttpsIntegration : public HttpIntegration {
 protected:
    void start_tls(Limits limits = {}) {
        HttpOptions options;
        options.tls = certificate.options;
        start(limits, std::move(options));
    }
    HttpClient connect_tls() {
        if (!http) start_tls();
        HttpClient client(http->port());
        EXPECT_TRUE(client.use_tls());
        return client;
    }
    OwnCertificate certificate;
};

using Https = HttpsIntegration;

TEST_F(Https, serves_sessions_streams_and_stateless_requests) {
    HttpClient client = connect_tls();
    EXPECT_EQ(http->url().substr(0, 8), "https://");
    const std::string session = begin(client);
    for (int i = 0; i < 10; ++i) {
        client.send(post_bytes(echo_body(std::to_string(i)), in_session(session)));
        EXPECT_EQ(text_of(client.reply()), std::to_string(i));
    }
    client.send(modern_bytes("flood", R"({"times":50,"bytes":10000})", R"(,"progressToken":1)"));
    const HttpReply reply = client.reply();
    EXPECT_TRUE(reply.is_stream());
    EXPECT_GT(reply.body.size(), 500'000U);
    EXPECT_EQ(text_of(reply), "flooded");
}

TEST_F(Https, requests_in_one_write_are_answered_in_order) {
    HttpClient client = connect_tls();
    std::string all;
    for (int i = 0; i < 50; ++i)
        all += modern_bytes(i % 3 ? "echo_inline" : "echo", R"({"message":")" + std::to_string(i) + "\"}");
    client.send(all);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(text_of(client.reply()), std::to_string(i));
}

TEST_F(Https, expect_100_continue_is_answered_before_the_body) {
    HttpClient client = connect_tls();
    expect_continue(client);
}

TEST_F(Https, an_unfinished_body_times_out) {
    start_tls({.body_time = std::chrono::milliseconds(50)});
    for (const char* expect : {"", "Expect: 100-continue\r\n"}) {
        HttpClient client = connect_tls();
        const std::string bytes = modern_bytes("echo", R"({"message":"x"})", "", expect);
        client.send(bytes.substr(0, bytes.find("\r\n\r\n") + 4));
        if (*expect) {
            EXPECT_EQ(client.reply().status, 100);
        }
        EXPECT_EQ(client.reply().status, 408);
    }
}

TEST_F(Https, refusals_can_be_read_by_a_client_that_sends_its_body_first) {
    start_tls({.max_message_bytes = 10'000});
    HttpClient client = connect_tls();
    client.send(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        "300000\r\n\r\n" +
        std::string(300'000, 'x'));
    EXPECT_EQ(client.reply().status, 413);
}

TEST_F(Https, clients_without_tls_or_that_disconnect_do_not_harm_the_server) {
    start_tls();
    HttpClient plain(http->port());
    plain.send(modern_bytes("echo", R"({"message":"x"})"));
    EXPECT_EQ(plain.reply().status, 0);
    for (int i = 0; i < 20; ++i) {
        HttpClient half(http->port());
        half.send(std::string("\x16\x03\x01\x02\x00\x01", 6));
        half.reset();
        HttpClient gone = connect_tls();
        gone.send("POST /mcp HTTP/1.1\r\n");
        gone.reset();
        HttpClient refused = connect_tls();
        refused.send("nonsense\r\n\r\n");
        if (i % 2) refused.reset();
    }
    HttpClient client = connect_tls();
    client.send(modern_bytes("echo", R"({"message":"alive"})"));
    EXPECT_EQ(text_of(client.reply()), "alive");
    EXPECT_EQ(seen.of("echo"), 1);
}

TEST_F(Https, a_killed_modern_client_stops_its_handler) {
    HttpClient client = connect_tls();
    client.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    client.reset();
    EXPECT_TRUE(seen.wait_for("stopped"));
}

TEST_F(Https, an_unfinished_handshake_times_out) {
    start_tls({.head_time = std::chrono::milliseconds(50)});
    HttpClient silent(http->port());
    EXPECT_NE(silent.wait_for_end(), End::late);
}

TEST_F(Https, stopping_finishes_running_calls) {
    HttpClient client = connect_tls(), idle = connect_tls();
    client.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    std::thread stopper([this] { EXPECT_TRUE(http->stop()); });
    EXPECT_NE(idle.wait_for_end(), End::late);
    seen.count("go");
    EXPECT_EQ(text_of(client.reply()), "went");
    stopper.join();
}

TEST_F(Https, missing_or_invalid_certificate_files_are_refused) {
    Server plain{"test", "1"};
    const auto serve = [&](TlsOptions tls) { HttpServer(plain, {.port = 0, .tls = std::move(tls)}); };
    EXPECT_THROW(serve({"/nonexistent.crt", certificate.options.key_file}), Exception);
    EXPECT_THROW(serve({certificate.options.certificate_file, "/nonexistent.key"}), Exception);
    EXPECT_THROW(serve({certificate.options.key_file, certificate.options.key_file}), Exception);
}

TEST_F(Https, stopping_does_not_wait_for_an_unfinished_handshake) {
    start_tls();
    HttpClient silent = connect(), half = connect();
    half.send(std::string("\x16\x03\x01\x02\x00\x01\x00", 7));
    EXPECT_TRUE(http->stop());
    EXPECT_NE(half.wait_for_end(), End::late);
    EXPECT_NE(silent.wait_for_end(), End::late);
}

}  // namespace
}  // namespace tenon::test
