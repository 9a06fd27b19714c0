#include "io/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

namespace tenon::io {
namespace {

struct UsableMemory : testing::Test {
    UsableMemory() {
        std::string name = testing::TempDir() + "usable_memory_XXXXXX";
        root = ::mkdtemp(name.data());
        put("proc/meminfo", "MemFree:   100 kB\nMemTotal:    4000 kB\nMemAvailable: 50 kB\n");
    }
    ~UsableMemory() override { std::filesystem::remove_all(root); }

    void put(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }
    std::size_t usable() const { return usable_memory({root / "proc", root / "cgroup"}); }

    std::filesystem::path root;
};

TEST_F(UsableMemory, without_a_limit_is_the_memory_of_the_machine) { EXPECT_EQ(usable(), 4000U * 1024); }

TEST_F(UsableMemory, is_the_limit_of_its_control_group) {
    put("proc/self/cgroup", "0::/system.slice/app\n");
    put("cgroup/system.slice/app/memory.max", "1000000\n");
    put("cgroup/system.slice/memory.max", "max\n");
    EXPECT_EQ(usable(), 1000000U);
}

TEST_F(UsableMemory, is_the_smallest_limit_of_its_parent_groups) {
    put("proc/self/cgroup", "0::/a/b/c\n");
    put("cgroup/a/b/c/memory.max", "max\n");
    put("cgroup/a/b/memory.max", "700000\n");
    put("cgroup/a/memory.max", "900000\n");
    EXPECT_EQ(usable(), 700000U);
}

TEST_F(UsableMemory, respects_the_limit_of_a_containers_root_group) {
    put("proc/self/cgroup", "0::/\n");
    put("cgroup/memory.max", "500000\n");
    EXPECT_EQ(usable(), 500000U);
}

TEST_F(UsableMemory, reads_version_1_of_control_groups) {
    put("proc/self/cgroup", "12:cpu,cpuacct:/app\n5:hugetlb,memory:/app\n0::/app\n");
    put("cgroup/memory/app/memory.limit_in_bytes", "600000\n");
    put("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(usable(), 600000U);
}

TEST_F(UsableMemory, ignores_empty_and_malformed_files) {
    put("proc/meminfo", "");
    put("proc/self/cgroup", "rubbish\n::\n0::\n");
    EXPECT_EQ(usable(), SIZE_MAX);
}

TEST_F(UsableMemory, is_at_most_the_address_space) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    rlimit less = before;
    less.rlim_cur = static_cast<rlim_t>(1) << 46;  // enough for the test, even with sanitizers
    put("proc/meminfo", "MemTotal: 99999999999999 kB\n");
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
    const std::size_t found = usable();
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
    EXPECT_EQ(found, std::size_t{1} << 46);
}

}  // namespace
}  // namespace tenon::io
