#include "top_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "layout.hpp"

namespace tenon::program {
namespace {

using Key = std::pair<std::string, std::string>;  // method and name
using Buckets = std::map<double, double>;         // upper bound and cumulative count
constexpr std::string_view durations = "mcp_server_operation_duration_seconds";
constexpr std::string_view fine_durations = "tenon_server_duration_seconds";  // the same, with finer buckets

struct Totals {
    double calls = 0, errors = 0;
    Buckets buckets = {};
};

std::string label_of(const MetricsPage::Sample& sample, std::string_view name) {
    const auto it = sample.labels.find(name);
    return it == sample.labels.end() ? std::string() : it->second;
}

Key key_of(const MetricsPage::Sample& sample) {
    const std::string tool = label_of(sample, "gen_ai_tool_name");
    return {label_of(sample, "mcp_method_name"), tool.empty() ? label_of(sample, "gen_ai_prompt_name") : tool};
}

std::map<Key, Totals> totals_of(const MetricsPage& page) {
    std::map<Key, Totals> out;
    for (const auto& sample : page.of(std::string(durations) + "_count")) {
        Totals& totals = out[key_of(sample)];
        totals.calls += sample.value;
        if (!label_of(sample, "error_type").empty()) totals.errors += sample.value;
    }
    const auto& fine = page.of(std::string(fine_durations) + "_bucket");
    for (const auto& sample : fine.empty() ? page.of(std::string(durations) + "_bucket") : fine) {
        const std::string bound = label_of(sample, "le");
        out[key_of(sample)].buckets[bound == "+Inf" ? INFINITY : std::atof(bound.c_str())] += sample.value;
    }
    return out;
}

double all_calls(const std::map<Key, Totals>& totals) {
    double out = 0;
    for (const auto& [key, one] : totals) out += one.calls;
    return out;
}

void subtract(Totals& from, const Totals& before) {
    from.calls -= before.calls;
    from.errors -= before.errors;
    for (const auto& [bound, count] : before.buckets) from.buckets[bound] -= count;
}

SafeText with_unit(double value, const char* format, const char* unit) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return safe_line(text.data() + std::string(unit));
}

SafeText rate(double value) {
    return with_unit(value, value >= 100 || value == std::floor(value) ? "%.0f" : "%.1f", "");
}

SafeText time_text(double seconds) {
    if (seconds < 0.001) return with_unit(seconds * 1e6, "%.0f", " us");
    if (seconds < 1) return with_unit(seconds * 1e3, "%.3g", " ms");
    return with_unit(seconds, "%.3g", " s");
}

SafeText time_text(const std::optional<Quantile>& time) {
    if (!time) return SafeText("-");
    const SafeText text = time_text(time->seconds);
    switch (time->known) {
        case Quantile::Known::at_most: return SafeText("<") + text;
        case Quantile::Known::at_least: return SafeText(">") + text;
        default: return text;
    }
}

SafeText bytes_text(double bytes) {
    constexpr std::array units = {" B", " KiB", " MiB", " GiB", " TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    return with_unit(bytes, unit == 0 ? "%.0f" : "%.1f", units[unit]);
}

// Adds the time, and what it is if it is only a bound.
void add_time(json::object& out, std::string_view name, const std::optional<Quantile>& time) {
    out.emplace(name, time ? json::value(time->seconds) : json::value(nullptr));
    if (!time || time->known == Quantile::Known::about) return;
    out.emplace(std::string(name) + "Is", time->known == Quantile::Known::at_most ? "at most" : "at least");
}

}  // namespace

std::optional<Quantile> quantile(const std::vector<std::pair<double, double>>& buckets, double q) {
    if (buckets.empty() || !(buckets.back().second > 0)) return std::nullopt;
    const double rank = q * buckets.back().second;
    double lower = 0, below = 0;
    for (const auto& [bound, count] : buckets) {
        if (count >= rank && count > below) {
            if (std::isinf(bound)) break;
            if (lower == 0) return Quantile{bound, Quantile::Known::at_most};  // it may be much smaller
            return Quantile{lower + (bound - lower) * (rank - below) / (count - below)};
        }
        lower = bound;
        below = count;
    }
    return Quantile{std::isinf(lower) ? 0 : lower, Quantile::Known::at_least};
}

TopTable TopTable::make(const MetricsPage& now, const MetricsPage* before, double seconds) {
    TopTable out;
    auto totals = totals_of(now);
    const auto earlier = before ? totals_of(*before) : std::map<Key, Totals>();
    out.per_second = before && seconds > 0 && all_calls(earlier) <= all_calls(totals);
    for (auto& [key, one] : totals) {
        const auto was = earlier.find(key);
        if (out.per_second && was != earlier.end()) subtract(one, was->second);
        if (one.calls <= 0) continue;
        const std::vector<std::pair<double, double>> buckets(one.buckets.begin(), one.buckets.end());
        const double unit = out.per_second ? seconds : 1;
        out.rows.push_back({key.first, key.second, one.calls / unit, one.errors / unit, quantile(buckets, 0.5),
                            quantile(buckets, 0.99)});
        out.calls += out.rows.back().calls;
        out.errors += out.rows.back().errors;
    }
    std::ranges::stable_sort(out.rows, std::ranges::greater(),
                             [](const Row& row) { return row.p99 ? row.p99->seconds : 0; });
    out.sessions = now.value("tenon_sessions");
    out.streams = now.value("tenon_streams");
    out.connections = now.value("tenon_connections");
    out.queued_bytes = now.value("tenon_queued_bytes");
    out.busy = now.value("tenon_workers_busy");
    out.waiting = now.value("tenon_calls_waiting");
    out.memory = now.value("tenon_memory_used_bytes");
    out.budget = now.value("tenon_memory_budget_bytes");
    for (const auto& sample : now.of("tenon_limits_hit_total")) out.limits_hit += sample.value;
    return out;
}

void write_top(Out& out, const TopTable& t, const std::string& url, std::size_t most_rows) {
    const Literal unit = t.per_second ? Literal("/s") : Literal(" since the start");
    out << Styled(Look::bold, safe_line(url)) << "\n";
    out << "calls " << rate(t.calls) << unit << "   errors " << rate(t.errors) << unit << "   limits hit "
        << rate(t.limits_hit) << "\n";
    out << "sessions " << rate(t.sessions) << "   streams " << rate(t.streams) << "   connections "
        << rate(t.connections) << "   workers " << rate(t.busy) << " busy, " << rate(t.waiting) << " waiting\n";
    out << "queued " << bytes_text(t.queued_bytes) << "   memory " << bytes_text(t.memory) << " of "
        << bytes_text(t.budget) << "\n\n";
    if (t.rows.empty()) {
        out << "no calls\n";
        return;
    }
    Table table{{{"METHOD", Look::plain},
                 {"NAME", Look::bold},
                 {t.per_second ? Literal("CALLS/S") : Literal("CALLS"), Look::plain},
                 {t.per_second ? Literal("ERRORS/S") : Literal("ERRORS"), Look::red},
                 {"P50", Look::plain},
                 {"P99", Look::plain}},
                {}};
    for (const TopTable::Row& row : std::span(t.rows).first(std::min(most_rows, t.rows.size())))
        table.rows.push_back({safe_line(row.method), safe_line(row.name), rate(row.calls), rate(row.errors),
                              time_text(row.p50), time_text(row.p99)});
    write_table(out, table);
    if (most_rows < t.rows.size())
        out << Styled(Look::dim, safe_line("and " + std::to_string(t.rows.size() - most_rows) + " faster ones"))
            << "\n";
}

json::value top_json(const TopTable& t) {
    json::array rows;
    for (const TopTable::Row& row : t.rows) {
        json::object one{{"method", row.method}, {"name", row.name}, {"calls", row.calls}, {"errors", row.errors}};
        add_time(one, "p50", row.p50);
        add_time(one, "p99", row.p99);
        rows.push_back(std::move(one));
    }
    return {{"perSecond", t.per_second},
            {"calls", t.calls},
            {"errors", t.errors},
            {"limitsHit", t.limits_hit},
            {"sessions", t.sessions},
            {"streams", t.streams},
            {"connections", t.connections},
            {"queuedBytes", t.queued_bytes},
            {"workersBusy", t.busy},
            {"callsWaiting", t.waiting},
            {"memoryUsed", t.memory},
            {"memoryBudget", t.budget},
            {"operations", rows}};
}

}  // namespace tenon::program
