// The tasks of a memory store.
#include "store/memory_tables.hpp"

namespace tenon::store {
namespace {

constexpr std::size_t bytes_of_task = 600;

}  // namespace

op::RawTask MemoryTables::raw(const std::string& id, const Task& task, WallTime now) const {
    const auto left = task.lease_until <= now ? op::Millis(0) : std::chrono::ceil<op::Millis>(task.lease_until - now);
    return {id, task.owner, task.bytes, task.holder, task.order, task.token, left};
}

// The index of leases has the tasks that are not over.
void MemoryTables::set_lease(const std::string& id, Task& task, WallTime until) {
    leases_of_tasks_.erase({task.lease_until, id});
    task.lease_until = until;
    if (!task.over) leases_of_tasks_.emplace(until, id);
}

Result<op::RawTask> MemoryTables::apply(const op::TaskCreate& o, WallTime now) {
    if (tasks_.find(o.id, now)) return op::task_exists();
    erase_task(o.id);
    const auto size = o.bytes.size() + 3 * o.id.size() + 2 * o.owner.size() + bytes_of_task;
    if (auto room = room_for(size); !room) return room.error();
    Task task{o.owner, o.bytes, o.holder, ++last_order_, 1, {}, o.over};
    auto& stored = tasks_.put(o.id, std::move(task), now + o.ttl).value;
    set_lease(o.id, stored, now + o.lease);
    task_order_.emplace(std::pair(o.owner, stored.order), o.id);
    bytes_ += size;
    return raw(o.id, stored, now);
}

Result<op::RawTask> MemoryTables::apply(const op::TaskLoad& o, WallTime now) {
    const auto* found = tasks_.find(o.id, now);
    if (!found) return op::no_task();
    return raw(o.id, found->value, now);
}

Result<void> MemoryTables::apply(const op::TaskUpdate& o, WallTime now) {
    auto* found = tasks_.find(o.id, now);
    if (!found) return op::no_task();
    auto& task = found->value;
    if (task.token != o.token) return op::task_fenced();
    if (auto room = room_for(o.bytes.size()); !room) return room.error();
    bytes_ += o.bytes.size();
    bytes_ -= task.bytes.size();
    task.bytes = o.bytes;
    task.over = o.over;
    set_lease(o.id, task, task.lease_until);
    return {};
}

Result<void> MemoryTables::apply(const op::TaskExtend& o, WallTime now) {
    auto* found = tasks_.find(o.id, now);
    if (!found) return op::no_task();
    if (found->value.token != o.token) return op::task_fenced();
    set_lease(o.id, found->value, now + o.lease);
    return {};
}

Result<op::RawTask> MemoryTables::apply(const op::TaskTakeOver& o, WallTime now) {
    auto* found = tasks_.find(o.id, now);
    if (!found) return op::no_task();
    auto& task = found->value;
    if (task.lease_until > now) return op::task_leased();
    task.holder = o.holder;
    ++task.token;
    set_lease(o.id, task, now + o.lease);
    return raw(o.id, task, now);
}

Result<bool> MemoryTables::apply(const op::TaskRemove& o, WallTime now) {
    const bool existed = tasks_.find(o.id, now) != nullptr;
    erase_task(o.id);
    return existed;
}

void MemoryTables::erase_task(const std::string& id) {
    const auto it = tasks_.all().find(id);
    if (it == tasks_.all().end()) return;
    const auto& task = it->second.value;
    bytes_ -= task.bytes.size() + 3 * id.size() + 2 * task.owner.size() + bytes_of_task;
    leases_of_tasks_.erase({task.lease_until, id});
    task_order_.erase(std::pair(task.owner, task.order));
    tasks_.erase(id);
}

Result<std::vector<op::RawTask>> MemoryTables::apply(const op::TaskList& o, WallTime now) {
    std::vector<op::RawTask> out;
    for (auto it = task_order_.upper_bound(std::pair(o.owner, o.after));
         it != task_order_.end() && it->first.first == o.owner && out.size() < o.max; ++it)
        if (const auto* found = tasks_.find(it->second, now)) out.push_back(raw(it->second, found->value, now));
    return out;
}

Result<std::size_t> MemoryTables::apply(const op::TaskCount& o, WallTime now) {
    std::size_t count = 0;
    for (auto it = task_order_.lower_bound(std::pair(o.owner, std::uint64_t{0}));
         it != task_order_.end() && it->first.first == o.owner; ++it)
        if (tasks_.find(it->second, now)) ++count;
    return count;
}

Result<std::size_t> MemoryTables::apply(const op::TaskSize&, WallTime now) {
    while (const auto* id = tasks_.expired(now)) erase_task(std::string(*id));
    return tasks_.all().size();
}

Result<std::vector<std::string>> MemoryTables::apply(const op::TaskOrphans& o, WallTime now) {
    std::vector<std::string> out;
    for (const auto& [until, id] : leases_of_tasks_) {
        if (until > now || out.size() >= o.max) break;
        if (tasks_.find(id, now)) out.push_back(id);
    }
    return out;
}

void MemoryTables::overwrite_task(const std::string& id, std::string bytes) {
    auto* found = tasks_.find(id, WallTime::min());
    bytes_ += bytes.size();
    bytes_ -= found->value.bytes.size();
    found->value.bytes = std::move(bytes);
}

}  // namespace tenon::store
