// Chooses the next call by weight. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/bench.hpp>

namespace tenon::load {

/// A round has as many picks as the sum of all weights. In each round, a call occurs as often as its weight says, and
/// its picks are spread evenly.
class Mix {
 public:
    explicit Mix(const std::vector<bench::Call>& calls);
    std::size_t next();

 private:
    std::vector<std::int64_t> weights_, credit_;
    std::int64_t sum_ = 0;
};

}  // namespace tenon::load
