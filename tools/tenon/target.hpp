// TARGET: the server to use. A URL, a command, or a name in an mcpServers file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line.hpp"

namespace tenon::program {

/// A URL, or a command; not both.
struct Target {
    std::string label = {};  ///< the user's name for it
    std::string url = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::vector<std::string> command = {};
    std::map<std::string, std::string> environment = {};
    std::string directory = {};
};

/// The value of an environment variable.
using Variables = std::function<std::optional<std::string>(const std::string&)>;

/// ${NAME} and ${NAME:-fallback}, as hosts write them. Throws Failure for a variable that is not there.
std::string expand(std::string_view text, const Variables& variables);

/// The entry `name` of the text of an mcpServers file. Throws Failure; `file` is what it calls the file.
Target read_server_entry(std::string_view text, const std::string& name, const std::string& file,
                         const Variables& variables);

/// Takes TARGET from the front of `words`, unless the command line has it after `--`, and adds --header, --env, --cwd.
Target take_target(const CommandLine& line, std::vector<std::string>& words);

/// Splits "NAME: VALUE". Throws Failure when malformed.
std::pair<std::string, std::string> header_of(const std::string& text);

}  // namespace tenon::program
