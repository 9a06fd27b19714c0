// Prompts: templates of messages that a user may pick.
// https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tenon/protocol/content.hpp>

namespace tenon {

struct PromptArgument {
    std::string name;
    std::string description = {};
    bool required = false;
    std::string title = {};
};

struct Prompt {
    std::string name;
    std::string description = {};
    std::vector<PromptArgument> arguments = {};
    std::string title = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
};

struct PromptMessage {
    Role role = Role::user;
    Content content;
};

struct PromptResult {
    std::string description = {};
    std::vector<PromptMessage> messages = {};
    json::object meta = {};
};

/// The arguments of prompts/get: required ones are there, unknown ones are not.
using PromptArguments = std::map<std::string, std::string, std::less<>>;

inline PromptMessage user(std::string s) { return {Role::user, TextContent{std::move(s)}}; }
inline PromptMessage assistant(std::string s) { return {Role::assistant, TextContent{std::move(s)}}; }

}  // namespace tenon
