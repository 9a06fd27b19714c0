#include "fixtures.hpp"

namespace conformance {
namespace {

using tenon::Context;

std::string described(const tenon::ElicitResult& answer) {
    static constexpr std::string_view actions[] = {"accept", "decline", "cancel"};
    return "action=" + std::string(actions[static_cast<std::size_t>(answer.action)]) +
           ", content=" + tenon::json::write(answer.content);
}

constexpr std::string_view defaults_form = R"({
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "User name", "default": "John Doe"},
        "age": {"type": "integer", "description": "User age", "default": 30},
        "score": {"type": "number", "description": "User score", "default": 95.5},
        "status": {"type": "string", "description": "User status", "enum": ["active", "inactive", "pending"],
                   "default": "active"},
        "verified": {"type": "boolean", "description": "Verification status", "default": true}
    },
    "required": []
})";

constexpr std::string_view enums_form = R"({
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "description": "Select one option",
                           "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "description": "Select one option with titles",
                         "oneOf": [{"const": "value1", "title": "First Option"},
                                   {"const": "value2", "title": "Second Option"},
                                   {"const": "value3", "title": "Third Option"}]},
        "legacyEnum": {"type": "string", "description": "Select one option, the old way",
                       "enum": ["opt1", "opt2", "opt3"],
                       "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "description": "Select several options", "minItems": 1, "maxItems": 3,
                          "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "description": "Select several options with titles",
                        "minItems": 1, "maxItems": 3,
                        "items": {"anyOf": [{"const": "value1", "title": "First Choice"},
                                            {"const": "value2", "title": "Second Choice"},
                                            {"const": "value3", "title": "Third Choice"}]}}
    },
    "required": []
})";

constexpr std::string_view account_form = R"({
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"}
    },
    "required": ["username", "email"]
})";

}  // namespace

void add_questions(tenon::Server& server) {
    server.tool(
        "test_sampling", "Asks the client's model",
        tenon::args(tenon::arg<std::string>("prompt", "What to ask the model")),
        [](Context& ctx, std::string prompt) { return "LLM response: " + ctx.sample(std::move(prompt), 100).text(); });
    server.tool("test_elicitation", "Asks the user",
                tenon::args(tenon::arg<std::string>("message", "What to show the user")),
                [](Context& ctx, std::string message) {
                    return "User response: " + described(ctx.elicit(std::move(message), schema(account_form)));
                });
    server.tool("test_elicitation_sep1034_defaults", "Asks with a form that has defaults", [](Context& ctx) {
        return "Elicitation completed: " + described(ctx.elicit("Please review the form", schema(defaults_form)));
    });
    server.tool("test_elicitation_sep1330_enums", "Asks with a form that has all kinds of choices", [](Context& ctx) {
        return "Elicitation completed: " + described(ctx.elicit("Please choose", schema(enums_form)));
    });
}

}  // namespace conformance
