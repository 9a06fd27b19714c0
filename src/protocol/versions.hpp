// The table of revisions: the fields and behaviours of each, and with methods.hpp its methods. Code outside this module
// never compares revisions; it asks Rules.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "jsonrpc/codec.hpp"
#include "protocol/methods.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::protocol {

/// A feature that a revision added or removed.
enum class Trait : std::uint8_t {
    batches,                  // arrays of messages
    batches_required,         // a receiver must accept them
    audio,                    // audio content
    resource_links,           // resource_link content
    titles,                   // `title` next to `name`
    tool_name_format,         // letters, digits, "_", "-" and ".", at most 128
    icons,                    // `icons`; `description` and `websiteUrl` of an implementation
    tool_annotations,         // `annotations` of a tool
    structured_content,       // `outputSchema`, `structuredContent`
    last_modified,            // `annotations.lastModified`
    entity_meta,              // `_meta` of tools, resources, prompts and content blocks
    progress_message,         // `message` of a progress notification
    completions_capability,   // `capabilities.completions`
    completion_context,       // `context` of completion/complete
    url_elicitation,          // elicitation `mode`, error -32042
    sampling_tools,           // tools in sampling, several content blocks; the capability sampling.context
    input_errors_in_result,   // invalid tool arguments give a result with isError, not -32602
    no_null_id,               // an error response has no `id`, instead of null, when the id could not be read
    resource_not_found_code,  // -32002 for an unknown resource; revisions without this trait use -32602
    structured_any_value,     // `structuredContent` may be any JSON value, not only an object
    result_type,              // `resultType` in every result
    cache_hints,              // `ttlMs`, `cacheScope`
    stream_polling,           // streams begin with an empty event, and may be closed and resumed
    task_requests,            // experimental tasks: `task` of tools/call, `execution` of a tool, `capabilities.tasks`
    tasks_extension,          // tasks as an extension: the server decides; results and questions are in tasks/get
    extensions,               // `capabilities.extensions`
    mirrored_parameters,      // `x-mcp-header`: tool arguments that are repeated in headers
};

/// The rules of one revision. Cheap to copy; valid until the program ends.
class Rules {
 public:
    explicit constexpr Rules(Revision r) : revision_(r) {}

    Revision revision() const { return revision_; }
    std::string_view name() const;
    /// Returns whether a handshake (`initialize`) opens a session, in which the server may send requests to the client.
    constexpr bool is_legacy() const { return revision_ < Revision::v2026_07_28; }
    /// Returns whether each request has the version, capabilities and identity of its client in `_meta`. There is no
    /// session, and questions to the client are in a result: the client then sends the request again.
    constexpr bool is_modern() const { return !is_legacy(); }
    bool has(Trait t) const;
    /// Returns the row of a method if this revision has it and `sender` may send it, or null.
    const Method* method(std::string_view name, Sender sender) const;

    /// Translates an error code to the one that this revision uses. A reserved code that it does not define becomes
    /// "internal error".
    int error_code(int code) const;
    jsonrpc::UnreadableId unreadable_id() const;

 private:
    Revision revision_;
};

/// Returns all revisions, newest first.
std::span<const Revision> revisions();
/// Returns the revisions with a handshake, newest first.
std::span<const Revision> legacy_revisions();
/// Returns the newest revision without a handshake.
Revision modern_revision();
std::optional<Revision> revision(std::string_view name);

/// Returns error -32022 with the supported revisions.
Error unsupported_version(std::string_view asked);

}  // namespace tenon::protocol

#pragma GCC visibility pop
