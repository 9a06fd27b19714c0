// The state of a memory store: a pure state machine. Operations and `now` go in, answers come out.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "store/expiring_map.hpp"
#include "store/operations.hpp"

namespace tenon::store {

/// All tables. Not thread-safe. apply() performs one operation. `changed` collects the topics of the streams that an
/// operation changed.
class MemoryTables {
 public:
    explicit MemoryTables(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    Result<std::uint64_t> apply(const op::SessionCreate& o, WallTime now);
    Result<op::RawSession> apply(const op::SessionLoad& o, WallTime now);
    Result<std::uint64_t> apply(const op::SessionUpdate& o, WallTime now);
    Result<void> apply(const op::SessionTouch& o, WallTime now);
    Result<bool> apply(const op::SessionRemove& o, WallTime now);

    Result<EventId> apply(op::EventAppend& o, WallTime now);
    Result<EventBatch> apply(const op::EventRead& o, WallTime now);
    Result<void> apply(const op::EventFinish& o, WallTime now);
    Result<std::size_t> apply(const op::EventTrim& o, WallTime now);
    Result<bool> apply(const op::StreamRemove& o, WallTime now);
    Result<std::size_t> apply(const op::GroupRemove& o, WallTime now);

    Result<op::RawTask> apply(const op::TaskCreate& o, WallTime now);
    Result<op::RawTask> apply(const op::TaskLoad& o, WallTime now);
    Result<void> apply(const op::TaskUpdate& o, WallTime now);
    Result<void> apply(const op::TaskExtend& o, WallTime now);
    Result<op::RawTask> apply(const op::TaskTakeOver& o, WallTime now);
    Result<bool> apply(const op::TaskRemove& o, WallTime now);
    Result<std::vector<op::RawTask>> apply(const op::TaskList& o, WallTime now);
    Result<std::size_t> apply(const op::TaskCount& o, WallTime now);
    Result<std::size_t> apply(const op::TaskSize& o, WallTime now);
    Result<std::vector<std::string>> apply(const op::TaskOrphans& o, WallTime now);

    Result<std::optional<std::string>> apply(const op::ValueGet& o, WallTime now);
    Result<void> apply(const op::ValueSet& o, WallTime now);
    Result<bool> apply(const op::ValueReplace& o, WallTime now);
    Result<bool> apply(const op::ValueRemove& o, WallTime now);
    Result<std::int64_t> apply(const op::CounterAdd& o, WallTime now);
    Result<Lease> apply(const op::LeaseAcquire& o, WallTime now);
    Result<void> apply(const op::LeaseExtend& o, WallTime now);
    Result<Lease> apply(const op::LeaseLookUp& o, WallTime now);

    /// Removes expired entries, at most `max` of each table.
    void sweep(WallTime now, int max);
    std::size_t bytes() const { return bytes_; }

    /// For tests: changes the bytes of a record.
    void overwrite_session(const std::string& id, std::string bytes);
    void overwrite_task(const std::string& id, std::string bytes);

 private:
    struct Session {
        std::string bytes;
        std::uint64_t version = 1;
    };
    struct StoredEvent {
        std::string bytes;
        WallTime at;
    };
    struct Stream {
        std::deque<StoredEvent> events;  // the ids of the events end with `last`
        EventId last = 0;
        std::size_t bytes = 0;
        bool finished = false;
    };
    struct Task {
        std::string owner, bytes, holder;
        std::uint64_t order = 0;
        Token token = 1;
        WallTime lease_until;
        bool over = false;
    };
    struct HeldLease {
        std::string holder;
        Token token = 1;
        WallTime until;
    };
    template <class Key, class Value>
    using Table = ExpiringMap<Key, Value>;

    Result<void> room_for(std::size_t bytes) const;
    Result<Stream*> open_stream(const StreamName& name, WallTime expiry, WallTime now);
    std::size_t trim(Stream& stream, const Keep& keep, WallTime now);
    void erase_session(const std::string& id);
    void erase_stream(const StreamName& name);
    std::size_t erase_group(const std::string& group, WallTime now);
    void erase_task(const std::string& id);
    void erase_value(const std::string& key);
    void set_lease(const std::string& id, Task& task, WallTime until);
    op::RawTask raw(const std::string& id, const Task& task, WallTime now) const;

    const std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    Table<std::string, Session> sessions_;
    Table<StreamName, Stream> streams_;
    Table<std::string, Task> tasks_;
    std::map<std::pair<std::string, std::uint64_t>, std::string> task_order_;  // ids by owner and order
    std::set<std::pair<WallTime, std::string>> leases_of_tasks_;               // of tasks that are not over
    std::uint64_t last_order_ = 0;
    Table<std::string, std::string> values_;
    Table<std::string, std::int64_t> counters_;
    Table<std::string, HeldLease> leases_;
};

}  // namespace tenon::store
