// The load generator: measures throughput, latency and resource use of a server. Verifies every response.
//
//     tenon::bench::Options options{.target = {.url = "http://127.0.0.1:8080/mcp"}, .connections = 8};
//     const auto report = tenon::bench::run(options).value();
//     std::cout << report.rate() << " correct answers per second, " << report.wrong << " wrong ones\n";
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

/// The server to measure: a command or a URL.
struct Target {
    std::vector<std::string> command = {};                          ///< started by `run`; uses stdio
    std::map<std::string, std::string> environment = {};            ///< added to HOME, PATH and similar variables
    std::string directory = {};                                     ///< working directory of the command
    std::string url = {};                                           ///< http:// or https://; no proxy, no redirects
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every HTTP request
    std::string ca_file = {};  ///< certificates to trust, PEM; the system's when empty
};

/// One kind of request in the mix. In strings of `params` and in `expect`, "{nonce}" is replaced by a number of ten
/// digits that no other request has. "{nonce:N}" is replaced by the same number, padded to N bytes.
struct Call {
    std::string method = "tools/list";
    json::object params = {};
    unsigned weight = 1;      ///< relative frequency
    bool progress = false;    ///< ask for progress notifications; over HTTP they come as a stream
    std::string expect = {};  ///< must occur in the response, as JSON written by Tenon
    std::string label = {};   ///< name in the results; the method when empty
};

/// The state of a run.
struct Progress {
    bool warming_up = false;
    Duration elapsed = {};  ///< time since the start of the warm-up, or of the measurement
    std::uint64_t answers = 0;
    std::uint64_t wrong = 0;
};

/// What to send, how fast, and for how long.
struct Options {
    Target target = {};
    Era era = Era::automatic;
    std::vector<Call> calls = {Call{}};
    std::size_t connections = 1;  ///< over HTTP; each sends one request at a time. In the legacy era each has a session
    std::size_t in_flight = 1;    ///< over stdio: requests that wait for a response at the same time
    /// Requests per second, at a fixed rate. The latency of a request begins when it was due, so a pause of the server
    /// appears in the latencies of all requests that it delayed. 0: send each request as soon as possible.
    double rate = 0;
    Duration warmup = std::chrono::seconds(1);    ///< not measured
    Duration duration = std::chrono::seconds(5);  ///< measured
    std::uint64_t requests = 0;                   ///< stop after this many requests, if sooner; 0: no such limit
    std::size_t hold = 0;                         ///< HTTP: idle sessions with an open stream, opened before measuring
    int pid = 0;                                  ///< process id of a local server that `run` did not start
    double precision = 0.001;                     ///< relative error of latencies
    Duration answer_time = std::chrono::seconds(30);   ///< for one response; a missing one counts as wrong
    std::uint64_t max_wrong = 1000;                    ///< stop after this many wrong responses
    std::size_t max_message_bytes = 64 * 1024 * 1024;  ///< size of one response
    /// Called ten times per second, on a thread of `run`.
    std::function<void(const Progress&)> progress = {};
    std::stop_token stop = {};  ///< stops early; the report covers the time until then
};

/// The distribution of response times.
struct Latency {
    std::uint64_t count = 0;
    Duration min = {}, mean = {}, p50 = {}, p90 = {}, p99 = {}, p999 = {}, max = {};
};

/// CPU and resident memory of the server process and its children during the measurement.
struct ServerUse {
    Duration cpu = {};                                                 ///< CPU time of all threads, user and system
    Duration user = {}, system = {};                                   ///< its parts, rounded to kernel clock ticks
    std::size_t memory_before = 0, memory_after = 0, memory_peak = 0;  ///< bytes
};

/// The idle sessions of Options::hold.
struct Held {
    std::size_t sessions = 0;
    Duration took = {};                               ///< time to open them
    std::size_t memory_before = 0, memory_after = 0;  ///< of the server, in bytes, if its process is known
    std::size_t bytes_per_session() const {
        return sessions == 0 || memory_after < memory_before ? 0 : (memory_after - memory_before) / sessions;
    }
};

/// The results of one entry of Options::calls.
struct CallResult {
    std::string label;
    std::uint64_t wrong = 0;
    Latency latency = {};
};

/// The results of a run.
struct Report {
    std::string revision;          ///< negotiated protocol revision
    Duration took = {};            ///< measured time
    std::uint64_t answers = 0;     ///< correct responses
    std::uint64_t wrong = 0;       ///< wrong or missing responses
    std::string first_wrong = {};  ///< describes the first of them
    std::uint64_t notices = 0;     ///< other messages: progress, log, ...
    /// With a rate: requests that were due but not sent before the end. Latencies include the time that they waited.
    std::uint64_t missed = 0;
    std::uint64_t reconnects = 0;
    Latency latency = {};
    std::vector<CallResult> calls = {};    ///< in the order of Options::calls
    std::optional<ServerUse> server = {};  ///< if its process is known
    std::optional<Held> held = {};
    Duration own_cpu = {};  ///< CPU time of the load generator

    double rate() const;            ///< correct responses per second
    double cpu_per_answer() const;  ///< microseconds of server CPU; 0 when its process is not known
    double own_load() const;        ///< share of one core that the generator used; 1: all of it
    /// Returns whether the generator was the bottleneck: the server could have answered more.
    bool generator_was_limit() const { return own_load() >= 0.95 && took >= std::chrono::milliseconds(100); }
};

/// Runs the load and returns when done. Thread-safe. Raises the soft limit of open files if needed. Returns an error
/// when an option is invalid or the client cannot connect to the server. Wrong responses are counted in the report.
Result<Report> run(const Options& options);

/// Measures the time from starting `target.command` to its first response, `times` times.
Result<Latency> start_up(const Options& options, std::size_t times);

}  // namespace tenon::bench
