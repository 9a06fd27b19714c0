// The command line, read by two tables: commands and options. Help, completions and the manual's test use the same.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "status.hpp"

namespace tenon::program {

struct OptionSpec {
    std::string_view name;   ///< without its dashes
    char letter;             ///< the short form; 0 when there is none
    std::string_view value;  ///< what its value is called; empty when it has none
    std::string_view help;
    std::string_view commands = {};  ///< that know it, with spaces between; empty: all that speak to a server
    std::string_view choices = {};   ///< the values there are, with spaces between; empty: any
    bool repeats = false;

    bool belongs_to(std::string_view command) const;
};

struct CommandLine;
class Console;

struct CommandSpec {
    std::string_view name;
    std::string_view arguments;  ///< what it takes, for the first line of its help
    std::string_view summary;
    std::string_view details;
    std::string_view example;
    std::string_view choices;  ///< words that can stand after it, for completions
    bool speaks;               ///< to a server, so that it has a TARGET and takes the common options
    Status (*run)(const CommandLine&, Console&);
};

/// In the order of the help. A new command is a row here and a file with its `run`.
std::span<const CommandSpec> commands();
const CommandSpec* find_command(std::string_view name);
std::span<const OptionSpec> options();

struct CommandLine {
    const CommandSpec* command = nullptr;
    std::vector<std::string> words = {};                  ///< what is no option, without the command
    std::optional<std::vector<std::string>> server = {};  ///< the words after `--`
    std::multimap<std::string_view, std::string> values = {};

    bool has(std::string_view option) const { return values.contains(option); }
    std::string last(std::string_view option) const;  ///< empty when it was not given
    std::vector<std::string> all(std::string_view option) const;
};

/// Throws Failure with a suggestion.
CommandLine read_command_line(const std::vector<std::string>& words);

/// Whether errors are wanted as JSON: known before the command line is understood.
bool asks_for_json(const std::vector<std::string>& words);

/// The words of a command, with quotes and backslashes as a shell has them. Nothing is expanded, nothing is run.
std::vector<std::string> split_words(std::string_view line);
/// The line that a shell would make the words of.
std::string join_words(const std::vector<std::string>& words);

}  // namespace tenon::program
