#include "store/front.hpp"

namespace tenon::store {

Result<StoredSession> read_session(const std::string& id, op::RawSession&& raw) {
    auto record = decode_session(id, raw.bytes);
    if (!record) return record.error();
    return StoredSession{std::move(*record), raw.version, raw.expires_in};
}

Result<StoredTask> read_task(op::RawTask&& raw) {
    auto task = decode_task(raw.id, raw.bytes);
    if (!task) return task.error();
    task->owner = std::move(raw.owner);
    task->order = raw.order;
    return StoredTask{std::move(*task), std::move(raw.holder), raw.token, raw.lease_left};
}

std::vector<StoredTask> read_tasks(std::vector<op::RawTask>&& raw) {
    std::vector<StoredTask> out;
    for (auto& one : raw)
        if (auto task = read_task(std::move(one))) out.push_back(std::move(*task));
    return out;
}

}  // namespace tenon::store
