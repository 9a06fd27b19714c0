// What a client engine is told about its client, once.
#pragma once

#include <string>

#include <tenon/client_options.hpp>

#include "protocol/write_client.hpp"

namespace tenon::core {

struct ClientSettings {
    protocol::ClientIdentity identity;
    Era era = Era::automatic;
    std::string revision = {};  // to ask for with a handshake; the newest when empty
    ClientLimits limits = {};
    bool validate_results = true;
    // What to subscribe to at once, where changes are not told without that.
    bool hears_tools = false, hears_resources = false, hears_prompts = false;
};

}  // namespace tenon::core
