// tenon bench: generates load and measures latency percentiles and the cost for the server.
#include <tenon/bench.hpp>

#include "bench_call.hpp"
#include "bench_report.hpp"
#include "commands.hpp"
#include "json_text.hpp"
#include "listing.hpp"
#include "permission.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

Duration time_in(const CommandLine& line, const std::string& option, Duration otherwise) {
    if (!line.has(option)) return otherwise;
    return line.last(option) == "0" ? Duration::zero() : seconds_in(option, line.last(option));
}

bench::Options options_of(const CommandLine& line, const Target& target, const Settings& settings) {
    using namespace std::chrono_literals;
    constexpr std::size_t most_connections = 50'000;
    bench::Options o;
    o.target = {target.command, target.environment, target.directory, target.url, target.headers, {}};
    o.era = settings.era;
    if (settings.timeout) o.answer_time = *settings.timeout;
    o.connections = number_in<std::size_t>(line, "connections", 1, most_connections, o.connections);
    o.in_flight = number_in<std::size_t>(line, "in-flight", 1, 100'000, o.in_flight);
    o.rate = number_in<double>(line, "rate", 0, 1e8, o.rate);
    o.requests = number_in<std::uint64_t>(line, "requests", 1, 8'000'000'000, o.requests);
    o.warmup = time_in(line, "warmup", o.warmup);
    o.duration = time_in(line, "duration", line.has("requests") ? Duration(24h) : o.duration);
    o.hold = number_in<std::size_t>(line, "hold", 1, most_connections, o.hold);
    o.pid = number_in<int>(line, "pid", 1, 1 << 30, o.pid);
    if (!target.url.empty() && line.has("in-flight"))
        throw usage_failure("over HTTP each connection has one request at a time", "--connections is what you want");
    if (target.url.empty() && (line.has("connections") || line.has("hold") || line.has("pid")))
        throw usage_failure("--connections, --hold and --pid are for servers with a URL",
                            "--in-flight says how many requests wait at once");
    return o;
}

Tool tool_to_be_called(Session& session, const std::string& name, const Permission& permission) {
    Tool tool = find_tool(session, name);
    if (!permission.given(tool))
        throw usage_failure("you never allowed `" + name + "`, and it would be called very often",
                            "--yes or --allow " + name + " if that does no harm");
    return tool;
}

// Finds out the era and the tools with a separate client, which is closed before the measurement.
void ask_the_server(bench::Options& o, const std::vector<std::string>& words, const CommandLine& line,
                    const Target& target, const Settings& settings, Console& console) {
    Session session(target, settings, console);
    session.server();
    o.era = session.with_client([](Client& client) { return client.era(); });
    if (words.empty()) return;
    o.calls.clear();
    const Permission permission(line, target);
    for (const std::string& word : words) {
        o.calls.push_back(
            bench_call(word, [&](const std::string& name) { return tool_to_be_called(session, name, permission); }));
        o.calls.back().progress = line.has("progress") && o.calls.back().method == "tools/call";
    }
}

Failure failure_of(const Error& error, const Interrupt& interrupt) {
    if (interrupt.happened()) return Failure(Status::interrupted, "interrupted");
    if (error.code == code::invalid_params) return usage_failure(error.message);
    return Failure(status_of(error), error.message);
}

template <class T>
void print(const T& found, const Settings& settings, Console& console) {
    console.bar({});
    console.print([&](Out& out) {
        if (settings.json)
            out << compact_json(report_of(found)) << "\n";
        else
            write_report(out, found);
    });
}

Status start_up(const bench::Options& o, std::size_t times, const Settings& settings, const Interrupt& interrupt,
                Console& console) {
    const auto found = bench::start_up(o, times);
    if (!found) throw failure_of(found.error(), interrupt);
    print(*found, settings, console);
    return Status::ok;
}

}  // namespace

Status run_bench(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    const Settings settings = settings_of(line);
    bench::Options o = options_of(line, target, settings);
    ask_the_server(o, words, line, target, settings, console);

    const Interrupt interrupt;
    o.stop = interrupt.token();
    if (line.has("startup"))
        return start_up(o, number_in<std::size_t>(line, "startup", 1, 1'000'000, 1), settings, interrupt, console);
    if (!settings.quiet && console.notes_facts().terminal)
        o.progress = [&](const bench::Progress& p) { console.bar(bench_line(p, o.duration)); };
    const auto result = bench::run(o);
    if (!result) throw failure_of(result.error(), interrupt);
    print(*result, settings, console);
    if (result->wrong > 0) throw Failure(Status::protocol, "an answer was wrong: " + result->first_wrong);
    return Status::ok;
}

}  // namespace tenon::program
