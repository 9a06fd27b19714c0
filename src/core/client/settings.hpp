// The settings of a client engine. They do not change.
#pragma once

#include <string>

#include <tenon/client_options.hpp>

#include "protocol/write_client.hpp"

namespace tenon::core {

struct ClientSettings {
    protocol::ClientIdentity identity;
    Era era = Era::automatic;
    std::string revision = {};  // to request in `initialize`; empty: the newest
    ClientLimits limits = {};
    bool validate_results = true;
    // See ClientOptions. Off by default, so that an engine sends only requested messages.
    bool learn_tools = false;
    bool restart = false;
    Duration ping_interval = Duration::zero();
    bool sends_mirrored = true;  // see ClientTransport::sends_mirrored()
    // The lists to subscribe to at the start, in the modern era. Legacy servers notify without a subscription.
    bool hears_tools = false, hears_resources = false, hears_prompts = false;
};

}  // namespace tenon::core
