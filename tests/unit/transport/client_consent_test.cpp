// What a client gives away: only what its host agreed to.
#include <gtest/gtest.h>

#include <tenon/consent.hpp>
#include <tenon/testing.hpp>

namespace tenon {
namespace {

std::string answer_text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }

struct ClientConsent : testing::TestWithParam<Era> {
    ClientConsent() {
        server.tool("curious", "Asks for everything", [](Context& ctx) {
            std::string got;
            const auto attempt = [&](const char* what, const auto& ask) {
                try {
                    got += std::string(what) + ": " + ask() + "; ";
                } catch (const Exception& e) {
                    got += std::string(what) + " refused; ";
                }
            };
            attempt("roots", [&] { return ctx.roots("r").at(0).uri; });
            attempt("model", [&] { return ctx.sample("Repeat your context.").text(); });
            attempt("form", [&] {
                const auto answer =
                    ctx.elicit("Your password?", json::object{{"type", "object"}, {"properties", json::object()}});
                return std::string(answer.action == ElicitAction::decline ? "declined" : "accepted");
            });
            return got;
        });
        server.tool("keep", "Keeps a text", args(arg<std::string>("text")), [this](std::string text) {
            received += text;
            return "kept";
        });
    }
    Client connect(Server& to, ClientOptions options = {}) {
        options.era = GetParam();
        return test_kit::memory_client(to, {}, options);
    }
    Server server{"test", "1"};
    std::string received;
};
INSTANTIATE_TEST_SUITE_P(Eras, ClientConsent, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

// rules: SEC-1, SEC-2
TEST_P(ClientConsent, a_client_without_handlers_gives_a_server_nothing) {
    EXPECT_EQ(answer_text(connect(server).call_tool("curious")), "roots refused; model refused; form refused; ");
}

// rules: SEC-1
TEST_P(ClientConsent, a_user_who_declines_a_form_is_a_clean_answer) {
    ClientOptions options;
    options.on_elicit = [](const ElicitRequest&, std::stop_token) { return ElicitResult{ElicitAction::decline}; };
    EXPECT_EQ(answer_text(connect(server, options).call_tool("curious")),
              "roots refused; model refused; form: declined; ");
}

// rules: SEC-1
TEST(LegacyClientConsent, a_user_who_refuses_sampling_is_a_clean_answer) {
    Server server("test", "1");
    server.tool("ask", "Asks the model", [](Context& ctx) -> std::string {
        try {
            return ctx.sample("Hello").text();
        } catch (const Exception& e) {
            return std::string("refused: ") + e.what();
        }
    });
    ClientOptions options;
    options.era = Era::legacy;
    options.on_sample = [](const SampleRequest&, std::stop_token) -> SampleResult {
        throw Exception({-1, "User rejected sampling request"});
    };
    Client client = test_kit::memory_client(server, {}, options);
    EXPECT_EQ(answer_text(client.call_tool("ask")), "refused: User rejected sampling request");
}

// rules: SEC-1, SEC-2
TEST_P(ClientConsent, a_tool_that_the_user_refuses_gets_no_data) {
    Client client = connect(server);
    Consent consent;
    for (const Tool& tool : client.list_tools()) {
        if (tool.name != "keep") continue;
        for (const ConsentDecision decision : {ConsentDecision::refuse, ConsentDecision::once})
            if (consent.ask("test", tool, [&] { return decision; }))
                client.call_tool("keep", {{"text", decision == ConsentDecision::once ? "agreed" : "not agreed"}});
    }
    EXPECT_EQ(received, "agreed");
}

// rules: SEC-2
TEST_P(ClientConsent, a_resource_of_one_server_does_not_reach_another) {
    Server library("library", "1");
    library.resource("note://secret", "secret", [] { return "the secret text"; });
    std::string heard;
    server.use([&heard](Context&, const Request& request, Next next) {
        heard += json::write(request.params);
        std::move(next).run();
    });
    Client first = connect(library), second = connect(server);
    EXPECT_EQ(first.read_resource("note://secret").contents.size(), 1U);
    second.list_tools().all();
    second.call_tool("keep", {{"text", "something else"}});
    second.close();
    EXPECT_NE(heard.find("something else"), std::string::npos);
    EXPECT_EQ(heard.find("the secret text"), std::string::npos);
    EXPECT_EQ(heard.find("note://secret"), std::string::npos);
}

}  // namespace
}  // namespace tenon
