// TokenStore: keeps a client's tokens between two runs.
//
//     tenon::auth::sign_in({.client_name = "my app", .store = tenon::auth::memory_store()})
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tenon::auth {

/// Stores one secret text per server. Implement it to keep tokens in a keychain. Must be thread-safe, because several
/// connections may share it, and quick, because connections call it from their own thread. It may throw: then the user
/// signs in again.
class TokenStore {
 public:
    virtual ~TokenStore() = default;

    virtual std::optional<std::string> load(const std::string& server) = 0;
    virtual void save(const std::string& server, const std::string& secret) = 0;
    virtual void erase(const std::string& server) = 0;

    /// Takes the lock for signing in to this server and for refreshing its tokens, across all processes: a refresh
    /// token can be used only once. Never blocks; returns null while another holder has the lock. Destroying the last
    /// copy releases it.
    virtual std::shared_ptr<void> try_lock(const std::string& server) = 0;
};

/// Files in a folder, each readable by its owner only (0600, the folder 0700), written as a whole or not at all; the
/// lock is a file lock. Without a path: $XDG_STATE_HOME/tenon/credentials, or ~/.local/state/tenon/credentials. Throws
/// tenon::Exception when there is no place for it, or when others may write to the folder.
std::shared_ptr<TokenStore> file_store(std::string folder = {});

/// Makes a store that keeps tokens in memory until the process ends.
std::shared_ptr<TokenStore> memory_store();

}  // namespace tenon::auth
