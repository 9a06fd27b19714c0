// Reads a page of metrics in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::program {

/// The samples of one page. A line that is malformed is left out.
class MetricsPage {
 public:
    using Labels = std::map<std::string, std::string, std::less<>>;
    struct Sample {
        Labels labels;
        double value = 0;
    };
    static MetricsPage read(std::string_view text);

    /// Returns the samples with this name.
    const std::vector<Sample>& of(std::string_view name) const;
    /// Returns the value of a sample without labels; 0: there is none.
    double value(std::string_view name) const;
    bool empty() const { return samples_.empty(); }

 private:
    std::map<std::string, std::vector<Sample>, std::less<>> samples_;
};

}  // namespace tenon::program
