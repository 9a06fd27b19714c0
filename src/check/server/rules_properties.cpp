// The rules of the properties, which must hold for every generated case: PROP.
#include "check/rules/places.hpp"
#include "check/server/checks.hpp"
#include "check/server/server_rules.hpp"

namespace tenon::check {
namespace {

using enum Severity;

constexpr ServerRule properties_rows[] = {
    {.rule = {.id = "PROP-1.conformance",
              .title = "every message, valid or not, is answered as JSON-RPC requires",
              .severity = critical,
              .clauses = must(place::messages),
              .text = "Valid requests get responses, invalid messages are refused, notifications get nothing, and all "
                      "output of "
                      "the server is messages.",
              .remedy = "Repeat the counterexample with --seed, and see how the server handles it.",
              .right = R"({"jsonrpc":"2.0","id":"","method":"ping"} -> {"jsonrpc":"2.0","id":"","result":{}})",
              .wrong = R"({"jsonrpc":"2.0","id":"","method":"ping"} -> nothing)"},
     .check = checks::properties::conformance,
     .connection = Connection::own},
    {.rule =
         {.id = "PROP-2.one-answer",
          .title = "every request has exactly one answer, whatever comes at the same time",
          .severity = critical,
          .clauses = must(place::json_rpc_responses),
          .text =
              "Requests are sent without waiting, with ids of every shape and arguments from the server's own schemas, "
              "good and bad. "
              "A client that waits for an answer that never comes hangs.",
          .remedy = "Answer in one place, which no exception and no early return can bypass.",
          .right = "8 requests -> 8 answers, in any order",
          .wrong = "8 requests -> 7 answers"},
     .check = checks::properties::one_answer,
     .connection = Connection::own},
    {.rule =
         {.id = "PROP-3.integrity",
          .title = "the stream of messages stays whole under load",
          .severity = critical,
          .clauses = must(place::messages),
          .text =
              "Altered and valid messages are sent without waiting. Each message of the server is complete, stands by "
              "itself, and can be "
              "parsed.",
          .remedy = "Write a message with one call, under one lock, ended by one newline.",
          .right = R"({"jsonrpc":"2.0",...}\n{"jsonrpc":"2.0",...}\n)",
          .wrong = R"({"jsonrpc":"2.0",{"jsonrpc":"2.0",...}...})"},
     .check = checks::properties::integrity,
     .connection = Connection::own},
};

}  // namespace

std::span<const ServerRule> properties_rules() { return properties_rows; }

}  // namespace tenon::check
