// A server over HTTP, with a fault at each allocation and at each system call. Each request has its own connection.
#include <signal.h>

#include <tenon/transport/http_server.hpp>

#include "faults/conversation.hpp"
#include "faults/inject.hpp"
#include "support/certificates.hpp"
#include "support/http_client.hpp"

namespace tenon::test {
namespace {

class HttpLink final : public Link {
 public:
    HttpLink(std::uint16_t port, bool modern, bool tls) : port_(port), modern_(modern), tls_(tls) {}

    bool send(const json::object& message) override {
        std::string fields;
        if (!session_.empty()) fields += "Mcp-Session-Id: " + session_ + "\r\n";
        if (modern_ && message.contains("method")) {
            const std::string method(message.at("method").as_string());
            fields += "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n";
            if (method == "tools/call")
                fields += "Mcp-Name: " + std::string(message.at("params").at("name").as_string()) + "\r\n";
        }
        const bool request = message.contains("method") && message.contains("id");
        std::unique_ptr<HttpClient> connection = connect();
        if (!connection || !connection->send(post_bytes(boost::json::serialize(message), fields))) return false;
        if (!request) return connection->head().status == 202;
        current_ = std::move(connection);
        head_.reset();
        return true;
    }
    std::optional<json::object> next() override {
        if (!current_) return std::nullopt;
        if (!head_) {
            head_ = current_->head();
            if (const std::string id = head_->field("mcp-session-id"); !id.empty()) session_ = id;
        }
        std::optional<std::string> text;
        if (head_->is_stream()) {
            text = current_->event();
        } else if (head_->status != 0 && !head_->field("content-length").empty()) {
            text = current_->body(head_->field("content-length"));
        }
        if (!text || text->empty() || !head_->is_stream()) {
            const auto last = text;
            current_.reset();
            if (!last || last->empty()) return std::nullopt;
        }
        const auto message = json::parse(*text, {1000});
        EXPECT_TRUE(message && message->is_object()) << *text;
        if (!message) return std::nullopt;
        json::object out = message->as_object();
        if (head_->status != 200) out["id"] = nullptr;  // a refusal
        return out;
    }
    void cancel(std::int64_t id) override {
        if (modern_) return current_.reset();
        // The call and its cancellation are on two connections. The server ignores a cancellation that comes first.
        if (!next()) return;
        const bool sent = send(
            {{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", json::object{{"requestId", id}}}});
        if (!sent) return current_.reset();
        while (next()) {
        }
    }
    bool can_reconnect() const override { return true; }

 private:
    std::unique_ptr<HttpClient> connect() const {
        try {
            auto out = std::make_unique<HttpClient>(port_);
            if (tls_ && !out->use_tls()) return nullptr;
            return out;
        } catch (const std::exception&) {  // the server does not listen
            return nullptr;
        }
    }

    const std::uint16_t port_;
    const bool modern_, tls_;
    std::string session_;
    std::unique_ptr<HttpClient> current_;
    std::optional<HttpReply> head_;
};

enum class Way { legacy, modern, tls };

class HttpServerFaults : public testing::TestWithParam<Way> {
 protected:
    HttpServerFaults() {
        ::signal(SIGPIPE, SIG_IGN);
        add_tools(server_);
    }
    void try_all(Fault fault, long count, std::size_t most) {
        inject(fault, count, most, {[this] { serve(); }, [this] { return serve(); }});
    }

 private:
    // Starts a server, talks to it, and ends it. When the fault has come, talks again: that must work.
    bool serve() {
        HttpOptions options;
        options.port = 0;
        options.threads = 1;
        if (GetParam() == Way::tls) options.tls = TlsOptions{files_.certificate, files_.key};
        std::optional<HttpServer> http;
        {
            const Subject subject;
            try {
                http.emplace(server_, std::move(options));
            } catch (const std::exception&) {
                return false;
            }
        }
        bool right = talk(http->port());
        if (fault_is_over()) {
            disarm();
            right = talk(http->port());
            EXPECT_TRUE(right) << "the same server does not work after the fault";
        }
        const Subject subject;
        http.reset();
        return right;
    }
    bool talk(std::uint16_t port) const {
        HttpLink link(port, GetParam() != Way::legacy, GetParam() == Way::tls);
        return Conversation(link, GetParam() != Way::legacy).run();
    }

    Certificates certificates_;
    const Certificates::Files files_ = certificates_.sign("DNS:localhost,IP:127.0.0.1");
    Server server_{"t", "1", {.limits = quick_end(), .log = [](const LogRecord&) {}}};
};
INSTANTIATE_TEST_SUITE_P(, HttpServerFaults, testing::Values(Way::legacy, Way::modern, Way::tls),
                         [](const auto& way) -> std::string {
                             return way.param == Way::legacy ? "legacy" : way.param == Way::modern ? "modern" : "tls";
                         });

TEST_P(HttpServerFaults, one_failed_allocation) { try_all(Fault::allocation, 1, 50); }
TEST_P(HttpServerFaults, many_failed_allocations) { try_all(Fault::allocation, 50, 12); }
TEST_P(HttpServerFaults, failed_thread_creation) { try_all(Fault::thread, 1, 10); }
TEST_P(HttpServerFaults, no_descriptors) {
    try_all(Fault::emfile, 1, 30);
    try_all(Fault::enfile, 3, 10);
}
TEST_P(HttpServerFaults, interrupted_calls) {
    try_all(Fault::eintr, 1, 20);
    try_all(Fault::eintr, 20, 5);
}
TEST_P(HttpServerFaults, incomplete_reads_and_writes) {
    try_all(Fault::eagain, 1, 20);
    try_all(Fault::eagain, 20, 5);
    try_all(Fault::short_io, 1, 20);
    try_all(Fault::short_io, 200, 3);
}
TEST_P(HttpServerFaults, broken_connections) {
    for (const Fault fault : {Fault::epipe, Fault::econnreset, Fault::enospc}) try_all(fault, 1, 10);
}
TEST_P(HttpServerFaults, clocks_that_jump) {
    try_all(Fault::clock_jump, 1, 10);
    try_all(Fault::clock_back, 1, 5);
}

}  // namespace
}  // namespace tenon::test
