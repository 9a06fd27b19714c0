// The program `tenon check`: its exit status, formats and baseline. It checks clients, because that is fast.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <tenon/json.hpp>

#include "support/folders.hpp"
#include "support/pty_child.hpp"
#include "support/run_program.hpp"

namespace tenon::test {
namespace {

const std::string program = test_folders::bin() + "/tenon";
const std::string client = test_folders::bin() + "/client_mutant";

using Words = std::vector<std::string>;

Ran run(Words words) {
    words.insert(words.begin(), "check");
    return run_program(std::move(words));
}

Ran check(const std::string& rule, Words options) {
    options.insert(options.end(), {"--client", "--", client, rule, "{server}"});
    return run(std::move(options));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class TenonCheck : public testing::Test {
 protected:
    TenonCheck() {
        std::string name = (std::filesystem::temp_directory_path() / "tenon-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~TenonCheck() override { std::filesystem::remove_all(folder_); }
    std::string file(std::string_view name) const { return (folder_ / name).string(); }
    std::string text_of(std::string_view name) const {
        std::ifstream in(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

 private:
    std::filesystem::path folder_;
};

TEST_F(TenonCheck, exit_status_tells_whether_a_rule_is_broken) {
    const Ran good = check("none", {}), bad = check("RPC-1.client-version", {});
    EXPECT_EQ(good.status, 0) << good.out << good.err;
    EXPECT_TRUE(has(good.out, "\n0 failed, ")) << good.out;
    EXPECT_EQ(bad.status, 1) << bad.err;
    EXPECT_TRUE(has(bad.out, "FAIL RPC-1.client-version 2025-11-25\n")) << bad.out;
    EXPECT_TRUE(has(bad.out, "repeat: tenon check --client -- ")) << bad.out;
    EXPECT_TRUE(check("RPC-1.client-version", {"--quiet"}).out.starts_with("FAIL RPC-1.client-version"));
}

TEST_F(TenonCheck, a_client_that_never_connects_cannot_be_checked) {
    EXPECT_EQ(run({"--client", "--", "/bin/true", "{server}"}).status, 3);
    EXPECT_EQ(run({"--client", "--", "/no/such/program", "{url}"}).status, 3);
    EXPECT_EQ(run({"--client", "--", "/bin/true"}).status, 2) << "no argument tells the client where its server is";
}

TEST_F(TenonCheck, writes_all_formats_at_once) {
    const Ran ran =
        check("RPC-1.client-version", {"--json", "--junit", file("x"), "--sarif", file("s"), "--html", file("h")});
    EXPECT_EQ(ran.status, 1);
    const json::value document = json::parse(ran.out).value();
    EXPECT_EQ(document.at("status"), 1);
    EXPECT_EQ(document.at("name"), "mutant");
    EXPECT_TRUE(has(text_of("x"), "<failure type=\"critical\""));
    EXPECT_EQ(json::parse(text_of("s")).value().at("runs").at(0).at("results").as_array().size(), 1u);
    EXPECT_TRUE(text_of("h").starts_with("<!doctype html>"));
    EXPECT_EQ(check("none", {"--html", "-", "--json"}).status, 2) << "two reports want standard output";
}

// A check may take minutes, so a report that cannot be written is noticed before the check.
TEST_F(TenonCheck, a_file_that_cannot_be_written_is_an_error_before_anything_is_started) {
    std::filesystem::create_symlink(file("target"), file("link"));
    const std::string started = file("started");
    const Words command = {"--client", "--", "/bin/sh", "-c", "touch " + started, "{server}"};
    for (const std::string& path : {file("no/such/folder"), file("."), file("link"), std::string("/proc/report")})
        for (const char* option : {"--html", "--sarif", "--junit", "--write-baseline"}) {
            Words words = {option, path};
            words.insert(words.end(), command.begin(), command.end());
            const Ran ran = run(words);
            EXPECT_EQ(ran.status, 2) << option << path;
            EXPECT_TRUE(has(ran.err, "cannot write " + path)) << ran.err;
            EXPECT_TRUE(has(ran.err, "nothing was checked")) << ran.err;
        }
    EXPECT_FALSE(std::filesystem::exists(started));
    EXPECT_EQ(check("none", {"--html", file("h"), "--only", "RPC-1"}).status, 0);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(started).parent_path()))
        files += entry.path().filename() == "h" || entry.path().filename() == "link" ? 0U : 1U;
    EXPECT_EQ(files, 0U) << "a trial must leave no file";
}

TEST_F(TenonCheck, a_baseline_accepts_only_known_failures) {
    const std::string known = file("known.json");
    EXPECT_EQ(check("RPC-1.client-version", {"--write-baseline", known}).status, 0);
    EXPECT_EQ(check("RPC-1.client-version", {"--baseline", known}).status, 0);
    EXPECT_EQ(check("RPC-3.client-id", {"--baseline", known}).status, 1);
    const Ran fixed = check("none", {"--baseline", known});
    EXPECT_EQ(fixed.status, 1);
    EXPECT_TRUE(has(fixed.out, "FIXED RPC-1.client-version@2025-11-25: take it off the baseline")) << fixed.out;
    EXPECT_EQ(check("none", {"--baseline", file("nothing")}).status, 2);
}

TEST_F(TenonCheck, a_fleet_has_one_row_for_each_server_and_all_formats) {
    const std::string everything = test_folders::bin() + "/everything";
    std::ofstream(file("servers.json")) << R"({"mcpServers":{"good":{"command":")" << everything
                                        << R"("},"gone":{"command":"/no/such/server"},"unset":{"command":"x",)"
                                        << R"("env":{"A":"${TENON_TEST_NOT_SET}"}}}})";
    const Ran ran = run({"--fleet", file("servers.json"), "--trust", "--only", "RPC-1", "--json", "--html", file("h"),
                         "--sarif", file("s"), "--junit", file("x"), "--write-baseline", file("b")});
    EXPECT_EQ(ran.status, 3) << ran.err;
    const json::value document = json::parse(ran.out).value();
    ASSERT_EQ(document.at("servers").as_array().size(), 3u);
    EXPECT_EQ(document.at("servers").at(0).at("result"), "ok");
    EXPECT_EQ(document.at("servers").at(1).at("result"), "not checked");
    EXPECT_TRUE(has(std::string(document.at("servers").at(2).at("incomplete").as_string()), "TENON_TEST_NOT_SET"));
    EXPECT_EQ(json::parse(text_of("s")).value().at("runs").as_array().size(), 3u);
    EXPECT_TRUE(has(text_of("h"), "href=\"#server-3\">unset</a>"));
    EXPECT_TRUE(has(text_of("x"), "name=\"good: RPC\""));
    const Ran again = run({"--fleet", file("servers.json"), "--trust", "--only", "RPC-1", "--since", file("b")});
    EXPECT_TRUE(has(again.out, "3 servers: 1 ok, 2 not checked to the end")) << again.out << again.err;
    EXPECT_EQ(run({"--fleet", file("servers.json"), "--", everything}).status, 2) << "the file has the servers";
}

TEST_F(TenonCheck, shows_changes_since_a_baseline) {
    const std::string known = file("known.json");
    EXPECT_EQ(check("RPC-1.client-version", {"--write-baseline", known}).status, 0);
    const Ran fixed = check("none", {"--since", known});
    EXPECT_EQ(fixed.status, 0) << fixed.out;
    EXPECT_TRUE(has(fixed.out, "fixed: RPC-1.client-version@2025-11-25\n")) << fixed.out;
    const Ran other = check("RPC-3.client-id", {"--since", known});
    EXPECT_EQ(other.status, 1);
    EXPECT_TRUE(has(other.out, "new: RPC-3.client-id@2025-11-25\n")) << other.out;
    EXPECT_EQ(check("none", {"--since", known, "--baseline", known}).status, 2);
}

TEST_F(TenonCheck, lists_and_explains_its_rules) {
    const Ran list = run({"--list", "--json", "--client"});
    EXPECT_EQ(list.status, 0);
    EXPECT_GT(json::parse(list.out).value().at("rules").as_array().size(), 25u);
    EXPECT_TRUE(has(run({"--list", "--only", "HTTP-10"}).out, "HTTP-10.client-delete"));
    EXPECT_TRUE(has(run({"--list", "--only", "http-10"}).out, "HTTP-10.client-delete"));
    const Ran page = run({"--explain", "http-10.CLIENT-delete"});
    EXPECT_TRUE(has(page.out, "\nRIGHT\n    DELETE with Mcp-Session-Id: session-1\n")) << page.out;
    const Ran wrong = run({"--explain", "HTTP-10.client-delte"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_TRUE(has(wrong.err, "did you mean `HTTP-10.client-delete`?")) << wrong.err;
}

TEST_F(TenonCheck, shows_progress_on_a_terminal) {
    ::setenv("TERM", "xterm", 1);
    PtyChild child({program, "check", "--client", "--", client, "RPC-1.client-version", "{server}"});
    EXPECT_EQ(child.finish(), 1);
    EXPECT_NE(child.output().find("] "), std::string::npos) << child.output();
    EXPECT_NE(child.output().find("\x1b[31mFAIL"), std::string::npos) << child.output();
}

}  // namespace
}  // namespace tenon::test
