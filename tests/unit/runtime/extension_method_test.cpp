// Methods of extensions through the public API: registration, and a client and a server in one process.
#include <gtest/gtest.h>

#include <future>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>
#include <tenon/transport/memory.hpp>

namespace tenon {
namespace {

struct Route {
    std::string to;
    int km = 0;
    friend bool operator==(const Route&, const Route&) = default;
};
BOOST_DESCRIBE_STRUCT(Route, (), (to, km))

std::string error_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const Exception& e) {
        return std::to_string(e.error().code) + " " + e.error().message;
    }
    return "none";
}
bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ExtensionRegistration, refuses_methods_without_a_declared_extension) {
    Server server("test", "1");
    const std::string why = error_of([&] { server.method("com.example/add", [] {}); });
    EXPECT_TRUE(says(why, "belongs to no extension: declare one in ServerOptions::extensions")) << why;
    EXPECT_TRUE(says(error_of([&] { server.method("tools/call", [] {}); }), "is a method of the protocol"));
}

TEST(ExtensionRegistration, refuses_to_serve_an_extension_without_methods) {
    Server server("test", "1", {.extensions = {{"com.example/sums", json::object()}}});
    const std::string why = error_of([&] { Session session(server); });
    EXPECT_TRUE(says(why, "`com.example/sums` has no methods")) << why;
    EXPECT_TRUE(says(why, "extensions_without_methods")) << why;
    server.method("com.example/sums/none", [] {});
    EXPECT_EQ(error_of([&] { Session session(server); }), "none");
}

TEST(ExtensionRegistration, accepts_an_extension_that_needs_no_methods) {
    Server server("test", "1", {.extensions_without_methods = {{"com.example/colours", json::object()}}});
    EXPECT_EQ(error_of([&] { Session session(server); }), "none");
    const json::object twice{{"com.example/x", json::object()}};
    const std::string why =
        error_of([&] { Server("test", "1", {.extensions = twice, .extensions_without_methods = twice}); });
    EXPECT_TRUE(says(why, "with and without methods")) << why;
}

class ExtensionMethods : public testing::TestWithParam<std::string> {
 protected:
    static ServerOptions server_options() {
        ServerOptions o;
        o.extensions = {{"com.example/maps", json::object()}};
        o.rate_limits.tools = {{"com.example/maps/rare", {.calls = 1, .per = std::chrono::hours(1)}}};
        return o;
    }
    ExtensionMethods() {
        server_.method("com.example/maps/route", args(arg<std::string>("to"), arg<int>("km").def(7)),
                       [](std::string to, int km) {
                           return Route{std::move(to), km};
                       });
        server_.method("com.example/maps/longer", [](Route route) { return route.km += 1, route; });
        server_.method("com.example/maps/count", [](Reply<int> reply) { std::move(reply).send(42); });
        server_.method("com.example/maps/names", [] { return std::vector<std::string>{"Oslo", "Rome"}; });
        server_.method("com.example/maps/clear", [] {});
        server_.method("com.example/maps/rare", [] { return "ok"; });
        server_.method("com.example/maps/fail", []() -> Result<int> { return Error{code::server_error, "no map"}; });
        server_.method("com.example/maps/odd", [] { return json::object{{"to", 5}}; });
        server_.method("com.example/maps/home", [](Context& ctx) {
            ctx.progress(1);
            return ctx.roots().at(0).uri;
        });
    }
    Client client() {
        ClientOptions o;
        o.era = GetParam() == "2026-07-28" ? Era::modern : Era::legacy;
        o.revision = GetParam();
        o.on_roots = [](std::stop_token) { return std::vector<Root>{{"file:///home", ""}}; };
        return Client(memory_transport(server_), std::move(o));
    }
    Server server_{"maps", "1", server_options()};
};

TEST_P(ExtensionMethods, give_typed_results) {
    Client c = client();
    EXPECT_EQ(c.request<Route>("com.example/maps/route", {{"to", "Oslo"}}), (Route{"Oslo", 7}));
    EXPECT_EQ(c.request<Route>("com.example/maps/longer", {{"to", "Rome"}, {"km", 3}}), (Route{"Rome", 4}));
    EXPECT_EQ(c.request<int>("com.example/maps/count"), 42);
    EXPECT_EQ(c.request<std::vector<std::string>>("com.example/maps/names").at(1), "Rome");
    EXPECT_EQ(c.request<json::object>("com.example/maps/count"), (json::object{{"result", 42}}));
    c.request<void>("com.example/maps/clear");
    EXPECT_TRUE(c.request("com.example/maps/clear").is_object());
}

TEST_P(ExtensionMethods, can_be_called_asynchronously) {
    Client c = client();
    std::promise<Result<Route>> promise;
    c.async_request("com.example/maps/route", {{"to", "Bonn"}},
                    make_reply<Route>([&](Result<Route> route) { promise.set_value(std::move(route)); }));
    EXPECT_EQ(promise.get_future().get().value(), (Route{"Bonn", 7}));
    std::promise<Result<void>> cleared;
    c.async_request("com.example/maps/none", {},
                    make_reply<void>([&](Result<void> done) { cleared.set_value(std::move(done)); }));
    EXPECT_EQ(cleared.get_future().get().error().code, code::method_not_found);
}

TEST_P(ExtensionMethods, report_errors_of_handlers_parameters_and_results) {
    Client c = client();
    EXPECT_TRUE(says(error_of([&] { c.request<int>("com.example/maps/fail"); }), "no map"));
    EXPECT_TRUE(says(error_of([&] { c.request<Route>("com.example/maps/route"); }), "-32602 Invalid params"));
    EXPECT_TRUE(says(error_of([&] { c.request<int>("com.example/maps/none"); }), "-32601 Method not found"));
    EXPECT_TRUE(says(error_of([&] { c.request<Route>("com.example/maps/odd"); }),
                     std::to_string(code::invalid_answer) + " The server's answer is invalid: "));
}

TEST_P(ExtensionMethods, may_ask_the_client) {
    Client c = client();
    EXPECT_EQ(c.request<std::string>("com.example/maps/home"), "file:///home");
}

TEST_P(ExtensionMethods, pass_through_middleware_and_rate_limits) {
    std::vector<std::string> seen;
    server_.use([&](Context&, const Request& request, Next next) {
        if (request.method.starts_with("com.example/"))
            seen.push_back(std::string(request.method) + " " + std::string(request.name));
        std::move(next).run();
    });
    Client c = client();
    EXPECT_EQ(c.request<std::string>("com.example/maps/rare"), "ok");
    EXPECT_EQ(seen, std::vector<std::string>{"com.example/maps/rare com.example/maps/rare"});
    const std::string why = error_of([&] { c.request<std::string>("com.example/maps/rare"); });
    EXPECT_TRUE(says(why, "Too many calls of com.example/maps/rare")) << why;
}

INSTANTIATE_TEST_SUITE_P(, ExtensionMethods, testing::Values("2024-11-05", "2025-11-25", "2026-07-28"),
                         [](const auto& i) {
                             std::string name = i.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace tenon
