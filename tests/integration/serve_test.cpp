// serve(server, argc, argv, HttpOptions): the command line chooses the transport, the options say how HTTP is served.
#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <thread>

#include <tenon/tenon.hpp>

#include "support/http_client.hpp"

namespace tenon::test {
namespace {

// Runs serve() on a thread, until SIGTERM. Its URL comes from the log.
class Served {
 public:
    Served(std::vector<const char*> arguments, HttpOptions options)
        : server_("test", "1", {.log = [this](const LogRecord& r) { note(r.message); }}) {
        server_.tool("who", "Who calls", [](Context& ctx) { return "<" + ctx.principal() + ">"; });
        thread_ = std::thread([this, arguments = std::move(arguments), options = std::move(options)] {
            status_ = serve(server_, static_cast<int>(arguments.size()), arguments.data(), options);
        });
    }
    std::string url() {
        auto told = url_.get_future();
        return told.wait_for(http_patience) == std::future_status::ready ? told.get() : "";
    }
    int stop() {
        ::kill(::getpid(), SIGTERM);
        thread_.join();
        return status_;
    }

 private:
    void note(std::string_view text) {
        constexpr std::string_view begin = "serving ";
        if (text.starts_with(begin)) url_.set_value(std::string(text.substr(begin.size())));
    }
    std::promise<std::string> url_;
    Server server_;
    int status_ = -1;
    std::thread thread_;
};

HttpOptions with_tokens() { return {.port = 0, .auth = auth::StaticTokens{{"alice", auth::hash_token("wonderland")}}}; }

void expect_tokens(Served& served) {
    const std::string url = served.url();
    ASSERT_NE(url, "");
    Client stranger(http({.url = url, .proxy = ""}));
    EXPECT_THROW(stranger.connect(), Exception);
    Client alice(http({.url = url, .headers = {{"Authorization", "Bearer wonderland"}}, .proxy = ""}));
    EXPECT_EQ(std::get<TextContent>(alice.call_tool("who").content.at(0)).text, "<alice>");
}

TEST(ServeWithOptions, http_alone_uses_the_port_of_the_options) {
    Served served({"program", "--http"}, with_tokens());
    expect_tokens(served);
    EXPECT_EQ(served.stop(), 0);
}

TEST(ServeWithOptions, the_port_of_the_command_line_replaces_that_of_the_options) {
    HttpOptions options = with_tokens();
    options.port = 1;  // needs root, and is not used
    Served served({"program", "--http", "0"}, std::move(options));
    expect_tokens(served);
    EXPECT_EQ(served.stop(), 0);
}

TEST(ServeWithOptions, other_arguments_get_a_usage_text_and_status_2) {
    Server server("test", "1");
    for (const std::vector<const char*>& arguments :
         std::vector<std::vector<const char*>>{{"program", "--http", "x"},
                                               {"program", "--http", "70000"},
                                               {"program", "--https"},
                                               {"program", "--http", "1", "2"}})
        EXPECT_EQ(serve(server, static_cast<int>(arguments.size()), arguments.data(), with_tokens()), 2);
    const char* alone[] = {"program", "--http"};
    EXPECT_EQ(serve(server, 2, alone), 2) << "without options there is no port";
}

}  // namespace
}  // namespace tenon::test
