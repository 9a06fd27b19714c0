// The rules for clients: questions that must be refused, tasks, extensions, headers that change.
#include "check/client/client_rules.hpp"
#include "check/rules/places.hpp"

namespace tenon::check::client {
namespace {

using enum Severity;

constexpr ClientRule question_rows[] = {
    {.rule = {.id = "LIFE-1.client-extension-ids",
              .title = "in 2026-07-28 the client's extensions have ids with a prefix",
              .side = Side::client,
              .severity = medium,
              .clauses = must(place::extension_ids),
              .text =
                  "The ids follow the rules for keys of _meta. The prefix keeps extensions of different authors apart.",
              .remedy = "write a domain that you own backwards, a slash, and a name",
              .right = R"("extensions": {"com.example/search": {}})",
              .wrong = R"("extensions": {"search": {}})"},
     .judge = judge_modern},
    {.rule = {.id = "LIFE-12.client-root-paths",
              .title = "roots have no segments ..",
              .side = Side::client,
              .severity = medium,
              .clauses = should(place::roots_security),
              .text = "Clients validate root URIs against path traversal. A server compares paths with the root.",
              .remedy = "resolve the path before it is sent",
              .right = R"({"uri": "file:///home/me/project"})",
              .wrong = R"({"uri": "file:///home/me/project/../.."})"},
     .judge = judge_answers},
    {.rule = {.id = "LIFE-12.client-elicitation-mode",
              .title = "an elicitation of an undeclared mode is refused with -32602 (2025-11-25)",
              .side = Side::client,
              .severity = medium,
              .clauses = must(place::elicitation_modes),
              .text = "A client that declares only forms does not open web pages.",
              .remedy = "compare the mode with the declared ones first",
              .right = R"({"error": {"code": -32602}})",
              .wrong = R"({"result": {"action": "cancel"}})"},
     .judge = judge_answers},
    {.rule = {.id = "LIFE-12.client-tool-turns",
              .title = "sampling with a missing tool_result is refused with -32602 (2025-11-25)",
              .side = Side::client,
              .severity = low,
              .clauses = should(place::sampling_errors),
              .text = "Models refuse such conversations with errors that a server cannot understand.",
              .remedy = "check that each tool_use has its tool_result in the next message",
              .right = R"({"error": {"code": -32602}})",
              .wrong = "the model is asked"},
     .judge = judge_answers},
    {.rule = {.id = "TOOL-5.client-task",
              .title = "a tool that requires a task is called as one (2025-11-25)",
              .side = Side::client,
              .severity = medium,
              // The text says MUST, but tasks are an experimental feature, which a client need not have. Without them
              // its call is only refused. So this is a warning.
              .clauses = should(place::tool_tasks),
              .text = "The server refuses other calls of a tool with taskSupport required.",
              .remedy = "look at execution.taskSupport in the list of tools",
              .right = R"({"name": "build", "task": {"ttl": 60000}})",
              .wrong = R"({"name": "build"})"},
     .judge = judge_tasks},
    {.rule = {.id = "TOOL-5.client-no-task",
              .title = "tools are called as tasks only if the server declares it (2025-11-25)",
              .side = Side::client,
              .severity = medium,
              .clauses = must(place::tool_tasks),
              .text = "A server without tasks.requests.tools.call has no tasks.",
              .remedy = "look at the server's capabilities",
              .right = R"({"name": "build"})",
              .wrong = R"({"name": "build", "task": {"ttl": 60000}})"},
     .judge = judge_tasks},
    {.rule = {.id = "HTTP-1.client-changed-headers",
              .title = "after -32020 the client lists the tools and calls again (2026-07-28)",
              .side = Side::client,
              .severity = low,
              .clauses = should(place::stale_headers),
              .text = "The schema of a tool may name other headers than before.",
              .remedy = "list the tools, and repeat the call once with the headers that the schema names now",
              .right = "tools/call, -32020, tools/list, tools/call",
              .wrong = "tools/call, -32020"},
     .judge = judge_modern},
};

}  // namespace

std::span<const ClientRule> question_rules() { return question_rows; }

}  // namespace tenon::check::client
