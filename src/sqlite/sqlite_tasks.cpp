// The tasks of a SQLite store.
#include "sqlite/sqlite_tables.hpp"

namespace tenon::sqlite {
namespace {

// The columns: id, owner, bytes, holder, ord, token, lease.
op::RawTask read_row(const Database::Query& q, std::int64_t now) {
    const auto left = op::Millis(std::max<std::int64_t>(0, q.integer(6) - now));
    return {q.bytes(0), q.bytes(1), q.bytes(2), q.bytes(3), q.count(4), q.count(5), left};
}

}  // namespace

Result<op::RawTask> SqliteTables::load_task(const std::string& id, std::int64_t now) {
    auto q =
        db_.query("SELECT id, owner, bytes, holder, ord, token, lease FROM tasks WHERE id = ? AND expiry > ?", id, now);
    if (!q.row()) return op::no_task();
    return read_row(q, now);
}

Result<op::RawTask> SqliteTables::apply(op::TaskCreate& o, std::int64_t now) {
    if (db_.query("SELECT 1 FROM tasks WHERE id = ? AND expiry > ?", o.id, now).row()) return op::task_exists();
    db_.run("DELETE FROM tasks WHERE id = ?", o.id);
    db_.run("INSERT INTO tasks(id, owner, bytes, holder, token, lease, over, expiry) VALUES(?, ?, ?, ?, 1, ?, ?, ?)",
            o.id, o.owner, o.bytes, o.holder, now + o.lease.count(), o.over ? 1 : 0, now + o.ttl.count());
    return load_task(o.id, now);
}

Result<op::RawTask> SqliteTables::apply(op::TaskLoad& o, std::int64_t now) { return load_task(o.id, now); }

Result<void> SqliteTables::apply(op::TaskUpdate& o, std::int64_t now) {
    auto q = db_.query("SELECT token FROM tasks WHERE id = ? AND expiry > ?", o.id, now);
    if (!q.row()) return op::no_task();
    if (q.count(0) != o.token) return op::task_fenced();
    db_.run("UPDATE tasks SET bytes = ?, over = ? WHERE id = ?", o.bytes, o.over ? 1 : 0, o.id);
    return {};
}

Result<void> SqliteTables::apply(op::TaskExtend& o, std::int64_t now) {
    auto q = db_.query("SELECT token FROM tasks WHERE id = ? AND expiry > ?", o.id, now);
    if (!q.row()) return op::no_task();
    if (q.count(0) != o.token) return op::task_fenced();
    db_.run("UPDATE tasks SET lease = ? WHERE id = ?", now + o.lease.count(), o.id);
    return {};
}

Result<op::RawTask> SqliteTables::apply(op::TaskTakeOver& o, std::int64_t now) {
    auto q = db_.query("SELECT lease FROM tasks WHERE id = ? AND expiry > ?", o.id, now);
    if (!q.row()) return op::no_task();
    if (q.integer(0) > now) return op::task_leased();
    db_.run("UPDATE tasks SET holder = ?, token = token + 1, lease = ? WHERE id = ?", o.holder, now + o.lease.count(),
            o.id);
    return load_task(o.id, now);
}

Result<bool> SqliteTables::apply(op::TaskRemove& o, std::int64_t now) {
    return db_.run("DELETE FROM tasks WHERE id = ? AND expiry > ?", o.id, now) > 0;
}

Result<std::vector<op::RawTask>> SqliteTables::apply(op::TaskList& o, std::int64_t now) {
    auto q = db_.query(
        "SELECT id, owner, bytes, holder, ord, token, lease FROM tasks WHERE owner = ? AND ord > ? AND expiry > ? "
        "ORDER BY ord LIMIT ?",
        o.owner, std::min<std::uint64_t>(o.after, INT64_MAX), now, o.max);
    std::vector<op::RawTask> out;
    while (q.row()) out.push_back(read_row(q, now));
    return out;
}

Result<std::size_t> SqliteTables::apply(op::TaskCount& o, std::int64_t now) {
    auto q = db_.query("SELECT count(*) FROM tasks WHERE owner = ? AND expiry > ?", o.owner, now);
    return q.row() ? q.count(0) : 0;
}

Result<std::size_t> SqliteTables::apply(op::TaskSize&, std::int64_t now) {
    auto q = db_.query("SELECT count(*) FROM tasks WHERE expiry > ?", now);
    return q.row() ? q.count(0) : 0;
}

Result<std::vector<std::string>> SqliteTables::apply(op::TaskOrphans& o, std::int64_t now) {
    auto q = db_.query("SELECT id FROM tasks WHERE over = 0 AND lease <= ? AND expiry > ? ORDER BY lease LIMIT ?", now,
                       now, o.max);
    std::vector<std::string> out;
    while (q.row()) out.push_back(q.bytes(0));
    return out;
}

}  // namespace tenon::sqlite
