// The two tables of the command line: commands and options.
#include <array>

#include "command_line.hpp"
#include "commands.hpp"

namespace tenon::program {
namespace {

constexpr std::array command_table = {
    CommandSpec{
        "list", "TARGET [tools|resources|templates|prompts] [NAME]", "shows what a server offers",
        "Without a kind, everything that the server offers. With a NAME, all that is known of that one, laid out "
        "like a manual page. Resources are also found by their URI, templates by their URI template.",
        "tenon list tools weather -- build/bin/everything", "tools resources templates prompts", true, run_list},
    CommandSpec{"call", "TARGET TOOL [KEY=VALUE... | JSON | @FILE | -]", "calls a tool",
                "Arguments are typed by the tool's schema: `days=3` is a number where the tool wants one. Lists are "
                "JSON, a,b,c or the same key again. KEY:=JSON is taken as JSON whatever the schema says. All arguments "
                "at once: a JSON object, @FILE that holds one, or - for standard input. They are checked before "
                "anything is sent. A tool that does not say it only reads is asked about first; --yes is the answer "
                "for scripts.",
                "tenon call weather city=Oslo days=3 --yes -- build/bin/everything", "", true, run_call},
    CommandSpec{"read", "TARGET URI", "reads a resource",
                "Text goes to standard output. Bytes are named with their type and size, and --save keeps them.",
                "tenon read note://welcome -- build/bin/everything", "", true, run_read},
    CommandSpec{"prompt", "TARGET NAME [KEY=VALUE...]", "fills in a prompt",
                "Shows the messages that the prompt becomes, each with its role.",
                "tenon prompt letter to=Ada tone=friendly -- build/bin/everything", "", true, run_prompt},
    CommandSpec{"complete", "TARGET prompt:NAME|TEMPLATE ARGUMENT [PREFIX] [KEY=VALUE...]",
                "suggests values for an argument",
                "For an argument of a prompt, or a variable of a resource template. KEY=VALUE are arguments that were "
                "chosen already.",
                "tenon complete prompt:letter to a -- build/bin/everything", "", true, run_complete},
    CommandSpec{
        "watch", "TARGET [URI...]", "shows what a server tells, until Ctrl-C",
        "Changes of lists, updates of the resources that are named, and log messages from --level on. Ends with "
        "status 0 at Ctrl-C. With --json each event is a line.",
        "tenon watch note://welcome --level warning -- build/bin/everything", "", true, run_watch},
    CommandSpec{
        "check", "TARGET | --client -- COMMAND... | --list | --explain RULE",
        "proves or refutes the rules of the protocol on a server or a client",
        "Speaks to the server as a client would, and as one would not, and judges every answer. Checks what the "
        "server declares, in the newest revision that it speaks. A tool that does not say it only reads is never "
        "called with good arguments, unless --allow-writes is given. With --client it plays the server, and judges the "
        "client that COMMAND starts: once for each thing that is tried; {server} in its words becomes a program to "
        "start, or {url} a URL. Status 0 when no rule is broken, or only those of the --baseline; 1 when one is, or "
        "when one of the baseline is not any more; 3 when nothing could be checked, and 5 when not all of it in time. "
        "Warnings do not count.",
        "tenon check --security --html report.html -- build/bin/everything", "", true, run_check},
    CommandSpec{"bench", "TARGET [CALL...]", "measures how many requests a server answers, and how fast",
                "Each CALL is one word: a tool with its arguments, or a method: 'echo text=hi', 'tools/list', 'ping'; "
                "'3*echo text=hi' comes three times as often as the others; tools/list without any. In 'echo "
                "text={nonce:32} -> {nonce:32}' each request has a text of its own, of 32 bytes, that must be in its "
                "answer. Every answer is checked; status 4 when one was wrong. Without --rate each connection sends "
                "its next request when it has its answer; with it requests leave on time whatever the server does, "
                "and latencies count from when they were due. A tool that does not say it only reads needs --yes.",
                "tenon bench 'echo message={nonce} -> {nonce}' --yes --in-flight 64 -- build/bin/everything", "", true,
                run_bench},
    CommandSpec{"completion", "bash|zsh|fish", "writes completions for a shell",
                "Put it where your shell looks for them, or read it in when the shell starts.",
                "tenon completion bash > ~/.local/share/bash-completion/completions/tenon", "bash zsh fish", false,
                run_completion},
    CommandSpec{"help", "[COMMAND]", "explains the program, or one of its commands", "", "tenon help call",
                "list call read prompt complete watch check bench completion", false, run_help},
};

constexpr std::array option_table = {
    OptionSpec{"config", 0, "FILE", "the mcpServers file that TARGET is a name of; .mcp.json by default"},
    OptionSpec{"trust", 0, "", "use an entry of .mcp.json without asking, also when it was never allowed before"},
    OptionSpec{"header", 'H', "'NAME: VALUE'", "an HTTP header for servers with a URL", {}, {}, true},
    OptionSpec{"login", 0, "", "sign in with your browser when a server with a URL wants it; what it gives is kept"},
    OptionSpec{"client-id", 0, "ID", "who this program is to the authorisation server, when it was registered there"},
    OptionSpec{"client-secret-env", 0, "NAME",
               "the variable that holds the client's secret; without --login nobody is asked (client credentials)"},
    OptionSpec{"client-key", 0, "FILE", "the client's private key, PEM, instead of a secret"},
    OptionSpec{"issuer", 0, "URL",
               "the only authorisation server that sees --client-id and its secret or key; required with those"},
    OptionSpec{"scope", 0, "SCOPE", "a right to ask for, besides those that the server names", {}, {}, true},
    OptionSpec{"env",
               'e',
               "NAME[=VALUE]",
               "a variable for the server that is started; without a value, the one that this program has. A server "
               "inherits HOME, PATH and the like, and nothing else",
               {},
               {},
               true},
    OptionSpec{"cwd", 0, "DIR", "the folder that the server is started in"},
    OptionSpec{"era",
               0,
               "ERA",
               "how to speak: auto asks the server, legacy shakes hands, modern is 2026-07-28",
               {},
               "auto legacy modern"},
    OptionSpec{"timeout", 't', "SECONDS", "for each answer, counted anew with each progress report; 60 by default"},
    OptionSpec{"json", 'j', "", "the result as one JSON document, and errors as JSON on standard error"},
    OptionSpec{"sample-command", 0, "COMMAND",
               "answers the server's questions to a model: gets the request as JSON, gives the text. Without it the "
               "server is told that there is no model"},
    OptionSpec{"yes", 'y', "", "call without asking", "call bench"},
    OptionSpec{"save", 'o', "PATH", "keep images, audio and other bytes, in a folder or as this file",
               "call read prompt"},
    OptionSpec{"force", 'f', "", "--save may overwrite files", "call read prompt"},
    OptionSpec{"level", 'l', "LEVEL", "the least severe log messages that are shown; info by default", "watch",
               "debug info notice warning error critical alert emergency"},
    OptionSpec{"all-revisions", 0, "", "every revision that the server speaks, not only its newest", "check"},
    OptionSpec{"security", 0, "", "also try what an attacker would", "check"},
    OptionSpec{"allow-writes", 0, "", "call tools that do not say they only read, too", "check"},
    OptionSpec{"only", 0, "RULE", "these rules, or those whose ids begin so: RPC, HTTP-4", "check", {}, true},
    OptionSpec{"cases", 0, "N", "generated cases of each property; 1000 by default", "check"},
    OptionSpec{"seed", 0, "N", "repeats the generated cases of an earlier check", "check"},
    OptionSpec{"time", 0, "SECONDS", "for the whole check; 300 by default", "check"},
    OptionSpec{"plan", 0, "", "say what would be done, and do not do it", "check"},
    OptionSpec{"client", 0, "", "check a client, which is started with {server} or {url} in its words replaced",
               "check"},
    OptionSpec{"list", 0, "", "the rules there are, and nothing else", "check"},
    OptionSpec{"explain", 0, "RULE", "one rule, with an example of right and wrong", "check"},
    OptionSpec{"junit", 0, "FILE", "the report as JUnit's XML, for CI servers; - is standard output", "check"},
    OptionSpec{"sarif", 0, "FILE", "the report as SARIF 2.1.0; - is standard output", "check"},
    OptionSpec{"html", 0, "FILE", "the report as a page for people; - is standard output", "check"},
    OptionSpec{"baseline", 0, "FILE", "failures that are known: only others count, and what is fixed", "check"},
    OptionSpec{"write-baseline", 0, "FILE", "make that file of what fails now; - is standard output", "check"},
    OptionSpec{"connections", 'c', "N", "HTTP: connections, with one request at a time on each; 1 by default", "bench"},
    OptionSpec{"in-flight", 'i', "N", "stdio: requests that wait for their answer at once; 1 by default", "bench"},
    OptionSpec{"rate", 'r', "N", "requests a second, whatever the server does; as fast as it answers by default",
               "bench"},
    OptionSpec{"duration", 'd', "SECONDS", "that are measured; 5 by default", "bench"},
    OptionSpec{"warmup", 'w', "SECONDS", "before that; 1 by default, 0 for none", "bench"},
    OptionSpec{"requests", 'n', "N", "measure so many instead of a time", "bench"},
    OptionSpec{"progress", 'p', "", "ask for progress reports with each tool call", "bench"},
    OptionSpec{"hold", 0, "N", "HTTP: idle sessions with an open stream that are there all the time", "bench"},
    OptionSpec{"startup", 0, "N", "start the server so many times instead, and time its first answer", "bench"},
    OptionSpec{"pid", 0, "PID", "the server's process, for its CPU time and memory, when it was not started here",
               "bench"},
    OptionSpec{"quiet", 'q', "", "no progress and no notes, only results and errors"},
    OptionSpec{"verbose", 'v', "", "also the server's standard error and log messages, and what goes on"},
    OptionSpec{"help", 'h', "", "explains a command"},
    OptionSpec{"version", 'V', "", "the version of this program"},
};

}  // namespace

std::span<const CommandSpec> commands() { return command_table; }
std::span<const OptionSpec> options() { return option_table; }

}  // namespace tenon::program
