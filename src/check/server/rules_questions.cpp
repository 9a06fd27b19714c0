// The rules of questions to the client: LIFE-5 and LIFE-10, for results with input_required.
#include "check/rules/places.hpp"
#include "check/server/checks.hpp"
#include "check/server/server_rules.hpp"

namespace tenon::check {
namespace {

using enum Severity;

constexpr ServerRule questions_rows[] = {
    {.rule = {.id = "LIFE-5.input-required-method",
              .title = "only tools/call, prompts/get and resources/read need input (2026-07-28)",
              .severity = high,
              .clauses = must(place::input_required_methods),
              .text = "Clients do not expect a question as the result of another method.",
              .remedy = "Answer other methods without asking.",
              .right = R"(tools/call: {"resultType":"input_required"})",
              .wrong = R"(completion/complete: {"resultType":"input_required"})"},
     .check = by_judge},
    {.rule = {.id = "LIFE-5.input-required",
              .title = "input_required has inputRequests or a requestState (2026-07-28)",
              .severity = high,
              .clauses = must(place::request_state),
              .text = "With neither of them the client does not know what to do.",
              .remedy = "Write inputRequests, requestState or both.",
              .right = R"({"resultType":"input_required","requestState":"..."})",
              .wrong = R"({"resultType":"input_required"})"},
     .check = by_judge},
    {.rule = {.id = "LIFE-5.input-requests",
              .title = "input requests are elicitation, sampling or roots (2026-07-28)",
              .severity = high,
              .clauses = must(place::request_state),
              .text = "Clients know these three requests.",
              .remedy = "Ask with elicitation/create, sampling/createMessage or roots/list.",
              .right = R"({"name":{"method":"elicitation/create"}})",
              .wrong = R"({"name":{"method":"input/ask"}})"},
     .check = by_judge},
    {.rule = {.id = "LIFE-5.elicitation-url",
              .title = "the URL of an elicitation is a valid URL",
              .severity = high,
              .clauses = must(place::elicitation_urls),
              .text = "The user is shown the URL, and opens it in a browser.",
              .remedy = "Write an absolute URL, best with https.",
              .right = R"({"mode":"url","url":"https://example.com/sign-in"})",
              .wrong = R"({"mode":"url","url":"example.com sign in"})"},
     .check = by_judge},
    {.rule = {.id = "LIFE-5.tool-turns",
              .title = "in sampling each tool_use is followed by its tool_result",
              .severity = high,
              .clauses = must(place::tool_turns),
              .text =
                  "A message of the user with tool results, and nothing else, follows a message with tool uses. Models "
                  "refuse other conversations.",
              .remedy = "Put one tool_result per tool_use into the next message.",
              .right = "assistant: tool_use a; user: tool_result a",
              .wrong = "assistant: tool_use a; user: text"},
     .check = by_judge},
    {.rule = {.id = "LIFE-10.input-requests",
              .title = "the server asks only for input that the client declared (2026-07-28)",
              .severity = high,
              .clauses = must(place::request_state),
              .text = "A client without sampling, elicitation or roots cannot answer.",
              .remedy = "Look at the client's capabilities in each request; answer -32021 if one is needed.",
              .right = R"({"error":{"code":-32021}})",
              .wrong = R"({"inputRequests":{"a":{"method":"sampling/createMessage"}}})"},
     .check = by_judge},
};

}  // namespace

std::span<const ServerRule> questions_rules() { return questions_rows; }

}  // namespace tenon::check
