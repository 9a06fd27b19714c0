// The codec: the one place where bytes become messages and messages become bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jsonrpc/message.hpp"

namespace tenon::json {
struct Node;
}  // namespace tenon::json

namespace tenon::jsonrpc {

struct DecodeLimits;

/// What is wrong with the parameters of a call, or with a result. `path` is the name of the part: "params" or "result".
using PartCheck = std::optional<std::string> (*)(const json::Node& part, std::string_view path, const DecodeLimits&);

struct DecodeLimits {
    std::size_t max_depth = 128;
    std::size_t max_batch = 1000;
    std::size_t max_members = 10'000;
    std::size_t max_nodes = 1'000'000;
    std::size_t max_id_bytes = 1024;
    std::size_t max_uri_bytes = 8 * 1024;           // for the check
    std::size_t max_client_info_bytes = 64 * 1024;  // for the check
    PartCheck check = nullptr;                      ///< runs before values are built; see protocol::decode_limits

    json::ParseLimits json() const { return {max_depth, max_members, max_nodes}; }
};

/// Never fails: what is wrong with the bytes is in the messages.
Incoming decode(std::string_view text, const DecodeLimits& limits = {});
/// The same, with the parameters of requests and notifications in an arena: whoever keeps them keeps Incoming::memory.
/// Responses are not in it.
Incoming decode_in_arena(std::string_view text, const DecodeLimits& limits = {});

/// JSON that a json::Writer made. A type of its own, so that no other string gets onto the wire.
struct Encoded {
    std::string json;
};

/// What stands for an id that could not be read: JSON-RPC says null; MCP's schema forbids that from 2025-11-25 on.
enum class UnreadableId { null, absent };

/// Around the result itself, which is not copied where it has room in front of it: see room_for_envelope.
Encoded encode_result(const Id& id, Encoded result);

/// What writers of results reserve beyond the result, so that completing and wrapping it allocates nothing.
inline constexpr std::size_t room_for_envelope = 384;
Encoded encode_error(const std::optional<Id>& id, const Error& error, UnreadableId style = UnreadableId::null);
Encoded encode_request(const Id& id, std::string_view method, const Encoded& params);
Encoded encode_notification(std::string_view method, const Encoded& params);
Encoded encode_batch(const std::vector<Encoded>& messages);

}  // namespace tenon::jsonrpc
