#include "inspect/permissions.hpp"

#include <algorithm>
#include <array>

namespace tenon::inspect {
namespace {

constexpr std::array<std::string_view, 5> kind_words = {"tool", "resource", "sampling", "root", "app"};
constexpr std::array<std::string_view, 5> decision_words = {"once", "session", "always", "refuse", "never"};
constexpr std::size_t shown_fingerprint = 12;

// A resource could have the name of a tool. So the kind is part of the server's name for Consent. A tool has none: the
// command line uses the same decisions.
std::string key_server(const Subject& subject) {
    if (subject.kind == Subject::Kind::tool) return subject.server;
    return subject.server + '\0' + std::string(to_string(subject.kind));
}

bool same_thing(const Subject& a, const Subject& b) {
    return a.kind == b.kind && a.server == b.server && a.definition.name == b.definition.name;
}

// An identity is a URL, or a folder and a command on two lines.
std::string shown_server(const std::string& identity) {
    const std::size_t end = identity.find('\n');
    if (end == std::string::npos) return identity;
    const std::string command = identity.substr(end + 1);
    return end == 0 ? command : command + " in " + identity.substr(0, end);
}

}  // namespace

std::string_view to_string(Subject::Kind kind) { return kind_words[static_cast<std::size_t>(kind)]; }
std::string_view to_string(ConsentDecision decision) { return decision_words[static_cast<std::size_t>(decision)]; }

std::optional<ConsentDecision> decision_named(std::string_view name) {
    const auto found = std::ranges::find(decision_words, name);
    if (found == decision_words.end()) return std::nullopt;
    return static_cast<ConsentDecision>(found - decision_words.begin());
}

Subject plain_subject(Subject::Kind kind, std::string server, std::string name) {
    Tool definition;
    definition.name = std::move(name);
    return {kind, std::move(server), std::move(definition)};
}

Permissions::Permissions(std::shared_ptr<ConsentStore> store) : consent_({.store = std::move(store)}) {}

std::optional<ConsentDecision> Permissions::known(const Subject& subject) const {
    return consent_.decision(key_server(subject), subject.definition);
}

// The store does not know when it was made.
std::optional<ConsentDecision> Permissions::known_and_listed(const Subject& subject) {
    const auto decision = known(subject);
    if (!decision) return decision;
    const std::lock_guard lock(mutex_);
    if (!find(subject)) list_new(subject, *decision, 0);
    return decision;
}

std::optional<ConsentDecision> Permissions::use(const Subject& subject, double now) {
    const auto decision = known(subject);
    if (decision) note(subject, *decision, now, true);
    return decision;
}

bool Permissions::remember(const Subject& subject, ConsentDecision decision, double now) {
    const bool saved = consent_.remember(key_server(subject), subject.definition, decision);
    if (decision != ConsentDecision::once && decision != ConsentDecision::refuse) note(subject, decision, now, false);
    return saved;
}

Permissions::Listed* Permissions::find(const Subject& subject) {
    const std::string print = Consent::fingerprint(subject.definition);
    for (auto& [id, listed] : listed_)
        if (same_thing(listed.subject, subject) && listed.fingerprint == print) return &listed;
    return nullptr;
}

Permissions::Listed& Permissions::list_new(const Subject& subject, ConsentDecision decision, double at) {
    if (listed_.size() >= max_listed) listed_.erase(listed_.begin());
    Listed entry{subject, decision, at, 0, Consent::fingerprint(subject.definition)};
    return listed_.emplace(next_++, std::move(entry)).first->second;
}

void Permissions::note(const Subject& subject, ConsentDecision decision, double now, bool used) {
    const std::lock_guard lock(mutex_);
    Listed* listed = find(subject);
    if (!listed) listed = &list_new(subject, decision, now);
    if (listed->decision != decision) listed->at = now;
    listed->decision = decision;
    if (used) ++listed->uses;
}

bool Permissions::changed(const Subject& subject) const {
    const std::string print = Consent::fingerprint(subject.definition);
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(listed_, [&](const auto& entry) {
        return same_thing(entry.second.subject, subject) && entry.second.fingerprint != print;
    });
}

bool Permissions::revoke(std::string_view id) {
    std::optional<Subject> subject;
    {
        const std::lock_guard lock(mutex_);
        const auto found =
            std::ranges::find_if(listed_, [&](const auto& entry) { return std::to_string(entry.first) == id; });
        if (found == listed_.end()) return false;
        subject = std::move(found->second.subject);
        listed_.erase(found);
    }
    consent_.forget(key_server(*subject), subject->definition);
    return true;
}

json::array Permissions::list() const {
    const std::lock_guard lock(mutex_);
    json::array out;
    for (const auto& [id, listed] : listed_)
        out.push_back(json::object{{"decision_id", std::to_string(id)},
                                   {"kind", to_string(listed.subject.kind)},
                                   {"server", shown_server(listed.subject.server)},
                                   {"subject", listed.subject.definition.name},
                                   {"decision", to_string(listed.decision)},
                                   {"at", listed.at},
                                   {"uses", listed.uses},
                                   {"fingerprint", listed.fingerprint.substr(0, shown_fingerprint)}});
    return out;
}

}  // namespace tenon::inspect
