#include "io/open_url.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fd.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::io {
namespace {

TEST(OpenUrl, the_browser_inherits_no_file_of_this_process) {
    const test::TemporaryFolder folder;
    const std::string pipe = (folder / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    folder.write("browser", "#!/bin/sh\nls -l /proc/self/fd > " + pipe + "\n");
    std::filesystem::permissions(folder / "browser", std::filesystem::perms::owner_all);
    folder.write("secret", "");
    // Opened without FD_CLOEXEC, as a host or another library might do.
    const Fd leaked(::open((folder / "secret").c_str(), O_RDONLY));
    ASSERT_TRUE(leaked);

    ::setenv("BROWSER", (folder / "browser").c_str(), 1);
    ASSERT_TRUE(open_url("https://example.com/"));
    std::ifstream listing(pipe);  // blocks until the browser has opened the pipe
    const std::string files{std::istreambuf_iterator<char>(listing), {}};
    ::unsetenv("BROWSER");
    EXPECT_NE(files.find("/dev/null"), std::string::npos) << files;
    EXPECT_EQ(files.find("secret"), std::string::npos) << files;
}

}  // namespace
}  // namespace tenon::io
