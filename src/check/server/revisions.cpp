#include "check/server/revisions.hpp"

#include <algorithm>

#include "check/server/shapes.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::check {
namespace {

void learn_name(SupportedRevisions& supported, const json::object* info) {
    if (!info || !supported.name.empty()) return;
    if (const auto* name = string_in(*info, "name")) supported.name = *name;
    if (const auto* version = string_in(*info, "version")) supported.version = *version;
}

void note_refusal(SupportedRevisions& supported, const Conversation& talk) {
    supported.why = talk.why();
    if (std::ranges::any_of(talk.sent(),
                            [](const auto& sent) { return sent->exchange && sent->exchange->status() != 0; }))
        supported.answers_http = true;
}

// A server that supports 2026-07-28 answers server/discover. All other servers are older.
bool is_modern(Subject& subject, SupportedRevisions& supported) {
    const protocol::Rules rules(protocol::modern_revision());
    Conversation talk(subject, rules);
    if (!talk.open()) {
        note_refusal(supported, talk);
        return false;
    }
    const json::array* versions = array_in(talk.introduction(), "supportedVersions");
    const auto is_it = [&](const json::value& v) { return v.is_string() && v.get_string() == rules.name(); };
    // A server may answer in a revision that it does not list, but then it does not promise to follow it.
    const bool says_otherwise = versions && !versions->empty() && std::ranges::none_of(*versions, is_it);
    if (const json::object* meta = object_in(talk.introduction(), "_meta"))
        learn_name(supported, object_in(*meta, protocol::meta_key::server_info));
    return !says_otherwise;
}

// Returns the revision in the server's response, or the requested one when the response does not have it.
std::optional<protocol::Revision> answered(Subject& subject, protocol::Revision asked, SupportedRevisions& supported) {
    Conversation talk(subject, protocol::Rules(asked));
    if (!talk.open()) {
        note_refusal(supported, talk);
        return std::nullopt;
    }
    learn_name(supported, object_in(talk.introduction(), "serverInfo"));
    const auto* version = string_in(talk.introduction(), "protocolVersion");
    return version ? protocol::revision(std::string_view(*version)) : asked;
}

// A server that refuses every POST may use HTTP+SSE, the transport of 2024-11-05. Clients try it then, too.
void try_old_transport(Subject& subject, SupportedRevisions& supported) {
    const std::string why = supported.why;
    subject.sse = true;
    if (const auto got = answered(subject, protocol::legacy_revisions().back(), supported)) {
        supported.revisions.push_back(*got);
        return;
    }
    subject.sse = false;
    supported.why = why + "; over HTTP+SSE: " + supported.why;
}

}  // namespace

SupportedRevisions revisions_of(Subject& subject) {
    SupportedRevisions out;
    const bool all = subject.options.all_revisions;
    if (is_modern(subject, out)) out.revisions.push_back(protocol::modern_revision());
    for (const protocol::Revision asked : protocol::legacy_revisions()) {
        if (subject.over() || (!all && !out.revisions.empty())) break;
        const auto got = answered(subject, asked, out);
        if (got && (got == asked || !all) && std::ranges::find(out.revisions, *got) == out.revisions.end())
            out.revisions.push_back(*got);
    }
    if (out.revisions.empty() && out.answers_http && !subject.over()) try_old_transport(subject, out);
    if (!out.revisions.empty()) out.why.clear();
    return out;
}

}  // namespace tenon::check
