// TokenStore: keeps a client's tokens between two runs.
//
//     tenon::auth::sign_in({.client_name = "my app", .tokens = {.store = tenon::auth::memory_store()}})
#pragma once

#include <memory>
#include <optional>
#include <string>

#pragma GCC visibility push(default)

namespace tenon::auth {

/// Stores one secret text per server. Implement it to keep tokens in a keychain. It must be thread-safe, because
/// several clients may share it, and quick, because clients call it on their I/O thread. load(), save() and erase() may
/// throw: Tenon logs the exception. When load() or try_lock() throws during signing in, signing in fails.
class TokenStore {
 public:
    virtual ~TokenStore() = default;

    virtual std::optional<std::string> load(const std::string& server) = 0;
    virtual void save(const std::string& server, const std::string& secret) = 0;
    virtual void erase(const std::string& server) = 0;

    /// Takes the lock for signing in to this server and for refreshing its tokens. The lock must hold across processes,
    /// because a refresh token can be used only once. Must not block; returns null while the lock is taken. Destroying
    /// the last copy releases the lock.
    virtual std::shared_ptr<void> try_lock(const std::string& server) = 0;
};

/// Makes a store that keeps one file per server in a folder. Only the owner can read them (0600, the folder 0700). A
/// file is written completely or not at all. Default folder: $XDG_STATE_HOME/tenon/credentials, or
/// ~/.local/state/tenon/credentials. Throws tenon::Exception when there is no default folder, or when other users may
/// write to the folder.
std::shared_ptr<TokenStore> file_store(std::string folder = {});

/// Makes a store that keeps tokens in memory until the process ends.
std::shared_ptr<TokenStore> memory_store();

}  // namespace tenon::auth

#pragma GCC visibility pop
