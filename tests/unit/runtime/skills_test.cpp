// Skills through the public API: folders, skills by hand, and a client and a server in one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/skills_client.hpp>
#include <tenon/transport/memory.hpp>

#include "support/temporary_folder.hpp"

namespace tenon {
namespace {

namespace fs = std::filesystem;

std::string main_file(const std::string& name, const std::string& more = "") {
    return "---\nname: " + name + "\ndescription: About " + name + "\n" + more + "---\nBody of " + name + ".\n";
}

std::string refusal(const std::function<void()>& f) {
    try {
        f();
    } catch (const Exception& e) {
        return e.error().message;
    }
    return "none";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct Skills : testing::Test {
    Skills() {
        folder.write("skills/pdf/SKILL.md", main_file("pdf", "metadata:\n  version: \"1.0\"\n"));
        folder.write("skills/pdf/references/FORMS.md", "Forms.\n");
        folder.write("skills/pdf/logo.bin", std::string("\x89\x00\xff", 3));
        folder.write("skills/acme/refunds/SKILL.md", main_file("refunds"));
        folder.write("skills/notes.txt", "not part of a skill");
        folder.write("skills/pdf/.git/config", "hidden");
    }
    std::string root() const { return (folder / "skills").string(); }
    std::string refused() {
        return refusal([this] { server.skills(root()); });
    }
    Client& client() {
        if (!client_) client_ = std::make_unique<Client>(memory_transport(server));
        return *client_;
    }

    test::TemporaryFolder folder;
    Server server{"test", "1"};
    std::unique_ptr<Client> client_;
};

TEST_F(Skills, a_folder_publishes_every_folder_with_a_skill_file) {
    server.skills(root());
    SkillsClient skills(client());
    EXPECT_TRUE(skills.offered());
    const std::vector<Skill> all = skills.list().all();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].uri, "skill://acme/refunds/SKILL.md");
    EXPECT_EQ(all[1].uri, "skill://pdf/SKILL.md");
    EXPECT_EQ(all[1].frontmatter.at("metadata").at("version").as_string(), "1.0");
    ASSERT_EQ(all[1].resources.size(), 3U);
    EXPECT_EQ(all[1].resources[2].uri, "skill://pdf/references/FORMS.md");
    EXPECT_EQ(all[1].resources[2].size, 7U);
    EXPECT_EQ(skills.get("skill://pdf/SKILL.md"), all[1]);
    for (const Skill& skill : all) EXPECT_EQ(skill.problem, "");
}

TEST_F(Skills, a_loaded_skill_reads_and_verifies_its_files) {
    server.skills(root());
    SkillsClient skills(client());
    LoadedSkill pdf = skills.load(skills.get("skill://pdf/SKILL.md"));
    EXPECT_TRUE(contains(pdf.text(), "Body of pdf."));
    EXPECT_EQ(pdf.read("references/FORMS.md"), "Forms.\n");
    EXPECT_EQ(pdf.read("logo.bin"), std::string("\x89\x00\xff", 3));
    EXPECT_EQ(pdf.files(), (std::vector<std::string>{"SKILL.md", "logo.bin", "references/FORMS.md"}));
    EXPECT_TRUE(contains(refusal([&] { pdf.read("other.md"); }), "is not in its entry"));
    EXPECT_TRUE(contains(refusal([&] { pdf.read("../acme/refunds/SKILL.md"); }), "is not a path within it"));
}

TEST_F(Skills, files_are_resources_with_the_name_and_description_of_the_skill) {
    server.skills(root());
    std::vector<Resource> all = client().list_resources().all();
    const auto main = std::ranges::find(all, "skill://pdf/SKILL.md", &Resource::uri);
    ASSERT_NE(main, all.end());
    EXPECT_EQ(main->name, "pdf");
    EXPECT_EQ(main->description, "About pdf");
    EXPECT_EQ(main->mimeType, "text/markdown");
    EXPECT_EQ(client().read_resource("skill://pdf/logo.bin").contents[0].blob, std::string("\x89\x00\xff", 3));
    EXPECT_EQ(std::ranges::find(all, "skill://notes.txt", &Resource::uri), all.end());
}

TEST_F(Skills, folders_are_listed_page_by_page) {
    server.skills(root());
    SkillsClient skills(client());
    const std::vector<Resource> children = skills.read_folder("skill://pdf");
    ASSERT_EQ(children.size(), 3U);
    EXPECT_EQ(children[2].uri, "skill://pdf/references");
    EXPECT_EQ(children[2].mimeType, "inode/directory");
    EXPECT_EQ(skills.read_folder("skill://pdf/references").at(0).name, "FORMS.md");
    for (const char* uri : {"skill://pdf/SKILL.md", "skill://acme", "skill://none", "skill://pdf/"})
        EXPECT_TRUE(contains(refusal([&] { skills.read_folder(uri); }), "directory resource")) << uri;
}

TEST_F(Skills, an_unknown_skill_is_refused) {
    server.skills(root());
    SkillsClient skills(client());
    EXPECT_TRUE(contains(refusal([&] { skills.get("skill://none/SKILL.md"); }), "no skill is served at"));
    EXPECT_TRUE(contains(refusal([&] { skills.get("skill://pdf/logo.bin"); }), "no skill is served at"));
}

TEST_F(Skills, a_server_without_skills_does_not_offer_them) {
    server.tool("t", "Does nothing", [] {});
    SkillsClient skills(client());
    EXPECT_FALSE(skills.offered());
    EXPECT_TRUE(contains(refusal([&] { skills.list(); }), "does not offer skills"));
}

TEST_F(Skills, publishing_a_folder_again_replaces_its_skills) {
    server.skills(root());
    SkillsClient skills(client());
    const Skill before = skills.get("skill://pdf/SKILL.md");
    folder.write("skills/pdf/references/FORMS.md", "Other.\n");
    fs::remove_all(folder / "skills/acme");
    server.skills(root());
    EXPECT_EQ(skills.list().all().size(), 1U);
    LoadedSkill old = skills.load(before);
    EXPECT_TRUE(contains(refusal([&] { old.read("references/FORMS.md"); }), "digest"));
    EXPECT_EQ(skills.load(skills.get(before.uri)).read("references/FORMS.md"), "Other.\n");
    EXPECT_TRUE(contains(refusal([&] { client().read_resource("skill://acme/refunds/SKILL.md"); }), "not found"));
}

TEST_F(Skills, nested_skills_are_skills_and_files_of_the_outer_skill) {
    folder.write("skills/pdf/inner/SKILL.md", main_file("inner"));
    server.skills(root(), {.prefix = "team/a"});
    SkillsClient skills(client());
    EXPECT_EQ(skills.get("skill://team/a/pdf/SKILL.md").resources.size(), 4U);
    EXPECT_EQ(skills.get("skill://team/a/pdf/inner/SKILL.md").resources.size(), 1U);
    EXPECT_TRUE(server.remove_skill("skill://team/a/pdf/SKILL.md"));
    EXPECT_FALSE(server.remove_skill("skill://team/a/pdf/SKILL.md"));
    EXPECT_EQ(client().read_resource("skill://team/a/pdf/inner/SKILL.md").contents.size(), 1U);
    EXPECT_TRUE(contains(refusal([&] { client().read_resource("skill://team/a/pdf/logo.bin"); }), "not found"));
}

TEST_F(Skills, the_folder_itself_may_be_the_skill) {
    server.skills((folder / "skills/pdf").string());
    EXPECT_EQ(SkillsClient(client()).list().all().at(0).uri, "skill://pdf/SKILL.md");
}

TEST_F(Skills, links_out_of_the_folder_are_refused) {
    folder.write("secret.txt", "SECRET");
    fs::create_symlink(folder / "secret.txt", folder / "skills/pdf/link.txt");
    EXPECT_TRUE(contains(refused(), "`pdf/link.txt` is not a file of the folder"));
}

TEST_F(Skills, links_to_folders_are_refused_and_links_to_files_inside_are_followed) {
    fs::create_symlink("FORMS.md", folder / "skills/pdf/references/same.md");
    EXPECT_EQ(refused(), "none");
    fs::create_symlink("..", folder / "skills/pdf/references/up");
    EXPECT_TRUE(contains(refused(), "a link to a folder"));
}

TEST_F(Skills, hidden_characters_in_names_are_refused) {
    folder.write("skills/pdf/a\u202Etxt.exe", "x");
    EXPECT_TRUE(contains(refused(), "hidden characters"));
    EXPECT_FALSE(contains(refused(), "\u202E"));
}

TEST_F(Skills, a_broken_skill_file_is_refused_with_its_reason) {
    const auto with = [this](const std::string& text) {
        folder.write("skills/pdf/SKILL.md", text);
        return refused();
    };
    EXPECT_TRUE(contains(with("no frontmatter"), "has no frontmatter"));
    EXPECT_TRUE(contains(with("---\nname: pdf\nname: pdf\n---\n"), "line 2 repeats a key"));
    EXPECT_TRUE(contains(with("---\nname: other\ndescription: x\n---\n"), "but its folder is `pdf`"));
    EXPECT_TRUE(contains(with("---\nname: pdf\n---\n"), "needs a `description`"));
    EXPECT_TRUE(contains(with(main_file("pdf") + "\x1b[2J"), "control characters"));
    EXPECT_TRUE(contains(with(main_file("pdf") + "\xff"), "not text"));
}

TEST_F(Skills, limits_of_folders_are_enforced) {
    const auto limited = [this](SkillLimits limits) {
        return refusal([&] { server.skills(root(), {.limits = limits}); });
    };
    EXPECT_TRUE(contains(limited({.max_files = 2}), "max_files"));
    EXPECT_TRUE(contains(limited({.max_skill_bytes = 60}), "max_skill_bytes"));
    EXPECT_TRUE(contains(limited({.max_skills = 1}), "max_skills"));
    EXPECT_TRUE(contains(limited({.max_folder_bytes = 100}), "max_folder_bytes"));
    EXPECT_TRUE(contains(limited({.max_folder_depth = 1}), "max_folder_depth"));
    EXPECT_TRUE(contains(limited({.max_frontmatter_bytes = 10}), "max_frontmatter_bytes"));
    EXPECT_EQ(limited({}), "none");
}

TEST_F(Skills, a_refused_folder_leaves_the_skills_as_they_were) {
    server.skills(root());
    folder.write("skills/pdf/SKILL.md", "broken");
    EXPECT_NE(refused(), "none");
    EXPECT_EQ(SkillsClient(client()).list().all().size(), 2U);
    server.resource("skill://new/SKILL.md", "taken", [] { return "mine"; });
    EXPECT_NE(refusal([&] { server.skill("new", {{.path = "SKILL.md", .content = main_file("new")}}); }), "none");
    EXPECT_EQ(client().read_resource("skill://new/SKILL.md").contents[0].text, "mine");
    EXPECT_EQ(SkillsClient(client()).list().all().size(), 2U);
}

TEST_F(Skills, a_skill_by_hand_can_be_dynamic_and_unlisted) {
    int reads = 0;
    server.skill("daily",
                 {{.path = "SKILL.md", .content = main_file("daily")},
                  {.path = "now.txt", .generate = [&reads] { return "read " + std::to_string(++reads); }}},
                 {.prefix = "reports", .listed = false});
    SkillsClient strict(client());
    EXPECT_TRUE(strict.list().all().empty());
    const Skill daily = strict.get("skill://reports/daily/SKILL.md");
    EXPECT_TRUE(daily.dynamic);
    EXPECT_TRUE(contains(refusal([&] { strict.load(daily); }), "allow_dynamic"));
    LoadedSkill loaded = SkillsClient(client(), {.allow_dynamic = true}).load(daily);
    EXPECT_EQ(loaded.read("now.txt"), "read 1");
    EXPECT_EQ(loaded.read("now.txt"), "read 2");
}

TEST_F(Skills, skills_by_hand_need_a_skill_file_and_distinct_paths) {
    const auto with = [this](std::vector<SkillFile> files) {
        return refusal([&] { server.skill("a", std::move(files)); });
    };
    EXPECT_TRUE(contains(with({{.path = "x.md"}}), "has no file `SKILL.md`"));
    EXPECT_TRUE(contains(with({{.path = "../x.md"}}), "not a relative path"));
    EXPECT_TRUE(contains(with({{.path = "SKILL.md"}, {.path = "SKILL.md"}}), "two files with the same path"));
    EXPECT_EQ(with({{.path = "SKILL.md", .content = main_file("a")}}), "none");
}

// A server whose files differ from their entries.
struct LyingServer : testing::Test {
    // The client asks for capabilities as soon as it exists, so the skill must be there before.
    static Server with_skill() {
        Server server{"test", "1"};
        server.skill("a", {{.path = "SKILL.md", .content = main_file("a")}, {.path = "b.md", .content = "four"}});
        return server;
    }
    Skill entry() { return SkillsClient(client).get("skill://a/SKILL.md"); }
    std::string load(const Skill& skill) {
        return refusal([&] { (void)SkillsClient(client).load(skill).read("b.md"); });
    }
    Server server = with_skill();
    Client client{memory_transport(server)};
};

TEST_F(LyingServer, content_that_differs_from_its_entry_is_never_used) {
    EXPECT_EQ(load(entry()), "none");
    Skill size = entry();
    size.resources[1].size = 5;
    EXPECT_TRUE(contains(load(size), "4 bytes, but its entry says 5"));
    Skill digest = entry();
    digest.resources[1].digest.back() = digest.resources[1].digest.back() == '0' ? '1' : '0';
    EXPECT_TRUE(contains(load(digest), "digest"));
    Skill frontmatter = entry();
    frontmatter.frontmatter["license"] = "MIT";
    EXPECT_TRUE(contains(load(frontmatter), "frontmatter"));
    Skill problem = entry();
    problem.problem = "it is broken";
    EXPECT_TRUE(contains(load(problem), "it is broken"));
}

TEST_F(LyingServer, nothing_is_read_before_a_skill_is_loaded) {
    int reads = 0;
    server.use([&reads](Context&, const Request& request, Next next) {
        if (request.method == "resources/read") ++reads;
        std::move(next).run();
    });
    SkillsClient skills(client);
    const Skill skill = skills.list().all().at(0);
    (void)skills.get(skill.uri);
    EXPECT_EQ(reads, 0);
    LoadedSkill loaded = skills.load(skill);
    EXPECT_EQ(reads, 1);
    (void)loaded.read("b.md");
    (void)loaded.read("b.md");  // kept
    EXPECT_EQ(reads, 2);
}

}  // namespace
}  // namespace tenon
