// What each caller may list and call over HTTP, in every era.
// rules: HTTP-13, TOOL-10, RES-10
#include <gtest/gtest.h>

#include "auth/resource_server/jwks_cache.hpp"
#include "support/http_world.hpp"
#include "unit/auth/resource_server/authority.hpp"

namespace tenon::test {
namespace {

using auth::at;
using auth::claims;
using auth::token;

struct HttpAuth : testing::Test {
    HttpAuth() {
        server.tool("read", "Everybody's", [](Context& ctx) { return ctx.principal(); });
        server.tool("write", "Not everybody's", [this] { return ++written, "written"; },
                    {.task = TaskSupport::optional});
        server.resource("note://open", "open", [] { return "text"; });
        server.resource_template("note://secret/{id}", "secret", [](const ResourceRequest&) { return "secret"; });
        auth::ResourceServer options{.issuer = auth::the_issuer,
                                     .audience = auth::the_resource,
                                     .scopes = {"mcp"},
                                     .jwks_uri = "https://login.example/keys"};
        options.needs.tools = {{"write", {"files:write"}}};
        options.needs.resources = {{"note://secret/{id}", {"secrets"}}};
        options.limits.max_waiting = 2;
        SharedTokenGate::Options how;
        how.fetch = [this](auth::FetchOrder, SharedTokenGate::Fetched done) { fetches.push_back(std::move(done)); };
        how.clock = [this] { return at(seconds); };
        how.note = [this](LogLevel, std::string_view text) { notes.emplace_back(text); };
        admission = std::make_shared<SharedTokenGate>(
            std::make_unique<auth::TokenGate>(options, auth::DpopNonces::Secret{}), std::move(how));
        EndpointOptions endpoint;
        endpoint.admission = admission;
        endpoint.caller_headers = {"x-tenant"};
        world.emplace(server, std::move(endpoint));
    }
    /// Loads the issuer's keys. After this no request waits for them.
    void load_keys() {
        world->endpoint->admit(Head("POST", "/mcp", json_fields + as("ada")), [] {});
        std::exchange(fetches, {}).at(0)(auth::jwks({key.public_key()}));
    }
    std::string as(std::string_view who, std::string_view scope = "mcp") const {
        return "Authorization: Bearer " + token(key, claims({{"sub", who}, {"scope", scope}})) + "\r\n";
    }
    static std::string challenge(const Sent& sent) { return sent.writer->field("WWW-Authenticate"); }
    static void expect_step_up(const Sent& sent, const std::string& scope) {
        EXPECT_EQ(sent.status(), 403);
        EXPECT_NE(challenge(sent).find(R"(error="insufficient_scope")"), std::string::npos) << challenge(sent);
        EXPECT_NE(challenge(sent).find("scope=\"" + scope + "\""), std::string::npos) << challenge(sent);
    }
    static json::object alone(std::string_view method, json::object params = {}) {
        params["_meta"] = modern_meta();
        return request(1, method, std::move(params));
    }
    static std::string names(const Sent& sent, const char* list) {
        std::string out;
        const json::value answer = sent.answer();
        for (const json::value& one : answer.at("result").at(list).as_array())
            out += std::string(one.at("name").as_string()) + " ";
        return out;
    }

    const std::string json_fields = "Content-Type: application/json\r\nContent-Length: 2\r\n";
    const jose::PrivateKey key = auth::new_key();
    std::int64_t seconds = 0;
    int written = 0;
    std::vector<SharedTokenGate::Fetched> fetches;
    std::vector<std::string> notes;
    Server server{"test", "1"};
    std::shared_ptr<SharedTokenGate> admission;
    std::optional<HttpWorld> world;
};

TEST_F(HttpAuth, every_request_needs_a_token) {
    load_keys();
    for (const char* method : {"POST", "GET", "DELETE"}) {
        const Sent sent = world->send(method, "/mcp", "Accept: */*\r\n", "{}");
        EXPECT_EQ(sent.status(), 401) << method;
        EXPECT_NE(challenge(sent).find("resource_metadata="), std::string::npos);
    }
    EXPECT_EQ(world->send("GET", "/sse", "").status(), 401);
}

TEST_F(HttpAuth, the_principal_is_the_issuer_and_the_subject) {
    load_keys();
    const Sent sent = world->post_alone(alone("tools/call", {{"name", "read"}}), as("ada"));
    world->run_all();
    EXPECT_EQ(sent.text(), auth::the_issuer + "#ada");
}

TEST_F(HttpAuth, handlers_learn_scopes_claims_chosen_headers_and_the_session) {
    load_keys();
    Caller facts;
    server.tool("facts", "Who calls", [&](Context& ctx) { return facts = ctx.caller(), "ok"; });
    const std::string fields = as("ada", "mcp files:write") + "X-Tenant: acme\r\nX-Other: no\r\n";
    world->post_alone(alone("tools/call", {{"name", "facts"}}), fields);
    world->run_all();
    EXPECT_EQ(facts.principal, auth::the_issuer + "#ada");
    EXPECT_EQ(facts.scopes, (std::vector<std::string>{"files:write", "mcp"}));
    EXPECT_EQ(facts.claims.at("sub"), "ada");
    EXPECT_EQ(facts.headers, (std::map<std::string, std::string, std::less<>>{{"x-tenant", "acme"}}));
    EXPECT_EQ(facts.session_id, "");

    const std::string id = world->begin("2025-11-25", {}, as("ada"));
    world->post(tool_request(1, "facts"), HttpWorld::in_session(id) + as("ada"));
    world->run_all();
    EXPECT_EQ(facts.session_id, id);
    EXPECT_EQ(facts.scopes, std::vector<std::string>{"mcp"}) << "of this request";
    EXPECT_TRUE(facts.headers.empty());
}

TEST_F(HttpAuth, requests_with_the_same_token_share_the_facts_about_their_caller) {
    load_keys();
    std::vector<Context> kept;
    server.tool("keep", "Keeps its context", [&](Context& ctx) { return kept.push_back(ctx), "ok"; });
    const std::string ada = as("ada") + "X-Tenant: acme\r\n", other_token = as("ada") + "X-Tenant: acme\r\n";
    const std::string other_tenant = ada.substr(0, ada.find("X-Tenant")) + "X-Tenant: other\r\n";
    for (const std::string& fields : {ada, ada, ada + "Mcp-Session-Id: forged\r\n", other_tenant, ada, other_token}) {
        world->post_alone(alone("tools/call", {{"name", "keep"}}), fields);
        world->run_all();
    }
    ASSERT_EQ(kept.size(), 6U);
    EXPECT_EQ(&kept[0].caller(), &kept[1].caller()) << "not copied";
    EXPECT_EQ(kept[2].caller().session_id, "") << "a request of 2026-07-28 has no session";
    EXPECT_EQ(kept[3].caller().headers.at("x-tenant"), "other");
    EXPECT_EQ(kept[4].caller().headers.at("x-tenant"), "acme");
    for (const Context& one : kept) {
        EXPECT_EQ(one.caller().scopes, std::vector<std::string>{"mcp"});
        EXPECT_EQ(one.caller().claims.at("sub"), "ada");
    }
    EXPECT_NE(&kept[4].caller(), &kept[5].caller()) << "another token";

    const std::string id = world->begin("2025-11-25", {}, ada);
    for (int i = 0; i < 2; ++i) {
        world->post(tool_request(i, "keep"), HttpWorld::in_session(id) + ada);
        world->run_all();
    }
    ASSERT_EQ(kept.size(), 8U);
    EXPECT_EQ(&kept[6].caller(), &kept[7].caller());
    EXPECT_EQ(kept[7].caller().session_id, id);
}

TEST_F(HttpAuth, a_list_filtered_by_scopes_is_private) {
    server = Server("test", "1", {.cache = {.ttl = std::chrono::seconds(9), .shared = true}});
    server.tool("read", "Everybody's", [] { return "text"; });
    EndpointOptions endpoint;
    endpoint.admission = admission;
    world.emplace(server, std::move(endpoint));
    load_keys();
    const Sent list = world->post_alone(alone("tools/list"), as("ada"));
    EXPECT_EQ(list.answer().at("result").at("cacheScope"), "private");
}

TEST_F(HttpAuth, lists_contain_only_what_the_scopes_allow) {
    load_keys();
    EXPECT_EQ(names(world->post_alone(alone("tools/list"), as("ada")), "tools"), "read ");
    EXPECT_EQ(names(world->post_alone(alone("tools/list"), as("ada", "mcp files:write")), "tools"), "read write ");
    EXPECT_EQ(names(world->post_alone(alone("resources/templates/list"), as("ada")), "resourceTemplates"), "");
    EXPECT_EQ(
        names(world->post_alone(alone("resources/templates/list"), as("ada", "mcp secrets")), "resourceTemplates"),
        "secret ");
}

TEST_F(HttpAuth, a_call_without_its_scope_gets_a_step_up_challenge) {
    load_keys();
    const json::object call = alone("tools/call", {{"name", "write"}});
    expect_step_up(world->post_alone(call, as("ada")), "mcp files:write");
    const Sent allowed = world->post_alone(call, as("ada", "mcp files:write"));
    world->run_all();
    EXPECT_EQ(allowed.text(), "written");
    EXPECT_EQ(written, 1);
    expect_step_up(world->post_alone(alone("resources/read", {{"uri", "note://secret/1"}}), as("ada")), "mcp secrets");
    expect_step_up(
        world->post_alone(
            alone("subscriptions/listen",
                  {{"notifications", json::object{{"resourceSubscriptions", json::array{"note://secret/1"}}}}}),
            as("ada")),
        "mcp secrets");
}

TEST_F(HttpAuth, scopes_belong_to_each_request_and_not_to_the_session) {
    load_keys();
    const std::string session = world->in_session(world->begin("2025-11-25", {}, as("ada")));
    EXPECT_EQ(names(world->post(request(1, "tools/list"), session + as("ada")), "tools"), "read ");
    expect_step_up(world->post(tool_request(2, "write"), session + as("ada")), "mcp files:write");
    const Sent allowed = world->post(tool_request(3, "write"), session + as("ada", "mcp files:write"));
    world->run_all();
    EXPECT_EQ(allowed.text(), "written");
    expect_step_up(world->post(tool_request(4, "write"), session + as("ada")), "mcp files:write");
    EXPECT_EQ(written, 1);
}

TEST_F(HttpAuth, a_task_needs_the_same_scopes_as_a_call) {
    load_keys();
    const std::string session = world->in_session(world->begin("2025-11-25", {{"tasks", json::object()}}, as("ada")));
    json::object as_task = tool_request(1, "write");
    as_task["params"].as_object()["task"] = json::object();
    expect_step_up(world->post(as_task, session + as("ada")), "mcp files:write");
    world->run_all();
    EXPECT_EQ(written, 0);
}

TEST_F(HttpAuth, a_batch_needs_the_scopes_of_all_its_calls) {
    load_keys();
    const std::string session = world->in_session(world->begin("2025-03-26", {}, as("ada")));
    expect_step_up(world->post(json::array{request(1, "ping"), tool_request(2, "write")}, session + as("ada")),
                   "mcp files:write");
    world->run_all();
    EXPECT_EQ(written, 0);
}

TEST_F(HttpAuth, the_old_transport_needs_the_same_scopes) {
    load_keys();
    const Sent stream = world->send("GET", "/sse", as("ada"));
    const std::string path = stream.writer->events.at(0).data;
    const auto post = [&](const json::value& message, const std::string& fields) {
        return world->send("POST", path, fields, json::write(message));
    };
    EXPECT_EQ(post(initialize_request("2024-11-05"), as("ada")).status(), 202);
    post(notification("notifications/initialized"), as("ada"));
    expect_step_up(post(tool_request(1, "write"), as("ada")), "mcp files:write");
    EXPECT_EQ(post(tool_request(2, "write"), as("bob", "mcp files:write")).status(), 404)
        << "the session must belong to its principal";
    EXPECT_EQ(post(tool_request(3, "write"), as("ada", "mcp files:write")).status(), 202);
    world->run_all();
    EXPECT_EQ(written, 1);
}

TEST_F(HttpAuth, sessions_belong_to_their_principal) {
    load_keys();
    const std::string session = world->in_session(world->begin("2025-11-25", {}, as("ada")));
    EXPECT_EQ(world->post(request(1, "ping"), session + as("ada", "mcp other")).status(), 200);
    EXPECT_EQ(world->post(request(1, "ping"), session + as("bob")).status(), 404);
    EXPECT_EQ(world->post(request(1, "ping"), session).status(), 401);
    EXPECT_EQ(world->send("DELETE", "/mcp", session + as("bob")).status(), 404);
}

TEST_F(HttpAuth, tasks_belong_to_their_principal) {
    load_keys();
    const json::object capabilities{{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}};
    const std::string scope = "mcp files:write";
    json::object call = request(1, "tools/call", {{"name", "write"}, {"_meta", modern_meta(capabilities)}});
    const Sent started = world->post_alone(call, as("ada", scope));
    world->run_all();
    const json::value id = started.answer().at("result").at("taskId");
    const json::object get = request(1, "tasks/get", {{"taskId", id}, {"_meta", modern_meta(capabilities)}});
    const std::string name = "Mcp-Name: " + std::string(id.as_string()) + "\r\n";
    const Sent own = world->post_alone(get, name + as("ada", scope)),
               foreign = world->post_alone(get, name + as("bob", scope));
    world->run_all();
    EXPECT_EQ(own.error(), 0);
    EXPECT_NE(foreign.error(), 0);
}

// ---- waiting

TEST_F(HttpAuth, a_request_waits_for_the_keys) {
    int retries = 0;
    const Head head("POST", "/mcp", json_fields + as("ada"));
    EXPECT_FALSE(world->endpoint->admit(head, [&] { ++retries; }));
    EXPECT_FALSE(world->endpoint->admit(head, [&] { ++retries; }));
    ASSERT_EQ(fetches.size(), 1U) << "waiting requests must share one fetch";
    EXPECT_EQ(retries, 0);
    fetches[0](auth::jwks({key.public_key()}));
    EXPECT_EQ(retries, 2);
    const auto admitted = world->endpoint->admit(head, [&] { ++retries; });
    ASSERT_TRUE(admitted);
    EXPECT_EQ(std::get<HttpEndpoint::Admitted>(*admitted).principal, auth::the_issuer + "#ada");
    EXPECT_EQ(retries, 2);
}

TEST_F(HttpAuth, the_number_of_waiting_requests_is_limited) {
    const Head head("POST", "/mcp", json_fields + as("ada"));
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(world->endpoint->admit(head, [] {}));
    const auto refused = world->endpoint->admit(head, [] {});
    ASSERT_TRUE(refused);
    EXPECT_EQ(std::get<web::Response>(*refused).status, 503);
    fetches.at(0)(auth::jwks({key.public_key()}));
    EXPECT_TRUE(world->endpoint->admit(head, [] {}));
}

TEST_F(HttpAuth, a_flood_of_tokens_from_one_address_does_not_refuse_another_address) {
    const Head head("POST", "/mcp", json_fields + as("ada"));
    const auto wait = [&](const std::string& network, int& retries) {
        return !world->endpoint->admit(
            head, [&] { ++retries; }, {}, network);
    };
    int attacker = 0, innocent = 0;
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(wait("192.0.2.1", attacker));
    EXPECT_FALSE(wait("192.0.2.1", attacker)) << "the limit is two waiting requests";
    EXPECT_TRUE(wait("192.0.2.2", innocent));
    EXPECT_EQ(attacker, 1) << "a waiting request of the attacker was told to try again";
    EXPECT_FALSE(wait("192.0.2.1", attacker)) << "its place is taken now";
    fetches.at(0)(auth::jwks({key.public_key()}));
    EXPECT_EQ(attacker, 2);
    EXPECT_EQ(innocent, 1);
}

TEST_F(HttpAuth, unavailable_keys_are_answered_with_503_and_logged_once) {
    const Head head("POST", "/mcp", json_fields + as("ada"));
    EXPECT_FALSE(world->endpoint->admit(head, [] {}));
    fetches.at(0)(Error{code::connection_closed, "nobody is there"});
    for (int i = 0; i < 3; ++i) {
        const auto refused = world->endpoint->admit(head, [] {});
        ASSERT_TRUE(refused);
        EXPECT_EQ(std::get<web::Response>(*refused).status, 503);
    }
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes[0], "could not fetch https://login.example/keys: nobody is there");
    EXPECT_NE(notes[1].find("tokens cannot be checked"), std::string::npos);
    for (const std::string& note : notes)
        EXPECT_EQ(note.find("ey"), note.find("keys") + 1) << "a log entry contains a token";
}

}  // namespace
}  // namespace tenon::test
