// Sessions in a store. See store.hpp for what holds for all operations.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/log.hpp>
#include <tenon/reply.hpp>

#pragma GCC visibility push(default)

namespace tenon::store {

/// What all nodes must know of one session. The store does not interpret it.
struct SessionRecord {
    std::string id = {};         ///< not empty
    std::string principal = {};  ///< may use the session; empty: anonymous. Compare it with the caller after each load
    std::string revision = {};   ///< the negotiated revision of the protocol
    std::string client_info = {};                 ///< JSON, as `initialize` sent it; empty: none
    std::string capabilities = {};                ///< of the client, JSON, as `initialize` sent them; empty: none
    std::vector<std::string> subscriptions = {};  ///< URIs
    LogLevel log_level = LogLevel::debug;
    bool initialized = false;  ///< the client sent `notifications/initialized`
    std::string extra = {};    ///< any bytes, for what later versions need; keep it in an update

    friend bool operator==(const SessionRecord&, const SessionRecord&) = default;
};

/// A record, and its version. Each update increases the version.
struct StoredSession {
    SessionRecord record;
    std::uint64_t version = 0;
    std::chrono::milliseconds expires_in{};  ///< by the clock of the store
};

/// Sessions by id. `ttl` counts from the operation, by the clock of the store.
///
/// All operations are atomic, and safe to repeat after store_unavailable: a repeated create() or update() that was done
/// already ends with store_conflict.
class Sessions {
 public:
    virtual ~Sessions() = default;
    /// Adds a session, and answers with its version. store_conflict: the id exists.
    virtual void create(SessionRecord record, std::chrono::milliseconds ttl, Reply<std::uint64_t> reply) = 0;
    /// store_not_found: it never existed, was removed, or expired. store_corrupt: remove it and answer as if it had
    /// expired.
    virtual void load(std::string id, Reply<StoredSession> reply) = 0;
    /// Replaces the record if it still has this version, restarts its ttl, and answers with the new version.
    /// store_conflict: another node changed it, so load it again. store_not_found.
    virtual void update(SessionRecord record, std::uint64_t version, std::chrono::milliseconds ttl,
                        Reply<std::uint64_t> reply) = 0;
    /// Lets the session expire `ttl` from now: later or earlier than before. Does not change the version.
    /// store_not_found.
    virtual void touch(std::string id, std::chrono::milliseconds ttl, Reply<void> reply) = 0;
    /// Removes the session, and the streams of EventLog that have its id as their group. Answers whether the session
    /// existed. Publishes nothing.
    virtual void remove(std::string id, Reply<bool> reply) = 0;
};

}  // namespace tenon::store

#pragma GCC visibility pop
