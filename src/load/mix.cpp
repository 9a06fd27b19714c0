#include "load/mix.hpp"

#include <algorithm>
#include <numeric>

namespace tenon::load {

Mix::Mix(const std::vector<bench::Call>& calls) : credit_(calls.size()) {
    for (const bench::Call& call : calls) weights_.push_back(call.weight);
    sum_ = std::accumulate(weights_.begin(), weights_.end(), std::int64_t{0});
}

std::size_t Mix::next() {
    if (weights_.size() == 1) return 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) credit_[i] += weights_[i];
    const auto richest = std::ranges::max_element(credit_);
    *richest -= sum_;
    return static_cast<std::size_t>(richest - credit_.begin());
}

}  // namespace tenon::load
