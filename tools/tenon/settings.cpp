#include "settings.hpp"

#include <charconv>

#include "roots.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

constexpr double longest_time = 1e6;  // seconds: more than eleven days

Era era_of(const std::string& text) {
    if (text == "legacy") return Era::legacy;
    return text == "modern" ? Era::modern : Era::automatic;
}

}  // namespace

Duration seconds_in(const std::string& option, const std::string& text) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || !(seconds > 0) || seconds > longest_time)
        throw usage_failure("--" + option + " " + text + " is not a time",
                            "give seconds, for example --" + option + " 2.5");
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

Settings settings_of(const CommandLine& line) {
    Settings out;
    out.era = era_of(line.last("era"));
    if (line.has("timeout")) out.timeout = seconds_in("timeout", line.last("timeout"));
    out.login = login_of(line);
    out.json = line.has("json");
    out.quiet = line.has("quiet");
    out.verbose = line.has("verbose");
    if (out.quiet && out.verbose) throw usage_failure("--quiet and --verbose cannot be combined");
    out.answers = line.all("answer");
    for (const std::string& answer : out.answers) assignment_of(answer);  // throws when it is malformed
    for (const std::string& folder : line.all("root")) out.roots.push_back(root_of(folder));
    if (line.has("sample-command")) {
        out.sample_command = split_words(line.last("sample-command"));
        if (out.sample_command.empty()) throw usage_failure("--sample-command is empty", "name the program to run");
    }
    return out;
}

}  // namespace tenon::program
