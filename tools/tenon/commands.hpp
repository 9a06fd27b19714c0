// The commands. Each has its own file.
#pragma once

#include "command_line.hpp"
#include "console.hpp"

namespace tenon::program {

Status run_list(const CommandLine& line, Console& console);
Status run_call(const CommandLine& line, Console& console);
Status run_read(const CommandLine& line, Console& console);
Status run_prompt(const CommandLine& line, Console& console);
Status run_complete(const CommandLine& line, Console& console);
Status run_tasks(const CommandLine& line, Console& console);
Status run_watch(const CommandLine& line, Console& console);
Status run_check(const CommandLine& line, Console& console);
Status run_inspect(const CommandLine& line, Console& console);
Status run_bench(const CommandLine& line, Console& console);
Status run_top(const CommandLine& line, Console& console);
Status run_completion(const CommandLine& line, Console& console);
Status run_help(const CommandLine& line, Console& console);

}  // namespace tenon::program
