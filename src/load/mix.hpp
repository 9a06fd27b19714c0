// Chooses the next call by weight. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/bench.hpp>

namespace tenon::load {

/// In each round of (sum of weights) picks, each call occurs as often as its weight, spread evenly.
class Mix {
 public:
    explicit Mix(const std::vector<bench::Call>& calls);
    std::size_t next();

 private:
    std::vector<std::int64_t> weights_, credit_;
    std::int64_t sum_ = 0;
};

}  // namespace tenon::load
