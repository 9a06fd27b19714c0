#include "sqlite/database.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <thread>

#include "base/printable.hpp"

namespace tenon::sqlite {
namespace {

constexpr std::int64_t application = 0x54656e6f;  // "Teno"

// Each entry takes the schema from its index to the next version. Never change an entry that was released: add one.
constexpr std::array<const char*, 2> migrations = {
    R"sql(
CREATE TABLE sessions(id BLOB PRIMARY KEY, bytes BLOB NOT NULL, version INT NOT NULL, expiry INT NOT NULL);
CREATE INDEX sessions_by_expiry ON sessions(expiry);
CREATE TABLE streams(key INTEGER PRIMARY KEY, grp BLOB NOT NULL, name BLOB NOT NULL, last INT NOT NULL, first INT NOT NULL,
    bytes INT NOT NULL, oldest INT NOT NULL, finished INT NOT NULL, expiry INT NOT NULL, UNIQUE(grp, name));
CREATE INDEX streams_by_expiry ON streams(expiry);
CREATE TABLE events(stream INT NOT NULL, id INT NOT NULL, at INT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(stream, id));
CREATE TABLE tasks(ord INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, owner BLOB NOT NULL, bytes BLOB NOT NULL,
    holder BLOB NOT NULL, token INT NOT NULL, lease INT NOT NULL, over INT NOT NULL, expiry INT NOT NULL);
CREATE INDEX tasks_by_owner ON tasks(owner, ord);
CREATE INDEX tasks_by_expiry ON tasks(expiry);
CREATE INDEX tasks_by_lease ON tasks(lease) WHERE over = 0;
CREATE TABLE vals(key BLOB PRIMARY KEY, value BLOB NOT NULL, expiry INT NOT NULL);
CREATE INDEX vals_by_expiry ON vals(expiry);
CREATE TABLE counters(key BLOB PRIMARY KEY, sum INT NOT NULL, expiry INT NOT NULL);
CREATE INDEX counters_by_expiry ON counters(expiry);
CREATE TABLE leases(key BLOB PRIMARY KEY, holder BLOB NOT NULL, token INT NOT NULL, until INT NOT NULL, expiry INT NOT NULL);
CREATE INDEX leases_by_expiry ON leases(expiry);
)sql",
    R"sql(
CREATE TABLE bus(id INTEGER PRIMARY KEY AUTOINCREMENT, at INT NOT NULL, messages BLOB NOT NULL);
)sql"};

}  // namespace

bool Database::Query::row() {
    if (!statement_ || db_.error_) return false;
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) db_.fail(result);
    return result == SQLITE_ROW;
}

std::string Database::Query::bytes(int column) const {
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return data ? std::string(data, size) : std::string();
}

sqlite3_stmt* Database::prepare(const char* sql) {
    if (error_ || !db_) return nullptr;
    auto& statement = statements_[sql];
    if (!statement)
        if (const int result = sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
            result != SQLITE_OK)
            fail(result);
    return statement;
}

void Database::refuse(std::string why) {
    if (!error_)
        error_ = Error(code::store_misconfigured,
                       "the database " + base::printable(place_.path, 200) + " " + std::move(why));
}

void Database::fail(int result) {
    if (error_) return;
    const std::string what = base::printable(db_ ? sqlite3_errmsg(db_) : sqlite3_errstr(result), 200);
    const std::string file = "the database " + base::printable(place_.path, 200);
    switch (result & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED: error_ = store::unavailable(file + " is locked by another process"); return;
        case SQLITE_FULL: error_ = store::unavailable(file + " cannot grow: the disk is full"); return;
        case SQLITE_READONLY:
            return refuse("is read-only. Give this user the right to write to the file and its folder");
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_CANTOPEN:
            return refuse("cannot be opened (" + what + "). Check that its folder exists and is writable");
        case SQLITE_NOTADB: return refuse("is not a SQLite database. Use another path");
        case SQLITE_CORRUPT: return refuse("is damaged (" + what + "). Restore a backup, or use another path");
        case SQLITE_TOOBIG: error_ = Error(code::store_invalid, "the value is too large for SQLite"); return;
        default: error_ = store::unavailable(file + " failed: " + what); return;
    }
}

// Other users must not read sessions and keys. SQLite gives its other files the mode of the database.
void Database::make_private() const {
    const int fd = ::open(place_.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) ::close(fd);
}

void Database::open(std::chrono::milliseconds busy_time) {
    make_private();
    const int result = sqlite3_open_v2(place_.path.c_str(), &db_,
                                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    if (result != SQLITE_OK) {
        fail(result);
        return close();
    }
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, static_cast<int>(std::min<std::int64_t>(busy_time.count(), 1'000'000)));
    migrate();
    if (ok()) use_write_ahead_log(std::chrono::steady_clock::now() + busy_time);
    run(place_.survives_power_failure ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    if (!ok()) close();
}

// SQLite does not wait here for another process that opens the database at the same moment.
void Database::use_write_ahead_log(std::chrono::steady_clock::time_point end) {
    constexpr auto pause = std::chrono::milliseconds(1);
    const auto read = [](void* to, int, char** values, char**) {
        *static_cast<std::string*>(to) = values[0] ? values[0] : "";
        return 0;
    };
    std::string mode;
    int result = SQLITE_BUSY;
    for (;;) {
        result = sqlite3_exec(db_, "PRAGMA journal_mode = WAL", read, &mode, nullptr);
        if ((result & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() >= end) break;
        std::this_thread::sleep_for(pause);
    }
    if (result != SQLITE_OK) return fail(result);
    if (mode != "wal") refuse("cannot use a write-ahead log, perhaps because of its file system");
}

void Database::migrate() {
    run("BEGIN IMMEDIATE");
    std::int64_t id = 0, layout = 0, tables = 0;
    if (auto q = query("PRAGMA application_id"); q.row()) id = q.integer(0);
    if (auto q = query("PRAGMA user_version"); q.row()) layout = q.integer(0);
    if (auto q = query("SELECT count(*) FROM sqlite_master"); q.row()) tables = q.integer(0);
    const auto newest = static_cast<std::int64_t>(migrations.size());
    if (ok() && id != application && (id != 0 || layout != 0 || tables != 0))
        refuse("belongs to another program. Use another path");
    if (ok() && layout > newest)
        refuse("has schema version " + std::to_string(layout) + ", but this version of Tenon knows only " +
               std::to_string(newest) + ". Use a newer version, or another path");
    for (auto v = layout; ok() && v < newest; ++v)
        if (const int result = sqlite3_exec(db_, migrations[static_cast<std::size_t>(v)], nullptr, nullptr, nullptr);
            result != SQLITE_OK)
            fail(result);
    if (ok() && layout < newest) {
        const std::string marks = "PRAGMA application_id = " + std::to_string(application) +
                                  "; PRAGMA user_version = " + std::to_string(newest);
        if (const int result = sqlite3_exec(db_, marks.c_str(), nullptr, nullptr, nullptr); result != SQLITE_OK)
            fail(result);
    }
    run("COMMIT");
    if (!ok()) roll_back();
}

void Database::roll_back() {
    if (db_ && !sqlite3_get_autocommit(db_)) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::close() {
    for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
    statements_.clear();
    if (db_) sqlite3_close(db_);
    db_ = nullptr;
}

}  // namespace tenon::sqlite
