// Shows the messages of a load test to TENON_TRACE. All its connections count as one.
#pragma once

#include "runtime/wire.hpp"

namespace tenon::load {

/// Returns the wire of all load tests of this process. Showing a message costs nothing if there is no trace.
inline const Wire& wire() {
    static const Wire one(trace_of_environment(), WireMessage::Side::client);
    return one;
}

}  // namespace tenon::load
