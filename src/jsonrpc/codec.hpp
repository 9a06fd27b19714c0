// The JSON-RPC codec: decodes bytes to messages, and encodes messages to bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jsonrpc/message.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::json {
struct Node;
}  // namespace tenon::json

namespace tenon::jsonrpc {

struct DecodeLimits;

/// A part of a message that exceeds a limit.
struct TooLong {
    std::string why;
    LimitName limit;
};

/// Checks the parameters of a request, or a result. Returns the reason when they are refused. `path` is "params" or
/// "result".
using PartCheck = std::optional<TooLong> (*)(const json::Node& part, std::string_view path, const DecodeLimits&);

struct DecodeLimits {
    std::size_t max_depth = 128;
    std::size_t max_batch = 1000;
    std::size_t max_members = 10'000;
    std::size_t max_nodes = 1'000'000;
    std::size_t max_id_bytes = 1024;
    std::size_t max_uri_bytes = 8 * 1024;           // used by `check`
    std::size_t max_client_info_bytes = 64 * 1024;  // used by `check`
    PartCheck check = nullptr;                      ///< runs before values are built; see protocol::decode_limits

    json::ParseLimits json() const { return {max_depth, max_members, max_nodes}; }
};

/// Decodes a message or a batch. Never fails: errors are reported as Invalid and Ignored messages.
Incoming decode(std::string_view text, const DecodeLimits& limits = {});
/// The same, but the parameters of requests and notifications are in an arena. Keep Incoming::memory as long as the
/// parameters. Results are not in the arena.
Incoming decode_in_arena(std::string_view text, const DecodeLimits& limits = {});

/// JSON made by a json::Writer. A separate type, so that no other string is sent by mistake.
struct Encoded {
    std::string json;
};

/// The `id` of an error response to a message whose id could not be read. JSON-RPC requires null, but the schema of MCP
/// forbids null from 2025-11-25 on.
enum class UnreadableId { null, absent };

/// Adds the envelope to a result, in place. Allocates nothing when the string has room_for_envelope bytes of spare
/// capacity.
Encoded encode_result(const Id& id, Encoded result);

/// Bytes to reserve in the string of a result, in addition to the result itself: for its last members and the envelope.
inline constexpr std::size_t room_for_envelope = 384;
Encoded encode_error(const std::optional<Id>& id, const Error& error, UnreadableId style = UnreadableId::null);
Encoded encode_request(const Id& id, std::string_view method, const Encoded& params);
Encoded encode_notification(std::string_view method, const Encoded& params);
Encoded encode_batch(const std::vector<Encoded>& messages);

}  // namespace tenon::jsonrpc

#pragma GCC visibility pop
