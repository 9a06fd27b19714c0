#include "fixtures.hpp"

namespace conformance {
namespace {

using tenon::Context;
namespace ask = tenon::ask;

// A form with one required member.
tenon::json::object form_of(std::string_view name, std::string_view type = "string") {
    return {{"type", "object"},
            {"properties", tenon::json::object{{name, tenon::json::object{{"type", type}}}}},
            {"required", tenon::json::array{tenon::json::value(name)}}};
}

tenon::SampleRequest question_for_model(std::string text, std::int64_t max_tokens) {
    return {.messages = {{tenon::Role::user, {tenon::TextContent{std::move(text)}}}}, .maxTokens = max_tokens};
}

std::string count_of(const std::vector<tenon::Root>& roots) { return std::to_string(roots.size()) + " root(s)"; }

void add_single_questions(tenon::Server& server) {
    server.tool("test_input_required_result_elicitation", "Needs a name", [](Context& ctx) {
        return "Hello, " + text_of(ctx.elicit("What is your name?", form_of("name"), "user_name"), "name") + "!";
    });
    server.tool("test_input_required_result_sampling", "Needs the model", [](Context& ctx) {
        return ctx.sample(question_for_model("What is the capital of France?", 100), "capital_question").text();
    });
    server.tool("test_input_required_result_list_roots", "Needs the roots",
                [](Context& ctx) { return "Found " + count_of(ctx.roots("client_roots")); });
    server.tool("test_input_required_result_request_state", "Needs a state that comes back", [](Context& ctx) {
        const auto secret = ctx.once("secret", [] { return std::string("kept"); });
        ctx.elicit("Please confirm", form_of("ok", "boolean"), "confirm");
        return secret == "kept" ? "state-ok" : "the state was lost";
    });
    server.tool("test_input_required_result_tampered_state", "Refuses a state that was changed", [](Context& ctx) {
        ctx.elicit("Please confirm", form_of("ok", "boolean"), "confirm");
        return "integrity-ok";
    });
}

void add_several_questions(tenon::Server& server) {
    server.tool("test_input_required_result_multiple_inputs", "Needs three things at once", [](Context& ctx) {
        const auto [name, greeting, roots] = ctx.ask_all(
            ask::form("What is your name?", form_of("name"), "user_name"),
            ask::sample(question_for_model("Generate a greeting", 50), "greeting"), ask::roots("client_roots"));
        return text_of(name, "name") + ": " + greeting.text() + " " + count_of(roots);
    });
    server.tool("test_input_required_result_multi_round", "Needs one thing after another", [](Context& ctx) {
        const auto name = ctx.elicit("Step 1: What is your name?", form_of("name"), "step1");
        const auto color = ctx.elicit("Step 2: What is your favorite color?", form_of("color"), "step2");
        return text_of(name, "name") + " likes " + text_of(color, "color");
    });
    server.tool("test_input_required_result_capabilities", "Asks only for what the client can do", [](Context& ctx) {
        auto form = ask::form("A value, please", form_of("value"), "elicit_input");
        auto sample = ask::sample(question_for_model("A value, please", 50), "sample_input");
        if (ctx.can_elicit() && ctx.can_sample()) {
            ctx.ask_all(std::move(form), std::move(sample));
        } else if (ctx.can_elicit()) {
            ctx.ask_all(std::move(form));
        } else if (ctx.can_sample()) {
            ctx.ask_all(std::move(sample));
        }
        return "capabilities-ok";
    });
}

}  // namespace

std::string text_of(const tenon::ElicitResult& answer, std::string_view field) {
    const tenon::json::value* v = answer.content.if_contains(field);
    return v && v->is_string() ? std::string(v->get_string()) : "unknown";
}

void add_input_required(tenon::Server& server) {
    add_single_questions(server);
    add_several_questions(server);
    server.prompt("test_input_required_result_prompt", "Needs a context", [](Context& ctx) {
        const auto answer = ctx.elicit("What context should the prompt use?", form_of("context"), "user_context");
        return "Prompt with context: " + text_of(answer, "context");
    });
}

}  // namespace conformance
