// Reads and checks the common options.
#pragma once

#include <charconv>
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
    std::vector<std::string> sample_command = {};  ///< empty: no model
    std::vector<std::string> answers = {};         ///< KEY=VALUE, for forms of the server
    std::vector<Root> roots = {};
};

/// Reads an option that is a time in seconds. Throws Failure.
Duration seconds_in(const std::string& option, const std::string& text);

/// Reads an option that is a number within limits. Throws Failure.
template <class T>
T number_in(const CommandLine& line, const std::string& option, T least, T most, T otherwise) {
    if (!line.has(option)) return otherwise;
    const std::string text = line.last(option);
    T out{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size() || out < least || out > most)
        throw usage_failure("--" + option + " cannot be " + text,
                            "give a number from " + std::to_string(least) + " to " + std::to_string(most));
    return out;
}

/// Reads all common options. Throws Failure.
Settings settings_of(const CommandLine& line);

}  // namespace tenon::program
