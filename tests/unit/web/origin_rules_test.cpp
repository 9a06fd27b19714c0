// rules: HTTP-11
#include "web/origin_rules.hpp"

#include <gtest/gtest.h>

namespace tenon::web {
namespace {

struct Row {
    std::string_view value;
    bool allowed;
};

TEST(OriginRules, only_loopback_hosts_are_allowed_by_default) {
    const Row rows[] = {
        {"localhost", true},
        {"LocalHost", true},
        {"localhost:1", true},
        {"localhost:8080", true},
        {"localhost:65535", true},
        {"127.0.0.1", true},
        {"127.0.0.1:3000", true},
        {"127.255.255.255", true},
        {"127.8.9.10:80", true},
        {"[::1]", true},
        {"[::1]:8080", true},
        {"", false},
        {" localhost", false},
        {"localhost ", false},
        {"localhost.", false},
        {"localhost:", false},
        {"localhost:65536", false},
        {"localhost:123456", false},
        {"localhost:+80", false},
        {"localhost:-1", false},
        {"localhost:80a", false},
        {"localhost:80:80", false},
        {"localhost:80@evil.com", false},
        {"user@localhost", false},
        {"user:password@localhost", false},
        {"localhost.evil.com", false},
        {"localhost.evil.com:80", false},
        {"localhosts", false},
        {"evil-localhost", false},
        {"sub.localhost", false},
        {"localhost/", false},
        {"localhost/path", false},
        {"localhost#", false},
        {"localhost\\", false},
        {"localhost,localhost", false},
        {"http://localhost", false},
        {"127.0.0.1.evil.com", false},
        {"127.0.0.1.", false},
        {"127.0.0.256", false},
        {"127.0.0", false},
        {"127.1", false},
        {"127.0.0.1.1", false},
        {"127.0..1", false},
        {"127.0.0.01", false},
        {"0127.0.0.1", false},
        {"127.0.0.0x1", false},
        {"2130706433", false},
        {"128.0.0.1", false},
        {"0.0.0.0", false},
        {"192.168.0.1", false},
        {"::1", false},
        {"[::1", false},
        {"[::1]8080", false},
        {"[::1]:", false},
        {"[::1].evil.com", false},
        {"[::2]", false},
        {"[::ffff:127.0.0.1]", false},
        {"[::1%25eth0]", false},
        {"evil.example.com", false},
    };
    const OriginPolicy policy;
    for (const Row& row : rows) EXPECT_EQ(policy.host_allowed(row.value), row.allowed) << row.value;
}

TEST(OriginRules, only_loopback_origins_are_allowed_by_default) {
    const Row rows[] = {
        {"http://localhost", true},
        {"https://localhost", true},
        {"HTTP://LOCALHOST", true},
        {"http://localhost:5173", true},
        {"http://127.0.0.1:8080", true},
        {"https://127.0.0.1", true},
        {"http://[::1]", true},
        {"http://[::1]:3000", true},
        {"", false},
        {"null", false},
        {"localhost", false},
        {"//localhost", false},
        {"http:localhost", false},
        {"http:/localhost", false},
        {"http:///localhost", false},
        {"http://", false},
        {"http://localhost/", false},
        {"http://localhost/path", false},
        {"http://localhost?", false},
        {"http://localhost:", false},
        {"http://localhost:80@evil.com", false},
        {"http://user@localhost", false},
        {"http://localhost.evil.com", false},
        {"http://evil.com", false},
        {"http://evil.com#localhost", false},
        {"http://localhost http://evil.com", false},
        {"http://127.0.0.1.evil.com", false},
        {"ftp://localhost", false},
        {"file://localhost", false},
        {"file://", false},
        {"ws://localhost", false},
        {"httpx://localhost", false},
        {"chrome-extension://localhost", false},
    };
    const OriginPolicy policy;
    for (const Row& row : rows) EXPECT_EQ(policy.origin_allowed(row.value, "localhost:8080"), row.allowed) << row.value;
}

TEST(OriginRules, own_port_only_allows_only_the_servers_own_origin) {
    const OriginPolicy policy{.allowed_origins = {"http://localhost:6274"}, .own_port_only = true};
    EXPECT_TRUE(policy.origin_allowed("http://localhost:8080", "localhost:8080"));
    EXPECT_TRUE(policy.origin_allowed("http://LOCALHOST:8080", "localhost:8080"));
    EXPECT_TRUE(policy.origin_allowed("https://[::1]:8080", "[::1]:8080"));
    EXPECT_TRUE(policy.origin_allowed("http://127.0.0.1", "127.0.0.1"));
    EXPECT_TRUE(policy.origin_allowed("http://localhost:6274", "localhost:8080")) << "the origin is in the list";
    for (const char* other : {"http://localhost:3000", "http://localhost", "http://127.0.0.1:8080",
                              "http://localhost:808", "http://localhost:80800", "null", "http://evil.com:8080"})
        EXPECT_FALSE(policy.origin_allowed(other, "localhost:8080")) << other;
    EXPECT_FALSE(policy.origin_allowed("http://evil.com", "evil.com"))
        << "the host name of another machine is never an own origin";
}

TEST(OriginRules, listed_hosts_and_origins_are_allowed_exactly) {
    const OriginPolicy policy{.allowed_hosts = {"mcp.example", "mcp.example:8443"},
                              .allowed_origins = {"https://app.example", "https://app.example:1"},
                              .loopback = false};
    const Row hosts[] = {
        {"mcp.example", true},   {"MCP.Example", true},      {"mcp.example:8443", true}, {"mcp.example:80", false},
        {"mcp.example.", false}, {"sub.mcp.example", false}, {"mcp.example.com", false}, {"user@mcp.example", false},
        {"localhost", false},    {"127.0.0.1", false},       {"[::1]:8080", false},      {"", false},
    };
    for (const Row& row : hosts) EXPECT_EQ(policy.host_allowed(row.value), row.allowed) << row.value;
    const Row origins[] = {
        {"https://app.example", true},           {"https://APP.example", true},   {"https://app.example:1", true},
        {"http://app.example", false},           {"https://app.example/", false}, {"https://app.example:443", false},
        {"https://app.example.evil.com", false}, {"http://localhost", false},     {"null", false},
    };
    for (const Row& row : origins)
        EXPECT_EQ(policy.origin_allowed(row.value, "localhost:8080"), row.allowed) << row.value;
}

TEST(OriginRules, null_and_other_schemes_can_be_listed_as_origins) {
    const OriginPolicy policy{.allowed_origins = {"null", "vscode-webview://abc"}};
    EXPECT_TRUE(policy.origin_allowed("null", "localhost:8080"));
    EXPECT_TRUE(policy.origin_allowed("vscode-webview://abc", "localhost:8080"));
    EXPECT_TRUE(policy.origin_allowed("http://localhost", "localhost:8080"));
    EXPECT_FALSE(policy.origin_allowed("vscode-webview://abcd", "localhost:8080"));
}

TEST(OriginRules, host_and_origin_are_checked_separately) {
    const OriginPolicy policy{.allowed_hosts = {"mcp.example"}};
    EXPECT_TRUE(policy.host_allowed("mcp.example"));
    EXPECT_FALSE(policy.origin_allowed("https://mcp.example", "localhost:8080"));
}

}  // namespace
}  // namespace tenon::web
