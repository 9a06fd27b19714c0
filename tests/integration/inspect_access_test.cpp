// The protection of the inspector, over real sockets: other sites, other ports, reused links, and greedy clients.
#include "integration/inspect_fixture.hpp"

#include <condition_variable>
#include <mutex>

#include "inspect/site_listener.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

class InspectAccess : public testing::Test {
 protected:
    inspect::Inspector inspector_{{}};
    Browser browser_{inspector_};
};

TEST_F(InspectAccess, the_page_has_its_key_and_a_strict_policy) {
    const HttpReply page = browser_.get("/", browser_.host() + browser_.cookie());
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.field("content-type"), "text/html; charset=utf-8");
    EXPECT_EQ(page.field("x-content-type-options"), "nosniff");
    EXPECT_EQ(page.field("referrer-policy"), "no-referrer");
    EXPECT_EQ(page.field("cross-origin-resource-policy"), "same-origin");
    const std::string policy = page.field("content-security-policy");
    EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';")) << policy;
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(page.body.find("@TENON_"), std::string::npos);
    EXPECT_EQ(browser_.run("status").at("state"), json::value("idle"));
}

TEST_F(InspectAccess, the_link_cannot_be_used_again) {
    const std::string url = inspector_.url();
    const HttpReply again = browser_.get(url.substr(url.find("/?")), browser_.host());
    EXPECT_EQ(again.status, 403);
    EXPECT_EQ(again.field("set-cookie"), "");
    EXPECT_NE(again.body.find("works only once"), std::string::npos);
}

TEST_F(InspectAccess, requests_without_the_cookie_or_the_key_are_refused) {
    const std::string key = browser_.fields();
    EXPECT_EQ(browser_.get("/", browser_.host()).status, 403);
    EXPECT_EQ(browser_.get("/app.js", browser_.host()).status, 403);
    EXPECT_EQ(browser_.post("status", "{}", browser_.host()).status, 403);
    EXPECT_EQ(browser_.post("status", "{}", browser_.host() + browser_.cookie()).status, 403);
    EXPECT_EQ(browser_.get("/api/events", browser_.host() + browser_.cookie()).status, 403);
    EXPECT_EQ(browser_.post("status", "{}", browser_.fields()).status, 200);
}

TEST_F(InspectAccess, other_hosts_origins_and_ports_are_refused) {
    const std::string rest = browser_.fields().substr(browser_.host().size());
    EXPECT_EQ(browser_.post("status", "{}", "Host: evil.example\r\n" + rest).status, 403);
    EXPECT_EQ(browser_.post("status", "{}", "Host: 127.0.0.1:1\r\n" + rest).status, 403);
    for (const char* origin : {"https://evil.example", "http://127.0.0.1:1", "null"}) {
        EXPECT_EQ(browser_.post("status", "{}", browser_.fields() + "Origin: " + origin + "\r\n").status, 403);
    }
    EXPECT_EQ(browser_.post("status", "{}", browser_.fields() + "Sec-Fetch-Site: same-site\r\n").status, 403);
}

TEST_F(InspectAccess, bad_requests_get_a_sentence) {
    EXPECT_EQ(browser_.refused("no_such_command").first, 404);
    EXPECT_EQ(browser_.post("status", "[]", browser_.fields()).status, 400);
    EXPECT_EQ(browser_.post("status", "{", browser_.fields()).status, 400);
    EXPECT_EQ(browser_.get("/no/such/file", browser_.fields()).status, 404);
    EXPECT_EQ(browser_.get("/api/status", browser_.fields()).status, 405);
    HttpClient client(inspector_.port());
    client.send("POST /api/status HTTP/1.1\r\n" + browser_.fields() + "Content-Length: 2\r\n\r\n{}");
    EXPECT_EQ(client.reply().status, 415) << "a form of another site cannot send JSON";
    EXPECT_EQ(browser_.refused("call", {{"arguments", json::object()}}).second.at("message"),
              json::value("`tool` is missing."));
    EXPECT_EQ(browser_.refused("server").first, 409);
    EXPECT_EQ(browser_.refused("decide", {{"consent", "k9"}, {"decision", "once"}}).first, 404);
}

TEST_F(InspectAccess, large_requests_are_refused_before_they_are_read) {
    HttpClient head(inspector_.port());
    head.send("GET / HTTP/1.1\r\n" + browser_.fields() + "X: " + std::string(10'000, 'x') + "\r\n\r\n");
    EXPECT_EQ(head.reply().status, 431);
    HttpClient body(inspector_.port());
    body.send("POST /api/validate HTTP/1.1\r\n" + browser_.fields() + "Content-Length: 5000000\r\n\r\n");
    EXPECT_EQ(body.reply().status, 413);
}

TEST_F(InspectAccess, a_refused_request_ends_before_its_body) {
    HttpClient client(inspector_.port());
    client.send("POST /api/status HTTP/1.1\r\n" + browser_.host() + "Content-Length: 1000\r\n\r\n");
    EXPECT_EQ(client.reply().status, 403);
}

TEST_F(InspectAccess, streams_are_limited) {
    std::vector<std::unique_ptr<EventStream>> streams;
    for (int i = 0; i < 4; ++i) {
        streams.push_back(std::make_unique<EventStream>(inspector_.port(), browser_.fields()));
        EXPECT_EQ(streams.back()->status(), 200);
        streams.back()->wait_for("hello");
    }
    EXPECT_EQ(EventStream(inspector_.port(), browser_.fields()).status(), 429);
}

// ---- the listener itself, with small limits

class Hello final : public inspect::Site {
 public:
    std::optional<web::Response> refuse(const framing::HttpRequest&) override { return std::nullopt; }
    void answer(const framing::HttpRequest&, std::string body, std::shared_ptr<inspect::SiteReply> reply) override {
        reply->respond({200, {}, "text/plain", "hello " + body});
    }
};

TEST(SiteListener, closes_slow_requests) {
    Hello site;
    inspect::SiteListener listener(0, {.request_time = 50ms});
    listener.start(site);
    HttpClient slow(listener.port());
    slow.send("GET / HTTP/1.1\r\nHost: ");
    EXPECT_NE(slow.wait_for_end(), HttpClient::End::late);
}

TEST(SiteListener, closes_connections_above_the_limit_and_serves_again_later) {
    Hello site;
    inspect::SiteListener listener(0, {.max_connections = 2});
    listener.start(site);
    auto one = std::make_unique<HttpClient>(listener.port()), two = std::make_unique<HttpClient>(listener.port());
    one->send("GET / HTTP/1.1\r\nHost: ");
    two->send("GET / HTTP/1.1\r\nHost: ");
    HttpClient three(listener.port());
    EXPECT_NE(three.wait_for_end(), HttpClient::End::late);
    one->send("x\r\n\r\n");
    EXPECT_EQ(one->reply().body, "hello ");
    one.reset();
    two.reset();
    HttpReply reply;  // the listener may notice the end of the others a little later
    while (reply.status == 0) {
        HttpClient four(listener.port());
        four.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
        reply = four.reply();
    }
    EXPECT_EQ(reply.body, "hello hi");
}

const std::string get_request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

std::string post_request(const std::string& body) {
    return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(SiteListener, a_connection_carries_one_request_after_another) {
    Hello site;
    inspect::SiteListener listener(0);
    listener.start(site);
    HttpClient client(listener.port());
    for (int i = 0; i < 20; ++i) {
        const std::string body(static_cast<std::size_t>(i) * 4000, 'x');
        client.send(post_request(body));
        const HttpReply reply = client.reply();
        ASSERT_EQ(reply.body, "hello " + body);
        ASSERT_EQ(reply.field("connection"), "");
    }
}

TEST(SiteListener, requests_that_come_before_the_response_are_answered_in_order) {
    Hello site;
    inspect::SiteListener listener(0);
    listener.start(site);
    HttpClient client(listener.port());
    std::string all;
    for (int i = 0; i < 50; ++i) all += post_request(std::to_string(i));
    client.send(all);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(client.reply().body, "hello " + std::to_string(i));
}

/// Answers when the test says so.
class Later final : public inspect::Site {
 public:
    std::optional<web::Response> refuse(const framing::HttpRequest&) override { return std::nullopt; }
    void answer(const framing::HttpRequest&, std::string, std::shared_ptr<inspect::SiteReply> reply) override {
        const std::lock_guard lock(mutex_);
        reply_ = std::move(reply);
        asked_.notify_all();
    }
    std::shared_ptr<inspect::SiteReply> wait() {
        std::unique_lock lock(mutex_);
        asked_.wait(lock, [this] { return reply_ != nullptr; });
        return std::exchange(reply_, nullptr);
    }

 private:
    std::mutex mutex_;
    std::condition_variable asked_;
    std::shared_ptr<inspect::SiteReply> reply_;  // guarded by mutex_
};

TEST(SiteListener, more_than_a_head_before_the_response_is_not_kept) {
    Later site;
    inspect::SiteListener listener(0, {.max_head_bytes = 1000});
    listener.start(site);
    HttpClient client(listener.port());
    client.send(get_request);
    const auto reply = site.wait();
    client.send(std::string(100'000, 'x'));
    // The loop reads what every connection has before it waits again. So after two requests of another connection it
    // has read these bytes.
    HttpClient other(listener.port());
    for (int i = 0; i < 2; ++i) {
        other.send(get_request);
        site.wait()->respond({200, {}, "text/plain", "other"});
        EXPECT_EQ(other.reply().body, "other");
    }
    reply->respond({200, {}, "text/plain", "first"});
    const HttpReply first = client.reply();
    EXPECT_EQ(first.body, "first");
    EXPECT_EQ(first.field("connection"), "close");
    EXPECT_NE(client.wait_for_end(), HttpClient::End::late);
}

TEST(SiteListener, a_second_answer_does_not_reach_the_next_request) {
    Later site;
    inspect::SiteListener listener(0);
    listener.start(site);
    HttpClient client(listener.port());
    client.send(get_request);
    const auto first = site.wait();
    first->respond({200, {}, "text/plain", "first"});
    EXPECT_EQ(client.reply().body, "first");
    client.send(get_request);
    const auto second = site.wait();
    first->respond({200, {}, "text/plain", "wrong"});
    second->respond({200, {}, "text/plain", "second"});
    EXPECT_EQ(client.reply().body, "second");
}

TEST(SiteListener, closes_idle_connections) {
    Hello site;
    inspect::SiteListener listener(0, {.idle_time = 20ms});
    listener.start(site);
    HttpClient client(listener.port());
    client.send(get_request);
    EXPECT_EQ(client.reply().body, "hello ");
    EXPECT_NE(client.wait_for_end(), HttpClient::End::late);
}

TEST(SiteListener, a_new_connection_takes_the_place_of_an_idle_one) {
    Hello site;
    inspect::SiteListener listener(0, {.max_connections = 1});
    listener.start(site);
    HttpClient idle(listener.port());
    idle.send(get_request);
    EXPECT_EQ(idle.reply().body, "hello ");
    HttpReply reply;  // the listener may notice that the first response is sent a little later
    while (reply.status == 0) {
        HttpClient other(listener.port());
        other.send(get_request);
        reply = other.reply();
    }
    EXPECT_EQ(reply.body, "hello ");
    EXPECT_NE(idle.wait_for_end(), HttpClient::End::late);
}

TEST(SiteListener, limits_the_requests_of_a_connection) {
    Hello site;
    inspect::SiteListener listener(0, {.max_requests = 2});
    listener.start(site);
    HttpClient client(listener.port());
    client.send(get_request);
    EXPECT_EQ(client.reply().field("connection"), "");
    client.send(get_request);
    EXPECT_EQ(client.reply().field("connection"), "close");
    EXPECT_NE(client.wait_for_end(), HttpClient::End::late);
}

TEST_F(InspectAccess, a_refusal_ends_the_connection) {
    HttpClient client(inspector_.port());
    const std::string own = "GET /app.js HTTP/1.1\r\n" + browser_.host() + browser_.cookie() + "\r\n";
    client.send(own);
    EXPECT_EQ(client.reply().status, 200);
    client.send("GET /app.js HTTP/1.1\r\n" + browser_.host() + "\r\n" + own);
    EXPECT_EQ(client.reply().status, 403) << "every request of a connection is checked";
    EXPECT_NE(client.wait_for_end(), HttpClient::End::late);
}

TEST_F(InspectAccess, the_page_names_every_module_for_the_browser_to_fetch_at_once) {
    const std::string page = browser_.get("/", browser_.host() + browser_.cookie()).body;
    for (const char* module : {"/app.js", "/lib/api.js", "/views/tools.js"})
        EXPECT_NE(page.find("<link rel=\"modulepreload\" href=\"" + std::string(module) + "\">"), std::string::npos)
            << module;
}

TEST(SiteListener, a_reply_that_is_dropped_closes_the_connection) {
    class Silent final : public inspect::Site {
     public:
        std::optional<web::Response> refuse(const framing::HttpRequest&) override { return std::nullopt; }
        void answer(const framing::HttpRequest&, std::string, std::shared_ptr<inspect::SiteReply>) override {}
    } site;
    inspect::SiteListener listener(0);
    listener.start(site);
    HttpClient client(listener.port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client.reply().status, 0);
}

TEST(SiteListener, stops_with_open_connections) {
    Hello site;
    inspect::SiteListener listener(0);
    listener.start(site);
    HttpClient client(listener.port());
    client.send("GET / HTTP/1.1\r\nHost: ");
    listener.stop();
    EXPECT_NE(client.wait_for_end(), HttpClient::End::late);
}

}  // namespace
}  // namespace tenon::test
