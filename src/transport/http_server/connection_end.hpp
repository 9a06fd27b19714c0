// Why a connection of the HTTP server was closed, for the log and the metrics.
#pragma once

#include <string_view>

#include <tenon/limit_name.hpp>
#include <tenon/log.hpp>

#include "base/memory_budget.hpp"

namespace tenon {

/// One reason. The level is `info` where a client may behave so, and `warning` where it should not.
struct ConnectionEnd {
    std::string_view reason;
    LogLevel level = LogLevel::info;
    LimitName limit = LimitName::none;
};

namespace connection_ends {

inline constexpr ConnectionEnd client_closed{"the client closed it between two requests"};
inline constexpr ConnectionEnd client_left{"the client left in the middle of a request or response"};
inline constexpr ConnectionEnd no_handshake{"the TLS handshake failed"};
inline constexpr ConnectionEnd last_response{"its last response was sent"};
inline constexpr ConnectionEnd idle{"it was idle for too long (Limits::connection_idle_time)"};
inline constexpr ConnectionEnd no_request{"its first request did not come in time (Limits::head_time)", LogLevel::info,
                                          LimitName::head_time};
inline constexpr ConnectionEnd not_read{"the client did not read its response in time (Limits::write_time)",
                                        LogLevel::warning, LimitName::write_time};
inline constexpr ConnectionEnd too_many{"there are too many connections (Limits::max_connections)", LogLevel::warning,
                                        LimitName::max_connections};
inline constexpr ConnectionEnd no_descriptor{"too many files are open", LogLevel::warning};
inline constexpr ConnectionEnd server_stops{"the server is shutting down"};
inline constexpr ConnectionEnd exception{"there was an exception, which has a line of its own"};

}  // namespace connection_ends

/// Returns the limit that refused memory.
constexpr LimitName memory_limit(base::MemoryDecision verdict) {
    return verdict == base::MemoryDecision::over_share ? LimitName::peer_memory_share : LimitName::memory_budget;
}

/// Returns the end of a connection whose input or output does not fit into its limits. LimitName::none: memory is
/// short.
constexpr ConnectionEnd end_by_limit(LimitName limit) {
    switch (limit) {
        case LimitName::max_queued_output_bytes:
            return {"the client is too slow for its output (Limits::max_queued_output_bytes)", LogLevel::warning,
                    limit};
        case LimitName::peer_memory_share:
            return {"its client holds too much memory (Limits::peer_memory_share)", LogLevel::warning, limit};
        case LimitName::memory_budget:
            return {"the memory budget is used up (Limits::memory_budget)", LogLevel::warning, limit};
        default: return {"memory is short", LogLevel::error};
    }
}

}  // namespace tenon
