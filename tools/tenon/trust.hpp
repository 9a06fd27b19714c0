// Asks the user before an entry of a project's .mcp.json is used for the first time. Another person may have written
// the file, and an entry can start any command, or send environment variables of this user to any URL.
#pragma once

#include <memory>
#include <string>

#include <tenon/auth/token_store.hpp>

#include "asker.hpp"
#include "target.hpp"

namespace tenon::program {

class Console;

/// Remembers the entries that the user allowed. The path of the file, the name and the whole text identify an entry. So
/// the user is asked again after a change. Stores only a digest of these, in files that no other user can read.
class TrustedEntries {
 public:
    /// Uses $XDG_STATE_HOME/tenon/trusted, or ~/.local/state/tenon/trusted. Remembers nothing if this folder cannot be
    /// used.
    TrustedEntries();
    explicit TrustedEntries(std::shared_ptr<auth::TokenStore> store) : store_(std::move(store)) {}

    bool has(const FoundEntry& entry) const;
    /// Returns false when the entry could not be stored.
    bool add(const FoundEntry& entry);

 private:
    std::shared_ptr<auth::TokenStore> store_;
};

/// Returns whether the user must allow the entry, because it starts a command or uses variables.
bool needs_trust(const FoundEntry& entry);

/// Shows the entry and asks the user. Remembers the entry if the user allows it. Otherwise throws Failure.
void ask_for_trust(const FoundEntry& entry, TrustedEntries& trusted, Asker& asker);

/// Returns the function that take_target() needs. It accepts an entry that is trusted, or allowed by --trust, or
/// allowed by the user on the terminal. It throws Failure when there is no terminal to ask on.
Approve approval(const CommandLine& line, Console& console);

}  // namespace tenon::program
