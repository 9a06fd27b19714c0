// Runs a benchmark: finds out the server's revision, prepares the calls, warms up and measures.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <thread>

#include <tenon/bench.hpp>
#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/process.hpp>

#include "load/http_load.hpp"
#include "load/stdio_load.hpp"
#include "load/usage.hpp"

namespace tenon::load {
namespace {

using bench::Options;

// Runs `f` on a new thread. All signals are blocked there, SIGPIPE above all, and its timers are precise.
template <class F>
auto on_a_quiet_thread(F f) {
    decltype(f()) out = Error{code::internal_error, "the thread did not run"};
    std::thread([&] {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        ::prctl(PR_SET_TIMERSLACK, 1);
        try {
            out = f();
        } catch (const Exception& e) {
            out = e.error();
        } catch (const std::exception& e) {
            out = Error{code::internal_error, e.what()};
        } catch (...) {
            out = Error{code::internal_error, "the load ended with an exception of an unknown type"};
        }
    }).join();
    return out;
}

Result<void> check(const Options& o) {
    const auto no = [](const char* why) { return Error{code::invalid_params, why}; };
    if (o.target.url.empty() == o.target.command.empty()) return no("there must be a URL or a command, and not both");
    if (o.calls.empty()) return no("no call was given");
    for (const bench::Call& call : o.calls)
        if (call.weight == 0) return no("a call has no weight");
    if (o.connections == 0 || o.in_flight == 0) return no("connections and in_flight must be at least 1");
    if (o.rate < 0 || !(o.rate < 1e9)) return no("the rate is not a number of requests a second");
    if (o.hold > 0 && o.target.url.empty()) return no("idle sessions can be held over HTTP only");
    return {};
}

std::shared_ptr<ClientTransport> transport_to(const bench::Target& target) {
    if (target.url.empty())
        return process({.command = target.command,
                        .directory = target.directory,
                        .environment = target.environment,
                        .stderr_to = ChildStderr::ignore});
    return http({.url = target.url, .headers = target.headers, .ca_file = target.ca_file, .proxy = ""});
}

protocol::Rules rules_for(const Options& options) {
    Era era = options.era;
    if (era == Era::automatic) {
        Client client(transport_to(options.target), {.limits = {.connect_time = options.answer_time}});
        client.connect();
        era = client.era();
    }
    return protocol::Rules(era == Era::modern ? protocol::modern_revision() : protocol::legacy_revisions().front());
}

void allow_files(std::size_t wanted) {
    constexpr std::size_t others = 100;  // other files that this process may have open
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted + others) return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, wanted + others);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Idle sessions, each with an open stream.
class HeldSessions {
 public:
    explicit HeldSessions(const HttpPeer& peer) : peer_(peer) {}
    ~HeldSessions() {
        for (const Session& session : sessions_) peer_.end(channel_, session.context);
    }
    HeldSessions(const HeldSessions&) = delete;
    HeldSessions& operator=(const HeldSessions&) = delete;

    Result<bench::Held> open(const Options& options) {
        bench::Held out;
        const TimePoint start = Clock::now();
        out.memory_before = usage_of(options.pid).resident;
        while (sessions_.size() < options.hold && !options.stop.stop_requested())
            if (auto opened = open_one(); !opened) return opened.error();
        out.sessions = sessions_.size();
        out.took = Clock::now() - start;
        out.memory_after = usage_of(options.pid).resident;
        return out;
    }

 private:
    struct Session {
        web::ClientContext context;
        Channel stream;
    };

    Result<void> open_one() {
        if (!channel_.open()) {
            auto dialled = peer_.dial();
            if (!dialled) return dialled.error();
            channel_ = *std::move(dialled);
        }
        auto context = peer_.introduce(channel_);
        if (!context) return context.error();
        auto stream = peer_.open_stream(*context);
        if (!stream) return stream.error();
        sessions_.push_back({*std::move(context), *std::move(stream)});
        return {};
    }

    const HttpPeer& peer_;
    Channel channel_;  // for the handshakes and for ending the sessions
    std::vector<Session> sessions_;
};

bench::ServerUse between(const Usage& before, const Usage& after) {
    return {after.cpu - before.cpu, after.user - before.user, after.system - before.system,
            before.resident,        after.resident,           after.peak};
}

Result<bench::Report> measure(Load& load, const Options& options) {
    bench::Report out;
    for (const bench::Call& call : options.calls) out.calls.push_back({call.label.empty() ? call.method : call.label});
    Tally warm(options.calls.size(), options.precision, options.max_wrong);
    Tally tally(options.calls.size(), options.precision, options.max_wrong);
    if (options.warmup > Duration::zero()) {
        Lookout lookout(options, true);
        if (auto ran = load.run({.time = options.warmup, .rate = options.rate}, warm, lookout); !ran)
            return ran.error();
    }
    const int pid = load.pid() != 0 ? load.pid() : options.pid;
    const Usage before = usage_of(pid);
    const Duration own = own_cpu();
    const TimePoint start = Clock::now();
    Phase phase{.time = options.duration, .rate = options.rate};
    if (options.requests > 0) phase.requests = options.requests;
    Lookout lookout(options, false);
    if (auto ran = load.run(phase, tally, lookout); !ran) return ran.error();
    out.took = Clock::now() - start;
    out.own_cpu = own_cpu() - own;
    if (pid != 0) out.server = between(before, usage_of(pid));
    tally.tell(out);
    // Wrong responses of the warm-up count too.
    out.wrong += warm.all_wrong();
    if (out.first_wrong.empty()) out.first_wrong = warm.first_wrong();
    return out;
}

Result<bench::Report> run_http(const Options& options, const protocol::Rules& rules, std::vector<PreparedCall> calls) {
    allow_files(options.connections + options.hold);
    auto peer = HttpPeer::at(options, rules);
    if (!peer) return peer.error();
    HeldSessions sessions(*peer);
    auto held = sessions.open(options);
    if (!held) return held.error();
    auto load = HttpLoad::to(*peer, options, std::move(calls));
    if (!load) return load.error();
    auto out = measure(**load, options);
    if (!out) return out;
    out->revision = (*load)->revision();
    if (options.hold > 0) out->held = *held;
    return out;
}

Result<bench::Report> run_stdio(const Options& options, const protocol::Rules& rules, std::vector<PreparedCall> calls) {
    auto load = StdioLoad::to(options, rules, std::move(calls));
    if (!load) return load.error();
    auto out = measure(**load, options);
    if (out) out->revision = (*load)->revision();
    return out;
}

Result<bench::Report> run_any(const Options& options) {
    const protocol::Rules rules = rules_for(options);
    auto calls = prepare(options.calls, rules);
    if (!calls) return calls.error();
    return options.target.url.empty() ? run_stdio(options, rules, *std::move(calls))
                                      : run_http(options, rules, *std::move(calls));
}

Result<bench::Latency> start_often(const Options& options, std::size_t times) {
    const protocol::Rules rules = rules_for(options);
    Histogram out(options.precision);
    for (std::size_t i = 0; i < times && !options.stop.stop_requested(); ++i) {
        Child child(options.max_message_bytes);
        const TimePoint start = Clock::now();
        if (auto started = child.start(options.target); !started) return started.error();
        if (auto answer = child.introduce(rules, later(start, options.answer_time)); !answer) return answer.error();
        out.record(static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start).count()));
    }
    return latency_of(out);
}

}  // namespace
}  // namespace tenon::load

namespace tenon::bench {
namespace {

double seconds_of(Duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

double Report::rate() const { return took > Duration::zero() ? static_cast<double>(answers) / seconds_of(took) : 0; }

double Report::cpu_per_answer() const {
    return server && answers > 0 ? seconds_of(server->cpu) * 1e6 / static_cast<double>(answers) : 0;
}

double Report::own_load() const { return took > Duration::zero() ? seconds_of(own_cpu) / seconds_of(took) : 0; }

Result<Report> run(const Options& options) {
    if (auto checked = load::check(options); !checked) return checked.error();
    return load::on_a_quiet_thread([&] { return load::run_any(options); });
}

Result<Latency> start_up(const Options& options, std::size_t times) {
    if (auto checked = load::check(options); !checked) return checked.error();
    if (options.target.command.empty())
        return Error{code::invalid_params, "only a server that is started here can be timed from its start"};
    return load::on_a_quiet_thread([&] { return load::start_often(options, times); });
}

}  // namespace tenon::bench
