// Access control: for a caller that may not use a feature, the feature does not exist, whatever method it tries.
// rules: TOOL-10, RES-10
#include <algorithm>
#include <set>

#include "base/base64.hpp"
#include "one_client.hpp"

namespace tenon {
namespace {

// Tickets belong to principals: ticket://alice/1. Tools and prompts whose name begins with "admin" are for bob.
struct AccessControl : testing::TestWithParam<Era> {
    AccessControl() {
        server.tool("mine", "Mine", [] { return "mine"; });
        server.tool("admin_wipe", "Wipes", [this] { return ++wiped, "wiped"; });
        server.prompt("plan", "A plan", [] { return "plan"; });
        server.prompt(
            "admin_plan", "A plan",
            args(arg<std::string>("who").complete([](std::string_view) { return std::vector<std::string>{"secret"}; })),
            [](std::string) { return "plan"; });
        server.resource("ticket://alice/0", "first", [] { return "first of alice"; });
        server.resource("ticket://bob/0", "first", [] { return "first of bob"; });
        ResourceOptions options;
        options.complete = {{"id", [](Context& ctx, const CompletionRequest& request) {
                                 return Completion{.values = {ctx.principal() + "/" + request.value}};
                             }}};
        options.list = [](Context& ctx, const std::string& cursor) {
            // Careless on purpose: it offers the tickets of everybody. The rule hides those of others.
            ResourcePage page;
            for (const char* who : {"alice", "bob"})
                page.resources.push_back({.uri = "ticket://" + std::string(who) + (cursor.empty() ? "/1" : "/2"),
                                          .name = "of " + ctx.principal()});
            if (cursor.empty()) page.next = "second";
            return page;
        };
        server.resource_template(
            "ticket://{+id}", "tickets", [](const ResourceRequest& r) { return "ticket " + r.var("id"); }, options);
        server.resource_template("admin://{id}", "admin", [](const ResourceRequest&) { return "secret"; });
        server.use(authorise([](std::string_view who, const Request& request) {
            if (who == "bob") return !request.name.starts_with("ticket://alice");
            return !request.name.starts_with("admin") && !request.name.starts_with("ticket://bob");
        }));
    }
    static SessionOptions as(const char* who) { return {.owner = who}; }
    bool modern() const { return GetParam() == Era::modern; }

    static std::set<std::string> all(OneClient& client, const char* method, const char* list, const char* member) {
        std::set<std::string> out;
        json::object params;
        for (int pages = 0; pages < 10; ++pages) {
            const json::object page = client.ask(method, params);
            for (const json::value& entry : page.at(list).as_array()) out.emplace(entry.at(member).as_string());
            if (!page.contains("nextCursor")) break;
            params["cursor"] = page.at("nextCursor");
        }
        return out;
    }
    static json::object without_uri(json::object error) { return error; }

    Server server{"test", "1", {.cache = {.ttl = std::chrono::seconds(5), .shared = true}}};
    int wiped = 0;
};
INSTANTIATE_TEST_SUITE_P(Eras, AccessControl, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

using Names = std::set<std::string>;

TEST_P(AccessControl, lists_hide_features_that_the_caller_may_not_use) {
    OneClient alice(server, GetParam(), as("alice")), bob(server, GetParam(), as("bob"));
    EXPECT_EQ(all(alice, "tools/list", "tools", "name"), (Names{"mine"}));
    EXPECT_EQ(all(bob, "tools/list", "tools", "name"), (Names{"mine", "admin_wipe"}));
    EXPECT_EQ(all(alice, "prompts/list", "prompts", "name"), (Names{"plan"}));
    EXPECT_EQ(all(alice, "resources/templates/list", "resourceTemplates", "uriTemplate"), (Names{"ticket://{+id}"}));
    EXPECT_EQ(all(bob, "resources/templates/list", "resourceTemplates", "uriTemplate"),
              (Names{"ticket://{+id}", "admin://{id}"}));
}

// rules: RES-5
TEST_P(AccessControl, templates_list_their_resources_for_the_caller_page_by_page) {
    OneClient alice(server, GetParam(), as("alice")), bob(server, GetParam(), as("bob"));
    EXPECT_EQ(all(alice, "resources/list", "resources", "uri"),
              (Names{"ticket://alice/0", "ticket://alice/1", "ticket://alice/2"}));
    EXPECT_EQ(all(bob, "resources/list", "resources", "uri"),
              (Names{"ticket://bob/0", "ticket://bob/1", "ticket://bob/2"}));
    EXPECT_EQ(all(bob, "resources/list", "resources", "name"), (Names{"first", "of bob"}));
    EXPECT_EQ(alice.code_of(alice.ask("resources/list", {{"cursor", "forged"}})), code::invalid_params);
}

TEST_P(AccessControl, a_list_that_depends_on_the_caller_is_never_shared) {
    if (!modern()) GTEST_SKIP() << "older revisions have no cache hints";
    OneClient alice(server, GetParam(), as("alice"));
    for (const char* method : {"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
        EXPECT_EQ(alice.ask(method).at("cacheScope"), "private") << method;
    EXPECT_EQ(alice.ask("resources/read", {{"uri", "ticket://alice/0"}}).at("cacheScope"), "private");
}

TEST_P(AccessControl, a_refusal_looks_like_something_that_does_not_exist) {
    OneClient alice(server, GetParam(), as("alice"));
    const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
        for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
        return text;
    };
    const auto same = [&](json::object hidden, json::object missing, const char* name, const char* other) {
        EXPECT_NE(alice.code_of(hidden), 0) << name;
        EXPECT_EQ(replaced(json::write(hidden), name, other), json::write(missing));
    };
    same(alice.call("admin_wipe"), alice.call("nothing_so"), "admin_wipe", "nothing_so");
    same(alice.ask("prompts/get", {{"name", "admin_plan"}}), alice.ask("prompts/get", {{"name", "other_plan"}}),
         "admin_plan", "other_plan");
    same(alice.ask("resources/read", {{"uri", "ticket://bob/7"}}),
         alice.ask("resources/read", {{"uri", "nothing://b/7"}}), "ticket://bob/7", "nothing://b/7");
    EXPECT_EQ(wiped, 0);
    OneClient bob(server, GetParam(), as("bob"));
    EXPECT_EQ(bob.text_of(bob.call("admin_wipe")), "wiped");
}

TEST_P(AccessControl, completion_follows_the_same_decision_and_knows_the_caller) {
    OneClient alice(server, GetParam(), as("alice")), bob(server, GetParam(), as("bob"));
    const json::object of_prompt{{"ref", {{"type", "ref/prompt"}, {"name", "admin_plan"}}},
                                 {"argument", {{"name", "who"}, {"value", ""}}}};
    EXPECT_EQ(alice.code_of(alice.ask("completion/complete", of_prompt)), code::invalid_params);
    EXPECT_EQ(bob.code_of(bob.ask("completion/complete", of_prompt)), 0);
    const json::object of_template{{"ref", {{"type", "ref/resource"}, {"uri", "ticket://{+id}"}}},
                                   {"argument", {{"name", "id"}, {"value", "1"}}}};
    EXPECT_EQ(alice.ask("completion/complete", of_template).at("completion").at("values").at(0), "alice/1");
    EXPECT_EQ(bob.ask("completion/complete", of_template).at("completion").at("values").at(0), "bob/1");
}

// rules: SEC-2
TEST_P(AccessControl, clients_are_not_notified_of_hidden_resources) {
    OneClient alice(server, GetParam(), as("alice"));
    if (modern()) {
        const auto sent = alice.send(
            "subscriptions/listen",
            {{"notifications", {{"resourceSubscriptions", json::array{"ticket://alice/1", "ticket://bob/1"}}}}});
        ASSERT_FALSE(sent.empty());
        EXPECT_EQ(sent.front().at("params").at("notifications").at("resourceSubscriptions"),
                  json::value(json::array{"ticket://alice/1"}))
            << "only what was granted";
    } else {
        EXPECT_EQ(alice.code_of(alice.ask("resources/subscribe", {{"uri", "ticket://alice/1"}})), 0);
        EXPECT_EQ(alice.code_of(alice.ask("resources/subscribe", {{"uri", "ticket://bob/1"}})), -32002);
    }
    server.resource_updated("ticket://bob/1");
    EXPECT_TRUE(alice.take().empty());
    server.resource_updated("ticket://alice/1");
    const auto told = alice.take();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].at("params").at("uri"), "ticket://alice/1");
}

// rules: SEC-2
TEST_P(AccessControl, only_clients_that_see_an_entry_learn_that_a_list_has_changed) {
    OneClient alice(server, GetParam(), as("alice")), bob(server, GetParam(), as("bob"));
    const auto methods = [](OneClient& client) {
        std::vector<std::string> out;
        for (const json::value& message : client.take()) out.emplace_back(message.at("method").as_string());
        return out;
    };
    using Methods = std::vector<std::string>;
    const json::object all{
        {"notifications", {{"toolsListChanged", true}, {"resourcesListChanged", true}, {"promptsListChanged", true}}}};
    if (modern()) alice.send("subscriptions/listen", all), bob.send("subscriptions/listen", all);
    const Methods tools{"notifications/tools/list_changed"}, prompts{"notifications/prompts/list_changed"},
        resources{"notifications/resources/list_changed"};
    const auto expect = [&](const char* what, const Methods& of_alice, const Methods& of_bob) {
        EXPECT_EQ(methods(alice), of_alice) << what;
        EXPECT_EQ(methods(bob), of_bob) << what;
    };
    server.tool("admin_new", "New", [] { return ""; });
    expect("a tool of bob was added", {}, tools);
    server.remove_tool("admin_new");
    expect("a tool of bob was removed", {}, tools);
    server.tool("new", "New", [] { return ""; });
    expect("a tool of both was added", tools, tools);
    server.prompt("admin_new", "New", [] { return ""; });
    expect("a prompt of bob was added", {}, prompts);
    server.remove_prompt("plan");
    expect("a prompt of both was removed", prompts, prompts);
    server.resource("ticket://bob/9", "9", [] { return ""; });
    expect("a resource of bob was added", {}, resources);
    server.remove_resource("ticket://alice/0");
    expect("a resource of alice was removed", resources, {});
    server.remove_resource_template("admin://{id}");
    expect("a template of bob was removed", {}, resources);
    server.resource_list_changed("ticket://alice/7");
    expect("a template lists another resource for alice", resources, {});
    server.use(authorise([](const Caller& caller, const Request&) { return caller.principal != "bob"; }));
    server.tool("newer", "Newer", [] { return ""; });
    expect("a rule that is newer than the session hides it from bob", tools, {});
}

// rules: SEC-2
TEST_P(AccessControl, a_cursor_does_not_tell_how_much_is_hidden) {
    Limits limits;
    limits.page_size = 1;
    const std::array<std::uint8_t, 16> key{1, 2, 3};
    const auto cursor_after = [&](int hidden) {
        Server other("test", "1", {.limits = limits, .cursor_key = key});
        for (int i = 0; i < hidden; ++i) other.tool("admin_" + std::to_string(i), "Hidden", [] { return ""; });
        for (const char* name : {"a", "b"}) other.tool(name, "Visible", [] { return ""; });
        other.use(authorise([](const Caller&, const Request& r) { return !r.name.starts_with("admin"); }));
        OneClient alice(other, GetParam(), as("alice"));
        return base::base64url_decode(alice.ask("tools/list").at("nextCursor").as_string()).value();
    };
    const std::string few = cursor_after(1), many = cursor_after(2);
    ASSERT_EQ(few.size(), many.size());
    std::size_t equal = 0;
    for (std::size_t i = 0; i < few.size(); ++i) equal += few[i] == many[i];
    EXPECT_LT(equal, few.size() / 2) << "the position is readable";
}

// rules: SEC-2
TEST_P(AccessControl, pages_of_a_list_do_not_tell_how_much_is_hidden) {
    Limits limits;
    limits.page_size = 3;
    // A careless lister offers the tickets of everybody, in pages of two. Every `each`th is one of alice.
    const auto pages = [&](int count, int each) {
        Server other("test", "1", {.limits = limits});
        ResourceOptions options;
        options.list = [=](Context&, const std::string& cursor) {
            ResourcePage page;
            const int begin = cursor.empty() ? 0 : std::stoi(cursor), end = std::min(begin + 2, count);
            for (int i = begin; i < end; ++i)
                page.resources.push_back(
                    {.uri = (i % each == 0 ? "ticket://alice/" : "ticket://bob/") + std::to_string(i / each),
                     .name = "t"});
            if (end < count) page.next = std::to_string(end);
            return page;
        };
        other.resource_template(
            "ticket://{+id}", "tickets", [](const ResourceRequest&) { return ""; }, options);
        other.use(authorise([](const Caller& caller, const Request& request) {
            return request.name == "ticket://{+id}" || request.name.starts_with("ticket://" + caller.principal + "/");
        }));
        OneClient alice(other, GetParam(), as("alice"));
        std::string out;
        json::object params;
        for (int page = 0; page < 20; ++page) {
            const json::object answer = alice.ask("resources/list", params);
            out += json::write(answer.at("resources")) + "\n";
            if (!answer.contains("nextCursor")) return out;
            params["cursor"] = answer.at("nextCursor");
        }
        return out + "endless";
    };
    const std::string alone = pages(7, 1);
    EXPECT_EQ(std::ranges::count(alone, '\n'), 3) << alone;
    EXPECT_EQ(pages(7 * 2 - 1, 2), alone) << "one of each two is hidden";
    EXPECT_EQ(pages(7 * 5, 5), alone) << "whole pages are hidden, also the last one";
}

TEST_P(AccessControl, a_caller_that_lost_access_is_no_longer_notified) {
    bool allowed = true;
    server.use(authorise([&](const Caller&, const Request&) { return allowed; }));
    OneClient alice(server, GetParam(), as("alice"));
    if (modern()) {
        alice.send("subscriptions/listen",
                   {{"notifications", {{"resourceSubscriptions", json::array{"ticket://alice/1"}}}}});
    } else {
        alice.ask("resources/subscribe", {{"uri", "ticket://alice/1"}});
    }
    server.resource_updated("ticket://alice/1");
    EXPECT_EQ(alice.take().size(), 1u);
    allowed = false;
    server.resource_updated("ticket://alice/1");
    EXPECT_TRUE(alice.take().empty());
}

TEST_P(AccessControl, a_rule_can_decide_by_scope_claim_session_address_and_header) {
    std::vector<Caller> seen;
    server.use(authorise([&](const Caller& caller, const Request&) {
        seen.push_back(caller);
        return true;
    }));
    SessionOptions options = as("alice");
    options.caller.scopes = {"read", "write"};
    options.caller.claims = {{"tenant", "acme"}};
    options.caller.headers = {{"x-tenant", "acme"}};
    options.caller.address = "192.0.2.1";
    Caller in_handler;
    bool writes = false, wipes = true;
    server.tool("facts", "Facts", [&](Context& ctx) {
        in_handler = ctx.caller();
        writes = ctx.has_scope("write");
        wipes = ctx.has_scope("wipe");
        return "ok";
    });
    OneClient alice(server, GetParam(), std::move(options));
    EXPECT_EQ(alice.text_of(alice.call("facts")), "ok");
    ASSERT_FALSE(seen.empty());
    for (const Caller& caller : {seen.back(), in_handler}) {
        EXPECT_EQ(caller.principal, "alice");
        EXPECT_EQ(caller.claims.at("tenant"), "acme");
        EXPECT_EQ(caller.headers.at("x-tenant"), "acme");
        EXPECT_EQ(caller.address, "192.0.2.1");
        EXPECT_FALSE(caller.session_id.empty());
    }
    EXPECT_TRUE(writes);
    EXPECT_FALSE(wipes);
}

TEST_P(AccessControl, a_rule_that_throws_refuses) {
    server.use(authorise([](const Caller&, const Request&) -> bool { throw std::runtime_error("no database"); }));
    OneClient alice(server, GetParam(), as("alice"));
    EXPECT_EQ(alice.code_of(alice.call("mine")), code::invalid_params);
    EXPECT_TRUE(alice.ask("tools/list").at("tools").as_array().empty());
}

TEST_P(AccessControl, middleware_sees_refused_requests_but_cannot_let_them_through) {
    std::string log;
    server.use([&](Context&, const Request& request, Next next) {
        if (request.method != "tools/call") return std::move(next).run();
        log += request.name;
        std::move(next).answer({{"content", json::array{}}});  // like a cache with another caller's result
    });
    OneClient alice(server, GetParam(), as("alice"));
    EXPECT_EQ(alice.code_of(alice.call("admin_wipe")), code::invalid_params);
    EXPECT_EQ(log, "admin_wipe");
    EXPECT_EQ(alice.code_of(alice.call("mine")), 0);
}

// rules: PROMPT-7
TEST_P(AccessControl, a_prompt_gets_arguments_as_data_and_reaches_no_hidden_resource) {
    server.prompt("quote", "Quotes", args(arg<std::string>("text")), [](std::string text) { return "Say: " + text; });
    int reads = 0;
    server.resource("ticket://bob/9", "ninth", [&reads] { return ++reads, "secret of bob"; });
    OneClient alice(server, GetParam(), as("alice"));
    const std::string hostile = "{{ticket://bob/9}} ${ticket://bob/9} %s <resource uri=\"ticket://bob/9\"/>";
    const json::object answer = alice.ask("prompts/get", {{"name", "quote"}, {"arguments", {{"text", hostile}}}});
    EXPECT_EQ(answer.at("messages"),
              json::value(json::array{json::object{
                  {"role", "user"}, {"content", json::object{{"type", "text"}, {"text", "Say: " + hostile}}}}}));
    for (const std::string& name : {std::string("{{quote}}"), hostile})
        EXPECT_EQ(alice.code_of(alice.ask("prompts/get", {{"name", name}})), code::invalid_params) << name;
    EXPECT_EQ(reads, 0);
}

}  // namespace
}  // namespace tenon
