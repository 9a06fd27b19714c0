// The cases of the properties: messages, one or several that are sent without waiting, and what each of them is owed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/generate_arguments.hpp"

namespace tenon::check {

/// What is known of a server, so that cases can speak of what it has.
struct Vocabulary {
    struct Tool {
        std::string name;
        std::optional<KnownSchema> schema;
        bool may_run = false;  ///< arguments that it accepts may be sent to it
    };
    std::vector<Tool> tools = {};
    std::vector<std::string> resources = {};  ///< URIs
    std::vector<std::string> prompts = {};
    std::vector<std::string> methods = {};        ///< requests that need no parameters: "ping", "tools/list"
    std::vector<std::string> notifications = {};  ///< that have no effect on what is sent next
    json::object meta = {};                       ///< of every request, where the revision wants it
    bool batches = false;                         ///< arrays are messages, too
};

struct Letter {
    enum class Kind {
        request,       ///< is owed one answer
        notification,  ///< is owed none
        malformed,     ///< is owed a refusal
        unclear,       ///< parsers disagree about it: it may be refused, answered or ignored
    };
    Kind kind = Kind::request;
    std::string bytes = {};
    json::value id = nullptr;    ///< of a request, and of a malformed message when it can be read
    std::string_view duty = {};  ///< the rule that wants an error for an answer; empty: any answer will do
    std::string about = {};      ///< "tools/call of add with arguments that break `maximum`"
};
using Case = std::vector<Letter>;

enum class Property { conformance, one_answer, integrity };

/// Its ids are beyond `first_id`, and fewer than `ids_of_a_case`.
Case any_case(Property property, const Vocabulary& vocabulary, Choices& choices, std::int64_t first_id = 1000);
inline constexpr std::int64_t ids_of_a_case = 16;

/// What a server has to make of these bytes; `id` is set when it can be read.
Letter classified(std::string bytes, const Vocabulary& vocabulary);

}  // namespace tenon::check
