// tenon help: shows the help.
#include "help.hpp"

#include <algorithm>

#include "commands.hpp"
#include "layout.hpp"
#include "near.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t term_width = 26;

// Writes a term, and its meaning in a second column.
void write_term(Out& out, const SafeText& term, const SafeText& meaning) {
    const std::size_t width = std::max(out.facts().width, term_width + 20) - term_width;
    out << "  " << Styled(Look::bold, term);
    std::size_t used = 2 + term.width();
    if (used + 2 > term_width) {
        out << "\n";
        used = 0;
    }
    for (const SafeText& line : wrap(meaning, width)) {
        out << spaces(term_width - used) << line << "\n";
        used = 0;
    }
}

void write_term(Out& out, Literal term, Literal meaning) { write_term(out, SafeText(term), SafeText(meaning)); }

SafeText option_term(const OptionSpec& option) {
    SafeText out = option.letter != 0 ? "-" + safe_line(std::string(1, option.letter)) + ", --" : SafeText("--");
    out += safe_line(option.name);
    if (!option.value.empty() && !option.value_is_optional()) out += " ";
    out += safe_line(option.value);
    return out;
}

SafeText option_meaning(const OptionSpec& option) {
    SafeText out = safe_line(option.help);
    if (!option.choices.empty()) {
        std::string list(option.choices);
        for (std::size_t i = 0; (i = list.find(' ', i)) != std::string::npos; i += 2) list.replace(i, 1, ", ");
        out += " (" + safe_line(list) + ")";
    }
    if (option.repeats) out += "; may be repeated";
    return out;
}

// Each line of the text is one example.
void write_examples(Out& out, std::string_view text) {
    out << Styled(Look::bold, text.find('\n') == text.npos ? Literal("Example") : Literal("Examples")) << "\n";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out << "  " << safe_line(text.substr(0, end)) << "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void write_targets(Out& out) {
    out << "\n" << Styled(Look::bold, "TARGET") << " is one of\n";
    write_term(out, "-- COMMAND ARGS...", "a server to start; always at the end of the line");
    write_term(out, "https://...", "a server with a URL");
    write_term(out, "NAME", "an entry of the mcpServers file .mcp.json here, or of --config FILE");
}

void write_statuses(Out& out) {
    out << "\n" << Styled(Look::bold, "Exit statuses") << "\n";
    write_term(out, "0", "success");
    write_term(out, "1", "the tool ran and failed; a rule is broken");
    write_term(out, "2", "the command line, its arguments or a local file cannot be used");
    write_term(out, "3", "the server cannot be started or reached, or it died");
    write_term(out, "4", "the server answered with an error, or with an invalid answer");
    write_term(out, "5", "the server did not answer in time");
    write_term(out, "130", "interrupted by Ctrl-C, or declined by you");
}

}  // namespace

void write_help(Out& out) {
    out << Styled(Look::bold, "tenon") << " connects to servers of the Model Context Protocol.\n\n";
    out << "usage: tenon COMMAND TARGET [ARGUMENTS] [OPTIONS]\n\n" << Styled(Look::bold, "Commands") << "\n";
    for (const CommandSpec& command : commands()) write_term(out, safe_line(command.name), safe_line(command.summary));
    write_targets(out);
    out << "\n" << Styled(Look::bold, "Options") << "\n";
    for (const OptionSpec& option : options()) write_term(out, option_term(option), option_meaning(option));
    write_statuses(out);
    out << "\n" << Styled(Look::bold, "Example") << "\n  tenon call echo message=hello -- build/bin/everything\n";
    out << "\n`tenon help COMMAND` and `man tenon` explain more.\n";
}

void write_help(Out& out, const CommandSpec& command) {
    out << Styled(Look::bold, "tenon " + safe_line(command.name)) << " " << safe_line(command.summary) << ".\n\n";
    out << "usage: tenon " << safe_line(command.name) << " " << safe_line(command.arguments) << "\n\n";
    if (!command.details.empty()) {
        write_wrapped(out, safe_line(command.details));
        out << "\n";
    }
    write_examples(out, command.example);
    if (command.speaks) write_targets(out);
    out << "\n" << Styled(Look::bold, "Options") << "\n";
    for (const OptionSpec& option : options())
        if (option.belongs_to(command.name)) write_term(out, option_term(option), option_meaning(option));
    if (command.speaks) write_statuses(out);
}

Status run_help(const CommandLine& line, Console& console) {
    if (line.words.empty()) {
        console.print([](Out& out) { write_help(out); });
        return Status::ok;
    }
    const CommandSpec* command = find_command(line.words.front());
    if (!command) {
        std::vector<std::string> names;
        for (const CommandSpec& spec : commands()) names.emplace_back(spec.name);
        throw usage_failure("there is no command `" + line.words.front() + "`", suggestion(line.words.front(), names));
    }
    console.print([&](Out& out) { write_help(out, *command); });
    return Status::ok;
}

}  // namespace tenon::program
