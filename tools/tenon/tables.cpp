// The two tables of the command line: commands and options.
#include <array>

#include "command_line.hpp"
#include "commands.hpp"

namespace tenon::program {
namespace {

constexpr std::array command_table = {
    CommandSpec{"list", "TARGET [tools|resources|templates|prompts] [NAME]", "lists what a server offers",
                "Without a kind, lists everything that the server offers. With a NAME, shows all details of that "
                "entry, like a manual page. Resources are also found by their URI, templates by their URI template.",
                "tenon list tools weather -- build/bin/everything", "tools resources templates prompts", true,
                run_list},
    CommandSpec{
        "call", "TARGET TOOL [KEY=VALUE... | JSON | @FILE | -]", "calls a tool",
        "Arguments get their types from the tool's schema: `days=3` is a number where the schema has one. Write a list "
        "as JSON, as a,b,c, or by repeating the key. A nested value is JSON: address:='{\"city\": \"Oslo\"}'. "
        "KEY:=JSON is "
        "always JSON. To give all arguments at once, write a JSON object, @FILE with one, or - for standard input. "
        "Arguments are checked before they are sent. tenon shows the tool and its arguments, and asks before it calls "
        "the tool. It remembers your answer for this exact definition of the tool, if you wish; scripts use --yes or "
        "--allow. A call that becomes a task is followed to its end; Ctrl-C cancels the task.",
        "tenon call weather city=Oslo days=3 --yes -- build/bin/everything", "", true, run_call},
    CommandSpec{"read", "TARGET URI", "reads a resource",
                "Text goes to standard output. For other content, only type and size are shown, and --save stores it.",
                "tenon read note://welcome -- build/bin/everything", "", true, run_read},
    CommandSpec{"prompt", "TARGET NAME [KEY=VALUE...]", "fills in a prompt",
                "Shows the messages of the prompt, each with its role.",
                "tenon prompt letter to=Ada tone=friendly -- build/bin/everything", "", true, run_prompt},
    CommandSpec{"complete", "TARGET prompt:NAME|TEMPLATE ARGUMENT [PREFIX] [KEY=VALUE...]",
                "suggests values for an argument",
                "For an argument of a prompt, or a variable of a resource template. KEY=VALUE are arguments that are "
                "already known.",
                "tenon complete prompt:letter to a -- build/bin/everything", "", true, run_complete},
    CommandSpec{
        "tasks", "TARGET [list | show ID | result ID | cancel ID]", "lists, shows and cancels tasks",
        "Tasks are tool calls that continue after their response. `result` waits for the end of a task and shows "
        "its result. Servers of 2026-07-28 do not list tasks: there, keep the ID that a detached `tenon call` "
        "prints.",
        "tenon tasks https://example.com/mcp cancel 786512e2", "list show result cancel", true, run_tasks},
    CommandSpec{"watch", "TARGET [URI...]", "shows notifications of a server, until Ctrl-C",
                "Shows changes of lists, updates of the given resources, and log messages of at least --level. Ctrl-C "
                "ends it with status 0. With --json each event is one line.",
                "tenon watch note://welcome --level warning -- build/bin/everything", "", true, run_watch},
    CommandSpec{
        "check", "TARGET | --fleet FILE | --client -- COMMAND... | --list | --explain RULE",
        "checks whether a server or a client follows the protocol",
        "Sends valid and invalid messages to the server and checks every answer. Covers the features that the server "
        "declares, in its newest revision. Tools and prompts may have side effects, so none gets valid arguments "
        "unless --trust-hints, --call or --allow-writes allows it; --plan shows what would be sent. With --client it "
        "acts as "
        "the server and checks the client that "
        "COMMAND starts, once for each scenario; in COMMAND, {server} becomes a program to start, or {url} a URL. "
        "With --fleet it checks every server of an mcpServers file and shows one table; it asks before it starts a "
        "command for the first time. "
        "Status 0: no rule is broken, except those of the --baseline. 1: a rule is broken, or one of the baseline "
        "passes again. 3: nothing could be checked. 5: the time ran out. Warnings do not count.",
        "tenon check -- node server.js\n"
        "tenon check --all-revisions --security --html report.html https://example.com/mcp\n"
        "tenon check --plan -- build/bin/everything\n"
        "tenon check --fleet .mcp.json --since mcp-baseline.json\n"
        "tenon check --client -- my-client {server}",
        "", true, run_check},
    CommandSpec{
        "inspect", "[TARGET]", "shows a server on a web page of this machine",
        "Prints a link on standard output and opens it in the browser. On the page you see what the server offers, "
        "call "
        "its tools, read its resources, answer its questions, and look at every message, judged by the rules of `tenon "
        "check`. Nothing is called, read or shared without your decision. Without a TARGET, choose the server on the "
        "page. The page is for this machine and this browser only: the link works once. Ctrl-C ends it.",
        "tenon inspect -- build/bin/everything\n"
        "tenon inspect --no-open https://example.com/mcp",
        "", true, run_inspect},
    CommandSpec{"bench", "TARGET [CALL...]", "measures how many requests a server answers, and how fast",
                "Each CALL is one word with a tool and its arguments, or a method: 'echo text=hi', 'tools/list', "
                "'ping'. The default is tools/list. '3*echo text=hi' is sent three times as often as the others. In "
                "'echo text={nonce:32} -> {nonce:32}' each request has its own text of 32 bytes, which must be in its "
                "answer. Every answer is checked; status 4 if one was wrong. Without --rate each connection sends its "
                "next request after the answer to the last one. With --rate requests are sent at fixed times, and "
                "latencies count from these times. Tools need --yes, --allow, or your answer `always` to `tenon call`.",
                "tenon bench 'echo message={nonce} -> {nonce}' --yes --in-flight 64 -- build/bin/everything", "", true,
                run_bench},
    CommandSpec{"top", "URL", "shows what a server does: calls per second, times, errors and sessions",
                "Reads the metrics of a server that was started with --metrics ADDRESS:PORT, once per second, until "
                "Ctrl-C. The slowest tools come first. With --once or --json, or if the output is not a terminal, it "
                "writes one table, which counts since the server started.",
                "tenon top http://127.0.0.1:9464/metrics", "", false, run_top},
    CommandSpec{"completion", "bash|zsh|fish", "writes completions for a shell",
                "Write the output to the folder of your shell's completions, or source it when the shell starts.",
                "tenon completion bash > ~/.local/share/bash-completion/completions/tenon", "bash zsh fish", false,
                run_completion},
    CommandSpec{"help", "[COMMAND]", "explains the program, or one of its commands", "", "tenon help call",
                "list call read prompt complete tasks watch check inspect bench top completion", false, run_help},
};

constexpr std::array option_table = {
    OptionSpec{"config", 0, "FILE", "the mcpServers file with the entry TARGET; .mcp.json by default"},
    OptionSpec{"trust", 0, "", "use an entry of .mcp.json without asking, even if it was never allowed before"},
    OptionSpec{"header", 'H', "'NAME: VALUE'", "an HTTP header for servers with a URL", {}, {}, true},
    OptionSpec{"login", 0, "", "sign in with your browser if a server with a URL requires it; the tokens are stored"},
    OptionSpec{"client-id", 0, "ID", "the client id of this program, if it is registered at the authorisation server"},
    OptionSpec{"client-secret-env", 0, "NAME",
               "the environment variable with the client's secret; without --login the client signs in without a user "
               "(client credentials)"},
    OptionSpec{"client-key", 0, "FILE", "the client's private key, PEM, instead of a secret"},
    OptionSpec{
        "issuer", 0, "URL",
        "the only authorisation server that gets --client-id and its secret or key; required with a secret or key"},
    OptionSpec{"scope", 0, "SCOPE", "a scope to request, besides those that the server names", {}, {}, true},
    OptionSpec{"env",
               'e',
               "NAME[=VALUE]",
               "an environment variable for the server that is started; without a value, it is copied from this "
               "program. A server inherits only HOME, PATH and a few others",
               {},
               {},
               true},
    OptionSpec{"cwd", 0, "DIR", "the folder that the server is started in"},
    OptionSpec{"era",
               0,
               "ERA",
               "how to connect: legacy sends initialize (until 2025-11-25), modern does not (2026-07-28), auto asks "
               "the server",
               {},
               "auto legacy modern"},
    OptionSpec{"timeout", 't', "SECONDS", "time limit for each answer; a progress report restarts it; 60 by default"},
    OptionSpec{"json", 'j', "", "write the result as one JSON document, and errors as JSON to standard error"},
    OptionSpec{"sample-command", 0, "COMMAND",
               "a program that answers the server's sampling requests: it reads the request as JSON and writes the "
               "text. Without it, sampling is not declared to the server"},
    OptionSpec{"answer",
               0,
               "KEY=VALUE",
               "the answer to a field of the server's forms, instead of asking on the terminal; KEY:=JSON is JSON",
               {},
               {},
               true},
    OptionSpec{"root", 0, "DIR", "a folder that the server may work in; the server gets its file:// URI", {}, {}, true},
    OptionSpec{"yes", 'y', "", "call tools without asking", "call bench"},
    OptionSpec{"allow", 0, "TOOL", "call this tool without asking", "call bench", {}, true},
    OptionSpec{"detach", 0, "", "if the call becomes a task, print its ID and do not wait for it", "call"},
    OptionSpec{"save", 'o', "PATH", "store images, audio and other bytes in a folder, or as this file",
               "call read prompt tasks"},
    OptionSpec{"force", 'f', "", "let --save overwrite files", "call read prompt tasks"},
    OptionSpec{"level", 'l', "LEVEL", "the lowest level of log messages to show; info by default", "watch",
               "debug info notice warning error critical alert emergency"},
    OptionSpec{"all-revisions", 0, "", "check every revision that the server supports, not only the newest", "check"},
    OptionSpec{"security", 0, "", "also try attacks", "check"},
    OptionSpec{"trust-hints", 0, "", "call the tools that the server marks as read-only", "check"},
    OptionSpec{"call", 0, "NAME", "call this tool, or run this prompt", "check", {}, true},
    OptionSpec{"skip", 0, "NAME", "never call this tool or prompt, not even without arguments", "check", {}, true},
    OptionSpec{"allow-writes", 0, "", "call every tool, and run every prompt", "check"},
    OptionSpec{"only",
               0,
               "RULE",
               "check only these rules, or rules whose ids begin with this: RPC, HTTP-4",
               "check",
               {},
               true},
    OptionSpec{"cases", 0, "N", "number of generated cases for each property; 1000 by default", "check"},
    OptionSpec{"seed", 0, "N", "repeat the generated cases of an earlier check", "check"},
    OptionSpec{"time", 0, "SECONDS", "time limit for the whole check; 300 by default", "check"},
    OptionSpec{"plan", 0, "", "show what would be done, without doing it", "check"},
    OptionSpec{"client", 0, "", "check a client; {server} or {url} in its command is replaced", "check"},
    OptionSpec{"fleet", 0, "FILE", "check every server of this mcpServers file and show one table", "check"},
    OptionSpec{"list", 0, "", "only list the rules", "check"},
    OptionSpec{"explain", 0, "RULE", "explain one rule, with a right and a wrong example", "check"},
    OptionSpec{"junit", 0, "FILE", "write the report as JUnit XML, for CI servers; - is standard output", "check"},
    OptionSpec{"sarif", 0, "FILE", "write the report as SARIF 2.1.0; - is standard output", "check"},
    OptionSpec{"html", 0, "FILE", "write the report as an HTML page; - is standard output", "check"},
    OptionSpec{"baseline", 0, "FILE", "a file of known failures: new failures count, and known ones that pass now",
               "check"},
    OptionSpec{"since", 0, "FILE", "a baseline file: show which failures are new and which are fixed since then",
               "check"},
    OptionSpec{"write-baseline", 0, "FILE", "write the baseline file from the current failures; - is standard output",
               "check"},
    OptionSpec{"port", 0, "N", "the port of the page on 127.0.0.1; any free port by default", "inspect"},
    OptionSpec{
        "tap", 0, "",
        "sit between a client and the server: the client starts `tenon inspect --tap -- COMMAND` in place of the "
        "server, and the link goes to standard error; or, with a URL, it connects to the second address that is "
        "printed",
        "inspect"},
    OptionSpec{"no-open", 0, "", "print the link, but do not open the browser", "inspect"},
    OptionSpec{"connections", 'c', "N", "HTTP: number of connections, with one request at a time on each; 1 by default",
               "bench"},
    OptionSpec{"in-flight", 'i', "N", "stdio: number of requests that wait for answers at the same time; 1 by default",
               "bench"},
    OptionSpec{"rate", 'r', "N", "requests per second at fixed times; by default as fast as the server answers",
               "bench"},
    OptionSpec{"duration", 'd', "SECONDS", "how long to measure; 5 by default", "bench"},
    OptionSpec{"warmup", 'w', "SECONDS", "how long to send requests before measuring; 1 by default, 0 for none",
               "bench"},
    OptionSpec{"requests", 'n', "N", "how many requests to measure, instead of a time", "bench"},
    OptionSpec{"progress", 'p', "", "ask for progress reports with each tool call", "bench"},
    OptionSpec{"hold", 0, "N", "HTTP: number of idle sessions with an open stream to hold while measuring", "bench"},
    OptionSpec{"startup", 0, "N", "instead, start the server this many times and measure the time to its first answer",
               "bench"},
    OptionSpec{"pid", 0, "PID", "the server's process, to measure its CPU time and memory if it was not started here",
               "bench"},
    OptionSpec{"once", 0, "", "write one table and end", "top"},
    OptionSpec{"interval", 0, "SECONDS", "time between two tables; 1 by default", "top"},
    OptionSpec{
        "trace", 0, "[=FILE]",
        "show every message, with secrets masked: on standard error, or in FILE; json:FILE writes JSON lines. top, "
        "completion and help send no messages"},
    OptionSpec{"quiet", 'q', "", "show only results and errors, no progress and no notes"},
    OptionSpec{"verbose", 'v', "", "also show the server's standard error, log messages and each step"},
    OptionSpec{"help", 'h', "", "explain a command"},
    OptionSpec{"version", 'V', "", "show the version of this program"},
};

}  // namespace

std::span<const CommandSpec> commands() { return command_table; }
std::span<const OptionSpec> options() { return option_table; }

}  // namespace tenon::program
