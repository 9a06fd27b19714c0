#include "tools/tenon/form.hpp"

#include <gtest/gtest.h>

#include "screen.hpp"

namespace tenon::program {
namespace {

ElicitRequest request() {
    return {"Who are you?",
            json::parse(R"({"type": "object", "required": ["name", "age"], "properties": {
        "name": {"type": "string", "title": "Your name", "minLength": 2},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "news": {"type": "boolean", "default": false},
        "unit": {"type": "string", "enum": ["c", "f"], "enumNames": ["Celsius", "Fahrenheit"], "default": "c"},
        "mail": {"type": "string", "format": "email"}
    }})")
                .value()
                .as_object(),
            {}};
}

struct Outcome {
    ElicitResult result;
    std::string heard;
    bool answers_left;
    std::string content() const { return json::write(result.content); }
};

Outcome fill_in(std::deque<std::string> answers, const ElicitRequest& form = request()) {
    Person person(std::move(answers));
    ElicitResult result = ask_form(person, form, "shop");
    return {std::move(result), person.heard, person.has_answers_left()};
}

TEST(Form, each_field_is_asked_for) {
    const Outcome o = fill_in({"Ada", "36", "yes", "2", "ada@example.com", ""});
    EXPECT_EQ(o.result.action, ElicitAction::accept);
    EXPECT_EQ(o.content(), R"({"name":"Ada","age":36,"news":true,"unit":"f","mail":"ada@example.com"})");
    EXPECT_NE(o.heard.find("The server shop asks:\n| Who are you?\n"), std::string::npos) << o.heard;
    EXPECT_NE(o.heard.find("Your name: string, at least 2 characters\n"), std::string::npos);
    EXPECT_NE(o.heard.find("  1) Celsius (c)\n  2) Fahrenheit (f)\n"), std::string::npos);
    EXPECT_NE(o.heard.find("unit [c]> "), std::string::npos);
    EXPECT_NE(o.heard.find("format email, may be left out"), std::string::npos);
}

TEST(Form, empty_answers_keep_defaults_and_skip_optional_fields) {
    const Outcome o = fill_in({"Ada", "36", "", "", "", "y"});
    EXPECT_EQ(o.content(), R"({"name":"Ada","age":36,"news":false,"unit":"c"})");
}

TEST(Form, asks_again_until_the_answer_is_valid) {
    const Outcome o =
        fill_in({"", "A", "Ada", "", "old", "200", "36", "perhaps", "no", "3", "Fahrenheit", "f", "nobody", "", ""});
    EXPECT_EQ(o.content(), R"({"name":"Ada","age":36,"news":false,"unit":"f"})");
    EXPECT_NE(o.heard.find("An answer is needed"), std::string::npos);
    EXPECT_NE(o.heard.find("`age` must be of type integer, got `old`; write age=3"), std::string::npos) << o.heard;
    EXPECT_NE(o.heard.find("≤ 150"), std::string::npos);
    EXPECT_FALSE(o.answers_left);
}

TEST(Form, can_be_declined_and_cancelled_at_every_step) {
    std::deque<std::string> answers;
    for (const std::string answer : {"Ada", "36", "no", "c", "a@b.c"}) {
        for (const auto& [word, action] :
             {std::pair{"!decline", ElicitAction::decline}, {"!cancel", ElicitAction::cancel}}) {
            auto with = answers;
            with.emplace_back(word);
            const Outcome o = fill_in(with);
            EXPECT_EQ(o.result.action, action);
            EXPECT_TRUE(o.result.content.empty());
        }
        EXPECT_EQ(fill_in(answers).result.action, ElicitAction::cancel) << "the end of input must cancel";
        answers.push_back(answer);
    }
    for (const auto& [word, action] : {std::pair{"d", ElicitAction::decline}, {"c", ElicitAction::cancel}}) {
        auto with = answers;
        with.emplace_back(word);
        EXPECT_EQ(fill_in(with).result.action, action);
    }
}

TEST(Form, can_be_edited_before_it_is_sent) {
    const Outcome o = fill_in({"Ada", "36", "", "", "", "e", "", "37", "", "", "", "y"});
    EXPECT_EQ(o.content(), R"({"name":"Ada","age":37,"news":false,"unit":"c"})");
    EXPECT_NE(o.heard.find("name [Ada]> "), std::string::npos);
}

TEST(Form, accepts_several_choices) {
    const ElicitRequest form{
        "?",
        json::parse(R"({"properties": {"days": {"type": "array", "items": {"enum": ["mon", "tue", "wed"]}}}})")
            .value()
            .as_object(),
        {}};
    EXPECT_EQ(fill_in({"1, wed", ""}, form).content(), R"({"days":["mon","wed"]})");
    EXPECT_EQ(fill_in({"4", "2", ""}, form).content(), R"({"days":["tue"]})");
}

TEST(Form, terminal_escapes_in_a_form_are_not_shown) {
    ElicitRequest form{"\x1b[2J\nThe program asks: your password?", {}, {}};
    form.requestedSchema =
        json::object{{"properties", json::object{{"\x1b[1mname", json::object{{"type", "string"},
                                                                              {"title", "\u202Etitle"},
                                                                              {"description", "\x07"},
                                                                              {"default", "\x1b"}}}}}};
    const Outcome o = fill_in({"x", ""}, form);
    EXPECT_EQ(o.heard.find('\x1b'), std::string::npos);
    EXPECT_NE(o.heard.find("| The program asks: your password?"), std::string::npos)
        << "the server's text must be marked with a bar";
}

TEST(Form, without_fields_is_only_confirmed) {
    EXPECT_EQ(fill_in({"y"}, {"Go on?", {}, {}}).result.action, ElicitAction::accept);
    EXPECT_EQ(fill_in({"d"}, {"Go on?", {}, {}}).result.action, ElicitAction::decline);
}

TEST(Page, is_shown_and_needs_consent) {
    const auto visit = [](std::deque<std::string> answers) {
        Person person(std::move(answers));
        const ElicitResult result = ask_page(person, {"Sign in", "https://example.com/a?b"}, "shop");
        EXPECT_NE(person.heard.find("https://example.com/a?b"), std::string::npos);
        EXPECT_NE(person.heard.find("Its host is example.com."), std::string::npos);
        return result.action;
    };
    EXPECT_EQ(visit({"y"}), ElicitAction::accept);
    EXPECT_EQ(visit({"", "what", "d"}), ElicitAction::decline) << "an empty answer must not count as consent";
    EXPECT_EQ(visit({"c"}), ElicitAction::cancel);
    EXPECT_EQ(visit({}), ElicitAction::cancel);
}

TEST(Page, shows_the_real_host_and_warns_of_tricks) {
    const auto host = [](std::string_view url) { return url_parts(url).host; };
    EXPECT_EQ(host("https://example.com"), "example.com");
    EXPECT_EQ(host("https://example.com:8443/x"), "example.com:8443");
    EXPECT_EQ(host("https://good.com@evil.com/good.com"), "evil.com");
    EXPECT_EQ(host("https://good.com:x@y@evil.com"), "evil.com");
    EXPECT_EQ(host("https://evil.com\\@good.com"), "evil.com") << "browsers treat the backslash as a slash";
    EXPECT_EQ(host("https://evil.com?@good.com"), "evil.com");
    EXPECT_EQ(url_parts("https://example.com").warning, "");
    for (const std::string_view url : {"http://example.com", "https://a@b.com", "https://xn--pple-43d.com",
                                       "https://\u0430pple.com", "javascript:x"})
        EXPECT_NE(url_parts(url).warning, "") << url;
    for (const std::string_view url : {"https://a@b:1/c?d#e", "x", "https://", ""}) {
        const UrlParts parts = url_parts(url);
        EXPECT_EQ(parts.before + parts.host + parts.after, url);
    }
}

TEST(YesOrNo, asks_again_until_the_answer_is_yes_or_no) {
    const auto ask = [](std::deque<std::string> answers, bool otherwise) {
        Person person(std::move(answers));
        return ask_yes_or_no(person, SafeText("Call it?"), otherwise);
    };
    EXPECT_TRUE(ask({"y"}, false));
    EXPECT_TRUE(ask({"maybe", "Yes "}, false));
    EXPECT_FALSE(ask({"n"}, true));
    EXPECT_FALSE(ask({""}, false));
    EXPECT_TRUE(ask({""}, true));
    EXPECT_FALSE(ask({}, true)) << "the end of input must not count as yes";
}

}  // namespace
}  // namespace tenon::program
