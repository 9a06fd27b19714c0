#include "tools/tenon/target.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"

namespace tenon::program {
namespace {

using Words = std::vector<std::string>;

std::optional<std::string> variable(const std::string& name) {
    if (name == "TOKEN") return "secret";
    if (name == "EMPTY") return "";
    return std::nullopt;
}

TEST(Expand, replaces_variables) {
    const auto of = [](std::string_view text) { return expand(text, variable); };
    EXPECT_EQ(of("plain"), "plain");
    EXPECT_EQ(of("Bearer ${TOKEN}!"), "Bearer secret!");
    EXPECT_EQ(of("${TOKEN}${TOKEN}"), "secretsecret");
    EXPECT_EQ(of("${NONE:-fallback}"), "fallback");
    EXPECT_EQ(of("${EMPTY:-fallback}"), "fallback");
    EXPECT_EQ(of("${EMPTY}"), "");
    EXPECT_EQ(of("${NONE:-}"), "");
    EXPECT_EQ(of("$TOKEN and ${"), "$TOKEN and ${");
    EXPECT_EQ(failure_of([&] { of("${NONE}"); }), "the variable NONE is not set | set it, or write ${NONE:-DEFAULT}");
}

constexpr std::string_view file = R"({"mcpServers": {
    "local": {"command": "run", "args": ["-x", "${TOKEN}"], "env": {"KEY": "${TOKEN}"}, "cwd": "/tmp"},
    "remote": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    "both": {"command": "run", "url": "https://example.com"},
    "neither": {},
    "odd": {"command": "run", "args": "x"},
    "typo": {"type": "htpp", "url": "https://example.com"},
    "mixed": {"type": "http", "command": "run"},
    "text": "run"
}})";

Target entry(const std::string& name) { return read_server_entry(file, name, "f", variable); }

TEST(ServerEntry, is_a_command_or_a_url) {
    const Target local = entry("local");
    EXPECT_EQ(local.command, (Words{"run", "-x", "secret"}));
    EXPECT_EQ(local.environment.at("KEY"), "secret");
    EXPECT_EQ(local.directory, "/tmp");
    const Target remote = entry("remote");
    EXPECT_EQ(remote.url, "https://example.com/mcp");
    EXPECT_EQ(remote.headers.at(0).second, "Bearer secret");
}

TEST(ServerEntry, errors_name_the_problem_in_the_file) {
    EXPECT_EQ(failure_of([] { entry("loacl"); }), "f has no server `loacl` | did you mean `local`?");
    EXPECT_EQ(failure_of([] { entry("both"); }), "f: mcpServers.both must have either `command` or `url`");
    EXPECT_EQ(failure_of([] { entry("neither"); }), "f: mcpServers.neither must have either `command` or `url`");
    EXPECT_EQ(failure_of([] { entry("odd"); }), "f: mcpServers.odd: `args` must be a list of strings");
    EXPECT_EQ(failure_of([] { entry("typo"); }), "f: mcpServers.typo: there is no type `htpp` | did you mean `http`?");
    EXPECT_EQ(failure_of([] { entry("mixed"); }), "f: mcpServers.mixed: type `http` needs `url`");
    EXPECT_EQ(failure_of([] { entry("text"); }), "f: mcpServers.text must be an object");
    EXPECT_EQ(failure_of([] { read_server_entry("[]", "x", "f", variable); }),
              "f has no object `mcpServers` | write { \"mcpServers\": { \"NAME\": { ... } } }");
    EXPECT_EQ(failure_of([] { read_server_entry("{\n\n  x", "x", "f", variable); }).substr(0, 4), "f:3:");
}

Target target(const Words& words, Words* rest = nullptr) {
    const CommandLine line = read_command_line(words);
    Words left = line.words;
    Target out = take_target(line, left, [](const FoundEntry&) {});
    if (rest) *rest = left;
    return out;
}

TEST(Target, may_be_the_first_or_the_last_word) {
    Words rest;
    EXPECT_EQ(target({"call", "tool", "x=1", "https://example.com"}, &rest).url, "https://example.com");
    EXPECT_EQ(rest, (Words{"tool", "x=1"}));
    EXPECT_EQ(target({"read", "https://example.com", "https://example.com/page"}, &rest).url, "https://example.com");
    EXPECT_EQ(rest, Words{"https://example.com/page"});
}

TEST(Target, is_a_url_or_the_command_after_two_dashes) {
    Words rest;
    EXPECT_EQ(target({"call", "https://example.com", "tool", "-H", "A: b"}, &rest).headers.at(0),
              (std::pair<std::string, std::string>("A", "b")));
    EXPECT_EQ(rest, Words{"tool"});
    const Target started = target({"call", "tool", "--env", "A=b=c", "--cwd", "/", "--", "bin/server", "x"}, &rest);
    EXPECT_EQ(started.command, (Words{"bin/server", "x"}));
    EXPECT_EQ(started.label, "server");
    EXPECT_EQ(started.environment.at("A"), "b=c");
    EXPECT_EQ(started.directory, "/");
    EXPECT_EQ(rest, Words{"tool"});
}

TEST(Target, invalid_targets_are_usage_errors) {
    for (const Words& words : {Words{"list"},
                               {"list", "--"},
                               {"list", "ftp://x"},
                               {"list", "no-such-name"},
                               {"list", "x", "--config", "/no/such/file"},
                               {"list", "--header", "A: b", "--", "run"},
                               {"list", "http://x", "--env", "A=b"},
                               {"list", "http://x", "--cwd", "/"},
                               {"list", "--env", "=x", "--", "run"},
                               {"list", "--env", "NO_SUCH_VARIABLE", "--", "run"}})
        EXPECT_NE(failure_of([&] { target(words); }), "");
}

TEST(Header, is_a_valid_name_and_value) {
    EXPECT_EQ(header_of("A:b"), (std::pair<std::string, std::string>("A", "b")));
    EXPECT_EQ(header_of("A: b: c "), (std::pair<std::string, std::string>("A", "b: c ")));
    EXPECT_EQ(header_of("A:"), (std::pair<std::string, std::string>("A", "")));
    for (const std::string text : {"", "A", ": b", "A b: c", "A: b\r\nEvil: c", "A\n: b"})
        EXPECT_NE(failure_of([&] { header_of(text); }), "") << text;
}

}  // namespace
}  // namespace tenon::program
