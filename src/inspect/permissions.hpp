// Permissions: the user's decisions about tools, resources, sampling and roots. Asks tenon::Consent, and knows what can
// be listed and taken back.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/consent.hpp>

namespace tenon::inspect {

/// Something that needs a decision.
struct Subject {
    enum class Kind : std::uint8_t { tool, resource, sampling, root, app };
    Kind kind = Kind::tool;
    std::string server;  ///< identity of the server
    Tool definition;     ///< of a tool; for other kinds only the name, such as the URI
};
std::string_view to_string(Subject::Kind kind);
std::string_view to_string(ConsentDecision decision);
std::optional<ConsentDecision> decision_named(std::string_view name);

/// Makes a subject that is not a tool.
Subject plain_subject(Subject::Kind kind, std::string server, std::string name);

/// Thread-safe. A decision holds for exactly one definition of a tool.
class Permissions {
 public:
    explicit Permissions(std::shared_ptr<ConsentStore> store);

    /// Returns the decision that holds, and counts its use. Empty: ask the user.
    std::optional<ConsentDecision> use(const Subject& subject, double now);
    /// Returns the decision that holds, without counting.
    std::optional<ConsentDecision> known(const Subject& subject) const;
    /// Returns the decision that holds, and lists it if an earlier run stored it.
    std::optional<ConsentDecision> known_and_listed(const Subject& subject);
    /// Stores a decision. Returns false when it could not be saved.
    bool remember(const Subject& subject, ConsentDecision decision, double now);
    /// Returns whether there was a decision about an earlier definition with the same name.
    bool changed(const Subject& subject) const;
    /// Takes a decision back, by its id in list(). Returns false for an unknown id.
    bool revoke(std::string_view id);
    /// Returns the decisions of this run, and the stored ones that were used or seen in it.
    json::array list() const;

 private:
    struct Listed {
        Subject subject;
        ConsentDecision decision;
        double at = 0;  ///< 0: in an earlier run
        std::uint64_t uses = 0;
        std::string fingerprint;
    };
    Listed* find(const Subject& subject);
    Listed& list_new(const Subject& subject, ConsentDecision decision, double at);
    void note(const Subject& subject, ConsentDecision decision, double now, bool used);

    static constexpr std::size_t max_listed = 1000;  // forgets the oldest of the list, not the decision

    Consent consent_;
    mutable std::mutex mutex_;  // guards the members below
    std::map<std::uint64_t, Listed> listed_;
    std::uint64_t next_ = 1;
};

}  // namespace tenon::inspect
