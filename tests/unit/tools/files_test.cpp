#include "tools/tenon/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "support/file_limit.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::program {
namespace {

namespace fs = std::filesystem;

struct MakeFile : testing::Test {
    std::string path(const std::string& name = "out") const { return (folder / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }
    test::TemporaryFolder folder;
    const std::string large = std::string(100'000, 'x');
};

TEST_F(MakeFile, writes_the_whole_text) {
    ASSERT_TRUE(make_file(path(), large, Existing::refuse));
    EXPECT_EQ(read_whole_file(path()).value(), large);
    EXPECT_FALSE(make_file(path(), "new", Existing::refuse));
    EXPECT_EQ(read_whole_file(path()).value(), large);
    ASSERT_TRUE(make_file(path(), "new", Existing::overwrite));
    EXPECT_EQ(read_whole_file(path()).value(), "new");
    EXPECT_EQ(files(), 1U);
}

TEST_F(MakeFile, keeps_the_permissions_of_a_file_that_it_replaces) {
    ASSERT_TRUE(make_file(path(), "old", Existing::refuse));
    fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(make_file(path(), "new", Existing::overwrite));
    EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(MakeFile, leaves_no_partial_file_on_a_full_disk) {
    const test::FileLimit full(4096);
    for (const Existing existing : {Existing::refuse, Existing::overwrite}) {
        const auto made = make_file(path(), large, existing);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().message, "File too large");
        EXPECT_EQ(files(), 0U);
    }
}

TEST_F(MakeFile, keeps_the_old_file_on_a_full_disk) {
    ASSERT_TRUE(make_file(path(), "old", Existing::refuse));
    const test::FileLimit full(4096);
    EXPECT_FALSE(make_file(path(), large, Existing::overwrite));
    EXPECT_EQ(read_whole_file(path()).value(), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(MakeFile, writes_into_a_device_and_does_not_replace_it) {
    const auto full = make_file("/dev/full", "text", Existing::overwrite);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().message, "No space left on device");
    EXPECT_TRUE(make_file("/dev/null", "text", Existing::overwrite));
    EXPECT_TRUE(fs::is_character_file("/dev/full") && fs::is_character_file("/dev/null"));
}

TEST_F(MakeFile, does_not_follow_links) {
    ASSERT_TRUE(make_file(path("other"), "other", Existing::refuse));
    fs::create_symlink("other", path());
    for (const Existing existing : {Existing::refuse, Existing::overwrite})
        EXPECT_FALSE(make_file(path(), "text", existing));
    EXPECT_EQ(read_whole_file(path("other")).value(), "other");
}

}  // namespace
}  // namespace tenon::program
