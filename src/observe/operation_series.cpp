#include "observe/operation_series.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

#include "observe/error_type.hpp"
#include "protocol/versions.hpp"

namespace tenon::observe {
namespace {

using Side = Operation::Side;
using Label = MetricsSnapshot::Label;

constexpr std::string_view other = "other";
constexpr std::size_t fine = fine_bounds.size();
constexpr std::size_t buckets = fine + duration_bounds.size() + 1;

// All bounds, in nanoseconds.
constexpr auto bounds = [] {
    std::array<std::int64_t, buckets - 1> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::int64_t>((i < fine ? fine_bounds[i] : duration_bounds[i - fine]) * 1e9 + 0.5);
    return out;
}();

std::size_t bucket_of(std::chrono::nanoseconds took) {
    return static_cast<std::size_t>(std::ranges::lower_bound(bounds, took.count()) - bounds.begin());
}

// FNV-1a. The texts are registered names, so a keyed hash is not needed.
void mix(std::size_t& hash, std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
}

}  // namespace

std::size_t OperationSeries::Labels::hash() const {
    std::size_t out = 0xcbf29ce484222325 + static_cast<std::size_t>(side) * ends + static_cast<std::size_t>(end) +
                      static_cast<std::size_t>(kind) * 2 * ends;
    for (const std::string_view text : {method, tool, prompt, revision, transport, error}) mix(out, text);
    return out ^ (out >> 32);
}

struct OperationSeries::Series {
    explicit Series(const Labels& from)
        : method(from.method), tool(from.tool), prompt(from.prompt), labels(from), hash(from.hash()) {
        labels.method = method;
        labels.tool = tool;
        labels.prompt = prompt;
    }

    std::string method, tool, prompt;  // the texts of `labels` that are not constants
    Labels labels;
    const std::size_t hash;
    std::array<std::atomic<std::uint64_t>, buckets> counts{};
    std::atomic<std::uint64_t> nanoseconds{0};
};

OperationSeries::OperationSeries(std::size_t max_series)
    : max_series_(max_series), table_(std::bit_ceil(std::max<std::size_t>(max_series, 8) * 2)) {
    for (const Side side : {Side::server, Side::client})
        for (std::size_t end = 0; end < ends; ++end)
            overflow_.push_back(std::make_unique<Series>(
                Labels{side, static_cast<OperationEnd>(end), Operation::Kind::request, other}));
}

OperationSeries::~OperationSeries() {
    for (const auto& slot : table_) delete slot.load(std::memory_order_relaxed);
}

// Only names that the program registered become labels: a peer must not be able to make series.
OperationSeries::Labels OperationSeries::labels_of(const Operation& o) {
    const auto label = [](std::string_view text, bool known) {
        return known && text.size() <= max_label_bytes ? text : other;
    };
    Labels out{o.side, o.end, o.kind};
    out.method = label(o.method, o.known_method);
    if (o.method == "tools/call") out.tool = label(o.name, o.known_name);
    if (o.method == "prompts/get") out.prompt = label(o.name, o.known_name);
    if (const auto revision = protocol::revision(o.revision)) out.revision = protocol::Rules(*revision).name();
    for (const std::string_view transport : {"pipe", "tcp"})
        if (o.transport == transport) out.transport = transport;
    out.error = error_type(o);
    return out;
}

OperationSeries::Series& OperationSeries::overflow_of(const Labels& labels) {
    return *overflow_[static_cast<std::size_t>(labels.side) * ends + static_cast<std::size_t>(labels.end)];
}

OperationSeries::Series& OperationSeries::find(const Labels& labels) {
    const std::size_t hash = labels.hash();
    std::unique_ptr<Series> made;
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
        Series* found = table_[at].load(std::memory_order_acquire);
        if (!found) {
            if (!made) {
                if (size_.fetch_add(1, std::memory_order_relaxed) >= max_series_) {
                    size_.fetch_sub(1, std::memory_order_relaxed);
                    return overflow_of(labels);
                }
                made = std::make_unique<Series>(labels);
            }
            if (table_[at].compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
                return *made.release();
        }
        if (found->hash != hash || found->labels != labels) continue;
        if (made) size_.fetch_sub(1, std::memory_order_relaxed);  // another thread was first
        return *found;
    }
}

void OperationSeries::record(const Operation& operation) {
    Series& series = find(labels_of(operation));
    const auto took = std::max(operation.took, std::chrono::nanoseconds::zero());
    series.counts[bucket_of(took)].fetch_add(1, std::memory_order_relaxed);
    series.nanoseconds.fetch_add(static_cast<std::uint64_t>(took.count()), std::memory_order_relaxed);
}

std::vector<const OperationSeries::Series*> OperationSeries::all() const {
    std::vector<const Series*> out;
    for (const auto& slot : table_)
        if (const Series* series = slot.load(std::memory_order_acquire)) out.push_back(series);
    for (const auto& series : overflow_)
        if (std::ranges::any_of(series->counts, [](const auto& n) { return n.load() > 0; }))
            out.push_back(series.get());
    return out;
}

namespace {

using Family = MetricsSnapshot::Family;
using Counts = std::array<std::uint64_t, buckets>;

Family durations(std::string name, std::string help) {
    Family out{std::move(name), MetricsSnapshot::Kind::histogram, "seconds", std::move(help)};
    out.bounds.assign(duration_bounds.begin(), duration_bounds.end());
    return out;
}

void add(std::vector<Label>& labels, const char* name, std::string_view value) {
    if (!value.empty()) labels.push_back({name, std::string(value)});
}

// The fine buckets are parts of the first bucket of the conventions.
std::vector<std::uint64_t> conventional(const Counts& counts) {
    std::vector<std::uint64_t> out(counts.begin() + fine, counts.end());
    for (std::size_t i = 0; i < fine; ++i) out.front() += counts[i];
    return out;
}

/// Sums series that differ only in labels that are left out.
class Sums {
 public:
    void add(std::vector<Label> labels, const Counts& counts, double seconds) {
        auto& [sum, total] = sums_[std::move(labels)];
        for (std::size_t i = 0; i < buckets; ++i) sum[i] += counts[i];
        total += seconds;
    }
    void add_to(MetricsSnapshot& snapshot, Family family) && {
        family.bounds.insert(family.bounds.begin(), fine_bounds.begin(), fine_bounds.end());
        for (auto& [labels, sum] : sums_)
            family.series.push_back({labels, sum.second, {sum.first.begin(), sum.first.end()}});
        snapshot.families.push_back(std::move(family));
    }

 private:
    std::map<std::vector<Label>, std::pair<Counts, double>> sums_;
};

}  // namespace

void OperationSeries::add_to(MetricsSnapshot& snapshot) const {
    auto server =
        durations("mcp_server_operation_duration_seconds", "Time from receiving a request to sending its response.");
    auto client =
        durations("mcp_client_operation_duration_seconds", "Time from sending a request to receiving its response.");
    auto tasks = durations("tenon_task_duration_seconds", "Time from the start of a task to its end.");
    Sums fine_sums;
    std::map<std::vector<Label>, double> outcomes;
    for (const Series* from : all()) {
        const Labels& labels = from->labels;
        Counts counts{};
        for (std::size_t i = 0; i < buckets; ++i) counts[i] = from->counts[i].load(std::memory_order_relaxed);
        MetricsSnapshot::Series to;
        to.value = static_cast<double>(from->nanoseconds.load(std::memory_order_relaxed)) / 1e9;
        add(to.labels, "mcp_method_name", labels.method);
        add(to.labels, "gen_ai_tool_name", labels.tool);
        add(to.labels, "gen_ai_prompt_name", labels.prompt);
        const bool is_server = labels.side == Side::server, is_task = labels.kind == Operation::Kind::task;
        if (is_server && !is_task) fine_sums.add(to.labels, counts, to.value);
        add(to.labels, "mcp_protocol_version", labels.revision);
        add(to.labels, "network_transport", labels.transport);
        add(to.labels, "outcome", to_string(labels.end));
        add(to.labels, "error_type", labels.error);
        to.buckets = conventional(counts);
        if (!is_task)
            outcomes[{{"side", is_server ? "server" : "client"},
                      {"mcp_method_name", std::string(labels.method)},
                      {"outcome", std::string(to_string(labels.end))}}] += static_cast<double>(to.count());
        (is_task ? tasks : is_server ? server : client).series.push_back(std::move(to));
    }
    Family operations{
        "tenon_operations", MetricsSnapshot::Kind::counter, {}, "Requests that have ended, by method and outcome."};
    for (auto& [labels, count] : outcomes) operations.series.push_back({labels, count});
    for (auto* family : {&server, &client, &tasks}) {
        std::ranges::sort(family->series, {}, &MetricsSnapshot::Series::labels);
        snapshot.families.push_back(std::move(*family));
    }
    snapshot.families.push_back(std::move(operations));
    std::move(fine_sums).add_to(snapshot, durations("tenon_server_duration_seconds",
                                                    "Time from receiving a request to sending its response, with finer "
                                                    "buckets."));
}

}  // namespace tenon::observe
