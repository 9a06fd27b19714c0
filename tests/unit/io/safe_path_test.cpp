#include <tenon/safe_path.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "io/beneath.hpp"
#include "support/temporary_folder.hpp"

namespace tenon {
namespace {

namespace fs = std::filesystem;
using io::Resolve;
using test::TemporaryFolder;

// "root" may be read, "outside" may not.
struct SafePath : testing::Test {
    SafePath() {
        folder.write("root/a.txt", "alpha");
        folder.write("root/sub/b.txt", "beta");
        folder.write("outside/secret.txt", "SECRET");
    }
    std::string root() const { return (folder / "root").string(); }
    void link(const std::string& to, const std::string& name) const { fs::create_symlink(to, folder / name); }
    std::optional<std::string> read(std::string_view value) const { return SafeFolder(root()).read(value); }
    TemporaryFolder folder;
};

TEST_F(SafePath, reads_files_beneath_the_root) {
    EXPECT_EQ(read("a.txt"), "alpha");
    EXPECT_EQ(read("sub/b.txt"), "beta");
    EXPECT_EQ(read("./sub//b.txt"), "beta");
    EXPECT_EQ(safe_path(root(), "a.txt").value().size(), 5U);
    EXPECT_EQ(safe_path(root(), "sub/b.txt").value().read(100).value(), "beta");
}

TEST_F(SafePath, lists_a_folder_sorted_with_the_kind_of_each_entry) {
    link("a.txt", "root/link");
    const auto entries = SafeFolder(root()).list("").value();
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].name, "a.txt");
    EXPECT_EQ(entries[0].kind, FolderEntry::Kind::file);
    EXPECT_EQ(entries[1].kind, FolderEntry::Kind::link);
    EXPECT_EQ(entries[2].kind, FolderEntry::Kind::folder);
    EXPECT_EQ(SafeFolder(root()).list("sub").value().at(0).name, "b.txt");
}

TEST_F(SafePath, lists_only_folders_beneath_the_root_and_within_the_limit) {
    link("../outside", "root/out");
    for (const char* value : {"..", "/", "../outside", "a.txt", "missing", "out"})
        EXPECT_FALSE(SafeFolder(root()).list(value)) << value;
    EXPECT_FALSE(SafeFolder(root()).list("", 2));
    EXPECT_TRUE(SafeFolder(root()).list("", 3));
}

TEST_F(SafePath, refuses_values_that_are_not_relative_paths) {
    const std::string outside = (folder / "outside/secret.txt").string();
    for (const std::string& value :
         {std::string(), std::string("/"), outside, std::string("//") + outside, std::string(".."),
          std::string("../outside/secret.txt"), std::string("sub/../../outside/secret.txt"), std::string("sub/.."),
          std::string("sub/../a.txt"), std::string("a.txt\0", 6), std::string("a.txt\0/../x", 11),
          std::string("%2e%2e/outside/secret.txt"), std::string("..%2Foutside%2Fsecret.txt"),
          std::string("%2Fetc%2Fpasswd"), std::string(5000, 'a'), std::string(300, 'a'), std::string("a.txt/"),
          std::string("a.txt/b"), std::string("missing")}) {
        const auto file = safe_path(root(), value);
        ASSERT_FALSE(file) << value;
        EXPECT_EQ(file.error().code, code::resource_not_found) << value;
    }
}

TEST_F(SafePath, follows_links_only_while_they_stay_inside) {
    link("sub/b.txt", "root/inside");
    link("../outside/secret.txt", "root/relative");
    link((folder / "outside/secret.txt").string(), "root/absolute");
    link("../outside", "root/folder");
    link("../../outside", "root/sub/deep");
    link("loop", "root/loop");
    link("ping", "root/pong");
    link("pong", "root/ping");
    link("nowhere", "root/dangling");
    const io::Fd folder_fd(::open(root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (io::has_openat2()) {
        EXPECT_EQ(read("inside"), "beta");
    }
    for (const char* value :
         {"relative", "absolute", "folder/secret.txt", "sub/deep/secret.txt", "loop", "ping", "loop/x", "dangling"})
        EXPECT_FALSE(read(value)) << value;
    for (const Resolve how : {Resolve::kernel, Resolve::walk})
        for (const char* value : {"relative", "absolute", "folder/secret.txt", "sub/deep/secret.txt", "loop", "ping"}) {
            EXPECT_FALSE(io::open_beneath(folder_fd.get(), value, how)) << value;
        }
}

TEST_F(SafePath, without_openat2_no_link_is_followed) {
    link("sub/b.txt", "root/inside");
    link("sub", "root/folder");
    const io::Fd fd(::open(root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (const char* value : {"inside", "folder/b.txt"}) EXPECT_FALSE(io::open_beneath(fd.get(), value, Resolve::walk));
    for (const char* value : {"a.txt", "sub/b.txt", "./sub//b.txt"})
        EXPECT_TRUE(io::open_beneath(fd.get(), value, Resolve::walk)) << value;
}

TEST_F(SafePath, the_root_may_be_a_link) {
    link("root", "door");
    EXPECT_EQ(SafeFolder((folder / "door").string()).read("a.txt"), "alpha");
}

TEST_F(SafePath, replacing_the_root_later_has_no_effect) {
    link("root", "door");
    const SafeFolder door((folder / "door").string());
    fs::remove(folder / "door");
    link("outside", "door");
    EXPECT_EQ(door.read("a.txt"), "alpha");
    EXPECT_FALSE(door.read("secret.txt"));
}

TEST_F(SafePath, opens_only_regular_files_and_never_blocks) {
    ASSERT_EQ(::mkfifo((folder / "root/pipe").c_str(), 0600), 0);
    for (const Resolve how : {Resolve::kernel, Resolve::walk}) {
        const io::Fd fd(::open(root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        io::open_beneath(fd.get(), "pipe", how);  // would block without O_NONBLOCK
    }
    for (const char* value : {"pipe", "sub", ".", "sub/"}) {
        const auto file = safe_path(root(), value);
        ASSERT_FALSE(file) << value;
        EXPECT_EQ(file.error().code, code::resource_not_found) << value;
    }
    EXPECT_FALSE(SafeFolder("/dev").read("null"));
}

TEST_F(SafePath, refuses_the_magic_links_of_proc) {
    const io::Fd secret(::open((folder / "outside/secret.txt").c_str(), O_RDONLY | O_CLOEXEC));
    const std::string value = "self/fd/" + std::to_string(secret.get());
    EXPECT_FALSE(SafeFolder("/proc").read(value));
    EXPECT_FALSE(SafeFolder("/proc").read("self/exe"));
    EXPECT_FALSE(SafeFolder("/proc").read("self/root" + (folder / "outside/secret.txt").string()));
}

TEST_F(SafePath, a_file_over_the_limit_is_an_error_that_names_the_limit) {
    const SafeFolder small(root(), {.max_file_bytes = 4});
    EXPECT_EQ(small.read("sub/b.txt"), "beta");
    const auto file = small.open("a.txt");
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("max_file_bytes"), std::string::npos);
    EXPECT_THROW(small.read("a.txt"), Exception);
    // A file whose size is reported as 0, as in /proc, must also stop at the limit.
    EXPECT_THROW(SafeFolder("/proc", {.max_file_bytes = 4}).read("version"), Exception);
}

TEST_F(SafePath, error_messages_do_not_reveal_the_folder) {
    for (const char* value : {"missing", "/etc/passwd", "../outside/secret.txt", "sub"}) {
        const auto file = safe_path(root(), value);
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().message.find(folder.path()), std::string::npos) << file.error().message;
        EXPECT_EQ(file.error().message.find("etc"), std::string::npos) << file.error().message;
    }
    const auto nowhere = safe_path((folder / "none").string(), "a.txt");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().message.find(folder.path()), std::string::npos);
    EXPECT_THROW(SafeFolder((folder / "none").string()), Exception);
    EXPECT_THROW(SafeFolder((folder / "root/a.txt").string()), Exception);
}

TEST_F(SafePath, a_file_without_read_permission_is_an_error) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    fs::permissions(folder / "root/a.txt", fs::perms::none);
    EXPECT_THROW(read("a.txt"), Exception);
}

TEST_F(SafePath, child_processes_do_not_inherit_the_file) {
    const auto file = safe_path(root(), "a.txt");
    ASSERT_TRUE(file);
    EXPECT_NE(::fcntl(file->fd(), F_GETFD) & FD_CLOEXEC, 0);
    const int given = safe_path(root(), "a.txt").value().release();
    EXPECT_EQ(::close(given), 0) << "release() must leave the file open";
}

// One thread swaps the folder for a link that leads outside, again and again. No read may ever return a byte from
// outside.
void race(const TemporaryFolder& folder, Resolve how) {
    folder.write("root/sub/x.txt", "inside");
    folder.write("outside/x.txt", "SECRET");
    fs::create_directory_symlink("../outside", folder / "root/link");
    std::atomic<int> swaps = 0;
    const std::jthread swapper([&](const std::stop_token& stop) {
        const auto sub = folder / "root/sub", link = folder / "root/link", spare = folder / "root/spare";
        while (!stop.stop_requested()) {
            for (const auto& [from, to] : {std::pair(sub, spare), {link, sub}, {sub, link}, {spare, sub}})
                ASSERT_EQ(::rename(from.c_str(), to.c_str()), 0);
            ++swaps;
        }
    });
    const io::Fd root(::open((folder / "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    int read = 0;
    for (int i = 0; i < 20'000 || swaps < 100; ++i) {
        const io::Fd fd = io::open_beneath(root.get(), "sub/x.txt", how);
        if (!fd) continue;
        char text[6] = {};
        ASSERT_EQ(::read(fd.get(), text, 6), 6);
        ASSERT_EQ(std::string_view(text, 6), "inside");
        ++read;
    }
    EXPECT_GT(read, 0);
}

TEST_F(SafePath, a_race_with_a_link_never_reads_outside) { race(folder, Resolve::kernel); }
TEST_F(SafePath, a_race_with_a_link_never_reads_outside_without_openat2) { race(folder, Resolve::walk); }

}  // namespace
}  // namespace tenon
