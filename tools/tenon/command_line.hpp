// Reads the command line with two tables: commands and options. The help, the completions and the test of the manual
// page use the same tables.
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
    char letter;             ///< the short form, or 0
    std::string_view value;  ///< the name of its value; empty for a flag; "[=NAME]" if the value may be left out
    std::string_view help;
    std::string_view commands =
        {};  ///< commands with this option, separated by spaces; empty: all that connect to a server
    std::string_view choices = {};  ///< allowed values, separated by spaces; empty: any
    bool repeats = false;

    bool belongs_to(std::string_view command) const;
    bool value_is_optional() const { return value.starts_with('['); }
};

struct CommandLine;
class Console;

struct CommandSpec {
    std::string_view name;
    std::string_view arguments;  ///< for the first line of its help
    std::string_view summary;
    std::string_view details;
    std::string_view example;  ///< one per line
    std::string_view choices;  ///< possible next words, for completions
    bool speaks;               ///< connects to a server: has a TARGET and the common options
    Status (*run)(const CommandLine&, Console&);
};

/// Returns all commands in the order of the help. To add a command, add a row to the table and a file with its `run`.
std::span<const CommandSpec> commands();
const CommandSpec* find_command(std::string_view name);
std::span<const OptionSpec> options();

struct CommandLine {
    const CommandSpec* command = nullptr;
    std::vector<std::string> words = {};                  ///< the words that are not options, without the command
    std::optional<std::vector<std::string>> server = {};  ///< the words after `--`
    std::multimap<std::string_view, std::string> values = {};

    bool has(std::string_view option) const { return values.contains(option); }
    std::string last(std::string_view option) const;  ///< empty when it was not given
    std::vector<std::string> all(std::string_view option) const;
};

/// Throws Failure, with a suggestion, for an invalid command line.
CommandLine read_command_line(const std::vector<std::string>& words);

/// Returns whether --json is given, before the command line is parsed.
bool asks_for_json(const std::vector<std::string>& words);

/// Splits a command into words, with quotes and backslashes as in a shell. Expands nothing and runs nothing.
std::vector<std::string> split_words(std::string_view line);
/// Quotes words so that a shell splits the line into the same words.
std::string join_words(const std::vector<std::string>& words);

}  // namespace tenon::program
