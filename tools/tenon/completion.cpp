// tenon completion: writes completion scripts for shells from the tables of commands and options.
#include <algorithm>

#include "commands.hpp"
#include "help.hpp"
#include "near.hpp"

namespace tenon::program {
namespace {

std::string words_for(const CommandSpec& command) {
    std::string out;
    for (const OptionSpec& option : options())
        if (option.belongs_to(command.name)) out += (out.empty() ? "--" : " --") + std::string(option.name);
    if (!command.choices.empty()) out += " " + std::string(command.choices);
    return out;
}

std::string command_names(std::string_view between) {
    std::string out;
    for (const CommandSpec& command : commands())
        out += (out.empty() ? "" : std::string(between)) + std::string(command.name);
    return out;
}

// Returns the text in single quotes, for shells.
std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

std::string bash() {
    std::string out =
        "# tenon(1) completions for bash\n_tenon() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=\n"
        "    local i; for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        [[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=($(compgen -f -- \"$word\")); return; }\n"
        "        case ${COMP_WORDS[i]} in " +
        command_names("|") +
        ") command=${command:-${COMP_WORDS[i]}} ;; esac\n"
        "    done\n    case $before in\n";
    for (const OptionSpec& option : options()) {
        if (!option.choices.empty())
            out += "        --" + std::string(option.name) + ") COMPREPLY=($(compgen -W " +
                   shell_quoted(option.choices) + " -- \"$word\")); return ;;\n";
        else if (option.value == "FILE" || option.value == "DIR" || option.value == "PATH")
            out += "        --" + std::string(option.name) + ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
    }
    out += "    esac\n    case $command in\n";
    for (const CommandSpec& command : commands())
        out += "        " + std::string(command.name) + ") COMPREPLY=($(compgen -W " +
               shell_quoted(words_for(command)) + " -- \"$word\")) ;;\n";
    return out + "        *) COMPREPLY=($(compgen -W " + shell_quoted(command_names(" ") + " --help --version") +
           " -- \"$word\")) ;;\n    esac\n}\ncomplete -o default -F _tenon tenon\n";
}

// Escapes brackets and colons, which have a meaning in a zsh specification.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_option(const OptionSpec& option) {
    std::string out = (option.repeats ? "*--" : "--") + std::string(option.name);
    out += (option.value.empty() || option.value_is_optional() ? "[" : "=[") + zsh_text(option.help) + "]";
    if (option.value.empty() || option.value_is_optional()) return shell_quoted(out);
    out += ":" + zsh_text(option.value) + ":";
    if (!option.choices.empty())
        out += "(" + std::string(option.choices) + ")";
    else if (option.value == "FILE" || option.value == "DIR" || option.value == "PATH")
        out += "_files";
    return shell_quoted(out);
}

std::string zsh() {
    std::string out =
        "#compdef tenon\n# tenon(1) completions for zsh\n_tenon() {\n    local -a commands\n    commands=(\n";
    for (const CommandSpec& command : commands())
        out += "        " + shell_quoted(std::string(command.name) + ":" + zsh_text(command.summary)) + "\n";
    out += "    )\n    if ((CURRENT == 2)); then _describe command commands; return; fi\n    case $words[2] in\n";
    for (const CommandSpec& command : commands()) {
        out += "        " + std::string(command.name) + ") _arguments '1: :' ";
        for (const OptionSpec& option : options())
            if (option.belongs_to(command.name)) out += zsh_option(option) + " ";
        out += command.choices.empty() ? "'*:argument:_files'" : "'*:argument:(" + std::string(command.choices) + ")'";
        out += " ;;\n";
    }
    return out + "    esac\n}\nif [[ $funcstack[1] == _tenon ]]; then _tenon \"$@\"; else compdef _tenon tenon; fi\n";
}

std::string fish_option(const OptionSpec& option) {
    std::string seen;  // the commands with this option
    for (const CommandSpec& command : commands())
        if (option.belongs_to(command.name)) seen += " " + std::string(command.name);
    std::string out = "complete -c tenon -n " + shell_quoted("__fish_seen_subcommand_from" + seen) + " -l " +
                      std::string(option.name);
    if (option.letter != 0) out += " -s " + std::string(1, option.letter);
    if (!option.choices.empty())
        out += " -x -a " + shell_quoted(option.choices);
    else if (!option.value.empty() && !option.value_is_optional())
        out += " -r";
    return out + " -d " + shell_quoted(option.help) + "\n";
}

std::string fish() {
    std::string out = "# tenon(1) completions for fish\n";
    for (const CommandSpec& command : commands()) {
        out += "complete -c tenon -n __fish_use_subcommand -f -a " + std::string(command.name) + " -d " +
               shell_quoted(command.summary) + "\n";
        if (!command.choices.empty())
            out += "complete -c tenon -n " + shell_quoted("__fish_seen_subcommand_from " + std::string(command.name)) +
                   " -f -a " + shell_quoted(command.choices) + "\n";
    }
    for (const OptionSpec& option : options()) out += fish_option(option);
    return out;
}

}  // namespace

SafeText completion_script(std::string_view shell) {
    if (shell == "bash") return safe_text(bash());
    return safe_text(shell == "zsh" ? zsh() : fish());
}

Status run_completion(const CommandLine& line, Console& console) {
    const std::vector<std::string> shells = {"bash", "zsh", "fish"};
    const std::string shell = line.words.empty() ? "" : line.words.front();
    if (std::ranges::find(shells, shell) == shells.end())
        throw usage_failure(shell.empty() ? "for which shell?" : "there are no completions for `" + shell + "`",
                            suggestion(shell, shells));
    console.print([&](Out& out) { out << completion_script(shell); });
    return Status::ok;
}

}  // namespace tenon::program
