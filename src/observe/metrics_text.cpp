// Writes metrics in the text formats of Prometheus and OpenMetrics.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <tenon/metrics_snapshot.hpp>

namespace tenon {
namespace {

using Kind = MetricsSnapshot::Kind;
using Family = MetricsSnapshot::Family;
using Series = MetricsSnapshot::Series;

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::counter: return "counter";
        case Kind::gauge: return "gauge";
        case Kind::histogram: return "histogram";
    }
    return "unknown";
}

std::string number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    char text[40];
    // The shortest text of 0.0001 is 1e-04, but OpenMetrics writes such a bound without an exponent.
    const bool is_fraction = std::abs(value) >= 1e-4 && std::abs(value) < 1;
    const auto end = is_fraction ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                                 : std::to_chars(text, text + sizeof text, value);
    return std::string(text, end.ptr);
}

/// Writes the samples of one snapshot.
class TextPage {
 public:
    explicit TextPage(MetricsFormat format) : open_(format == MetricsFormat::openmetrics) {}

    void family(const Family& family) {
        if (family.series.empty()) return;  // both formats allow a family without samples, but it says nothing
        head(family);
        for (const Series& series : family.series)
            family.kind == Kind::histogram ? histogram(family, series) : single(family, series);
    }
    std::string end() && {
        if (open_) out_ += "# EOF\n";
        return std::move(out_);
    }

 private:
    // OpenMetrics names a counter without "_total"; Prometheus names its samples.
    void head(const Family& family) {
        const std::string name = family.name + (family.kind == Kind::counter && !open_ ? "_total" : "");
        out_ += "# HELP " + name + " ";
        escape(family.help, open_);
        out_ += "\n# TYPE " + name + " ";
        out_ += name_of(family.kind);
        out_ += '\n';
        if (open_ && !family.unit.empty()) out_ += "# UNIT " + name + " " + family.unit + "\n";
    }
    void single(const Family& family, const Series& series) {
        sample(family.name, family.kind == Kind::counter ? "_total" : "", series, {}, number(series.value));
    }
    // The buckets are cumulative, and the last one has the count, so the page is consistent in itself.
    void histogram(const Family& family, const Series& series) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            count += series.buckets[i];
            const bool last = i + 1 == series.buckets.size();
            sample(family.name, "_bucket", series, last ? "+Inf" : bound(family.bounds[i]), std::to_string(count));
        }
        sample(family.name, "_sum", series, {}, number(series.value));
        sample(family.name, "_count", series, {}, std::to_string(count));
    }
    // In OpenMetrics, a bound always looks like a float.
    std::string bound(double value) const {
        std::string text = number(value);
        if (open_ && text.find_first_of(".eIN") == std::string::npos) text += ".0";
        return text;
    }
    void sample(std::string_view name, std::string_view suffix, const Series& series,
                const std::optional<std::string>& le, std::string_view value) {
        out_ += name;
        out_ += suffix;
        char before = '{';
        const auto label = [&](std::string_view key, std::string_view text) {
            out_ += before;
            before = ',';
            out_ += key;
            out_ += "=\"";
            escape(text, true);
            out_ += '"';
        };
        for (const auto& [key, text] : series.labels) label(key, text);
        if (le) label("le", *le);
        if (before == ',') out_ += '}';
        out_ += ' ';
        out_ += value;
        out_ += '\n';
    }
    void escape(std::string_view text, bool quotes) {
        for (const char c : text) {
            if (c == '\\') {
                out_ += "\\\\";
            } else if (c == '\n') {
                out_ += "\\n";
            } else if (c == '"' && quotes) {
                out_ += "\\\"";
            } else {
                out_ += c;
            }
        }
    }

    const bool open_;
    std::string out_;
};

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// Removes and returns the text before the next separator.
std::string_view next_part(std::string_view& text, char separator) {
    const std::size_t at = std::min(text.find(separator), text.size());
    const std::string_view part = trim(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

bool same_type(std::string_view a, std::string_view lower_case) {
    return std::ranges::equal(a, lower_case, {}, [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
}

struct Range {
    std::string_view type;
    double quality = 1;
    std::string_view version = {};
};

Range read_range(std::string_view text) {
    Range range{next_part(text, ';')};
    while (!text.empty()) {
        std::string_view value = next_part(text, ';');
        const std::string_view key = next_part(value, '=');
        if (key == "version") range.version = value;
        if (key != "q") continue;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), range.quality);
        if (read.ec != std::errc() || !(range.quality >= 0 && range.quality <= 1)) range.quality = 0;
    }
    return range;
}

}  // namespace

std::uint64_t MetricsSnapshot::Series::count() const {
    std::uint64_t out = 0;
    for (const std::uint64_t n : buckets) out += n;
    return out;
}

std::string_view MetricsSnapshot::Series::label(std::string_view name) const {
    for (const Label& label : labels)
        if (label.name == name) return label.value;
    return {};
}

const MetricsSnapshot::Family* MetricsSnapshot::find(std::string_view name) const {
    const auto it = std::ranges::find(families, name, &Family::name);
    return it == families.end() ? nullptr : &*it;
}

std::string write_metrics(const MetricsSnapshot& snapshot, MetricsFormat format) {
    TextPage page(format);
    for (const Family& family : snapshot.families) page.family(family);
    return std::move(page).end();
}

MetricsFormat metrics_format(std::string_view accept) {
    double open = 0, plain = 0;
    while (!accept.empty()) {
        const Range range = read_range(next_part(accept, ','));
        if (same_type(range.type, "application/openmetrics-text")) {
            if (range.version.empty() || range.version == "1.0.0") open = std::max(open, range.quality);
        } else if (same_type(range.type, "text/plain")) {
            plain = std::max(plain, range.quality);
        }
    }
    return open > 0 && open >= plain ? MetricsFormat::openmetrics : MetricsFormat::prometheus;
}

std::string_view content_type(MetricsFormat format) {
    return format == MetricsFormat::openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                                : "text/plain; version=0.0.4; charset=utf-8";
}

}  // namespace tenon
