// Consent: whether a tool may be called, as the user decided. For hosts that ask their user before a tool runs.
//
//     tenon::Consent consent({.store = tenon::consent_files()});
//     if (consent.allows(server, tool) || consent.ask(server, tool, [&] { return show_dialogue(tool, arguments); }))
//         client.call_tool(tool.name, arguments);
//
// Annotations such as readOnlyHint are claims of the server. They decide nothing here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/protocol/tools.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// What the user decided about a tool. `session`, `always` and `never` hold for exactly this definition of the tool:
/// after any change of its name, description, schemas, annotations or `_meta`, the user is asked again.
enum class ConsentDecision : std::uint8_t {
    once,     ///< this call only
    session,  ///< until the Consent is destroyed
    always,   ///< remembered in the store
    refuse,   ///< not this call
    never,    ///< remembered in the store: refused without asking
};

/// Keeps decisions between two runs. Implement it to keep them elsewhere. Must be thread-safe. Keys are digests of 43
/// characters, so a store does not see tools or arguments. Functions may throw: a decision that cannot be loaded counts
/// as unknown, and one that cannot be saved holds for the session only.
class ConsentStore {
 public:
    virtual ~ConsentStore() = default;
    virtual std::optional<std::string> load(const std::string& key) = 0;
    virtual void save(const std::string& key, const std::string& decision) = 0;
};

/// Makes a store with one small file per decision, which only the owner can read. Default folder:
/// $XDG_STATE_HOME/tenon/consent, or ~/.local/state/tenon/consent. Throws tenon::Exception when there is no default
/// folder, or when other users may write to the folder.
std::shared_ptr<ConsentStore> consent_files(std::string folder = {});

/// Options of Consent.
struct ConsentOptions {
    std::shared_ptr<ConsentStore> store = {};  ///< null: `always` and `never` hold for the session only
    std::vector<std::string> allowed = {};     ///< names of tools that need no consent, on any server
    std::size_t max_remembered = 1000;         ///< decisions of the session in memory; forgets the oldest
};

/// Remembers the user's decisions. Thread-safe. `server` identifies the server: its URL, or its command with all
/// arguments. A tool of another server needs its own decision.
class Consent {
 public:
    explicit Consent(ConsentOptions options = {});

    /// Returns the decision that holds for this definition: `session`, `always` or `never`. Empty: ask the user.
    std::optional<ConsentDecision> decision(std::string_view server, const Tool& tool) const;
    /// Returns whether the tool may be called without asking.
    bool allows(std::string_view server, const Tool& tool) const;
    /// Stores a decision. Returns false when it could not be saved, so it holds for the session only.
    bool remember(std::string_view server, const Tool& tool, ConsentDecision decision);
    /// Takes a decision back: the next call asks again. Returns false when the store still has the decision, because it
    /// could not be changed.
    bool forget(std::string_view server, const Tool& tool);
    /// Returns whether the tool may be called. Calls `question` if there is no decision yet, and remembers its answer.
    /// Does not hold a lock meanwhile.
    bool ask(std::string_view server, const Tool& tool, const std::function<ConsentDecision()>& question);

    /// Returns the digest of a definition, as 43 characters of base64url. The order of JSON members does not matter.
    static std::string fingerprint(const Tool& tool);

 private:
    static std::string key_of(std::string_view server, const Tool& tool);
    void keep(const std::string& key, ConsentDecision decision);

    const ConsentOptions options_;
    mutable std::mutex mutex_;  // guards the members below
    std::map<std::string, ConsentDecision> decisions_;
    std::deque<std::string> order_;  // keys of decisions_, the oldest first
};

}  // namespace tenon

#pragma GCC visibility pop
