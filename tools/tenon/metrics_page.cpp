#include "metrics_page.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace tenon::program {
namespace {

constexpr std::size_t most_samples = 100'000;

std::optional<double> sample_value(std::string_view text) {
    if (text == "+Inf") return std::numeric_limits<double>::infinity();
    double out = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return out;
}

// Reads a quoted value. `rest` begins after the first quotation mark, and then after the last one.
std::optional<std::string> label_value(std::string_view& rest) {
    std::string out;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest[i] == '"') return rest.remove_prefix(i + 1), out;
        if (rest[i] == '\\' && i + 1 < rest.size()) {
            ++i;
            out += rest[i] == 'n' ? '\n' : rest[i];
        } else {
            out += rest[i];
        }
    }
    return std::nullopt;
}

// Reads {a="b",c="d"}. `rest` begins at the brace, and then after the closing brace.
bool read_labels(std::string_view& rest, MetricsPage::Labels& out) {
    while (!rest.empty() && rest.front() != '}') {
        rest.remove_prefix(1);  // the brace, or a comma
        if (rest.starts_with('}')) break;
        const std::size_t equal = rest.find("=\"");
        if (equal == std::string_view::npos) return false;
        std::string name(rest.substr(0, equal));
        rest.remove_prefix(equal + 2);
        auto value = label_value(rest);
        if (!value) return false;
        out.insert_or_assign(std::move(name), *std::move(value));
    }
    if (rest.empty()) return false;
    rest.remove_prefix(1);
    return true;
}

}  // namespace

MetricsPage MetricsPage::read(std::string_view text) {
    MetricsPage out;
    for (std::size_t count = 0; !text.empty() && count < most_samples;) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        const std::size_t end = line.find_first_of("{ ");
        if (end == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, end);
        line.remove_prefix(end);
        Sample sample;
        if (line.front() == '{' && !read_labels(line, sample.labels)) continue;
        while (line.starts_with(' ')) line.remove_prefix(1);
        const auto value = sample_value(line.substr(0, line.find(' ')));
        if (!value) continue;
        sample.value = *value;
        auto found = out.samples_.find(name);
        if (found == out.samples_.end()) found = out.samples_.emplace(name, std::vector<Sample>()).first;
        found->second.push_back(std::move(sample));
        ++count;
    }
    return out;
}

const std::vector<MetricsPage::Sample>& MetricsPage::of(std::string_view name) const {
    static const std::vector<Sample> none;
    const auto it = samples_.find(name);
    return it == samples_.end() ? none : it->second;
}

double MetricsPage::value(std::string_view name) const {
    for (const Sample& sample : of(name))
        if (sample.labels.empty()) return sample.value;
    return 0;
}

}  // namespace tenon::program
