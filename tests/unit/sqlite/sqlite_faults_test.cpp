// Faults of the SQLite store: each is a clear error, and the store works again when the fault is gone.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "sqlite/sqlite_store.hpp"
#include "support/store_answer.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace tenon;
using test::answer_of;
constexpr auto an_hour = std::chrono::hours(1);

std::shared_ptr<Store> open(const std::string& path, StoreOptions options = {}) {
    return sqlite::sqlite_store(path, false, std::move(options)).value();
}

Result<void> set(Store& store, const std::string& value = "v") {
    return answer_of<void>([&](auto reply) { store.values().set("k", value, an_hour, std::move(reply)); });
}

void execute(const std::string& path, const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
}

void expect_refused(const std::string& path, const std::string& why) {
    const auto store = open(path);
    const auto status = test::check(*store);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, code::store_misconfigured);
    EXPECT_NE(status.error().message.find(why), std::string::npos) << status.error().message;
}

TEST(SqliteFaults, a_new_database_is_private) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    const auto store = open(path);
    ASSERT_TRUE(set(*store));
    for (const auto* suffix : {"", "-wal", "-bell"}) {
        struct stat status {};
        ASSERT_EQ(::stat((path + suffix).c_str(), &status), 0) << suffix;
        EXPECT_EQ(status.st_mode & 0777U, 0600U) << suffix;
    }
}

TEST(SqliteFaults, a_missing_folder_is_named_and_may_come_later) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/missing/state.db";
    expect_refused(path, "Check that its folder exists");
    const auto store = open(path);
    EXPECT_FALSE(set(*store));
    std::filesystem::create_directory(folder.path() + "/missing");
    EXPECT_TRUE(set(*store));
}

TEST(SqliteFaults, a_file_that_is_not_a_database_is_refused) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    std::ofstream(path) << std::string(5000, 'x');
    expect_refused(path, "not a SQLite database");
}

TEST(SqliteFaults, a_database_of_another_program_is_refused) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    execute(path, "CREATE TABLE foreign_table(x)");
    expect_refused(path, "belongs to another program");
}

TEST(SqliteFaults, a_newer_schema_is_refused) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    ASSERT_TRUE(set(*open(path)));
    execute(path, "PRAGMA user_version = 99");
    expect_refused(path, "schema version 99");
}

TEST(SqliteFaults, an_older_schema_is_migrated_and_keeps_its_data) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    ASSERT_TRUE(set(*open(path), "old"));
    execute(path, "DROP TABLE bus; PRAGMA user_version = 1");  // as the first version made it
    const auto store = open(path);
    const auto value =
        answer_of<std::optional<std::string>>([&](auto reply) { store->values().get("k", std::move(reply)); });
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, "old");
    EXPECT_TRUE(answer_of<void>([&](auto reply) { store->bus().publish("t", "m", std::move(reply)); }));
}

TEST(SqliteFaults, a_locked_database_is_reported_in_bounded_time_and_recovers) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    StoreOptions options;
    options.limits.operation_time = std::chrono::milliseconds(50);
    const auto store = open(path, options);
    // The first operation creates the file, which may take longer than the short limit of this test.
    while (!set(*store)) {
    }
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    const auto locked = set(*store);
    ASSERT_FALSE(locked);
    EXPECT_TRUE(store::is_unavailable(locked.error())) << locked.error().message;
    EXPECT_TRUE(store::retry_after(locked.error()));
    ASSERT_EQ(sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    while (!set(*store)) {
    }
}

TEST(SqliteFaults, too_many_operations_are_refused) {
    const test::TemporaryFolder folder;
    StoreOptions options;
    options.limits.max_operations = 0;
    const auto store = open(folder.path() + "/state.db", options);
    const auto refused = set(*store);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("max_operations"), std::string::npos);
    options.limits = {};
    options.limits.max_queued_bytes = 1000;
    const auto small = open(folder.path() + "/state.db", options);
    const auto large = set(*small, std::string(2000, 'x'));
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find("max_queued_bytes"), std::string::npos);
    EXPECT_TRUE(set(*small));
}

// A child process, because the limit on the size of files holds for the whole process.
TEST(SqliteFaults, a_full_disk_is_reported_and_loses_nothing) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    const auto child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const auto store = open(path);
        if (!set(*store, "before")) ::_exit(1);
        const rlimit small{400'000, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const auto full = set(*store, std::string(1'000'000, 'x'));
        if (full || !store::is_unavailable(full.error())) ::_exit(2);
        const rlimit large{RLIM_INFINITY, RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &large);
        const auto value =
            answer_of<std::optional<std::string>>([&](auto reply) { store->values().get("k", std::move(reply)); });
        if (!value || *value != "before") ::_exit(3);
        ::_exit(set(*store, "after") ? 0 : 4);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

// A child process, because root may write everything: it becomes another user.
TEST(SqliteFaults, a_database_without_write_permission_is_reported) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    ASSERT_TRUE(set(*open(path)));
    ::chmod(path.c_str(), 0444);
    ::chmod(folder.path().c_str(), 0555);
    const auto child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(1);
        const auto refused = test::check(*open(path));
        if (refused || refused.error().code != code::store_misconfigured) ::_exit(2);
        ::_exit(refused.error().message.find("write") != std::string::npos ? 0 : 3);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ::chmod(folder.path().c_str(), 0700);
}

}  // namespace
