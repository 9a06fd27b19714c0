// Fetches of URLs that somebody else supplied: which addresses are allowed, how much is read, how long it takes.
// rules: SEC-5
#include "transport/http_client/fetch.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "io/open_url.hpp"
#include "support/scripted_server.hpp"
#include "transport/http_client/fetch_thread.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

Result<FetchResponse> fetch(FetchRequest request, FetchOptions options = {}) {
    const auto context = std::make_shared<asio::io_context>(1);
    options.proxy = "";
    HttpFetcher fetcher(context, std::move(options));
    Result<FetchResponse> out = Error{0, "no answer"};
    fetcher.fetch(std::move(request), [&](Result<FetchResponse> answer) { out = std::move(answer); });
    context->run();
    return out;
}
std::string why(const FetchRequest& request, const FetchOptions& options = {}) {
    const auto answer = fetch(request, options);
    return answer ? "HTTP " + std::to_string(answer->status) : answer.error().message;
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(HttpFetch, returns_status_fields_and_body) {
    const ScriptedServer server([](ScriptedConnection& c, int) {
        ScriptedRequest r;
        c.read(r);
        c.json(r.method + " " + r.target + " " + r.field("X-A") + " " + r.body,
               "DPoP-Nonce: n\r\nTwice: 1\r\nTwice: 2\r\n", "418 Teapot");
    });
    const auto answer = fetch({"POST", server.url("/a?b"), {{"X-A", "y"}}, "body"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 418);
    EXPECT_EQ(answer->body, "POST /a?b y body");
    EXPECT_EQ(answer->field("dpop-nonce"), "n");
    EXPECT_EQ(answer->field("twice"), std::nullopt);
}

TEST(FetchThread, continues_after_a_callback_threw) {
    const ScriptedServer server([](ScriptedConnection& c, int) {
        for (ScriptedRequest r; c.read(r);) c.json("{}");
    });
    std::promise<std::string> told;
    std::promise<int> second;
    FetchThread thread({.proxy = ""}, [&](LogLevel, std::string_view text) { told.set_value(std::string(text)); });
    thread.fetch({.url = server.url()}, [](const Result<FetchResponse>&) { throw std::runtime_error("no memory"); });
    EXPECT_TRUE(has(told.get_future().get(), "no memory"));
    thread.fetch({.url = server.url()},
                 [&](const Result<FetchResponse>& answer) { second.set_value(answer ? answer->status : 0); });
    EXPECT_EQ(second.get_future().get(), 200);
}

TEST(HttpFetch, refuses_plain_http_except_to_loopback) {
    for (const char* url :
         {"http://example.com/", "http://10.0.0.1/", "http://[2001:db8::1]/", "http://localhost.example/"})
        EXPECT_TRUE(has(why({.url = url}), "only https")) << url;
    for (const char* url : {"ftp://localhost/", "file:///etc/passwd", "", "http://user:secret@127.0.0.1/"})
        EXPECT_FALSE(fetch({.url = url})) << url;
    EXPECT_FALSE(has(why({.url = "http://user:secret@127.0.0.1/"}), "secret"));
}

// A host name says nothing about its address, so the address is checked when the connection is made.
TEST(HttpFetch, public_only_refuses_private_and_loopback_addresses) {
    const ScriptedServer server([](ScriptedConnection& c, int) { c.empty("200 OK"); });
    const std::string port = std::to_string(server.port());
    EXPECT_EQ(why({.url = server.url()}), "HTTP 200");
    for (const char* url : {"https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://169.254.169.254/",
                            "https://[::ffff:10.0.0.1]/", "https://192.168.1.1/"})
        EXPECT_TRUE(has(why({.url = url, .public_only = true}), "not public")) << url;
}

TEST(HttpFetch, checks_the_resolved_address_of_a_host_name) {
    const ScriptedServer server([](ScriptedConnection& c, int) { c.empty("200 OK"); });
    const auto context = std::make_shared<asio::io_context>(1);
    auto route = std::make_shared<HttpRoute>();
    route->origin = web::parse_url("http://localhost:" + std::to_string(server.port())).value();
    int asked = 0;
    route->admits = [&](const asio::ip::address& address) {
        ++asked;
        EXPECT_TRUE(address.is_loopback());
        return false;
    };
    std::string said;
    const auto dial =
        std::make_shared<HttpDial>(context, route, [&](const Result<std::unique_ptr<HttpSocket>>& socket) {
            said = socket ? "connected" : socket.error().message;
        });
    dial->start();
    const auto work = asio::make_work_guard(*context);
    while (said.empty()) context->run_one();
    EXPECT_TRUE(has(said, "is not an allowed address")) << said;
    EXPECT_GE(asked, 1);
}

TEST(HttpFetch, follows_redirects_within_the_origin_only) {
    const ScriptedServer other([](ScriptedConnection& c, int) { c.empty("200 OK"); });
    const ScriptedServer server([&](ScriptedConnection& c, int) {
        ScriptedRequest r;
        c.read(r);
        if (r.target == "/within") c.empty("302 Found", "Location: /there\r\n");
        if (r.target == "/there") c.empty("204 Yes");
        if (r.target == "/away") c.empty("302 Found", "Location: " + other.url() + "\r\n");
        if (r.target == "/loop") c.empty("302 Found", "Location: /loop\r\n");
    });
    EXPECT_EQ(why({.url = server.url("/within")}), "HTTP 204");
    EXPECT_TRUE(has(why({.url = server.url("/away")}), "another origin"));
    EXPECT_TRUE(has(why({.url = server.url("/loop")}), "more than 3 times"));
}

TEST(HttpFetch, refuses_a_body_over_max_body_bytes) {
    const ScriptedServer server([](ScriptedConnection& c, int) {
        ScriptedRequest r;
        c.read(r);
        c.send("HTTP/1.1 200 OK\r\n\r\n");
        while (c.send(std::string(4096, 'x'))) {
        }
    });
    FetchOptions options;
    options.max_body_bytes = 10'000;
    EXPECT_TRUE(has(why({.url = server.url()}, options), "longer than the limit of 10000"));
}

TEST(HttpFetch, gives_up_after_its_time_limit) {
    const ScriptedServer server([](ScriptedConnection& c, int) { c.wait_for_close(); });
    FetchOptions options;
    options.time = 20ms;
    EXPECT_TRUE(has(why({.url = server.url()}, options), "in time"));
}

TEST(HttpFetch, refuses_fetches_beyond_max_at_once) {
    const ScriptedServer server([](ScriptedConnection& c, int) {
        ScriptedRequest r;
        c.read(r);
        c.empty("200 OK");
    });
    const auto context = std::make_shared<asio::io_context>(1);
    FetchOptions options;
    options.proxy = "";
    options.max_at_once = 2;
    HttpFetcher fetcher(context, options);
    std::vector<bool> good;
    for (int i = 0; i < 3; ++i)
        fetcher.fetch({.url = server.url()},
                      [&](const Result<FetchResponse>& answer) { good.push_back(answer.has_value()); });
    context->run();
    EXPECT_EQ(std::ranges::count(good, true), 2);
    EXPECT_EQ(good.size(), 3u);
}

TEST(HttpFetch, calls_no_callback_after_destruction) {
    const ScriptedServer server([](ScriptedConnection& c, int) { c.wait_for_close(); });
    const auto context = std::make_shared<asio::io_context>(1);
    {
        HttpFetcher fetcher(context, {.proxy = ""});
        fetcher.fetch({.url = server.url()}, [](const Result<FetchResponse>&) { ADD_FAILURE(); });
        context->poll();
        fetcher.fetch({.url = "http://example.com"}, [](const Result<FetchResponse>&) { ADD_FAILURE(); });
    }
    context->run();
}

// ---- opening the browser

class OpenUrl : public testing::Test {
 protected:
    OpenUrl() : folder_(testing::TempDir() + "tenon_browser_" + std::to_string(::getpid())) {
        std::filesystem::create_directories(folder_);
        ::mkfifo((folder_ + "/said").c_str(), 0600);
        std::ofstream(program()) << "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > " << folder_ << "/said\n";
        std::filesystem::permissions(program(), std::filesystem::perms(0700));
    }
    ~OpenUrl() override {
        ::unsetenv("BROWSER");
        std::filesystem::remove_all(folder_);
    }
    std::string program() const { return folder_ + "/browser"; }
    /// Waits for the browser and returns its arguments.
    std::string said() const {
        std::ifstream in(folder_ + "/said");  // a named pipe: opening waits for the writer
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::string folder_;
};

TEST_F(OpenUrl, passes_the_url_to_the_browser_as_one_argument) {
    ::setenv("BROWSER", ("/nonexistent:" + program() + " --new %s last").c_str(), 1);
    const std::string url = "https://as.example/a?b=$(touch%20x)&c=`id`;rm+-rf;'\"|d";
    ASSERT_TRUE(io::open_url(url));
    EXPECT_EQ(said(), "3\n--new\n" + url + "\nlast\n");
}

TEST_F(OpenUrl, opens_only_http_urls) {
    ::setenv("BROWSER", program().c_str(), 1);
    for (const char* url : {"", "javascript:alert(1)", "file:///etc/passwd", "--help", "-x https://a", "https://a b",
                            "https://a\nb", "HTTPS", "ssh://a", "https://\xc3\xa4"})
        EXPECT_FALSE(io::open_url(url)) << url;
}

}  // namespace
}  // namespace tenon::test
