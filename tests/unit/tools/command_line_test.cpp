#include "tools/tenon/command_line.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"
#include "screen.hpp"
#include "tools/tenon/help.hpp"
#include "tools/tenon/near.hpp"
#include "tools/tenon/settings.hpp"

namespace tenon::program {
namespace {

using Words = std::vector<std::string>;

TEST(CommandLine, has_a_command_words_options_and_a_server) {
    const CommandLine line = read_command_line(
        {"call", "--yes", "echo", "a=1", "--timeout=3", "-e", "X=1", "--env", "Y=2", "--", "run", "--yes"});
    EXPECT_EQ(line.command->name, "call");
    EXPECT_EQ(line.words, (Words{"echo", "a=1"}));
    EXPECT_TRUE(line.has("yes"));
    EXPECT_EQ(line.last("timeout"), "3");
    EXPECT_EQ(line.all("env"), (Words{"X=1", "Y=2"}));
    EXPECT_EQ(line.server, (Words{"run", "--yes"}));
    EXPECT_FALSE(line.has("json"));
    EXPECT_EQ(line.last("json"), "");
}

TEST(CommandLine, treats_a_single_dash_as_a_word) {
    EXPECT_EQ(read_command_line({"call", "t", "x", "-"}).words, (Words{"t", "x", "-"}));
}

TEST(CommandLine, uses_the_last_value_of_a_single_option) {
    EXPECT_EQ(read_command_line({"list", "-t", "1", "-t", "2"}).all("timeout"), (Words{"2"}));
}

TEST(CommandLine, errors_name_the_problem_and_a_suggestion) {
    EXPECT_EQ(failure_of([] { read_command_line({"lsit"}); }), "there is no command `lsit` | did you mean `list`?");
    EXPECT_EQ(failure_of([] {
                  read_command_line({"list", "--jsno"});
              }),
              "there is no option --jsno | did you mean --json?");
    EXPECT_EQ(failure_of([] {
                  read_command_line({"list", "--timeout"});
              }),
              "--timeout needs a value | write --timeout SECONDS");
    EXPECT_EQ(failure_of([] {
                  read_command_line({"list", "--timeout", "--", "x"});
              }),
              "--timeout needs a value | write --timeout SECONDS");
    EXPECT_EQ(failure_of([] { read_command_line({"list", "--json=1"}); }), "--json takes no value");
    EXPECT_EQ(failure_of([] {
                  read_command_line({"list", "--era", "modren"});
              }),
              "--era cannot be `modren` | did you mean `modern`?");
    EXPECT_EQ(failure_of([] {
                  read_command_line({"list", "--yes"});
              }),
              "`tenon list` has no option --yes | `tenon help list` lists those it has");
    EXPECT_EQ(failure_of([] { read_command_line({"help", "--", "x"}); }), "`tenon help` does not connect to a server");
    EXPECT_EQ(failure_of([] {
                  read_command_line({"completion", "--json"});
              }),
              "`tenon completion` has no option --json | `tenon help completion` lists those it has");
}

TEST(CommandLine, json_option_counts_only_before_the_servers_command) {
    EXPECT_TRUE(asks_for_json({"nonsense", "--json"}));
    EXPECT_TRUE(asks_for_json({"nonsense", "-j"}));
    EXPECT_FALSE(asks_for_json({"call", "--", "x", "--json"}));
}

TEST(SplitWords, handles_only_quotes_and_backslashes) {
    EXPECT_EQ(split_words(R"(  a 'b c' "d e" f\ g "" $X;rm )"), (Words{"a", "b c", "d e", "f g", "", "$X;rm"}));
    EXPECT_EQ(split_words(R"('a\b' "c\"d")"), (Words{R"(a\b)", R"(c"d)"}));
    EXPECT_EQ(failure_of([] { split_words("'a"); }), "a quote is not closed in `'a`");
}

TEST(Settings, are_read_and_invalid_values_refused) {
    const auto of = [](Words words) { return settings_of(read_command_line(words)); };
    EXPECT_EQ(of({"list", "-t", "2.5"}).timeout, std::chrono::milliseconds(2500));
    EXPECT_EQ(of({"list", "--era", "legacy"}).era, Era::legacy);
    EXPECT_EQ(of({"list", "--sample-command", "llm -m 'big one'"}).sample_command, (Words{"llm", "-m", "big one"}));
    for (const std::string time : {"", "x", "0", "-1", "1x", "nan", "inf", "1e99"})
        EXPECT_NE(failure_of([&] { of({"list", "--timeout=" + time}); }), "") << time;
    EXPECT_NE(failure_of([&] { of({"list", "-q", "-v"}); }), "");
}

TEST(Nearest, suggests_the_most_similar_name) {
    const Words names = {"weather", "forecast", "echo"};
    EXPECT_EQ(nearest("wether", names), "weather");
    EXPECT_EQ(nearest("ehco", names), "echo");
    EXPECT_EQ(nearest("Echo", names), "echo");
    EXPECT_EQ(nearest("fore", names), "forecast");
    EXPECT_EQ(nearest("zzz", names), std::nullopt);
    EXPECT_EQ(suggestion("zzz", names), "there are `weather`, `forecast` and `echo`");
    EXPECT_EQ(suggestion("zzz", {}), "");
}

// Returns whether the help names the option itself, not only an option that begins with it.
bool names_option(const std::string& help, std::string_view option) {
    const std::string name = "--" + std::string(option);
    for (std::size_t i = 0; (i = help.find(name, i)) != std::string::npos; i += name.size())
        if (i + name.size() == help.size() ||
            !(std::isalpha(static_cast<unsigned char>(help[i + name.size()])) || help[i + name.size()] == '-'))
            return true;
    return false;
}

TEST(Help, of_each_command_has_an_example_and_its_options) {
    for (const CommandSpec& command : commands()) {
        Screen screen;
        write_help(screen.out, command);
        const std::string help = screen.shown();
        EXPECT_NE(help.find("tenon " + std::string(command.name)), std::string::npos);
        const bool several = command.example.find('\n') != std::string_view::npos;
        EXPECT_NE(help.find(several ? "Examples\n  tenon " : "Example\n  tenon "), std::string::npos) << help;
        for (const OptionSpec& option : options())
            EXPECT_EQ(names_option(help, option.name), option.belongs_to(command.name))
                << command.name << " " << option.name;
    }
}

TEST(Help, of_the_program_has_every_command_option_and_status) {
    Screen screen;
    write_help(screen.out);
    const std::string help = screen.shown();
    for (const CommandSpec& command : commands())
        EXPECT_NE(help.find("\n  " + std::string(command.name) + " "), std::string::npos) << command.name;
    for (const OptionSpec& option : options())
        EXPECT_NE(help.find("--" + std::string(option.name)), std::string::npos) << option.name;
    for (const std::string status : {"0", "1", "2", "3", "4", "5", "130"})
        EXPECT_NE(help.find("\n  " + status + " "), std::string::npos) << status;
}

TEST(Help, fits_the_terminal) {
    for (const std::size_t width : {60u, 80u, 120u}) {
        Screen screen({.width = width});
        write_help(screen.out);
        std::istringstream lines(screen.shown());
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
    }
}

}  // namespace
}  // namespace tenon::program
