// Prompts: templates of messages that a user may choose.
// https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tenon/protocol/content.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The definition of one argument of a prompt.
struct PromptArgument {
    std::string name;
    std::string description = {};
    bool required = false;
    std::string title = {};
};

/// The definition of a prompt.
struct Prompt {
    std::string name;
    std::string description = {};
    std::vector<PromptArgument> arguments = {};
    std::string title = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
};

/// One message of a prompt.
struct PromptMessage {
    Role role = Role::user;
    Content content;
};

/// The result of prompts/get.
struct PromptResult {
    std::string description = {};
    std::vector<PromptMessage> messages = {};
    json::object meta = {};
};

/// The arguments of prompts/get, by name. A server checks them before it calls the handler: all required arguments are
/// present, and there are no unknown ones.
using PromptArguments = std::map<std::string, std::string, std::less<>>;

inline PromptMessage user(std::string s) { return {Role::user, TextContent{std::move(s)}}; }
inline PromptMessage assistant(std::string s) { return {Role::assistant, TextContent{std::move(s)}}; }

}  // namespace tenon

#pragma GCC visibility pop
