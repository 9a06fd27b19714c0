// The conformance suite, for the SQLite store. Two Store objects are two connections, as of two processes.
#include <atomic>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <tenon/store_conformance.hpp>

#include "sqlite/sqlite_store.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace tenon;

class SqliteStore : public testing::TestWithParam<std::string_view> {};

void overwrite(const std::string& path, const std::string& table, const std::string& id, const std::string& bytes) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 10'000);
    sqlite3_stmt* statement = nullptr;
    const std::string sql = "UPDATE " + table + " SET bytes = ? WHERE id = ?";
    ASSERT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
    sqlite3_bind_blob64(statement, 1, bytes.data(), bytes.size(), SQLITE_STATIC);
    sqlite3_bind_blob64(statement, 2, id.data(), id.size(), SQLITE_STATIC);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE);
    EXPECT_EQ(sqlite3_changes(db), 1);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

TEST_P(SqliteStore, conforms) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() + "/state.db";
    std::atomic<std::int64_t> now = 1'000'000'000'000;
    StoreConformance subject;
    subject.open = [&](StoreOptions options) {
        options.clock = [&] { return WallTime{} + std::chrono::milliseconds(now); };
        return sqlite::sqlite_store(path, false, std::move(options)).value();
    };
    subject.advance = [&](std::chrono::milliseconds time) { now += time.count(); };
    subject.overwrite = [&](std::string_view kind, const std::string& id, const std::string& bytes) {
        overwrite(path, kind == "session" ? "sessions" : "tasks", id, bytes);
    };
    EXPECT_EQ(run_store_check(GetParam(), subject), "");
}

INSTANTIATE_TEST_SUITE_P(store, SqliteStore, testing::ValuesIn(store_checks()),
                         [](const auto& check) { return std::string(check.param); });

}  // namespace
