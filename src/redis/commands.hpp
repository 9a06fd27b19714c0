// The operations of a store as commands of Redis, and the answers in their replies. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framing/resp.hpp"
#include "redis/scripts.hpp"
#include "store/operations.hpp"

namespace tenon::redis {

using framing::RespValue;

/// A command. With a script, `parts` are its keys and arguments.
struct Command {
    std::optional<Script> script = {};
    std::size_t keys = 0;
    std::vector<std::string> parts = {};

    /// Encodes it. `whole` sends the text of the script instead of its digest.
    std::string encode(bool whole = false) const;
};

/// Makes commands for keys with a prefix.
class Commands {
 public:
    explicit Commands(std::string prefix) : prefix_(std::move(prefix) + ":") {}

    Command make(const store::op::SessionCreate& o) const;
    Command make(const store::op::SessionLoad& o) const;
    Command make(const store::op::SessionUpdate& o) const;
    Command make(const store::op::SessionTouch& o) const;
    Command make(const store::op::SessionRemove& o) const;
    Command make(const store::op::EventAppend& o) const;
    Command make(const store::op::EventRead& o) const;
    Command make(const store::op::EventFinish& o) const;
    Command make(const store::op::EventTrim& o) const;
    Command make(const store::op::StreamRemove& o) const;
    Command make(const store::op::GroupRemove& o) const;
    Command make(const store::op::TaskCreate& o) const;
    Command make(const store::op::TaskLoad& o) const;
    Command make(const store::op::TaskUpdate& o) const;
    Command make(const store::op::TaskExtend& o) const;
    Command make(const store::op::TaskTakeOver& o) const;
    Command make(const store::op::TaskRemove& o) const;
    Command make(const store::op::TaskList& o) const;
    Command make(const store::op::TaskCount& o) const;
    Command make(const store::op::TaskSize& o) const;
    Command make(const store::op::TaskOrphans& o) const;
    Command make(const store::op::Publish& o) const;
    Command make(const store::op::ValueGet& o) const;
    Command make(const store::op::ValueSet& o) const;
    Command make(const store::op::ValueReplace& o) const;
    Command make(const store::op::ValueRemove& o) const;
    Command make(const store::op::CounterAdd& o) const;
    Command make(const store::op::LeaseAcquire& o) const;
    Command make(const store::op::LeaseExtend& o) const;
    Command make(const store::op::LeaseLookUp& o) const;
    Command make(const store::op::Check& o) const;

    /// Returns the channel of a topic.
    std::string channel(std::string_view topic) const { return prefix_ + "c:" + std::string(topic); }
    /// Returns the topic of a channel; nullopt: it is not ours.
    std::optional<std::string> topic(std::string_view channel) const;

    std::string session_key(std::string_view id) const;
    std::string task_key(std::string_view id) const;

 private:
    std::string group(std::string_view name) const;
    std::vector<std::string> group_keys(std::string_view name) const;
    std::vector<std::string> stream_keys(const store::StreamName& stream) const;
    Command task(Script script, std::vector<std::string> arguments) const;
    std::string key(char kind, std::string_view name) const;

    std::string prefix_;
};

// The answer in a reply that is not an error.
Result<std::uint64_t> answer(const store::op::SessionCreate& o, RespValue&& v);
Result<store::op::RawSession> answer(const store::op::SessionLoad& o, RespValue&& v);
Result<std::uint64_t> answer(const store::op::SessionUpdate& o, RespValue&& v);
Result<void> answer(const store::op::SessionTouch& o, RespValue&& v);
Result<bool> answer(const store::op::SessionRemove& o, RespValue&& v);
Result<store::EventId> answer(const store::op::EventAppend& o, RespValue&& v);
Result<store::EventBatch> answer(const store::op::EventRead& o, RespValue&& v);
Result<void> answer(const store::op::EventFinish& o, RespValue&& v);
Result<std::size_t> answer(const store::op::EventTrim& o, RespValue&& v);
Result<bool> answer(const store::op::StreamRemove& o, RespValue&& v);
Result<std::size_t> answer(const store::op::GroupRemove& o, RespValue&& v);
Result<store::op::RawTask> answer(const store::op::TaskCreate& o, RespValue&& v);
Result<store::op::RawTask> answer(const store::op::TaskLoad& o, RespValue&& v);
Result<void> answer(const store::op::TaskUpdate& o, RespValue&& v);
Result<void> answer(const store::op::TaskExtend& o, RespValue&& v);
Result<store::op::RawTask> answer(const store::op::TaskTakeOver& o, RespValue&& v);
Result<bool> answer(const store::op::TaskRemove& o, RespValue&& v);
Result<std::vector<store::op::RawTask>> answer(const store::op::TaskList& o, RespValue&& v);
Result<std::size_t> answer(const store::op::TaskCount& o, RespValue&& v);
Result<std::size_t> answer(const store::op::TaskSize& o, RespValue&& v);
Result<std::vector<std::string>> answer(const store::op::TaskOrphans& o, RespValue&& v);
Result<void> answer(const store::op::Publish& o, RespValue&& v);
Result<std::optional<std::string>> answer(const store::op::ValueGet& o, RespValue&& v);
Result<void> answer(const store::op::ValueSet& o, RespValue&& v);
Result<bool> answer(const store::op::ValueReplace& o, RespValue&& v);
Result<bool> answer(const store::op::ValueRemove& o, RespValue&& v);
Result<std::int64_t> answer(const store::op::CounterAdd& o, RespValue&& v);
Result<store::Lease> answer(const store::op::LeaseAcquire& o, RespValue&& v);
Result<void> answer(const store::op::LeaseExtend& o, RespValue&& v);
Result<store::Lease> answer(const store::op::LeaseLookUp& o, RespValue&& v);
/// The description has no address and no version: the caller adds them.
Result<StoreStatus> answer(const store::op::Check& o, RespValue&& v);

}  // namespace tenon::redis
