// The real program against real servers, through pipes: each command, each exit status, hostile servers.
#include <gtest/gtest.h>

#include "integration/program_run.hpp"

namespace tenon::test {
namespace {

using namespace program_run;

// ---- list

TEST(TenonList, shows_what_a_server_offers) {
    const Ran ran = with_everything({"list"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    for (const std::string_view part : {"everything 1.0.0", "Tools\n", "NAME ", "echo ", "read-only", "Resources\n",
                                        "note://welcome", "Resource templates\n", "Prompts\n", "to [tone]"})
        EXPECT_TRUE(has(ran.out, part)) << part;
    EXPECT_FALSE(has(ran.out, "\x1b")) << "output to a pipe must have no colours";
}

TEST(TenonList, works_with_servers_of_each_era) {
    for (const std::string era : {"auto", "legacy", "modern"})
        EXPECT_EQ(with_everything({"list", "--era", era}).status, 0);
    EXPECT_EQ(with_odd("", {"list", "--era", "auto"}).status, 0);
    EXPECT_EQ(with_odd("", {"list", "--era", "modern"}).status, 4) << "the server only knows the legacy era";
}

TEST(TenonList, shows_one_kind_or_the_details_of_one_entry) {
    EXPECT_TRUE(with_everything({"list", "prompts"}).out.starts_with("NAME"));
    const Ran tool = with_everything({"list", "tools", "weather"});
    EXPECT_TRUE(has(tool.out, "SYNOPSIS\n    tenon call TARGET weather city=STRING [days=INTEGER]")) << tool.out;
    EXPECT_TRUE(has(with_everything({"list", "resources", "note://dot"}).out, "image/png, 69 bytes"));
    EXPECT_TRUE(has(with_everything({"list", "templates", "note"}).out, "note://{folder}/{name}"));
    EXPECT_TRUE(has(with_everything({"list", "prompts", "letter"}).out, "to=STRING [tone=STRING]"));
    const Ran wrong = with_everything({"list", "tools", "wether"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_TRUE(has(wrong.err, "did you mean `weather`?")) << wrong.err;
    EXPECT_EQ(with_everything({"list", "toys"}).status, 2);
}

TEST(TenonList, json_option_lists_the_entries_as_json) {
    const json::value all = with_everything({"list", "--json"}).document();
    for (const std::string_view key : {"server", "tools", "resources", "resourceTemplates", "prompts"})
        EXPECT_TRUE(all.as_object().contains(key)) << key;
    EXPECT_EQ(all.at("server").at("name"), "everything");
    EXPECT_EQ(with_everything({"list", "tools", "--json"}).document().at("tools").as_array().size(),
              all.at("tools").as_array().size());
    EXPECT_EQ(with_everything({"list", "tools", "echo", "--json"}).document().at("name"), "echo");
}

// ---- call

TEST(TenonCall, converts_arguments_by_the_schema_and_shows_text) {
    const Ran ran = with_everything({"call", "--yes", "echo", "message=5"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "5\n");
    EXPECT_EQ(with_everything({"call", "--yes", "add", "a=1", "b=2.5"}).out, "{\n  \"result\": 3.5\n}\n");
}

TEST(TenonCall, takes_all_arguments_as_json_from_the_command_line_a_file_or_standard_input) {
    const Folder folder;
    std::ofstream(folder / "a.json") << R"({"message":"from a file"})";
    EXPECT_EQ(with_everything({"call", "--yes", "echo", R"({"message":"from JSON"})"}).out, "from JSON\n");
    EXPECT_EQ(with_everything({"call", "--yes", "echo", "@" + (folder / "a.json")}).out, "from a file\n");
    EXPECT_EQ(run_program({"call", "--yes", "echo", "-", "--", everything}, R"({"message":"from input"})").out, "from input\n");
    EXPECT_EQ(with_everything({"call", "--yes", "echo", "@/no/such/file"}).status, 2);
    EXPECT_EQ(with_everything({"call", "--yes", "echo", "{nonsense"}).status, 2);
    EXPECT_EQ(with_everything({"call", "--yes", "echo", "{}", "message=x"}).status, 2);
}

TEST(TenonCall, invalid_arguments_are_reported_before_the_tool_is_called) {
    const std::vector<std::pair<Words, std::string>> cases = {
        {{"wether"}, "did you mean `weather`?"},
        {{"weather", "ciyt=x"}, "did you mean `city`?"},
        {{"weather"}, "the argument `city` (string) is missing: City name"},
        {{"weather", "city=x", "days=soon"}, "write days=3"},
        {{"weather", "city=x", "days=9"}, "must be ≤ 7, got 9"},
        {{"weather", "city=x", "unit=kelvin"}, "must be celsius or fahrenheit"},
        {{"weather", R"({"city":5})"}, "city"},
        {{"weather", "city"}, "KEY=VALUE"},
    };
    for (const auto& [words, remedy] : cases) {
        Words all = {"call", "--yes"};
        all.insert(all.end(), words.begin(), words.end());
        const Ran ran = with_everything(all);
        EXPECT_EQ(ran.status, 2) << ran.err;
        EXPECT_TRUE(has(ran.err, remedy)) << ran.err;
        EXPECT_EQ(ran.out, "");
    }
}

// rules: SEC-1, TOOL-13, TOOL-15
TEST(TenonCall, without_a_terminal_every_tool_needs_the_yes_or_allow_option) {
    for (const Words& tool : {Words{"weather", "city=Oslo"}, {"echo", "message=marked as read-only"}}) {
        Words words = {"call"};
        words.insert(words.end(), tool.begin(), tool.end());
        const Ran refused = with_everything(words);
        EXPECT_EQ(refused.status, 2) << tool.front();
        EXPECT_TRUE(has(refused.err, "--allow " + tool.front())) << refused.err;
        words.push_back("--allow");
        words.push_back("other");
        EXPECT_EQ(with_everything(words).status, 2);
        words.back() = tool.front();
        EXPECT_EQ(with_everything(words).status, 0);
    }
}

TEST(TenonCall, a_tool_error_exits_with_status_1) {
    const Ran ran = with_everything({"call", "--yes", "fail", "--yes"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, "fail failed: this tool fails on purpose")) << ran.err;
    const Ran as_json = with_everything({"call", "--yes", "fail", "--yes", "--json"});
    EXPECT_EQ(as_json.status, 1);
    EXPECT_EQ(as_json.document().at("isError"), true);
}

TEST(TenonCall, json_output_has_the_same_shape_in_both_eras) {
    for (const std::string era : {"legacy", "modern"}) {
        const json::value v =
            with_everything({"call", "--yes", "add", "a=1", "b=2", "--json", "--era", era}).document();
        EXPECT_EQ(v.at("structuredContent"), (json::object{{"result", 3}})) << json::write(v);
        EXPECT_EQ(v.at("content").as_array().at(0).at("type"), "text");
        EXPECT_EQ(v.at("isError"), false);
        EXPECT_FALSE(v.as_object().contains("resultType"));
    }
}

TEST(TenonCall, describes_non_text_content_and_saves_it_on_request) {
    const Ran shown = with_everything({"call", "--yes", "mixed", "--yes"});
    EXPECT_EQ(shown.out, "text\n[image/png, 69 bytes]\n-> note://welcome  Welcome\nnote://inside:\nembedded\n");
    EXPECT_TRUE(has(shown.err, "--save"));
    const Folder folder;
    const Ran saved = with_everything({"call", "--yes", "picture", "--yes", "--save", folder.path.string()});
    EXPECT_EQ(saved.out, "[image/png, 69 bytes, saved as " + (folder / "picture.png") + "]\n");
    EXPECT_TRUE(text_of(folder / "picture.png").starts_with("\x89PNG"));
    EXPECT_EQ(with_everything({"call", "--yes", "picture", "--yes", "--save", folder / "picture.png"}).status, 2);
    EXPECT_EQ(
        with_everything({"call", "--yes", "picture", "--yes", "--save", folder / "picture.png", "--force"}).status, 0);
}

TEST(TenonCall, shows_structured_content_if_there_is_no_text) {
    EXPECT_EQ(with_odd("structured", {"call", "--yes", "t"}).out, "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
}

TEST(TenonCall, answers_sampling_with_the_sample_command) {
    const Folder folder;
    std::ofstream(folder / "model.sh") << "grep -q 'what is it' && echo \"42 $1\"\n";
    const std::string command = "/bin/sh '" + (folder / "model.sh") + "' \"of course\"";
    EXPECT_EQ(
        with_everything({"call", "--yes", "ask_model", "prompt=what is it", "--yes", "--sample-command", command}).out,
        "42 of course\n");
    const Ran none = with_everything({"call", "--yes", "ask_model", "prompt=x", "--yes"});
    EXPECT_NE(none.status, 0) << "the server knows that the client cannot sample";
    EXPECT_NE(with_everything({"call", "--yes", "ask_model", "prompt=x", "--yes", "--sample-command", "/no/such/model"})
                  .status,
              0);
    EXPECT_NE(
        with_everything({"call", "--yes", "ask_model", "prompt=x", "--yes", "--sample-command", "/bin/false"}).status,
        0);
}

TEST(TenonCall, without_a_terminal_elicitation_is_not_offered_to_the_server) {
    EXPECT_NE(with_everything({"call", "--yes", "ask_user", "--yes"}).status, 0);
}

// ---- read, prompt, complete

TEST(TenonRead, shows_text_and_describes_binary_resources) {
    EXPECT_EQ(with_everything({"read", "note://welcome"}).out, "Welcome to Tenon.\n");
    EXPECT_EQ(with_everything({"read", "note://dot"}).out, "[image/png, 69 bytes]\n");
    EXPECT_EQ(
        with_everything({"read", "note://welcome", "--json"}).document().at("contents").as_array().at(0).at("text"),
        "Welcome to Tenon.");
    EXPECT_EQ(with_everything({"read", "note://attic/missing"}).status, 4);
    EXPECT_EQ(with_everything({"read"}).status, 2);
}

TEST(TenonRead, saves_text_unchanged) {
    const Folder folder;
    EXPECT_EQ(with_odd("", {"read", "x:y", "--save", folder / "evil.txt"}).status, 0);
    EXPECT_TRUE(has(text_of(folder / "evil.txt"), "\x1b[2J"));
    EXPECT_EQ(with_everything({"read", "note://dot", "--save", folder / "dot.png"}).status, 0);
    EXPECT_EQ(text_of(folder / "dot.png").size(), 69u);
}

TEST(TenonPrompt, shows_messages_with_their_roles) {
    EXPECT_EQ(with_everything({"prompt", "letter", "to=Ada", "tone=kind"}).out,
              "user:\nWrite a kind letter to Ada.\nassistant:\nDear Ada,\n");
    EXPECT_EQ(with_everything({"prompt", "letter", "to=Ada", "--json"}).document().at("messages").as_array().size(),
              2u);
    const Ran missing = with_everything({"prompt", "letter"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(has(missing.err, "the argument `to` is missing: Whom")) << missing.err;
    EXPECT_TRUE(has(with_everything({"prompt", "letter", "ot=x"}).err, "did you mean `to`?"));
    EXPECT_TRUE(has(with_everything({"prompt", "leter"}).err, "did you mean `letter`?"));
}

TEST(TenonComplete, suggests_values) {
    EXPECT_EQ(with_everything({"complete", "prompt:letter", "to", "a"}).out, "ada\nalan\n");
    EXPECT_EQ(with_everything({"complete", "note://{folder}/{name}", "folder", "b"}).out, "basement\n");
    EXPECT_EQ(with_everything({"complete", "prompt:letter", "tone", "", "to=ada", "--json"})
                  .document()
                  .at("completion")
                  .at("values")
                  .as_array()
                  .size(),
              2u);
    EXPECT_EQ(with_everything({"complete", "letter", "to"}).status, 2);
    EXPECT_EQ(with_everything({"complete", "prompt:letter"}).status, 2);
}

// ---- watch

TEST(TenonWatch, shows_changes_and_log_messages_until_interrupted) {
    // The test server sends a change and a log message by itself.
    for (const bool as_json : {false, true}) {
        Words words = {program, "watch", "--level", "warning", "--", odd, "watched"};
        if (as_json) words.insert(words.begin() + 2, "--json");
        Child child(words);
        ASSERT_TRUE(child.pump([&] { return has(child.errors(), "Ctrl-C ends it"); })) << child.errors();
        ASSERT_EQ(child.line(), as_json ? R"({"event":"changed","list":"tools"})" : "changed tools");
        ASSERT_EQ(child.line(), as_json ? R"({"event":"log","level":"error","data":"\u001b[2J","logger":"l"})"
                                        : "error l <U+001B>[2J");
        child.signal(SIGINT);
        EXPECT_EQ(child.exit_status(), 0);
    }
}

TEST(TenonWatch, ends_with_status_3_when_the_server_exits) {
    const Ran ran = with_odd("leaves", {"watch"});
    EXPECT_EQ(ran.status, 3) << ran.err;
}

// ---- exit statuses

TEST(TenonStatus, is_2_for_usage_errors) {
    for (const Words& words : {Words{},
                               {"lsit"},
                               {"list"},
                               {"list", "nowhere"},
                               {"list", "--timeout", "x"},
                               {"list", "--nope"},
                               {"call", "--", everything},
                               {"completion", "tcsh"},
                               {"help", "nothing"}}) {
        const Ran ran = run_program(words);
        EXPECT_EQ(ran.status, 2) << ran.err;
        EXPECT_TRUE(ran.err.starts_with("tenon: ")) << ran.err;
    }
}

TEST(TenonStatus, is_3_when_the_server_cannot_be_started_or_exits) {
    EXPECT_EQ(with("/no/such/server", {"list"}).status, 3);
    EXPECT_EQ(with_odd("dies-at-once", {"list"}).status, 3);
    const Ran ran = with_odd("dies", {"call", "--yes", "t"});
    EXPECT_EQ(ran.status, 3);
    EXPECT_TRUE(has(ran.err, "exited with status 7")) << ran.err;
    EXPECT_TRUE(has(ran.err, "first line\n"))
        << "the server's last lines on standard error belong to the error: " << ran.err;
    EXPECT_FALSE(has_escapes(ran.err));
    EXPECT_EQ(run_program({"list", "--cwd", "/no/such/folder", "--", everything}).status, 3);
}

TEST(TenonStatus, is_4_for_protocol_errors_and_invalid_answers) {
    const Ran error = with_odd("error", {"call", "--yes", "t"});
    EXPECT_EQ(error.status, 4);
    EXPECT_FALSE(has_escapes(error.err)) << error.err;
    EXPECT_TRUE(has(error.err, R"({"hint":"x"})"));
    EXPECT_EQ(with_odd("nonsense", {"call", "--yes", "t"}).status, 4);
    EXPECT_EQ(with_odd("circles", {"list", "tools"}).status, 4);
    EXPECT_EQ(with_odd("circles", {"list", "tools", "--json"}).status, 4);
}

TEST(TenonCall, an_output_schema_that_is_too_expensive_fails_the_call_with_the_reason) {
    const Ran pattern = with_odd("slow-pattern", {"call", "--yes", "t", "--timeout", "20"});
    EXPECT_EQ(pattern.status, 4);
    EXPECT_TRUE(has(pattern.err, "the regular expression has a repetition above")) << pattern.err;
    const Ran text = with_odd("slow-text", {"call", "--yes", "t", "--timeout", "20"});
    EXPECT_EQ(text.status, 4);
    EXPECT_TRUE(has(text.err, "takes more work than is allowed")) << text.err;
}

TEST(TenonStatus, is_5_after_a_timeout) {
    EXPECT_EQ(with_odd("silent", {"list", "--timeout", "0.2"}).status, 5);
    const Ran ran = with_odd("slow", {"call", "--yes", "t", "--timeout", "0.2"});
    EXPECT_EQ(ran.status, 5);
    EXPECT_TRUE(has(ran.err, "--timeout")) << ran.err;
}

TEST(TenonStatus, is_130_after_an_interrupt_cancelled_the_call_and_closed_the_server) {
    Child child({program, "call", "--yes", "t", "--verbose", "--", odd, "slow"});
    ASSERT_TRUE(child.pump([&] { return has(child.errors(), "server: called"); })) << child.errors();
    child.signal(SIGINT);
    EXPECT_EQ(child.exit_status(), 130);
    const std::string errors = child.errors();
    EXPECT_LT(errors.find("server: cancelled"), errors.find("server: closed")) << errors;
    EXPECT_TRUE(has(errors, "server: closed")) << errors;
}

TEST(TenonStatus, json_option_writes_the_error_and_its_status_as_json) {
    const std::vector<std::pair<Ran, std::string>> cases = {
        {run_program({"lsit", "--json"}), "usage"},
        {with("/no/such/server", {"list", "--json"}), "connection"},
        {with_odd("error", {"call", "--yes", "t", "--json"}), "protocol"},
        {with_odd("silent", {"list", "--json", "--timeout", "0.2"}), "timeout"},
    };
    for (const auto& [ran, kind] : cases) {
        EXPECT_EQ(ran.out, "");
        EXPECT_EQ(ran.error().at("kind"), kind.c_str()) << ran.err;
        EXPECT_EQ(ran.error().at("status"), ran.status);
        EXPECT_FALSE(has_escapes(ran.err));
    }
    EXPECT_EQ(cases[2].first.error().at("code"), -32602);
}

TEST(TenonStatus, every_command_writes_its_errors_as_json) {
    for (const Words& command : {Words{"list"},
                                 {"call", "t"},
                                 {"read", "a://b"},
                                 {"prompt", "p"},
                                 {"complete", "prompt:p", "a"},
                                 {"tasks"},
                                 {"watch"},
                                 {"check", "--plan"},
                                 {"bench"}}) {
        Words words = command;
        words.emplace_back("-j");
        const Ran ran = with("/no/such/server", words);
        EXPECT_EQ(ran.status, 3) << command.front();
        ASSERT_TRUE(ran.err.starts_with("{\"error\":")) << command.front() << ": " << ran.err;
        EXPECT_EQ(ran.error().at("status"), 3) << command.front();
        EXPECT_EQ(ran.out, "") << command.front();
    }
    const Ran check = with("/no/such/server", {"check", "-j"});
    EXPECT_EQ(check.document().at("status"), 3) << "a report says itself that nothing could be checked";
}

TEST(TenonStatus, is_not_0_when_the_output_cannot_be_written) {
    Child child({program, "help"}, {.output = Stream::file, .output_file = "/dev/full"});
    EXPECT_EQ(child.finish(), 2);
}

// ---- servers

TEST(TenonTarget, can_be_the_name_of_a_server_in_a_configuration_file) {
    const Folder folder;
    ::setenv("TENON_TEST_WORD", "given", 1);
    std::ofstream(folder / "servers.json")
        << R"({"mcpServers": {"odd": {"command": ")" << odd
        << R"(", "args": ["environment"], "env": {"GIVEN": "${TENON_TEST_WORD}"}}, "far": {"url": "http://localhost:1/"}}})";
    const std::string file = folder / "servers.json";
    EXPECT_EQ(run_program({"call", "--yes", "odd", "t", "--config", file}).out, "given kept\n");
    EXPECT_EQ(run_program({"call", "--yes", "odd", "t", "--config", file, "--env", "GIVEN=other"}).out, "other kept\n");
    EXPECT_EQ(run_program({"list", "far", "--config", file}).status, 3);
    EXPECT_TRUE(has(run_program({"list", "odf", "--config", file}).err, "did you mean `odd`?"));
}

TEST(TenonTarget, environment_variables_are_not_inherited_unless_named) {
    ::setenv("SECRET", "x", 1);
    EXPECT_EQ(with_odd("environment", {"call", "--yes", "t"}).out, "none kept\n");
    EXPECT_EQ(with_odd("environment", {"call", "--yes", "t", "--env", "SECRET", "--env", "GIVEN=1"}).out, "1 leaked\n");
}

TEST(TenonHostile, terminal_escapes_of_a_server_are_not_printed) {
    for (const Words& words : {Words{"list"},
                               {"list", "tools"},
                               {"list", "tools", "t"},
                               {"call", "--yes", "t"},
                               {"call", "--yes", "u"},
                               {"read", "x:y"},
                               {"list", "--json"},
                               {"call", "--yes", "t", "--json"},
                               {"read", "x:y", "--json"},
                               {"list", "-v"},
                               {"call", "--yes", "t", "-v"}}) {
        const Ran ran = with_odd("escapes", words);
        EXPECT_FALSE(has_escapes(ran.out)) << ran.out;
        EXPECT_FALSE(has_escapes(ran.err)) << ran.err;
    }
    EXPECT_TRUE(has(with_odd("escapes", {"call", "--yes", "t"}).out, "<U+001B>[2J"));
    const json::value v = with_odd("escapes", {"call", "--yes", "t", "--json"}).document();
    EXPECT_TRUE(std::string_view(v.at("content").as_array().at(0).at("text").as_string()).starts_with("\x1b[2J"))
        << "--json keeps the original text";
}

TEST(TenonHostile, floods_of_notifications_and_large_answers_are_handled) {
    EXPECT_EQ(with_odd("flood", {"call", "--yes", "t"}).out, "ok\n");
    EXPECT_EQ(with_odd("flood", {"call", "--yes", "t", "-v"}).out, "ok\n");
    EXPECT_EQ(with_odd("large", {"call", "--yes", "t"}).out.size(), 5'000'001u);
}

TEST(TenonHostile, a_server_that_ignores_its_closed_input_is_killed) {
    EXPECT_EQ(with_odd("stubborn", {"call", "--yes", "t"}).out, "ok\n") << "the server would run for ever";
}

TEST(TenonVerbose, shows_the_servers_standard_error) {
    EXPECT_FALSE(has(with_odd("slow", {"call", "--yes", "t", "-t", "0.2"}).err, "server: called"));
    EXPECT_TRUE(has(with_odd("slow", {"call", "--yes", "t", "-t", "0.2", "-v"}).err, "server: called"));
}

// ---- help

TEST(TenonHelp, is_available_for_the_program_and_each_command) {
    EXPECT_TRUE(has(run_program({"--help"}).out, "usage: tenon COMMAND"));
    EXPECT_TRUE(has(run_program({"help"}).out, "usage: tenon COMMAND"));
    EXPECT_TRUE(has(run_program({"call", "--yes", "--help"}).out, "usage: tenon call"));
    EXPECT_EQ(run_program({"help", "call"}).out, run_program({"call", "--yes", "-h"}).out);
    EXPECT_TRUE(run_program({"--version"}).out.starts_with("tenon "));
}

TEST(TenonCompletion, bash_script_completes_commands_options_and_values) {
    const Folder folder;
    std::ofstream(folder / "tenon.bash") << run_program({"completion", "bash"}).out;
    std::ofstream(folder / "use.bash") << "source " << (folder / "tenon.bash") << R"(
        COMP_WORDS=(tenon wa) COMP_CWORD=1; _tenon; echo "${COMPREPLY[@]}"
        COMP_WORDS=(tenon list --er) COMP_CWORD=2; _tenon; echo "${COMPREPLY[@]}"
        COMP_WORDS=(tenon list --era m) COMP_CWORD=3; _tenon; echo "${COMPREPLY[@]}"
        COMP_WORDS=(tenon list pro) COMP_CWORD=2; _tenon; echo "${COMPREPLY[@]}"
    )";
    Child bash({"/bin/bash", folder / "use.bash"});
    ASSERT_EQ(bash.finish(), 0) << bash.errors();
    EXPECT_EQ(bash.line(), "watch");
    EXPECT_EQ(bash.line(), "--era");
    EXPECT_EQ(bash.line(), "modern");
    EXPECT_EQ(bash.line(), "prompts");
}

}  // namespace
}  // namespace tenon::test
