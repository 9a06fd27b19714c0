// Where a client keeps its tokens between two runs.
//
//     tenon::auth::sign_in({.client_name = "my app", .store = tenon::auth::memory_store()})
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tenon::auth {

/// One text for each server, which is secret as a whole. Implement it to keep tokens in a keychain. Is called from the
/// thread of the connection, so it has to be quick; several connections may share one, so it has to be thread-safe.
/// An implementation may throw: then the user signs in again.
class TokenStore {
 public:
    virtual ~TokenStore() = default;

    virtual std::optional<std::string> load(const std::string& server) = 0;
    virtual void save(const std::string& server, const std::string& secret) = 0;
    virtual void erase(const std::string& server) = 0;

    /// Whoever holds it is the only one, in all processes, who signs in to this server or refreshes its tokens: a
    /// refresh token can be used once. Never waits; empty while another has it. It is let go of with the last copy.
    virtual std::shared_ptr<void> try_lock(const std::string& server) = 0;
};

/// Files in a folder, each readable by its owner only (0600, the folder 0700), written as a whole or not at all; the
/// lock is a file lock. Without a path: $XDG_STATE_HOME/tenon/credentials, or ~/.local/state/tenon/credentials. Throws
/// tenon::Exception when there is no place for it, or when others may write to the folder.
std::shared_ptr<TokenStore> file_store(std::string folder = {});

/// Forgets everything with the process.
std::shared_ptr<TokenStore> memory_store();

}  // namespace tenon::auth
