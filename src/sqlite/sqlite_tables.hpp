// The operations of a store as SQL. Each runs inside a transaction of the backend.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sqlite/database.hpp"
#include "store/operations.hpp"

namespace tenon::sqlite {

namespace op = store::op;

/// A message of the bus: topic and bytes. A change of a stream is an empty message to its topic.
using Message = std::pair<std::string, std::string>;

/// Performs operations. After an error of the database, the answers have no meaning: check Database::ok().
/// Not thread-safe.
class SqliteTables {
 public:
    SqliteTables(Database& db, std::vector<Message>& messages) : db_(db), messages_(messages) {}

    Result<std::uint64_t> apply(op::SessionCreate& o, std::int64_t now);
    Result<op::RawSession> apply(op::SessionLoad& o, std::int64_t now);
    Result<std::uint64_t> apply(op::SessionUpdate& o, std::int64_t now);
    Result<void> apply(op::SessionTouch& o, std::int64_t now);
    Result<bool> apply(op::SessionRemove& o, std::int64_t now);
    Result<store::EventId> apply(op::EventAppend& o, std::int64_t now);
    Result<store::EventBatch> apply(op::EventRead& o, std::int64_t now);
    Result<void> apply(op::EventFinish& o, std::int64_t now);
    Result<std::size_t> apply(op::EventTrim& o, std::int64_t now);
    Result<bool> apply(op::StreamRemove& o, std::int64_t now);
    Result<std::size_t> apply(op::GroupRemove& o, std::int64_t now);
    Result<op::RawTask> apply(op::TaskCreate& o, std::int64_t now);
    Result<op::RawTask> apply(op::TaskLoad& o, std::int64_t now);
    Result<void> apply(op::TaskUpdate& o, std::int64_t now);
    Result<void> apply(op::TaskExtend& o, std::int64_t now);
    Result<op::RawTask> apply(op::TaskTakeOver& o, std::int64_t now);
    Result<bool> apply(op::TaskRemove& o, std::int64_t now);
    Result<std::vector<op::RawTask>> apply(op::TaskList& o, std::int64_t now);
    Result<std::size_t> apply(op::TaskCount& o, std::int64_t now);
    Result<std::size_t> apply(op::TaskSize& o, std::int64_t now);
    Result<std::vector<std::string>> apply(op::TaskOrphans& o, std::int64_t now);
    Result<void> apply(op::Publish& o, std::int64_t now);
    Result<std::optional<std::string>> apply(op::ValueGet& o, std::int64_t now);
    Result<void> apply(op::ValueSet& o, std::int64_t now);
    Result<bool> apply(op::ValueReplace& o, std::int64_t now);
    Result<bool> apply(op::ValueRemove& o, std::int64_t now);
    Result<std::int64_t> apply(op::CounterAdd& o, std::int64_t now);
    Result<store::Lease> apply(op::LeaseAcquire& o, std::int64_t now);
    Result<void> apply(op::LeaseExtend& o, std::int64_t now);
    Result<store::Lease> apply(op::LeaseLookUp& o, std::int64_t now);
    Result<StoreStatus> apply(op::Check& o, std::int64_t now);

    /// Removes expired rows, some of each table.
    void sweep(std::int64_t now);

 private:
    struct Stream {
        std::int64_t key = 0;
        std::uint64_t last = 0, first = 1, bytes = 0;
        std::int64_t oldest = 0;
        bool finished = false;
    };
    /// `may_write` also removes a stream that has expired.
    std::optional<Stream> find_stream(const store::StreamName& name, std::int64_t now, bool may_write);
    Result<Stream> open_stream(const store::StreamName& name, std::int64_t now);
    std::size_t trim(Stream& stream, const store::Keep& keep, std::int64_t now);
    void drop_stream(std::int64_t key);
    std::size_t drop_group(const std::string& group, std::int64_t now);
    Result<op::RawTask> load_task(const std::string& id, std::int64_t now);

    Database& db_;
    std::vector<Message>& messages_;
};

}  // namespace tenon::sqlite
