// Generates the cases of the properties: messages to send without waiting, and the response that each must get.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/property/generate_arguments.hpp"

namespace tenon::check {

/// The tools, resources, prompts and methods of a server, for use in cases.
struct Vocabulary {
    struct Tool {
        std::string name;
        std::optional<KnownSchema> schema;
        bool may_run = false;  ///< it may be called with valid arguments
    };
    std::vector<Tool> tools = {};
    std::vector<std::string> resources = {};  ///< URIs
    std::vector<std::string> prompts = {};
    std::vector<std::string> methods = {};        ///< requests that need no parameters: "ping", "tools/list"
    std::vector<std::string> notifications = {};  ///< without effect on later messages
    json::object meta = {};                       ///< added to every request, if the revision needs it
    bool batches = false;                         ///< the revision has batches

    /// Stops the use of a tool, a resource or a prompt: its calls take too long.
    void forget(std::string_view handler);
};

struct TestMessage {
    enum class Kind {
        request,       ///< must get one response
        notification,  ///< must get no response
        malformed,     ///< must get an error
        unclear,       ///< parsers disagree: it may be refused, answered or ignored
    };
    Kind kind = Kind::request;
    std::string bytes = {};
    json::value id = nullptr;    ///< of a request, or of a malformed message with a readable id
    std::string_view duty = {};  ///< the rule that requires an error; empty: any response is right
    std::string about = {};      ///< "tools/call of add with arguments that break `maximum`"
    /// The tool, resource or prompt that a request runs. Its arguments decide how long that takes, so a missing
    /// response may be a late one. Empty: no handler is run.
    std::string handler = {};
};
using Case = std::vector<TestMessage>;

enum class Property { conformance, one_answer, integrity };

/// Generates a case. Its ids start at `first_id` and are fewer than `ids_of_a_case`.
Case any_case(Property property, const Vocabulary& vocabulary, Choices& choices, std::int64_t first_id = 1000);
inline constexpr std::int64_t ids_of_a_case = 16;

/// Classifies bytes as a server must; sets `id` when it is readable.
TestMessage classified(std::string bytes, const Vocabulary& vocabulary);

}  // namespace tenon::check
