// tenon: a command-line client for servers of the Model Context Protocol.
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <tenon/check.hpp>

#include "command_line.hpp"
#include "console.hpp"
#include "help.hpp"
#include "report.hpp"

namespace tenon::program {
namespace {

// Makes this program the relay of `tenon check --client`. It is not in the help, because only that command uses it.
constexpr std::string_view relay_word = "--relay";

// Clients read this variable. There is no other thread yet.
void trace_to(const std::string& where) { ::setenv("TENON_TRACE", where.empty() ? "stderr" : where.c_str(), 1); }

Status run(const std::vector<std::string>& words, Console& console) {
    const CommandLine line = read_command_line(words);
    if (line.has("version")) {
        console.print([](Out& out) { out << "tenon " << Literal(TENON_VERSION) << "\n"; });
        return Status::ok;
    }
    if (line.has("help")) {
        console.print([&](Out& out) { line.command ? write_help(out, *line.command) : write_help(out); });
        return Status::ok;
    }
    if (!line.command) throw usage_failure("COMMAND is missing", "`tenon help` lists the commands");
    if (line.has("trace")) trace_to(line.last("trace"));
    return line.command->run(line, console);
}

Status run_and_report(const std::vector<std::string>& words, Console& console) {
    const bool as_json = asks_for_json(words);
    try {
        const Status status = run(words, console);
        if (console.output_failed()) throw usage_failure("standard output cannot be written");
        return status;
    } catch (const Failure& failure) {
        report(console, failure, as_json);
        return failure.status;
    } catch (const std::exception& e) {
        report(console, Failure(Status::protocol, e.what()), as_json);
        return Status::protocol;
    }
}

}  // namespace
}  // namespace tenon::program

int main(int argc, char** argv) {
    using namespace tenon::program;
    if (argc == 3 && argv[1] == relay_word) return tenon::check::relay(argv[2]);
    Out results(sink_of(STDOUT_FILENO), facts_of(STDOUT_FILENO));
    Out notes(sink_of(STDERR_FILENO), facts_of(STDERR_FILENO));
    Console console(results, notes);
    return static_cast<int>(run_and_report({argv + 1, argv + argc}, console));
}
