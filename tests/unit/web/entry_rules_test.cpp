// rules: HTTP-2, HTTP-7, HTTP-11
#include "web/entry_rules.hpp"

#include <gtest/gtest.h>

#include "support/http_exchange.hpp"

namespace tenon::web {
namespace {

using test::Head;

const EntryPolicy policy{.old_stream_path = "/sse", .old_message_path = "/messages"};

/// Returns the status of the refusal, or 0 when the request is accepted.
int status_of_entry(const framing::HttpRequest& request, const EntryPolicy& rules = policy) {
    const auto entered = enter(request, rules);
    const auto* response = std::get_if<Response>(&entered);
    return response ? response->status : 0;
}

std::string field(const Response& response, std::string_view name) {
    for (const auto& [key, value] : response.fields)
        if (key == name) return value;
    return {};
}

Response refused(const framing::HttpRequest& request, const EntryPolicy& rules = policy) {
    auto entered = enter(request, rules);
    if (!std::holds_alternative<Response>(entered)) ADD_FAILURE() << "the request was accepted";
    auto* response = std::get_if<Response>(&entered);
    return response ? std::move(*response) : Response{};
}

const std::string json_body = "Content-Type: application/json\r\nContent-Length: 2\r\n";

TEST(EntryRules, requests_are_routed_by_method_and_path) {
    struct Row {
        std::string_view method, target;
        RequestPurpose entry;
    };
    const Row rows[] = {
        {"POST", "/mcp", RequestPurpose::message},   {"POST", "/mcp?x=1", RequestPurpose::message},
        {"GET", "/mcp", RequestPurpose::listen},     {"DELETE", "/mcp", RequestPurpose::end_session},
        {"GET", "/sse", RequestPurpose::old_listen}, {"POST", "/messages?sessionId=1", RequestPurpose::old_message}};
    for (const Row& row : rows) {
        const Head head(row.method, row.target, row.method == "POST" ? json_body : "");
        const auto entered = enter(head, policy);
        ASSERT_TRUE(std::holds_alternative<RequestPurpose>(entered)) << row.method << " " << row.target;
        EXPECT_EQ(std::get<RequestPurpose>(entered), row.entry) << row.method << " " << row.target;
    }
}

// RFC 9110, section 15.5.16
TEST(EntryRules, a_compressed_body_is_refused_with_accept_encoding) {
    for (const char* coding : {"gzip", "br", "identity, gzip", "x"}) {
        const Response response =
            refused(Head("POST", "/mcp", json_body + "Content-Encoding: " + std::string(coding) + "\r\n"));
        EXPECT_EQ(response.status, 415) << coding;
        EXPECT_EQ(field(response, "Accept-Encoding"), "identity") << coding;
        EXPECT_NE(response.body.find("Content-Encoding"), std::string::npos) << coding;
    }
    EXPECT_EQ(status_of_entry(Head("POST", "/mcp", json_body + "Content-Encoding: identity\r\n")), 0);
    EXPECT_EQ(status_of_entry(Head("POST", "/mcp", json_body + "content-encoding: Identity\r\n")), 0);
}

// RFC 9110, section 9.3.7
TEST(EntryRules, options_for_the_server_lists_its_methods) {
    const Response response = refused(Head("OPTIONS", "*"));
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(field(response, "Allow"), "GET, HEAD, POST, DELETE, OPTIONS");
}

// RFC 9112, section 3.2.2
TEST(EntryRules, the_host_of_an_absolute_target_is_checked) {
    EXPECT_EQ(status_of_entry(Head("POST", "http://localhost:8080/mcp", json_body)), 0);
    EXPECT_EQ(status_of_entry(Head("POST", "http://evil.example/mcp", json_body)), 403);
    EXPECT_EQ(status_of_entry(Head("POST", "http://localhost:8080/other", json_body)), 404);
}

TEST(EntryRules, unknown_paths_are_404) {
    for (const char* target : {"/", "/mcp/", "/MCP", "/mcp2", "/mc", "//mcp", "/mcp%20", "/sse/", "/message"}) {
        EXPECT_EQ(status_of_entry(Head("POST", target, json_body)), 404) << target;
        EXPECT_EQ(status_of_entry(Head("GET", target)), 404) << target;
        EXPECT_EQ(status_of_entry(Head("OPTIONS", target)), 404) << target;
    }
    EXPECT_EQ(status_of_entry(Head("GET", "/sse"), EntryPolicy{}), 404) << "the old transport must be off by default";
    EXPECT_EQ(status_of_entry(Head("POST", "/messages", json_body), EntryPolicy{}), 404);
}

TEST(EntryRules, unsupported_methods_are_405_with_allow) {
    struct Row {
        std::string_view method, target, allow;
    };
    const Row rows[] = {{"PUT", "/mcp", "POST, GET, DELETE, OPTIONS"},
                        {"HEAD", "/mcp", "POST, GET, DELETE, OPTIONS"},
                        {"PATCH", "/mcp", "POST, GET, DELETE, OPTIONS"},
                        {"post", "/mcp", "POST, GET, DELETE, OPTIONS"},
                        {"POST", "/sse", "GET, OPTIONS"},
                        {"GET", "/messages", "POST, OPTIONS"},
                        {"DELETE", "/messages", "POST, OPTIONS"}};
    for (const Row& row : rows) {
        const Response response = refused(Head(row.method, row.target, json_body));
        EXPECT_EQ(response.status, 405) << row.method << " " << row.target;
        EXPECT_EQ(field(response, "Allow"), row.allow) << row.method << " " << row.target;
    }
}

TEST(EntryRules, only_json_content_types_are_accepted) {
    struct Row {
        std::string_view fields;
        int status;
    };
    const Row rows[] = {{"Content-Type: application/json\r\n", 0},
                        {"Content-Type: Application/JSON\r\n", 0},
                        {"Content-Type: application/json;charset=utf-8\r\n", 0},
                        {"Content-Type: application/json ; charset=\"utf-8\"\r\n", 0},
                        {"content-type:application/json\r\n", 0},
                        {"", 415},
                        {"Content-Type:\r\n", 415},
                        {"Content-Type: text/plain\r\n", 415},
                        {"Content-Type: application/jsonp\r\n", 415},
                        {"Content-Type: application/json-rpc\r\n", 415},
                        {"Content-Type: application/x-www-form-urlencoded\r\n", 415},
                        {"Content-Type: multipart/form-data; boundary=application/json\r\n", 415},
                        {"Content-Type: text/plain; application/json\r\n", 415},
                        {"Content-Type: text/plain, application/json\r\n", 415},
                        {"Content-Type: application/json\r\nContent-Type: application/json\r\n", 415}};
    for (const Row& row : rows) {
        const std::string fields = std::string(row.fields) + "Content-Length: 2\r\n";
        EXPECT_EQ(status_of_entry(Head("POST", "/mcp", fields)), row.status) << row.fields;
        EXPECT_EQ(status_of_entry(Head("POST", "/messages", fields)), row.status) << row.fields;
    }
}

TEST(EntryRules, a_post_without_a_body_is_refused) {
    EXPECT_EQ(status_of_entry(Head("POST", "/mcp", "Content-Type: application/json\r\n")), 400);
    EXPECT_EQ(status_of_entry(Head("POST", "/mcp", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n")),
              0);
}

TEST(EntryRules, accept_must_allow_the_needed_types) {
    struct Row {
        std::string_view accept;
        bool json, events;
    };
    const Row rows[] = {{"application/json, text/event-stream", true, true},
                        {"text/event-stream,application/json", true, true},
                        {"Application/JSON, Text/Event-Stream", true, true},
                        {"*/*", true, true},
                        {"application/*, text/*", true, true},
                        {"application/*", true, false},
                        {"text/*", false, true},
                        {"application/json", true, false},
                        {"text/event-stream", false, true},
                        {"application/json;q=0.1, text/event-stream;q=1", true, true},
                        {"application/json;q=0, text/event-stream", false, true},
                        {"application/json;q=0.000, text/event-stream", false, true},
                        {"application/json; q=0 , text/event-stream", false, true},
                        {"application/json;Q=0, text/event-stream", false, true},
                        {"application/json;q=0;level=1, text/event-stream", false, true},
                        {"application/json;q=0.001, text/event-stream", true, true},
                        {"application/json;charset=utf-8;q=0.5, text/event-stream", true, true},
                        {"*/*;q=0", false, false},
                        // A specific type takes precedence over a wildcard.
                        {"*/*, application/json;q=0", false, true},
                        {"text/event-stream;q=0, */*", true, false},
                        {"text/*;q=0, */*", true, false},
                        {"text/*;q=0, text/event-stream, application/json", true, true},
                        {"*/*;q=0, application/json, text/event-stream", true, true},
                        {"text/html", false, false},
                        {"text/event-streams, application/jsonx", false, false},
                        {"*", false, false},
                        {"application/*x", false, false},
                        {"", false, false}};
    for (const Row& row : rows) {
        const std::string accept = "Accept: " + std::string(row.accept) + "\r\n";
        EXPECT_EQ(status_of_entry(Head("POST", "/mcp", accept + json_body)), row.json && row.events ? 0 : 406)
            << row.accept;
        EXPECT_EQ(status_of_entry(Head("GET", "/mcp", accept)), row.events ? 0 : 406) << row.accept;
    }
}

TEST(EntryRules, accept_may_be_missing_or_repeated) {
    EXPECT_EQ(status_of_entry(Head("POST", "/mcp", json_body)), 0);
    EXPECT_EQ(status_of_entry(Head("GET", "/mcp")), 0);
    const std::string parts = "Accept: application/json\r\nAccept: text/event-stream\r\n";
    EXPECT_EQ(status_of_entry(Head("POST", "/mcp", parts + json_body)), 0);
    EXPECT_EQ(status_of_entry(Head("POST", "/messages", "Accept: text/html\r\n" + json_body)), 0)
        << "the answer to a message of the old transport is sent on its stream";
    EXPECT_EQ(status_of_entry(Head("DELETE", "/mcp", "Accept: text/html\r\n")), 0);
}

TEST(EntryRules, host_and_origin_are_checked_first) {
    for (const char* host : {"evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "10.0.0.1"}) {
        EXPECT_EQ(status_of_entry(Head("POST", "/mcp", json_body, host)), 403) << host;
        EXPECT_EQ(status_of_entry(Head("GET", "/nowhere", "", host)), 403) << host;
        EXPECT_EQ(status_of_entry(Head("OPTIONS", "/mcp", "", host)), 403) << host;
    }
    for (const char* origin : {"http://evil.com", "http://localhost.evil.com", "null", "", "file://", "localhost"}) {
        const std::string fields = "Origin: " + std::string(origin) + "\r\n";
        const Response response = refused(Head("POST", "/mcp", fields + json_body));
        EXPECT_EQ(response.status, 403) << origin;
        EXPECT_EQ(field(response, "Access-Control-Allow-Origin"), "")
            << "a page of a refused origin must not read the response";
        EXPECT_EQ(status_of_entry(Head("OPTIONS", "/mcp", fields)), 403) << origin;
        EXPECT_EQ(status_of_entry(Head("DELETE", "/mcp", fields)), 403) << origin;
    }
    EXPECT_EQ(status_of_entry(Head("GET", "/mcp", "Origin: http://localhost\r\nOrigin: http://localhost\r\n")), 403);
    EXPECT_EQ(status_of_entry(Head("GET", "/mcp", "Origin: http://localhost:3000\r\n")), 0);
}

TEST(EntryRules, refusals_are_readable_by_allowed_origins) {
    const std::string origin = "Origin: http://localhost:3000\r\n";
    for (const Head& head : {Head("GET", "/nowhere", origin), Head("PUT", "/mcp", origin),
                             Head("POST", "/mcp", origin + "Content-Length: 2\r\n"),
                             Head("GET", "/mcp", origin + "Accept: text/html\r\n")}) {
        const Response response = refused(head);
        EXPECT_EQ(field(response, "Access-Control-Allow-Origin"), "http://localhost:3000") << response.status;
        EXPECT_EQ(field(response, "Vary"), "Origin") << response.status;
    }
    EXPECT_TRUE(cors_fields(Head("GET", "/mcp")).empty());
}

TEST(EntryRules, preflight_allows_only_known_headers) {
    const Response response = refused(Head("OPTIONS", "/mcp",
                                           "Origin: http://localhost:3000\r\n"
                                           "Access-Control-Request-Method: POST\r\n"
                                           "Access-Control-Request-Headers: content-type, Mcp-Session-Id, x-evil, "
                                           "mcp-param-region, mcp-param-, last-event-id, authorization\r\n"));
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(field(response, "Access-Control-Allow-Origin"), "http://localhost:3000");
    EXPECT_EQ(field(response, "Access-Control-Allow-Methods"), "POST, GET, DELETE, OPTIONS");
    EXPECT_EQ(field(response, "Access-Control-Allow-Headers"),
              "content-type, Mcp-Session-Id, mcp-param-region, last-event-id, authorization");
    EXPECT_EQ(field(response, "Access-Control-Max-Age"), "600");
    EXPECT_TRUE(response.body.empty());
}

TEST(EntryRules, options_without_an_origin_has_only_allow) {
    const Response response = refused(Head("OPTIONS", "/sse"));
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(field(response, "Allow"), "GET, OPTIONS");
    EXPECT_EQ(field(response, "Access-Control-Allow-Methods"), "");
}

}  // namespace
}  // namespace tenon::web
