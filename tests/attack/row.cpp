#include "attack/row.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace attack {
namespace {

namespace json = tenon::json;

std::string with_digits(double number, int digits) {
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string in_ms(double ms) { return with_digits(ms, ms < 10 ? 1 : 0); }
std::string in_mib(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

std::string join(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
    return out;
}

std::string service(const Row& row) {
    if (!row.has_innocent) return "-";
    return std::to_string(row.failures) + " of " + std::to_string(row.calls);
}
std::string latency(const Row& row) {
    if (!row.has_innocent) return "-";
    return in_ms(row.calm_p50) + " / " + in_ms(row.calm_p99) + " → " + in_ms(row.p50) + " / " + in_ms(row.p99);
}
std::string verdict(const Row& row) {
    const std::string busy = row.busy ? " (busy machine: latency not judged)" : "";
    return (row.is_ok() ? "ok" : "FAILED: " + join(row.broken)) + busy;
}

// The three columns "before".
std::string cells_before(const Row* row) {
    if (!row) return "- | - | -";
    return in_mib(row->peak_bytes) + " | " + service(*row) + " | " + (row->is_ok() ? "ok" : "succeeded");
}
std::string cells_now(const Row& row) {
    return in_mib(row.peak_bytes) + " | " + service(row) + " | " + latency(row) + " | " + verdict(row);
}

// The text of a server can contain anything.
std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < ' ' || c == '|'; }, ' ');
    return text;
}

}  // namespace

void judge(Row& row) {
    const std::size_t most =
        row.idle_bytes > 0 ? row.idle_bytes + Bounds::budget + row.handler_bytes : Bounds::client_memory;
    if (row.peak_bytes > most) row.broken.push_back("memory " + in_mib(row.peak_bytes) + ", more than " + in_mib(most));
    if (!row.has_innocent) return;
    if (row.calls == 0) row.broken.emplace_back("no call was made");
    if (row.failures > 0) row.broken.push_back(std::to_string(row.failures) + " calls failed");
    if (row.busy) return;
    const double bound = Bounds::fair_share * row.calm_p99 + Bounds::slack_ms;
    if (row.p99 > bound) row.broken.push_back("p99 " + in_ms(row.p99) + " ms, more than " + in_ms(bound));
}

json::object to_json(const Row& row) {
    json::array broken;
    for (const std::string& text : row.broken) broken.emplace_back(one_line(text));
    return {{"attack", row.attack},
            {"by", row.by},
            {"load", row.load},
            {"sent", row.sent},
            {"peak_bytes", row.peak_bytes},
            {"idle_bytes", row.idle_bytes},
            {"cpu_seconds", row.cpu_seconds},
            {"has_innocent", row.has_innocent},
            {"busy", row.busy},
            {"calls", row.calls},
            {"failures", row.failures},
            {"calm_p50", row.calm_p50},
            {"calm_p99", row.calm_p99},
            {"p50", row.p50},
            {"p99", row.p99},
            {"broken", std::move(broken)}};
}

Row row_from_json(const json::object& o) {
    const auto text = [&](const char* key) { return std::string(o.at(key).as_string()); };
    const auto number = [&](const char* key) { return o.at(key).to_number<double>(); };
    const auto count = [&](const char* key) { return o.at(key).to_number<std::size_t>(); };
    Row row{.attack = text("attack"), .by = text("by"), .load = text("load")};
    row.sent = count("sent"), row.peak_bytes = count("peak_bytes"), row.cpu_seconds = number("cpu_seconds");
    if (o.contains("idle_bytes")) row.idle_bytes = count("idle_bytes");
    row.has_innocent = o.at("has_innocent").as_bool();
    if (o.contains("busy")) row.busy = o.at("busy").as_bool();
    row.calls = count("calls"), row.failures = count("failures");
    row.calm_p50 = number("calm_p50"), row.calm_p99 = number("calm_p99");
    row.p50 = number("p50"), row.p99 = number("p99");
    for (const json::value& one : o.at("broken").as_array()) row.broken.emplace_back(one.as_string());
    return row;
}

std::string markdown(const std::vector<Row>& rows, const std::vector<Row>& before) {
    std::string out =
        "| attack | by | load | memory before | failed calls before | attack before | memory | failed calls | p50 / "
        "p99 in "
        "ms, calm → under attack | result |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const Row& row : rows) {
        const auto old = std::ranges::find_if(before, [&](const Row& b) { return b.key() == row.key(); });
        out += "| " + row.attack + " | " + row.by + " | " + row.load + " | " +
               cells_before(old == before.end() ? nullptr : &*old) + " | " + cells_now(row) + " |\n";
    }
    return out;
}

}  // namespace attack
