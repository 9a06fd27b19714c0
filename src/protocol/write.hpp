// Writes parts of messages in the form of a revision. Members that the revision lacks are left out or written in an
// older form.
#pragma once

#include <tenon/json_writer.hpp>
#include <tenon/log.hpp>
#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/content.hpp>
#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>
#include <tenon/protocol/tools.hpp>

#include "protocol/versions.hpp"

namespace tenon::protocol {

/// Returns whether a schema has "type": "object" at its root. Before 2026-07-28 structured content must be an object,
/// so a tool with another output schema is listed without it.
bool describes_object(const json::object& schema);

using json::Writer;
class Spellings;

#pragma GCC visibility push(default)  // tenon-http uses it
void write(Writer& w, const Implementation& v, const Rules& rules);
#pragma GCC visibility pop
void write(Writer& w, const Content& v, const Rules& rules);
void write(Writer& w, const ResourceContents& v, const Rules& rules);
void write(Writer& w, const Tool& v, const Rules& rules);
void write(Writer& w, const ToolResult& v, const Rules& rules);
void write(Writer& w, const Resource& v, const Rules& rules);
void write(Writer& w, const ResourceTemplate& v, const Rules& rules);
void write(Writer& w, const ReadResult& v, const Rules& rules);
void write(Writer& w, const Prompt& v, const Rules& rules);
void write(Writer& w, const PromptResult& v, const Rules& rules);
void write(Writer& w, const Completion& v, const Rules& rules);
void write(Writer& w, const SampleRequest& v, const Rules& rules);

void write_cache_hints(Writer& w, const CacheHints& hints, const Rules& rules);

/// Writes the members that every result has: `_meta` and, if the revision has them, the result type and the server.
jsonrpc::Encoded complete_result(jsonrpc::Encoded body, std::string_view type, const json::object& meta,
                                 const Spellings& server, const Rules& rules);

/// Returns parameters with this `_meta`. They must have none.
jsonrpc::Encoded with_meta(const jsonrpc::Encoded& params, const json::object& meta);

/// Encodes a value. `neutral`: without control characters, see Writer::neutralise().
template <class T>
jsonrpc::Encoded encode(const T& v, const Rules& rules, bool neutral = false) {
    jsonrpc::Encoded out;
    Writer w(out.json);
    w.neutralise(neutral);
    write(w, v, rules);
    return out;
}

}  // namespace tenon::protocol
