// The load generator: how many requests a server answers, how fast, and at what cost. Every answer is checked.
//
//     const auto report = tenon::bench::run({.target = {.url = "http://127.0.0.1:8080/mcp"}, .connections =
//     8}).value(); std::cout << report.rate() << " answers a second, " << report.wrong << " of them wrong\n";
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/error.hpp>
#include <tenon/json.hpp>
#include <tenon/limits.hpp>

namespace tenon::bench {

/// Who is measured: a command, or a URL.
struct Target {
    std::vector<std::string> command = {};                          ///< started, and spoken to by its standard streams
    std::map<std::string, std::string> environment = {};            ///< on top of HOME, PATH and the like
    std::string directory = {};                                     ///< to start it in
    std::string url = {};                                           ///< http:// or https://; no proxy, no redirects
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every HTTP request
    std::string ca_file = {};  ///< certificates to trust, PEM; the system's when empty
};

/// One request of the mix. In strings of `params` and in `expect`, "{nonce}" becomes a number of ten digits that no
/// other request has, and "{nonce:N}" the same, filled up to N bytes.
struct Call {
    std::string method = "tools/list";
    json::object params = {};
    unsigned weight = 1;      ///< how often, beside the others
    bool progress = false;    ///< asks for progress reports; over HTTP they come as a stream
    std::string expect = {};  ///< must be in the answer, spelled as Tenon spells it in JSON
    std::string label = {};   ///< in the results; the method when empty
};

/// How far it is.
struct Progress {
    bool warming_up = false;
    Duration elapsed = {};  ///< of the warm-up, or of what is measured
    std::uint64_t answers = 0;
    std::uint64_t wrong = 0;
};

struct Options {
    Target target = {};
    Era era = Era::automatic;
    std::vector<Call> calls = {Call{}};
    std::size_t connections = 1;  ///< over HTTP: one request at a time and, with a handshake, one session on each
    std::size_t in_flight = 1;    ///< over stdio: requests that wait for their answer at once
    /// Requests a second, whatever the server does: latencies count from the moment at which a request was due, so that
    /// a stall is not hidden by the requests that it kept from being sent. 0: each as soon as there is room.
    double rate = 0;
    Duration warmup = std::chrono::seconds(1);    ///< not measured
    Duration duration = std::chrono::seconds(5);  ///< measured
    std::uint64_t requests = 0;                   ///< measured: ends after so many, if that is sooner; 0: no such end
    std::size_t hold =
        0;        ///< HTTP: idle sessions, each with an open stream, that are there before anything is measured
    int pid = 0;  ///< the server's process, where it is on this machine and was not started by `run`
    double precision = 0.001;                          ///< of latencies: what they may be off, relatively
    Duration answer_time = std::chrono::seconds(30);   ///< for one answer; none by then is a wrong one
    std::uint64_t max_wrong = 1000;                    ///< wrong answers after which it is pointless to go on
    std::size_t max_message_bytes = 64 * 1024 * 1024;  ///< of one answer
    /// Ten times a second, from a thread of `run`.
    std::function<void(const Progress&)> progress = {};
    std::stop_token stop = {};  ///< ends it early; the report has what was measured until then
};

struct Latency {
    std::uint64_t count = 0;
    Duration min = {}, mean = {}, p50 = {}, p90 = {}, p99 = {}, p999 = {}, max = {};
};

/// What the server's process and its children took while it was measured. Memory is what is resident.
struct ServerUse {
    Duration cpu = {};                                                 ///< of all threads, user and system
    Duration user = {}, system = {};                                   ///< the same, in the steps of the kernel's clock
    std::size_t memory_before = 0, memory_after = 0, memory_peak = 0;  ///< bytes
};

/// Idle sessions.
struct Held {
    std::size_t sessions = 0;
    Duration took = {};                               ///< to open them
    std::size_t memory_before = 0, memory_after = 0;  ///< of the server, in bytes, where its process is known
    std::size_t bytes_per_session() const {
        return sessions == 0 || memory_after < memory_before ? 0 : (memory_after - memory_before) / sessions;
    }
};

struct CallResult {
    std::string label;
    std::uint64_t wrong = 0;
    Latency latency = {};
};

struct Report {
    std::string revision;          ///< that was spoken
    Duration took = {};            ///< what was measured
    std::uint64_t answers = 0;     ///< that were right
    std::uint64_t wrong = 0;       ///< answers that were not, or did not come
    std::string first_wrong = {};  ///< what was wrong with the first of them
    std::uint64_t notices = 0;     ///< messages that were no answers: progress, log, ...
    /// With a rate: requests that were due and could not leave before the end. Latencies count them, with the time that
    /// they had waited.
    std::uint64_t missed = 0;
    std::uint64_t reconnects = 0;
    Latency latency = {};
    std::vector<CallResult> calls = {};    ///< in the order of Options::calls
    std::optional<ServerUse> server = {};  ///< where its process is known
    std::optional<Held> held = {};
    Duration own_cpu = {};  ///< of this process meanwhile

    double rate() const;            ///< right answers a second
    double cpu_per_answer() const;  ///< microseconds of the server; 0 when its process is not known
    double own_load() const;        ///< 1: one core was busy with generating
    /// The generator had no time left: the server could have answered more.
    bool generator_was_limit() const { return own_load() >= 0.95 && took >= std::chrono::milliseconds(100); }
};

/// Waits until it is done. May be called from several threads. Where the connections need it, the process's soft limit
/// of open files is raised. An error when the server cannot be reached or does not take part; wrong answers are
/// counted.
Result<Report> run(const Options& options);

/// From the start of `target.command` to its first answer, `times` times.
Result<Latency> start_up(const Options& options, std::size_t times);

}  // namespace tenon::bench
