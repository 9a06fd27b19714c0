// A session as the store keeps it: converts between the record of the store and the state of the engine.
#pragma once

#include <string>
#include <vector>

#include <tenon/store/errors.hpp>
#include <tenon/store/sessions.hpp>

#include "core/server/session_state.hpp"
#include "transport/http_server/list_digests.hpp"

namespace tenon {

/// The part of a record that the store does not interpret.
struct SessionExtra {
    core::Declared declared = {};
    bool listened = false;   ///< the client has opened a GET stream
    ListDigests lists = {};  ///< of the node that took the session last
    /// The nodes that may have a copy of the session, the newest last; at most max_copies. A node adds itself before it
    /// uses its copy, so the nodes that must confirm a change are known.
    std::vector<std::string> copies = {};
    bool ended = false;  ///< the client has ended the session, and its record is about to be removed
};
constexpr std::size_t max_copies = 64;  ///< nodes of one session. The oldest makes room: it is most likely gone

std::string encode_extra(const SessionExtra& extra);
/// Members that are missing or malformed have their default.
SessionExtra decode_extra(std::string_view text);

/// Adds a node to SessionExtra::copies. Returns false if it was there.
bool add_copy(store::SessionRecord& record, const std::string& node);
/// Writes the state of a new session into the record. Does not change its id and principal.
void put_state(const core::SessionState& state, const ListDigests& lists, store::SessionRecord& record);
/// Reads the state. The error says what is wrong with the record.
Result<core::SessionState> state_of(const store::SessionRecord& record);
/// Applies a change of the session to its record.
void apply(const core::StateChange& change, store::SessionRecord& record);

/// Changes as they are announced to other nodes.
json::array encode_changes(const std::vector<core::StateChange>& changes);
/// Leaves out what it cannot read.
std::vector<core::StateChange> decode_changes(const json::value& v);

}  // namespace tenon
