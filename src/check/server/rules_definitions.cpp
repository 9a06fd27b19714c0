// More rules of tools: portable and stable definitions, changes of the list, accidents, tasks.
#include "check/rules/places.hpp"
#include "check/server/checks.hpp"
#include "check/server/server_rules.hpp"

namespace tenon::check {
namespace {

using enum Severity;

constexpr ServerRule definitions_rows[] = {
    {.rule = {.id = "TOOL-1.portable-name",
              .title = "names of tools have at most 64 characters",
              .severity = low,
              .clauses = advice(place::tool_names),
              .text =
                  "The protocol allows 128, but the interfaces of some models take 64. Hosts also put the name of the "
                  "server before it.",
              .remedy = "Choose a shorter name.",
              .right = "get_weather",
              .wrong = "a name of 80 characters"},
     .check = checks::definitions::portable_name,
     .capability = "tools"},
    {.rule = {.id = "TOOL-1.portable-root",
              .title = "the inputSchema has no anyOf, oneOf or allOf at its root",
              .severity = medium,
              .clauses = advice(place::tool_schema),
              .text =
                  "The protocol allows it, but the interfaces of widely used models refuse it. Then a host drops the "
                  "tool, or all tools.",
              .remedy = "Describe all arguments in `properties`, and say in the description which belong together.",
              .right = R"({"type":"object","properties":{}})",
              .wrong = R"({"type":"object","anyOf":[]})"},
     .check = checks::definitions::portable_root,
     .capability = "tools"},
    {.rule = {.id = "TOOL-1.portable-schema",
              .title = "the inputSchema has nothing that hosts refuse",
              .severity = low,
              .clauses = advice(place::tool_schema),
              .text =
                  "Some hosts refuse an array without items, or an argument whose name is not 1 to 64 letters, digits, "
                  "_, - and dots. No host fetches a schema from the network.",
              .remedy = "Write items, use plain names, and put referenced schemas into $defs.",
              .right = R"({"type":"array","items":{"type":"string"}})",
              .wrong = R"({"type":"array"})"},
     .check = checks::definitions::portable_parts,
     .capability = "tools"},
    {.rule = {.id = "TOOL-4.same-definitions",
              .title = "the definition of a tool does not change unannounced",
              .severity = medium,
              .clauses = advice(place::tool_listing),
              .text = "A user who allowed a tool allowed this definition. A model's cache also depends on it.",
              .remedy = "Keep definitions; announce a change with notifications/tools/list_changed.",
              .right = "the same description twice",
              .wrong = "another description in the second list"},
     .check = checks::definitions::tools_stay,
     .capability = "tools"},
    {.rule = {.id = "TOOL-5.accident",
              .title = "a call with bad arguments is refused, not failed by accident",
              .severity = medium,
              .clauses = advice(place::tool_security),
              .text =
                  "Servers validate all tool inputs. A message of the language's runtime shows that the tool ran with "
                  "bad arguments, and does not tell the model what to correct.",
              .remedy = "Validate arguments by inputSchema before the tool runs.",
              .right = "an error that names the argument",
              .wrong = "Cannot read properties of undefined (reading 'length')"},
     .check = checks::tools::no_accident,
     .capability = "tools"},
    {.rule = {.id = "TOOL-5.task-required",
              .title = "a tool that requires a task refuses other calls with -32601 (2025-11-25)",
              .severity = medium,
              .clauses = must(place::tool_tasks),
              .text = "The client learns that it has to make the call as a task.",
              .remedy = "Answer -32601.",
              .right = R"({"error":{"code":-32601,"message":"call it as a task"}})",
              .wrong = R"({"result":{"content":[]}})"},
     .check = checks::tools::task_required,
     .capability = "tools"},
    {.rule = {.id = "TOOL-7.list-changed",
              .title = "a change of the list of tools is sent, if that is declared",
              .severity = medium,
              .clauses = should(place::tool_changes),
              .text = "A client that trusts listChanged does not list again by itself.",
              .remedy = "Send notifications/tools/list_changed.",
              .right = R"({"method":"notifications/tools/list_changed"})",
              .wrong = "nothing"},
     .check = checks::changes::tools_told,
     .capability = "tools"},
};

}  // namespace

std::span<const ServerRule> definitions_rules() { return definitions_rows; }

}  // namespace tenon::check
