// The bytes of session and task records. Versioned, with a checksum, so a foreign or damaged record is noticed.
#pragma once

#include <string>
#include <string_view>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::store {

std::string encode_session(const SessionRecord& record);
/// Fails with store_corrupt when the bytes are not a session with this id.
Result<SessionRecord> decode_session(std::string_view id, std::string_view bytes);

/// `order` is not part of the bytes.
std::string encode_task(const TaskRecord& task);
/// Fails with store_corrupt when the bytes are not a task with this id.
Result<TaskRecord> decode_task(std::string_view id, std::string_view bytes);

}  // namespace tenon::store

#pragma GCC visibility pop
