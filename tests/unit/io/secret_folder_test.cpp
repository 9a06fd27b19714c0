#include "io/secret_folder.hpp"

#include <gtest/gtest.h>

#include <system_error>

#include "support/file_limit.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::io {
namespace {

TEST(SecretFolder, a_full_disk_is_an_error_and_keeps_the_old_file) {
    const test::TemporaryFolder folder;
    const SecretFolder secrets((folder / "secrets").string());
    secrets.write("a", "old");
    {
        const test::FileLimit full(1024);
        for (const char* name : {"a", "b"}) {
            try {
                secrets.write(name, std::string(10'000, 'x'));
                FAIL() << "writing succeeded on a full disk";
            } catch (const std::system_error& e) {
                EXPECT_EQ(e.code().value(), EFBIG);
            }
        }
    }
    EXPECT_EQ(secrets.read("a"), "old");
    EXPECT_EQ(secrets.read("b"), std::nullopt);
    const std::filesystem::directory_iterator files(folder / "secrets");
    EXPECT_EQ(std::distance(files, {}), 1) << "a temporary file is left behind";
}

}  // namespace
}  // namespace tenon::io
