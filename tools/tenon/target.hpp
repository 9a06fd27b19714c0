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

/// An entry of an mcpServers file: of one in the working folder, which the user did not name, or of --fleet.
struct FoundEntry {
    std::string file;    ///< its absolute path
    std::string name;    ///< name of the entry
    json::object entry;  ///< as in the file: variables are not replaced
};

/// Called before such an entry is used. Throws Failure to refuse the entry.
using Approve = std::function<void(const FoundEntry&)>;

/// Returns the value of an environment variable, or nothing when it is not set.
using Variables = std::function<std::optional<std::string>(const std::string&)>;

/// Replaces ${NAME} and ${NAME:-fallback}, as MCP hosts do. Throws Failure for a variable that is not set.
std::string expand(std::string_view text, const Variables& variables);

/// Reads the entry `name` from the text of an mcpServers file. `file` is the file's name in error messages. If
/// `approve` is given, it sees the entry before its variables are replaced. Throws Failure.
Target read_server_entry(std::string_view text, const std::string& name, const std::string& file,
                         const Variables& variables, const std::function<void(const json::object&)>& approve = {});

/// Returns all entries of an mcpServers file, in their order. Variables are not replaced. Throws Failure.
std::vector<FoundEntry> entries_of(const std::string& file);
/// Replaces the variables of an entry with those of this program. Throws Failure.
Target target_of(const FoundEntry& entry);

/// Removes TARGET from the front of `words`, unless the command line has it after `--`. Applies --header, --env and
/// --cwd. Calls `approve` for an entry of a file that the user did not name with --config.
Target take_target(const CommandLine& line, std::vector<std::string>& words, const Approve& approve);

/// Splits "NAME: VALUE". Throws Failure when malformed.
std::pair<std::string, std::string> header_of(const std::string& text);

}  // namespace tenon::program
