// Writes the help from the tables of commands and options.
#pragma once

#include "command_line.hpp"
#include "out.hpp"

namespace tenon::program {

void write_help(Out& out);
void write_help(Out& out, const CommandSpec& command);

/// Returns the completion script for "bash", "zsh" or "fish".
SafeText completion_script(std::string_view shell);

}  // namespace tenon::program
