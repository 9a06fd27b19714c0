#include "check_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "settings.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

check::Target target_of(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    if (!words.empty())
        throw usage_failure("`" + words[0] + "` is an unexpected argument", "check takes a TARGET only");
    return {target.command, target.environment, target.directory, target.url, target.headers};
}

check::Options options_of(const CommandLine& line, const Settings& settings, Console& console) {
    check::Options out;
    out.target = target_of(line, console);
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
}

}  // namespace

CheckRequest check_request(const CommandLine& line, Console& console) {
    const Settings settings = settings_of(line);
    CheckRequest out;
    out.options = options_of(line, settings, console);
    out.client = line.has("client");
    out.json = settings.json;
    out.quiet = settings.quiet;
    out.detail = settings.quiet ? Detail::brief : settings.verbose ? Detail::full : Detail::normal;
    out.junit = line.last("junit"), out.sarif = line.last("sarif"), out.html = line.last("html");
    out.baseline = line.last("baseline"), out.write_baseline = line.last("write-baseline");
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
    for (const char* option : {"cases", "time", "timeout", "config", "cwd"})
        if (line.has(option)) words.insert(words.end(), {"--" + std::string(option), line.last(option)});
    for (const char* option : {"only", "call", "skip"})
        for (const std::string& value : line.all(option))
            words.insert(words.end(), {"--" + std::string(option), value});
    if (!line.has("client")) words.insert(words.end(), {"--seed", std::to_string(seed)});
    words.insert(words.end(), line.words.begin(), line.words.end());
    if (line.server) {
        words.emplace_back("--");
        words.insert(words.end(), line.server->begin(), line.server->end());
    }
    return join_words(words);
}

}  // namespace tenon::program
