#include "tools/tenon/content.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "failure.hpp"
#include "screen.hpp"

namespace tenon::program {
namespace {

namespace fs = std::filesystem;

// A temporary folder that is removed with the object.
class Folder {
 public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "tenon-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
    std::string operator/(std::string_view name) const { return (path / name).string(); }
};

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Keeper keeper(std::vector<std::string> words) {
    words.insert(words.begin(), "call");
    return Keeper(read_command_line(words));
}

TEST(FileName, is_made_safe) {
    EXPECT_EQ(safe_file_name("report.pdf"), "report.pdf");
    EXPECT_EQ(safe_file_name("../../etc/passwd"), "etc_passwd");
    EXPECT_EQ(safe_file_name(".bashrc"), "bashrc");
    EXPECT_EQ(safe_file_name("-rf"), "rf");
    EXPECT_EQ(safe_file_name("a b\x1b\n;c"), "a_b_c");
    EXPECT_EQ(safe_file_name("世界"), "content");
    EXPECT_EQ(safe_file_name(""), "content");
    EXPECT_EQ(safe_file_name(".."), "content");
    EXPECT_LE(safe_file_name(std::string(5000, 'x')).size(), 100u);
}

TEST(Keeper, saves_into_a_folder_without_overwriting) {
    const Folder folder;
    Keeper k = keeper({"--save", folder.path.string()});
    EXPECT_EQ(k.keep("dot", "image/png", "1"), folder / "dot.png");
    EXPECT_EQ(k.keep("dot", "image/png", "2"), folder / "dot-2.png");
    EXPECT_EQ(k.keep("dot.png", "image/png", "3"), folder / "dot-3.png");
    EXPECT_EQ(k.keep("../x", "strange/type", "4"), folder / "x.bin");
    EXPECT_EQ(text_of(folder / "dot.png"), "1");
    EXPECT_EQ(text_of(folder / "dot-2.png"), "2");
}

TEST(Keeper, creates_a_folder_whose_name_ends_with_a_slash) {
    const Folder folder;
    Keeper k = keeper({"--save", folder / "new/"});
    EXPECT_EQ(k.keep("a", "text/plain", "x"), folder / "new/a.txt");
}

TEST(Keeper, saves_one_file_and_overwrites_only_with_force) {
    const Folder folder;
    const std::string path = folder / "out.png";
    Keeper k = keeper({"--save", path});
    EXPECT_EQ(k.keep("a", "image/png", "1"), path);
    EXPECT_NE(failure_of([&] { k.keep("b", "image/png", "2"); }), "") << "a second item must not overwrite the file";
    EXPECT_EQ(text_of(path), "1");
    EXPECT_EQ(failure_of([&] { keeper({"--save", path}); }), path + " is there already | --force overwrites it");
    EXPECT_EQ(keeper({"--save", path, "--force"}).keep("a", "image/png", "3"), path);
    EXPECT_EQ(text_of(path), "3");
}

TEST(Keeper, does_not_follow_links_of_a_folder) {
    const Folder folder;
    const std::string victim = folder / "victim";
    std::ofstream(victim) << "precious";
    fs::create_symlink(victim, folder / "dot.png");
    EXPECT_EQ(keeper({"--save", folder.path.string()}).keep("dot", "image/png", "x"), folder / "dot-2.png");
    EXPECT_EQ(keeper({"--save", folder.path.string(), "--force"}).keep("dot", "image/png", "y"), folder / "dot-2.png");
    EXPECT_EQ(text_of(victim), "precious");
}

TEST(Keeper, refuses_contradictory_options_and_missing_folders) {
    EXPECT_NE(failure_of([] { keeper({"--force"}); }), "");
    EXPECT_NE(failure_of([] { keeper({"--save", "x", "--json"}); }), "");
    EXPECT_NE(failure_of([] { keeper({"--save", "/no/such/folder/"}); }), "");
    EXPECT_NE(failure_of([] { keeper({"--save", "/no/such/folder/x"}).keep("a", "", "b"); }), "");
}

TEST(Content, each_kind_of_content_is_shown) {
    Keeper none = keeper({});
    Screen screen;
    ContentWriter writer(screen.out, none, "tool");
    writer.write(text("no newline"));
    writer.write(text("newline\n"));
    EXPECT_FALSE(writer.dropped_bytes());
    writer.write(image("12345", "image/png"));
    writer.write(audio("1", "audio/wav"));
    ResourceLink link{"note://x", "x"};
    link.mimeType = "text/plain", link.size = 2048;
    writer.write(link);
    writer.write(EmbeddedResource{{"note://in", "text/plain", "inside"}});
    writer.write(json::value(json::object{{"a", 1}}));
    EXPECT_TRUE(writer.dropped_bytes());
    EXPECT_EQ(screen.shown(),
              "no newline\nnewline\n[image/png, 5 bytes]\n[audio/wav, 1 byte]\n"
              "-> note://x  x (text/plain, 2.0 KiB)\nnote://in:\ninside\n{\n  \"a\": 1\n}\n");
}

TEST(Content, terminal_escapes_in_content_are_not_shown) {
    Keeper none = keeper({});
    Screen screen;
    ContentWriter writer(screen.out, none, "tool");
    const std::string evil = "\x1b]52;c;eA==\a\x9b\u202e";
    ResourceLink link{evil, evil};
    link.title = evil, link.mimeType = evil;
    for (const Content& content :
         {text(evil), image("x", evil), audio("x", evil), Content(link), Content(EmbeddedResource{{evil, evil, evil}})})
        writer.write(content);
    writer.write(json::value(json::object{{evil, "\x1b"}}));
    EXPECT_EQ(screen.shown().find_first_of("\x1b\a\x9b"), std::string::npos);
    EXPECT_EQ(screen.shown().find("\u202e"), std::string::npos);
}

}  // namespace
}  // namespace tenon::program
