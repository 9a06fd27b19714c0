// tenon check: proves or refutes the rules of the protocol on a server.
#include <charconv>

#include <tenon/check.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "settings.hpp"
#include "target.hpp"

namespace tenon::program {
namespace {

template <class Number>
Number number_of(const CommandLine& line, std::string_view option, Number otherwise) {
    if (!line.has(option)) return otherwise;
    const std::string text = line.last(option);
    Number out{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size())
        throw usage_failure("--" + std::string(option) + " " + text + " is no number", "give a whole number");
    return out;
}

check::Options options_of(const CommandLine& line, const Target& target, const Settings& settings) {
    check::Options out;
    out.target = {target.command, target.environment, target.directory, target.url, target.headers};
    out.all_revisions = line.has("all-revisions");
    out.security = line.has("security");
    out.allow_writes = line.has("allow-writes");
    out.only = line.all("only");
    out.cases = number_of(line, "cases", out.cases);
    out.seed = number_of(line, "seed", out.seed);
    out.time = std::chrono::seconds(number_of(line, "time", std::int64_t{300}));
    if (settings.timeout) out.answer_time = *settings.timeout;
    return out;
}

void show(Console& console, const check::Report& report) {
    console.print([&](Out& out) {
        for (const check::Finding& finding : report.findings) {
            if (finding.outcome != check::Outcome::fail && finding.outcome != check::Outcome::warning) continue;
            out << safe_line(to_string(finding.outcome)) << "  " << safe_line(finding.rule->id) << "  "
                << safe_line(finding.revision) << "  " << safe_line(finding.detail) << "\n";
        }
        out << number(static_cast<std::int64_t>(report.count(check::Outcome::pass))) << " passed, "
            << number(static_cast<std::int64_t>(report.count(check::Outcome::fail))) << " failed, "
            << number(static_cast<std::int64_t>(report.count(check::Outcome::warning))) << " warnings, "
            << number(static_cast<std::int64_t>(report.count(check::Outcome::not_applicable))) << " not applicable\n";
    });
}

}  // namespace

Status run_check(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words);
    if (!words.empty()) throw usage_failure("`" + words[0] + "` is one word too many", "check takes a TARGET only");
    const Interrupt interrupt;
    check::Options options = options_of(line, target, settings_of(line));
    options.stop = interrupt.token();
    if (line.has("plan")) {
        const auto lines = check::plan(options);
        console.print([&](Out& out) {
            for (const std::string& text : lines) out << safe_line(text) << "\n";
        });
        return Status::ok;
    }
    const check::Report report = check::check_server(options);
    show(console, report);
    if (interrupt.happened()) throw Failure(Status::interrupted, "interrupted");
    if (!report.incomplete.empty()) throw Failure(Status::connection, report.incomplete);
    return report.count(check::Outcome::fail) > 0 ? Status::tool_error : Status::ok;
}

}  // namespace tenon::program
