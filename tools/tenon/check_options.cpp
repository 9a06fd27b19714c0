#include "check_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include <tenon/wire_tap.hpp>

#include "files.hpp"
#include "settings.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

check::Target single_target(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    if (!words.empty())
        throw usage_failure("`" + words[0] + "` is an unexpected argument", "check takes a TARGET only");
    return checked_target(target);
}

check::Options options_of(const CommandLine& line, const Settings& settings) {
    check::Options out;
    out.all_revisions = line.has("all-revisions");
    out.security = line.has("security");
    out.allow_writes = line.has("allow-writes");
    out.trust_hints = line.has("trust-hints");
    out.call = line.all("call");
    out.skip = line.all("skip");
    out.only = line.all("only");
    out.cases = number_in<std::size_t>(line, "cases", 1, 1'000'000, out.cases);
    out.seed = number_in<std::uint64_t>(line, "seed", 1, std::numeric_limits<std::uint64_t>::max(), out.seed);
    if (line.has("time")) out.time = seconds_in("time", line.last("time"));
    if (settings.timeout) out.answer_time = *settings.timeout;
    return out;
}

void refuse_options_of_servers(const CommandLine& line) {
    for (const std::string_view option :
         {"all-revisions", "security", "allow-writes", "trust-hints", "call", "skip", "cases", "seed", "plan"})
        if (line.has(option))
            throw usage_failure("--" + std::string(option) +
                                " is for checks of servers and cannot be combined with --client");
}

// Checks the client's command. Sets the relay, which the client starts as its server, to this program.
void prepare_for_client(check::Options& options) {
    const auto& words = options.target.command;
    const auto says = [&](std::string_view part) {
        return std::ranges::any_of(words,
                                   [&](const std::string& word) { return word.find(part) != std::string::npos; });
    };
    if (words.empty())
        throw usage_failure("--client needs a client to start", "write it after --: `-- my-client {server}`");
    if (says("{server}") == says("{url}"))
        throw usage_failure("the client command must contain either {server} or {url}",
                            "{server} becomes a program to start, {url} a URL to connect to");
    options.relay = {std::filesystem::read_symlink("/proc/self/exe").string(), "--relay"};
}

// The servers of a fleet come from its file, with their own headers and variables.
void refuse_options_of_one_server(const CommandLine& line) {
    if (line.server || !line.words.empty())
        throw usage_failure("--fleet takes its servers from its FILE, so a TARGET is unexpected");
    for (const std::string_view option :
         {"client", "plan", "config", "header", "env", "cwd", "call", "skip", "seed", "baseline"})
        if (line.has(option)) throw usage_failure("--" + std::string(option) + " cannot be combined with --fleet");
}

void check_rules(const std::vector<std::string>& only) {
    for (const std::string& one : only)
        if (std::ranges::none_of(check::catalogue(),
                                 [&](const check::Rule& rule) { return check::is_selected(rule.id, {one}); }))
            throw usage_failure("--only " + one + " selects no rule", "`tenon check --list` lists them");
}

void check_output(const CheckRequest& request) {
    const std::array all = {request.junit, request.sarif, request.html, request.write_baseline};
    const auto to_stdout = std::ranges::count(all, "-") + (request.json ? 1 : 0);
    if (to_stdout > 1) throw usage_failure("only one format can go to standard output", "give the others files");
    // A check may take minutes. Its report must not be lost at the end.
    for (const std::string& path : all)
        if (!path.empty() && path != "-")
            if (const auto possible = can_make_file(path); !possible)
                throw usage_failure(
                    "cannot write " + path + ": " + possible.error().message,
                    "nothing was checked; name a file in a folder that exists and that you may write to");
}

}  // namespace

check::Target checked_target(const Target& target) {
    return {target.command, target.environment, target.directory, target.url, target.headers};
}

CheckRequest check_request(const CommandLine& line, Console& console) {
    const Settings settings = settings_of(line);
    CheckRequest out;
    out.options = options_of(line, settings);
    out.fleet = line.last("fleet");
    if (!out.fleet.empty())
        refuse_options_of_one_server(line);
    else
        out.options.target = single_target(line, console);
    out.client = line.has("client");
    out.json = settings.json;
    out.quiet = settings.quiet;
    out.detail = settings.quiet ? Detail::brief : settings.verbose ? Detail::full : Detail::normal;
    out.junit = line.last("junit"), out.sarif = line.last("sarif"), out.html = line.last("html");
    out.baseline = line.last("baseline"), out.write_baseline = line.last("write-baseline");
    out.since = line.last("since");
    if (!out.since.empty() && !out.baseline.empty())
        throw usage_failure("--since and --baseline cannot be combined",
                            "--since shows changes, --baseline hides failures");
    check_rules(out.options.only);
    check_output(out);
    if (out.client) {
        refuse_options_of_servers(line);
        prepare_for_client(out.options);
    }
    return out;
}

std::string repeating_command(const CommandLine& line, std::uint64_t seed) {
    std::vector<std::string> words = {"tenon", "check"};
    for (const char* option : {"client", "all-revisions", "security", "allow-writes", "trust-hints"})
        if (line.has(option)) words.push_back("--" + std::string(option));
    for (const char* option : {"cases", "time", "timeout", "fleet", "config", "cwd"})
        if (line.has(option)) words.insert(words.end(), {"--" + std::string(option), line.last(option)});
    for (const char* option : {"only", "call", "skip"})
        for (const std::string& value : line.all(option))
            words.insert(words.end(), {"--" + std::string(option), value});
    // `-e NAME` copies the value from the environment. It was given here, so the user can set it there.
    for (const std::string& text : line.all("env")) words.insert(words.end(), {"-e", text.substr(0, text.find('='))});
    for (const std::string& text : line.all("header"))
        words.insert(words.end(), {"-H", text.substr(0, text.find(':')) + ": (hidden)"});
    if (!line.has("client") && !line.has("fleet")) words.insert(words.end(), {"--seed", std::to_string(seed)});
    for (const std::string& word : line.words)
        words.push_back(word.find("://") == word.npos ? word : mask_secrets(word));
    if (line.server) {
        words.emplace_back("--");
        words.insert(words.end(), line.server->begin(), line.server->end());
    }
    return join_words(words);
}

}  // namespace tenon::program
