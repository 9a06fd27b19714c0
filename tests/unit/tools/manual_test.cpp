// The manual page and the completion scripts contain every command and option of the tables.
#include <gtest/gtest.h>

#include <fstream>

#include "support/folders.hpp"
#include "tools/tenon/command_line.hpp"
#include "tools/tenon/help.hpp"
#include "tools/tenon/status.hpp"

namespace tenon::program {
namespace {

std::string manual() {
    std::ifstream file(test_folders::tests() + "/../docs/man/tenon.1");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t i = 0; (i = text.find("\\-", i)) != std::string::npos; ++i) text.erase(i, 1);  // roff escapes
    return text;
}

TEST(Manual, names_every_command) {
    const std::string text = manual();
    for (const CommandSpec& command : commands())
        EXPECT_TRUE(text.find("\"" + std::string(command.name) + " ") != std::string::npos) << command.name;
}

TEST(Manual, names_every_option_with_its_letter_and_value) {
    const std::string text = manual();
    for (const OptionSpec& option : options()) {
        std::string form = "--" + std::string(option.name);
        if (option.letter != 0) form = std::string("-") + option.letter + ", " + form;
        EXPECT_NE(text.find(form), std::string::npos) << form;
    }
}

TEST(Manual, names_every_exit_status) {
    const std::string text = manual().substr(manual().find(".SH EXIT STATUS"));
    for (const Status status : {Status::ok, Status::tool_error, Status::usage, Status::connection, Status::protocol,
                                Status::timeout, Status::interrupted})
        EXPECT_NE(text.find(".B " + std::to_string(static_cast<int>(status)) + "\n"), std::string::npos);
}

TEST(Completions, name_every_command_and_option) {
    for (const std::string_view shell : {"bash", "zsh", "fish"}) {
        const std::string script(completion_script(shell).view());
        for (const CommandSpec& command : commands())
            EXPECT_NE(script.find(command.name), std::string::npos) << shell << " " << command.name;
        for (const OptionSpec& option : options()) {
            const std::string form =
                shell == "fish" ? "-l " + std::string(option.name) : "--" + std::string(option.name);
            EXPECT_NE(script.find(form), std::string::npos) << shell << " " << form;
        }
    }
}

}  // namespace
}  // namespace tenon::program
