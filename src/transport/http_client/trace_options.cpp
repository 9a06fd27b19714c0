// Reads the environment variables of OpenTelemetry.
#include <charconv>
#include <chrono>

#include <tenon/trace_exporter.hpp>

#include "base/ascii.hpp"

namespace tenon {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t max_pairs = 128;  // of one variable

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

// Returns the text without percent-encoding. Malformed escapes stay.
std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape =
            text[i] == '%' && i + 2 < text.size() && base::is_hex(text[i + 1]) && base::is_hex(text[i + 2]);
        out += escape ? static_cast<char>(base::hex_digit(text[i + 1]) << 4 | base::hex_digit(text[i + 2])) : text[i];
        if (escape) i += 2;
    }
    return out;
}

/// Reads variables, and reports malformed ones.
class Variables {
 public:
    Variables(const std::function<std::optional<std::string>(const char*)>& get, const LogSink& log)
        : get_(get), log_(log) {}

    /// Returns the value; empty: it is not set.
    std::string text(const char* name) const { return get_(name).value_or(""); }
    /// Returns the first of two variables that is set.
    std::string text(const char* name, const char* otherwise) const {
        std::string out = text(name);
        return out.empty() ? text(otherwise) : out;
    }
    bool is_true(const char* name) const {
        const std::string value = text(name);
        return value == "true" || value == "TRUE" || value == "True";
    }
    template <class T>
    void number(const char* name, T least, T& out) const {
        const std::string value = text(name);
        if (value.empty()) return;
        T read{};
        const auto result = std::from_chars(value.data(), value.data() + value.size(), read);
        if (result.ec != std::errc() || result.ptr != value.data() + value.size() || !(read >= least))
            return complain(name);
        out = read;
    }
    void milliseconds(const char* name, Duration& out) const {
        constexpr std::uint64_t longest = 1000ULL * 3600 * 24;
        std::uint64_t ms = static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(out).count());
        number<std::uint64_t>(name, 0, ms);
        out = std::chrono::milliseconds(std::min(ms, longest));
    }
    /// Adds "key=value,key=value". The values are not logged: they may be credentials.
    void pairs(const char* name, Pairs& out) const {
        const std::string value = text(name);
        std::string_view rest = value;
        while (!rest.empty() && out.size() < max_pairs) {
            const std::string_view pair = trimmed(rest.substr(0, rest.find(',')));
            rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
            const std::size_t equal = pair.find('=');
            if (pair.empty()) continue;
            if (equal == std::string_view::npos || equal == 0) {
                complain(name);
                continue;
            }
            out.emplace_back(trimmed(pair.substr(0, equal)), decoded(trimmed(pair.substr(equal + 1))));
        }
    }
    void complain(const char* name) const {
        if (!log_) return;
        const std::string text = std::string("the environment variable ") + name + " is malformed; ignored";
        log_({.time = std::chrono::system_clock::now(), .level = LogLevel::warning, .message = text});
    }

 private:
    const std::function<std::optional<std::string>(const char*)>& get_;
    const LogSink& log_;
};

void read_sampler(const Variables& variables, TraceExporterOptions& out) {
    std::string_view name;
    const std::string value = variables.text("OTEL_TRACES_SAMPLER");
    name = value;
    if (name.empty()) return;
    constexpr std::string_view prefix = "parentbased_";
    out.parent_based = name.starts_with(prefix);
    if (out.parent_based) name.remove_prefix(prefix.size());
    if (name == "always_on") {
        out.ratio = 1;
    } else if (name == "always_off") {
        out.ratio = 0;
    } else if (name == "traceidratio") {
        out.ratio = 1;
        variables.number("OTEL_TRACES_SAMPLER_ARG", 0.0, out.ratio);
    } else {
        out.parent_based = true;
        variables.complain("OTEL_TRACES_SAMPLER");
    }
}

std::string endpoint_of(const Variables& variables) {
    if (std::string own = variables.text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"); !own.empty()) return own;
    std::string common = variables.text("OTEL_EXPORTER_OTLP_ENDPOINT");
    if (common.empty()) return common;
    return common + (common.ends_with('/') ? "v1/traces" : "/v1/traces");
}

}  // namespace

std::optional<TraceExporterOptions> TraceExporterOptions::from(
    const std::function<std::optional<std::string>(const char*)>& get, LogSink log) {
    const Variables variables(get, log);
    const std::string exporter = variables.text("OTEL_TRACES_EXPORTER");
    TraceExporterOptions out;
    out.endpoint = endpoint_of(variables);
    if (variables.is_true("OTEL_SDK_DISABLED") || out.endpoint.empty() || (!exporter.empty() && exporter != "otlp"))
        return std::nullopt;
    variables.pairs("OTEL_EXPORTER_OTLP_HEADERS", out.headers);
    variables.pairs("OTEL_EXPORTER_OTLP_TRACES_HEADERS", out.headers);
    out.ca_file = variables.text("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE");
    variables.pairs("OTEL_RESOURCE_ATTRIBUTES", out.resource);
    out.service_name = variables.text("OTEL_SERVICE_NAME");
    read_sampler(variables, out);
    variables.number<std::size_t>("OTEL_BSP_MAX_QUEUE_SIZE", 1, out.max_queue);
    variables.number<std::size_t>("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1, out.max_batch);
    variables.milliseconds("OTEL_BSP_SCHEDULE_DELAY", out.schedule_delay);
    variables.milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT", out.request_time);
    variables.milliseconds("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", out.request_time);
    out.log = std::move(log);
    return out;
}

}  // namespace tenon
