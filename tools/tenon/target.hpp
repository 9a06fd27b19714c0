// TARGET: the server to use. A URL, a command, or a name in an mcpServers file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/json.hpp>

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

/// An entry of an mcpServers file that was found in the working folder, and not named by the user.
struct FoundEntry {
    std::string file;    ///< its absolute path
    std::string name;    ///< of the entry
    json::object entry;  ///< as it stands in the file: variables are not replaced
};

/// Is called before such an entry is used. Throws Failure to refuse it.
using Approve = std::function<void(const FoundEntry&)>;

/// The value of an environment variable.
using Variables = std::function<std::optional<std::string>(const std::string&)>;

/// ${NAME} and ${NAME:-fallback}, as hosts write them. Throws Failure for a variable that is not there.
std::string expand(std::string_view text, const Variables& variables);

/// The entry `name` of the text of an mcpServers file. Throws Failure; `file` is what it calls the file. `approve`,
/// when given, sees the entry before its variables are replaced.
Target read_server_entry(std::string_view text, const std::string& name, const std::string& file,
                         const Variables& variables, const std::function<void(const json::object&)>& approve = {});

/// Takes TARGET from the front of `words`, unless the command line has it after `--`, and adds --header, --env, --cwd.
/// An entry of a file that the user did not name with --config is used only when `approve` lets it pass.
Target take_target(const CommandLine& line, std::vector<std::string>& words, const Approve& approve);

/// Splits "NAME: VALUE". Throws Failure when malformed.
std::pair<std::string, std::string> header_of(const std::string& text);

}  // namespace tenon::program
