#include "sqlite/sqlite_tables.hpp"

#include <algorithm>

#include "store/arguments.hpp"

namespace tenon::sqlite {
namespace {

constexpr std::int64_t largest = INT64_MAX;
std::int64_t bounded_id(std::uint64_t n) { return static_cast<std::int64_t>(std::min<std::uint64_t>(n, largest)); }
op::Millis left(std::int64_t until, std::int64_t now) { return op::Millis(std::max<std::int64_t>(0, until - now)); }

}  // namespace

// Sessions.

Result<std::uint64_t> SqliteTables::apply(op::SessionCreate& o, std::int64_t now) {
    if (db_.query("SELECT 1 FROM sessions WHERE id = ? AND expiry > ?", o.id, now).row()) return op::session_exists();
    db_.run("INSERT OR REPLACE INTO sessions(id, bytes, version, expiry) VALUES(?, ?, 1, ?)", o.id, o.bytes,
            now + o.ttl.count());
    return 1;
}

Result<op::RawSession> SqliteTables::apply(op::SessionLoad& o, std::int64_t now) {
    auto q = db_.query("SELECT bytes, version, expiry FROM sessions WHERE id = ? AND expiry > ?", o.id, now);
    if (!q.row()) return op::no_session();
    return op::RawSession{q.bytes(0), q.count(1), left(q.integer(2), now)};
}

Result<std::uint64_t> SqliteTables::apply(op::SessionUpdate& o, std::int64_t now) {
    auto q = db_.query("SELECT version FROM sessions WHERE id = ? AND expiry > ?", o.id, now);
    if (!q.row()) return op::no_session();
    if (q.count(0) != o.version) return op::session_changed();
    db_.run("UPDATE sessions SET bytes = ?, version = ?, expiry = ? WHERE id = ?", o.bytes, o.version + 1,
            now + o.ttl.count(), o.id);
    return o.version + 1;
}

Result<void> SqliteTables::apply(op::SessionTouch& o, std::int64_t now) {
    if (db_.run("UPDATE sessions SET expiry = ? WHERE id = ? AND expiry > ?", now + o.ttl.count(), o.id, now) == 0)
        return op::no_session();
    return {};
}

Result<bool> SqliteTables::apply(op::SessionRemove& o, std::int64_t now) {
    const bool existed = db_.query("SELECT 1 FROM sessions WHERE id = ? AND expiry > ?", o.id, now).row();
    db_.run("DELETE FROM sessions WHERE id = ?", o.id);
    drop_group(o.id, now);
    return existed;
}

// Event logs.

std::optional<SqliteTables::Stream> SqliteTables::find_stream(const store::StreamName& name, std::int64_t now,
                                                              bool may_write) {
    auto q =
        db_.query("SELECT key, last, first, bytes, oldest, finished, expiry FROM streams WHERE grp = ? AND name = ?",
                  name.group, name.name);
    if (!q.row()) return std::nullopt;
    if (q.integer(6) <= now) {
        if (may_write) drop_stream(q.integer(0));
        return std::nullopt;
    }
    return Stream{q.integer(0), q.count(1), q.count(2), q.count(3), q.integer(4), q.integer(5) != 0};
}

Result<SqliteTables::Stream> SqliteTables::open_stream(const store::StreamName& name, std::int64_t now) {
    if (auto found = find_stream(name, now, true)) {
        if (found->finished) return op::stream_finished();
        return *found;
    }
    auto q = db_.query(
        "INSERT INTO streams(grp, name, last, first, bytes, oldest, finished, expiry) "
        "VALUES(?, ?, 0, 1, 0, ?, 0, ?) RETURNING key",
        name.group, name.name, now, largest);
    Stream out;
    if (q.row()) out.key = q.integer(0);
    q.row();  // ends the statement
    out.oldest = now;
    return out;
}

Result<store::EventId> SqliteTables::apply(op::EventAppend& o, std::int64_t now) {
    auto opened = open_stream(o.stream, now);
    if (!opened) return opened.error();
    auto& s = *opened;
    if (++s.last == s.first) s.oldest = now;
    s.bytes += o.bytes.size();
    db_.run("INSERT INTO events(stream, id, at, bytes) VALUES(?, ?, ?, ?)", s.key, s.last, now, o.bytes);
    trim(s, o.keep, now);
    db_.run("UPDATE streams SET last = ?, first = ?, bytes = ?, oldest = ?, finished = ?, expiry = ? WHERE key = ?",
            s.last, s.first, s.bytes, s.oldest, o.last ? 1 : 0, now + o.keep.max_age.count(), s.key);
    messages_.emplace_back(store::stream_topic(o.stream), "");
    return s.last;
}

Result<void> SqliteTables::apply(op::EventFinish& o, std::int64_t now) {
    auto s = open_stream(o.stream, now);
    if (!s) return s.error();
    trim(*s, o.keep, now);
    db_.run("UPDATE streams SET first = ?, bytes = ?, oldest = ?, finished = 1, expiry = ? WHERE key = ?", s->first,
            s->bytes, s->oldest, now + o.keep.max_age.count(), s->key);
    messages_.emplace_back(store::stream_topic(o.stream), "");
    return {};
}

Result<std::size_t> SqliteTables::apply(op::EventTrim& o, std::int64_t now) {
    auto s = find_stream(o.stream, now, true);
    if (!s) return op::no_stream();
    const auto removed = trim(*s, o.keep, now);
    db_.run("UPDATE streams SET first = ?, bytes = ?, oldest = ? WHERE key = ?", s->first, s->bytes, s->oldest, s->key);
    return removed;
}

std::size_t SqliteTables::trim(Stream& s, const store::Keep& keep, std::int64_t now) {
    std::size_t removed = 0;
    while (db_.ok() && s.last > s.first &&
           (s.last - s.first + 1 > keep.max_events || s.bytes > keep.max_bytes ||
            s.oldest + keep.max_age.count() <= now)) {
        auto q = db_.query("DELETE FROM events WHERE stream = ? AND id = ? RETURNING length(bytes)", s.key, s.first);
        if (q.row()) s.bytes -= std::min(s.bytes, q.count(0));
        q.row();
        ++s.first;
        ++removed;
        if (auto next = db_.query("SELECT at FROM events WHERE stream = ? AND id = ?", s.key, s.first); next.row())
            s.oldest = next.integer(0);
    }
    return removed;
}

Result<store::EventBatch> SqliteTables::apply(op::EventRead& o, std::int64_t now) {
    const auto s = find_stream(o.stream, now, false);
    if (!s) return op::no_stream();
    store::EventBatch out;
    out.last = s->last, out.finished = s->finished;
    out.gap = o.after < s->first - 1;
    auto q = db_.query("SELECT id, bytes FROM events WHERE stream = ? AND id > ? ORDER BY id LIMIT ?", s->key,
                       bounded_id(o.after), bounded_id(o.max_events));
    std::size_t bytes = 0;
    while (q.row()) {
        store::Event event{q.count(0), q.bytes(1)};
        bytes += event.bytes.size();
        if (bytes > o.max_bytes && !out.events.empty()) break;
        out.events.push_back(std::move(event));
    }
    return out;
}

void SqliteTables::drop_stream(std::int64_t key) {
    db_.run("DELETE FROM events WHERE stream = ?", key);
    db_.run("DELETE FROM streams WHERE key = ?", key);
}

Result<bool> SqliteTables::apply(op::StreamRemove& o, std::int64_t now) {
    const auto s = find_stream(o.stream, now, true);
    if (s) drop_stream(s->key);
    return s.has_value();
}

Result<std::size_t> SqliteTables::apply(op::GroupRemove& o, std::int64_t now) { return drop_group(o.group, now); }

std::size_t SqliteTables::drop_group(const std::string& group, std::int64_t now) {
    std::size_t removed = 0;
    if (auto q = db_.query("SELECT count(*) FROM streams WHERE grp = ? AND expiry > ?", group, now); q.row())
        removed = q.count(0);
    db_.run("DELETE FROM events WHERE stream IN (SELECT key FROM streams WHERE grp = ?)", group);
    db_.run("DELETE FROM streams WHERE grp = ?", group);
    return removed;
}

Result<void> SqliteTables::apply(op::Publish& o, std::int64_t) {
    messages_.emplace_back(std::move(o.topic), std::move(o.bytes));
    return {};
}

// Values.

Result<std::optional<std::string>> SqliteTables::apply(op::ValueGet& o, std::int64_t now) {
    auto q = db_.query("SELECT value FROM vals WHERE key = ? AND expiry > ?", o.key, now);
    return q.row() ? std::optional(q.bytes(0)) : std::nullopt;
}

Result<void> SqliteTables::apply(op::ValueSet& o, std::int64_t now) {
    db_.run("INSERT OR REPLACE INTO vals(key, value, expiry) VALUES(?, ?, ?)", o.key, o.value, now + o.ttl.count());
    return {};
}

Result<bool> SqliteTables::apply(op::ValueReplace& o, std::int64_t now) {
    op::ValueGet get{o.key};
    if (*apply(get, now) != o.expected) return false;
    op::ValueSet set{o.key, std::move(o.value), o.ttl};
    apply(set, now);
    return true;
}

Result<bool> SqliteTables::apply(op::ValueRemove& o, std::int64_t now) {
    return db_.run("DELETE FROM vals WHERE key = ? AND expiry > ?", o.key, now) > 0;
}

Result<std::int64_t> SqliteTables::apply(op::CounterAdd& o, std::int64_t now) {
    std::int64_t sum = 0, expiry = now + o.ttl.count();
    if (auto q = db_.query("SELECT sum, expiry FROM counters WHERE key = ? AND expiry > ?", o.key, now); q.row())
        sum = q.integer(0), expiry = q.integer(1);
    if (__builtin_add_overflow(sum, o.amount, &sum)) sum = o.amount > 0 ? INT64_MAX : INT64_MIN;
    db_.run("INSERT OR REPLACE INTO counters(key, sum, expiry) VALUES(?, ?, ?)", o.key, sum, expiry);
    return sum;
}

Result<store::Lease> SqliteTables::apply(op::LeaseAcquire& o, std::int64_t now) {
    std::uint64_t token = 1;
    if (auto q = db_.query("SELECT token, until FROM leases WHERE key = ? AND expiry > ?", o.key, now); q.row()) {
        if (q.integer(1) > now) return op::lease_held();
        token = q.count(0) + 1;
    }
    const auto until = now + o.ttl.count();
    db_.run("INSERT OR REPLACE INTO leases(key, holder, token, until, expiry) VALUES(?, ?, ?, ?, ?)", o.key, o.holder,
            token, until, until + op::token_memory.count());
    return store::Lease{o.holder, token, o.ttl};
}

Result<void> SqliteTables::apply(op::LeaseExtend& o, std::int64_t now) {
    auto q = db_.query("SELECT token FROM leases WHERE key = ? AND expiry > ?", o.key, now);
    if (!q.row()) return op::no_lease();
    if (q.count(0) != o.token) return op::lease_fenced();
    const auto until = now + o.ttl.count();
    db_.run("UPDATE leases SET until = ?, expiry = ? WHERE key = ?", until, until + op::token_memory.count(), o.key);
    return {};
}

Result<store::Lease> SqliteTables::apply(op::LeaseLookUp& o, std::int64_t now) {
    auto q = db_.query("SELECT holder, token, until FROM leases WHERE key = ? AND expiry > ?", o.key, now);
    if (!q.row()) return op::no_lease();
    return store::Lease{q.bytes(0), q.count(1), left(q.integer(2), now)};
}

Result<StoreStatus> SqliteTables::apply(op::Check&, std::int64_t now) {
    db_.query("SELECT count(*) FROM sessions WHERE 0").row();
    return StoreStatus{"SQLite " + std::string(sqlite3_libversion()) + ", " + db_.path(), WallTime{} + op::Millis(now)};
}

void SqliteTables::sweep(std::int64_t now) {
    db_.run("DELETE FROM events WHERE stream IN (SELECT key FROM streams WHERE expiry <= ? ORDER BY expiry LIMIT 100)",
            now);
    db_.run("DELETE FROM streams WHERE key IN (SELECT key FROM streams WHERE expiry <= ? ORDER BY expiry LIMIT 100)",
            now);
    db_.run("DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expiry <= ? LIMIT 500)", now);
    db_.run("DELETE FROM tasks WHERE ord IN (SELECT ord FROM tasks WHERE expiry <= ? LIMIT 500)", now);
    db_.run("DELETE FROM vals WHERE key IN (SELECT key FROM vals WHERE expiry <= ? LIMIT 500)", now);
    db_.run("DELETE FROM counters WHERE key IN (SELECT key FROM counters WHERE expiry <= ? LIMIT 500)", now);
    db_.run("DELETE FROM leases WHERE key IN (SELECT key FROM leases WHERE expiry <= ? LIMIT 500)", now);
}

}  // namespace tenon::sqlite
