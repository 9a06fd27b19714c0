// Limits on single parts of a message, checked before values are built of them.
#pragma once

#include <tenon/limits.hpp>

#include "jsonrpc/codec.hpp"

namespace tenon::protocol {

/// What is too long in the parameters of a call, or in a result: a progress token, a URI, or what a client says of
/// itself. Never quotes it.
std::optional<std::string> check_part(const json::Node& part, std::string_view path,
                                      const jsonrpc::DecodeLimits& limits);

/// What the decoder of a server needs.
jsonrpc::DecodeLimits decode_limits(const Limits& limits);

/// What the decoder of a client needs: ClientLimits is not known here.
template <class ClientLimits>
jsonrpc::DecodeLimits client_decode_limits(const ClientLimits& l) {
    constexpr std::size_t unlimited = static_cast<std::size_t>(-1);  // servers get no `clientInfo` from servers
    return {l.max_depth,    l.max_batch,     l.max_members, l.max_nodes,
            l.max_id_bytes, l.max_uri_bytes, unlimited,     check_part};
}

}  // namespace tenon::protocol
