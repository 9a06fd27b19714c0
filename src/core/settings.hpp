// What all sessions of one server share, besides its features.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/protocol/common.hpp>

#include "base/siphash.hpp"
#include "core/features.hpp"

namespace tenon::core {

struct Settings {
    Implementation info;
    std::string instructions = {};
    Limits limits = {};
    base::SipKey cursor_key = {};
    bool logging = true;
    LogLevel log_level = LogLevel::info;              // until the client sets one
    bool neutralise_control_characters = false;
    std::function<void(std::string&)> redact = {};    // sees every text a tool returns
    std::function<void()> on_roots_changed = {};
    std::function<std::shared_ptr<const Features>()> features = {};  // the snapshot of this moment
};

}  // namespace tenon::core
