// The operations of a store, as values. The front (front.hpp) checks the arguments of the public interfaces and encodes
// records; a backend performs operations. Records are bytes here.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/store.hpp>

namespace tenon::store::op {

using Millis = std::chrono::milliseconds;

/// What an operation adds to the queue of a backend, beside its keys and values.
inline constexpr std::size_t bytes_of_operation = 200;

// Sessions.

struct RawSession {
    std::string bytes;
    std::uint64_t version = 0;
    Millis expires_in{};
};
struct SessionCreate {
    static constexpr std::string_view name = "sessions.create";
    using Answer = std::uint64_t;
    std::string id, bytes;
    Millis ttl;
    std::size_t size() const { return id.size() + bytes.size(); }
};
struct SessionLoad {
    static constexpr std::string_view name = "sessions.load";
    using Answer = RawSession;
    std::string id;
    std::size_t size() const { return id.size(); }
};
struct SessionUpdate {
    static constexpr std::string_view name = "sessions.update";
    using Answer = std::uint64_t;
    std::string id, bytes;
    std::uint64_t version;
    Millis ttl;
    std::size_t size() const { return id.size() + bytes.size(); }
};
struct SessionTouch {
    static constexpr std::string_view name = "sessions.touch";
    using Answer = void;
    std::string id;
    Millis ttl;
    std::size_t size() const { return id.size(); }
};
struct SessionRemove {
    static constexpr std::string_view name = "sessions.remove";
    using Answer = bool;
    std::string id;
    std::size_t size() const { return id.size(); }
};

// Event logs.

struct EventAppend {
    static constexpr std::string_view name = "events.append";
    using Answer = EventId;
    StreamName stream;
    std::string bytes;
    bool last;
    Keep keep;
    std::size_t size() const { return stream.group.size() + stream.name.size() + bytes.size(); }
};
struct EventRead {
    static constexpr std::string_view name = "events.read";
    using Answer = EventBatch;
    StreamName stream;
    EventId after;
    std::size_t max_events, max_bytes;
    std::size_t size() const { return stream.group.size() + stream.name.size(); }
};
struct EventFinish {
    static constexpr std::string_view name = "events.finish";
    using Answer = void;
    StreamName stream;
    Keep keep;
    std::size_t size() const { return stream.group.size() + stream.name.size(); }
};
struct EventTrim {
    static constexpr std::string_view name = "events.trim";
    using Answer = std::size_t;
    StreamName stream;
    Keep keep;
    std::size_t size() const { return stream.group.size() + stream.name.size(); }
};
struct StreamRemove {
    static constexpr std::string_view name = "events.remove";
    using Answer = bool;
    StreamName stream;
    std::size_t size() const { return stream.group.size() + stream.name.size(); }
};
struct GroupRemove {
    static constexpr std::string_view name = "events.remove_group";
    using Answer = std::size_t;
    std::string group;
    std::size_t size() const { return group.size(); }
};

// Tasks.

struct RawTask {
    std::string id, owner, bytes, holder;
    std::uint64_t order = 0;
    Token token = 0;
    Millis lease_left{};
};
struct TaskCreate {
    static constexpr std::string_view name = "tasks.create";
    using Answer = RawTask;
    std::string id, owner, bytes;
    bool over;
    Millis ttl;
    std::string holder;
    Millis lease;
    std::size_t size() const { return id.size() + owner.size() + bytes.size() + holder.size(); }
};
struct TaskLoad {
    static constexpr std::string_view name = "tasks.load";
    using Answer = RawTask;
    std::string id;
    std::size_t size() const { return id.size(); }
};
struct TaskUpdate {
    static constexpr std::string_view name = "tasks.update";
    using Answer = void;
    std::string id, bytes;
    bool over;
    Token token;
    std::size_t size() const { return id.size() + bytes.size(); }
};
struct TaskExtend {
    static constexpr std::string_view name = "tasks.extend";
    using Answer = void;
    std::string id;
    Token token;
    Millis lease;
    std::size_t size() const { return id.size(); }
};
struct TaskTakeOver {
    static constexpr std::string_view name = "tasks.take_over";
    using Answer = RawTask;
    std::string id, holder;
    Millis lease;
    std::size_t size() const { return id.size() + holder.size(); }
};
struct TaskRemove {
    static constexpr std::string_view name = "tasks.remove";
    using Answer = bool;
    std::string id;
    std::size_t size() const { return id.size(); }
};
struct TaskList {
    static constexpr std::string_view name = "tasks.list";
    using Answer = std::vector<RawTask>;
    std::string owner;
    std::uint64_t after;
    std::size_t max;
    std::size_t size() const { return owner.size(); }
};
struct TaskCount {
    static constexpr std::string_view name = "tasks.count";
    using Answer = std::size_t;
    std::string owner;
    std::size_t size() const { return owner.size(); }
};
struct TaskSize {
    static constexpr std::string_view name = "tasks.size";
    using Answer = std::size_t;
    std::size_t size() const { return 0; }
};
struct TaskOrphans {
    static constexpr std::string_view name = "tasks.orphans";
    using Answer = std::vector<std::string>;
    std::size_t max;
    std::size_t size() const { return 0; }
};

// The bus.

struct Publish {
    static constexpr std::string_view name = "bus.publish";
    using Answer = void;
    std::string topic, bytes;
    std::size_t size() const { return topic.size() + bytes.size(); }
};

// Values.

struct ValueGet {
    static constexpr std::string_view name = "values.get";
    using Answer = std::optional<std::string>;
    std::string key;
    std::size_t size() const { return key.size(); }
};
struct ValueSet {
    static constexpr std::string_view name = "values.set";
    using Answer = void;
    std::string key, value;
    Millis ttl;
    std::size_t size() const { return key.size() + value.size(); }
};
struct ValueReplace {
    static constexpr std::string_view name = "values.replace";
    using Answer = bool;
    std::string key;
    std::optional<std::string> expected;
    std::string value;
    Millis ttl;
    std::size_t size() const { return key.size() + value.size() + (expected ? expected->size() : 0); }
};
struct ValueRemove {
    static constexpr std::string_view name = "values.remove";
    using Answer = bool;
    std::string key;
    std::size_t size() const { return key.size(); }
};
struct CounterAdd {
    static constexpr std::string_view name = "values.add";
    using Answer = std::int64_t;
    std::string key;
    std::int64_t amount;
    Millis ttl;
    std::size_t size() const { return key.size(); }
};
struct LeaseAcquire {
    static constexpr std::string_view name = "values.acquire";
    using Answer = Lease;
    std::string key, holder;
    Millis ttl;
    std::size_t size() const { return key.size() + holder.size(); }
};
struct LeaseExtend {
    static constexpr std::string_view name = "values.extend";
    using Answer = void;
    std::string key;
    Token token;
    Millis ttl;
    std::size_t size() const { return key.size(); }
};
struct LeaseLookUp {
    static constexpr std::string_view name = "values.look_up";
    using Answer = Lease;
    std::string key;
    std::size_t size() const { return key.size(); }
};

struct Check {
    static constexpr std::string_view name = "store.check";
    using Answer = StoreStatus;
    std::size_t size() const { return 0; }
};

/// The names of all operations, for metrics.
inline constexpr std::string_view operation_names[] = {
    SessionCreate::name, SessionLoad::name, SessionUpdate::name, SessionTouch::name, SessionRemove::name,
    EventAppend::name,   EventRead::name,   EventFinish::name,   EventTrim::name,    StreamRemove::name,
    GroupRemove::name,   TaskCreate::name,  TaskLoad::name,      TaskUpdate::name,   TaskExtend::name,
    TaskTakeOver::name,  TaskRemove::name,  TaskList::name,      TaskCount::name,    TaskSize::name,
    TaskOrphans::name,   Publish::name,     ValueGet::name,      ValueSet::name,     ValueReplace::name,
    ValueRemove::name,   CounterAdd::name,  LeaseAcquire::name,  LeaseExtend::name,  LeaseLookUp::name,
    Check::name};

/// Tokens of a lease are remembered for this time after it ran out. See Values::acquire.
inline constexpr Millis token_memory = std::chrono::hours(24);

// The errors that all backends give.

inline Error store_closed() { return unavailable("the store was closed"); }
inline Error no_session() { return {code::store_not_found, "the store has no such session"}; }
inline Error session_exists() { return {code::store_conflict, "the store already has a session with this id"}; }
inline Error session_changed() { return {code::store_conflict, "another node has changed the session"}; }
inline Error no_stream() { return {code::store_not_found, "the store has no such stream"}; }
inline Error stream_finished() { return {code::store_conflict, "the stream is finished"}; }
inline Error no_task() { return {code::store_not_found, "the store has no such task"}; }
inline Error task_exists() { return {code::store_conflict, "the store already has a task with this id"}; }
inline Error task_leased() { return {code::store_conflict, "another node holds the lease of the task"}; }
inline Error task_fenced() { return {code::store_fenced, "another node has taken the task over"}; }
inline Error no_lease() { return {code::store_not_found, "there is no such lease"}; }
inline Error lease_held() { return {code::store_conflict, "the lease is held"}; }
inline Error lease_fenced() { return {code::store_fenced, "another holder has taken the lease"}; }

}  // namespace tenon::store::op
