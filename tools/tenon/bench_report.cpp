#include "bench_report.hpp"

#include <array>
#include <cstdio>

#include "describe.hpp"

namespace tenon::program {
namespace {

double microseconds(Duration d) { return std::chrono::duration<double, std::micro>(d).count(); }
double in_seconds(Duration d) { return std::chrono::duration<double>(d).count(); }
double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

SafeText fixed(double n, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, n);
    return safe_line(text.data());
}

// Returns the time with three significant digits.
SafeText time_words(Duration d) {
    const double us = microseconds(d);
    const auto three = [](double n) { return fixed(n, n < 10 ? 2 : n < 100 ? 1 : 0); };
    if (us < 1000) return three(us) + " us";
    return us < 1e6 ? three(us / 1e3) + " ms" : three(us / 1e6) + " s";
}

SafeText count(std::uint64_t n) { return number(static_cast<std::int64_t>(n)); }

void write_latency(Out& out, const bench::Latency& l) {
    out << Styled(Look::bold, "latency    ") << "p50 " << time_words(l.p50) << "   p90 " << time_words(l.p90)
        << "   p99 " << time_words(l.p99) << "   p99.9 " << time_words(l.p999) << "   max " << time_words(l.max)
        << "\n";
}

void write_answers(Out& out, const bench::Report& r) {
    out << Styled(Look::bold, "answers    ") << count(r.answers) << " in " << fixed(in_seconds(r.took), 2) << " s, "
        << Styled(Look::bold, fixed(r.rate(), 0)) << " a second";
    if (r.wrong > 0) out << ", " << Styled(Look::red, count(r.wrong) + " wrong");
    if (r.notices > 0) out << ", " << count(r.notices) << " other messages";
    if (r.reconnects > 0) out << ", " << count(r.reconnects) << " connections opened again";
    out << "\n";
    if (r.missed > 0)
        out << "           "
            << Styled(Look::yellow, count(r.missed) + " were due but not sent: the server is too slow for this rate")
            << "\n";
}

void write_server(Out& out, const bench::Report& r) {
    const bench::ServerUse& use = *r.server;
    out << Styled(Look::bold, "server     ") << Styled(Look::bold, fixed(r.cpu_per_answer(), 2))
        << " us of CPU a request, " << fixed(100 * share(in_seconds(use.cpu), in_seconds(r.took)), 0) << "% of a core, "
        << size_words(use.memory_after) << " of memory, " << size_words(use.memory_peak) << " at its peak\n";
}

void write_held(Out& out, const bench::Held& held) {
    out << Styled(Look::bold, "held       ") << count(held.sessions) << " idle sessions with a stream, opened in "
        << time_words(held.took);
    if (held.memory_after > 0)
        out << ", " << Styled(Look::bold, size_words(held.bytes_per_session())) << " each ("
            << size_words(held.memory_before) << " before, " << size_words(held.memory_after) << " after)";
    out << "\n";
}

void write_calls(Out& out, const bench::Report& r) {
    for (const bench::CallResult& call : r.calls) {
        out << "\n" << safe_line(call.label) << "\n  " << count(call.latency.count) << " answers";
        if (call.wrong > 0) out << ", " << Styled(Look::red, count(call.wrong) + " wrong");
        out << "\n  ";
        write_latency(out, call.latency);
    }
}

json::object server_of(const bench::Report& r) {
    const bench::ServerUse& use = *r.server;
    return {{"cpuMicrosecondsPerAnswer", r.cpu_per_answer()},
            {"cpuSeconds", in_seconds(use.cpu)},
            {"userSeconds", in_seconds(use.user)},
            {"systemSeconds", in_seconds(use.system)},
            {"memoryBefore", use.memory_before},
            {"memoryAfter", use.memory_after},
            {"memoryPeak", use.memory_peak}};
}

json::object held_of(const bench::Held& held) {
    return {{"sessions", held.sessions},
            {"seconds", in_seconds(held.took)},
            {"memoryBefore", held.memory_before},
            {"memoryAfter", held.memory_after},
            {"bytesPerSession", held.bytes_per_session()}};
}

}  // namespace

void write_report(Out& out, const bench::Report& r) {
    out << Styled(Look::dim, "spoke " + safe_line(r.revision)) << "\n";
    if (r.held) write_held(out, *r.held);
    if (r.held && r.answers + r.wrong == 0) return;  // only idle sessions were measured
    write_answers(out, r);
    write_latency(out, r.latency);
    if (r.server) write_server(out, r);
    out << Styled(Look::bold, "generator  ") << fixed(100 * r.own_load(), 0) << "% of a core";
    if (r.generator_was_limit()) out << Styled(Look::yellow, ": it was the limit, not the server");
    out << "\n";
    if (r.calls.size() > 1) write_calls(out, r);
}

void write_report(Out& out, const bench::Latency& l) {
    out << Styled(Look::bold, "start-up   ") << count(l.count) << " times: least " << time_words(l.min) << ", median "
        << Styled(Look::bold, time_words(l.p50)) << ", most " << time_words(l.max) << "\n";
}

json::object report_of(const bench::Latency& l) {
    return {{"count", l.count},
            {"min", microseconds(l.min)},
            {"mean", microseconds(l.mean)},
            {"p50", microseconds(l.p50)},
            {"p90", microseconds(l.p90)},
            {"p99", microseconds(l.p99)},
            {"p99.9", microseconds(l.p999)},
            {"max", microseconds(l.max)}};
}

json::object report_of(const bench::Report& r) {
    json::object out{{"revision", r.revision},
                     {"seconds", in_seconds(r.took)},
                     {"answers", r.answers},
                     {"wrong", r.wrong},
                     {"answersPerSecond", r.rate()},
                     {"notices", r.notices},
                     {"missed", r.missed},
                     {"reconnects", r.reconnects},
                     {"latencyMicroseconds", report_of(r.latency)},
                     {"generatorLoad", r.own_load()},
                     {"generatorWasLimit", r.generator_was_limit()}};
    if (!r.first_wrong.empty()) out["firstWrong"] = r.first_wrong;
    if (r.server) out["server"] = server_of(r);
    if (r.held) out["held"] = held_of(*r.held);
    json::array calls;
    for (const bench::CallResult& call : r.calls)
        calls.push_back(json::object{
            {"call", call.label}, {"wrong", call.wrong}, {"latencyMicroseconds", report_of(call.latency)}});
    out["calls"] = std::move(calls);
    return out;
}

SafeText bench_line(const bench::Progress& p, Duration whole) {
    SafeText out = p.warming_up ? SafeText("warming up, ")
                                : fixed(in_seconds(p.elapsed), 1) + " of " + fixed(in_seconds(whole), 1) + " s, ";
    out += fixed(share(static_cast<double>(p.answers), in_seconds(p.elapsed)), 0) + " answers a second";
    if (p.wrong > 0) out += ", " + count(p.wrong) + " wrong";
    return out;
}

}  // namespace tenon::program
