// The common options, checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/client_options.hpp>

#include "command_line.hpp"
#include "login.hpp"

namespace tenon::program {

struct Settings {
    Era era = Era::automatic;
    std::optional<Duration> timeout = {};
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    Login login = {};
    std::vector<std::string> sample_command = {};  ///< empty: there is no model
};

/// The value of an option that is a time in seconds. Throws Failure.
Duration seconds_in(const std::string& option, const std::string& text);

/// Throws Failure.
Settings settings_of(const CommandLine& line);

}  // namespace tenon::program
