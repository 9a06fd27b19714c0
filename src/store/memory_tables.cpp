#include "store/memory_tables.hpp"

#include <algorithm>

namespace tenon::store {
namespace {

// What an entry costs beside its keys and values.
constexpr std::size_t bytes_of_entry = 300;
constexpr std::size_t bytes_of_event = 64;

std::size_t size_of(const StreamName& name) { return 2 * (name.group.size() + name.name.size()) + bytes_of_entry; }

op::Millis until(WallTime when, WallTime now) {
    return when <= now ? op::Millis(0) : std::chrono::ceil<op::Millis>(when - now);
}

}  // namespace

Result<void> MemoryTables::room_for(std::size_t bytes) const {
    if (bytes <= max_bytes_ && bytes_ <= max_bytes_ - bytes) return {};
    return unavailable("the memory store is full: it holds " + std::to_string(bytes_) +
                       " bytes, and StoreLimits::max_memory_bytes is " + std::to_string(max_bytes_));
}

// Sessions.

Result<std::uint64_t> MemoryTables::apply(const op::SessionCreate& o, WallTime now) {
    if (sessions_.find(o.id, now)) return op::session_exists();
    erase_session(o.id);  // it may be there, but expired
    const auto size = o.bytes.size() + 2 * o.id.size() + bytes_of_entry;
    if (auto room = room_for(size); !room) return room.error();
    sessions_.put(o.id, {o.bytes, 1}, now + o.ttl);
    bytes_ += size;
    return 1;
}

Result<op::RawSession> MemoryTables::apply(const op::SessionLoad& o, WallTime now) {
    const auto* found = sessions_.find(o.id, now);
    if (!found) return op::no_session();
    return op::RawSession{found->value.bytes, found->value.version, until(found->expiry, now)};
}

Result<std::uint64_t> MemoryTables::apply(const op::SessionUpdate& o, WallTime now) {
    auto* found = sessions_.find(o.id, now);
    if (!found) return op::no_session();
    if (found->value.version != o.version) return op::session_changed();
    if (auto room = room_for(o.bytes.size()); !room) return room.error();
    bytes_ += o.bytes.size();
    bytes_ -= found->value.bytes.size();
    found->value.bytes = o.bytes;
    sessions_.set_expiry(o.id, now + o.ttl);
    return ++found->value.version;
}

Result<void> MemoryTables::apply(const op::SessionTouch& o, WallTime now) {
    if (!sessions_.find(o.id, now)) return op::no_session();
    sessions_.set_expiry(o.id, now + o.ttl);
    return {};
}

Result<bool> MemoryTables::apply(const op::SessionRemove& o, WallTime now) {
    const bool existed = sessions_.find(o.id, now) != nullptr;
    erase_session(o.id);
    erase_group(o.id, now);
    return existed;
}

void MemoryTables::erase_session(const std::string& id) {
    const auto it = sessions_.all().find(id);
    if (it == sessions_.all().end()) return;
    bytes_ -= it->second.value.bytes.size() + 2 * id.size() + bytes_of_entry;
    sessions_.erase(id);
}

void MemoryTables::overwrite_session(const std::string& id, std::string bytes) {
    auto* found = sessions_.find(id, WallTime::min());
    bytes_ += bytes.size();
    bytes_ -= found->value.bytes.size();
    found->value.bytes = std::move(bytes);
}

// Event logs.

Result<MemoryTables::Stream*> MemoryTables::open_stream(const StreamName& name, WallTime expiry, WallTime now) {
    if (auto* found = streams_.find(name, now)) {
        if (found->value.finished) return op::stream_finished();
        streams_.set_expiry(name, expiry);
        return &found->value;
    }
    erase_stream(name);
    if (auto room = room_for(size_of(name)); !room) return room.error();
    bytes_ += size_of(name);
    return &streams_.put(name, {}, expiry).value;
}

Result<EventId> MemoryTables::apply(op::EventAppend& o, WallTime now) {
    if (auto room = room_for(o.bytes.size() + bytes_of_event + size_of(o.stream)); !room) return room.error();
    const auto stream = open_stream(o.stream, now + o.keep.max_age, now);
    if (!stream) return stream.error();
    auto& s = **stream;
    s.bytes += o.bytes.size();
    bytes_ += o.bytes.size() + bytes_of_event;
    s.events.push_back({std::move(o.bytes), now});
    s.finished = o.last;
    trim(s, o.keep, now);
    return ++s.last;
}

Result<EventBatch> MemoryTables::apply(const op::EventRead& o, WallTime now) {
    const auto* found = streams_.find(o.stream, now);
    if (!found) return op::no_stream();
    const auto& s = found->value;
    EventBatch out;
    out.last = s.last, out.finished = s.finished;
    const EventId first = s.last - s.events.size() + 1;
    out.gap = o.after < first - 1;
    std::size_t bytes = 0;
    for (auto id = std::max(first, o.after + 1); id > o.after && id <= s.last && out.events.size() < o.max_events;
         ++id) {
        const auto& event = s.events[static_cast<std::size_t>(id - first)];
        bytes += event.bytes.size();
        if (bytes > o.max_bytes && !out.events.empty()) break;
        out.events.push_back({id, event.bytes});
    }
    return out;
}

Result<void> MemoryTables::apply(const op::EventFinish& o, WallTime now) {
    const auto stream = open_stream(o.stream, now + o.keep.max_age, now);
    if (!stream) return stream.error();
    (*stream)->finished = true;
    trim(**stream, o.keep, now);
    return {};
}

Result<std::size_t> MemoryTables::apply(const op::EventTrim& o, WallTime now) {
    auto* found = streams_.find(o.stream, now);
    if (!found) return op::no_stream();
    return trim(found->value, o.keep, now);
}

std::size_t MemoryTables::trim(Stream& s, const Keep& keep, WallTime now) {
    std::size_t removed = 0;
    while (s.events.size() > 1 && (s.events.size() > keep.max_events || s.bytes > keep.max_bytes ||
                                   s.events.front().at + keep.max_age <= now)) {
        s.bytes -= s.events.front().bytes.size();
        bytes_ -= s.events.front().bytes.size() + bytes_of_event;
        s.events.pop_front();
        ++removed;
    }
    return removed;
}

void MemoryTables::erase_stream(const StreamName& name) {
    const auto it = streams_.all().find(name);
    if (it == streams_.all().end()) return;
    const auto& s = it->second.value;
    bytes_ -= s.bytes + s.events.size() * bytes_of_event + size_of(name);
    streams_.erase(name);
}

Result<bool> MemoryTables::apply(const op::StreamRemove& o, WallTime now) {
    const bool existed = streams_.find(o.stream, now) != nullptr;
    erase_stream(o.stream);
    return existed;
}

Result<std::size_t> MemoryTables::apply(const op::GroupRemove& o, WallTime now) { return erase_group(o.group, now); }

std::size_t MemoryTables::erase_group(const std::string& group, WallTime now) {
    std::size_t removed = 0;
    for (;;) {
        const auto it = streams_.all().lower_bound(StreamName{group, ""});
        if (it == streams_.all().end() || it->first.group != group) return removed;
        if (it->second.expiry > now) ++removed;
        erase_stream(StreamName(it->first));
    }
}

// Values.

Result<std::optional<std::string>> MemoryTables::apply(const op::ValueGet& o, WallTime now) {
    const auto* found = values_.find(o.key, now);
    return found ? std::optional(found->value) : std::nullopt;
}

Result<void> MemoryTables::apply(const op::ValueSet& o, WallTime now) {
    const auto size = o.value.size() + 2 * o.key.size() + bytes_of_entry;
    if (auto room = room_for(size); !room) return room.error();
    erase_value(o.key);
    values_.put(o.key, o.value, now + o.ttl);
    bytes_ += size;
    return {};
}

Result<bool> MemoryTables::apply(const op::ValueReplace& o, WallTime now) {
    const auto* found = values_.find(o.key, now);
    if (found ? !o.expected || *o.expected != found->value : o.expected.has_value()) return false;
    if (auto done = apply(op::ValueSet{o.key, o.value, o.ttl}, now); !done) return done.error();
    return true;
}

Result<bool> MemoryTables::apply(const op::ValueRemove& o, WallTime now) {
    const bool existed = values_.find(o.key, now) != nullptr;
    erase_value(o.key);
    return existed;
}

void MemoryTables::erase_value(const std::string& key) {
    const auto it = values_.all().find(key);
    if (it == values_.all().end()) return;
    bytes_ -= it->second.value.size() + 2 * key.size() + bytes_of_entry;
    values_.erase(key);
}

Result<std::int64_t> MemoryTables::apply(const op::CounterAdd& o, WallTime now) {
    auto* found = counters_.find(o.key, now);
    if (!found) {
        const auto size = 2 * o.key.size() + bytes_of_entry;
        if (auto room = room_for(size); !room) return room.error();
        if (!counters_.all().contains(o.key)) bytes_ += size;
        found = &counters_.put(o.key, 0, now + o.ttl);
    }
    auto& sum = found->value;
    if (__builtin_add_overflow(sum, o.amount, &sum)) sum = o.amount > 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

Result<Lease> MemoryTables::apply(const op::LeaseAcquire& o, WallTime now) {
    const auto* found = leases_.find(o.key, now);
    if (found && found->value.until > now) return op::lease_held();
    const Token token = found ? found->value.token + 1 : 1;
    const auto size = 2 * o.key.size() + bytes_of_entry;
    if (!leases_.all().contains(o.key)) {
        if (auto room = room_for(size); !room) return room.error();
        bytes_ += size;
    }
    leases_.put(o.key, {o.holder, token, now + o.ttl}, now + o.ttl + op::token_memory);
    return Lease{o.holder, token, o.ttl};
}

Result<void> MemoryTables::apply(const op::LeaseExtend& o, WallTime now) {
    auto* found = leases_.find(o.key, now);
    if (!found) return op::no_lease();
    if (found->value.token != o.token) return op::lease_fenced();
    found->value.until = now + o.ttl;
    leases_.set_expiry(o.key, now + o.ttl + op::token_memory);
    return {};
}

Result<Lease> MemoryTables::apply(const op::LeaseLookUp& o, WallTime now) {
    const auto* found = leases_.find(o.key, now);
    if (!found) return op::no_lease();
    return Lease{found->value.holder, found->value.token, until(found->value.until, now)};
}

void MemoryTables::sweep(WallTime now, int max) {
    for (int i = 0; i < max; ++i) {
        bool removed = false;
        const auto sweep_one = [&](const auto& table, auto erase) {
            if (const auto* key = table.expired(now)) {
                erase(std::remove_cvref_t<decltype(*key)>(*key));  // a copy: erasing destroys the key
                removed = true;
            }
        };
        sweep_one(sessions_, [&](const std::string& id) { erase_session(id); });
        sweep_one(streams_, [&](const StreamName& name) { erase_stream(name); });
        sweep_one(tasks_, [&](const std::string& id) { erase_task(id); });
        sweep_one(values_, [&](const std::string& key) { erase_value(key); });
        sweep_one(counters_, [&](const std::string& key) {
            bytes_ -= 2 * key.size() + bytes_of_entry;
            counters_.erase(key);
        });
        sweep_one(leases_, [&](const std::string& key) {
            bytes_ -= 2 * key.size() + bytes_of_entry;
            leases_.erase(key);
        });
        if (!removed) return;
    }
}

}  // namespace tenon::store
