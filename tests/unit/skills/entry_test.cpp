#include "skills/entry.hpp"

#include <gtest/gtest.h>

#include "skills/frontmatter.hpp"

namespace tenon::skills {
namespace {

const std::string some_digest = "sha256:" + std::string(64, 'a');

json::object entry() {
    return {{"uri", "skill://acme/refunds/SKILL.md"},
            {"frontmatter", {{"name", "refunds"}, {"description", "Refunds customers"}}},
            {"resources",
             {{{"uri", "skill://acme/refunds/SKILL.md"}, {"digest", some_digest}, {"size", 10}},
              {{"uri", "skill://acme/refunds/a/b.md"}, {"digest", some_digest}, {"size", 0}}}}};
}

std::string problem_of(const json::object& o, SkillLimits limits = {}) { return read_entry(o, limits).problem; }

TEST(SkillEntry, a_valid_entry_is_read_and_written_unchanged) {
    const Skill skill = read_entry(entry(), {});
    EXPECT_EQ(skill.problem, "");
    EXPECT_EQ(skill.name(), "refunds");
    EXPECT_EQ(skill.root(), "skill://acme/refunds");
    EXPECT_EQ(skill.resources.size(), 2U);
    EXPECT_EQ(json::value(write_entry(skill)), json::value(entry()));
}

TEST(SkillEntry, a_dynamic_entry_has_no_files) {
    json::object o = entry();
    o["resources"] = "dynamic";
    const Skill skill = read_entry(o, {});
    EXPECT_EQ(skill.problem, "");
    EXPECT_TRUE(skill.dynamic);
    EXPECT_EQ(json::value(write_entry(skill)), json::value(o));
}

TEST(SkillEntry, an_entry_that_breaks_a_rule_has_a_problem) {
    const auto changed = [](auto change) {
        json::object o = entry();
        change(o);
        return problem_of(o);
    };
    EXPECT_NE(problem_of({}), "");
    EXPECT_NE(changed([](auto& o) { o.erase("resources"); }), "");
    EXPECT_NE(changed([](auto& o) { o["resources"] = "static"; }), "");
    EXPECT_NE(changed([](auto& o) { o["uri"] = "skill://acme/refunds"; }), "");
    EXPECT_NE(changed([](auto& o) { o["uri"] = "skill://acme/other/SKILL.md"; }), "");
    EXPECT_NE(changed([](auto& o) { o["frontmatter"].as_object().erase("description"); }), "");
    EXPECT_NE(changed([](auto& o) { o["frontmatter"].as_object()["name"] = "Refunds"; }), "");
    EXPECT_NE(changed([](auto& o) { o["resources"].as_array().erase(o["resources"].as_array().begin()); }), "");
    const auto file = [&](auto change) {
        return changed([&](auto& o) { change(o["resources"].as_array()[1].as_object()); });
    };
    EXPECT_NE(file([](auto& f) { f["uri"] = "skill://acme/other/b.md"; }), "");
    EXPECT_NE(file([](auto& f) { f["uri"] = "skill://acme/refunds/../x"; }), "");
    EXPECT_NE(file([](auto& f) { f["uri"] = "skill://acme/refunds/SKILL.md"; }), "");
    EXPECT_NE(file([](auto& f) { f["digest"] = "sha256:ABC"; }), "");
    EXPECT_NE(file([](auto& f) { f["size"] = -1; }), "");
    EXPECT_NE(file([](auto& f) { f["size"] = 1.5; }), "");
    EXPECT_NE(file([](auto& f) { f.erase("size"); }), "");
}

TEST(SkillEntry, limits_are_checked_before_a_file_is_read) {
    EXPECT_NE(problem_of(entry(), {.max_files = 1}).find("max_files"), std::string::npos);
    EXPECT_NE(problem_of(entry(), {.max_skill_bytes = 9}).find("max_skill_bytes"), std::string::npos);
    EXPECT_EQ(problem_of(entry(), {.max_files = 2, .max_skill_bytes = 10}), "");
}

TEST(SkillEntry, names_follow_the_rules_of_agent_skills) {
    const auto valid = [](const std::string& name) {
        return check_frontmatter({{"name", name}, {"description", "x"}}, name).has_value();
    };
    EXPECT_TRUE(valid("a"));
    EXPECT_TRUE(valid("pdf-2-text"));
    EXPECT_TRUE(valid(std::string(64, 'a')));
    for (const std::string& name : {std::string(), std::string(65, 'a'), std::string("-a"), std::string("a-"),
                                    std::string("a--b"), std::string("A"), std::string("a_b"), std::string("é")})
        EXPECT_FALSE(valid(name)) << name;
    EXPECT_FALSE(check_frontmatter({{"name", "a"}, {"description", std::string(1025, 'x')}}, "a"));
    EXPECT_FALSE(check_frontmatter({{"name", "a"}, {"description", "x"}}, "b"));
}

TEST(SkillEntry, content_must_have_the_size_and_the_digest_of_its_entry) {
    const SkillResource expected{"skill://a/SKILL.md", digest_of("hello"), 5};
    EXPECT_EQ(expected.digest, "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    EXPECT_TRUE(check_content(expected, "hello"));
    EXPECT_NE(check_content(expected, "hell").error().message.find("4 bytes"), std::string::npos);
    EXPECT_NE(check_content(expected, "hellO").error().message.find("digest"), std::string::npos);
}

TEST(SkillEntry, only_paths_that_stay_inside_and_show_all_characters_are_safe) {
    EXPECT_TRUE(is_safe_path("references/FORMS.md"));
    EXPECT_TRUE(is_safe_path("a b/é.md"));
    for (const char* path : {"", "/a", "a/", "a//b", "../a", "a/./b", "a\\b", "a\nb", "a\u202Eb", "a\xff", "a\u200Bb"})
        EXPECT_FALSE(is_safe_path(path)) << path;
    EXPECT_EQ(uri_of("acme/a b/é.md"), "skill://acme/a%20b/%C3%A9.md");
}

TEST(SkillEntry, text_that_a_filter_could_change_is_not_plain_text) {
    EXPECT_TRUE(is_plain_text("a\tb\r\n\U0001F600"));
    EXPECT_FALSE(is_plain_text("\x1b[2J"));
    EXPECT_FALSE(is_plain_text("\u009b"));
    EXPECT_FALSE(is_plain_text("\xff"));
    EXPECT_EQ(mime_type_of("a/b.md", true), "text/markdown");
    EXPECT_EQ(mime_type_of("LICENSE", true), "text/plain");
    EXPECT_EQ(mime_type_of("data", false), "application/octet-stream");
}

TEST(SkillFrontmatter, stands_between_two_lines_of_hyphens) {
    const std::string fields = R"({"name":"a","description":"b"})";
    for (const char* file :
         {"---\nname: a\ndescription: b\n---\nBody", "---\r\nname: a\r\ndescription: b\r\n---\r\n",
          "\xEF\xBB\xBF---\nname: a\ndescription: b\n---", "---\nname: a\ndescription: b\n--- \n---\n"}) {
        const auto frontmatter = read_frontmatter(file, {});
        ASSERT_TRUE(frontmatter) << frontmatter.error().message;
        EXPECT_EQ(json::write(*frontmatter), fields);
    }
    for (const char* file :
         {"", "name: a", "---", "---\nname: a\n", "---\n- a\n---\n", " ---\nname: a\n---\n", "---\na: [\n---"})
        EXPECT_FALSE(read_frontmatter(file, {})) << file;
    EXPECT_FALSE(read_frontmatter("---\nname: abcdefgh\n---\n", {.max_frontmatter_bytes = 10}));
}

TEST(SkillFrontmatter, comparison_ignores_order_and_the_form_of_numbers) {
    const auto same = [](std::string_view a, std::string_view b) {
        return same_frontmatter(json::parse(a).value(), json::parse(b).value());
    };
    EXPECT_TRUE(same(R"({"a":1,"b":[{"c":1.0}]})", R"({"b":[{"c":1}],"a":1.0})"));
    EXPECT_FALSE(same(R"({"a":1})", R"({"a":"1"})"));
    EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":2})"));
    EXPECT_FALSE(same(R"({"a":[1,2]})", R"({"a":[2,1]})"));
}

}  // namespace
}  // namespace tenon::skills
