// The rules of the properties, which must hold for every generated case: PROP.
#include <array>

#include "check/rules/catalogue.hpp"

namespace tenon::check {
namespace {

using enum Severity;

constexpr std::array properties = {
    must("PROP-1.conformance", critical,
         {"every message, valid or not, is answered by the rules of JSON-RPC",
          "Valid requests get responses, invalid messages are refused, notifications get nothing, and all output of "
          "the server is messages.",
          "basic#messages", "Repeat the counterexample with --seed, and look at what the server makes of it.",
          R"({"jsonrpc":"2.0","id":"","method":"ping"} -> {"jsonrpc":"2.0","id":"","result":{}})",
          R"({"jsonrpc":"2.0","id":"","method":"ping"} -> nothing)"}),
    must("PROP-2.one-answer", critical,
         {"every request has exactly one answer, whatever comes at the same time",
          "Requests are sent without waiting, with ids of every shape and arguments from the server's own schemas, "
          "good and bad. "
          "A client that waits for an answer that never comes hangs.",
          "basic#responses", "Answer in one place, which no exception and no early return can bypass.",
          "8 requests -> 8 answers, in any order", "8 requests -> 7 answers"}),
    must("PROP-3.integrity", critical,
         {"the stream of messages stays whole under load",
          "Tampered messages and good ones are sent without waiting. Each that the server sends is complete, by "
          "itself, and can be "
          "parsed.",
          "basic/transports#stdio", "Write a message with one call, under one lock, ended by one newline.",
          R"({"jsonrpc":"2.0",...}\n{"jsonrpc":"2.0",...}\n)", R"({"jsonrpc":"2.0",{"jsonrpc":"2.0",...}...})"}),
};

}  // namespace

std::span<const Rule> property_rules() { return properties; }

}  // namespace tenon::check
