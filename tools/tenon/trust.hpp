// Asks before an entry of a project's .mcp.json is used for the first time. The project may be somebody else's, and an
// entry can start any command, or send variables of this user's environment to any URL.
#pragma once

#include <memory>
#include <string>

#include <tenon/auth/token_store.hpp>

#include "asker.hpp"
#include "target.hpp"

namespace tenon::program {

class Console;

/// Remembers the entries that the user allowed. An entry is known by the path of its file, its name and its whole text:
/// one that was changed is asked about again. Only a digest of these is kept, in files that nobody else can read.
class TrustedEntries {
 public:
    /// Uses $XDG_STATE_HOME/tenon/trusted, or ~/.local/state/tenon/trusted. Remembers nothing when there is no such
    /// place.
    TrustedEntries();
    explicit TrustedEntries(std::shared_ptr<auth::TokenStore> store) : store_(std::move(store)) {}

    bool has(const FoundEntry& entry) const;
    /// Returns false when it could not be written.
    bool add(const FoundEntry& entry);

 private:
    std::shared_ptr<auth::TokenStore> store_;
};

/// Returns whether the entry can do something that the user has to allow: start a command, or use variables.
bool needs_trust(const FoundEntry& entry);

/// Shows the entry and asks. Remembers a yes. Throws Failure otherwise.
void ask_for_trust(const FoundEntry& entry, TrustedEntries& trusted, Asker& asker);

/// What take_target() needs: lets an entry pass that is trusted, or allowed by --trust, or by the user on the terminal.
/// Throws Failure when nobody can be asked.
Approve approval(const CommandLine& line, Console& console);

}  // namespace tenon::program
