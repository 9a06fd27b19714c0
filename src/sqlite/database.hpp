// A connection to a SQLite database: prepared statements, and one error for a whole transaction.
#pragma once

#include <sqlite3.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tenon/store.hpp>

namespace tenon::sqlite {

/// How a database is opened.
struct Place {
    std::string path;
    bool survives_power_failure = false;
};

/// One connection. Not thread-safe. The first error stays until take_error(); until then, statements do nothing.
class Database {
 public:
    explicit Database(Place place) : place_(std::move(place)) {}
    ~Database() { close(); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Opens the file, makes it if it is missing, checks that it belongs to Tenon, and updates its schema.
    void open(std::chrono::milliseconds busy_time);
    void close();
    bool is_open() const { return db_ != nullptr; }

    /// One run of a statement. Ends with this object. Columns are valid until the next row().
    class Query {
     public:
        Query(Database& db, sqlite3_stmt* statement) : db_(db), statement_(statement) {}
        ~Query() {
            if (statement_) sqlite3_reset(statement_);
        }
        Query(const Query&) = delete;
        Query& operator=(const Query&) = delete;

        /// Steps to the next row. Returns whether there is one.
        bool row();
        std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
        std::uint64_t count(int column) const { return static_cast<std::uint64_t>(integer(column)); }
        std::string bytes(int column) const;

     private:
        Database& db_;
        sqlite3_stmt* statement_;
    };
    /// Prepares a statement, which must be a literal, and binds its parameters: integers, and bytes.
    template <class... Arguments>
    Query query(const char* sql, const Arguments&... arguments) {
        auto* statement = prepare(sql);
        int index = 0;
        if (statement) (bind(statement, ++index, arguments), ...);
        return Query(*this, statement);
    }
    /// Runs a statement without rows. Returns the number of rows that it changed.
    template <class... Arguments>
    std::size_t run(const char* sql, const Arguments&... arguments) {
        query(sql, arguments...).row();
        return error_ ? 0 : static_cast<std::size_t>(sqlite3_changes(db_));
    }

    bool ok() const { return !error_; }
    std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }
    /// Ends a transaction after an error.
    void roll_back();
    const std::string& path() const { return place_.path; }

 private:
    sqlite3_stmt* prepare(const char* sql);
    static void bind(sqlite3_stmt* statement, int index, std::int64_t value) {
        sqlite3_bind_int64(statement, index, value);
    }
    static void bind(sqlite3_stmt* statement, int index, std::uint64_t value) {
        sqlite3_bind_int64(statement, index, static_cast<std::int64_t>(value));
    }
    static void bind(sqlite3_stmt* statement, int index, int value) { sqlite3_bind_int64(statement, index, value); }
    static void bind(sqlite3_stmt* statement, int index, std::string_view bytes) {
        sqlite3_bind_blob64(statement, index, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC);
    }
    static void bind(sqlite3_stmt* statement, int index, const std::string& bytes) {
        bind(statement, index, std::string_view(bytes));
    }
    void fail(int result);
    void refuse(std::string why);
    void make_private() const;
    void use_write_ahead_log(std::chrono::steady_clock::time_point end);
    void migrate();

    const Place place_;
    sqlite3* db_ = nullptr;
    std::unordered_map<const char*, sqlite3_stmt*> statements_;
    std::optional<Error> error_;
};

}  // namespace tenon::sqlite
