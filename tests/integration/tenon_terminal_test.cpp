// The real program on a terminal: colours, questions, forms, progress, Ctrl-C.
#include <gtest/gtest.h>

#include <tenon/metrics.hpp>
#include <tenon/transport/metrics_listener.hpp>

#include "support/folders.hpp"
#include "support/pty_child.hpp"

namespace tenon::test {
namespace {

const std::string program = test_folders::bin() + "/tenon";
const std::string everything = test_folders::bin() + "/everything";
const std::string odd = test_folders::bin() + "/program_child";

std::vector<std::string> words(std::vector<std::string> own, const std::string& server = everything,
                               const std::string& kind = "") {
    own.insert(own.begin(), program);
    own.insert(own.end(), {"--", server});
    if (!kind.empty()) own.push_back(kind);
    return own;
}

class TenonTerminal : public testing::Test {
 protected:
    void SetUp() override {
        ::setenv("TERM", "xterm", 1);
        ::unsetenv("NO_COLOR");
    }
};

TEST_F(TenonTerminal, uses_colours_unless_NO_COLOR_or_a_dumb_terminal) {
    PtyChild with(words({"list", "tools"}));
    EXPECT_EQ(with.finish(), 0);
    EXPECT_NE(with.output().find("\x1b[1mecho\x1b[0m"), std::string::npos) << with.output();
    for (const auto& [name, value] : {std::pair{"NO_COLOR", "1"}, {"TERM", "dumb"}}) {
        ::setenv(name, value, 1);
        PtyChild without(words({"list", "tools"}));
        EXPECT_EQ(without.finish(), 0);
        EXPECT_EQ(without.output().find('\x1b'), std::string::npos);
        SetUp();
    }
}

TEST_F(TenonTerminal, lines_fit_the_width_of_the_terminal) {
    ::setenv("NO_COLOR", "1", 1);
    for (const unsigned short width : std::array<unsigned short, 3>{40, 60, 100}) {
        PtyChild child(words({"list"}), width);
        EXPECT_EQ(child.finish(), 0);
        std::size_t begin = 0;
        for (std::size_t end; (end = child.output().find("\r\n", begin)) != std::string::npos; begin = end + 2)
            EXPECT_LE(end - begin, width) << child.output().substr(begin, end - begin);
    }
}

// rules: SEC-1, TOOL-13, TOOL-15
TEST_F(TenonTerminal, asks_before_calling_any_tool) {
    for (const auto& [answer, status] :
         {std::pair{"y\n", 0}, {"n\n", 130}, {"\n", 130}, {"\x04", 130}, {"\x03", 130}}) {
        PtyChild child(words({"call", "weather", "city=Oslo"}));
        ASSERT_TRUE(child.shows("may change or destroy things")) << child.output();
        ASSERT_TRUE(child.shows("\"city\": \"Oslo\""));
        ASSERT_TRUE(child.shows("Call it? "));
        child.type(answer);
        EXPECT_EQ(child.finish(), status) << child.output();
        EXPECT_EQ(child.output().find("sunny") != std::string::npos, status == 0);
    }
    PtyChild claims(words({"call", "echo", "message=hi"}));
    ASSERT_TRUE(claims.shows("It claims that it changes nothing.")) << "annotations are shown, but not trusted";
    ASSERT_TRUE(claims.shows("Call it? "));
    claims.type("y\n");
    EXPECT_EQ(claims.finish(), 0);
}

TEST_F(TenonTerminal, a_form_is_filled_in_field_by_field) {
    PtyChild child(words({"call", "ask_user", "--yes"}));
    ASSERT_TRUE(child.shows("asks:")) << child.output();
    ASSERT_TRUE(child.shows("Who are you?"));
    ASSERT_TRUE(child.shows("name> "));
    child.type("Ada\n");
    ASSERT_TRUE(child.shows("age> "));
    child.type("old\n");
    ASSERT_TRUE(child.shows("must be of type integer"));
    ASSERT_TRUE(child.shows("age> "));
    child.type("36\n");
    ASSERT_TRUE(child.shows("subscribe [false]> "));
    child.type("\n");
    ASSERT_TRUE(child.shows("1) celsius"));
    ASSERT_TRUE(child.shows("unit [celsius]> "));
    child.type("2\n");
    ASSERT_TRUE(child.shows("Send this?"));
    child.type("y\n");
    EXPECT_TRUE(child.shows("Ada is 36")) << child.output();
    EXPECT_EQ(child.finish(), 0);
}

TEST_F(TenonTerminal, a_form_can_be_declined_and_cancelled) {
    for (const std::string answer : {"!decline\n", "!cancel\n", "\x04"}) {
        PtyChild child(words({"call", "ask_user", "--yes"}));
        ASSERT_TRUE(child.shows("name> ")) << child.output();
        child.type(answer);
        EXPECT_TRUE(child.shows("no answer")) << child.output();
        EXPECT_EQ(child.finish(), 0);
    }
}

TEST_F(TenonTerminal, ctrl_c_ends_a_form) {
    PtyChild child(words({"call", "ask_user", "--yes"}));
    ASSERT_TRUE(child.shows("name> ")) << child.output();
    child.type("\x03");
    EXPECT_EQ(child.finish(), 130) << child.output();
}

TEST_F(TenonTerminal, shows_the_url_and_asks_for_consent_before_a_url_elicitation) {
    PtyChild yes(words({"call", "ask_page", "--yes"}));
    ASSERT_TRUE(yes.shows("https://\x1b[1mexample.com\x1b[0m/sign-in")) << yes.output();
    ASSERT_TRUE(yes.shows("[y] I will"));
    yes.type("y\n");
    EXPECT_TRUE(yes.shows("signed in")) << yes.output();
    EXPECT_EQ(yes.finish(), 0);
    PtyChild no(words({"call", "ask_page", "--yes"}));
    ASSERT_TRUE(no.shows("[y] I will"));
    no.type("d\n");
    EXPECT_TRUE(no.shows("not signed in")) << no.output();
    EXPECT_EQ(no.finish(), 0);
}

TEST_F(TenonTerminal, shows_a_progress_bar_and_erases_it_before_the_result) {
    PtyChild child(words({"call", "count", "to=4", "--yes"}));
    EXPECT_TRUE(child.shows("25% at 1")) << child.output();
    EXPECT_TRUE(child.shows("100% at 4")) << child.output();
    EXPECT_TRUE(child.shows("\r\x1b[K")) << "the progress bar is erased before the result is shown";
    EXPECT_TRUE(child.shows("counted to 4\r\n")) << child.output();
    EXPECT_EQ(child.finish(), 0);
    PtyChild quiet(words({"call", "count", "to=4", "--yes", "--quiet"}));
    EXPECT_EQ(quiet.finish(), 0);
    EXPECT_EQ(quiet.output().find("at 1"), std::string::npos);
}

TEST_F(TenonTerminal, shows_a_spinner_when_progress_has_no_total) {
    PtyChild child(words({"call", "t", "--yes"}, odd, "spins"));
    EXPECT_TRUE(child.shows("| 7 wor<U+001B>[2J")) << child.output();
    EXPECT_TRUE(child.shows("ok\r\n"));
    EXPECT_EQ(child.finish(), 0);
    EXPECT_EQ(child.output().find("\x1b[2J"), std::string::npos);
}

TEST_F(TenonTerminal, ctrl_c_cancels_a_call) {
    PtyChild child(words({"call", "count", "to=100000", "delay_ms=20", "--yes"}));
    ASSERT_TRUE(child.shows("at 1")) << child.output();
    child.type("\x03");
    EXPECT_EQ(child.finish(), 130) << child.output();
}

TEST_F(TenonTerminal, a_second_ctrl_c_exits_at_once) {
    PtyChild child(words({"call", "t", "--yes", "--verbose"}, odd, "stubborn-call"));
    ASSERT_TRUE(child.shows("called")) << child.output();
    child.type("\x03");
    ASSERT_TRUE(child.shows("closed")) << child.output();
    child.type("\x03");
    EXPECT_EQ(child.finish(), 130) << child.output();
}

TEST_F(TenonTerminal, top_fills_the_screen_again_and_again_until_ctrl_c) {
    ::setenv("NO_COLOR", "1", 1);
    const auto metrics = std::make_shared<Metrics>();
    const auto call = [&](const std::string& tool) {
        Operation o;
        o.method = "tools/call";
        o.name = tool;
        o.known_method = o.known_name = true;
        o.took = std::chrono::seconds(1);
        metrics->record(o);
    };
    for (int i = 0; i < 41; ++i) call("tool-" + std::to_string(i));
    std::optional<MetricsListener> listener(std::in_place, metrics, MetricsAddress{.port = 0});
    PtyChild child({program, "top", listener->url(), "--interval", "0.01"});
    EXPECT_TRUE(child.shows("and 26 faster ones")) << "a screen has 24 lines: " << child.output();
    call("later");
    EXPECT_TRUE(child.shows("later")) << child.output();
    listener.reset();
    EXPECT_TRUE(child.shows("trying again")) << child.output();
    child.type("\x03");
    EXPECT_EQ(child.finish(), 0) << child.output();
}

TEST_F(TenonTerminal, watches_until_ctrl_c) {
    PtyChild child(words({"watch"}, odd, "watched"));
    EXPECT_TRUE(child.shows("changed ")) << child.output();
    EXPECT_TRUE(child.shows("tools"));
    child.type("\x03");
    EXPECT_EQ(child.finish(), 0);
}

}  // namespace
}  // namespace tenon::test
