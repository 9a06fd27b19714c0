// Apps through the public API: registration, and what clients with and without apps see.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>
#include <tenon/transport/memory.hpp>

namespace tenon {
namespace {

constexpr const char* page = "<!DOCTYPE html><html><body>Clock</body></html>";

std::string app_refusal(const std::function<void()>& f) {
    try {
        f();
    } catch (const Exception& e) {
        return e.error().message;
    }
    return "none";
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

ClientOptions with_apps() {
    ClientOptions options;
    options.extensions = {{apps_extension, {{"mimeTypes", {app_mime_type}}}}};
    return options;
}

struct Apps : testing::TestWithParam<Era> {
    Apps() {
        server.app("ui://clock/view", "clock", page,
                   {.description = "A clock",
                    .csp = {.connect = {"https://time.example"}, .resources = {"https://*.cdn.example:8443"}},
                    .permissions = {.clipboard_write = true},
                    .prefers_border = true});
        server.tool(
            "show", "Shows the clock", [] { return "noon"; }, in_app("ui://clock/view"));
        server.tool(
            "wind", "Winds the clock", [] { return "wound"; }, in_app("ui://clock/view", VisibleTo::app));
        server.tool(
            "sell", "Sells the clock", [] { return "sold"; }, in_app("ui://clock/view", VisibleTo::model));
    }
    Client client(ClientOptions options = {}) {
        options.era = GetParam();
        return Client(memory_transport(server), std::move(options));
    }
    static std::vector<std::string> names(Client& client) {
        std::vector<std::string> out;
        for (const Tool& tool : client.list_tools()) out.push_back(tool.name);
        return out;
    }
    Server server{"test", "1"};
};

TEST_P(Apps, the_page_is_a_resource_with_its_policy) {
    Client host = client(with_apps());
    EXPECT_TRUE(host.connect().capabilities.has_extension(apps_extension));
    const ResourceContents contents = host.read_resource("ui://clock/view").contents.at(0);
    EXPECT_EQ(contents.text, page);
    EXPECT_EQ(contents.mimeType, app_mime_type);
    EXPECT_EQ(
        json::write(contents.meta),
        R"({"ui":{"csp":{"connectDomains":["https://time.example"],)"
        R"("resourceDomains":["https://*.cdn.example:8443"]},"permissions":{"clipboardWrite":{}},"prefersBorder":true}})");
    EXPECT_EQ(host.list_resources().all().at(0).mimeType, app_mime_type);
}

TEST_P(Apps, tools_name_their_app_and_its_allowed_callers) {
    Client host = client(with_apps());
    const std::vector<Tool> tools = host.list_tools().all();
    ASSERT_EQ(tools.size(), 3U);
    EXPECT_EQ(json::write(tools[0].meta), R"({"ui":{"resourceUri":"ui://clock/view"}})");
    EXPECT_EQ(json::write(tools[1].meta), R"({"ui":{"resourceUri":"ui://clock/view","visibility":["app"]}})");
    EXPECT_EQ(json::write(tools[2].meta), R"({"ui":{"resourceUri":"ui://clock/view","visibility":["model"]}})");
    EXPECT_FALSE(host.call_tool("wind").isError);
}

TEST_P(Apps, a_client_without_apps_does_not_see_tools_that_are_only_for_apps) {
    Client plain = client();
    EXPECT_EQ(names(plain), (std::vector<std::string>{"show", "sell"}));
    EXPECT_TRUE(mentions(app_refusal([&] { plain.call_tool("wind"); }), "Unknown tool: wind"));
    EXPECT_FALSE(plain.call_tool("show").isError);
    ClientOptions other;
    other.extensions = {{apps_extension, {{"mimeTypes", {"text/uri-list"}}}}};
    Client pictures = client(other);
    EXPECT_EQ(names(pictures).size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Eras, Apps, testing::Values(Era::legacy, Era::modern));

TEST(AppRegistration, refuses_apps_that_a_host_could_not_show) {
    Server server("test", "1");
    const auto refused = [&](std::string uri, std::string html, AppOptions options = {}) {
        return app_refusal([&] { server.app(std::move(uri), "x", std::move(html), std::move(options)); });
    };
    EXPECT_TRUE(mentions(refused("https://clock", page), "ui://"));
    EXPECT_TRUE(mentions(refused("ui://a b", page), "ui://"));
    EXPECT_TRUE(mentions(refused("ui://a", "<p>Clock</p>"), "<!DOCTYPE html>"));
    for (const char* origin : {"*", "time.example", "https://", "javascript:alert(1)", "https://a.example/path",
                               "https://a.example; script-src *", "https://a b", "data://x"})
        EXPECT_TRUE(mentions(refused("ui://a", page, {.csp = {.connect = {origin}}}), "is not an origin")) << origin;
    EXPECT_EQ(refused("ui://a", std::string("\n <!doctype HTML>") + page), "none");
}

TEST(AppRegistration, a_tool_whose_app_is_missing_is_refused_when_serving_begins) {
    Server server("test", "1");
    server.tool(
        "show", "Shows", [] { return "x"; }, in_app("ui://missing"));
    EXPECT_TRUE(mentions(app_refusal([&] { Session session(server); }), "`ui://missing`, which is not registered"));
    server.app("ui://missing", "found", [] { return std::string(page); });
    EXPECT_EQ(app_refusal([&] { Session session(server); }), "none");
}

TEST(AppRegistration, malformed_metadata_of_a_tool_is_refused) {
    Server server("test", "1");
    const auto refused = [&](json::object ui) {
        return app_refusal([&] { server.tool("t", "T", [] {}, {.meta = {{"ui", std::move(ui)}}}); });
    };
    EXPECT_TRUE(mentions(refused({{"resourceUri", "https://x"}}), "not a ui:// URI"));
    EXPECT_TRUE(mentions(refused({{"visibility", json::array()}}), "visibility"));
    EXPECT_TRUE(mentions(refused({{"visibility", "app"}}), "visibility"));
}

}  // namespace
}  // namespace tenon
