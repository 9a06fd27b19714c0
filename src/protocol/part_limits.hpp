// Limits on single parts of a message. They are checked before values are built.
#pragma once

#include <tenon/limits.hpp>

#include "jsonrpc/codec.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::protocol {

/// Returns what is too long in the parameters of a request, or in a result: a progress token, a URI, or the description
/// of a client. Returns nullopt when all is well. The text does not quote the part.
std::optional<jsonrpc::TooLong> check_part(const json::Node& part, std::string_view path,
                                           const jsonrpc::DecodeLimits& limits);

/// Returns the limits for the decoder of a server.
jsonrpc::DecodeLimits decode_limits(const Limits& limits);

/// Returns the limits for the decoder of a client. A template, because this module does not know ClientLimits.
template <class ClientLimits>
jsonrpc::DecodeLimits client_decode_limits(const ClientLimits& l) {
    constexpr std::size_t unlimited = static_cast<std::size_t>(-1);  // servers do not send `clientInfo`
    return {l.max_depth,    l.max_batch,     l.max_members, l.max_nodes,
            l.max_id_bytes, l.max_uri_bytes, unlimited,     check_part};
}

}  // namespace tenon::protocol

#pragma GCC visibility pop
